"""Scopes, ends, seats and limits of tokens."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from api.limits import Counters
from api.models import Token
from tests.api.conftest import JSON, Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def _with(token: str, path: str, data: Any = None) -> Any:
    headers = {"Authorization": f"Token {token}"}
    if data is None:
        return Client().get(f"/api/v1/{path}", headers=headers)
    return Client().post(f"/api/v1/{path}", data, content_type=JSON, headers=headers)


def test_a_token_is_shown_once_and_listed_without_its_secret(rania: Person) -> None:
    made = rania.post("tokens", {"name": "bot", "scope": "play", "days": 30})
    assert made.status_code == 201
    secret = made.json()["token"]
    assert _with(secret, "me").status_code == 200
    listed = rania.get("tokens")
    assert secret not in listed.content.decode()
    assert [(row["name"], row["scope"]) for row in listed.json()["tokens"]] == [("", "admin"), ("bot", "play")]
    assert secret not in str(list(Token.objects.values()))


def test_a_withdrawn_or_ended_token_is_void(rania: Person) -> None:
    one = rania.post("tokens", {}).json()
    assert rania.delete(f"tokens/{one['number']}").status_code == 204
    assert _with(one["token"], "me").status_code == 401
    assert rania.delete(f"tokens/{one['number']}").status_code == 404
    two = rania.post("tokens", {"days": 1}).json()
    Token.objects.filter(number=two["number"]).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert _with(two["token"], "me").status_code == 401


def test_numbers_are_ones_own(rania: Person, sam: Person) -> None:
    made = rania.post("tokens", {}).json()
    assert sam.delete(f"tokens/{made['number']}").status_code == 404
    assert _with(made["token"], "me").status_code == 200


def test_a_token_of_a_seat_stays_there(rania: Person, sam: Person, vera: Person, duel: int, solo: int) -> None:
    made = rania.post("tokens", {"match": duel, "scope": "admin"}).json()
    assert (made["match"], made["seat"], made["scope"]) == (duel, "north", "play")
    token = made["token"]
    assert _with(token, f"matches/{duel}/decision").json()["asked"]
    assert _with(token, f"matches/{duel}/orders", {"orders": "mark 1"}).status_code == 200
    for path in (f"matches/{solo}", f"matches/{solo}/view", "matches"):
        assert _with(token, path).json()["code"] == "forbidden"
    assert _with(token, "matches", {"ruleset": "duel"}).json()["code"] == "forbidden"
    assert _with(token, "tokens", {}).json()["code"] == "forbidden"
    assert vera.post("tokens", {"match": duel}).json()["code"] == "not-your-seat"


def test_nobody_has_tokens_without_end(rania: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.tokens.MOST_TOKENS", 3)
    assert [rania.post("tokens", {}).status_code for _ in range(3)] == [201, 201, 409]


def _statuses(call: Any, times: int) -> Counter[int]:
    return Counter(call().status_code for _ in range(times))


@pytest.fixture
def _early_in_the_minute() -> None:
    """The counters change with the minute; do not begin at its end."""
    left = 60 - time.time() % 60
    if left < 8:
        time.sleep(left + 0.1)


@pytest.mark.usefixtures("_early_in_the_minute")
@pytest.mark.parametrize("kind", ["address", "token", "seat", "sign-in"])
def test_what_is_over_a_limit_must_wait(rania: Person, sam: Person, duel: int, settings: Any, kind: str) -> None:
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 10_000) | {kind: 20}
    calls: dict[str, Callable[[], Any]] = {
        "address": lambda: Client().get("/api/v1/version"),
        "token": lambda: rania.get("me"),
        "seat": lambda: rania.post(f"matches/{duel}/orders", {"orders": "mark 99"}),
        "sign-in": lambda: Client().post("/api/v1/login", {"username": "x", "password": "y"}, content_type=JSON),
    }
    seen = _statuses(calls[kind], 30)
    assert seen[429] == 10, seen
    over = calls[kind]()
    assert over.json()["code"] == "too-fast" and 1 <= int(over.headers["Retry-After"]) <= 61
    others: dict[str, Callable[[], Any]] = {
        "token": lambda: sam.get("me"),
        "seat": lambda: sam.post(f"matches/{duel}/orders", {"orders": "x"}),
    }
    if kind in others:
        assert others[kind]().status_code != 429, "one person's flood is not another's"


def test_a_counter_that_is_away_stops_nobody(rania: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.conf.settings.COUNTER_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setattr("api.limits.COUNTERS", Counters())
    assert rania.get("me").status_code == 200

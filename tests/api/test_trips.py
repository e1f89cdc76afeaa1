"""What one request costs: trips to the database, nothing of a browser's, counters shared between processes."""

import secrets
import time
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.limits import Counters
from games.ledger import services
from games.ledger.models import Entry, Match, Seat, StandingOrder
from games.ledger.verify import match_problem
from tests.api.conftest import Person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def _sent(call: Any) -> list[str]:
    with CaptureQueriesContext(connection) as seen:
        answer = call()
    assert answer.status_code == 200, answer.content
    return [query["sql"] for query in seen.captured_queries]


def _together() -> bool:
    return connection.vendor == "postgresql"


def test_an_order_takes_five_trips(rania: Person, duel: int) -> None:
    rania.post(f"matches/{duel}/orders", {"orders": "mark 1"})  # the first one writes when the token was used
    sent = _sent(lambda: rania.post(f"matches/{duel}/orders", {"orders": "mark 2"}))
    assert len(sent) == (5 if _together() else 8), sent
    keyed = _sent(lambda: rania.post(f"matches/{duel}/orders", {"orders": "mark 3"}, Idempotency_Key="k"))
    assert len(keyed) == (6 if _together() else 10), keyed
    assert match_problem(Match.objects.get(pk=duel)) == ""


def test_looking_takes_two_trips(rania: Person, duel: int) -> None:
    for path in ("view", "decision"):
        rania.get(f"matches/{duel}/{path}")
        sent = _sent(lambda path=path: rania.get(f"matches/{duel}/{path}"))
        assert len(sent) == (2 if _together() else 3), sent


def test_a_seat_counts_its_standing_orders_in_force(rania: Person, duel: int) -> None:
    seat = Seat.objects.get(match=duel, user=rania.user)
    for number in (1, 2):
        services.standing_set(match_id=duel, seat=seat.key, text=f"on choice if turn > {90 + number} do hold")
    services.standing_withdraw(match_id=duel, seat=seat.key, number=1)
    seat.refresh_from_db()
    assert seat.armed == StandingOrder.objects.filter(seat=seat, withdrawn_at=None).count() == 1


def test_a_refusal_under_a_key_leaves_no_trace_but_its_answer(rania: Person, duel: int) -> None:
    sent = {"orders": ["mark 3", "mark 99"], "all_or_nothing": True}
    first = rania.post(f"matches/{duel}/orders", sent, Idempotency_Key="k")
    assert first.status_code in (409, 422), first.content
    assert Entry.objects.filter(match=duel).count() == 1
    assert rania.post(f"matches/{duel}/orders", {"orders": "mark 3"}, Idempotency_Key="l").status_code == 200
    again = rania.post(f"matches/{duel}/orders", sent, Idempotency_Key="k")
    assert again.content == first.content
    assert match_problem(Match.objects.get(pk=duel)) == ""


def test_a_program_gets_no_cookie_and_every_guarding_header(rania: Person) -> None:
    answer = rania.get("me")
    assert not answer.cookies
    for name in ("Content-Security-Policy", "X-Frame-Options", "X-Content-Type-Options", "Content-Length"):
        assert answer.headers[name], name
    foreign = rania.get("me", Host="elsewhere.example")
    assert foreign.status_code == 400


def test_a_browser_is_still_known_by_its_session(rania: Person) -> None:
    rania.client.force_login(rania.user)
    assert rania.client.get("/api/v1/me").json()["username"] == "rania"


@pytest.mark.skipif(not settings.COUNTER_URL, reason="one process alone counts in its memory")
def test_two_processes_count_together() -> None:
    here, there = Counters(), Counters()
    name = (secrets.token_hex(8), "token", "somebody")
    now = time.time() // 60 * 60 + 1
    for number in range(5):
        here.count([name], now + number)
    assert there.count([name], now + 6) == [6]
    assert here.count([name], now + 7) == [7]

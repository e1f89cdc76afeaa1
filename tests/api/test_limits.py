"""Under a flood the limits hold to five in a hundred, say when to come again, and others notice nothing."""

import threading
from collections import Counter
from typing import Any

import httpx
import pytest

from api import limits
from tests.api.conftest import Person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
LIMIT, THREADS = 40, 4
PLENTY = 10**6


def _flood(send: Any, times: int) -> Counter[int]:
    """The same request from several threads at once."""
    statuses: list[httpx.Response] = []

    def run() -> None:
        with httpx.Client(timeout=120) as client:
            statuses.extend(send(client) for _ in range(times // THREADS))

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for answer in statuses:
        if answer.status_code == 429:
            assert answer.json()["code"] == "too-fast" and int(answer.headers["Retry-After"]) >= 1
    return Counter(answer.status_code for answer in statuses)


@pytest.mark.parametrize("kind", ["token", "seat", "address", "sign-in"])
def test_a_flood_is_cut_at_the_limit(
    rania: Person, sam: Person, duel: int, kind: str, live_server: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, PLENTY) | {kind: LIMIT}
    settings.BEHIND_PROXY = True  # so that a test can come from two addresses
    monkeypatch.setattr(limits, "WINDOW", 10**7)  # even a slow machine does not see the next window begin
    root = f"{live_server.url}/api/v1"

    def headers(who: Person, address: str = "192.0.2.1") -> dict[str, str]:
        return {"Authorization": f"Token {who.token}", "X-Forwarded-For": address}

    def send(client: httpx.Client) -> httpx.Response:
        if kind == "seat":
            return client.put(f"{root}/matches/{duel}/note", json={"text": "x"}, headers=headers(rania))
        if kind == "sign-in":
            given = {"username": "nobody", "password": "wrong"}
            return client.post(f"{root}/login", json=given, headers={"X-Forwarded-For": "192.0.2.1"})
        return client.get(f"{root}/me", headers=headers(rania))

    flood = _flood(send, 2 * LIMIT)
    passed = sum(count for status, count in flood.items() if status != 429)
    assert 0.95 * LIMIT <= passed <= 1.05 * LIMIT, flood
    with httpx.Client(timeout=120) as client:
        assert client.get(f"{root}/me", headers=headers(sam, "192.0.2.2")).status_code == 200
        said = client.put(f"{root}/matches/{duel}/note", json={"text": "y"}, headers=headers(sam, "192.0.2.2"))
        assert said.status_code == 200

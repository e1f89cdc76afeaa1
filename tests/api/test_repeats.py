"""The same request twice is one effect and one answer, also when both come at once."""

import json
import threading
import time
from collections import Counter
from typing import Any

import httpx
import pytest
from django.db import connection

from games.ledger import services
from games.ledger.models import Entry, Match, SavedAnswer
from games.ledger.verify import match_problem
from tests.api.conftest import Person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
WRITERS = 50


def test_the_same_key_and_body_give_the_same_bytes(rania: Person, duel: int) -> None:
    sent = {"orders": "mark 3"}
    first = rania.post(f"matches/{duel}/orders", sent, Idempotency_Key="k-1", If_Match='"0"')
    again = rania.post(f"matches/{duel}/orders", sent, Idempotency_Key="k-1", If_Match='"0"')
    assert first.status_code == again.status_code == 200
    assert first.content == again.content and first.headers["ETag"] == again.headers["ETag"] == '"1"'
    assert Entry.objects.filter(match=duel).count() == 2


def test_another_body_under_the_same_key_is_refused(rania: Person, duel: int) -> None:
    rania.post(f"matches/{duel}/orders", {"orders": "mark 3"}, Idempotency_Key="k-1")
    for path, data, headers in (
        ("orders", {"orders": "mark 4"}, {}),
        ("orders", {"orders": "mark 3"}, {"If_Match": '"1"'}),
        ("resign", {"orders": "mark 3"}, {}),
    ):
        refused = rania.post(f"matches/{duel}/{path}", data, Idempotency_Key="k-1", **headers)
        assert (refused.status_code, refused.json()["code"]) == (422, "idempotency-mismatch")
    assert Entry.objects.filter(match=duel).count() == 2


def test_a_refusal_is_repeated_too(rania: Person, duel: int) -> None:
    first = rania.post(f"matches/{duel}/orders", {"orders": [["mark", 12]]}, Idempotency_Key="k-1")
    rania.post(f"matches/{duel}/orders", {"orders": "mark 5"})
    again = rania.post(f"matches/{duel}/orders", {"orders": [["mark", 12]]}, Idempotency_Key="k-1")
    assert first.status_code == again.status_code == 409
    assert first.content == again.content
    assert again.headers["Content-Type"] == "application/problem+json"


def test_keys_belong_to_their_person(rania: Person, sam: Person) -> None:
    sent = {"ruleset": "card_assault"}
    one = rania.post("matches", sent, Idempotency_Key="same").json()["id"]
    two = sam.post("matches", sent, Idempotency_Key="same").json()["id"]
    again = rania.post("matches", sent, Idempotency_Key="same")
    assert one != two and again.json()["id"] == one and again.headers["Location"].endswith(f"/{one}")


def test_a_key_that_cannot_be_kept_is_refused(rania: Person, duel: int) -> None:
    for key in ("", "x" * 201, "with space", "umläut"):
        assert rania.post(f"matches/{duel}/orders", {"orders": "mark 3"}, Idempotency_Key=key).status_code == 400


def test_our_own_failure_does_not_use_the_key_up(rania: Person, duel: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**given: Any) -> Any:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(services, "orders_submit", broken)
        failed = rania.post(f"matches/{duel}/orders", {"orders": "mark 3"}, Idempotency_Key="k-1")
    assert (failed.status_code, failed.json()["code"]) == (500, "server-error")
    assert not SavedAnswer.objects.exists()
    assert rania.post(f"matches/{duel}/orders", {"orders": "mark 3"}, Idempotency_Key="k-1").status_code == 200


def test_an_effect_and_its_answer_are_kept_together(rania: Person, duel: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**given: Any) -> None:
        raise RuntimeError("killed before the answer was kept")

    monkeypatch.setattr(services, "answer_save", broken)
    assert rania.post(f"matches/{duel}/orders", {"orders": "mark 3"}, Idempotency_Key="k-1").status_code == 500
    assert Entry.objects.filter(match=duel).count() == 1, "no effect without its answer"


def _race(url: str, token: str, requests: list[tuple[dict[str, str], Any]]) -> list[httpx.Response]:
    """All requests from their own threads at the same moment."""
    start = threading.Barrier(len(requests))
    answers: list[httpx.Response] = []

    def send(headers: dict[str, str], data: Any) -> None:
        with httpx.Client(timeout=60, headers={"Authorization": f"Token {token}"}) as client:
            start.wait()
            answers.append(client.post(url, json=data, headers=headers))

    threads = [threading.Thread(target=send, args=request) for request in requests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_equal_requests_at_once_have_one_effect_and_equal_answers(rania: Person, duel: int, live_server: Any) -> None:
    url = f"{live_server.url}/api/v1/matches/{duel}/orders"
    for round_number in range(5):
        version = Match.objects.get(pk=duel).head_seq
        headers = {"Idempotency-Key": f"race-{round_number}", "If-Match": f'"{version}"'}
        answers = _race(url, rania.token, [(headers, {"orders": f"mark {round_number + 1}"})] * 8)
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1
        assert Match.objects.get(pk=duel).head_seq == version + 1


def test_fifty_writers_race_on_one_decision_and_one_wins(rania: Person, duel: int, live_server: Any) -> None:
    url = f"{live_server.url}/api/v1/matches/{duel}/orders"
    with_version = [({"If-Match": '"0"'}, {"orders": [["hold"]]})] * (WRITERS // 2)
    without: list[tuple[dict[str, str], Any]] = [({}, {"orders": "hold"})] * (WRITERS // 2)
    began = time.monotonic()
    answers = _race(url, rania.token, with_version + without)
    print(f"{WRITERS} writers on {connection.vendor}: {time.monotonic() - began:.2f} s")
    statuses = Counter(answer.status_code for answer in answers)
    assert statuses[200] == 1 and set(statuses) <= {200, 409, 412}, statuses
    for answer in answers:
        if answer.status_code != 200:
            problem = answer.json()
            assert problem["version"] == 1 and problem["code"] in ("stale", "not-your-decision")
    assert Entry.objects.filter(match=duel).count() == 2
    assert match_problem(Match.objects.get(pk=duel)) == ""


def test_repeated_sends_with_cut_connections_lose_and_double_nothing(
    rania: Person, sam: Person, live_server: Any
) -> None:
    """Each action is sent one to four times from several threads, some by clients that hang up at once."""
    match = services.match_create(user=rania.user, ruleset="duel", seat="north", options={"turns": 2000})
    services.match_join(user=sam.user, match_id=match.pk)
    intent = [["mark", 1 + number % 9] for number in range(40)]
    url = f"{live_server.url}/api/v1/matches/{match.pk}/orders"
    for number, action in enumerate(intent):
        headers = {"Idempotency-Key": f"send-{number}"}
        if number % 10 == 0:
            _send_and_hang_up(live_server.url, match.pk, rania.token, headers, {"orders": [action]})
        answers = _race(url, rania.token, [(headers, {"orders": [action]})] * (1 + number % 4))
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1
    played = list(Entry.objects.filter(match=match, seq__gt=0).order_by("seq").values_list("action", flat=True))
    assert played == intent


def _send_and_hang_up(root: str, match_id: int, token: str, headers: dict[str, str], data: Any) -> None:
    import socket
    from urllib.parse import urlsplit

    where = urlsplit(root)
    body = json.dumps(data, separators=(",", ":")).encode()
    head = [f"POST /api/v1/matches/{match_id}/orders HTTP/1.1", f"Host: {where.netloc}", "Connection: close"]
    head += [f"Authorization: Token {token}", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    head += [f"{name}: {value}" for name, value in headers.items()]
    with socket.create_connection((str(where.hostname), int(where.port or 80))) as wire:
        wire.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + body)

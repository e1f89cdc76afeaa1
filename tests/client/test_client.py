"""The Python client against a real server: refusals, lost answers, streams that heal."""

import json
import threading
from typing import Any

import httpx
import pytest

from fallujah_client import Client, Refused
from games.ledger.models import Match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
OPTIONS = {"max_reshuffles": 0}


def test_refusals_are_exceptions_with_their_code(client: Client) -> None:
    with pytest.raises(Refused) as caught:
        client.match(999)
    assert (caught.value.code, caught.value.status) == ("not-found", 404)
    match = client.open("card_assault", options=OPTIONS)
    with pytest.raises(Refused) as caught:
        client.orders(match.id, [["frobnicate"]])
    assert caught.value.code == "illegal-action" and caught.value.nearest and caught.value.version == 0


def test_a_lost_answer_is_asked_for_again_and_counts_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    match = client.open("card_assault", options=OPTIONS)
    action = client.decision(match.id).actions[0].action
    send = client._http.request
    lost: list[httpx.Response] = []

    def losing(*args: Any, **options: Any) -> httpx.Response:
        answer = send(*args, **options)
        if len(lost) < 2:
            lost.append(answer)
            raise httpx.ReadError("the line went dead")
        return answer

    monkeypatch.setattr(client._http, "request", losing)
    monkeypatch.setattr("fallujah_client.line.time.sleep", lambda seconds: None)
    result = client.orders(match.id, [action], version=0)
    assert len(lost) == 2 and result.entries == [1]
    assert lost[0].content == lost[1].content
    assert Match.objects.get(pk=match.id).head_seq == result.version


def test_the_stream_comes_back_after_cuts(client: Client, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every third line breaks the connection, some of them in the middle."""
    match = client.open("card_assault", options=OPTIONS)
    got: list[str] = []
    honest = httpx.Response.iter_lines

    def breaking(self: httpx.Response) -> Any:
        for number, line in enumerate(honest(self)):
            if number % 3 == 2:
                yield line[: len(line) // 2]
                raise httpx.ReadError("cut")
            yield line

    monkeypatch.setattr(httpx.Response, "iter_lines", breaking)
    monkeypatch.setattr("fallujah_client.line.time.sleep", lambda seconds: None)

    def listen() -> None:
        got.extend(event.id for event in client.stream(match.id) if event.event == "entry")

    listener = threading.Thread(target=listen)
    listener.start()
    second = Client(server, client.token)
    for _ in range(5):
        decision = second.decision(match.id)
        second.orders(match.id, [decision.actions[-1].action], version=decision.version)
    second.resign(match.id)
    listener.join(timeout=60)
    last = second.match(match.id).version
    assert got == [str(number) for number in range(last + 1)]
    assert json.loads(second.export(match.id).splitlines()[-1])["seed"]
    second.close()


def test_all_ones_matches_are_told_in_one_stream(client: Client) -> None:
    match = client.open("card_assault", options=OPTIONS)
    events = client.stream_all()
    first = next(events)
    assert (first.event, first.data["match"], first.data["asked"]) == ("match", match.id, True)
    client.resign(match.id)
    assert next(events).data["status"] == "over"
    events.close()  # type: ignore[attr-defined]

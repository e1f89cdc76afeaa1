"""Streams miss nothing and repeat nothing, however often they are cut."""

import itertools
import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from django.db import connections
from django.test import Client

from api.models import Token
from games.ledger import services, talk
from tests.api.conftest import Person
from tests.api.stream_reader import Reader

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def _client(person: Person) -> httpx.Client:
    return httpx.Client(headers={"Authorization": f"Token {person.token}"}, timeout=20)


def _events(response: httpx.Response) -> Iterator[tuple[str, str, Any]]:
    """Server-sent events as (name, id, data)."""
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        if not line:
            if "data" in fields:
                yield fields["event"], fields.get("id", ""), json.loads(fields["data"])
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value


def _mark(match_id: int, count: int) -> None:
    for number in range(count):
        services.orders_submit(match_id=match_id, seat="north", orders=[["mark", 1 + number % 9]])
    connections.close_all()


def test_entries_come_as_they_are_made_and_end_with_the_match(rania: Person, duel: int, stream_server: str) -> None:
    def play() -> None:
        _mark(duel, 3)
        services.seat_resign(match_id=duel, seat="south")
        connections.close_all()

    writer = threading.Thread(target=play)
    with _client(rania) as client, client.stream("GET", f"{stream_server}/matches/{duel}/stream") as response:
        assert response.headers["Content-Type"] == "text/event-stream"
        writer.start()
        got = list(_events(response))
    writer.join()
    told = [(name, ident) for name, ident, _ in got if name != "decision"]
    assert told == [("entry", str(n)) for n in range(5)] + [("end", "4")]
    first = next(data for name, ident, data in got if ident == "1")
    assert first["action"] == ["mark", 1] and first["news"] == ["marked north 1."]
    with _client(rania) as client:
        over = client.get(f"{stream_server}/matches/{duel}/stream", headers={"Last-Event-ID": "4"})
    assert over.status_code == 204, "whoever has everything is told not to come again"


def test_json_lines_say_the_same(rania: Person, duel: int, stream_server: str) -> None:
    services.seat_resign(match_id=duel, seat="south")
    with _client(rania) as client:
        text = client.get(f"{stream_server}/matches/{duel}/stream", params={"form": "ndjson"}).text
    rows = [json.loads(line) for line in text.splitlines() if line]
    assert [(row["event"], row["id"]) for row in rows] == [("entry", "0"), ("entry", "1"), ("end", "1")]


def test_all_ones_matches_in_one_stream(rania: Person, sam: Person, duel: int, stream_server: str) -> None:
    with _client(sam) as client:
        with client.stream("GET", f"{stream_server}/stream") as response:
            events = _events(response)
            first = next(events)
            assert first[2]["match"] == duel and not first[2]["asked"]
            services.orders_submit(match_id=duel, seat="north", orders="hold")
            second = next(events)
            assert second[2]["asked"] and second[2]["version"] == 1
        services.orders_submit(match_id=duel, seat="south", orders="hold")
        with client.stream("GET", f"{stream_server}/stream", headers={"Last-Event-ID": second[1]}) as response:
            third = next(_events(response))
            assert (third[2]["version"], third[2]["asked"]) == (2, False), "taken up where it was cut"
    assert "card" not in str(third)


def test_a_quiet_stream_has_a_heartbeat(rania: Person, duel: int, stream_server: str, settings: Any) -> None:
    settings.STREAM_HEARTBEAT_SECONDS = 0.05
    with _client(rania) as client, client.stream("GET", f"{stream_server}/matches/{duel}/stream") as response:
        for line in response.iter_lines():
            if line.startswith(":"):
                break


def test_a_stream_shows_a_seat_only_its_own(
    rania: Person, sam: Person, vera: Person, duel: int, stream_server: str
) -> None:
    services.orders_submit(match_id=duel, seat="north", orders="hold")

    def news() -> list[int]:
        """How much each of them reads about the first answer."""
        found = []
        for person in (rania, sam, vera):
            with _client(person) as client, client.stream("GET", f"{stream_server}/matches/{duel}/stream") as response:
                entries = (data for name, _, data in _events(response) if name == "entry")
                found.append([len(data["news"]) for data in itertools.islice(entries, 2)][1])
        return found

    assert news() == [2, 1, 1]
    with _client(rania) as client:
        refused = client.get(f"{stream_server}/matches/{duel}/stream", params={"seat": "south"})
    assert (refused.status_code, refused.json()["code"]) == (403, "not-your-seat")
    services.seat_resign(match_id=duel, seat="south")
    assert news() == [2, 2, 2], "after the end nothing is hidden"


def test_a_withdrawn_token_ends_its_stream(rania: Person, duel: int, stream_server: str) -> None:
    with _client(rania) as client, client.stream("GET", f"{stream_server}/matches/{duel}/stream") as response:
        events = _events(response)
        assert [next(events)[0], next(events)[0]] == ["entry", "decision"]
        Token.objects.all().delete()
        services.orders_submit(match_id=duel, seat="north", orders="mark 1")
        assert [name for name, _, _ in events] == ["end"]


def test_a_seat_is_told_when_it_is_asked_and_again_after_a_cut(rania: Person, duel: int, stream_server: str) -> None:
    """A bot waits for `decision`: of the present, so without an id, and never about another seat's question."""
    token = Person(rania.user, scope="play", match=duel, seat="north").token
    url = f"{stream_server}/matches/{duel}/stream"
    for last in ("", "0"):
        reader = Reader(url, token, last)
        while not (told := [event for event in reader.events() if event[0] == "decision"]):
            reader.read(4096)
        data = {"match": duel, "seat": "north", "version": 0, "url": f"/api/v1/matches/{duel}/decision"}
        assert told == [("decision", "", data)], "also for one who comes again with everything"
        reader.close()
    reader = Reader(url, token, "0")
    services.orders_submit(match_id=duel, seat="north", orders="mark 3; hold")
    services.orders_submit(match_id=duel, seat="south", orders="hold")
    while reader.entries() != [1, 2, 3]:
        reader.read(4096)
    while (asked := [event[2]["version"] for event in reader.events() if event[0] == "decision"])[-1:] != [3]:
        reader.read(4096)
    reader.close()
    assert 2 not in asked, "at 2 south was asked"
    watching = Reader(f"{url}?seat=spectator", rania.token)
    while watching.entries()[-1:] != [3]:
        watching.read(4096)
    assert not [event for event in watching.events() if event[0] == "decision"]
    watching.close()


def test_players_hear_what_is_said_and_others_do_not(
    rania: Person, sam: Person, vera: Person, duel: int, stream_server: str
) -> None:
    """Messages have numbers of their own: with the last one a stream goes on after it."""
    url = f"{stream_server}/matches/{duel}/stream"
    talk.say(match_id=duel, seat="south", text="before")
    hearing, watching = Reader(url, rania.token), Reader(url, vera.token)
    while not hearing.entries() or not watching.entries():
        hearing.read(4096)
        watching.read(4096)
    talk.say(match_id=duel, seat="south", text="Good luck!")
    while not (heard := [data for name, _, data in hearing.events() if name == "message"]):
        hearing.read(4096)
    assert [(data["seat"], data["player"], data["text"]) for data in heard] == [("south", "sam", "Good luck!")]
    again = Reader(f"{url}?talk={heard[0]['number'] - 1}", rania.token, "0")
    while not [name for name, _, _ in again.events() if name == "message"]:
        again.read(4096)
    services.seat_resign(match_id=duel, seat="south")
    for reader in (hearing, again, watching):
        while reader.read(4096):
            pass
        reader.close()
    assert [[data["text"] for name, _, data in one.events() if name == "message"] for one in (hearing, again)] == [
        ["Good luck!"], ["Good luck!"],
    ]  # fmt: skip
    assert "Good luck" not in watching.body().decode()


def test_a_commit_of_this_process_rings_at_once(rania: Person, duel: int, stream_server: str, settings: Any) -> None:
    """No look is needed: it would come in ten minutes."""
    settings.STREAM_POLL_SECONDS = settings.STREAM_LOOK_SECONDS = 600
    reader = Reader(f"{stream_server}/matches/{duel}/stream", rania.token)
    everything = Reader(f"{stream_server}/stream", rania.token)
    while not reader.entries() or not everything.events():
        reader.read(4096)
        everything.read(4096)
    services.orders_submit(match_id=duel, seat="north", orders="mark 1")
    while reader.entries() != [0, 1]:
        reader.read(4096)
    while everything.events()[-1][2]["version"] != 1:
        everything.read(4096)
    reader.close()
    everything.close()


def test_a_look_finds_what_nobody_rang_for(
    rania: Person, duel: int, stream_server: str, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.STREAM_LOOK_SECONDS = 0.05
    monkeypatch.setattr("games.ledger.bell.ring", lambda match_id: None)
    reader = Reader(f"{stream_server}/matches/{duel}/stream", rania.token)
    services.orders_submit(match_id=duel, seat="north", orders="mark 1")
    while reader.entries() != [0, 1]:
        reader.read(4096)
    reader.close()


def test_a_server_without_async_gives_what_there_is(rania: Person, duel: int) -> None:
    answer = rania.get(f"matches/{duel}/stream")
    assert answer.status_code == 200 and b"event: entry" in answer.content
    later = rania.get(f"matches/{duel}/stream", Last_Event_ID="0")
    assert b"event: entry" not in later.content


@pytest.mark.parametrize("last", ["x", "-1", "1e5", "99999999999", "é"])
def test_a_last_event_that_never_was_is_refused(rania: Person, duel: int, last: str) -> None:
    assert rania.get(f"matches/{duel}/stream", Last_Event_ID=last).status_code == 400
    assert rania.get("stream", Last_Event_ID=last).status_code == 400
    assert Client().get(f"/api/v1/matches/{duel}/stream").status_code == 401

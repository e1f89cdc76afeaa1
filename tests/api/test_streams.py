"""Streams miss nothing and repeat nothing, however often they are cut."""

import json
import os
import random
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import uvicorn
from django.db import connections
from django.test import Client

from api.models import Token
from games.ledger import services
from tests.api.conftest import Person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
CUTS = int(os.environ.get("FALLUJAH_CUTS", "120"))  # 1000 in the long run


@pytest.fixture
def server(settings: Any) -> Iterator[str]:
    """The real application on uvicorn, in a thread of this process."""
    from fallujah_server.asgi import application

    settings.STREAM_POLL_SECONDS = 0.02
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 1_000_000)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = uvicorn.Config(application, host="127.0.0.1", port=port, log_level="error", lifespan="off")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run)
    thread.start()
    while not running.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{port}/api/v1"
    running.should_exit = running.force_exit = True
    thread.join()
    connections.close_all()


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


def test_entries_come_as_they_are_made_and_end_with_the_match(rania: Person, duel: int, server: str) -> None:
    def play() -> None:
        _mark(duel, 3)
        services.seat_resign(match_id=duel, seat="south")
        connections.close_all()

    writer = threading.Thread(target=play)
    with _client(rania) as client, client.stream("GET", f"{server}/matches/{duel}/stream") as response:
        assert response.headers["Content-Type"] == "text/event-stream"
        writer.start()
        got = list(_events(response))
    writer.join()
    assert [(name, ident) for name, ident, _ in got] == [("entry", str(n)) for n in range(5)] + [("end", "4")]
    assert got[1][2]["action"] == ["mark", 1] and got[1][2]["news"] == ["marked north 1."]
    with _client(rania) as client:
        over = client.get(f"{server}/matches/{duel}/stream", headers={"Last-Event-ID": "4"})
    assert over.status_code == 204, "whoever has everything is told not to come again"


def test_however_often_it_is_cut_nothing_is_missed_or_repeated(rania: Person, sam: Person, server: str) -> None:
    match = services.match_create(user=rania.user, ruleset="duel", seat="north", options={"turns": 2000})
    services.match_join(user=sam.user, match_id=match.pk)
    rng = random.Random(3)
    seen: list[int] = []
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            services.orders_submit(match_id=match.pk, seat="north", orders=[["mark", 1 + number % 9]])
            number += 1
            time.sleep(0.03)
        services.seat_resign(match_id=match.pk, seat="south")
        connections.close_all()

    writer = threading.Thread(target=write)
    writer.start()
    cuts = 0
    try:
        with _client(sam) as client:
            while cuts < CUTS:
                seen += _some(client, f"{server}/matches/{match.pk}/stream", seen, rng.randrange(0, 3))
                cuts += 1
    finally:
        stop.set()
        writer.join()
    with _client(sam) as client:
        seen += _some(client, f"{server}/matches/{match.pk}/stream", seen, 10**6)
    last = seen[-1]
    assert seen == list(range(last + 1)) and last > CUTS // 10, (len(seen), last)


def _some(client: httpx.Client, url: str, seen: list[int], most: int) -> list[int]:
    """A few entries after the last one seen; then the connection is cut, perhaps before any came."""
    headers = {"Last-Event-ID": str(seen[-1])} if seen else {}
    got: list[int] = []
    with client.stream("GET", url, headers=headers) as response:
        for name, ident, _ in _events(response) if most else ():
            if name == "entry":
                got.append(int(ident))
            if len(got) >= most:
                break
    return got


def test_json_lines_say_the_same(rania: Person, duel: int, server: str) -> None:
    services.seat_resign(match_id=duel, seat="south")
    with _client(rania) as client:
        text = client.get(f"{server}/matches/{duel}/stream", params={"form": "ndjson"}).text
    rows = [json.loads(line) for line in text.splitlines() if line]
    assert [(row["event"], row["id"]) for row in rows] == [("entry", "0"), ("entry", "1"), ("end", "1")]


def test_all_ones_matches_in_one_stream(rania: Person, sam: Person, duel: int, server: str) -> None:
    with _client(sam) as client:
        with client.stream("GET", f"{server}/stream") as response:
            events = _events(response)
            first = next(events)
            assert first[2]["match"] == duel and not first[2]["asked"]
            services.orders_submit(match_id=duel, seat="north", orders="hold")
            second = next(events)
            assert second[2]["asked"] and second[2]["version"] == 1
        services.orders_submit(match_id=duel, seat="south", orders="hold")
        with client.stream("GET", f"{server}/stream", headers={"Last-Event-ID": second[1]}) as response:
            third = next(_events(response))
            assert (third[2]["version"], third[2]["asked"]) == (2, False), "taken up where it was cut"
    assert "card" not in str(third)


def test_a_quiet_stream_has_a_heartbeat(rania: Person, duel: int, server: str, settings: Any) -> None:
    settings.STREAM_HEARTBEAT_SECONDS = 0.05
    with _client(rania) as client, client.stream("GET", f"{server}/matches/{duel}/stream") as response:
        for line in response.iter_lines():
            if line.startswith(":"):
                break


def test_a_stream_shows_a_seat_only_its_own(rania: Person, sam: Person, vera: Person, duel: int, server: str) -> None:
    services.orders_submit(match_id=duel, seat="north", orders="hold")
    services.seat_resign(match_id=duel, seat="south")
    news = []
    for person in (rania, sam, vera):
        with _client(person) as client, client.stream("GET", f"{server}/matches/{duel}/stream") as response:
            news.append([len(data["news"]) for name, _, data in _events(response) if name == "entry"][1])
    assert news == [2, 1, 1]
    with _client(rania) as client:
        refused = client.get(f"{server}/matches/{duel}/stream", params={"seat": "south"})
    assert (refused.status_code, refused.json()["code"]) == (403, "not-your-seat")


def test_a_withdrawn_token_ends_its_stream(rania: Person, duel: int, server: str) -> None:
    with _client(rania) as client, client.stream("GET", f"{server}/matches/{duel}/stream") as response:
        events = _events(response)
        next(events)
        Token.objects.all().delete()
        services.orders_submit(match_id=duel, seat="north", orders="mark 1")
        assert [name for name, _, _ in events] == ["end"]


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

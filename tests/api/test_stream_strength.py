"""Streams under strain: cut anywhere a thousand times, read slowly, idle by the hundred."""

import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.db import connections
from django.db.backends.signals import connection_created

from api import hub
from api.models import Token
from api.views import streams
from api.wire import encode
from games.ledger import services
from tests.api.conftest import Person
from tests.api.stream_reader import Reader
from tests.live import wait_until, web_server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
CUTS = int(os.environ.get("FALLUJAH_CUTS", "100"))  # 1000 in the long run
IDLE = int(os.environ.get("FALLUJAH_IDLE", "100"))  # 500 in the long run
MOST_KB_A_STREAM = 200


@pytest.fixture
def long_match(rania: Person, sam: Person) -> int:
    match = services.match_create(user=rania.user, ruleset="duel", seat="north", options={"turns": 2000})
    services.match_join(user=sam.user, match_id=match.pk)
    return int(match.pk)


@contextmanager
def writing(match_id: int, pause: float) -> Iterator[threading.Event]:
    """Somebody plays all the while; at the end they give up, so that the stream ends."""
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            services.orders_submit(match_id=match_id, seat="north", orders=[["mark", 1 + number % 9]])
            number += 1
            time.sleep(pause)
        services.seat_resign(match_id=match_id, seat="south")
        connections.close_all()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield stop
    finally:
        stop.set()
        writer.join()


def test_cut_at_any_byte_nothing_is_missed_or_repeated(
    rania: Person, sam: Person, long_match: int, stream_server: str
) -> None:
    """The client keeps whole events only and comes again after the last of them."""
    rng, inside = random.Random(7), 0
    seen: list[int] = []
    url = f"{stream_server}/matches/{long_match}/stream"
    with writing(long_match, 0.02):
        for _ in range(CUTS):
            reader = Reader(url, sam.token, str(seen[-1]) if seen else "")
            left = rng.choice((0, rng.randrange(1, 400), rng.randrange(400, 2500)))
            while left > 0 and (got := reader.read(min(left, rng.randrange(1, 90)))):
                left -= got
            inside += not reader.body().endswith(b"\n\n") and bool(reader.body())
            seen += reader.entries()
            reader.close()
    reader = Reader(url, sam.token, str(seen[-1]) if seen else "")
    while reader.read(65_536):
        pass
    seen += reader.entries()
    assert wait_until(lambda: not any(one.bells for _, one in hub._hubs.values())), "no listener is left behind"
    print(f"{CUTS} cuts, {inside} of them inside an event, {len(seen)} entries")
    assert seen == list(range(len(seen))) and len(seen) > CUTS // 10
    assert inside > CUTS // 10, "cuts in the middle of events are among them"
    assert reader.events()[-1][0] == "end"


def test_a_reader_who_does_not_read_makes_the_server_wait(
    rania: Person, long_match: int, stream_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not read is not fetched either: the server's memory does not grow with the match."""
    monkeypatch.setattr(streams, "BATCH", 20)
    fetched: list[int] = []
    honest = streams._page

    def page(*key: Any) -> Any:
        found = honest(*key)
        fetched.append(found.last if found else -1)
        return found

    monkeypatch.setattr(streams, "_page", page)
    monkeypatch.setattr(streams, "encode", lambda value: encode({**value, "filling": "x" * 20_000}))
    for number in range(400):
        services.orders_submit(match_id=long_match, seat="north", orders=[["mark", 1 + number % 9]])
    services.seat_resign(match_id=long_match, seat="south")
    reader = Reader(f"{stream_server}/matches/{long_match}/stream", rania.token, buffer=4096)
    still = 0
    while still < 20:  # until nothing more is fetched
        before = len(fetched)
        time.sleep(0.05)
        still = still + 1 if len(fetched) == before and before else 0
    assert fetched[-1] < 380, "the server has stopped in the middle"
    while reader.read(1 << 20):
        pass
    assert reader.entries() == list(range(402))


@contextmanager
def counted_queries() -> Iterator[list[str]]:
    """All statements of all threads, also on connections made later."""
    seen: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if threading.current_thread().name.startswith("streams"):
            seen.append(sql)
        return execute(sql, params, many, context)

    def made(connection: Any, **options: Any) -> None:
        if note not in connection.execute_wrappers:
            connection.execute_wrappers.append(note)

    connection_created.connect(made)
    yield seen
    connection_created.disconnect(made)


def _settled(seen: list[str]) -> None:
    """Streams that have just begun look a second time; wait until they are idle, then count from nothing."""
    quiet = 0
    while quiet < 5:
        before = len([sql for sql in seen if "ledger_entry" in sql])
        time.sleep(0.2)
        quiet = quiet + 1 if len([sql for sql in seen if "ledger_entry" in sql]) == before else 0
    seen.clear()


def test_idle_streams_cost_one_look_for_all(
    rania: Person, long_match: int, stream_server: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.STREAM_LOOK_SECONDS = settings.STREAM_POLL_SECONDS = 0.05
    looks: list[int] = []
    honest = hub._heads

    def heads(keys: Any) -> Any:
        looks.append(len(keys))
        return honest(keys)

    monkeypatch.setattr(hub, "_heads", heads)
    readers = [Reader(f"{stream_server}/matches/{long_match}/stream", rania.token) for _ in range(100)]
    for reader in readers:
        while not reader.entries():
            reader.read(4096)
    with counted_queries() as seen:
        _settled(seen)
        start = len(looks)
        assert wait_until(lambda: len(looks) >= start + 10)
        statements = [sql for sql in seen if sql.startswith("SELECT") and "ledger_match" in sql]
        done = len(looks) - start
    for reader in readers:
        reader.close()
    assert set(looks[start:]) == {1}, "one match, however many streams"
    assert 0 < len(statements) <= done + 1, (len(statements), done)


def test_a_heartbeat_checks_all_listeners_at_once(
    rania: Person, long_match: int, stream_server: str, settings: Any
) -> None:
    """A withdrawn token is noticed by its idle streams too; a hundred of them cost a query or two."""
    settings.STREAM_HEARTBEAT_SECONDS = 2
    readers = [Reader(f"{stream_server}/matches/{long_match}/stream", rania.token) for _ in range(100)]
    for reader in readers:
        while not reader.entries():
            reader.read(4096)
    with counted_queries() as seen:
        _settled(seen)
        assert wait_until(lambda: any("api_token" in sql for sql in seen))
        time.sleep(0.5)
        checks = [sql for sql in seen if "api_token" in sql]
    assert 0 < len(checks) < 50, len(checks)
    Token.objects.all().delete()
    for reader in readers:
        while reader.read(4096):
            pass
        assert reader.events()[-1][0] == "end"
        reader.close()


def test_many_streams_of_one_match_are_answered_by_one_fetch(
    rania: Person, long_match: int, stream_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers = [Reader(f"{stream_server}/matches/{long_match}/stream", rania.token) for _ in range(60)]
    for reader in readers:
        while not reader.entries():
            reader.read(4096)
    fetched: list[Any] = []
    honest = streams._page

    def page(*key: Any) -> Any:
        fetched.append(key)
        return honest(*key)

    monkeypatch.setattr(streams, "_page", page)
    services.orders_submit(match_id=long_match, seat="north", orders=[["mark", 1]])
    for reader in readers:
        while reader.entries() != [0, 1]:
            reader.read(4096)
        reader.close()
    assert len(fetched) <= 15, "not one for each of sixty"


def test_idle_streams_are_small(rania: Person, sam: Person, long_match: int, tmp_path: Path) -> None:
    """Memory of a real server process, before and after; the matches are looked at from both seats and outside."""
    with web_server(tmp_path) as (root, pid):
        url = f"{root}/api/v1/matches/{long_match}/stream"
        warm = [_opened(url, rania.token) for _ in range(20)]
        server = psutil.Process(pid)
        before = server.memory_info().rss
        readers = [_opened(url, (rania, sam)[number % 2].token) for number in range(IDLE)]
        after = server.memory_info().rss
        for reader in warm + readers:
            reader.close()
    each = (after - before) / IDLE / 1000
    print(f"{IDLE} idle streams: {each:.0f} kB each")
    assert each < MOST_KB_A_STREAM


def _opened(url: str, token: str) -> Reader:
    reader = Reader(url, token)
    while not reader.entries():
        reader.read(4096)
    return reader

"""People, matches and requests for the tests of the REST door."""

import secrets
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from django.core.servers.basehttp import WSGIServer
from django.db import connections
from django.test import Client

from api.tokens import token_make
from games import catalogue
from games.ledger import services
from tests.api.duel_game import RULES
from tests.live import free_port

JSON = "application/json"
WSGIServer.request_queue_size = 128  # fifty clients connect in the same moment


class Person:
    """A signed-in person with a client of their own."""

    def __init__(self, user: Any, **token: Any) -> None:
        self.user = user
        self.token = token_make(user=user, **token)[1]
        self.client = Client(raise_request_exception=False)

    def send(self, method: str, path: str, data: Any = None, **headers: str) -> Any:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        named["Authorization"] = f"Token {self.token}"
        call = getattr(self.client, method)
        where = f"/api/v1/{path}"
        if method == "get":
            return call(where, data or {}, headers=named)
        return call(where, data if data is not None else {}, content_type=JSON, headers=named)

    def get(self, path: str, data: Any = None, **headers: str) -> Any:
        return self.send("get", path, data, **headers)

    def post(self, path: str, data: Any = None, **headers: str) -> Any:
        return self.send("post", path, data, **headers)

    def put(self, path: str, data: Any = None, **headers: str) -> Any:
        return self.send("put", path, data, **headers)

    def patch(self, path: str, data: Any = None, **headers: str) -> Any:
        return self.send("patch", path, data, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.send("delete", path, **headers)


@pytest.fixture(autouse=True)
def _fresh_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counters of this test alone: the ones in Redis are shared by all test processes."""
    monkeypatch.setattr("api.limits.PREFIX", secrets.token_hex(8))


@pytest.fixture(autouse=True)
def _duel_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalogue._PACKAGES, "duel", "tests.api.duel_game")
    monkeypatch.setitem(catalogue._LOADED, "duel", RULES)


@pytest.fixture
def rania(make_user: Any) -> Person:
    return Person(make_user("rania"))


@pytest.fixture
def sam(make_user: Any) -> Person:
    return Person(make_user("sam"))


@pytest.fixture
def vera(make_user: Any) -> Person:
    """Somebody who has no seat."""
    return Person(make_user("vera"))


@pytest.fixture
def solo(rania: Person) -> int:
    """A match of card_assault that Rania plays alone."""
    return int(services.match_create(user=rania.user, ruleset="card_assault").pk)


@pytest.fixture
def duel(rania: Person, sam: Person) -> int:
    """A match of two: Rania is north and asked first, Sam is south."""
    match = services.match_create(user=rania.user, ruleset="duel", seat="north")
    services.match_join(user=sam.user, match_id=match.pk)
    return int(match.pk)


@pytest.fixture
def stream_server(settings: Any) -> Iterator[str]:
    """The real application on uvicorn, in a thread of this process."""
    from fallujah_server.asgi import application

    settings.STREAM_POLL_SECONDS = 0.02
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 1_000_000)
    port = free_port()
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

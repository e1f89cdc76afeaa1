"""A real server in a process of its own, and people who can sign in to it."""

from collections.abc import Iterator
from typing import Any

import pytest

from fallujah_client import Client
from tests.live import web_server

PASSWORD = "a good pass phrase"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[str]:
    with web_server(tmp_path_factory.mktemp("server")) as (root, _):
        yield root


@pytest.fixture
def client(server: str, make_user: Any) -> Iterator[Client]:
    make_user("rania")
    made = Client(server)
    made.login("rania", PASSWORD)
    yield made
    made.close()

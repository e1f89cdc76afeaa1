"""People in front of pages."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from games.ledger import services
from games.ledger.models import Match
from tests import toy


@pytest.fixture(autouse=True)
def _toy(db: Any) -> Iterator[None]:
    toy.install()
    yield
    toy.remove()


@pytest.fixture
def tom(make_user: Any) -> Any:
    return make_user("tom")


@pytest.fixture
def rania(make_user: Any) -> Any:
    return make_user("rania")


@pytest.fixture
def duel(tom: Any, rania: Any) -> Match:
    match = services.match_create(user=tom, ruleset="toy", seat="north")
    return services.match_join(user=rania, match_id=match.pk)


@pytest.fixture
def browser() -> Any:
    """A browser with somebody signed in; forms need their token as in life."""

    def open_browser(user: Any = None, **how: Any) -> Client:
        client = Client(**how)
        if user is not None:
            client.force_login(user)
        return client

    return open_browser

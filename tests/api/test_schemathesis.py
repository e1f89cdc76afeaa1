"""Schemathesis as each role: every operation, all checks, links followed; no failure and no 5xx.

A few examples for each operation here; `make soak` (FALLUJAH_PROVE=50) takes fifty, with the coverage phase.
"""

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import connections
from django.test import Client

from api.models import Token
from games.ledger import services
from games.ledger.invitations import invite
from tests.api.conftest import Person
from tests.api.proving import prove

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
EXAMPLES = int(os.environ.get("FALLUJAH_PROVE", "1"))
CSRF = "c" * 32
ROLES = ["nobody", "read", "play", "admin", "seat", "session"]


class Revived:
    """A credential that comes back after the run has signed out with it or withdrawn it."""

    def __init__(self, person: Person, role: str, match_id: int) -> None:
        self.user = person.user
        self.headers: dict[str, str] = {}
        self.session: Any = None
        if role == "session":
            engine = import_module(django_settings.SESSION_ENGINE)
            self.session = engine.SessionStore()
            self.session.create()
            self.key = str(self.session.session_key)
            self._sign_in()
        elif role != "nobody":
            bound = {"match": match_id, "seat": "north"} if role == "seat" else {}
            holder = Person(person.user, scope="play" if role == "seat" else role, **bound)
            self.headers = {"Authorization": f"Token {holder.token}"}
        self.tokens = list(Token.objects.all())
        self.password = person.user.password

    def _sign_in(self) -> None:
        self.session.update(
            {
                SESSION_KEY: str(self.user.pk),
                BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
                HASH_SESSION_KEY: self.user.get_session_auth_hash(),
            }
        )
        self.session._session_key = self.key
        self.session.save(must_create=not self.session.exists(self.key))

    def hooks(self) -> dict[str, Callable[..., None]]:
        def before_call(context: Any, case: Any, kwargs: Any) -> None:
            if self.session is not None:
                case.headers = {**(case.headers or {}), "X-CSRFToken": CSRF}
                case.cookies = {"sessionid": self.key, "csrftoken": CSRF}

        def after_call(context: Any, case: Any, response: Any) -> None:
            if case.operation.label.split()[0] in ("DELETE", "POST") and response.status_code == 204:
                type(self.user).objects.filter(pk=self.user.pk).update(password=self.password)
                for row in self.tokens:
                    if not Token.objects.filter(pk=row.pk).exists():
                        row.save(force_insert=True)
                if self.session is not None:
                    self._sign_in()
            connections.close_all()

        return {"before_call": before_call, "after_call": after_call}


@pytest.mark.parametrize("role", ROLES)
def test_every_operation_keeps_the_schema(
    rania: Person, sam: Person, duel: int, role: str, live_server: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 10**9)
    monkeypatch.setattr(services, "MOST_OPEN", 10**6)
    waiting = services.match_create(user=sam.user, ruleset="duel", seat="north").pk
    invite(user=sam.user, match_id=waiting, username="rania")
    services.orders_submit(match_id=duel, seat="north", orders="mark 1")
    credential = Revived(rania, role, duel)
    full = EXAMPLES >= 10
    report = prove(
        live_server.url,
        headers=credential.headers,
        examples=EXAMPLES,
        coverage=full,
        hooks=credential.hooks(),
        without=["ignored_auth"] if role == "session" else [],  # the hook signs every request, also that check's
    )
    print(f"{role}: {report}")
    assert report.errors == []
    assert report.failures == {}, "\n".join(f"{name}\n    {sample}" for name, sample in report.failures.items())
    assert not any(status >= 500 for status in report.statuses)
    told = {
        f"{method.upper()} {path}"
        for path, methods in Client().get("/api/schema/").json()["paths"].items()
        for method in methods
    }
    assert report.reached == told, "every operation is reached"
    if full and role in ("admin", "session"):
        assert len(told - report.accepted) <= 3, f"hardly ever accepted: {sorted(told - report.accepted)}"

"""A match of two people over the toy game, and a real mail host on loopback."""

import asyncio
import email
import email.policy
import socket
from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from games.ledger import services
from games.ledger.models import Match
from tests import toy


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    toy.install()
    yield
    toy.remove()


class Sink:
    """Takes mails, or answers what a test tells it to."""

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        self._read: list[EmailMessage] = []
        self.answers: list[str] = []
        self.rcpt_answers: list[str] = []

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: Any) -> str:
        if self.rcpt_answers:
            return self.rcpt_answers.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        answer = self.answers.pop(0) if self.answers else "250 taken"
        if answer == "slow":
            await asyncio.sleep(0.4)
            answer = "250 taken"
        if answer.startswith("250"):
            content = envelope.content or b""
            self.raw.append(content.encode() if isinstance(content, str) else content)
        return answer

    @property
    def mails(self) -> list[EmailMessage]:
        for raw in self.raw[len(self._read) :]:
            self._read.append(email.message_from_bytes(raw, policy=email.policy.default))  # type: ignore[arg-type]
        return list(self._read)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def sink(settings: Any) -> Iterator[Sink]:
    handler = Sink()
    port = free_port()
    host = Controller(handler, hostname="127.0.0.1", port=port)
    host.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_PORT = port
    settings.EMAIL_TIMEOUT = 5
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.EMAIL_USE_SSL = settings.EMAIL_USE_TLS = False
    yield handler
    host.stop()


@pytest.fixture
def tom(make_user: Any) -> Any:
    return make_user("tom")


@pytest.fixture
def rania(make_user: Any) -> Any:
    return make_user("rania")


@pytest.fixture
def duel(tom: Any, rania: Any) -> Match:
    """Tom in the north is asked first; Rania is in the south."""
    match = services.match_create(user=tom, ruleset="toy", seat="north")
    return services.match_join(user=rania, match_id=match.pk)

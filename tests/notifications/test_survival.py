"""Mail that arrives while everything is being killed: no order lost, none played twice, each acknowledged.

Receiver and workers are real processes; the senders behave like mail hosts and try again after 4xx or a cut.
"""

import asyncio
import os
import random
import re
import smtplib
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.notifications.conftest import Sink, free_port
from tests.notifications.helpers import text_of
from tests.notifications.post import letter
from tests.notifications.survival import World

pytestmark = [pytest.mark.services, pytest.mark.slow]
PLAYERS = int(os.environ.get("FALLUJAH_SURVIVAL", "5"))
PATIENCE = 500  # seconds until it is called lost


class FlakySink(Sink):
    """A mail host that defers, and that sometimes drops the line after it has taken a mail."""

    def __init__(self) -> None:
        super().__init__()
        self.luck = random.Random(5)
        self.dropped = self.deferred = 0
        self.met: set[bytes] = set()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        ident = re.search(rb"^Message-ID: *(\S+)", envelope.content, re.MULTILINE | re.IGNORECASE)
        first = ident is None or ident[1] not in self.met
        self.met.add(ident[1] if ident else b"")
        luck = self.luck.random() if first else 1.0  # the second try may pass, or the test would wait for hours
        if luck < 0.15:
            self.deferred += 1
            return "451 4.7.1 later"
        answer = await super().handle_DATA(server, session, envelope)
        if luck < 0.30 and isinstance(server.transport, asyncio.Transport):
            self.dropped += 1
            server.transport.abort()
        return answer


@pytest.fixture
def world() -> Iterator[tuple[World, FlakySink]]:
    sink, port = FlakySink(), free_port()
    host = Controller(sink, hostname="127.0.0.1", port=port)
    host.start()
    made = World(port)
    try:
        yield made, sink
    finally:
        made.end()
        host.stop()


def insist(port: int, mail: bytes, sender: str, to: str, until: float) -> int:
    """Send as a mail host does: after a 4xx or a cut again, until 250. How often it took."""
    for attempt in range(1, 10_000):
        try:
            with smtplib.SMTP("127.0.0.1", port, timeout=20) as client:
                client.sendmail(sender, [to], mail)
            return attempt
        except (smtplib.SMTPException, OSError) as error:
            code = getattr(error, "smtp_code", 400)
            assert code < 500, error
            assert time.monotonic() < until, "no receiver came back"
            time.sleep(0.2)
    return 0


def wait_for(server: World, what: Any, until: float) -> None:
    while not what():
        assert time.monotonic() < until, server.ask("report")
        time.sleep(0.25)


def asked(sink: Sink) -> dict[str, tuple[str, str]]:
    """Of each player the reply address, and the last number of the list of options."""
    found: dict[str, tuple[str, str]] = {}
    for mail in sink.mails:
        numbers = re.findall(r"^ \[ \] (\d+) ", text_of(mail), re.MULTILINE)
        if numbers:
            found.setdefault(str(mail["To"]), (str(mail["Reply-To"]), numbers[-1]))
    return found


def test_nothing_is_lost_or_done_twice_while_everything_dies(world: tuple[World, FlakySink]) -> None:
    server, sink = world
    luck, until = random.Random(), time.monotonic() + PATIENCE
    server.start("worker")
    server.start("receiver")
    matches = server.ask("open", str(PLAYERS))
    wait_for(server, lambda: len(asked(sink)) == PLAYERS, until)
    mails = []
    for who, (to, number) in asked(sink).items():
        for count in range(4):
            text = f"say {who} {count}\n" + (f"{number}\n" if count == 0 else "")
            ident = f"<{who.partition('@')[0]}.{count}@example.org>"
            mails.append((letter(to, text, who, Message_ID=ident), who, to))
    luck.shuffle(mails)
    errors: list[BaseException] = []

    def send(share: list[Any]) -> None:
        try:
            for mail, who, to in share:
                insist(server.port, mail, who, to, until)
                time.sleep(luck.random() * 0.2)
                if luck.random() < 0.2:
                    insist(server.port, mail, who, to, until)  # a host that missed our 250 sends it again
        except BaseException as error:
            errors.append(error)

    senders = [threading.Thread(target=send, args=(mails[number::3],)) for number in range(3)]
    for thread in senders:
        thread.start()
    for victim in luck.sample(["worker", "receiver", "database", "worker", "receiver", "database", "database"], 7):
        time.sleep(luck.random() * 1.5)
        if victim == "database":
            server.cut()
        else:
            server.kill(victim)
            time.sleep(luck.random() * 0.5)
            server.start(victim)
    for thread in senders:
        thread.join()
    assert not errors, errors

    def answers() -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for mail in sink.mails:
            if str(mail["In-Reply-To"]).endswith("@example.org>"):
                found[str(mail["In-Reply-To"])].add(str(mail["Message-ID"]))
        return found

    wanted = {f"<{who.partition('@')[0]}.{count}@example.org>" for who in matches for count in range(4)}
    wait_for(server, lambda: set(answers()) >= wanted, until)
    told = server.ask("report")
    assert told["said"] == sorted(f"{who} {count}" for who in matches for count in range(4)), told["inbound"]
    assert all(len(idents) == 1 for idents in answers().values())  # a second copy is the same mail
    played = [match for match, _ in told["played"]]
    assert sorted(set(played)) == sorted(matches.values()) and len(played) == len(matches), told["played"]
    assert told["unread"] == told["failed"] == 0
    copies = len(sink.mails) - len({str(mail["Message-ID"]) for mail in sink.mails})
    print(f"{len(mails)} mails; {sink.deferred} deferred, {sink.dropped} dropped after DATA, {copies} copies")

"""A whole match from the text of the mails alone, over SMTP both ways."""

import random
import re
import smtplib
from typing import Any

import pytest

from games.ledger.models import Match
from games.ledger.verify import match_problem
from notifications.inbound import smtp
from notifications.inbound.handle import handle
from notifications.models import InboundMail
from tests.notifications.conftest import Sink, free_port
from tests.notifications.post import Mailbox, deliver_waiting, letter

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services, pytest.mark.slow]


UNDO = {"takeback", "drop", "unput", "unjoin", "undig", "unpick"}


class Writer:
    """Somebody who sees nothing but mails, and answers each with a number printed in it."""

    def __init__(self, sink: Sink, port: int, address: str, seed: int) -> None:
        self.box, self.port, self.address = Mailbox(sink, address), port, address
        self.rng = random.Random(seed)
        self.answered: set[str] = set()
        self.sent = 0

    def answer_new_mail(self) -> bool:
        for mail in self.box.mails:
            if mail["Message-ID"] in self.answered:
                continue
            self.answered.add(mail["Message-ID"])
            body = str(mail.get_body(("plain",)).get_content())
            choices = self.choices(body)
            if choices:
                self.write(str(mail["Reply-To"]), self.rng.choice(choices), body)
                return True
        return False

    def choices(self, body: str) -> list[str]:
        """Every answer printed: `3`, or `3 24` where line 3 has a blank; none that only takes something back."""
        lines = re.findall(r"^ \[ \] (\d+) +(\S.*?)(?: {2,}(\S.*?))?\r?$", body, re.MULTILINE)
        forward: list[str] = []
        back: list[str] = []
        for number, notation, told in lines:
            fills = re.findall(r"\S+", told) if notation.endswith(" _") else [""]
            answers = [f"{number} {fill}".strip() for fill in fills]
            (back if notation.split()[0] in UNDO else forward).extend(answers)
        return forward or back

    def write(self, to: str, text: str, quoted: str = "") -> None:
        quote = "".join(f"> {line}\n" for line in quoted.splitlines())
        with smtplib.SMTP("127.0.0.1", self.port) as client:
            client.sendmail(
                self.address, [to], letter(to, f"{text}\n\nOn 3 Mar 2026, play wrote:\n{quote}", self.address)
            )
        self.sent += 1
        for row in InboundMail.objects.filter(state="received"):
            handle(row.pk)
        deliver_waiting()


@pytest.fixture
def port() -> Any:
    number = free_port()
    server = smtp.controller("127.0.0.1", number)
    server.start()
    yield number
    server.stop()


def test_card_assault_from_wish_to_result(sink: Sink, port: int, tom: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("notifications.inbound.handle.AN_HOUR", 10_000)
    monkeypatch.setattr("notifications.letters.board_picture", lambda *_, **__: None)
    writer = Writer(sink, port, "tom@example.org", 7)
    writer.write("play@localhost", "new card_assault max_reshuffles=0")
    while writer.answer_new_mail():
        assert writer.sent < 600
    match = Match.objects.get()
    assert match.status == "over" and match_problem(match) == ""
    assert sink.mails[-1]["X-Kind"] in ("result", "ack") and any(mail["X-Kind"] == "result" for mail in sink.mails)
    assert {row.kind for row in InboundMail.objects.all()} == {"person"}


def test_a_duel_of_two_strangers(sink: Sink, port: int, tom: Any) -> None:
    toms, lees = Writer(sink, port, "tom@example.org", 1), Writer(sink, port, "lee@example.net", 2)
    toms.write("play@localhost", "new toy vs lee@example.net\nsay Ready?")
    lees.write(str(lees.box.last["Reply-To"]), "accept")
    while toms.answer_new_mail() or lees.answer_new_mail():
        assert toms.sent + lees.sent < 100
    match = Match.objects.get()
    assert match.status == "over"
    for writer in (toms, lees):
        results = [mail for mail in writer.box.mails if mail["X-Kind"] == "result"]
        assert len(results) == 1 and match.seed in str(results[0].get_body(("plain",)).get_content())

"""A whole match from the text of the mails alone, over SMTP both ways."""

import os
import random
import re
import smtplib
from email.utils import make_msgid
from typing import Any

import pytest

from games.ledger.models import Match
from games.ledger.verify import match_problem
from notifications.inbound import smtp
from notifications.inbound.handle import handle
from notifications.models import InboundMail
from tests.mails.corpus import CLIENTS, LANGUAGES, Writing
from tests.mails.corpus import mail as styled
from tests.notifications.conftest import Sink, free_port
from tests.notifications.post import Mailbox, deliver_waiting, letter

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services, pytest.mark.slow]


UNDO = {"takeback", "drop", "unput", "unjoin", "undig", "unpick"}
SEEDS = int(os.environ.get("FALLUJAH_MAIL_GAMES", "1"))  # whole matches of each game


class Writer:
    """Somebody who sees nothing but mails, and answers each with a number printed in it.

    Each answer comes from another mail program in another language, and is written in another way: the number,
    the order in words, a tick in the quote. `prefer` are verbs taken after `wander` answers, to come to an end.
    """

    def __init__(
        self, sink: Sink, port: int, address: str, seed: int, prefer: tuple[str, ...] = (), wander: int = 10_000
    ) -> None:
        self.box, self.port, self.address = Mailbox(sink, address), port, address
        self.rng = random.Random(seed)
        self.answered: set[str] = set()
        self.sent = 0
        self.prefer, self.wander = prefer, wander
        self.styles: set[tuple[str, str]] = set()

    def answer_new_mail(self) -> bool:
        for mail in self.box.mails:
            if mail["Message-ID"] in self.answered:
                continue
            self.answered.add(mail["Message-ID"])
            body = str(mail.get_body(("plain",)).get_content()).replace("\r\n", "\n")
            choices = self.choices(body)
            if choices:
                self.answer(mail, body, self.choose(choices))
                return True
        return False

    def choices(self, body: str) -> list[tuple[str, str]]:
        """Every answer printed and its order: `3`, or `3 24` where line 3 has a blank; none that takes back."""
        lines = re.findall(r"^ \[ \] (\d+) +(\S.*?)(?: {2,}(\S.*?))?\r?$", body, re.MULTILINE)
        forward: list[tuple[str, str]] = []
        back: list[tuple[str, str]] = []
        for number, notation, told in lines:
            fills = re.findall(r"\S+", told) if notation.endswith(" _") else [""]
            answers = [(f"{number} {fill}".strip(), notation.removesuffix("_") + fill) for fill in fills]
            (back if notation.split()[0] in UNDO else forward).extend(answers)
        return forward or back

    def choose(self, choices: list[tuple[str, str]]) -> tuple[str, str]:
        if self.sent >= self.wander:
            for verb in self.prefer:
                for choice in choices:
                    if choice[1].split()[0] == verb:
                        return choice
        return self.rng.choice(choices)

    def answer(self, mail: Any, body: str, choice: tuple[str, str]) -> None:
        number, order = choice
        client, language = self.rng.choice(CLIENTS), self.rng.choice(LANGUAGES)
        self.styles.add((client.key, language.key))
        quoted = body.splitlines()
        way = self.rng.choice(("number", "number", "words", "tick"))
        lines = [number]
        if way == "words" and order != "end":
            lines = [order]
        elif way == "tick" and " " not in number:
            lines = []
            quoted = [row.replace("[ ]", "[x]", 1) if row.startswith(f" [ ] {number} ") else row for row in quoted]
        signed = self.rng.choice(("", "", "dashes", "phone")) if lines else ""
        raw = styled(
            client, language, Writing("answer", lines, [], signed), quoted,
            sender=self.address, to=str(mail["Reply-To"]), subject=f"Re: {mail['Subject']}",
            message_id=make_msgid(domain="example.org"), answers=str(mail["Message-ID"]),
        )  # fmt: skip
        self.hand_in(str(mail["Reply-To"]), raw)

    def write(self, to: str, text: str) -> None:
        self.hand_in(to, letter(to, text, self.address))

    def hand_in(self, to: str, raw: bytes) -> None:
        with smtplib.SMTP("127.0.0.1", self.port) as client:
            client.sendmail(self.address, [to], raw)
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


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize(
    ("wish", "prefer", "wander"),
    [
        ("card_assault max_reshuffles=0", ("done",), 10),
        ("city_fighting", ("end", "done", "stop", "no", "continue", "form"), 60),
        ("phantom_fury", ("pass", "done", "stop", "nodetach", "no"), 40),
    ],
    ids=["card_assault", "city_fighting", "phantom_fury"],
)
def test_a_game_from_the_wish_to_the_result(
    sink: Sink, port: int, tom: Any, monkeypatch: Any, wish: str, prefer: tuple[str, ...], wander: int, seed: int
) -> None:
    monkeypatch.setattr("notifications.inbound.handle.AN_HOUR", 10_000)
    monkeypatch.setattr("notifications.letters.board_picture", lambda *_, **__: None)
    writer = Writer(sink, port, "tom@example.org", 7 + seed, prefer, wander)
    writer.write("play@localhost", f"new {wish}")
    while writer.answer_new_mail():
        assert writer.sent < 2_000
    match = Match.objects.get()
    assert match.status == "over" and match_problem(match) == "", (writer.box.text, writer.sent)
    assert sink.mails[-1]["X-Kind"] in ("result", "ack") and any(mail["X-Kind"] == "result" for mail in sink.mails)
    assert {row.kind for row in InboundMail.objects.all()} == {"person"}
    assert len(writer.styles) > 8


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

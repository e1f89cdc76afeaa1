"""The transcript in docs/playing-by-mail.md is what comes of a real run.

`FALLUJAH_WRITE_DOCS=1 pytest tests/notifications/test_transcript.py` writes it anew.
"""

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from games.ledger.models import Match
from tests.notifications.conftest import Sink
from tests.notifications.helpers import text_of
from tests.notifications.post import Mailbox, deliver_waiting, post

pytestmark = [pytest.mark.django_db(transaction=True, reset_sequences=True), pytest.mark.services]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "playing-by-mail.md"
START, END = "<!-- transcript: begin -->\n", "<!-- transcript: end -->\n"
EVENING = datetime(2026, 3, 2, 20, 2, tzinfo=UTC)  # a Monday


class Scribe:
    """Writes down what goes to and fro."""

    def __init__(self, sink: Sink) -> None:
        self.sink, self.seen = sink, 0
        self.lines: list[str] = []

    def wrote(self, who: str, text: str) -> None:
        self.lines += [f"-> {who}", *(f"   {line}".rstrip() for line in text.splitlines()), ""]

    def came(self) -> None:
        """Every mail that has come since, without board and foot."""
        for mail in self.sink.mails[self.seen :]:
            self.seen += 1
            who = str(mail["To"]).partition("@")[0].capitalize()
            self.lines += [f"<- {who}: {mail['Subject']}", *(f"   {line}".rstrip() for line in self._body(mail)), ""]

    def _body(self, mail: Any) -> list[str]:
        parts = text_of(mail).rstrip().split("\n\n")
        kept = [
            part for part in parts if not part.startswith(("Reply with numbers", "Reply with:", "Second Fallujah,"))
        ]
        board = next((at for at, part in enumerate(kept) if part.startswith("+ Coalition   #")), None)
        if board is not None:
            kept[board] = "(the board in words)"
        rows = "\n\n".join(kept).splitlines()
        return [re.sub(r"^(Seed|Its SHA).*", r"\1 ..", row) for row in rows]


def play(sink: Sink) -> str:
    scribe = Scribe(sink)
    toms, ranias = Mailbox(sink, "tom@example.org"), Mailbox(sink, "rania@example.net")

    def says(box: Mailbox, text: str) -> None:
        scribe.wrote(box.address.partition("@")[0].capitalize(), text)
        box.reply(text)
        scribe.came()

    wish = "new second_fallujah vs rania@example.net side coalition\nsay You always took the defender. No excuse now."
    scribe.wrote("Tom", wish)
    post("play@localhost", wish, "tom@example.org", Subject="a game")
    deliver_waiting()
    scribe.came()
    says(ranias, "Accept!\n\nSent from my iPhone")
    says(ranias, "put 2 F 45 40 42 33 24\nput F 31 19 46 39 27 28 35 36 47 41\ndone")
    says(
        toms,
        "zone NE\ngo 1/8-A, 1/8-B, 1/8-C, 1/8-W, TK-A, ENG-C2, ERU and IQ-2/1 24\nthen attack 24 lead 1/8-A\nthen done",
    )
    says(ranias, "7 7 2 12\nsay for the mosque")
    says(toms, "no")
    return "\n".join(scribe.lines)


def test_the_transcript_of_the_page_is_a_real_one(sink: Sink, tom: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: EVENING)
    monkeypatch.setattr("games.ledger.dice.new_seed", lambda: "5d" * 32)
    monkeypatch.setattr("notifications.letters.board_picture", lambda *_, **__: None)
    text = play(sink)
    assert Match.objects.get().head_seq > 20
    page = PAGE.read_text()
    before, _, rest = page.partition(START)
    shown, _, after = rest.partition(END)
    if os.environ.get("FALLUJAH_WRITE_DOCS"):
        PAGE.write_text(f"{before}{START}```text\n{text}```\n{END}{after}")
        return
    assert shown == f"```text\n{text}```\n"

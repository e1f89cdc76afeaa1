"""A whole war by mail, read off the mails alone."""

from typing import Any

import pytest

from games.ledger.models import Match
from games.ledger.verify import match_problem
from tests.notifications.conftest import Sink
from tests.notifications.test_whole_match import Writer, port

__all__ = ["port"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_second_fallujah_between_two_people(sink: Sink, port: int, tom: Any, rania: Any, monkeypatch: Any) -> None:
    """From the invitation to the result letter; every order is read off a mail."""
    monkeypatch.setattr("notifications.inbound.handle.AN_HOUR", 10_000)
    monkeypatch.setattr("notifications.letters.board_picture", lambda *_, **__: None)
    prefer = ("pass", "done", "adv", "roll", "cp", "r")
    toms = Writer(sink, port, "tom@example.org", 3, prefer, 25)
    ranias = Writer(sink, port, "rania@example.org", 4, prefer, 25)
    toms.write("play@localhost", "new second_fallujah vs rania@example.org side coalition")
    ranias.write(str(ranias.box.last["Reply-To"]), "accept")
    while toms.answer_new_mail() or ranias.answer_new_mail():
        assert toms.sent + ranias.sent < 6_000
    match = Match.objects.get()
    assert match.status == "over" and match_problem(match) == ""
    for writer in (toms, ranias):
        assert [mail["X-Kind"] for mail in writer.box.mails].count("result") == 1

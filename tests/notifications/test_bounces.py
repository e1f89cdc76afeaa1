"""Mails that come back."""

import pytest

from games.ledger.models import Delivery, Match, Outbox
from notifications import addresses
from tests.notifications.conftest import Sink
from tests.notifications.helpers import deliver_all, mails, text_of
from tests.notifications.post import deliver_waiting, post

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
REPORT = """This is the mail system. I am sorry.

Final-Recipient: rfc822; tom@example.org
Action: failed
Status: {status}
Diagnostic-Code: smtp; {status} <tom@example.org> mailbox full
"""


def bounce(row: Outbox, status: str, to: str = "") -> str:
    back = to or addresses.numbered_address("bounce", row.pk)
    return post(back, REPORT.format(status=status), "mailer-daemon@example.org", Return_Path="<>").detail


def test_the_envelope_sender_takes_bounces(sink: Sink, duel: Match) -> None:
    deliver_all()
    row = mails(duel)[0]
    assert "bounced with 5.2.2" in bounce(row, "5.2.2")
    row.refresh_from_db()
    assert row.state == "failed"
    assert Delivery.objects.filter(outbox=row).latest("pk").detail == "bounced: 5.2.2 5.2.2 (address) mailbox full"
    deliver_waiting()
    told = sink.mails[-1]
    assert told["To"] == "rania@example.org" and text_of(told).startswith("tom's mail does not arrive.")
    assert "tom@example.org" not in text_of(told)
    bounce(mails(duel)[0], "5.2.2")
    deliver_waiting()
    assert sink.mails[-1]["Message-ID"] == told["Message-ID"]  # once a day


def test_a_temporary_bounce_is_only_noted(sink: Sink, duel: Match) -> None:
    deliver_all()
    row = mails(duel)[0]
    bounce(row, "4.2.2")
    row.refresh_from_db()
    assert row.state == "sent" and len(mails(duel)) == 2


def test_a_faked_bounce_is_dropped(sink: Sink, duel: Match) -> None:
    row = mails(duel)[0]
    assert bounce(row, "5.1.1") == "a bounce of a mail that was not sent"
    deliver_all()
    wrong = addresses.numbered_address("bounce", row.pk).replace(f"b{row.pk}.", f"b{row.pk + 1}.")
    assert bounce(row, "5.1.1", wrong) == "not our bounce address"
    row.refresh_from_db()
    assert row.state == "sent"


def test_a_host_that_refuses_for_good_is_told_to_the_opponent(sink: Sink, duel: Match) -> None:
    sink.rcpt_answers = ["550 5.1.1 nobody here"]
    deliver_waiting()
    assert [mail["X-Kind"] for mail in sink.mails if mail["To"] == "rania@example.org"] == ["opened", "bounced"]

"""Programs that answer programs: no loop, and at most one automatic answer to a sender in an hour.

A tenth of the storm runs here; FALLUJAH_STORM=10000 runs all of it.
"""

import itertools
import os
from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any

import pytest

from games.ledger import services
from games.ledger.models import Match, Outbox
from notifications import addresses
from notifications.delivery import deliver
from notifications.inbound.handle import handle
from notifications.inbound.receive import receive
from notifications.models import InboundMail
from tests.notifications.conftest import Sink
from tests.notifications.helpers import fresh
from tests.notifications.post import Mailbox, deliver_waiting, letter, post
from tests.notifications.test_bounces import REPORT
from tests.notifications.virtual import Clock

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
MESSAGES = int(os.environ.get("FALLUJAH_STORM", "1000"))
WEEK = timedelta(days=7)
AUTOMATIC = ("nothing", "answer", "confirm", "fresh", "stranger", "bounced", "ack", None)


class Storm:
    """The players' mail programs, gone mad: each answers whatever it gets, at once."""

    def __init__(self, sink: Sink, clock: Clock) -> None:
        self.sink, self.clock = sink, clock
        self.given = self.read = 0
        self.sent: dict[str, list[tuple[datetime, Any]]] = defaultdict(list)
        self.unanswered: list[Any] = []

    def give(self, raw: bytes, to: str) -> None:
        row = receive(raw, [to])
        handle(row.pk)
        self.given += 1

    def deliver(self) -> None:
        due = Outbox.objects.filter(kind="mail", state="waiting", due_at__lte=self.clock.time)
        for row in due.values_list("pk", flat=True):
            deliver(row)
        for mail in self.sink.mails[self.read :]:
            written = Outbox.objects.get(message_id=mail["Message-ID"]).created_at  # a busy host may take it later
            self.sent[str(mail["To"])].append((written, mail))
            self.unanswered.append(mail)
        self.read = len(self.sink.mails)

    def answers(self, mail: Any, number: int) -> list[tuple[bytes, str]]:
        """What the programs send back for one mail of ours."""
        to, who = str(mail["Reply-To"]), str(mail["To"])
        subject = f"Re: {mail['Subject']}"
        body = f"I am not at my desk ({number}). Your mail said: {mail['Subject']}"
        if who == "tom@example.org":  # without any sign of being a program
            return [(letter(to, body, who, Subject=subject), to)]
        if who == "rania@example.org":
            return [(letter(to, body, who, Subject=subject, Auto_Submitted="auto-replied"), to)]
        back = addresses.numbered_address("bounce", int(Outbox.objects.get(message_id=mail["Message-ID"]).pk))
        status = "5.1.1" if who.startswith("lee") else "4.4.7"
        return [(letter(back, REPORT.format(status=status), "mailer-daemon@x.example", Return_Path="<>"), back)]


def test_a_week_of_machines(sink: Sink, duel: Match, make_user: Any, monkeypatch: Any) -> None:
    clock = Clock(monkeypatch)
    storm = Storm(sink, clock)
    lee = services.match_create(user=make_user("lee"), ruleset="toy", seat="north")
    services.match_join(user=make_user("kim"), match_id=lee.pk)  # Lee's and Kim's addresses bounce
    storm.deliver()
    doors = {who: str(mails[0][1]["Reply-To"]) for who, mails in storm.sent.items()}
    start, number = clock.time, 0
    pause = WEEK / MESSAGES
    while storm.given < MESSAGES or clock.time < start + WEEK:
        clock.time += pause
        number += 1
        pending = [answer for mail in storm.unanswered for answer in storm.answers(mail, number)]
        storm.unanswered = []
        # And whatever else arrives: each of the programs writes by itself, a list repeats what it was sent.
        tom, rania = doors["tom@example.org"], doors["rania@example.org"]
        pending += [
            [(letter(tom, f"Olen poissa, viesti {number}", "tom@example.org"), tom)],
            [(letter(rania, f"away {number}", "rania@example.org", Auto_Submitted="auto-generated"), rania)],
            [(letter(tom, f"[club] {number}", "tom@example.org", List_Id="<club.example>", Precedence="list"), tom)],
            [(letter("play@localhost", f"help {number}", "stranger@evil.example"), "play@localhost")],
        ][number % 4]
        for raw, to in pending:
            storm.give(raw, to)
        storm.deliver()
    hours = (clock.time - start) / timedelta(hours=1)
    for who, mails in storm.sent.items():
        automatic = [at for at, mail in mails if mail["X-Kind"] in AUTOMATIC]
        for first, second in itertools.pairwise(automatic):
            assert second - first >= timedelta(hours=1), (who, first, second)
        print(f"{who}: {len(mails)} mails of ours in {hours:.0f} hours")
    assert fresh(duel).head_seq == 0
    assert set(storm.sent) == {"tom@example.org", "rania@example.org", "lee@example.org", "kim@example.org"}
    print(f"{storm.given} messages in, {len(sink.mails)} out")


def test_sixty_an_hour_are_read_and_the_rest_wait_with_one_notice(sink: Sink, duel: Match, monkeypatch: Any) -> None:
    clock = Clock(monkeypatch)
    deliver_waiting()
    to = str(sink.mails[0]["Reply-To"])
    rows = [receive(letter(to, f"note {number}"), [to]) for number in range(100)]
    for row in rows:
        clock.pass_(seconds=1)
        handle(row.pk)
    assert InboundMail.objects.filter(kind="person").count() == 60
    assert InboundMail.objects.filter(state="received").count() == 40
    notices = Outbox.objects.filter(payload__notice="queue-person")
    assert notices.count() == 1
    for _ in range(9):  # however often it is looked at, nothing that waits is given up
        clock.pass_(minutes=6)
        for row in rows:
            handle(row.pk)
    assert not InboundMail.objects.filter(state="failed").exists()
    clock.pass_(minutes=20)
    for row in rows:
        handle(row.pk)
    assert InboundMail.objects.filter(kind="person").count() == 100 and notices.count() == 1


def test_three_hundred_a_day(sink: Sink, duel: Match, tom: Any, monkeypatch: Any) -> None:
    clock = Clock(monkeypatch)
    deliver_waiting()
    to = str(sink.mails[0]["Reply-To"])
    first = post(to, "note 0")
    rows = [
        InboundMail(message_id=f"<{n}>", door="x", user=tom, kind="person", state="done", raw=b"", due_at=clock.time,
                    read_at=clock.time - timedelta(hours=2 + n % 20))
        for n in range(299)
    ]  # fmt: skip
    InboundMail.objects.bulk_create(rows)
    assert first.kind == "person"
    assert post(to, "note 301").state == "received"
    clock.pass_(hours=23)
    for row in InboundMail.objects.filter(state="received"):
        handle(row.pk)
    assert not InboundMail.objects.filter(state="received").exists()


def test_a_forger_cannot_use_up_the_owners_count(sink: Sink, duel: Match, settings: Any, monkeypatch: Any) -> None:
    Clock(monkeypatch)
    settings.MAIL_AUTHSERV = ["mx.example.net"]
    deliver_waiting()
    box = Mailbox(sink, "tom@example.org")
    to = str(box.last["Reply-To"])
    for number in range(40):
        post(to, f"note forged {number}")
    deliver_waiting()
    assert [mail["X-Kind"] for mail in box.mails].count("confirm") == 20
    passed = "mx.example.net; dmarc=pass header.from=example.org"
    assert post(to, "note mine", Authentication_Results=passed).kind == "person"

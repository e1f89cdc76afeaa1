"""From outbox row to mail host: once, later again, or never, and always said."""

import smtplib
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from games.ledger import services
from games.ledger.models import Match, Outbox, Seat
from notifications.delivery import Permanent, Temporary, deliver, judge
from notifications.tasks import outbox_sweep_task
from tests.notifications.conftest import Sink
from tests.notifications.helpers import act, deliver_all, fresh, log, mails

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def test_everybody_gets_one_mail_when_a_match_opens(sink: Sink, duel: Match) -> None:
    deliver_all()
    assert [mail["To"] for mail in sink.mails] == ["tom@example.org", "rania@example.org"]
    assert [mail["X-Kind"] for mail in sink.mails] == ["opened", "opened"]
    assert {row.state for row in mails(duel)} == {"sent"}


def test_a_decision_answered_meanwhile_is_not_mailed(sink: Sink, duel: Match) -> None:
    deliver_all()
    act(duel, "north", "pass")
    act(duel, "south", "stand")
    act(duel, "south", "pass")
    deliver_all()
    rows = mails(duel, topic="decision")
    assert log(rows[0]) == ["skipped: answered already"]
    assert [mail["X-Seat"] for mail in sink.mails[2:]] == ["north"]


def test_one_mail_tells_two_decisions_and_the_second_row_is_skipped(sink: Sink, duel: Match) -> None:
    deliver_all()
    act(duel, "north", "pass")
    act(duel, "south", "stand")  # south is asked again at once, by acting, and answers on a page
    act(duel, "south", "pass")
    act(duel, "north", "duck")
    act(duel, "north", "pass")  # south now has two rows waiting
    deliver_all()
    south = [row for row in mails(duel, topic="decision") if row.seat == "south"]
    assert [row.state for row in south] == ["sent", "skipped"]
    assert log(south[1]) == ["skipped: told already in another mail"]


def test_a_deferred_mail_is_tried_again_with_the_same_message_id(sink: Sink, duel: Match) -> None:
    sink.answers = ["451 come back later"]
    row = mails(duel)[0]
    deliver(row.pk)
    row.refresh_from_db()
    assert row.state == "waiting" and row.due_at > timezone.now()
    assert log(row) == ["tried, to be repeated: 451 come back later"]
    Outbox.objects.filter(pk=row.pk).update(due_at=timezone.now())
    deliver(row.pk)
    assert [mail["Message-ID"] for mail in sink.mails] == [row.message_id]


def test_a_refused_mail_is_given_up_at_once(sink: Sink, duel: Match) -> None:
    sink.rcpt_answers = ["550 5.1.1 tom@example.org is unknown here"]
    row = mails(duel)[0]
    deliver(row.pk)
    row.refresh_from_db()
    assert row.state == "failed"
    assert log(row) == ["failed for good: 550 5.1.1 (address) is unknown here"]


def test_a_mail_host_that_is_away_loses_nothing(settings: Any, duel: Match) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    row = mails(duel)[0]
    for attempt in range(11):
        Outbox.objects.filter(pk=row.pk).update(due_at=timezone.now())
        deliver(row.pk)
        row.refresh_from_db()
        assert row.attempts == attempt + 1
    assert row.state == "failed"
    assert log(row)[-1].startswith("given up after 11 attempts")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (smtplib.SMTPDataError(554, b"spam"), Permanent),
        (smtplib.SMTPDataError(452, b"full"), Temporary),
        (smtplib.SMTPSenderRefused(550, b"no", "play@localhost"), Permanent),
        (smtplib.SMTPAuthenticationError(535, b"wrong password"), Temporary),
        (smtplib.SMTPServerDisconnected("gone"), Temporary),
        (TimeoutError("slow"), Temporary),
    ],
)
def test_failures_say_whether_they_are_permanent(error: Exception, kind: type) -> None:
    assert isinstance(judge(error, "tom@example.org"), kind)


def test_two_workers_send_one_mail_once(sink: Sink, duel: Match) -> None:
    row = mails(duel)[0]
    sink.answers = ["slow"]
    start = threading.Barrier(4)

    def work() -> None:
        start.wait()
        try:
            deliver(row.pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(sink.mails) == 1
    assert len(log(row)) == 1


def test_a_killed_worker_leaves_the_row_to_the_sweep(sink: Sink, duel: Match, monkeypatch: Any) -> None:
    row = mails(duel)[0]
    passed = timezone.now() - timedelta(seconds=1)
    Outbox.objects.filter(pk=row.pk).update(claimed_until=passed, attempts=1)
    monkeypatch.setattr("notifications.tasks.outbox_deliver_task.delay", deliver)
    outbox_sweep_task()
    row.refresh_from_db()
    assert row.state == "sent"


def test_a_refused_order_announces_nothing(duel: Match) -> None:
    before = Outbox.objects.count()
    result = act(duel, "north", "play 99")
    assert result.applied == 0
    assert Outbox.objects.count() == before


def test_silence_and_unproved_addresses_are_respected(sink: Sink, duel: Match, tom: Any, rania: Any) -> None:
    tom.wants_mail = False
    tom.save()
    rania.email_verified_at = None
    rania.save()
    deliver_all()
    assert sink.mails == []
    assert [log(row) for row in mails(duel)] == [
        ["skipped: the person wants no mail"],
        ["skipped: the address is not verified"],
    ]


def test_a_seat_that_changed_hands_is_not_told_to_the_old_holder(sink: Sink, duel: Match, make_user: Any) -> None:
    Seat.objects.filter(match=duel, key="south").update(user=make_user("lee"))
    deliver_all()
    assert [mail["To"] for mail in sink.mails] == ["tom@example.org"]


def test_what_a_mail_shows_counts_as_seen(sink: Sink, duel: Match) -> None:
    deliver_all()
    act(duel, "north", "pass")
    deliver_all()
    south = fresh(duel).seats.get(key="south")
    assert (south.seen_seq, south.mailed_seq) == (1, 1)


def test_a_mistake_of_ours_is_kept_and_tried_again(sink: Sink, duel: Match, monkeypatch: Any) -> None:
    monkeypatch.setattr("notifications.letters.opened", lambda match, seat: 1 // 0)
    row = mails(duel)[0]
    deliver(row.pk)
    row.refresh_from_db()
    assert row.state == "waiting"
    assert "could not be composed" in log(row)[0]


def test_ten_deferrals_and_drops_lose_no_mail(sink: Sink, tom: Any) -> None:
    for _ in range(5):
        services.match_create(user=tom, ruleset="card_assault")
    sink.answers = ["451 later", "421 closing", "250 ok", "452 full", "250 ok", "451 later"]
    for _ in range(8):
        Outbox.objects.filter(state="waiting").update(due_at=timezone.now())
        deliver_all()
    assert {row.state for row in mails()} == {"sent"}
    assert len({mail["Message-ID"] for mail in sink.mails}) == len(sink.mails) == 5

"""A process dies at a certain point. Whoever takes over loses nothing, and repeats nothing but the same mail."""

import os
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections, transaction
from django.utils import timezone

from games.ledger import outbox
from games.ledger.models import Match, Outbox
from notifications import delivery, replies
from notifications.delivery import deliver
from notifications.inbound import handle as handling
from notifications.inbound import letterbox, sealed
from notifications.inbound.handle import handle
from notifications.inbound.receive import forget, raw_of, receive
from notifications.models import InboundMail, Saying
from tests.notifications.conftest import Sink
from tests.notifications.helpers import act, fresh, mails
from tests.notifications.post import Mailbox, deliver_waiting, letter, post

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def die(*_: Any, **__: Any) -> None:
    os._exit(9)


def in_a_child(work: Callable[[], None]) -> int:
    """What a killed process leaves behind is in the database and in the other side's hands, nowhere else."""
    connections.close_all()
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def claims_run_out() -> None:
    passed = timezone.now() - timedelta(seconds=1)
    Outbox.objects.filter(claimed_until__isnull=False).update(claimed_until=passed)
    InboundMail.objects.filter(claimed_until__isnull=False).update(claimed_until=passed)


@pytest.mark.parametrize("point", ["before commit", "after commit"])
def test_dying_around_the_commit_of_an_order(sink: Sink, duel: Match, monkeypatch: Any, point: str) -> None:
    deliver_waiting()
    box = Mailbox(sink, "tom@example.org")
    to = str(box.last["Reply-To"])
    row = receive(letter(to, "pass", Message_ID="<one@example.org>"), [to])
    if point == "before commit":
        monkeypatch.setattr(handling, "_note", die)  # everything is written, nothing is committed
    else:
        monkeypatch.setattr(outbox, "changed", die)  # committed; nobody was told that mail waits
    assert in_a_child(lambda: handle(row.pk)) == 9
    done = point == "after commit"
    assert fresh(duel).head_seq == int(done) and len(mails(topic="ack")) == int(done)
    monkeypatch.undo()
    claims_run_out()
    handle(row.pk)
    deliver_waiting()
    assert fresh(duel).head_seq == 1
    acks = [mail for mail in box.mails if mail["In-Reply-To"] == "<one@example.org>"]
    assert len(acks) == 1


@pytest.mark.parametrize("point", ["before DATA", "after DATA", "before mark-sent"])
def test_dying_around_the_sending_of_a_mail(
    sink: Sink, duel: Match, settings: Any, monkeypatch: Any, point: str
) -> None:
    row = mails(duel)[0]
    if point == "before DATA":
        monkeypatch.setattr(delivery, "get_connection", die)
    elif point == "after DATA":
        monkeypatch.setattr(replies, "heard", die)
    else:
        monkeypatch.setattr(outbox, "finish", die)
    assert in_a_child(lambda: deliver(row.pk)) == 9
    monkeypatch.undo()
    before = len(sink.mails)
    assert before == int(point != "before DATA")
    deliver(row.pk)
    assert len(sink.mails) == before  # its claim still holds
    claims_run_out()
    deliver(row.pk)
    row.refresh_from_db()
    idents = [str(mail["Message-ID"]) for mail in sink.mails]
    assert set(idents) == {row.message_id} and row.state in ("sent", "skipped")
    assert len(idents) == 1 or point != "before DATA"


def test_nothing_is_said_of_what_was_rolled_back(sink: Sink, duel: Match) -> None:
    deliver_waiting()
    before, count = len(sink.mails), Outbox.objects.count()
    with transaction.atomic():
        assert act(duel, "north", "pass").applied == 1
        transaction.set_rollback(True)
    deliver_waiting()
    assert (len(sink.mails), Outbox.objects.count(), fresh(duel).head_seq) == (before, count, 0)


def test_a_worker_slower_than_its_claim_does_nothing_twice(sink: Sink, duel: Match, monkeypatch: Any) -> None:
    deliver_waiting()
    to = str(sink.mails[0]["Reply-To"])
    row = receive(letter(to, "say once"), [to])
    slow = letterbox.open_row

    def open_row(kept: InboundMail) -> Any:
        monkeypatch.setattr(letterbox, "open_row", slow)
        claims_run_out()
        handle(kept.pk)  # another worker, while this one is still reading
        return slow(kept)

    monkeypatch.setattr(letterbox, "open_row", open_row)
    handle(row.pk)
    assert Saying.objects.count() == 1 and len(mails(topic="ack")) == 1


def test_the_receiver_dies_before_it_stored(sink: Sink, duel: Match, monkeypatch: Any) -> None:
    deliver_waiting()
    to = str(sink.mails[0]["Reply-To"])
    raw = letter(to, "pass", Message_ID="<cut@example.org>")

    def work() -> None:
        with transaction.atomic():
            receive(raw, [to])
            die()

    assert in_a_child(work) == 9 and not InboundMail.objects.exists()
    handle(receive(raw, [to]).pk)
    handle(receive(raw, [to]).pk)
    assert fresh(duel).head_seq == 1


# --- at rest -----------------------------------------------------------------------------------------------


def test_mail_at_rest_is_encrypted_and_forgotten(sink: Sink, duel: Match, settings: Any) -> None:
    deliver_waiting()
    row = post(str(sink.mails[0]["Reply-To"]), "say the secret word")
    kept = bytes(InboundMail.objects.get(pk=row.pk).raw)
    assert b"secret word" not in kept and b"tom@example.org" not in kept
    assert b"say the secret word" in raw_of(row)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new key", [settings.SECRET_KEY]
    assert b"say the secret word" in raw_of(row)
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(ValueError, match="another key"):
        raw_of(row)
    assert forget(timezone.now() + timedelta(days=31)) == 1
    row.refresh_from_db()
    assert (bytes(row.raw), row.origin, row.recipients) == (b"", {}, [])


def test_rows_from_before_encryption_are_read(sink: Sink, duel: Match) -> None:
    deliver_waiting()
    to = str(sink.mails[0]["Reply-To"])
    row = receive(letter(to, "pass"), [to])
    InboundMail.objects.filter(pk=row.pk).update(raw=letter(to, "pass"))
    handle(row.pk)
    assert fresh(duel).head_seq == 1


@pytest.mark.parametrize("raw", [b"", b"\x00mail1", b"\xff" * 1000, b"From: x\r\n\r\ny"])
def test_closing_and_opening_keeps_every_byte(raw: bytes) -> None:
    assert sealed.open_(sealed.close(raw)) == raw and sealed.close(raw) != sealed.close(raw)

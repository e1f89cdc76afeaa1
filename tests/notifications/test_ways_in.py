"""The ways a mail comes in: SMTP, a webhook, IMAP. Each stores it before saying thank you."""

import smtplib
import socket
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.utils import timezone

from games.ledger.models import Match
from notifications.inbound import imap, smtp
from notifications.inbound.handle import handle
from notifications.inbound.receive import forget
from notifications.models import InboundMail
from tests.notifications.conftest import Sink, free_port
from tests.notifications.helpers import fresh, text_of
from tests.notifications.post import deliver_waiting, letter, post

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@pytest.fixture
def port() -> Iterator[int]:
    number = free_port()
    server = smtp.controller("127.0.0.1", number)
    server.start()
    yield number
    server.stop()


def address(sink: Sink) -> str:
    deliver_waiting()
    return str(sink.mails[0]["Reply-To"])


def test_smtp_takes_a_mail_for_us(sink: Sink, duel: Match, port: int) -> None:
    to = address(sink)
    with smtplib.SMTP("127.0.0.1", port) as client:
        client.sendmail("tom@example.org", [to], letter(to, "pass"))
    row = InboundMail.objects.get()
    assert row.door == to.partition("@")[0] and row.sender == "tom@example.org"
    handle(row.pk)
    assert fresh(duel).head_seq == 1


def test_smtp_relays_nothing_and_refuses_giants(sink: Sink, duel: Match, port: int) -> None:
    to = address(sink)
    with smtplib.SMTP("127.0.0.1", port) as client:
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            client.sendmail("tom@example.org", ["victim@example.com"], letter(to, "pass"))
        with pytest.raises(smtplib.SMTPException) as refused:
            client.sendmail("tom@example.org", [to], b"Subject: x\r\n\r\n" + b"x" * 2_100_000)
    assert refused.value.args[0] in (552, 452)
    assert not InboundMail.objects.exists()


def test_smtp_defers_when_the_database_is_away(sink: Sink, duel: Match, port: int, monkeypatch: Any) -> None:
    to = address(sink)

    def fails(raw: bytes, recipients: list[str], origin: Any) -> None:
        raise DatabaseError("gone")

    monkeypatch.setattr(smtp, "_store", fails)
    with smtplib.SMTP("127.0.0.1", port) as client, pytest.raises(smtplib.SMTPDataError) as error:
        client.sendmail("tom@example.org", [to], letter(to, "pass"))
    assert error.value.smtp_code == 451


def test_a_null_sender_is_a_machine(sink: Sink, duel: Match, port: int) -> None:
    to = address(sink)
    with smtplib.SMTP("127.0.0.1", port) as client:
        client.sendmail("", [to], letter(to, "pass"))
    row = InboundMail.objects.get()
    handle(row.pk)
    row.refresh_from_db()
    assert row.kind == "auto" and fresh(duel).head_seq == 0


def test_the_webhook_needs_its_secret(client: Any, settings: Any, sink: Sink, duel: Match) -> None:
    to = address(sink)
    raw = letter(to, "pass")
    how: dict[str, Any] = {"content_type": "message/rfc822"}
    assert client.post("/mail/inbound/", raw, **how).status_code == 403  # closed by default
    settings.MAIL_SECRET, settings.MAIL_CHECK = "a long secret", "off"
    assert client.post("/mail/inbound/", raw, **how, HTTP_AUTHORIZATION="Bearer wrong").status_code == 403
    good = client.post("/mail/inbound/", raw, **how, HTTP_AUTHORIZATION="Bearer a long secret")
    assert good.status_code == 202
    again = client.post("/mail/inbound/", raw, **how, HTTP_AUTHORIZATION="Bearer a long secret")
    assert again.content == good.content
    handle(InboundMail.objects.get().pk)
    assert fresh(duel).head_seq == 1
    assert client.get("/mail/inbound/").status_code == 405


class TinyImap(threading.Thread):
    """A small mailbox: any number of visits, mails are unseen until marked. It can hang up at a command."""

    def __init__(self, mails: list[bytes]) -> None:
        super().__init__(daemon=True)
        self.mails = mails
        self.seen: list[str] = []
        self.hang_up_at = ""
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"imap://tom:secret@127.0.0.1:{self.listener.getsockname()[1]}/INBOX"

    def run(self) -> None:
        while True:
            connection, _ = self.listener.accept()
            with connection, connection.makefile("rb") as lines:
                self.serve(connection, lines)

    def serve(self, connection: socket.socket, lines: Any) -> None:
        connection.sendall(b"* OK ready\r\n")
        for line in lines:
            tag, _, rest = line.decode().strip().partition(" ")
            if self.hang_up_at and rest.upper().startswith(self.hang_up_at):
                return
            connection.sendall(self.answer(rest) + f"{tag} OK done\r\n".encode())
            if rest.upper().startswith("LOGOUT"):
                return

    def answer(self, command: str) -> bytes:
        words = command.upper().split()
        if words[0] == "CAPABILITY":
            return b"* CAPABILITY IMAP4rev1\r\n"
        if words[0] == "SELECT":
            return b"* %d EXISTS\r\n" % len(self.mails)
        if words[:2] == ["UID", "SEARCH"]:
            numbers = [str(number + 1) for number in range(len(self.mails)) if str(number + 1) not in self.seen]
            return f"* SEARCH {' '.join(numbers)}\r\n".encode()
        if words[:2] == ["UID", "FETCH"]:
            raw = self.mails[int(words[2]) - 1]
            if "SIZE" in command:
                return b"* 1 FETCH (UID %s RFC822.SIZE %d)\r\n" % (words[2].encode(), len(raw))
            what = b"BODY[HEADER]" if "HEADER" in words[3] else b"BODY[]"
            raw = raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if "HEADER" in words[3] else raw
            return b"* 1 FETCH (UID %s %s {%d}\r\n%s)\r\n" % (words[2].encode(), what, len(raw), raw)
        if words[:2] == ["UID", "STORE"]:
            self.seen.append(words[2])
        return b""


def test_imap_killed_between_fetching_and_marking_acts_once(sink: Sink, settings: Any, duel: Match) -> None:
    to, settings.MAIL_CHECK = address(sink), "off"
    box = TinyImap([letter(to, "pass"), letter(to, "note two")])
    box.start()
    box.hang_up_at = "UID STORE"
    assert imap.poll(box.url) == 0 and box.seen == []
    assert InboundMail.objects.count() == 1  # it was stored before it was to be marked
    for row in InboundMail.objects.all():
        handle(row.pk)
    box.hang_up_at = ""
    assert imap.poll(box.url) == 2 and box.seen == ["1", "2"]
    assert imap.poll(box.url) == 0
    for row in InboundMail.objects.all():
        handle(row.pk)
    assert [row.copies for row in InboundMail.objects.order_by("pk")] == [2, 1]
    assert fresh(duel).head_seq == 1 and fresh(duel).seats.get(key="north").note == "two"


def test_a_giant_in_the_mailbox_is_answered_without_being_fetched(sink: Sink, settings: Any, duel: Match) -> None:
    to, settings.MAIL_CHECK = address(sink), "off"
    box = TinyImap([letter(to, "x" * 70 + "\n") + b"y\r\n" * 800_000])
    box.start()
    assert imap.poll(box.url) == 1
    row = InboundMail.objects.get()
    handle(row.pk)
    row.refresh_from_db()
    assert row.kind == "unreadable" and len(bytes(row.raw)) < 5_000
    deliver_waiting()
    assert "it is too large" in text_of(sink.mails[-1])


def test_imap_is_polled_and_marked_seen_after_storing(sink: Sink, settings: Any, duel: Match) -> None:
    to, settings.MAIL_CHECK = address(sink), "off"
    box = TinyImap([letter(to, "pass"), letter("play@localhost", "help", "spam@example.com")])
    box.start()
    assert imap.poll(box.url) == 2
    assert box.seen == ["1", "2"]
    for row in InboundMail.objects.all():
        handle(row.pk)
    assert fresh(duel).head_seq == 1


def test_an_imap_box_that_is_away_is_left_for_later(db: None) -> None:
    assert imap.poll("imap://tom:secret@127.0.0.1:9/INBOX") == 0
    assert imap.poll("") == 0


def test_the_text_of_old_mails_is_forgotten(sink: Sink, duel: Match) -> None:
    row = post(address(sink), "pass")
    assert forget() == 0
    assert forget(timezone.now() + timedelta(days=31)) == 1
    row.refresh_from_db()
    assert (bytes(row.raw), row.sender, row.kind) == (b"", "", "person")

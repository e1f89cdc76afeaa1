"""Where a mail comes from: SPF, DKIM, DMARC and sealed chains, asked of a real name server on loopback."""

import smtplib
from collections.abc import Iterator
from typing import Any

import pytest

from games.ledger.models import Match, Outbox
from notifications.inbound import names, smtp
from notifications.inbound.handle import handle
from notifications.inbound.proof import Origin, Proof, prove
from notifications.inbound.receive import receive
from notifications.models import InboundMail
from tests.notifications.conftest import Sink, free_port
from tests.notifications.helpers import fresh
from tests.notifications.post import deliver_waiting, letter
from tests.notifications.zone import EVIL_IP, FORWARD_IP, HOME_IP, NameServer, sealed, signed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
DOOR = "m1.north.d0.k1.aaaaaaaaaaaaaaaa@localhost"
PASSED = "spf=pass smtp.mailfrom=example.org; dmarc=pass header.from=example.org"


@pytest.fixture
def server(settings: Any) -> Iterator[NameServer]:
    host = NameServer()
    host.start()
    settings.MAIL_DNS = [host.address]
    settings.MAIL_CHECK = "own"
    settings.MAIL_ARC_TRUSTED = ["forward.example"]
    yield host
    host.stop()


def tried(raw: bytes, ip: str = EVIL_IP, envelope: str = "x@evil.example", sender: str = "tom@example.org") -> Proof:
    return prove(raw, Origin("smtp", ip, "mx.example", envelope), sender, [DOOR])


def plain(text: str = "pass", to: str = DOOR, **headers: str) -> bytes:
    return letter(to, text, **headers)


def test_spf_speaks_for_the_domain_of_the_envelope(server: NameServer) -> None:
    assert tried(plain(), HOME_IP, "tom@example.org").passed == "spf"
    assert tried(plain(), EVIL_IP, "tom@example.org").found["spf"] == "fail"
    assert tried(plain(), EVIL_IP, "x@evil.example").found["spf"] == "of another domain"
    assert tried(plain(), HOME_IP, "").passed == ""


def test_dkim_speaks_for_the_domain_that_signed(server: NameServer) -> None:
    good = signed(plain(), "example.org")
    assert tried(good).passed == "dkim" and len(tried(good).signature) == 64
    assert tried(good.replace(b"pass", b"play 1")).found["dkim"] == "broken"
    assert tried(signed(plain(), "evil.example")).found["dkim"] == "of another domain"
    assert tried(plain()).found["dkim"] == "none"
    assert tried(signed(signed(plain(), "example.org"), "evil.example")).passed == "dkim"


def test_a_signature_must_cover_all_that_counts(server: NameServer) -> None:
    assert tried(signed(plain(), "example.org", length=True)).found["dkim"] == "signs only the beginning"
    assert tried(b"To: x@y.org\r\n" + signed(plain(), "example.org")).found["dkim"] == "has a header twice"
    elsewhere = signed(plain(to="rania@example.org"), "example.org")
    assert tried(elsewhere).found["dkim"] == "was written to another address"
    unsigned_to = signed(plain(), "example.org", [b"from", b"subject"])
    assert tried(unsigned_to).found["dkim"] == "was written to another address"
    assert tried(signed(plain(), "example.org").replace(b"v=1;", b"v=1; a=rsa-sha1;", 1)).passed == ""


def test_a_domain_may_ask_for_strictness(server: NameServer) -> None:
    server.zone["s1._domainkey.mail.strict.example", "TXT"] = server.zone["s1._domainkey.strict.example", "TXT"]
    raw = plain(From="Tom <tom@mail.strict.example>")
    assert tried(signed(raw, "strict.example"), sender="tom@mail.strict.example").found["dkim"] == "of another domain"
    raw = plain(From="Tom <tom@strict.example>")
    assert tried(raw, HOME_IP, "tom@mail.strict.example", "tom@strict.example").passed == ""
    assert tried(raw, HOME_IP, "tom@strict.example", "tom@strict.example").passed == "spf"


def test_a_forwarder_the_host_trusts_may_seal(server: NameServer, settings: Any) -> None:
    good = sealed(plain(), "forward.example", PASSED)
    assert tried(good, FORWARD_IP, "x@forward.example").passed == "arc"
    assert tried(good.replace(b"pass\r\n", b"play 1\r\n")).found["arc"] == "fail"
    assert tried(sealed(plain(), "shady.example", PASSED)).found["arc"] == "no trusted forwarder saw a pass"
    failed = sealed(
        plain(), "forward.example", "spf=fail smtp.mailfrom=example.org; dmarc=fail header.from=example.org"
    )
    assert tried(failed).found["arc"] == "no trusted forwarder saw a pass"
    assert tried(sealed(plain(to="rania@example.org"), "forward.example", PASSED)).passed == ""
    settings.MAIL_ARC_TRUSTED = []
    assert tried(good).found["arc"] == "no forwarder is trusted"


def test_a_chain_is_as_good_as_its_newest_links(server: NameServer) -> None:
    first = sealed(plain(), "forward.example", PASSED)
    through = sealed(first.replace(b"Subject: Re: your move", b"Subject: Re: your move"), "shady.example", "arc=pass")
    assert tried(through).found["arc"] == "no trusted forwarder saw a pass"
    back = sealed(sealed(plain(), "shady.example", PASSED), "forward.example", "arc=pass")
    assert tried(back).found["arc"] == "no trusted forwarder saw a pass"
    twice = sealed(first, "forward.example", "arc=pass")
    assert tried(twice).passed == "arc"


@pytest.mark.parametrize("how", ["silent", "broken"])
def test_names_that_cannot_be_asked_are_a_doubt_for_now(server: NameServer, monkeypatch: Any, how: str) -> None:
    monkeypatch.setattr(names, "SECONDS", 0.2)
    monkeypatch.setattr(names, "SECONDS_A_MAIL", 1.0)
    setattr(server, how, True)
    found = tried(sealed(signed(plain(), "example.org"), "forward.example", PASSED), HOME_IP, "tom@example.org")
    assert (found.passed, found.temporary) == ("", True)


@pytest.mark.parametrize("junk", [
    b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s1; h=from; bh=AAAA; b=AAAA\r\n",
    b"DKIM-Signature: v=1; d=example.org; s=" + b"x" * 300 + b"; h=from:to; bh=; b=\r\n",
    b"DKIM-Signature: ;;;===\r\n" * 50,
    b"ARC-Seal: i=1; a=rsa-sha256; cv=none; d=forward.example; s=s1; b=AAAA\r\n",
    b"ARC-Seal: i=99999999999; cv=\xff\xfe; d=\r\nARC-Message-Signature: i=1\r\nARC-Authentication-Results: i=1\r\n",
    b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s1; l=99999999999999999999; h=from:to; bh=AA==; b=AA==\r\n",
])  # fmt: skip
def test_broken_signatures_break_nothing(server: NameServer, junk: bytes) -> None:
    assert tried(junk + plain()).passed == ""


def play(raw: bytes, to: str, origin: Origin) -> InboundMail:
    row = receive(raw, [to], origin)
    handle(row.pk)
    row.refresh_from_db()
    return row


def test_a_mail_waits_while_names_are_away_and_is_then_asked_back(
    server: NameServer, sink: Sink, duel: Match, monkeypatch: Any
) -> None:
    monkeypatch.setattr(names, "SECONDS", 0.1)
    deliver_waiting()
    to, server.silent = str(sink.mails[0]["Reply-To"]), True
    raw = signed(letter(to, "pass"), "example.org")
    row = play(raw, to, Origin("smtp", EVIL_IP, "mx", "x@evil.example"))
    assert row.state == "received" and "cannot be checked" in row.detail
    for _ in range(3):
        InboundMail.objects.update(due_at=row.received_at)
        handle(row.pk)
    row.refresh_from_db()
    assert row.state == "doubtful" and fresh(duel).head_seq == 0
    assert Outbox.objects.filter(topic="confirm").count() == 1


def test_a_mail_that_waited_for_names_is_played_when_they_are_back(
    server: NameServer, sink: Sink, duel: Match, monkeypatch: Any
) -> None:
    monkeypatch.setattr(names, "SECONDS", 0.1)
    deliver_waiting()
    to, server.silent = str(sink.mails[0]["Reply-To"]), True
    row = play(signed(letter(to, "pass"), "example.org"), to, Origin("smtp", EVIL_IP, "mx", "x@evil.example"))
    server.silent = False
    InboundMail.objects.update(due_at=row.received_at)
    handle(row.pk)
    row.refresh_from_db()
    assert (row.kind, row.auth["dkim"], fresh(duel).head_seq) == ("person", "pass", 1)


def test_the_receiver_notes_who_handed_the_mail_in(server: NameServer, sink: Sink, duel: Match) -> None:
    """Over real SMTP; the zone says that 127.0.0.1 may send for example.org, and not for others."""
    deliver_waiting()
    to, port = str(sink.mails[0]["Reply-To"]), free_port()
    receiver = smtp.controller("127.0.0.1", port)
    receiver.start()
    try:
        with smtplib.SMTP("127.0.0.1", port, local_hostname="mx.example.org") as client:
            client.sendmail("x@evil.example", [to], letter(to, "pass"))
            client.sendmail("tom@example.org", [to], letter(to, "pass"))
    finally:
        receiver.stop()
    forged, honest = InboundMail.objects.order_by("pk")
    assert honest.origin["ip"] == "127.0.0.1" and honest.origin["sender"] == "tom@example.org"
    for row in (forged, honest):
        handle(row.pk)
        row.refresh_from_db()
    assert (forged.state, honest.kind, honest.auth["spf"]) == ("doubtful", "person", "pass")
    assert fresh(duel).head_seq == 1


def test_the_same_signed_mail_under_another_id_acts_once(server: NameServer, sink: Sink, duel: Match) -> None:
    deliver_waiting()
    to = str(sink.mails[0]["Reply-To"])
    raw = signed(letter(to, "note one", Message_ID="<a@example.org>"), "example.org", [b"from", b"to"])
    origin = Origin("smtp", EVIL_IP, "mx", "x@evil.example")
    assert play(raw, to, origin).kind == "person"
    InboundMail.objects.update(received_at="2026-01-01T00:00:00Z")
    assert play(raw.replace(b"<a@example.org>", b"<b@example.org>"), to, origin).kind == "repeated"


def test_without_a_setting_only_mail_from_elsewhere_is_checked(
    server: NameServer, settings: Any, sink: Sink, duel: Match
) -> None:
    settings.MAIL_CHECK = "auto"
    deliver_waiting()
    to = str(sink.mails[0]["Reply-To"])
    away = Origin("smtp", EVIL_IP, "mx", "tom@example.org")
    assert play(letter(to, "note a"), to, away).state == "doubtful"
    for via in ("imap", "inbound", "mailgun"):
        assert play(letter(to, f"note {via}"), to, Origin(via)).state == "doubtful"
    assert play(letter(to, "note b"), to, Origin("smtp", "127.0.0.1", "here", "tom@example.org")).kind == "person"
    assert play(letter(to, "note c"), to, Origin("smtp", "::1", "here", "tom@example.org")).kind == "person"
    assert play(letter(to, "note d"), to, Origin("page")).kind == "person"

"""Token x sender x signature x envelope x way x forged results: nothing is played that its owner did not write.

Mails are really signed and sealed, names are really asked (of a server on loopback), and each mail goes the
whole way through the pipeline. A fixed tenth runs here; FALLUJAH_FORGED=5880 runs all.
"""

import itertools
import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from games.ledger.models import Match, Outbox, Seat
from notifications import addresses
from notifications.inbound import handle as handling
from notifications.inbound import letterbox
from notifications.inbound.proof import Origin
from notifications.inbound.receive import receive
from notifications.models import InboundMail
from tests.notifications.conftest import Sink
from tests.notifications.helpers import text_of
from tests.notifications.post import deliver_waiting, letter
from tests.notifications.zone import EVIL_IP, FORWARD_IP, HOME_IP, NameServer, sealed, signed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
COUNT = int(os.environ.get("FALLUJAH_FORGED", "588"))
TOKENS = ("right", "upper case", "wrong letter", "expired", "other seat", "other user's", "other match")
SENDERS = {
    "owner": "Tom <tom@example.org>",
    "opponent": "Rania <rania@example.org>",
    "friend": "A Friend <friend@evil.example>",
    "two": "tom@example.org, x@evil.example",
    "name": '"tom@example.org" <x@evil.example>',
    "look-alike": "Tom <tom@example.org.evil.example>",
    "other alphabet": "Tom <t\u043em@example.org>".encode().decode("latin-1"),
}
SIGNATURES = ("pass", "changed", "none", "foreign", "of another mail", "partial")
ENVELOPES = ("home", "stolen", "foreign", "none")
WAYS = ("direct", "trusted", "untrusted", "broken", "list")
FORGED = (
    "Authentication-Results: mx.localhost; dmarc=pass header.from=example.org; dkim=pass header.d=example.org\r\n"
    "Received-SPF: pass\r\n"
)


class Case(msgspec.Struct, frozen=True):
    token: str
    sender: str
    signature: str
    envelope: str
    way: str
    forged: bool

    @property
    def owner(self) -> str:
        """Whose seat the address is good for; nobody's when it is not."""
        return {"right": "owner", "upper case": "owner", "other user's": "opponent"}.get(self.token, "")

    @property
    def proved(self) -> bool:
        """Whether an honest look at the mail tells that it comes from example.org and was written to us."""
        signed_here = self.signature in ("pass", "of another mail") and self.sender != "other alphabet"
        if self.way == "direct":
            return self.envelope == "home" or self.signature == "pass"
        return (
            self.way == "trusted" and self.signature != "of another mail" and (self.envelope == "home" or signed_here)
        )

    @property
    def legitimate(self) -> bool:
        return bool(self.owner) and self.sender == self.owner and self.proved


def cases() -> list[Case]:
    product = itertools.product(TOKENS, SENDERS, SIGNATURES, ENVELOPES, WAYS)
    found = [Case(*parts, number % 2 == 1) for number, parts in enumerate(product)]
    assert len(found) == 5880
    return random.Random(6).sample(found, min(COUNT, len(found)))


def door(case: Case, match: Match, tom: Any, rania: Any) -> str:
    right = addresses.reply_address(match.pk, "north", 0, 2, tom.pk)
    local = right.partition("@")[0]
    return {
        "right": right,
        "upper case": local.upper() + "@localhost",
        "wrong letter": local[:-1] + ("a" if local[-1] != "a" else "b") + "@localhost",
        "expired": addresses.reply_address(match.pk, "north", 0, 1, tom.pk),
        "other seat": right.replace("north", "south"),
        "other user's": addresses.reply_address(match.pk, "south", 0, 2, rania.pk),
        "other match": right.replace(f"m{match.pk}.", f"m{match.pk + 1}."),
    }[case.token]


def mail_of(case: Case, number: int, to: str) -> tuple[bytes, Origin]:
    """The mail as it arrives, and who hands it in."""
    written_to = "somebody@evil.example" if case.signature == "of another mail" else to
    raw = letter(written_to, f"note case {number}", From=SENDERS[case.sender])
    if case.signature != "none":
        raw = signed(
            raw, "evil.example" if case.signature == "foreign" else "example.org", length=case.signature == "partial"
        )
    if case.signature == "changed":
        raw = raw.replace(b"note case", b"note a case")
    if case.forged:
        raw = FORGED.encode() + raw
    envelope = {
        "home": "tom@example.org",
        "stolen": "tom@example.org",
        "foreign": "x@evil.example",
        "none": "x@nowhere.example",
    }
    sender, ip = envelope[case.envelope], HOME_IP if case.envelope == "home" else EVIL_IP
    if case.way == "direct":
        return raw, Origin("smtp", ip, "mx.example", sender)
    seen = [
        f"spf={'pass' if case.envelope in ('home', 'foreign') else 'fail'} smtp.mailfrom={sender}",
        f"dkim={'pass' if case.signature in ('pass', 'foreign', 'of another mail') else 'fail'} "
        f"header.d={'evil.example' if case.signature == 'foreign' else 'example.org'}",
    ]
    mangled = (
        raw.replace(b"Subject: Re:", b"Subject: [list] Re:", 1) + b"\r\n_______\r\nTo leave this list write to x@y\r\n"
    )
    if case.way == "list":
        return mangled, Origin("smtp", FORWARD_IP, "lists.forward.example", "bounces@forward.example")
    by = "shady.example" if case.way == "untrusted" else "forward.example"
    if case.way == "untrusted":
        seen = ["spf=pass smtp.mailfrom=tom@example.org", "dmarc=pass header.from=example.org"]  # it lies
    raw = sealed(mangled, by, "; ".join(seen))
    if case.way == "broken":
        raw = raw.replace(f"note case {number}".encode(), f"note evil {number}".encode())
        raw = raw.replace(f"note a case {number}".encode(), f"note an evil {number}".encode())
    return raw, Origin("smtp", FORWARD_IP, "mx.forward.example", "x@forward.example")


@pytest.fixture
def names(settings: Any, monkeypatch: Any) -> Iterator[NameServer]:
    host = NameServer()
    host.start()
    settings.MAIL_DNS, settings.MAIL_CHECK = [host.address], "own"
    settings.MAIL_ARC_TRUSTED = ["forward.example"]
    settings.MAIL_AUTHSERV = ["mx.localhost"]
    monkeypatch.setattr(handling, "AN_HOUR", 10**9)
    monkeypatch.setattr(letterbox, "DOUBTS_AN_HOUR", 10**9)
    yield host
    host.stop()


def test_the_matrix(names: NameServer, sink: Sink, duel: Match, tom: Any, rania: Any) -> None:
    Seat.objects.filter(match=duel).update(link_key=2)
    tally: Counter[str] = Counter()
    for number, case in enumerate(cases()):
        raw, origin = mail_of(case, number, door(case, duel, tom, rania))
        before = Outbox.objects.filter(topic="confirm").count()
        row = receive(raw, [door(case, duel, tom, rania)], origin)
        handling.handle(row.pk)
        row.refresh_from_db()
        notes = set(Seat.objects.filter(match=duel).values_list("note", flat=True))
        played = any(note.endswith((f"case {number}", f"evil {number}")) for note in notes)
        assert played is (row.kind == "person") is case.legitimate, (case, row.kind, row.detail, row.auth)
        asked = Outbox.objects.filter(topic="confirm").count() - before
        if case.owner and not case.legitimate and case.sender in (case.owner, "two", "name"):
            own = case.sender == case.owner or case.owner == "owner"
            assert (row.state == "doubtful" and asked == 1) is own, (case, row.kind, row.detail)
        else:
            assert asked == 0, (case, row.kind)
        tally[f"legitimate, {case.way}" if case.legitimate else row.kind] += 1
        InboundMail.objects.all().delete()
        if number % 50 == 49:
            Outbox.objects.filter(topic__in=["ack", "fresh", "confirm", "nothing", "answer"]).delete()
    print(f"{sum(tally.values())} cases: {dict(tally)}")
    assert tally["legitimate, direct"] and tally["legitimate, trusted"] and tally["doubtful"] and tally["stranger"]
    assert tally["old address"] and tally["lost"]
    deliver_waiting()
    hosts = {str(mail["To"]) for mail in sink.mails}
    assert hosts <= {"tom@example.org", "rania@example.org"}  # no stranger heard anything
    assert all("evil" not in text_of(mail) or mail["X-Kind"] == "confirm" for mail in sink.mails)

"""Only the owner of a seat can order by mail, whatever a forger knows."""

import itertools
import random
from typing import Any

import pytest

from games.ledger.models import Match, Outbox, Seat
from notifications import addresses
from notifications.addresses import MatchDoor, read_door
from notifications.inbound import senders
from notifications.inbound.message import read_message
from notifications.inbound.proof import Proof
from notifications.models import InboundMail
from tests.notifications.conftest import Sink
from tests.notifications.helpers import fresh
from tests.notifications.post import Mailbox, deliver_waiting, letter, post

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
TRUSTED = "mx.example.net"
RESULTS = {
    "dmarc pass": f"{TRUSTED}; dkim=pass header.d=example.org; dmarc=pass header.from=example.org",
    "dkim pass": f"{TRUSTED}; dkim=pass header.d=example.org; spf=fail smtp.mailfrom=other.example",
    "spf pass": f"{TRUSTED}; spf=pass smtp.mailfrom=tom@example.org; dkim=none",
    "dkim of another domain": f"{TRUSTED}; dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=evil@evil.example",
    "dkim fail": f"{TRUSTED}; dkim=fail header.d=example.org; spf=softfail smtp.mailfrom=example.org; dmarc=fail",
    "none": f"{TRUSTED}; none",
    "somebody else's word": "mx.evil.example; dmarc=pass header.from=example.org; dkim=pass header.d=example.org",
    "a top-level domain": f"{TRUSTED}; dkim=pass header.d=org",
    "absent": "",
}
GOOD = {"dmarc pass", "dkim pass", "spf pass"}
SENDERS = {
    "owner": "Tom <tom@example.org>",
    "opponent": "Rania <rania@example.org>",
    "friend": "A Friend <friend@example.com>",
    "owner's name": '"tom@example.org" <evil@example.com>',
    "two": "tom@example.org, evil@example.com",
    "nobody": "undisclosed",
}


def doors(match: Match, tom: Any, rania: Any) -> dict[str, str]:
    right = addresses.reply_address(match.pk, "north", 0, 1, tom.pk)
    local = right.partition("@")[0]
    return {
        "right": right,
        "upper case": right.upper().replace("LOCALHOST", "localhost"),
        "one letter wrong": local[:-1] + ("a" if local[-1] != "a" else "b") + "@localhost",
        "other seat": right.replace("north", "south"),
        "other base": right.replace(".d0.", ".d1."),
        "other match": right.replace(f"m{match.pk}.", f"m{match.pk + 1}."),
        "of the opponent": addresses.reply_address(match.pk, "south", 0, 1, rania.pk),
        "later key": addresses.reply_address(match.pk, "north", 0, 2, tom.pk),
        "no seal": f"m{match.pk}.north.d0.k1@localhost",
    }


def test_the_matrix_of_forgeries(sink: Sink, settings: Any, duel: Match, tom: Any, rania: Any) -> None:
    """Token x sender x authentication: only the owner with the right token and a pass acts."""
    settings.MAIL_AUTHSERV = [TRUSTED]
    count = accepted = 0
    for door, sender, verdict in itertools.product(doors(duel, tom, rania).items(), SENDERS.items(), RESULTS.items()):
        headers = {"From": sender[1], "Authentication_Results": verdict[1]} if verdict[1] else {"From": sender[1]}
        row = post(door[1], "help me\nresign yes", **headers)
        InboundMail.objects.all().delete()
        count += 1
        own = {"right": "owner", "upper case": "owner", "of the opponent": "opponent"}
        legitimate = own.get(door[0]) == sender[0] and verdict[0] in GOOD
        accepted += row.kind == "person"
        if door[0] == "no seal":
            assert row.match_id is None  # read as mail to nobody in particular
            continue
        assert (row.kind == "person") is legitimate, (door[0], sender[0], verdict[0], row.kind)
        if legitimate:
            Match.objects.filter(pk=duel.pk).update(status="playing", ended_at=None, outcome=None, owed=["north"])
        assert fresh(duel).status == "playing", (door[0], sender[0], verdict[0])
    assert count >= 400 and accepted >= 6


def test_guessing_seals_gets_nowhere(duel: Match, tom: Any) -> None:
    rng = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    hits = 0
    for _ in range(20_000):
        seal = "".join(rng.choices(letters, k=16))
        door = read_door(f"m{duel.pk}.north.d0.k1.{seal}")
        assert isinstance(door, MatchDoor)
        hits += door.fits(tom.pk)
    assert hits == 0


def test_a_doubtful_mail_waits_until_its_owner_says_yes(sink: Sink, settings: Any, duel: Match) -> None:
    settings.MAIL_AUTHSERV = [TRUSTED]
    deliver_waiting()
    box = Mailbox(sink, "tom@example.org")
    opened = box.last
    row = box.reply("pass", to=opened)
    assert row.state == "doubtful" and fresh(duel).head_seq == 0
    assert box.last["X-Kind"] == "confirm" and "> pass" in box.text and "Reply   yes" in box.text
    confirm = box.last
    post(str(confirm["Reply-To"]), "yes", "evil@example.com")
    assert fresh(duel).head_seq == 0
    box.reply("yes", to=confirm)
    from notifications.inbound.handle import handle

    handle(row.pk)
    assert fresh(duel).head_seq == 1
    box.reply("yes", to=confirm)
    handle(row.pk)
    assert fresh(duel).head_seq == 1


def test_the_confirming_page_needs_its_button(client: Any, sink: Sink, settings: Any, duel: Match) -> None:
    settings.MAIL_AUTHSERV = [TRUSTED]
    deliver_waiting()
    box = Mailbox(sink, "tom@example.org")
    row = box.reply("pass")
    link = "/mail/confirm/" + box.text.split("/mail/confirm/")[1].split()[0]
    assert client.get(link).status_code == 200
    row.refresh_from_db()
    assert row.state == "doubtful"
    assert client.post(link).status_code == 200
    row.refresh_from_db()
    assert row.state == "received" and row.confirmed
    assert client.post(link).status_code == 404
    assert client.get("/mail/confirm/1/aaaaaaaaaaaaaaaa/").status_code == 404


def test_a_stranger_with_a_stolen_address_learns_nothing(sink: Sink, duel: Match) -> None:
    deliver_waiting()
    box = Mailbox(sink, "tom@example.org")
    before = len(sink.mails)
    for _ in range(5):
        post(str(box.mails[0]["Reply-To"]), "look\npass", "evil@example.com")
    deliver_waiting()
    told = sink.mails[before:]
    assert [(mail["To"], mail["X-Kind"]) for mail in told] == [("tom@example.org", "stranger")]
    assert fresh(duel).head_seq == 0


def test_the_token_in_the_body_is_worth_nothing(duel: Match, tom: Any) -> None:
    token = addresses.reply_address(duel.pk, "north", 0, 1, tom.pk)
    row = post("play@localhost", f"{token}\npass", "rania@example.org")
    assert row.match_id is None and fresh(duel).head_seq == 0


def test_an_unproved_sender_is_a_stranger(duel: Match, tom: Any) -> None:
    tom.email_verified_at = None
    tom.save()
    seat = Seat.objects.get(match=duel, key="north")
    mail = read_message(letter("x@localhost", "pass", "tom@example.org"))
    assert senders.judge(mail, seat.user, Proof("dkim"))[0] == senders.STRANGER


def test_a_storm_of_machines_makes_no_mail(sink: Sink, duel: Match) -> None:
    deliver_waiting()
    before = Outbox.objects.count()
    to = str(sink.mails[0]["Reply-To"])
    for number in range(150):
        post(to, f"I am away, number {number}", Auto_Submitted="auto-replied")
    for number in range(50):  # an auto-responder without any sign of being one
        post(to, f"Olen poissa, viesti {number}")
    assert Outbox.objects.count() - before <= 1
    assert fresh(duel).head_seq == 0

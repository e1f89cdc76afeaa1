"""An inbound row opened: its mail, who seems to have written it, and what proves that."""

from datetime import timedelta
from typing import Any

import msgspec
from django.utils import timezone

from games.ledger import mailboxes, outbox
from notifications import addresses
from notifications.inbound import senders
from notifications.inbound.message import Mail, read_message
from notifications.inbound.proof import Origin, Proof
from notifications.inbound.receive import origin_of, raw_of
from notifications.models import InboundMail

HOURS_A_DAY = 5  # a day's mails are as many as those of five full hours
DOUBTS_AN_HOUR = 20  # mails in a person's name that are asked back; whoever forges them cannot use up the other count


class Sent(msgspec.Struct):
    """A mail with what is known about its sender."""

    raw: bytes
    mail: Mail
    user: Any  # whose proved address it bears, if anybody's
    proof: Proof
    origin: Origin


def open_row(row: InboundMail) -> Sent:
    """Read the bytes and check their origin. Only mail that bears a known address is worth asking names for."""
    raw, origin = raw_of(row), origin_of(row)
    mail = read_message(raw, origin.cut)
    if origin.sender == "" and not mail.machine:
        mail.machine = "empty return path"
    if _is_ours(mail.sender):
        mail.machine = "an address of this server"
    user = mailboxes.owner(mail.sender) if mail.sender else None
    if user is None or mail.machine or mail.odd_sender or row.confirmed:
        return Sent(raw, mail, user, Proof(), origin)
    to = f"{row.door}@{addresses.host()}" if row.door != "play" else addresses.from_address()
    return Sent(raw, mail, user, senders.origin_of(mail, raw, origin, [to.lower()]), origin)


def _is_ours(sender: str) -> bool:
    local, _, host = sender.rpartition("@")
    return host == addresses.host() and (
        sender == addresses.from_address().lower() or addresses.read_door(local) is not None
    )


def judge(row: InboundMail, sent: Sent, user: Any) -> tuple[str, str]:
    """The verdict, kept with the row."""
    verdict, why = senders.judge(sent.mail, user, sent.proof)
    row.auth = {"verdict": verdict, "why": why, **sent.proof.found}
    if verdict == senders.SURE:
        row.signature = sent.proof.signature
        mailboxes.address_works(user=user, email=sent.mail.sender)
    return verdict, why


def too_many(row: InboundMail, sent: Sent, most: int) -> bool:
    """More mails of this person than are read in an hour or a day: they wait, and the person is told once a day."""
    if sent.user is None or row.confirmed or (sent.mail.machine and not sent.mail.listed):
        return False
    now, kind = timezone.now(), "person" if sent.proof.passed else "doubtful"
    read = InboundMail.objects.filter(user=sent.user, kind=kind)
    an_hour, a_day = most if kind == "person" else DOUBTS_AN_HOUR, HOURS_A_DAY * most
    waits = (
        read.filter(read_at__gte=now - timedelta(hours=1)).count() >= an_hour
        or read.filter(read_at__gte=now - timedelta(days=1)).count() >= a_day
    )
    told = outbox.told_person_lately(sent.user, f"queue-{kind}", timedelta(days=1)) or answered(sent.user)
    if waits and not told:
        words = [
            "More mails came than I read at once; the rest wait and are read later.",
            f"I read {most} an hour and {a_day} a day of one person. Nothing is lost; you need not send them again."
            if kind == "person"
            else "They bear your address but their origin is not proved, so each is asked back, a few an hour.",
        ]
        outbox.tell_user(sent.user, "answer", {"words": words, "notice": f"queue-{kind}"})
    return waits


def answered(user: Any) -> bool:
    """Whether the person got an answer within the hour that no order asked for, or the notice of waiting mails."""
    notices = ("automatic", "queue-person", "queue-doubtful")
    return any(outbox.told_person_lately(user, notice, timedelta(hours=1)) for notice in notices)


def tell_opponent(match: Any, sent: Sent) -> None:
    """Another player of the match wrote to this seat's address: told so, if it was surely them."""
    plays = sent.user is not None and match.seats.filter(user=sent.user).exists()
    if not plays or not sent.proof.passed or outbox.told_person_lately(sent.user, "not-your-seat", timedelta(hours=1)):
        return
    words = [
        f"You wrote to the address of another seat of match {match.pk}; nothing was done.",
        "Answer your own mail.",
    ]
    outbox.tell_user(sent.user, "answer", {"words": words, "notice": "not-your-seat"})

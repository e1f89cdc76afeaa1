"""One outbox row: compose it now, send it, and say what became of it."""

import logging
import smtplib
from typing import Any

from django.core.mail import get_connection
from django.utils import timezone

from games.kernel.errors import GameError
from games.ledger import mailboxes, outbox, selectors, services
from notifications import afterwards, bounces, deputy_letters, digest, letters, mime, reminders, replies
from notifications.letters import Letter, Skip
from notifications.webhooks.letter import switched_off

logger = logging.getLogger(__name__)
ALWAYS = frozenset({"verify"})  # may be sent to an address that is not proved yet
# Somebody wrote first.
ANSWERS = frozenset({"ack", "nothing", "answer", "confirm", "fresh", "address", "digest-ack"})


class Permanent(Exception):
    """The other side will never take this mail."""


class Temporary(Exception):
    """Not now; perhaps later."""


def deliver(row_id: int) -> None:
    """Claim, compose, send, note. A second worker finds nothing to do; a killed one leaves the row due again."""
    row = outbox.claim(row_id)
    if row is None:
        return
    later = None if _asked_for(row) or row.topic in ALWAYS else afterwards.wait_until(row)
    if later is not None:
        outbox.put_off(row, later)
        return
    composed = timezone.now()
    try:
        letter = compose(row)
        send(row, letter)
    except Skip as reason:
        outbox.finish(row, "skipped", f"skipped: {reason}")
    except Permanent as error:
        outbox.finish(row, "failed", f"failed for good: {error}")
        bounces.given_up(row, str(error))
        logger.warning("mail %s (%s) failed for good: %s", row.pk, row.topic, error)
    except Temporary as error:
        if not outbox.retry(row, f"tried, to be repeated: {error}"):
            bounces.given_up(row, str(error))
    except Exception as error:
        # A mistake of ours: the row is tried again after a repair and given up like any other.
        logger.exception("mail %s (%s) could not be composed", row.pk, row.topic)
        outbox.retry(row, f"could not be composed: {error}")
    else:
        outbox.finish(row, "sent", f"sent: {letter.subject}")
        afterwards.taken(row, letter, composed)


def _asked_for(row: Any) -> bool:
    """Whether it answers a mail; so does the first mail of a match that somebody opened by mail."""
    return row.topic in ANSWERS or (row.topic == "opened" and bool(row.payload.get("inbound")))


def compose(row: Any) -> Letter:
    """The letter as things stand now. Raises Skip when there is nothing left to say."""
    user = row.user
    if row.topic == "invitation":
        return replies.invitation(row)[0]
    if row.topic == "deputy-offer":
        return deputy_letters.offer(row)[0]
    if user is None or not user.is_active:
        raise Skip("nobody to send it to")
    if row.topic not in ALWAYS:
        if user.email_verified_at is None:
            raise Skip("the address is not verified")
        if not user.wants_mail and not _asked_for(row):
            raise Skip("the person wants no mail")
    if row.match_id is None:
        return _to_person(row)
    return _to_seat(row)


def _to_person(row: Any) -> Letter:
    if row.topic == "verify":
        if row.user.email_verified_at:
            raise Skip("verified already")
        return letters.verify(row.user)
    if row.topic == "webhook-off":
        return switched_off(row.payload)
    if row.topic == "answer":
        return replies.answer(row)
    if row.topic in ("digest", "digest-ack"):
        return digest.letter(row)
    if row.topic == "confirm":
        return replies.confirm(row, None, None)
    if row.topic == "address":
        return replies.address(row)[0]
    raise Skip(f"there is no letter about {row.topic}")


def _to_seat(row: Any) -> Letter:
    try:
        match = selectors.match_get(row.match_id)
        seat = selectors.seat_get(match, row.seat)
    except GameError as error:
        raise Skip(error.text) from None
    if row.topic == "result" and not row.payload.get("resent") and outbox.told_with_answer(row):
        raise Skip("told already in another mail")
    if seat.user_id != row.user_id:
        return deputy_letters.for_deputy(row, match, seat, _about)
    if row.topic in ("decision", "opened") and seat.mailed_seq >= row.seq and not row.payload.get("resent"):
        raise Skip("told already in another mail")
    if row.topic == "decision" and digest.covers(match, seat):
        raise Skip("comes with the digest")
    letter = _about(row, match, seat)
    if letter.told is not None:
        replies.add_says(letter, match, seat)
    return letter


def _about(row: Any, match: Any, seat: Any) -> Letter:
    match row.topic:
        case "ack":
            return replies.ack(match, seat, row.payload)
        case "nothing":
            return replies.nothing(match, seat, row.payload)
        case "fresh":
            return replies.fresh(match, seat, row.payload)
        case "stranger":
            return replies.stranger(match, seat)
        case "said":
            return replies.said(match, seat)
        case "claim" | "claim-answered":
            return replies.claim(match, seat, row.payload)
        case "bounced":
            return reminders.bounced(match, seat, row.payload)
        case "reminder":
            return reminders.reminder(match, seat, row.payload)
        case "vacation":
            return reminders.vacation(match, seat, row.payload)
        case "absent":
            return reminders.absent(match, seat, row.payload)
        case "deputy":
            return deputy_letters.told(match, seat, row.payload)
        case "confirm":
            return replies.confirm(row, match, seat)
        case "decision":
            return letters.decision(match, seat)
        case "opened":
            return replies.opened(match, seat, row.payload)
        case "result":
            return letters.result(match, seat)
        case "take-back":
            return letters.take_back(match, seat)
        case "take-back-refused":
            return letters.take_back_refused(match, seat, row.payload)
        case "timed-out":
            return letters.timed_out(match, seat, row.payload)
        case "kept-dropped":
            return letters.kept_dropped(match, seat, row.payload)
    raise Skip(f"there is no letter about {row.topic}")


def send(row: Any, letter: Letter) -> None:
    """Hand it to the mail host. What it shows counts as seen from the moment it leaves."""
    to = _reader(row)
    mail = mime.message(letter, row, to, outbox.thread(row) if row.match_id else [])
    if letter.told is not None:
        services.saw(match_id=row.match_id, seat=row.seat, seq=letter.told, by_mail=True)
    for match_id, seat, seq in letter.starts:
        services.saw(match_id=match_id, seat=seat, seq=seq, by_mail=True)
    try:
        mail.connection = get_connection()
        mail.send()
    except (smtplib.SMTPException, OSError) as error:
        raise judge(error, to) from error
    replies.heard(letter, row.seat)
    if letter.told is not None:
        services.mailed(match_id=row.match_id, seat=row.seat, seq=letter.told)


def _reader(row: Any) -> str:
    """Where it goes; noted with the row of a person, so that a bounce is known to be of that address."""
    if row.topic == "invitation":
        return replies.invitation(row)[1]
    if row.topic == "deputy-offer":
        return deputy_letters.offer(row)[1]
    if row.topic == "address":
        return replies.address(row)[1]
    to = row.user.email if row.topic in ALWAYS else mailboxes.mail_to(row.user)
    outbox.going_to(row, to)
    return to


def judge(error: Exception, address: str) -> Permanent | Temporary:
    """5xx to this mail or its reader is final; anything else may pass. The address stays out of the log."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        answers: list[tuple[int, bytes | str]] = list(error.recipients.values())
        code, said = answers[0] if answers else (550, b"refused")
    elif isinstance(error, smtplib.SMTPResponseException):
        code, said = error.smtp_code, error.smtp_error
    else:
        return Temporary(f"{type(error).__name__}: {error}"[:200].replace(address, "(address)"))
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    words = f"{code} {text}"[:200].replace(address, "(address)")
    about_us = isinstance(error, smtplib.SMTPAuthenticationError | smtplib.SMTPConnectError | smtplib.SMTPHeloError)
    return Permanent(words) if 500 <= code < 600 and not about_us else Temporary(words)

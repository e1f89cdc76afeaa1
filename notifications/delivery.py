"""One outbox row: compose it now, send it, and say what became of it."""

import logging
import smtplib
from typing import Any

from django.core.mail import get_connection

from games.kernel.errors import GameError
from games.ledger import outbox, selectors, services
from notifications import bounces, letters, mime, replies
from notifications.letters import Letter, Skip
from notifications.webhooks.letter import switched_off

logger = logging.getLogger(__name__)
ALWAYS = frozenset({"verify"})  # may be sent to an address that is not proved yet
ANSWERS = frozenset({"ack", "nothing", "answer", "confirm", "fresh"})  # somebody wrote first


class Permanent(Exception):
    """The other side will never take this mail."""


class Temporary(Exception):
    """Not now; perhaps later."""


def deliver(row_id: int) -> None:
    """Claim, compose, send, note. A second worker finds nothing to do; a killed one leaves the row due again."""
    row = outbox.claim(row_id)
    if row is None:
        return
    try:
        letter = compose(row)
        send(row, letter)
    except Skip as reason:
        outbox.finish(row, "skipped", f"skipped: {reason}")
    except Permanent as error:
        outbox.finish(row, "failed", f"failed for good: {error}")
        bounces.tell_opponents(row, str(error))
        logger.warning("mail %s (%s) failed for good: %s", row.pk, row.topic, error)
    except Temporary as error:
        outbox.retry(row, f"tried, to be repeated: {error}")
    except Exception as error:
        # A mistake of ours: the row is tried again after a repair and given up like any other.
        logger.exception("mail %s (%s) could not be composed", row.pk, row.topic)
        outbox.retry(row, f"could not be composed: {error}")
    else:
        outbox.finish(row, "sent", f"sent: {letter.subject}")


def compose(row: Any) -> Letter:
    """The letter as things stand now. Raises Skip when there is nothing left to say."""
    user = row.user
    if row.topic == "invitation":
        return replies.invitation(row)[0]
    if user is None or not user.is_active:
        raise Skip("nobody to send it to")
    if row.topic not in ALWAYS:
        if user.email_verified_at is None:
            raise Skip("the address is not verified")
        if not user.wants_mail and row.topic not in ANSWERS:
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
    if row.topic == "confirm":
        return replies.confirm(row, None, None)
    raise Skip(f"there is no letter about {row.topic}")


def _to_seat(row: Any) -> Letter:
    try:
        match = selectors.match_get(row.match_id)
        seat = selectors.seat_get(match, row.seat)
    except GameError as error:
        raise Skip(error.text) from None
    if seat.user_id != row.user_id:
        raise Skip("the seat has changed hands")
    if row.topic in ("decision", "opened") and seat.mailed_seq >= row.seq:
        raise Skip("told already in another mail")
    letter = _about(row, match, seat)
    if letter.board:
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
        case "bounced":
            return replies.bounced(match, seat, row.payload)
        case "confirm":
            return replies.confirm(row, match, seat)
        case "decision":
            return letters.decision(match, seat)
        case "opened":
            return letters.opened(match, seat)
        case "result":
            return letters.result(match, seat)
        case "take-back":
            return letters.take_back(match, seat)
        case "take-back-refused":
            return letters.take_back_refused(match, seat)
        case "timed-out":
            return letters.timed_out(match, seat, row.payload)
        case "kept-dropped":
            return letters.kept_dropped(match, seat, row.payload)
    raise Skip(f"there is no letter about {row.topic}")


def send(row: Any, letter: Letter) -> None:
    """Hand it to the mail host. What it shows counts as seen from the moment it leaves."""
    to = replies.invitation(row)[1] if row.topic == "invitation" else row.user.email
    mail = mime.message(letter, row, to, outbox.thread(row) if row.match_id else [])
    if letter.told is not None:
        services.saw(match_id=row.match_id, seat=row.seat, seq=letter.told)
    try:
        mail.connection = get_connection()
        mail.send()
    except (smtplib.SMTPException, OSError) as error:
        raise judge(error, to) from error
    replies.heard(letter, row.seat)
    if letter.told is not None:
        services.mailed(match_id=row.match_id, seat=row.seat, seq=letter.told)


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

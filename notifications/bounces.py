"""Mails of ours that came back: into the delivery log, and to the opponent when it is for good."""

import re
from datetime import timedelta
from typing import Any

from games.ledger import mailboxes, outbox, selectors, stops
from notifications import digest
from notifications.addresses import NumberedDoor

TRY_HOURS = 12
_STATUS = re.compile(rb"^Status:\s*([245])\.(\d{1,3})\.(\d{1,3})", re.MULTILINE | re.IGNORECASE)
_REASON = re.compile(rb"^Diagnostic-Code:\s*(?:smtp;)?\s*(.{1,160})", re.MULTILINE | re.IGNORECASE)


def take(door: NumberedDoor, raw: bytes) -> str:
    """Note a bounce of a mail we really sent; others are dropped."""
    status, reason = _STATUS.search(raw), _REASON.search(raw)
    if status is None:
        return "no delivery status in it"
    code = b".".join(status.groups()).decode()
    words = re.sub(r"\S+@\S+", "(address)", reason[1].decode("utf-8", "replace").strip()) if reason else ""
    hard = code.startswith("5")
    row = outbox.bounced(door.number, f"bounced: {code} {words}".strip(), hard=hard)
    if row is None:
        return "a bounce of a mail that was not sent"
    if hard:
        given_up(row, f"{code} {words}".strip())
    return f"mail {row.pk} bounced with {code}"


def given_up(row: Any, why: str) -> None:
    """An address takes no mail: the person's next proved one is tried, and if there is none the others are told."""
    to = str(row.payload.get("to", ""))
    if row.user is not None and to and mailboxes.address_bounced(user=row.user, email=to):
        outbox.again([row.pk])
        return
    tell_opponents(row, why)


def tell_opponents(row: Any, why: str) -> None:
    """The others of the match learn, once a day, that a player's mail does not arrive."""
    seats = [(row.match_id, row.seat)] if row.match_id and row.seat else digest.told_of(row.pk)
    for match_id, seat in seats:
        _tell_of(match_id, seat, row.user_id, why)


def _tell_of(match_id: int, key: str, user_id: int | None, why: str) -> None:
    match = selectors.match_get(match_id)
    if selectors.seat_get(match, key).user_id != user_id:
        return  # a deputy's mail: the player's own still arrives
    until = stops.mail_bounced(match_id=match_id, seat=key)
    match = selectors.match_get(match_id)
    if until is not None and key in match.owed:
        _try_again(match, selectors.seat_get(match, key))
    for seat in match.seats.all():
        if seat.key != key and seat.user_id and not outbox.told_lately(match, seat, "bounced", timedelta(days=1)):
            told = {"seat": key, "why": why[:200], "until": until.isoformat() if until else ""}
            outbox.tell_seat(match, seat, "bounced", told)


def _try_again(match: Any, seat: Any) -> None:
    """The question goes out anew, twice a day, as long as the clocks stand still for it."""
    if not outbox.told_lately(match, seat, "fresh", timedelta(hours=TRY_HOURS - 1)):
        words = "An earlier mail to you came back; the clocks of this match stand still until one arrives."
        outbox.tell_seat(match, seat, "fresh", {"why": words}, after=timedelta(hours=TRY_HOURS))

"""Mails of ours that came back: into the delivery log, and to the opponent when it is for good."""

import re
from datetime import timedelta
from typing import Any

from games.ledger import outbox, selectors
from notifications.addresses import NumberedDoor

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
        tell_opponents(row, f"{code} {words}".strip())
    return f"mail {row.pk} bounced with {code}"


def tell_opponents(row: Any, why: str) -> None:
    """The others of the match learn, once a day, that a player's mail does not arrive."""
    if row.match_id is None or not row.seat:
        return
    match = selectors.match_get(row.match_id)
    for seat in match.seats.all():
        if seat.key != row.seat and seat.user_id and not outbox.told_lately(match, seat, "bounced", timedelta(days=1)):
            outbox.tell_seat(match, seat, "bounced", {"seat": row.seat, "why": why[:200]})

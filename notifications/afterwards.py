"""When a mail may leave, and what follows from its having been taken by the reader's host."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from games.ledger import services, stops, timing
from games.ledger.calendar import quiet_ends
from notifications import replies
from notifications.letters import Letter


def wait_until(row: Any) -> datetime | None:
    """Notices wait for the end of the reader's quiet hours; None when this one may go."""
    if row.user is None or not row.user.quiet:
        return None
    now = timezone.now()
    ends = quiet_ends(timing.calendar_of(row.user), now)
    return ends if ends > now else None


def taken(row: Any, letter: Letter, composed: datetime) -> None:
    """The host took it: the clock of its question starts, a stop because of bounces ends."""
    if row.match_id and letter.told is not None:
        stops.noticed(match_id=row.match_id, seat=row.seat, since=composed)
    for match_id, seat, seq in letter.starts:
        services.mailed(match_id=match_id, seat=seat, seq=seq)
        stops.noticed(match_id=match_id, seat=seat, since=composed)
        stops.mail_arrives(match_id=match_id, seat=seat)
    for number, seat in letter.overheard:
        replies.heard_by(number, seat)
    if row.match_id is None or not row.seat or letter.deputy:
        return
    stops.mail_arrives(match_id=row.match_id, seat=row.seat)
    if letter.foot and any("sent an automatic reply" in text for text in letter.foot):
        services.auto_reply_told(match_id=row.match_id, seat=row.seat)

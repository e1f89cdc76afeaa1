"""What a person may settle about the own seat: salt, and whether to hear the others."""

from typing import Any

from django.db import transaction

from games.kernel.errors import GameError
from games.ledger.models import Match, Seat


def _own(match_id: int, seat: str, user: Any) -> Seat:
    row = Seat.objects.select_related("match").filter(match_id=match_id, key=seat).first()
    if row is None or (user is not None and row.user_id != user.pk):
        raise GameError(f"The seat {seat} of match {match_id} is not yours.", code="not-your-seat")
    return row


@transaction.atomic
def salt_set(*, match_id: int, seat: str, user: Any = None, words: str) -> None:
    """Own words that go into the dice; only until the match starts, as then the header is sealed."""
    Match.objects.select_for_update().filter(pk=match_id).first()
    row = _own(match_id, seat, user)
    if not words.strip():
        raise GameError("Write the words of your salt: salt <words>.", code="unreadable")
    if row.match.status != Match.Status.OPEN:
        used = f'yours is "{row.salt}"' if row.salt else "you gave none"
        raise GameError(
            f"Match {match_id} has started and its salts are fixed; {used}. Next time write salt <words> under "
            "new or accept.",
            code="not-open",
        )
    row.salt = words.strip()[:200]
    row.save(update_fields=["salt"])


def mute(*, match_id: int, seat: str, user: Any = None, muted: bool = True) -> None:
    """Hear nothing more of what the others say, or hear them again."""
    row = _own(match_id, seat, user)
    row.muted = muted
    row.save(update_fields=["muted"])

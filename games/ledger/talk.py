"""What the players of a match say to each other, by any door."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from games.kernel.errors import GameError
from games.ledger import bell
from games.ledger.models import Match, Saying
from games.ledger.play import locked
from games.ledger.services import check_base, seat_row

MOST_SAID = 2_000
MOST_SAYINGS_A_DAY = 50

__all__ = ["Saying", "latest", "note", "said", "say"]


@transaction.atomic
def say(*, match_id: int, seat: str, user: Any = None, text: str, base: int | None = None) -> Saying:
    """To all other seats; they read it here or with their next mail."""
    match = locked(match_id).match
    seat_row(match, seat, user)
    check_base(match, base)
    if match.status == Match.Status.CANCELLED:
        raise GameError(f"Match {match_id} is cancelled; nobody listens any more.", code="not-open")
    text = text.strip()[:MOST_SAID]
    if not text:
        raise GameError("There are no words in it; say something.", code="unreadable")
    today = Saying.objects.filter(match_id=match_id, seat=seat, created_at__date=timezone.now().date()).count()
    if today >= MOST_SAYINGS_A_DAY:
        raise GameError(f"{MOST_SAYINGS_A_DAY} times a day is enough; say it tomorrow.", code="too-many")
    transaction.on_commit(lambda: bell.ring(match_id))
    return Saying.objects.create(match_id=match_id, seat=seat, text=text, told=[seat])


def latest(match_id: int) -> int:
    """The number of the last thing said; 0 before anything is."""
    return Saying.objects.filter(match_id=match_id).order_by("-pk").values_list("pk", flat=True).first() or 0


def pass_over(*, match_id: int, seat: str) -> None:
    """What was said so far is not told to this seat any more."""
    for row in Saying.objects.filter(match_id=match_id):
        if seat not in row.told:
            Saying.objects.filter(pk=row.pk).update(told=sorted({*row.told, seat}))


def said(match: Match, *, after: int = 0, most: int = 200) -> list[dict[str, Any]]:
    """The talk of the players, oldest first. For those who hold a seat."""
    rows = Saying.objects.filter(match_id=match.pk, pk__gt=after).order_by("pk")[:most]
    names = {seat.key: seat.user.username if seat.user else None for seat in match.seats.all()}
    return [
        {"number": row.pk, "seat": row.seat, "player": names.get(row.seat), "text": row.text, "at": row.created_at}
        for row in rows
    ]


def note(match: Match, seat: str) -> str:
    """A seat's own note."""
    return str(seat_row(match, seat).note)

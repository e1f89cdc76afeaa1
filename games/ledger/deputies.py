"""Somebody who may order for a seat while its person is away."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.kernel.errors import GameError, NotYourDecision
from games.ledger import outbox
from games.ledger.models import Match, Seat


def is_deputy(seat: Any, user: Any) -> bool:
    """Whether this person stands in for the seat's own at the moment."""
    if user is None or seat.deputy_id is None or seat.deputy_id != user.pk:
        return False
    return bool(seat.deputy_from <= timezone.now() < seat.deputy_until)


def acting_as(match: Match, seats: dict[str, Seat], key: str, user: Any) -> str:
    """How the ledger names who orders for a seat: `player` or `deputy`. Raises for anybody else."""
    row = seats.get(key)
    if row is None:
        raise GameError(f"Match {match.pk} has no seat {key!r}; it has {', '.join(seats)}.", code="no-such-seat")
    if user is None or row.user_id == user.pk:
        return "player"
    if is_deputy(row, user):
        return "deputy"
    raise NotYourDecision(f"The seat {key} of match {match.pk} is not yours.", code="not-your-seat")


def _own(match_id: int, key: str, user: Any) -> Seat:
    match = Match.objects.select_for_update().get(pk=match_id)
    row = match.seats.select_related("user", "deputy").filter(key=key, user=user).first()
    if row is None:
        raise NotYourDecision(f"The seat {key} of match {match_id} is not yours.", code="not-your-seat")
    if match.status != Match.Status.PLAYING:
        raise GameError(f"Match {match_id} is {match.status}; it needs no deputy.", code="not-open")
    row.match = match
    return row


@transaction.atomic
def must_hold(*, match_id: int, seat: str, user: Any) -> None:
    """Raises unless this is the person's own seat in a match that is played."""
    _own(match_id, seat, user)


@transaction.atomic
def deputy_set(*, match_id: int, seat: str, user: Any, deputy: Any, first: datetime, until: datetime) -> Seat:
    """The deputy has accepted: mails go there too, and orders from there count, within these dates."""
    row = _own(match_id, seat, user)
    if any(other.user_id == deputy.pk for other in row.match.seats.all()):
        raise GameError("Who has a seat in the match cannot be a deputy in it.", code="bad-setting")
    row.deputy, row.deputy_from, row.deputy_until = deputy, first, until
    row.save(update_fields=["deputy", "deputy_from", "deputy_until"])
    _tell_others(row, {"until": until.isoformat(), "first": first.isoformat()})
    if seat in row.match.owed and first <= timezone.now():
        outbox.tell_seat(row.match, row, "decision", to=deputy)
    return row


@transaction.atomic
def deputy_end(*, match_id: int, seat: str, user: Any) -> bool:
    """No deputy any more; False when there was none."""
    row = _own(match_id, seat, user)
    if row.deputy_id is None:
        return False
    row.deputy = row.deputy_from = row.deputy_until = None
    row.save(update_fields=["deputy", "deputy_from", "deputy_until"])
    _tell_others(row, {"ended": True})
    return True


def _tell_others(row: Seat, payload: dict[str, Any]) -> None:
    """The others learn that there is a deputy, not who."""
    match, match_id = row.match, row.match_id
    for other in match.seats.select_related("user"):
        if other.key != row.key and other.user_id and not other.bot:
            outbox.tell_seat(match, other, "deputy", {**payload, "seat": row.key})
    transaction.on_commit(lambda: outbox.changed(match_id))

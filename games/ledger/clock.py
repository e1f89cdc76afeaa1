"""Clocks: a seat that stays silent is reminded, then answered for, so that it does not keep the others waiting."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from games.kernel.steps import Action, legal
from games.ledger import outbox, timing
from games.ledger.calendar import after
from games.ledger.models import Match, Seat
from games.ledger.play import locked

QUIET_ANSWERS: tuple[Action, ...] = (("pass",), ("done",), ("r", "done"), ("adv", "no"), ("stay",), ("no",))
MOST_CLOCK_ANSWERS = 200
A_SWEEP = 500


@transaction.atomic
def clock_answer(*, match_id: int, seat: str) -> int:
    """Answer for a seat whose time is up, until it is no longer asked; how many entries that took.

    It does as little as the rules allow: `pass` or `done` where that is legal, else the first action listed.
    """
    hand = locked(match_id)
    hand.must_be_playing()
    row = hand.seats[seat]
    if not clock_is_up(hand.match, row) or _put_off(row):
        return 0
    for _ in range(MOST_CLOCK_ANSWERS):
        options = legal(hand.g, seat)
        if not options:
            break
        hand.act(seat, least(options), "clock")
        hand.go_on()
    if row.user_id:
        hours = hand.match.clock_hours
        outbox.tell_seat(hand.match, row, "timed-out", {"hours": hours, "count": len(hand.entries)})
    hand.close()
    return len(hand.entries)


def least(options: Sequence[Action]) -> Action:
    """The answer that does least."""
    for quiet in QUIET_ANSWERS:
        if quiet in options:
            return quiet
    return options[0]


def clock_is_up(match: Match, seat: Seat) -> bool:
    return seat.due_at is not None and seat.key in match.owed and timezone.now() >= seat.due_at


def _put_off(row: Seat) -> bool:
    """A sweep that comes late must not answer in quiet hours: the seat has until they are over."""
    now = timezone.now()
    row.due_at = after(timing.calendar_of(row.user), now, timedelta(0))
    if row.due_at <= now:
        return False
    row.save(update_fields=["due_at"])
    return True


def clocks_up() -> list[tuple[int, str]]:
    """Seats whose time is up, the longest first: for the sweep. One indexed query, however many matches run."""
    rows = Seat.objects.filter(due_at__lte=timezone.now(), match__fault="")
    return list(rows.order_by("due_at").values_list("match_id", "key")[:A_SWEEP])


def try_later(*, match_id: int, seat: str) -> None:
    """What cannot be answered for now must not stand before the others in every sweep."""
    Seat.objects.filter(match_id=match_id, key=seat).update(due_at=timezone.now() + timedelta(minutes=10))


# --- reminders ---------------------------------------------------------------------------------------------


def reminders_due() -> list[tuple[int, str, datetime]]:
    """Seats to be reminded, and the moment that is meant: for the sweep."""
    rows = Seat.objects.filter(remind_at__lte=timezone.now(), match__fault="")
    found = rows.order_by("remind_at").values_list("match_id", "key", "remind_at")[:A_SWEEP]
    return [(match_id, key, at) for match_id, key, at in found if at]


@transaction.atomic
def remind(*, match_id: int, seat: str, at: datetime) -> bool:
    """One reminder. Of several schedulers one writes it; once the seat has answered none does."""
    match = Match.objects.select_for_update().get(pk=match_id)  # first, as everybody does
    row = match.seats.select_related("user").get(key=seat)
    if row.remind_at != at or row.asked_since is None:
        return False
    number = row.reminded
    row.reminded += 1
    timing.skip_marks(match, row, timezone.now())
    timing.aim(match, row)
    row.save(update_fields=["remind_at", "reminded", "due_at"])
    outbox.tell_seat(match, row, "reminder", {"number": number, "asked": row.asked_since.isoformat()})
    transaction.on_commit(lambda: outbox.changed(match_id))
    return True

"""When a standing order ends, and in which order they are tried."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from games.kernel.errors import GameError
from games.kernel.orders import StandingOrder as KernelOrder
from games.kernel.orders import never_again, split_expiry
from games.kernel.ruleset import Ruleset
from games.kernel.steps import State
from games.ledger.models import Match, Seat, StandingOrder


def ends(text: str) -> dict[str, Any]:
    """`until turn 3`, `until 14 Mar`, `once`, `3 times`: as fields of a row."""
    expiry = split_expiry(text)[1]
    found: dict[str, Any] = {"until_turn": expiry.turn, "times": expiry.times}
    if expiry.date is not None:
        found["expires_at"] = _end_of_day(*expiry.date)
    return found


def _end_of_day(day: int, month: int) -> datetime:
    """The end of that day: this year's, or next year's when it has passed."""
    now = timezone.now()
    for year in (now.year, now.year + 1):
        try:
            end = datetime(year, month, day, tzinfo=UTC) + timedelta(days=1)
        except ValueError:
            raise GameError(f"There is no day {day} in month {month}.", code="unreadable") from None
        if end > now:
            return end
    raise AssertionError("a date of next year has passed")


def answers(row: StandingOrder, rules: Ruleset, g: State) -> bool:
    """Whether the order is armed still."""
    if row.withdrawn_at is not None or (row.times is not None and row.fired >= row.times):
        return False
    if row.expires_at is not None and timezone.now() >= row.expires_at:
        return False
    turn = rules.turn_of(g)
    return row.until_turn is None or turn is None or turn <= row.until_turn


def lost(row: StandingOrder, rules: Ruleset, g: State) -> str:
    """Why it can never answer again, whatever comes. Not written down: a take-back may bring the unit back."""
    orders = msgspec.convert(row.rules, list[KernelOrder])
    return never_again(rules, g, row.seat.key, orders)


def words(row: StandingOrder, rules: Ruleset, g: State | None) -> str:
    """How often it has answered and when it ends."""
    parts = [f"fired {row.fired} times"]
    if row.times is not None:
        parts.append(f"of {row.times}")
    if row.until_turn is not None:
        parts.append(f"until turn {row.until_turn}")
    if row.expires_at is not None:
        last = row.expires_at - timedelta(seconds=1)
        parts.append(f"until {last.day} {last:%b}")
    if g is not None and (why := lost(row, rules, g)):
        parts.append(f"over: {why}")
    elif g is not None and not answers(row, rules, g):
        parts.append("over")
    return ", ".join(parts)


@transaction.atomic
def move_up(*, match_id: int, seat: str, user: Any = None, number: int) -> int:
    """Try an order before the one above it; its new number comes back."""
    Match.objects.select_for_update().get(pk=match_id)
    row = Seat.objects.get(match_id=match_id, key=seat)
    if user is not None and row.user_id != user.pk:
        raise GameError(f"The seat {seat} of match {match_id} is not yours.", code="not-your-seat")
    armed = list(row.standing_orders.filter(withdrawn_at__isnull=True).order_by("number"))
    place = next((at for at, order in enumerate(armed) if order.number == number), None)
    if place is None:
        raise GameError(f"You have no standing order {number}.", code="not-found")
    if place == 0:
        raise GameError(f"Order {number} is tried first already.", code="illegal-action")
    upper, lower = armed[place - 1], armed[place]
    high, low = upper.number, lower.number
    free = 32_000  # a number nobody has: the two may not share one even for a moment
    StandingOrder.objects.filter(pk=upper.pk).update(number=free)
    StandingOrder.objects.filter(pk=lower.pk).update(number=high)
    StandingOrder.objects.filter(pk=upper.pk).update(number=low)
    return high

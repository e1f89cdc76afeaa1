"""Clocks: a seat that stays silent is answered for, so that it does not keep the others waiting."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from games.kernel.steps import Action, legal
from games.ledger import outbox
from games.ledger.models import Match, Seat
from games.ledger.play import locked
from games.ledger.selectors import due_at

QUIET_ANSWERS: tuple[Action, ...] = (("pass",), ("done",), ("r", "done"), ("adv", "no"), ("stay",), ("no",))
MOST_CLOCK_ANSWERS = 200


@transaction.atomic
def clock_answer(*, match_id: int, seat: str) -> int:
    """Answer for a seat whose time is up, until it is no longer asked; how many entries that took.

    It does as little as the rules allow: `pass` or `done` where that is legal, else the first action listed.
    """
    hand = locked(match_id)
    hand.must_be_playing()
    row = hand.seats[seat]
    if not clock_is_up(hand.match, row):
        return 0
    for _ in range(MOST_CLOCK_ANSWERS):
        options = legal(hand.g, seat)
        if not options:
            break
        hand.act(seat, least(options), "clock")
        hand.go_on()
    if row.user_id:
        outbox.tell_seat(hand.match, row, "timed-out", {"hours": hand.match.clock_hours, "count": len(hand.entries)})
    hand.close()
    return len(hand.entries)


def least(options: Sequence[Action]) -> Action:
    """The answer that does least."""
    for quiet in QUIET_ANSWERS:
        if quiet in options:
            return quiet
    return options[0]


def clock_is_up(match: Match, seat: Seat) -> bool:
    until = due_at(match, seat)
    return until is not None and seat.key in match.owed and timezone.now() >= until


def clocks_up() -> list[tuple[int, str]]:
    """Every seat whose time is up: for the sweep."""
    rows = Seat.objects.filter(
        match__status=Match.Status.PLAYING, match__clock_hours__isnull=False, asked_since__isnull=False, bot=""
    ).select_related("match")
    return [(row.match_id, row.key) for row in rows if not row.match.fault and clock_is_up(row.match, row)]

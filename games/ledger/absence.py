"""What the others may do about a player who cannot be reached for days: go on with a bot, or end as drawn."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.bots.registry import find_bot
from games.kernel.errors import GameError
from games.ledger import outbox
from games.ledger.models import Match, Seat
from games.ledger.play import Hand, locked
from games.ledger.stops import BOUNCE_DAYS, lift


def absent_seat(hand: Hand, own: str) -> Seat:
    """The seat whose mail has not arrived for long enough; raises with the time when there is none yet."""
    gone = [row for key, row in hand.seats.items() if key != own and row.user_id and not row.bot and row.bounced_since]
    if not gone:
        raise GameError("Nobody in this match is absent: their mail arrives.", code="not-absent")
    row = min(gone, key=lambda seat: seat.bounced_since or timezone.now())
    assert row.bounced_since is not None
    ripe = row.bounced_since + timedelta(days=BOUNCE_DAYS)
    if timezone.now() < ripe:
        raise GameError(
            f"We still try to reach them; this is possible from {ripe:%d %b %H:%M} UTC on.", code="too-early"
        )
    return row


@transaction.atomic
def absent_bot(*, match_id: int, seat: str, user: Any) -> str:
    """A bot answers for the absent one from now on; which one."""
    hand = locked(match_id)
    _own(hand, seat, user)
    row = absent_seat(hand, seat)
    key = next(
        (info.key for info in hand.rules.bots if not info.in_rules and row.key in (info.seats or (row.key,))), "random"
    )
    find_bot(hand.match.ruleset, key)
    row.bot, row.due_at, row.remind_at, row.clock_from = key, None, None, None
    row.save(update_fields=["bot", "due_at", "remind_at", "clock_from"])
    lift(hand.match, f"bounce:{row.key}")
    if row.key in hand.match.owed:
        outbox.ask_bot(hand.match, row, alone=False)
    outbox.tell_seat(hand.match, row, "absent", {"bot": key})
    transaction.on_commit(lambda: outbox.changed(match_id))
    return key


@transaction.atomic
def absent_draw(*, match_id: int, seat: str, user: Any) -> Match:
    """The match ends as drawn: an entry of the ledger, and the result to everybody."""
    hand = locked(match_id)
    _own(hand, seat, user)
    hand.must_be_playing()
    row = absent_seat(hand, seat)
    hand.note(seat, ("close",), "player")
    words = f"Ended as drawn: {hand.rules.seat_name(row.key)} could not be reached."
    hand.end({"winner": None, "result": "Drawn", "score": {}, "words": words})
    hand.close(actor=seat)
    return hand.match


def _own(hand: Hand, seat: str, user: Any) -> None:
    if seat not in hand.seats or hand.seats[seat].user_id != user.pk:
        raise GameError(f"The seat {seat} of match {hand.match.pk} is not yours.", code="not-your-seat")

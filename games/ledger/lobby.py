"""Before the first entry and after the last: leaving, filling seats, starting, playing again."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.bots.registry import bots_of, find_bot
from games.kernel.errors import BadSetup, GameError
from games.kernel.ruleset import Ruleset
from games.ledger import invitations, selectors, services
from games.ledger.models import Match, Seat
from games.ledger.play import Hand, locked


def _own(hand: Hand, user: Any, base: int | None, what: str) -> None:
    """Only the owner, and only while seats are empty."""
    services.check_base(hand.match, base)
    if hand.match.owner_id != user.pk:
        raise GameError(f"Only the one who opened a match can {what}.", code="not-yours")
    _still_open(hand.match, what)


def _still_open(match: Match, what: str) -> None:
    if match.status != Match.Status.OPEN:
        raise GameError(f"Match {match.pk} is {match.status}; it is too late to {what}.", code="not-open")


def _empty(hand: Hand) -> list[Seat]:
    return [row for row in hand.seats.values() if row.user_id is None and not row.bot]


@transaction.atomic
def match_leave(*, match_id: int, seat: str, user: Any, base: int | None = None) -> Match:
    """Give the seat back before the start; nothing of it stays behind."""
    hand = locked(match_id)
    services.check_base(hand.match, base)
    row = services.seat_row(hand.match, seat, user)
    _still_open(hand.match, "leave; resign instead")
    row.user, row.salt, row.joined_at, row.note = None, "", None, ""
    row.link_key += 1
    row.save(update_fields=["user", "salt", "joined_at", "note", "link_key"])
    return hand.match


@transaction.atomic
def match_start(
    *, match_id: int, user: Any, bots: Mapping[str, str] | None = None, base: int | None = None
) -> dict[str, str]:
    """The owner waits no longer: bots take the empty seats. Which ones, by seat."""
    hand = locked(match_id)
    _own(hand, user, base, "start it")
    chosen = dict(bots or {})
    for key in chosen:
        _must_be_empty(hand, key)
    for row in _empty(hand):
        chosen.setdefault(row.key, default_bot(hand.rules, row.key))
        _put_bot(hand, row, chosen[row.key])
    services.start_if_full(hand.match)
    return chosen


@transaction.atomic
def seat_bot(*, match_id: int, seat: str, user: Any, bot: str | None, base: int | None = None) -> Match:
    """The owner puts a bot into an empty seat, or with None takes it out again. A full table starts."""
    hand = locked(match_id)
    _own(hand, user, base, "choose its bots")
    row = services.seat_row(hand.match, seat)
    if row.user_id is not None:
        raise GameError(f"The seat {seat} of match {match_id} is held by a person.", code="seat-taken")
    if bot:
        _put_bot(hand, row, bot)
        services.start_if_full(hand.match)
    else:
        row.bot, row.joined_at = "", None
        row.save(update_fields=["bot", "joined_at"])
    return hand.match


def _must_be_empty(hand: Hand, key: str) -> None:
    row = services.seat_row(hand.match, key)
    if row.user_id is not None or row.bot:
        raise GameError(f"The seat {key} of match {hand.match.pk} is not free.", code="seat-taken")


def _put_bot(hand: Hand, row: Seat, bot: str) -> None:
    """A bot that needs other options than the match has can only be chosen when a match is opened."""
    rules = hand.rules
    find_bot(rules.key, bot)
    info = next((info for info in rules.bots if info.key == bot), None)
    if info is not None and info.seats and row.key not in info.seats:
        raise BadSetup(f"The bot {bot} plays {' or '.join(info.seats)}, not {row.key}.")
    if info is not None and (info.in_rules or _other_options(hand.match, info.options)):
        raise BadSetup(f"The bot {bot} changes the options; open a new match with it.")
    row.bot, row.joined_at = bot, timezone.now()
    row.save(update_fields=["bot", "joined_at"])


def _other_options(match: Match, wanted: Mapping[str, Any]) -> bool:
    return any(match.options.get(key) != value for key, value in wanted.items())


def default_bot(rules: Ruleset, seat: str) -> str:
    """The first bot made for this seat, else one that plays anything legal."""
    for info in rules.bots:
        fits = not info.seats or seat in info.seats
        if fits and not info.in_rules and info.key != "random" and info.key in bots_of(rules.key):
            return info.key
    return "random"


@transaction.atomic
def match_rematch(*, match_id: int, seat: str, user: Any, base: int | None = None) -> Match:
    """The same options again with the sides changed; people are invited, bots sit down at once."""
    match = locked(match_id).match
    services.check_base(match, base)
    if match.status != Match.Status.OVER:
        raise GameError(f"Match {match_id} is not over yet.", code="not-over")
    rows = list(match.seats.select_related("user"))
    others = [row for row in rows if row.key != seat and row.user is not None]
    own = others[0].key if len(rows) == 2 and others else seat
    bots = {row.key: row.bot for row in rows if row.bot} | dict(match.header.get("in_rules") or {})
    again = services.match_create(
        user=user,
        ruleset=match.ruleset,
        options=dict(match.options),
        seat=own,
        bots=bots,
        title=match.title,
        private=match.private,
        clock_hours=match.clock_hours,
    )
    for row in others:
        person: Any = row.user
        theirs = seat if own != seat else row.key
        invitations.invite(user=user, match_id=again.pk, username=person.username, seat=theirs)
    return selectors.match_get(again.pk, user)

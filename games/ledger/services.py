"""Everything that changes a match, for all doors: one transaction each, the match row locked first."""

import hashlib
import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import msgspec
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.utils import timezone

from games import catalogue
from games.bots.registry import check_bot
from games.kernel.errors import BadSetup, GameError, NotYourDecision, StaleOrders
from games.kernel.notation import action_from_json
from games.kernel.orders import Played, never_again, parse_standing, read_orders
from games.kernel.orders import StandingOrder as KernelOrder
from games.kernel.record import learned_nothing
from games.kernel.ruleset import Ruleset
from games.kernel.steps import Action, State, owed
from games.ledger import deputies, dice, standing, stops, takeback
from games.ledger.models import Match, SavedAnswer, Seat, StandingOrder
from games.ledger.play import Hand, locked
from games.ledger.trip import Look, Trip, Whole, finish, in_transaction

__all__ = ["Whole"]  # for doors that keep an answer with its effect
logger = logging.getLogger(__name__)
User = get_user_model()
MOST_CLOCK_HOURS = 24 * 60
MOST_OPEN = 200  # matches one person may have open or running


class Result(msgspec.Struct):
    """What became of orders."""

    version: int
    applied: int
    entries: list[int]
    lines: list[dict[str, Any]]
    refused: dict[str, Any] | None = None
    kept: list[str] = []


# --- opening a match -------------------------------------------------------------------------------------


@transaction.atomic
def match_create(
    *,
    user: Any,
    ruleset: str,
    options: Mapping[str, Any] | None = None,
    seat: str | None = None,
    bots: Mapping[str, str] | None = None,
    title: str = "",
    private: bool = False,
    salt: str = "",
    clock_hours: int | None = None,
    bot_seconds: int | None = None,
    bank_hours: int = 0,
) -> Match:
    """Open a match; it starts at once when every seat is filled. `seat` is the owner's own, if any."""
    rules = catalogue.find(ruleset)
    bots = dict(bots or {})
    if Match.objects.filter(owner=user, status__in=["open", "playing"]).count() >= MOST_OPEN:
        raise GameError(f"You have {MOST_OPEN} matches open or running; finish some first.", code="too-many")
    merged, in_rules = _options_with_bots(rules, options or {}, bots)
    setup = rules.setup(merged)
    keys = rules.seats(setup)
    _check_seats(rules, keys, seat, bots)
    seed = dice.new_seed()
    match = Match.objects.create(
        ruleset=rules.key,
        ruleset_version=rules.version,
        options=setup.options,
        title=title.strip()[:120],
        private=private,
        clock_hours=_checked_clock(clock_hours),
        bot_seconds=_checked_thinking(bot_seconds),
        bank_hours=_checked_bank(clock_hours, bank_hours),
        owner=user,
        seed=seed,
        commitment=dice.commitment(seed),
        header={"in_rules": in_rules} if in_rules else {},
    )
    own = seat if seat is not None else _first_free(keys, bots)
    for order, key in enumerate(keys):
        mine = key == own
        Seat.objects.create(
            match=match,
            key=key,
            order=order,
            user=user if mine else None,
            bot=bots.get(key, ""),
            salt=salt.strip()[:200] if mine else "",
            joined_at=timezone.now() if mine or key in bots else None,
            bank_left=match.bank_hours * 3600,
        )
    start_if_full(match)
    return Match.objects.get(pk=match.pk)


def _checked_clock(hours: int | None) -> int | None:
    if hours is not None and not 1 <= hours <= MOST_CLOCK_HOURS:
        raise BadSetup(f"The clock is 1 to {MOST_CLOCK_HOURS} hours for each answer, or none.")
    return hours


def _checked_thinking(seconds: int | None) -> int | None:
    if seconds is not None and not 1 <= seconds <= settings.BOT_SECONDS_MOST:
        raise BadSetup(f"Bots may think 1 to {settings.BOT_SECONDS_MOST} seconds here, or as long as is usual.")
    return seconds


def _checked_bank(clock: int | None, hours: int) -> int:
    if not 0 <= hours <= MOST_CLOCK_HOURS:
        raise BadSetup(f"The bank is 0 to {MOST_CLOCK_HOURS} hours for each seat.")
    if hours and clock is None:
        raise BadSetup("A bank needs a clock: give the hours for each answer too.")
    return hours


def check_clock(*, clock_hours: int | None, bank_hours: int) -> None:
    """Raises where no match could have this clock."""
    _checked_bank(_checked_clock(clock_hours), bank_hours)


def _options_with_bots(
    rules: Ruleset, options: Mapping[str, Any], bots: dict[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Some bots switch options on (a printed solitaire enemy); such a bot is played by the rules themselves."""
    merged, in_rules = dict(options), {}
    for key, bot in list(bots.items()):
        info = next((info for info in rules.bots if info.key == bot), None)
        if info is not None and (not info.seats or key in info.seats):
            merged.update(info.options)
            if info.in_rules:
                in_rules[key] = bots.pop(key)
    return merged, in_rules


def _check_seats(rules: Ruleset, keys: Sequence[str], seat: str | None, bots: Mapping[str, str]) -> None:
    for key in [*bots, *([seat] if seat else [])]:
        if key not in keys:
            raise BadSetup(f"{rules.title} has no seat {key!r} here; it has {', '.join(keys)}.")
    if seat and seat in bots:
        raise BadSetup(f"The seat {seat} cannot be both yours and the bot's.")
    for key, bot in bots.items():
        check_bot(rules.key, bot)
        info = next((info for info in rules.bots if info.key == bot), None)
        if info is not None and info.seats and key not in info.seats:
            raise BadSetup(f"The bot {bot} plays {' or '.join(info.seats)}, not {key}.")


def _first_free(keys: Sequence[str], bots: Mapping[str, str]) -> str | None:
    return next((key for key in keys if key not in bots), None)


@transaction.atomic
def match_join(*, user: Any, match_id: int, seat: str | None = None, salt: str = "", base: int | None = None) -> Match:
    """Take an empty seat; the last one to join starts the match."""
    hand = locked(match_id)
    match = hand.match
    check_base(match, base)
    if match.status != Match.Status.OPEN:
        raise GameError(f"Match {match_id} is {match.status}; it can no longer be joined.", code="not-open")
    free = [row for row in hand.seats.values() if row.user_id is None and not row.bot]
    if any(row.user_id == user.pk for row in hand.seats.values()):
        raise GameError(f"You already have a seat in match {match_id}.", code="already-seated")
    row = next((row for row in free if seat is None or row.key == seat), None)
    if row is None:
        names = ", ".join(row.key for row in free) or "none"
        raise GameError(f"That seat of match {match_id} is not free; free are: {names}.", code="seat-taken")
    row.user, row.salt, row.joined_at = user, salt.strip()[:200], timezone.now()
    row.save(update_fields=["user", "salt", "joined_at"])
    start_if_full(match)
    return Match.objects.get(pk=match_id)


def invitation(match: Match) -> str:
    """What lets somebody join a private match: given out by those who are in it."""
    return Signer(salt="match-invitation").sign(str(match.pk))


def invitation_fits(match_id: int, text: str) -> bool:
    try:
        return Signer(salt="match-invitation").unsign(text) == str(match_id)
    except BadSignature:
        return False


def start_if_full(match: Match) -> None:
    seats = list(match.seats.all())
    if any(row.user_id is None and not row.bot for row in seats):
        return
    match.status, match.started_at = Match.Status.PLAYING, timezone.now()
    match.header = {
        "format": "fallujah-match-1",
        "match": match.pk,
        "ruleset": match.ruleset,
        "ruleset_version": match.ruleset_version,
        "options": match.options,
        "seats": [[row.key, f"bot:{row.bot}" if row.bot else "player"] for row in seats],
        "salts": {row.key: row.salt for row in seats},
        "commitment": match.commitment,
        "started_at": match.started_at.isoformat(),
        **({"in_rules": match.header["in_rules"]} if match.header.get("in_rules") else {}),
    }
    match.save()
    hand = Hand(match, seats)
    hand.start()
    hand.go_on()
    hand.close()


@transaction.atomic
def match_cancel(*, user: Any, match_id: int, base: int | None = None) -> Match:
    """The owner withdraws a match that has not started."""
    match = locked(match_id).match
    check_base(match, base)
    if match.owner_id != user.pk:
        raise GameError("Only the one who opened a match can cancel it.", code="not-yours")
    if match.status != Match.Status.OPEN:
        raise GameError(f"Match {match_id} is {match.status}; only an open match can be cancelled.", code="not-open")
    match.status, match.ended_at = Match.Status.CANCELLED, timezone.now()
    match.save(update_fields=["status", "ended_at"])
    return match


# --- orders ----------------------------------------------------------------------------------------------


@in_transaction
def orders_submit(
    *,
    match_id: int,
    seat: str | None = None,
    user: Any = None,
    orders: str | Sequence[Any],
    base: int | None = None,
    dry_run: bool = False,
    all_or_nothing: bool = False,
) -> Result:
    """The one way in for people: a text, or a list of order texts and actions, applied in turn.

    Without `seat` it is the one the user holds. `base` is the version the player was looking at. Everything up
    to the first refused order stands, unless `all_or_nothing` is set; then a refusal leaves the match untouched
    if nothing was rolled or shown before it. `dry_run` plays in a world that fits what the seat knows, with
    other dice, and keeps nothing.
    """
    hand = locked(match_id)
    seat, by = _own_seat(hand, seat, user)
    hand.must_be_playing()
    check_base(hand.match, base)
    start = hand.match.head_seq
    if dry_run:
        hand.rehearse(seat)
    before = hand.g.clone()
    if isinstance(orders, str):
        if not orders.strip():
            raise GameError("The orders are empty; send at least one.", code="unreadable")
        result = _from_played(hand.play(seat, read_orders(hand.rules, orders), by))
    else:
        result = _play_list(hand, seat, orders, by)
    _must_have_been_asked(hand, seat, result)
    if dry_run:
        result.version = start
        return result
    if result.refused and (result.applied == 0 or (all_or_nothing and _harmless(hand, seat, before))):
        result.applied, result.entries, result.version = 0, [], start
        for line in result.lines:
            line["status"] = "would be ok" if line["status"] == "ok" else line["status"]
        return result
    result.entries = [entry.seq for entry in hand.entries]
    if result.kept:
        hand.set(seat, kept=result.kept)
    if not result.refused:
        hand.go_on()
    result.version = hand.match.head_seq
    hand.set(seat, seen_seq=result.version)
    hand.close(actor=seat)
    return result


def _own_seat(hand: Hand, seat: str | None, user: Any) -> tuple[str, str]:
    """The seat that is ordered for, and how the ledger names who does."""
    if seat is None:
        seat = next((key for key, row in hand.seats.items() if user and row.user_id == user.pk), None)
        if seat is None:
            raise NotYourDecision(f"You have no seat in match {hand.match.pk}.", code="not-your-seat")
    return seat, deputies.acting_as(hand.match, hand.seats, seat, user)


def _must_have_been_asked(hand: Hand, seat: str, result: Result) -> None:
    """Orders of a seat that owes nothing are refused, unless they were marked `then` and are kept."""
    if result.applied or result.refused or result.kept or seat in owed(hand.g):
        return
    names = " and ".join(hand.rules.seat_name(key) for key in owed(hand.g))
    raise NotYourDecision(f"It is not {hand.rules.seat_name(seat)}'s decision; {names} must answer first.")


def _harmless(hand: Hand, seat: str, before: State) -> bool:
    """Whether what was just played may be undone: nothing was rolled or shown. Else it would be a peek."""
    actions = [tuple(entry.action) for entry in hand.entries]
    rolled = any(entry.rolls for entry in hand.entries)
    return not rolled and learned_nothing(hand.rules, before, seat, actions)


def check_base(match: Match, base: int | None) -> None:
    if base is not None and base != match.head_seq:
        raise StaleOrders(
            f"You were looking at entry {base}, but match {match.pk} is at entry {match.head_seq} now. "
            "Look again and send your orders for that.",
            version=match.head_seq,
        )


def seat_row(match: Match, key: str, user: Any = None) -> Seat:
    """The seat, checked to be this user's when one is given."""
    row = match.seats.filter(key=key).first()
    if row is None:
        keys = ", ".join(match.seats.values_list("key", flat=True))
        raise GameError(f"Match {match.pk} has no seat {key!r}; it has {keys}.", code="no-such-seat")
    if user is not None and row.user_id != user.pk:
        raise NotYourDecision(f"The seat {key} of match {match.pk} is not yours.", code="not-your-seat")
    return row


def _play_list(hand: Hand, seat: str, orders: Sequence[Any], by: str) -> Result:
    """A JSON list whose items are order texts or actions as arrays."""
    if not orders:
        raise GameError("The orders are empty; send at least one.", code="unreadable")
    result = Result(hand.match.head_seq, 0, [], [])
    for item in orders:
        if isinstance(item, str):
            part = _from_played(hand.play(seat, read_orders(hand.rules, item), by))
        else:
            part = _play_action(hand, seat, action_from_json(item), by)
        result.lines += part.lines
        result.applied += part.applied
        result.kept += part.kept
        if part.refused:
            result.refused = part.refused
            break
    return result


def _play_action(hand: Hand, seat: str, action: Action, by: str) -> Result:
    taken, error = hand.play_actions(seat, [action], by)
    line: dict[str, Any] = {"text": " ".join(map(str, action)), "status": "ok" if taken else "refused"}
    if error is None:
        line["actions"] = [list(action)]
        return Result(0, 1, [], [line])
    line |= {"why": error.text, "code": error.code, "rule": error.rule, "nearest": list(error.nearest)}
    return Result(0, 0, [], [line], refused=line)


def _from_played(played: Played) -> Result:
    lines = []
    refused = None
    for line in played.lines:
        plain: dict[str, Any] = {"text": line.text, "status": line.status, "actions": [list(a) for a in line.actions]}
        if line.why:
            plain |= {"why": line.why, "code": line.code, "rule": line.rule, "nearest": list(line.nearest)}
        lines.append(plain)
        if line.status in ("refused", "not read"):
            refused = plain
    return Result(0, played.taken, [], lines, refused, played.kept)


@transaction.atomic
def seat_resign(*, match_id: int, seat: str, user: Any = None, base: int | None = None) -> Match:
    """Give the match up: an entry, and the end."""
    hand = locked(match_id)
    seat_row(hand.match, seat, user)
    hand.must_be_playing()
    check_base(hand.match, base)
    hand.note(seat, ("resign",), "player")
    others = [key for key in hand.seats if key != seat]
    name = hand.rules.seat_name(seat)
    winner = others[0] if len(others) == 1 else None
    words = f"{name} resigned." + (f" {hand.rules.seat_name(winner)} wins." if winner else "")
    hand.end({"winner": winner, "result": "Resigned", "score": {}, "words": words})
    hand.close(actor=seat)
    return hand.match


# --- taking back -----------------------------------------------------------------------------------------


@transaction.atomic
def take_back(
    *,
    match_id: int,
    seat: str,
    user: Any = None,
    count: int = 1,
    reason: str = "",
    base: int | None = None,
    as_far_as_possible: bool = False,
) -> dict[str, Any]:
    """Take back the seat's last `count` entries: at once if nobody learned anything, else by asking.

    `as_far_as_possible` takes back at once what can be and asks for the rest; too large a count means all.
    """
    hand = locked(match_id)
    deputies.acting_as(hand.match, hand.seats, seat, user)
    hand.must_be_playing()
    check_base(hand.match, base)
    return (takeback.as_far_as_possible if as_far_as_possible else takeback.ask)(hand, seat, count, reason)


@transaction.atomic
def take_back_answer(
    *, match_id: int, seat: str, user: Any = None, agree: bool, base: int | None = None
) -> dict[str, Any]:
    """Another seat's answer to a request."""
    hand = locked(match_id)
    seat_row(hand.match, seat, user)
    hand.must_be_playing()
    check_base(hand.match, base)
    return takeback.answer(hand, seat, agree)


# --- standing orders -------------------------------------------------------------------------------------


@transaction.atomic
def standing_set(*, match_id: int, seat: str, user: Any = None, text: str, base: int | None = None) -> StandingOrder:
    """Arm a standing order; it answers from now on, also a question that waits already."""
    hand = locked(match_id)
    row = seat_row(hand.match, seat, user)
    hand.must_be_playing()
    check_base(hand.match, base)
    if row.standing_orders.filter(withdrawn_at__isnull=True).count() >= 50:
        raise GameError("A seat can have 50 standing orders; withdraw some first.", code="too-many")
    if text.strip().lower() in ("default", "defaults"):
        text, parsed = _default_orders(hand.rules, seat)
    else:
        parsed = parse_standing(hand.rules, text)
    if why := never_again(hand.rules, hand.g, seat, parsed):
        raise GameError(f"{why[0].upper()}{why[1:]}, so this order could never answer.", code="illegal-action")
    last = row.standing_orders.order_by("-number").first()
    order = StandingOrder.objects.create(
        seat=row, number=last.number + 1 if last else 1, text=text[:400], rules=msgspec.to_builtins(parsed),
        **standing.ends(text),
    )  # fmt: skip
    hand.set(seat, armed=hand.seats[seat].armed + 1)
    hand.go_on()
    hand.close(actor=seat)
    return StandingOrder.objects.get(pk=order.pk)


def _default_orders(rules: Ruleset, seat: str) -> tuple[str, list[KernelOrder]]:
    """The set a game proposes to a seat, as one order that is withdrawn as one."""
    texts = rules.standing_defaults.get(seat, ())
    if not texts:
        raise GameError(f"{rules.title} proposes no standing orders to {seat}.", code="not-found")
    return "default: " + "; ".join(texts), [order for text in texts for order in parse_standing(rules, text)]


@transaction.atomic
def standing_withdraw(*, match_id: int, seat: str, user: Any = None, number: int, base: int | None = None) -> None:
    hand = locked(match_id)
    row = seat_row(hand.match, seat, user)
    check_base(hand.match, base)
    if not row.standing_orders.filter(number=number, withdrawn_at__isnull=True).update(withdrawn_at=timezone.now()):
        raise GameError(f"You have no standing order {number}.", code="not-found")
    hand.set(seat, armed=hand.seats[seat].armed - 1)
    hand.close()


# --- looking leaves a trace ------------------------------------------------------------------------------


def saw(*, match_id: int, seat: str | None, seq: int, by_mail: bool = False) -> None:
    """Remember the last entry a seat (or, with None, the public) was shown: take-backs depend on it."""
    if seat is None:
        Match.objects.filter(pk=match_id, public_seen_seq__lt=seq).update(public_seen_seq=seq)
    else:
        Seat.objects.filter(match_id=match_id, key=seat, seen_seq__lt=seq).update(seen_seq=seq)
        if not by_mail:  # a mail that is only about to leave starts no clock
            stops.seen(match_id=match_id, seat=seat)


def mailed(*, match_id: int, seat: str, seq: int) -> None:
    """A mail to the seat told everything up to this entry; the next one goes on from there."""
    Seat.objects.filter(match_id=match_id, key=seat, mailed_seq__lt=seq).update(mailed_seq=seq)
    saw(match_id=match_id, seat=seat, seq=seq, by_mail=True)


def auto_replied(*, match_id: int, seat: str) -> None:
    """The seat's address answered by itself; its next mail says so."""
    Seat.objects.filter(match_id=match_id, key=seat).update(auto_reply_at=timezone.now())


def auto_reply_told(*, match_id: int, seat: str) -> None:
    Seat.objects.filter(match_id=match_id, key=seat).update(auto_reply_at=None)


@transaction.atomic
def seat_link_rotate(*, match_id: int, seat: str, user: Any = None) -> Seat:
    """Page links and reply addresses made so far stop working; the next mail carries new ones."""
    row = seat_row(locked(match_id).match, seat, user)
    row.link_key += 1
    row.save(update_fields=["link_key"])
    return row


@transaction.atomic
def note_set(*, match_id: int, seat: str, user: Any = None, text: str, base: int | None = None) -> None:
    """A seat's own note, shown to nobody else."""
    match = locked(match_id).match
    row = seat_row(match, seat, user)
    check_base(match, base)
    row.note = text.strip()[:2000]
    row.save(update_fields=["note"])


# --- same request, same answer ---------------------------------------------------------------------------


def request_hash(*parts: bytes | str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()


ANSWERS: Look[SavedAnswer] = Look(
    lambda user_id, key: SavedAnswer.objects.filter(user_id=user_id, key=key), 2_000_000_011, "key"
)


def answer_find(*, user: Any, key: str) -> SavedAnswer | None:
    """The answer already given under this key, or None: then the key is ours until the transaction ends.

    Call inside a transaction. An equal request that comes meanwhile waits here until the answer is saved.
    """
    assert transaction.get_connection().in_atomic_block, "a key is held by a transaction"
    trip = Trip()
    trip.hold("answer", user.pk, key)
    found = trip.look(ANSWERS, user.pk, key)
    trip.go()
    return found[0] if found else None


def answer_save(*, user: Any, key: str, wanted: str, status: int, body: bytes, headers: dict[str, str]) -> SavedAnswer:
    """Keep the answer of a key that was found free, inside the transaction that made it."""
    row = SavedAnswer(user_id=user.pk, key=key, request_hash=wanted, status=status, body=body, headers=headers)
    trip = Trip()
    trip.insert([row])
    finish(trip)
    return row


def answer_must_fit(saved: SavedAnswer, wanted: str) -> None:
    """An answer is repeated to the same request only."""
    if saved.request_hash != wanted:
        raise GameError(
            "This Idempotency-Key was used for another request; use a new key for a new request.",
            code="idempotency-mismatch",
        )


def answers_forget(*, days: int = 30) -> int:
    """Old answers are no longer repeated."""
    return SavedAnswer.objects.filter(created_at__lt=timezone.now() - timedelta(days=days)).delete()[0]

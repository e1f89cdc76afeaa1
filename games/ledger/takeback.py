"""Take-backs: an entry that voids the ones before it, granted by comparing what was shown."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.kernel.errors import IllegalAction
from games.kernel.record import Entry as Line
from games.kernel.record import learned_nothing, live, view_bytes
from games.kernel.steps import State
from games.ledger import outbox, replay, stops
from games.ledger.models import TakeBackRequest
from games.ledger.play import Hand


def ask(hand: Hand, seat: str, count: int, reason: str) -> dict[str, Any]:
    """Grant at once or write a request; the seats that must agree are told by mail."""
    lines = live(replay.lines(hand.match.pk))
    tail = _tail(lines, seat, count)
    before = replay.state_from_start(hand.rules, hand.match, lines[: len(lines) - count])
    learned = who_learned(hand, seat, before, tail)
    if not learned:
        return _void(hand, seat, before, tail)
    others = [key for key, row in hand.seats.items() if key != seat and not row.bot]
    if seat in learned and not others:
        raise IllegalAction(
            f"Entry {tail[0].seq} cannot be taken back: you have seen something since (a roll or a card).",
            code="learned",
        )
    hand.match.take_back_requests.filter(status="asked").update(status="lapsed")
    TakeBackRequest.objects.create(
        match=hand.match, seat=seat, count=count, asked_at_seq=hand.match.head_seq, reason=reason[:300]
    )
    stops.hold(hand.match, "take-back", timezone.now() + timedelta(hours=stops.TAKE_BACK_HOURS))
    for key in others:
        if hand.seats[key].user_id:
            outbox.tell_seat(hand.match, hand.seats[key], "take-back", {"count": count, "reason": reason[:300]})
    return {"granted": False, "asked": others, "learned": sorted(learned), "version": hand.match.head_seq}


def as_far_as_possible(hand: Hand, seat: str, count: int, reason: str) -> dict[str, Any]:
    """The newest entries from which nobody learned anything at once; the others are asked for the rest."""
    lines = live(replay.lines(hand.match.pk))
    count = min(count, _own(lines, seat)) or count
    _tail(lines, seat, count)  # raises what is wrong with it
    free, most = 0, count
    while free < most:  # who has learned from fewer entries has learned from more
        middle = (free + most + 1) // 2
        before = replay.state_from_start(hand.rules, hand.match, lines[: len(lines) - middle])
        if who_learned(hand, seat, before, lines[len(lines) - middle :]):
            most = middle - 1
        else:
            free = middle
    if not free:
        return ask(hand, seat, count, reason)
    before = replay.state_from_start(hand.rules, hand.match, lines[: len(lines) - free])
    done = _void(hand, seat, before, lines[len(lines) - free :])
    if free == count:
        return done
    try:
        rest = ask(Hand.open(hand.match.pk), seat, count - free, reason)
    except IllegalAction as error:  # nobody to ask, or the rest is not its own
        return {**done, "rest": count - free, "why": error.text}
    return {**done, "rest": count - free, "asked": rest.get("asked", []), "version": rest["version"]}


def answer(hand: Hand, seat: str, agree: bool) -> dict[str, Any]:
    """When all other people have agreed the entries are void; one refusal ends it."""
    request = hand.match.take_back_requests.filter(status="asked").first()
    if request is None or request.seat == seat:
        raise IllegalAction("Nobody asks you to take anything back.", code="not-found")
    if not agree:
        request.status = TakeBackRequest.Status.REFUSED
        request.save(update_fields=["status"])
        stops.lift(hand.match, "take-back")
        outbox.tell_seat(hand.match, hand.seats[request.seat], "take-back-refused")
        return {"granted": False, "version": hand.match.head_seq}
    request.agreed = sorted({*request.agreed, seat})
    waiting = [
        key for key, row in hand.seats.items() if key != request.seat and not row.bot and key not in request.agreed
    ]
    if waiting:
        request.save(update_fields=["agreed"])
        return {"granted": False, "asked": waiting, "version": hand.match.head_seq}
    request.status = TakeBackRequest.Status.GRANTED
    request.save(update_fields=["status", "agreed"])
    lines = live(replay.lines(hand.match.pk))
    before = replay.state_from_start(hand.rules, hand.match, lines[: len(lines) - request.count])
    return _void(hand, request.seat, before, lines[len(lines) - request.count :])


def _own(lines: list[Line], seat: str) -> int:
    """How many of the last live entries are the seat's own."""
    own = 0
    for line in reversed(lines[1:]):
        if line.seat != seat:
            break
        own += 1
    return own


def _tail(lines: list[Line], seat: str, count: int) -> list[Line]:
    """The last `count` live entries, which must all be the seat's own and not the opening."""
    if count < 1:
        raise IllegalAction("Take back at least one entry.")
    own = _own(lines, seat)
    if own == 0:
        raise IllegalAction(
            "There is nothing of yours to take back: the last entry is not yours.", code="nothing-to-take-back"
        )
    if count > own:
        raise IllegalAction(f"Only your last {own} entries can be taken back, not {count}.")
    return lines[len(lines) - count :]


def who_learned(hand: Hand, seat: str, before: State, tail: list[Line]) -> set[str]:
    """The seats (and `public`) that were shown something the voided entries brought.

    The seat itself learned something if its own actions could have looked different in a world it could
    not tell from this one. Another seat did if its view has changed and it was shown the change.
    """
    learned: set[str] = set()
    rolled = any(line.rolls for line in tail)
    if rolled or not learned_nothing(hand.rules, before, seat, [line.action for line in tail]):
        learned.add(seat)
    first = tail[0].seq
    for key, row in hand.seats.items():
        if key != seat and row.seen_seq >= first and _differs(hand, before, key):
            learned.add(key)
    if hand.match.public_seen_seq >= first and len(hand.seats) > 1 and _differs(hand, before, None):
        learned.add("public")
    return learned


def _differs(hand: Hand, before: State, key: str | None) -> bool:
    return view_bytes(hand.rules, before, key) != view_bytes(hand.rules, hand.g, key)


def _void(hand: Hand, seat: str, before: State, tail: list[Line]) -> dict[str, Any]:
    hand.g = before
    hand.note(seat, ("undo", len(tail)), "player")
    hand.seats[seat].kept = []
    hand.seats[seat].save(update_fields=["kept"])
    hand.close(actor=seat)
    return {"granted": True, "entries": [line.seq for line in tail], "version": hand.match.head_seq}

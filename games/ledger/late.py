"""Orders written for an older position: whether anything they rely on has changed since.

The orders are tried in the old position and in the present one, each time in a world the seat cannot tell
from the real one, and compared step by step: the question, the action, its words, odds and rule, and the part
of the seat's view the ruleset says the action reads. When in doubt they count as changed.
"""

from collections.abc import Sequence

import msgspec

from games.kernel.errors import GameError
from games.kernel.orders import Order, play_orders, read_orders
from games.kernel.record import live
from games.kernel.ruleset import Ruleset
from games.kernel.steps import Action, State, apply, owed, question
from games.kernel.table import News, Seat, SeededTable
from games.ledger import replay, selectors
from games.ledger.models import Match


class _Stop(Exception):
    """Chance has decided; nothing after it can be compared."""


class Step(msgspec.Struct, frozen=True):
    """One action on the way: what was asked, how it was offered, what it reads."""

    question: str
    action: Action
    offered: tuple[str, str, str]
    reads: bytes


class Traced(msgspec.Struct):
    """How far the orders go before chance or another seat decides."""

    steps: list[Step] = []
    refused: str = ""
    rest: list[bytes] = []  # what the orders after that name


def what_changed(match: Match, seat: Seat, base: int, texts: Sequence[str]) -> str:
    """Why orders written after entry `base` are not played as they stand; empty when nothing has changed."""
    rules = selectors.rules_of(match)
    now = selectors.state_of(match)
    if seat not in owed(now):
        names = " and ".join(rules.seat_name(key) for key in owed(now))
        return f"It is not your move at the moment; {names} must answer first."
    then = selectors.state_of(match, base)
    if seat not in owed(then) or not _same_question(then, now):
        return "You are asked something else now."
    orders = [order for text in texts for order in read_orders(rules, text)]
    before, after = _trace(rules, then, seat, orders), _trace(rules, now, seat, orders)
    if before.refused or after.refused:
        return after.refused or "Your orders did not fit the older position either."
    for old, new in zip(before.steps, after.steps, strict=False):
        if (old.question, old.action) != (new.question, new.action):
            return f"{rules.say(now, new.action)} would be another order now."
        if old.offered != new.offered:
            return f"{rules.say(now, new.action)}: now {_said(new)}; it was {_said(old)}."
        if old.reads != new.reads:
            return f"What {rules.say(now, new.action)} relies on has changed."
    if len(before.steps) != len(after.steps) or before.rest != after.rest:
        return "Something your orders rely on has changed."
    again = _given_since(match, seat, base, [step.action for step in after.steps])
    return f"You have given that order since, in entry {again}." if again else ""


def _same_question(then: State, now: State) -> bool:
    """The same kind of question; a window must be the very same one."""
    old, new = question(then), question(now)
    if old is None or new is None or type(old) is not type(new):
        return False
    return not new.window or old == new


def _said(step: Step) -> str:
    words, odds, _ = step.offered
    return f"{words} ({odds})" if odds else words


def _trace(rules: Ruleset, g: State, seat: Seat, orders: Sequence[Order]) -> Traced:
    found = Traced(steps=[], rest=[])
    world = rules.imagine(g, seat, SeededTable(0))
    view = rules.view(world, seat)

    def act(state: State, who: Seat, action: Action) -> Sequence[News]:
        found.steps.append(_step(rules, state, who, action, first=not found.steps))
        table = SeededTable(0)
        apply(state, who, action, table)
        if table.rolls:
            raise _Stop
        return table.news

    reached = 0
    try:
        played = play_orders(rules, world, seat, orders, act)
        reached = sum(line.status in ("ok", "passed over", "skipped") for line in played.lines)
        if played.stopped:
            found.refused = next(line.why for line in played.lines if line.status in ("refused", "not read"))
    except _Stop:
        pass
    except GameError as error:
        found.refused = error.text
    for order in orders[reached:]:
        reads = rules.relies(view, seat, tuple(order.text.split()))
        if reads is not view:  # it names something
            found.rest.append(_bytes(reads))
    return found


def _step(rules: Ruleset, g: State, seat: Seat, action: Action, *, first: bool) -> Step:
    view = rules.view(g, seat)
    reads = rules.relies(view, seat, action)
    # `done` after orders that named things relies on what they did; alone it relies on everything.
    part = b"" if reads is view and not first else _bytes(reads)
    offered = (rules.describe(g, seat, action), rules.odds(g, seat, action), rules.cite(g, action))
    return Step(type(question(g)).__name__, action, offered, part)


def _bytes(part: object) -> bytes:
    return msgspec.json.encode(part, order="sorted")


def _given_since(match: Match, seat: Seat, base: int, actions: Sequence[Action]) -> int:
    """The entry in which the seat did the first of these after `base`: a late copy must not do it twice."""
    for line in live(replay.lines(match.pk)):
        if line.seq > base and line.seat == seat and line.action in actions[:1]:
            return line.seq
    return 0

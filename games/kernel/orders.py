"""Compound orders, guards, and standing orders: what lets one message carry a whole turn."""

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from games.kernel.errors import Fact, GameError, Unreadable
from games.kernel.notation import split_orders
from games.kernel.ruleset import Before, Read, Ruleset
from games.kernel.steps import Action, State, apply, check, owed, question
from games.kernel.table import News, Seat, Table

MOST_ORDERS = 400  # more atomic actions than any one message of any game needs


class Receipt(msgspec.Struct, frozen=True):
    """How far a list of actions got."""

    taken: int  # how many actions were applied
    refused: str = ""  # why the next was not; empty if none was refused


def apply_orders(g: State, seat: Seat, actions: Sequence[Action], table: Table) -> Receipt:
    """Apply actions in turn until one is refused. Each is whole or not at all."""
    for taken, action in enumerate(actions):
        try:
            check(g, seat, action)
        except GameError as error:
            return Receipt(taken, error.text)
        apply(g, seat, action, table, trusted=True)
    return Receipt(len(actions))


class Line(msgspec.Struct):
    """What became of one typed order."""

    text: str
    status: str = "not played"  # ok, passed over, kept, skipped, refused, not read, not played
    actions: list[Action] = []
    why: str = ""
    code: str = ""
    rule: str = ""
    nearest: tuple[str, ...] = ()


class Order(msgspec.Struct, frozen=True):
    """A typed order taken apart: `then if overrun go TK-A 30`."""

    text: str
    guard: str = ""
    unless: bool = False
    kept: bool = False
    stop: bool = False  # `stop if pinned`: when the guard holds, nothing further is played


_STOP = re.compile(r"^stop\s+if\s+(.+)$", re.IGNORECASE)
_GUARD = re.compile(r"^(if|unless)\s+([\w-]+\([^)]*\)|[\w-]+(?:\s*(?:<=|>=|!=|<|>|=)\s*-?\w+)?)\s+(.+)$", re.IGNORECASE)


def read_orders(rules: Ruleset, text: str) -> list[Order]:
    """Every order of a message, in the order written."""
    return [parse_order(chunk) for chunk in split_orders(text, rules.verbs)]


def parse_order(text: str) -> Order:
    kept = text.lower().startswith("then ")
    body = text[5:].strip() if kept else text
    if stop := _STOP.match(body):
        return Order(body, guard=stop[1].strip(), stop=True, kept=kept)
    if guard := _GUARD.match(body):
        return Order(guard[3], guard=guard[2], unless=guard[1].lower() == "unless", kept=kept)
    return Order(body, kept=kept)


class Played(msgspec.Struct):
    """The account of a whole message."""

    lines: list[Line]
    kept: list[str]  # orders marked `then` that wait for another seat's answer
    stopped: bool = False  # a line was refused or not read

    @property
    def taken(self) -> int:
        return sum(len(line.actions) for line in self.lines)


Act = Callable[[State, Seat, Action], Sequence[News]]


def play_orders(rules: Ruleset, g: State, seat: Seat, orders: Sequence[Order], act: Act) -> Played:
    """Play typed orders on `g` through `act`, which applies one action and returns its news.

    Stops at the first order that is refused or cannot be read, or when the seat owes nothing more; then
    the orders marked `then` are handed back as kept.
    """
    played = Played([Line(_original(order)) for order in orders], [])
    news: Sequence[News] = ()
    trail = Trail()
    for index, (order, line) in enumerate(zip(orders, played.lines, strict=True)):
        if seat not in owed(g):
            return _hand_back(played, orders, index)
        try:
            if order.guard and rules.holds(g, seat, order.guard, news) is (order.unless or False):
                line.status = "skipped"
                continue
            if order.stop:
                line.status = "ok"
                _drop_rest(played, index + 1, "dropped: " + order.text)
                return played
            news = _play_line(rules, g, seat, order, line, act, news, trail)
        except GameError as error:
            line.status = "not read" if isinstance(error, Unreadable) else "refused"
            line.why, line.code, line.rule, line.nearest = error.text, error.code, error.rule, error.nearest
            played.stopped = True
            return played
    return played


def _original(order: Order) -> str:
    then = "then " if order.kept else ""
    if order.stop or not order.guard:
        return then + order.text
    return f"{then}{'unless' if order.unless else 'if'} {order.guard} {order.text}"


class Trail:
    """What `read_after` is told of the order before."""

    def __init__(self) -> None:
        self.before: Before | None = None

    def passed(self, text: str, where: str) -> None:
        """An order that was passed over belongs where the one before it was played."""
        self.before = Before(text, self.before.where if self.before else where)


def _play_line(
    rules: Ruleset, g: State, seat: Seat, order: Order, line: Line, act: Act, news: Sequence[News], trail: Trail
) -> Sequence[News]:
    queue = rules.expand(order.text)
    done = 0
    told: list[News] = []
    while queue:
        text = queue.pop(0)
        if seat not in owed(g):
            line.status = "ok" if line.actions else "passed over"
            line.why = "another seat must answer first" if owed(g) else "the game is over"
            return news
        where = rules.context(g)
        found: Read = rules.read_after(g, seat, text, trail.before)
        if found.action is None:
            line.why = found.note
            trail.passed(text, where)
            continue
        trail.before = Before(text, where)
        told.extend(act(g, seat, found.action))
        news = told  # a guard after a path looks at the whole of it
        line.actions.append(found.action)
        done += 1
        if done > MOST_ORDERS:
            raise Unreadable(f"{order.text}: this stands for more than {MOST_ORDERS} actions.")
        if found.again:
            queue.insert(0, text)
    line.status = "ok" if line.actions else "passed over"
    return news


def _hand_back(played: Played, orders: Sequence[Order], start: int) -> Played:
    for order, line in zip(orders[start:], played.lines[start:], strict=True):
        if order.kept:
            line.status = "kept"
            played.kept.append(_original(order))
    return played


def _drop_rest(played: Played, start: int, why: str) -> None:
    for line in played.lines[start:]:
        line.why = why


# --- standing orders -----------------------------------------------------------------------------------

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
Condition = tuple[str, str, Fact]


class StandingOrder(msgspec.Struct, frozen=True):
    """`on <decision> if <facts> do <answer>`: answers a decision while its owner is away."""

    decision: str  # class name of the Decision it answers, or of a base of it
    do: tuple[str, ...]  # order texts, read when it fires; the first legal one is the answer
    when: tuple[Condition, ...] = ()


def standing_answer(rules: Ruleset, g: State, seat: Seat, orders: Iterable[StandingOrder]) -> tuple[int, Action] | None:
    """The number (from 0) and answer of the first standing order that fits the present question."""
    decision = question(g)
    if decision is None or seat not in decision.seats(g):
        return None
    facts = decision.facts(g)
    names = {cls.__name__ for cls in type(decision).__mro__}
    for number, order in enumerate(orders):
        if order.decision in names and all(_true(facts, condition) for condition in order.when):
            action = _first_legal(rules, g, seat, order.do)
            if action is not None:
                return number, action
    return None


def _true(facts: dict[str, Fact], condition: Condition) -> bool:
    name, relation, value = condition
    if name not in facts:
        return False
    fact = facts[name]
    if isinstance(fact, str) is not isinstance(value, str):
        return False
    return COMPARE[relation](fact, value)


def _first_legal(rules: Ruleset, g: State, seat: Seat, texts: Iterable[str]) -> Action | None:
    for text in texts:
        try:
            action = rules.read(g, seat, text).action
            if action is not None:
                check(g, seat, action)
                return action
        except GameError:
            continue  # an answer that does not fit here is not an error: the next one is tried, then the person
    return None


_RULE = re.compile(r"^on\s+([\w-]+)(?:\s+in\s+([\w\s,./-]+?))?(?:\s+if\s+(.+?))?\s+do\s+(.+)$", re.IGNORECASE)
_CONDITION = re.compile(r"^([\w-]+)\s*(<=|>=|!=|<|>|=)\s*(-?\w+)$")


def parse_standing(rules: Ruleset, text: str) -> list[StandingOrder]:
    """`on <decision> [in <places>] [if <fact> <op> <value> and ..] do <answer>[; <answer>]`, or a game's sugar."""
    sugar = rules.standing_sugar(text)
    lines = [text] if sugar is None else sugar
    return [order for line in lines for order in _parse_rule(rules, line)]


def _parse_rule(rules: Ruleset, text: str) -> list[StandingOrder]:
    found = _RULE.match(" ".join(text.split()))
    known = ", ".join(sorted(rules.decisions)) or "none"
    if found is None:
        raise Unreadable(
            f"{text!r} is not a standing order. Write: on <decision> if <fact> <op> <value> do <answer>; "
            f"decisions are {known}."
        )
    decision = rules.decisions.get(found[1].lower())
    if decision is None:
        raise Unreadable(f"{rules.title} has no decision {found[1]!r} to stand for; it has {known}.")
    conditions = tuple(_parse_condition(part) for part in re.split(r"\s+and\s+", found[3] or "") if part)
    answers = tuple(part.strip() for part in found[4].split(";") if part.strip())
    if not found[2]:
        return [StandingOrder(decision, answers, conditions)]
    places = [part for part in re.split(r"[\s,]+", found[2]) if part]
    return [StandingOrder(decision, answers, (("area", "=", _value(place)), *conditions)) for place in places]


def _parse_condition(text: str) -> Condition:
    found = _CONDITION.match(text.strip())
    if found is None:
        raise Unreadable(f"{text!r} is not a condition; write a fact, one of < <= = != >= >, and a value.")
    return (found[1].lower(), found[2], _value(found[3]))


def _value(text: str) -> Fact:
    return int(text) if re.fullmatch(r"-?\d+", text) else text.lower()

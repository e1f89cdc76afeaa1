"""Compound orders, guards, and standing orders: what lets one message carry a whole turn."""

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from games.kernel.errors import Fact, GameError, Unreadable
from games.kernel.notation import listed, split_orders
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
_COND = r"(?:[\w-]+\([^)]*\)|[\w-]+(?:\s*(?:<=|>=|!=|<|>|=)\s*-?\w+)?)"
_GUARD = re.compile(rf"^(if|unless)\s+({_COND}(?:\s+and\s+{_COND})*)\s+(.+)$", re.IGNORECASE)


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
            if order.guard and _holds(rules, g, seat, order.guard, news) is (order.unless or False):
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


def _holds(rules: Ruleset, g: State, seat: Seat, guard: str, news: Sequence[News]) -> bool:
    """`cp<3 and ov>=10`: all of it must be true."""
    return all(rules.holds(g, seat, part, news) for part in re.split(r"\s+and\s+", guard, flags=re.IGNORECASE))


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


def never_again(rules: Ruleset, g: State, seat: Seat, orders: Sequence[StandingOrder]) -> str:
    """Why these can answer nothing any more: each of their answers names something that is gone for good."""
    lost: list[str] = []
    for order in orders:
        found = [rules.gone(g, seat, text) for text in order.do]
        if not all(found):
            return ""
        lost += found
    names = list(dict.fromkeys(lost))
    return f"{listed(names, 'and')} {'is' if len(names) == 1 else 'are'} out of the game" if names else ""


class Expiry(msgspec.Struct, frozen=True):
    """When a standing order ends; all empty: with the match."""

    turn: int | None = None  # the last turn it answers in
    date: tuple[int, int] | None = None  # day and month: the last day it answers on
    times: int | None = None


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EXPIRY = re.compile(
    r"[\s,;]+(?:until\s+turn\s+(\d{1,3})|until\s+(\d{1,2})\.?\s+([a-z]{3})[a-z]*|(once)|(\d{1,3})\s+times)$",
    re.IGNORECASE,
)


def split_expiry(text: str) -> tuple[str, Expiry]:
    """`on answer do duck until turn 3` -> the order and when it ends."""
    line = " ".join(text.split()).rstrip(".")
    found = _EXPIRY.search(line)
    if found is None:
        return line, Expiry()
    rest = line[: found.start()]
    if found[1]:
        return rest, Expiry(turn=int(found[1]))
    if found[2]:
        month = found[3].lower()
        if month not in _MONTHS or not 1 <= int(found[2]) <= 31:
            raise Unreadable(f"{found[2]} {found[3]} is not a date; write until 14 Mar.")
        return rest, Expiry(date=(int(found[2]), _MONTHS.index(month) + 1))
    times = 1 if found[4] else int(found[5])
    if not times:
        raise Unreadable("An order that answers 0 times does nothing.")
    return rest, Expiry(times=times)


_RULE = re.compile(r"^on\s+([\w-]+)(?:\s+in\s+([\w\s,./-]+?))?(?:\s+if\s+(.+?))?\s+do\s+(.+)$", re.IGNORECASE)
_CONDITION = re.compile(r"^([\w-]+)\s*(<=|>=|!=|<|>|=)\s*(-?\w+)$")


def parse_standing(rules: Ruleset, text: str) -> list[StandingOrder]:
    """`on <decision> [in <places>] [if <fact> <op> <value> and ..] do <answer>[; <answer>] [else ..]`, or sugar.

    When it ends (`until turn 3`, `once`) is not part of it: see `split_expiry`.
    """
    text = split_expiry(text)[0]
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
    places = [part for part in re.split(r"[\s,]+", found[2] or "") if part]
    where: list[tuple[Condition, ...]] = [(("area", "=", _value(place)),) for place in places] or [()]
    ways = re.split(r"\s+or\s+", found[3] or "", flags=re.IGNORECASE)
    do, _, otherwise = re.sub(r"\s+else\s+", "\n", found[4], count=1, flags=re.IGNORECASE).partition("\n")
    orders = [
        StandingOrder(decision, _answers(do), (*place, *_conditions(rules, found[1].lower(), way)))
        for place in where
        for way in ways
    ]
    if otherwise and otherwise.strip().lower() != "ask":
        orders += [StandingOrder(decision, _answers(otherwise), place) for place in where]
    return orders


def _answers(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(";") if part.strip())


def _conditions(rules: Ruleset, word: str, text: str) -> tuple[Condition, ...]:
    """Facts the seat cannot see, or that this decision does not have, are refused at once."""
    parts = re.split(r"\s+and\s+", text, flags=re.IGNORECASE)
    conditions = tuple(_parse_condition(part) for part in parts if part.strip())
    known = rules.standing_facts.get(word)
    for name, _, _ in conditions:
        if known is not None and name not in known:
            raise Unreadable(f"You cannot see {name!r} at {word}; conditions may read {', '.join(sorted(known))}.")
    return conditions


def _parse_condition(text: str) -> Condition:
    found = _CONDITION.match(text.strip())
    if found is None:
        raise Unreadable(f"{text!r} is not a condition; write a fact, one of < <= = != >= >, and a value.")
    return (found[1].lower(), found[2], _value(found[3]))


def _value(text: str) -> Fact:
    return int(text) if re.fullmatch(r"-?\d+", text) else text.lower()

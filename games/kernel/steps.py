"""The stack machine: a state is data plus a `todo` stack whose top is what happens next.

A Step runs by itself; a Decision waits for a seat. Steps are frozen, so cloning a state shares them,
and the stack is readable JSON.
"""

import itertools
import keyword
import typing
from collections.abc import Iterator
from typing import Any, ClassVar, Self

import msgspec

from games.kernel.errors import Fact, IllegalAction, MatchOver, NotYourDecision
from games.kernel.table import Seat, Table

Action = tuple[str | int, ...]


class Step(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Something that happens by itself. A ruleset names its State as the type of `g`."""

    asks: ClassVar[bool] = False

    def run(self, g: Any, table: Table) -> None:
        raise AssertionError(f"{type(self).__name__} cannot run by itself")


class Decision(Step, frozen=True, array_like=True, tag=True):
    """A question to one or more seats, with one method a verb.

    The decision is taken off the stack before its verb runs: a verb that wants to ask again pushes the
    next question itself. A verb that is a Python keyword is spelled with an underscore (`pass_`), and a
    hyphen in a verb is one too.
    """

    asks: ClassVar[bool] = True
    always_ask: ClassVar[bool] = False  # True where closing an empty window would give something away
    takes_seat: ClassVar[bool] = False  # True: verbs are called with (g, table, seat, *args)
    window: ClassVar[bool] = False  # True: an interrupt of somebody else's turn

    def seats(self, g: Any) -> tuple[Seat, ...]:
        raise NotImplementedError

    def options(self, g: Any, seat: Seat) -> Iterator[Action]:
        """Every legal action, lazily, in a stable order."""
        raise NotImplementedError

    def surely_open(self, g: Any) -> bool:
        """True where two options are known to exist without listing them: saves `settle` the look."""
        return False

    def facts(self, g: Any) -> dict[str, Fact]:
        """What prompts and standing orders may read; only what every asked seat may know."""
        return {}


class State(msgspec.Struct):
    """Scalars, and flat lists or dicts of immutable values: `clone` copies one level only."""

    todo: list[Any]

    def do(self, *steps: Step) -> None:
        """These happen next, in the order written; whatever was pending waits beneath."""
        if len(steps) == 1:
            self.todo.append(steps[0])
        else:
            self.todo.extend(reversed(steps))

    def clone(self) -> Self:
        cls = type(self)
        copier = _COPIERS.get(cls)
        if copier is None:
            copier = _COPIERS[cls] = _make_copier(cls)
        return typing.cast(Self, copier(self))


_COPIERS: dict[type, Any] = {}


def _make_copier(cls: type[State]) -> Any:
    """A straight-line copy function for one state class: about two microseconds a clone.

    Each field's copy is chosen once from its annotation, so nothing is inspected while cloning.
    """
    hints = typing.get_type_hints(cls)
    parts = []
    for field in msgspec.structs.fields(cls):
        origin = typing.get_origin(hints[field.name]) or hints[field.name]
        if origin in (list, bytearray):
            parts.append(f"g.{field.name}[:]")
        elif origin in (dict, set):
            parts.append(f"g.{field.name}.copy()")
        else:
            parts.append(f"g.{field.name}")
    scope: dict[str, Any] = {"cls": cls}
    exec(f"def copier(g): return cls({', '.join(parts)})", scope)  # noqa: S102 - our own field names
    return scope["copier"]


class _Methods(dict[str, str]):
    """Verb -> method name, worked out once for each verb."""

    def __missing__(self, verb: str) -> str:
        name = verb.replace("-", "_")
        self[verb] = name = name + "_" if keyword.iskeyword(name) else name
        return name


_METHODS = _Methods()
_NOTHING: list[tuple[Seat, Action]] = []


def settle(g: State, table: Table) -> list[tuple[Seat, Action]]:
    """Run steps, close windows that have a single answer, stop at a real question or the end.

    Returns what was answered without asking, for those who want to tell it.
    """
    closed = _NOTHING
    todo = g.todo
    while todo:
        step = todo.pop()
        if not step.asks:
            step.run(g, table)
            continue
        todo.append(step)
        if step.always_ask or step.surely_open(g):
            return closed
        forced = _forced(g, step)
        if forced is None:
            return closed
        seat, action = forced
        if closed is _NOTHING:
            closed = []
        closed.append(forced)
        todo.pop()
        verb = getattr(step, _METHODS[action[0]])  # type: ignore[index]
        if step.takes_seat:
            verb(g, table, seat, *action[1:])
        else:
            verb(g, table, *action[1:])
    return closed


def _forced(g: State, decision: Decision) -> tuple[Seat, Action] | None:
    """The first asked seat that has only one answer, if any."""
    for seat in decision.seats(g):
        options = iter(decision.options(g, seat))
        only = next(options, None)
        if only is None:
            raise AssertionError(f"{type(decision).__name__} asks {seat} and offers nothing")
        if next(options, None) is None:
            return seat, only
    return None


def owed(g: State) -> tuple[Seat, ...]:
    """The seats that owe an answer; empty when the game is over."""
    return g.todo[-1].seats(g) if g.todo else ()


def legal(g: State, seat: Seat) -> list[Action]:
    """Every action this seat may take now; empty when it owes nothing."""
    if not g.todo:
        return []
    decision = g.todo[-1]
    if seat not in decision.seats(g):
        return []
    return list(decision.options(g, seat))


def question(g: State) -> Decision | None:
    """The decision on top of the stack, or None when the game is over."""
    return g.todo[-1] if g.todo else None


def check(g: State, seat: Seat, action: Action) -> None:
    """Raise the error that says why `seat` may not do `action` now; return if it may."""
    if not g.todo:
        raise MatchOver("The game is over; nothing more can be ordered.")
    decision: Decision = g.todo[-1]
    seats = decision.seats(g)
    if seat not in seats:
        raise NotYourDecision(
            f"It is not {seat}'s decision; {' and '.join(seats)} must answer first.", owed=" ".join(seats)
        )
    if action in decision.options(g, seat):
        return
    offered = [notation(option) for option in itertools.islice(decision.options(g, seat), 400)]
    near = nearest(notation(action), offered)
    raise IllegalAction(f"{notation(action) or 'nothing'}: not possible now; try {', '.join(near)}.", nearest=near)


def apply(g: State, seat: Seat, action: Action, table: Table, *, trusted: bool = False) -> None:
    """Carry out one legal action and everything that follows by itself. Mutates `g`.

    A refusal leaves `g` untouched. `trusted` skips the check, for replay and search.
    """
    if not trusted:
        check(g, seat, action)
    decision = g.todo.pop()
    verb = getattr(decision, _METHODS[action[0]])  # type: ignore[index]
    if decision.takes_seat:
        verb(g, table, seat, *action[1:])
    else:
        verb(g, table, *action[1:])
    settle(g, table)


def notation(action: Action) -> str:
    """The canonical line of an action: its words joined by spaces."""
    return " ".join(map(str, action))


def nearest(text: str, offered: list[str], most: int = 5) -> list[str]:
    """The offered lines most like `text`: same verb first, then shared words, then list order."""
    words = text.lower().split()

    def unlike(line: str) -> tuple[bool, int]:
        theirs = line.lower().split()
        shared = sum(1 for word in words if word in theirs)
        return (not words or theirs[:1] != words[:1], -shared)

    return sorted(offered, key=unlike)[:most]

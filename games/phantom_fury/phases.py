"""8. Sequence of play, and what the phases of a shared company have in common."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import ClassVar

from games.kernel.ruleset import Decision
from games.kernel.steps import Action, Step, notation
from games.kernel.table import Fact, Seat, Table
from games.phantom_fury.board import SEATS, Board, all_seats

Passed = tuple[tuple[Seat, tuple[str, ...]], ...]
SEQUENCE = ("support", "reinforce", "fire", "move", "assault", "reorg")
PHASES: dict[str, "type[Phase]"] = {}
OPENERS: dict[str, Callable[[Board, Table], None]] = {}


class Begin(Step, frozen=True):
    """8. The next phase of the sequence."""

    name: str

    def run(self, g: Board, table: Table) -> None:
        g.phase = self.name
        OPENERS[self.name](g, table)


def begin_after(name: str) -> Begin:
    return _BEGINS[SEQUENCE[(SEQUENCE.index(name) + 1) % len(SEQUENCE)]]


_BEGINS = {name: Begin(name) for name in SEQUENCE}


class Phase(Decision, frozen=True):
    """One of the phases in which a seat acts until it passes.

    In a shared company every seat owes at once. A pass keeps what the seat could have done, so that it
    can be withdrawn when something new becomes possible.
    """

    takes_seat: ClassVar[bool] = True
    name: ClassVar[str] = ""
    shared: ClassVar[bool] = True  # False: the commander's alone
    passed: Passed = ()

    def seats(self, g: Board) -> tuple[Seat, ...]:
        if not g.platoons:
            return _SINGLE
        if not self.shared:
            return _COMMANDER
        gone = {seat for seat, _ in self.passed}
        return tuple(seat for seat in all_seats(g) if seat not in gone)

    def acts(self, g: Board, owner: int) -> Iterable[Action]:
        """What the units of one owner may do; 0 is the commander, -1 the single player."""
        raise NotImplementedError

    def may_pass(self, g: Board, owner: int) -> bool:
        return True

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        owner = SEATS.index(seat) if g.platoons else -1
        last = _PASS if self.may_pass(g, owner) else ()
        return chain(self.acts(g, owner), last)

    def facts(self, g: Board) -> dict[str, Fact]:
        acts = sum(1 for seat in self.seats(g) for action in self.options(g, seat) if action[0] != "pass")
        return {"name": self.name, "acts": acts, "turn": g.turn, "vp": g.vp}

    def again(self) -> Step:
        """This question once more, after whatever is pending."""
        return Reopen(self.name, self.passed) if self.passed else self

    def pass_(self, g: Board, table: Table, seat: Seat) -> None:
        if g.platoons and self.shared:
            could = tuple(notation(action) for action in self.options(g, seat) if action[0] != "pass")
            passed = (*self.passed, (seat, could))
            if len(passed) < g.platoons + 1:
                g.do(type(self)(passed))
                return
        g.do(begin_after(self.name))


class Reopen(Step, frozen=True):
    """A pass is withdrawn when something new has become possible for the seat that passed."""

    name: str
    passed: Passed

    def run(self, g: Board, table: Table) -> None:
        kind = PHASES[self.name]
        kept = []
        for seat, could in self.passed:
            question = kind(())
            new = [action for action in question.options(g, seat) if action[0] != "pass"]
            if all(notation(action) in could for action in new):
                kept.append((seat, could))
            else:
                table.tell("pass-withdrawn", to=seat, seat=seat, phase=self.name)
        g.do(kind(tuple(kept)))


_PASS: tuple[Action, ...] = (("pass",),)
_SINGLE = ("usmc",)
_COMMANDER = ("co",)


def open_with(kind: type[Phase]) -> type[Phase]:
    """Register a phase whose opening is no more than its question."""
    question = kind(())

    def opener(g: Board, _table: Table) -> None:
        g.do(question)

    PHASES[kind.name] = kind
    OPENERS.setdefault(kind.name, opener)
    return kind

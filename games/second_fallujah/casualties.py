"""8. Insurgent Casualty Points: who is flipped, who falls back, who dies."""

from collections.abc import Iterator
from itertools import islice

from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision, Step
from games.kernel.table import Seat, Table
from games.second_fallujah.absorption import (
    DUG_PRICE,
    allocations,
    can_absorb,
    capacity,
    most_absorbed,
    prices,
)
from games.second_fallujah.board import (
    Board,
    common_facts,
    distinct,
    eliminate,
    relocate,
    retreat_areas,
    update_control,
)
from games.second_fallujah.priorities import BotLosses
from games.second_fallujah.tables import CP_DONE, DUG, ID, INSURGENT, LETTER, SPENT, UNIT


class Casualties(Step, frozen=True):
    """8.2. The defenders of `area` absorb `points`; never an Overrun, which needs no choice."""

    unit_fields = ("lead",)
    area: int
    points: int
    lead: int

    def run(self, g: Board, table: Table) -> None:
        units = g.ins[self.area]
        total = most_absorbed(g, units, self.lead, self.points)
        if total == 0:
            table.tell("losses-ignored", area=self.area, points=self.points, unit=ID[self.lead])
            return
        if g.solitaire:
            table.tell("bot", rule="15", words="absorbs", area=self.area)
            BotLosses(g, self.area, self.points, self.lead, table).take()
        elif total == capacity(g, units):
            for unit in units:
                _kill(g, unit, self.area, table)
        elif g.mode[self.lead] == DUG:
            _kill(g, self.lead, self.area, table)
            g.do(Absorb(self.area, total - DUG_PRICE, -1, g.ins[self.area]))
        else:
            g.do(Absorb(self.area, total, self.lead, units))


class Absorb(Step, frozen=True):
    """8.2. What can be done in one way only is done; the rest is asked."""

    unit_fields = ("lead", "open")
    area: int
    left: int
    lead: int
    open: tuple[int, ...]

    def run(self, g: Board, table: Table) -> None:
        if self.left == 0:
            return
        ways = list(islice(allocations(g, self.open, self.lead, self.left), 2))
        if len(ways) > 1:
            g.do(CasualtiesChoice(self.area, self.left, self.lead, self.open))
            return
        falling_back = []
        for unit, points in zip(self.open, ways[0], strict=True):
            outcome = {price: word for word, price in prices(unit, g.mode[unit])}.get(points)
            if outcome == "retreat":
                falling_back.append(unit)
            elif outcome:
                _suffer(g, unit, self.area, outcome, 0, table)
        if falling_back:
            g.do(RetreatChoice(self.area, tuple(falling_back)))


class CasualtiesChoice(Decision, frozen=True):
    """8.2, D11. One outcome a unit until the points are absorbed; the lead takes the first."""

    unit_fields = ("lead", "open")
    window = True
    area: int
    left: int
    lead: int
    open: tuple[int, ...]

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (INSURGENT,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        for unit in distinct(g, self.open):
            rest = tuple(other for other in self.open if other != unit)
            lead = -1 if unit == self.lead else self.lead
            for outcome, price in prices(unit, g.mode[unit]):
                if price <= self.left and can_absorb(g, rest, lead, self.left - price):
                    yield from _outcomes(g, unit, self.area, outcome)
        if self.left == 0:
            yield CP_DONE

    def facts(self, g: Board) -> dict[str, Fact]:
        lead = self.lead if self.lead >= 0 else self.open[0]
        dug = sum(1 for unit in self.open if g.mode[unit] == DUG)
        return common_facts(g) | {
            "area": self.area,
            "points": self.left,
            "capacity": capacity(g, self.open),
            "lead": LETTER[lead].lower(),
            "dug": dug,
        }

    def cp(self, g: Board, table: Table, name: str, outcome: str = "", to: int | str = 0) -> None:
        unit = UNIT[name]
        price = dict(prices(unit, g.mode[unit]))[outcome]
        _suffer(g, unit, self.area, outcome, to, table)
        rest = tuple(other for other in self.open if other != unit)
        g.do(Absorb(self.area, self.left - price, -1 if unit == self.lead else self.lead, rest))


class RetreatChoice(Decision, frozen=True):
    """8.3. Units that must fall back, one at a time, each seeing the stacks left by the one before."""

    unit_fields = ("units",)
    window = True
    area: int
    units: tuple[int, ...]

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (INSURGENT,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        yield from _outcomes(g, self.units[0], self.area, "retreat")

    def facts(self, g: Board) -> dict[str, Fact]:
        return common_facts(g) | {
            "area": self.area,
            "points": len(self.units),
            "lead": LETTER[self.units[0]].lower(),
            "dug": 0,
        }

    def cp(self, g: Board, table: Table, name: str, outcome: str, to: int | str) -> None:
        _suffer(g, UNIT[name], self.area, outcome, to, table)
        rest = tuple(unit for unit in self.units if unit != UNIT[name])
        if rest:
            g.do(RetreatChoice(self.area, rest))


def _outcomes(g: Board, unit: int, area: int, outcome: str) -> Iterator[Action]:
    if outcome != "retreat":
        yield ("cp", ID[unit], outcome)
        return
    to = retreat_areas(g, area)
    for b in to:
        yield ("cp", ID[unit], "retreat", b)
    if not to:
        yield ("cp", ID[unit], "retreat", "none")


def _suffer(g: Board, unit: int, area: int, outcome: str, to: int | str, table: Table) -> None:
    if outcome == "kill":
        _kill(g, unit, area, table)
    elif outcome == "spent":
        g.mode[unit] = SPENT
        table.tell("loss-spent", unit=ID[unit], area=area)
    elif isinstance(to, int):
        g.mode[unit] = SPENT
        relocate(g, unit, to)
        update_control(g, area, table)
        table.tell("loss-retreat", unit=ID[unit], area=area, goal=to)
    else:
        eliminate(g, unit)
        table.tell("loss-trapped", unit=ID[unit], area=area)


def _kill(g: Board, unit: int, area: int, table: Table) -> None:
    eliminate(g, unit)
    table.tell("loss-kill", unit=ID[unit], area=area)

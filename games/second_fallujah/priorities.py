"""12.2, 15, 16. How the insurgent bot chooses: priorities, Casualty Points, retreats."""

from collections.abc import Callable, Sequence

from games.kernel.table import SearchTable, Table
from games.second_fallujah.absorption import best_total, capacity_of
from games.second_fallujah.board import Board, cf_of, eliminate, is_free_for_insurgents, leaders, relocate
from games.second_fallujah.board import retreat_areas as legal_retreats
from games.second_fallujah.tables import (
    ADJ,
    C0,
    COA,
    DUG,
    F0,
    FRESH,
    FRESH_LIMIT,
    ID,
    M0,
    MOSQUE,
    PIZZA_SLICE,
    SPENT,
    STACK_LIMIT,
    TEM,
    TO_PIZZA_SLICE,
)


def narrow(table: Table, candidates: Sequence[int], *tests: Callable[[int], int]) -> int:
    """12.2: keep the best under each test in turn; whoever is left after the last is drawn by lot."""
    left = list(candidates)
    for test in tests:
        if len(left) == 1:
            return left[0]
        marks = [test(candidate) for candidate in left]
        best = max(marks)
        left = [candidate for candidate, mark in zip(left, marks, strict=True) if mark == best]
    return left[0] if len(left) == 1 else left[table.draw(len(left))]


def retreat_choice(g: Board, options: Sequence[int], table: Table) -> int:
    """16. Where a unit falls back to."""
    ins = g.ins

    def in_terrain(tem: int) -> Callable[[int], int]:
        return lambda b: -len(ins[b]) if TEM[b] == tem and is_free_for_insurgents(g, b) else -99

    def nearer(b: int) -> int:
        return 0 if g.control[PIZZA_SLICE] == COA else -TO_PIZZA_SLICE[b]

    return narrow(
        table,
        options,
        in_terrain(4),
        in_terrain(3),
        lambda b: MOSQUE[b],
        nearer,
        lambda b: any(unit < M0 for unit in ins[b]),
        lambda b: TEM[b],
    )


def reaction_retreats(g: Board, area: int) -> list[int]:
    """16, 17: Free, TEM 2 or more, room for one more and no more than five Fedayeen and Cadres after it."""
    return [
        b
        for b in ADJ[area]
        if is_free_for_insurgents(g, b) and TEM[b] >= 2 and len(g.ins[b]) < STACK_LIMIT and leaders(g, b) < FRESH_LIMIT
    ]


def combat_retreats(g: Board, area: int) -> list[int]:
    """16: the legal areas of 8.3, those that would hold more than five Fedayeen and Cadres last."""
    legal = list(legal_retreats(g, area))
    return [b for b in legal if leaders(g, b) < FRESH_LIMIT] or legal


def lead_choice(g: Board, tied: Sequence[int]) -> int:
    """R37: of tied lead defenders the Dug In one, then a Fedayeen, then the lowest id."""
    return max(tied, key=lambda unit: (g.mode[unit] == DUG, unit >= F0, -unit))


class BotLosses:
    """15. Casualty Points taken point by point, never making the greatest absorption unreachable (R39)."""

    def __init__(self, g: Board, area: int, points: int, lead: int, table: Table) -> None:
        self.g, self.area, self.left, self.lead, self.table = g, area, points, lead, table
        self.units = list(g.ins[area])
        self.room = {unit: capacity_of(unit, g.mode[unit]) for unit in self.units}  # points it can still take
        self.retreated: set[int] = set()
        self.killed: list[int] = []

    def take(self) -> list[int]:
        """Carry it out; the units eliminated."""
        if self.g.mode[self.lead] == DUG:
            if self.left < 3:
                return []
            self._kill(self.lead, 3)
        else:
            self._first_point(self.lead)
        while self.left > 0 and (self._one(True) or self._one(False) or self._trapped()):
            pass
        return self.killed

    def _first_point(self, lead: int) -> None:
        if lead >= M0:
            self._kill(lead, 1)
        elif self.g.mode[lead] == FRESH:
            self._flip(lead)
        else:
            self._retreat(lead)

    def _one(self, careful: bool) -> bool:
        """The first of a to e that is possible; a and b want somewhere uncrowded to go."""
        to = legal_retreats(self.g, self.area)
        if not careful or any(leaders(self.g, b) < FRESH_LIMIT for b in to):
            for unit in self._of(C0, F0) + self._of(F0, M0) if to else ():
                if self.g.mode[unit] == SPENT and unit not in self.retreated and self._fits(unit, 1):
                    self._retreat(unit)
                    return True
            for unit in self._of(C0, F0) + self._of(F0, M0):
                if self.g.mode[unit] == FRESH and self._fits(unit, 1):
                    self._flip(unit)
                    return True
        for unit in self._of(M0, 10**6):
            if self._fits(unit, 1):
                self._kill(unit, 1)
                return True
        for unit in self._of(F0, M0) + self._of(C0, F0):
            if self.g.mode[unit] == SPENT and self._fits(unit, self.room[unit]):
                self._kill(unit, self.room[unit])
                return True
        for unit in self._of(F0, M0):
            if self.g.mode[unit] == DUG and self._fits(unit, 3):
                self._kill(unit, 3)
                return True
        return False

    def _of(self, low: int, high: int) -> list[int]:
        return [unit for unit in self.units if low <= unit < high and self.room[unit] > 0]

    def _trapped(self) -> bool:
        """The last resort: a Spent unit with nowhere to go dies for the price of its retreat (8.3)."""
        for unit in self._of(F0, M0) + self._of(C0, F0):
            if self.g.mode[unit] == SPENT and unit not in self.retreated:
                self._retreat(unit)
                return True
        return False

    def _fits(self, unit: int, cost: int) -> bool:
        if cost > self.left or cost > self.room[unit]:
            return False
        after = dict(self.room)
        after[unit] -= cost
        return cost + self._best(after, self.left - cost) == self._best(self.room, self.left)

    def _best(self, room: dict[int, int], points: int) -> int:
        dug = sum(1 for unit in self.units if self.g.mode[unit] == DUG and room[unit])
        loose = sum(points for unit, points in room.items() if self.g.mode[unit] != DUG)
        return best_total(loose, dug, 0, points)

    def _flip(self, unit: int) -> None:
        self.g.mode[unit] = SPENT
        self.room[unit] -= 1
        self.left -= 1
        self.table.tell("loss-spent", unit=ID[unit], area=self.area)

    def _retreat(self, unit: int) -> None:
        self.left -= 1
        options = combat_retreats(self.g, self.area)
        if not options:
            self.room[unit] = 0
            self._remove(unit, "loss-trapped")
            return
        to = retreat_choice(self.g, options, self.table)
        self.table.tell("bot", rule="16", words="falls-back", area=to)
        relocate(self.g, unit, to)
        self.retreated.add(unit)
        self.room[unit] -= 1
        self.table.tell("loss-retreat", unit=ID[unit], area=self.area, goal=to)

    def _kill(self, unit: int, cost: int) -> None:
        self.left -= cost
        self.room[unit] = 0
        self._remove(unit, "loss-kill")

    def _remove(self, unit: int, news: str) -> None:
        eliminate(self.g, unit)
        self.killed.append(unit)
        self.table.tell(news, unit=ID[unit], area=self.area)


def provisional_kills(g: Board, area: int, points: int, lead: int) -> int:
    """15 (3): how many Fedayeen and Cadres this result would cost, worked out on a copy."""
    twin = g.clone()
    killed = BotLosses(twin, area, points, lead, SearchTable(0)).take()
    return sum(1 for unit in killed if unit < M0)


def lowest_defence(g: Board, area: int) -> int:
    """The Combat Factor of the Coalition lead defender in an area."""
    return max(cf_of(g, unit) for unit in g.coa[area])

"""4.1.1. The insurgent impulse: move and strike out of one area, dig in, organise resistance, pass."""

from collections.abc import Iterator, Sequence

from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision, Step
from games.kernel.table import Seat, Table
from games.second_fallujah.board import (
    Board,
    clear_impulse,
    common_facts,
    is_free_for_insurgents,
    leave_behind,
    militia_in_pool,
    mp_left,
    names,
    place_militia,
    relocate,
    update_control,
)
from games.second_fallujah.coalition import activate
from games.second_fallujah.solitaire import placeable
from games.second_fallujah.strike import InsurgentAttack
from games.second_fallujah.tables import (
    ADJ,
    AREA,
    AREAS,
    DIG,
    DONE,
    DROP,
    DUG,
    F0,
    FRESH,
    ID,
    INS,
    INSURGENT,
    LETTER,
    M0,
    MF,
    MOST_UNDOS,
    PASS,
    PICK,
    SPENT,
    STACK_LIMIT,
    STEP,
    STRIKE,
    SUPPORT,
    UNDIG,
    UNIT,
)


def insurgent_entry_cost(g: Board, area: int) -> int:
    """6.1, from the insurgents' side; the first group's cost holds for the impulse."""
    record = g.entry.get(area)
    if record is not None:
        return record[1]
    if g.coa[area]:
        return 4 if any(g.mode[u] and not SUPPORT[u] for u in g.coa[area]) else 3
    return 1 if g.control[area] == INS else 2


def strike_cost(g: Board, area: int) -> int:
    """6.1: 1 MP if every Coalition unit there is Spent, else 2 MP."""
    return 2 if any(g.mode[unit] for unit in g.coa[area]) else 1


def insurgent_exits(g: Board, area: int) -> Iterator[tuple[int, int]]:
    """Where a unit may step from an area, with the cost; out of a contested area only into a Free one."""
    leaving, ins = bool(g.coa[area]), g.ins
    for b in ADJ[area]:
        if len(ins[b]) < STACK_LIMIT and not (leaving and not is_free_for_insurgents(g, b)):
            yield b, insurgent_entry_cost(g, b)


def can_do_something(g: Board, area: int) -> bool:
    """Whether a Fresh insurgent there can dig in, un-dig, strike or step."""
    mode, most = g.mode, 0
    for unit in g.ins[area]:
        if mode[unit]:
            if F0 <= unit < M0:
                return True
            most = max(most, MF[unit])
    if not most:
        return False
    if g.coa[area] and strike_cost(g, area) <= most:
        return True
    return any(cost <= most for _, cost in insurgent_exits(g, area))


class InsurgentImpulse(Decision, frozen=True):
    """4.1.1, D1."""

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (INSURGENT,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        yield PASS
        pool = militia_in_pool(g)
        for area in AREAS:
            if g.ins[area]:
                if can_do_something(g, area):
                    yield AREA[area]
                for count in range(1, placeable(g, area, pool) + 1):
                    yield ("org", area, count)

    def facts(self, g: Board) -> dict[str, Fact]:
        return common_facts(g)

    def pass_(self, g: Board, table: Table) -> None:
        table.tell("pass", side=INSURGENT)

    def area(self, g: Board, table: Table, area: int) -> None:
        activate(g, area, INSURGENT, table)
        g.do(InsurgentActivation())

    def org(self, g: Board, table: Table, area: int, count: int) -> None:
        clear_impulse(g)
        g.acted = True
        for _ in range(count):
            place_militia(g, area)
        table.tell("organize", area=area, count=count)


class InsurgentActivation(Decision, frozen=True):
    """4.1.1, 6, D2. Each Fresh unit of the area moves and strikes, digs in, or loses its marker."""

    unit_fields = ("picked",)
    picked: tuple[int, ...] = ()
    undos: int = 0

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (INSURGENT,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        yield DONE
        mode = g.mode
        if self.picked:
            yield from (STEP[b] for b in open_steps(g, self.picked))
        places = [g.where[self.picked[0]]] if self.picked else [g.origin, *_away(g)]
        for place in places:
            if g.ins[place]:
                yield from self._in_place(g, place)
        if not self.picked:
            seen = set()
            for unit in g.ins[g.origin]:
                if F0 <= unit < M0 and mode[unit] and not (unit in g.mp or unit in g.finished or mode[unit] in seen):
                    seen.add(mode[unit])
                    yield (DIG if mode[unit] == FRESH else UNDIG)[unit]
        elif self.undos < MOST_UNDOS:
            yield DROP

    def _in_place(self, g: Board, place: int) -> Iterator[Action]:
        least = min((cost for _, cost in insurgent_exits(g, place)), default=99)
        strike = strike_cost(g, place) if g.coa[place] else 99
        home = place == g.origin
        seen = set()
        for unit in g.ins[place]:
            if g.mode[unit] != FRESH or unit in g.finished or unit in self.picked or not (home or unit in g.mp):
                continue
            points, came = mp_left(g, unit), unit in g.entered
            same = (LETTER[unit], points, came)
            if same in seen:
                continue
            seen.add(same)
            if points >= least and not came and len(self.picked) < STACK_LIMIT:
                yield PICK[unit]
            if not self.picked and g.coa[place] and (came or points >= strike):
                yield STRIKE[unit]

    def facts(self, g: Board) -> dict[str, Fact]:
        return common_facts(g) | {"picked": len(self.picked)}

    def pick(self, g: Board, table: Table, name: str) -> None:
        g.do(InsurgentActivation((*self.picked, UNIT[name]), self.undos))

    def drop(self, g: Board, table: Table) -> None:
        g.do(InsurgentActivation((), self.undos + 1))

    def step(self, g: Board, table: Table, area: int) -> None:
        g.acted = True
        if g.coa[area]:
            g.do(*(StepIn(unit, area) for unit in self.picked), InsurgentActivation((), self.undos))
            return
        cost, origin = insurgent_entry_cost(g, area), g.where[self.picked[0]]
        if cost > 1:
            g.entry[area] = (cost, cost, False)
        for unit in self.picked:
            g.mp[unit] = mp_left(g, unit) - cost
            relocate(g, unit, area)
        table.tell("move", units=names(self.picked), origin=origin, area=area)
        leave_behind(g, self.picked[0], origin, table)
        update_control(g, area, table)
        g.do(InsurgentActivation(self.picked, self.undos))

    def strike(self, g: Board, table: Table, name: str) -> None:
        unit = UNIT[name]
        area = g.where[unit]
        if unit not in g.entered:
            g.mp[unit] = mp_left(g, unit) - strike_cost(g, area)
        g.do(InsurgentAttack(unit, area), InsurgentActivation((), self.undos))

    def dig(self, g: Board, table: Table, name: str) -> None:
        self._mark(g, UNIT[name], DUG)
        table.tell("dig", unit=name, area=g.origin)

    def undig(self, g: Board, table: Table, name: str) -> None:
        self._mark(g, UNIT[name], FRESH)
        table.tell("undig", unit=name, area=g.origin)

    def _mark(self, g: Board, unit: int, face: int) -> None:
        g.mode[unit] = face
        g.finished = (*g.finished, unit)
        g.acted = True
        g.do(InsurgentActivation((), self.undos))

    def done(self, g: Board, table: Table) -> None:
        for unit in g.mp:
            g.mode[unit] = SPENT


def _away(g: Board) -> list[int]:
    """Places other than the activated area where active units stand."""
    return list(dict.fromkeys(g.where[unit] for unit in g.mp if g.where[unit] != g.origin))


def open_steps(g: Board, group: Sequence[int]) -> list[int]:
    least = min(mp_left(g, unit) for unit in group)
    return [
        b
        for b, cost in insurgent_exits(g, g.where[group[0]])
        if cost <= least and len(g.ins[b]) + len(group) <= STACK_LIMIT
    ]


class StepIn(Step, frozen=True):
    """6.3. One insurgent goes in among Coalition units: alone there, it attacks at once."""

    unit_fields = ("unit",)
    unit: int
    area: int

    def run(self, g: Board, table: Table) -> None:
        unit, area = self.unit, self.area
        cost, points, origin = insurgent_entry_cost(g, area), mp_left(g, unit), g.where[unit]
        alone = not g.ins[area]
        g.entry[area] = (cost, cost, False)
        g.mp[unit] = points - cost
        relocate(g, unit, area)
        table.tell("move", units=ID[unit], origin=origin, area=area)
        leave_behind(g, unit, origin, table)
        g.entered[unit] = (area, origin, points)
        if alone:
            g.do(InsurgentAttack(unit, area))

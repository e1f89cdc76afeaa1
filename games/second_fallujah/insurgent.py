"""4.1.1. The insurgent impulse: move and strike out of one area, dig in, organise resistance, pass."""

from collections.abc import Iterator, Sequence

from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision, Step
from games.kernel.table import Seat, Table
from games.second_fallujah.board import (
    Board,
    any_fresh,
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
    CADRES,
    DIG,
    DONE,
    DROP,
    DUG,
    F0,
    FEDAYEEN,
    FRESH,
    ID,
    INS,
    INSURGENT,
    LETTER,
    M0,
    MF,
    MOST_UNDOS,
    NW,
    ORG,
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

DEAREST_ENTRY = 4


def insurgent_entry_cost(g: Board, area: int) -> int:
    """6.1, from the insurgents' side; the first group's cost holds for the impulse."""
    record = g.entry.get(area)
    if record is not None:
        return record[1]
    if g.coa[area]:
        mode = g.mode
        for unit in g.coa[area]:
            if mode[unit] and not SUPPORT[unit]:
                return DEAREST_ENTRY
        return 3
    return 1 if g.control[area] == INS else 2


def strike_cost(g: Board, area: int) -> int:
    """6.1: 1 MP if every Coalition unit there is Spent, else 2 MP."""
    return 2 if any_fresh(g, g.coa[area]) else 1


def insurgent_exits(g: Board, area: int) -> list[tuple[int, int]]:
    """Where a unit may step from an area, with the cost; out of a contested area only into a Free one."""
    coa, ins, control, charged = g.coa, g.ins, g.control, g.entry
    leaving = bool(coa[area])
    found = []
    for b in ADJ[area]:
        if len(ins[b]) < STACK_LIMIT:
            if control[b] == INS and not coa[b] and b not in charged:
                found.append((b, 1))
            elif not leaving or is_free_for_insurgents(g, b):
                found.append((b, insurgent_entry_cost(g, b)))
    return found


def can_do_something(g: Board, area: int) -> bool:
    """Whether a Fresh insurgent there can dig in, un-dig, strike or step."""
    mode, most = g.mode, 0
    for unit in g.ins[area]:
        if mode[unit]:
            if F0 <= unit < M0:
                return True
            most = most or MF[unit]  # in counter order, Cadres go before Militia and faster
    if not most:
        return False
    if g.coa[area]:
        if strike_cost(g, area) <= most:
            return True
    elif most >= DEAREST_ENTRY:
        return any(len(g.ins[b]) < STACK_LIMIT for b in ADJ[area])
    return any(cost <= most for _, cost in insurgent_exits(g, area))


class InsurgentImpulse(Decision, frozen=True):
    """4.1.1, D1."""

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (INSURGENT,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        found = [PASS]
        ins, mode, where, pool = g.ins, g.mode, g.where, militia_in_pool(g)
        digging = {where[unit] for unit in FEDAYEEN if mode[unit]}
        organising = {where[unit] for unit in CADRES if mode[unit]} if pool else ()
        for area in AREAS:
            if ins[area]:
                if area in digging or can_do_something(g, area):
                    found.append(AREA[area])
                if area in organising:
                    found += ORG[area][: placeable(g, area, pool)]
        return iter(found)

    def surely_open(self, g: Board) -> bool:
        """Beside a pass there is the area of any Fresh Fedayeen."""
        mode = g.mode
        return any(place < NW and mode[unit] for unit, place in enumerate(g.where[F0:M0], F0))

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
        found = [DONE]
        if self.picked:
            place = g.where[self.picked[0]]
            exits = insurgent_exits(g, place)
            found += [STEP[b] for b in open_steps(g, self.picked, exits)]
            self._in_place(g, place, exits, found)
            if self.undos < MOST_UNDOS:
                found.append(DROP)
            return iter(found)
        for place in [g.origin, *_away(g)] if g.mp else (g.origin,):
            if g.ins[place]:
                self._in_place(g, place, insurgent_exits(g, place), found)
        mode, seen = g.mode, set()
        for unit in g.ins[g.origin]:
            if F0 <= unit < M0 and mode[unit] and not (unit in g.mp or unit in g.finished or mode[unit] in seen):
                seen.add(mode[unit])
                found.append((DIG if mode[unit] == FRESH else UNDIG)[unit])
        return iter(found)

    def surely_open(self, g: Board) -> bool:
        """A group can be dropped; a Fedayeen that has done nothing can dig in or out."""
        if self.picked:
            return self.undos < MOST_UNDOS
        for unit in g.ins[g.origin]:
            if F0 <= unit < M0 and g.mode[unit] and unit not in g.mp and unit not in g.finished:
                return True
        return False

    def _in_place(self, g: Board, place: int, exits: Sequence[tuple[int, int]], found: list[Action]) -> None:
        """Picks and strikes of the active units in a place, one of each set of equal ones."""
        least = min([cost for _, cost in exits], default=99)
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
                found.append(PICK[unit])
            if not self.picked and g.coa[place] and (came or points >= strike):
                found.append(STRIKE[unit])

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


def open_steps(g: Board, group: Sequence[int], exits: Sequence[tuple[int, int]]) -> list[int]:
    """6.2. Where the picked group may step: room for all, everyone can pay."""
    least = min([mp_left(g, unit) for unit in group])
    return [b for b, cost in exits if cost <= least and len(g.ins[b]) + len(group) <= STACK_LIMIT]


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

"""12-17. The insurgent bot: the engine plays the insurgents by the printed priorities and dice."""

from collections.abc import Iterator

from games.kernel.steps import Step
from games.kernel.table import Table
from games.second_fallujah.board import (
    Board,
    insurgent_room,
    is_contested,
    is_free_for_insurgents,
    leaders,
    leave_behind,
    militia_in_pool,
    place_fedayeen,
    place_militia,
    relocate,
    update_control,
)
from games.second_fallujah.priorities import lowest_defence, narrow, reaction_retreats, retreat_choice
from games.second_fallujah.reaction import ReconWindow
from games.second_fallujah.strike import InsurgentAttack
from games.second_fallujah.tables import (
    ADJ,
    AREAS,
    BESIDE,
    C0,
    CADRE_REACTION,
    COA,
    DUG,
    F0,
    FRESH,
    FRESH_LIMIT,
    HERE,
    ID,
    INS,
    INSURGENT,
    M0,
    MF,
    RECON,
    SPENT,
    STACK_LIMIT,
    SUPPORT,
    TEM,
    UNUSED,
    ZONES_AT,
)

SETUP_AT_LEAST = {4: 0, 3: 4, 2: 6}  # 13: die needed to place a Fedayeen; 0 needs no die
MOVE_IN, ATTACK_ON = 2, 4  # 14: highest die for steps 1 and 2


class BotSetup(Step, frozen=True):
    """13. A Fedayeen in every TEM 4 area, by die in TEM 3 and 2."""

    def run(self, g: Board, table: Table) -> None:
        table.tell("bot", rule="13", words="sets-up", area=0)
        for area in AREAS:
            need = SETUP_AT_LEAST.get(TEM[area])
            if (need == 0 or (need and table.d6()[0] >= need)) and UNUSED in g.where:
                unit = place_fedayeen(g, area)
                table.tell("setup", unit=ID[unit], area=area)


# --- 14. The impulse ---------------------------------------------------------------------------------


class BotImpulse(Step, frozen=True):
    """14. Slip in, attack, organise, or pass: the first whose condition and die allow it."""

    def run(self, g: Board, table: Table) -> None:
        ways = list(_ways_in(g))
        if ways and table.d6()[0] <= MOVE_IN:
            self._slip_in(g, ways, table)
            return
        targets = [area for area in AREAS if g.coa[area] and _is_target(g, area)]
        if targets and table.d6()[0] <= ATTACK_ON:
            self._attack(g, targets, table)
            return
        pool = militia_in_pool(g)
        places = [area for area in AREAS if g.ins[area] and placeable(g, area, pool)] if pool else []
        if places:
            self._organize(g, places, table)
            return
        table.tell("bot", rule="14 (4)", words="passes", area=0)
        table.tell("pass", side=INSURGENT)

    def _slip_in(self, g: Board, ways: list[tuple[int, int, int]], table: Table) -> None:
        least = min(cost for cost, _, _ in ways)
        cheap = [way for way in ways if way[0] == least]
        _, origin, to = cheap[0] if len(cheap) == 1 else cheap[table.draw(len(cheap))]
        unit = next(unit for unit in g.ins[origin] if unit >= M0 and g.mode[unit] == FRESH)
        table.tell("bot", rule="14 (1)", words="slips-in", area=to)
        relocate(g, unit, to)
        g.mode[unit] = SPENT
        g.acted = True
        table.tell("move", units=ID[unit], origin=origin, area=to)
        leave_behind(g, unit, origin, table)
        update_control(g, to, table)

    def _attack(self, g: Board, targets: list[int], table: Table) -> None:
        target = narrow(
            table,
            targets,
            lambda a: all(SUPPORT[unit] for unit in g.coa[a]),
            lambda a: is_contested(g, a),
            lambda a: -lowest_defence(g, a),
            lambda a: TEM[a],
            lambda a: sum(len(_fresh_militia(g, b)) for b in attack_origins(g, a)),
        )
        origin = narrow(
            table,
            attack_origins(g, target),
            lambda b: b == target,
            lambda b: len(_fresh_militia(g, b)),
            lambda b: -TEM[b],
        )
        table.tell("bot", rule="14.1.1", words="attacks", area=target)
        g.acted = True
        g.do(*(BotStrike(unit, target) for unit in _fresh_militia(g, origin)))

    def _organize(self, g: Board, places: list[int], table: Table) -> None:
        fair = [area for area in places if area != g.resistance] or places
        area = narrow(
            table,
            fair,
            lambda a: is_contested(g, a),
            lambda a: sum(1 for b in ADJ[a] if any(not g.mode[unit] for unit in g.coa[b])),
            lambda a: sum(1 for b in (*ADJ[a], *ZONES_AT[a]) if g.coa[b]),
            lambda a: placeable(g, a),
            lambda a: -len(g.ins[a]),
            lambda a: TEM[a],
        )
        count = placeable(g, area)
        table.tell("bot", rule="14.2", words="organises", area=area)
        for _ in range(count):
            place_militia(g, area)
        g.resistance = area
        g.acted = True
        table.tell("organize", area=area, count=count)


def placeable(g: Board, area: int, pool: int = -1) -> int:
    """4.1.1: Militia that can be organised in an area: Fresh Cadres, room, Force Pool (counted if not given)."""
    if not g.ins[area] or g.ins[area][0] >= F0:
        return 0
    mode = g.mode
    cadres = len([unit for unit in g.ins[area] if unit < F0 and mode[unit]])
    return min(cadres, insurgent_room(g, area), militia_in_pool(g) if pool < 0 else pool) if cadres else 0


def _fresh_militia(g: Board, area: int) -> list[int]:
    mode = g.mode
    return [unit for unit in g.ins[area] if unit >= M0 and mode[unit] == FRESH]


def attack_origins(g: Board, target: int) -> list[int]:
    """14.1: the area itself, or adjacent Free areas, with Fresh Militia."""
    ins = g.ins
    found = [target] if ins[target] and _fresh_militia(g, target) else []
    if len(ins[target]) < STACK_LIMIT:
        found += [b for b in ADJ[target] if ins[b] and is_free_for_insurgents(g, b) and _fresh_militia(g, b)]
    return found


def _is_target(g: Board, area: int) -> bool:
    """14.1: no Fresh Coalition unit but Support units, and Militia at hand."""
    return all(SUPPORT[u] or not g.mode[u] for u in g.coa[area]) and bool(attack_origins(g, area))


def _ways_in(g: Board) -> Iterator[tuple[int, int, int]]:
    """R38: cost, origin and goal of each way for a Fresh Militia into a Vacant Coalition area."""
    coa, ins, control = g.coa, g.ins, g.control
    if not [area for area in AREAS if control[area] == COA and not coa[area] and not ins[area]]:
        return
    for origin in AREAS:
        if ins[origin] and _fresh_militia(g, origin):
            yield from ((cost, origin, goal) for goal, cost in _reach(g, origin).items() if g.control[goal] == COA)


def _reach(g: Board, origin: int) -> dict[int, int]:
    """Areas without Coalition units within a Militia's Movement Factor, with the cheapest cost."""
    coa, ins, control = g.coa, g.ins, g.control
    best: dict[int, int] = {}
    edge = [(0, origin)]
    while edge:
        spent, at = edge.pop()
        for b in ADJ[at]:
            if coa[b] or len(ins[b]) >= STACK_LIMIT:
                continue
            free = control[b] == INS
            if coa[at] and not free:
                continue
            cost = spent + (1 if free else 2)
            if cost <= MF[M0] and cost < best.get(b, 99) and b != origin:
                best[b] = cost
                if cost < MF[M0]:
                    edge.append((cost, b))
    return best


class BotStrike(Step, frozen=True):
    """14.1: one Militia of the chosen origin goes in and attacks."""

    unit_fields = ("unit",)
    unit: int
    area: int

    def run(self, g: Board, table: Table) -> None:
        origin = g.where[self.unit]
        if origin != self.area:
            relocate(g, self.unit, self.area)
            table.tell("move", units=ID[self.unit], origin=origin, area=self.area)
        g.do(InsurgentAttack(self.unit, self.area))


# --- 17. The Reaction ---------------------------------------------------------------------------------


class BotReaction(Step, frozen=True):
    """17. A die for each Fedayeen and two for each Cadre in and next to the area just entered."""

    unit_fields = ("group",)
    area: int
    origin: int
    group: tuple[int, ...]

    def run(self, g: Board, table: Table) -> None:
        area = self.area
        here = [unit for unit in g.ins[area] if g.mode[unit] == FRESH and unit < M0]
        beside = [
            (unit, b)
            for b in ADJ[area]
            if is_free_for_insurgents(g, b)
            for unit in g.ins[b]
            if unit < F0 and g.mode[unit] == FRESH
        ]
        before = set(g.ins[area])
        for unit in here:
            if unit >= F0:
                self._fedayeen(g, unit, table)
        for unit in here:
            if unit < F0:
                roll = sum(table.d6(2))
                table.tell("bot-cadre", unit=ID[unit], area=area, roll=roll, tem=TEM[area])
                self._cadre(g, unit, area, HERE, roll + TEM[area], table)
        for unit, b in sorted(beside):
            roll = sum(table.d6(2))
            table.tell("bot-cadre", unit=ID[unit], area=b, roll=roll, tem=0)
            self._cadre(g, unit, b, BESIDE, roll, table)
        if set(g.ins[area]) - before and any(RECON[unit] for unit in self.group):
            g.do(ReconWindow(area, self.origin, self.group))

    def _fedayeen(self, g: Board, unit: int, table: Table) -> None:
        die = table.d6()[0]
        total = die + TEM[self.area]
        table.tell("bot-fedayeen", unit=ID[unit], area=self.area, roll=die, tem=TEM[self.area])
        if total <= 4:
            self._retreat(g, unit, table)
        elif total > 6:
            g.mode[unit] = DUG
            table.tell("dig", unit=ID[unit], area=self.area)

    def _retreat(self, g: Board, unit: int, table: Table) -> None:
        to = reaction_retreats(g, self.area)
        if to:
            goal = retreat_choice(g, to, table)
            table.tell("bot", rule="16", words="falls-back", area=goal)
            relocate(g, unit, goal)
            table.tell("react-retreat", unit=ID[unit], area=self.area, goal=goal, face="fresh")

    def _cadre(self, g: Board, unit: int, own: int, column: int, total: int, table: Table) -> None:
        retreat, placed, aside = CADRE_REACTION[column].get(total, ("", "", ""))
        if retreat == "R" or (retreat == "r" and TEM[self.area] < 3):
            self._retreat(g, unit, table)
        for letter in placed:
            _place(g, letter, self.area, ID[unit], self.area, table)
        for letter in aside:
            _place(g, letter, own, ID[unit], self.area, table)


def _place(g: Board, letter: str, area: int, by: str, entered: int, table: Table) -> None:
    """17: a placement over eight units, over five Fedayeen and Cadres, or without a counter is ignored."""
    if insurgent_room(g, area) <= 0:
        return
    if letter == "M":
        if militia_in_pool(g):
            new = place_militia(g, area)
            table.tell("react-militia", unit=by, militia=ID[new], area=area, entered=entered)
    elif leaders(g, area) < FRESH_LIMIT and UNUSED in g.where:
        new = place_fedayeen(g, area, DUG if letter == "D" else FRESH)
        table.tell("react-fedayeen", unit=by, fedayeen=ID[new], area=area, dug="yes" if letter == "D" else "no")


def bot_keeps_spent(g: Board, area: int, over: int) -> list[int]:
    """R36: Cadres become Fresh first, then Fedayeen, lowest id first."""
    spent = [unit for unit in g.ins[area] if C0 <= unit < M0 and not g.mode[unit]]
    return spent[len(spent) - over :]

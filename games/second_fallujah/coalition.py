"""4.1.2, 6. The Coalition impulse: activations, movement, entering, going back."""

from collections.abc import Iterator, Sequence

from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision, Step
from games.kernel.table import Seat, Table
from games.second_fallujah.board import (
    Board,
    any_fresh,
    clear_impulse,
    common_facts,
    has_us,
    is_free_for_coalition,
    leave_behind,
    mp_left,
    names,
    place_word,
    relocate,
    update_control,
)
from games.second_fallujah.combat import (
    FireMission,
    PlanAttack,
    able_to_join,
    attack_areas,
    has_lead,
    is_mandatory,
)
from games.second_fallujah.reaction import ReactionWindow, may_react
from games.second_fallujah.solitaire import BotReaction
from games.second_fallujah.tables import (
    ADJ,
    ADJ_BITS,
    AREA,
    AREAS,
    ATTACK,
    BIT,
    COA,
    COALITION,
    DONE,
    DROP,
    FIRE,
    FRESH,
    INS,
    MF,
    MOST_UNDOS,
    NE,
    NW,
    PASS,
    PICK,
    SPENT,
    STACK_LIMIT,
    STEP,
    UNIT,
    ZONE,
    ZONES,
)

AMBUSH_COST = 4
MOST_FROM_ZONE = 8
_ZONE_EDGE = ADJ_BITS[NW] | ADJ_BITS[NE]


def entry_cost(g: Board, area: int) -> int:
    """6.1. What entering costs the Coalition; what the first group was charged holds for the impulse (R20)."""
    record = g.entry.get(area)
    if record is not None:
        return record[0] if record[2] else record[1]
    if g.ins[area]:
        return 4 if any_fresh(g, g.ins[area]) else 3
    return 1 if g.control[area] == COA else 2


def fire_targets(g: Board) -> list[int]:
    """7.4. Insurgents where US units are, next to them, or at an Entry Zone."""
    near = _ZONE_EDGE
    for area in AREAS:
        if g.coa[area] and has_us(g, area):
            near |= BIT[area] | ADJ_BITS[area]
    return [area for area in AREAS if g.ins[area] and near & BIT[area]]


class CoalitionImpulse(Decision, frozen=True):
    """4.1.2, D5."""

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (COALITION,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        coa = g.coa
        found = [PASS]
        found += [AREA[area] for area in AREAS if coa[area] and any_fresh(g, coa[area])]
        found += [ZONE[zone] for zone in ZONES if any_fresh(g, coa[zone])]
        found += [FIRE[area] for area in fire_targets(g)]
        return iter(found)

    def surely_open(self, g: Board) -> bool:
        """Beside a pass there is the activation of any Fresh unit in a zone."""
        return any_fresh(g, g.coa[NW]) or any_fresh(g, g.coa[NE])

    def facts(self, g: Board) -> dict[str, Fact]:
        return common_facts(g)

    def pass_(self, g: Board, table: Table) -> None:
        clear_impulse(g)
        table.tell("pass", side=COALITION)

    def area(self, g: Board, table: Table, area: int) -> None:
        activate(g, area, COALITION, table)
        g.do(Activation())

    def zone(self, g: Board, table: Table, zone: str) -> None:
        activate(g, NW if zone == "NW" else NE, COALITION, table)
        g.do(Activation())

    def fire(self, g: Board, table: Table, area: int) -> None:
        clear_impulse(g)
        g.acted = True
        g.do(FireMission(area))


def activate(g: Board, place: int, side: str, table: Table) -> None:
    clear_impulse(g)
    g.origin = place
    coa, ins = g.coa, g.ins
    g.contested = tuple([area for area in AREAS if coa[area] and ins[area]])
    table.tell("activate", side=side, place=place_word(place))


class Activation(Decision, frozen=True):
    """4.1.2, 6, D6. Pick units, step, attack, in any order, until done."""

    unit_fields = ("picked",)
    picked: tuple[int, ...] = ()
    undos: int = 0

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (COALITION,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        picked = self.picked
        found = [] if owed_attacks(g) else [DONE]
        found += [ATTACK[area] for area in attack_areas(g)]
        if picked:
            place = g.where[picked[0]]
            exits = _exits(g, place)
            found += [STEP[area] for area in open_steps(g, picked, place, exits)]
            if len(picked) < STACK_LIMIT:
                found += [PICK[unit] for unit in _movers(g, place, exits) if unit not in picked]
            if self.undos < MOST_UNDOS:
                found.append(DROP)
        else:
            for place in {g.origin: 0, **dict.fromkeys([g.where[u] for u in g.mp])} if g.mp else (g.origin,):
                found += [PICK[unit] for unit in pickable(g, place)]
        return iter(found)

    def surely_open(self, g: Board) -> bool:
        """A group can be dropped, and either an attack is owed or the activation may be closed."""
        return bool(self.picked) and self.undos < MOST_UNDOS

    def facts(self, g: Board) -> dict[str, Fact]:
        return common_facts(g) | {"picked": len(self.picked)}

    def pick(self, g: Board, table: Table, name: str) -> None:
        g.do(Activation((*self.picked, UNIT[name]), self.undos))

    def drop(self, g: Board, table: Table) -> None:
        g.do(Activation((), self.undos + 1))

    def step(self, g: Board, table: Table, area: int) -> None:
        g.do(Enter(area, self.picked))

    def attack(self, g: Board, table: Table, area: int) -> None:
        force = tuple(able_to_join(g, area)) if is_mandatory(g, area) else ()
        g.do(PlanAttack(area, force), Activation((), self.undos))

    def done(self, g: Board, table: Table) -> None:
        g.do(CloseActivation())


def owed_attacks(g: Board) -> list[int]:
    """6.3. Areas whose mandatory attack could still be made by a valid lead among the entrants."""
    if not g.entered:
        return []
    areas = {area for area, _, _ in g.entered.values()}
    return [a for a in areas if _is_owed(g, a) and has_lead(g, able_to_join(g, a), a)]


def _is_owed(g: Board, area: int) -> bool:
    return bool(g.ins[area]) and area not in g.fought and is_mandatory(g, area)


def _exits(g: Board, place: int) -> list[tuple[int, int]]:
    """Areas that units standing in a place could step into, with the cost; lead, MP and return apart."""
    zone = place in ZONES
    if zone and g.first_area and g.first_area in g.fought:
        return []
    only = g.first_area if zone else 0
    leaving, coa = bool(g.ins[place]), g.coa
    return [
        (b, entry_cost(g, b))
        for b in ADJ[place]
        if len(coa[b]) < STACK_LIMIT and (not only or b == only) and (not leaving or is_free_for_coalition(g, b))
    ]


def _extra(g: Board, unit: int, place: int) -> int:
    """R18: leaving an overrun starting area without having attacked there costs the attack's price too."""
    record = g.fought.get(place) if place == g.origin else None
    if record is None or unit in record[2] or unit in g.entered:
        return 0
    return record[1]


def _may_enter_again(g: Board, unit: int, area: int) -> bool:
    """6.2: after its combat an area is shut, except to those who fought there and left after an Overrun."""
    record = g.fought.get(area)
    return record is None or unit in record[2]


def pickable(g: Board, place: int) -> list[int]:
    """Active units in a place that could step somewhere, alone or in a group."""
    return _movers(g, place, _exits(g, place))


def _movers(g: Board, place: int, exits: Sequence[tuple[int, int]]) -> list[int]:
    if not exits or (place in ZONES and len(g.zone_used) >= MOST_FROM_ZONE):
        return []
    mode, acted, fought = g.mode, g.mp, g.fought
    units = [u for u in g.coa[place] if mode[u] == FRESH and (place == g.origin or u in acted)]
    if g.ins[place]:
        units = [u for u in units if u not in g.entered]
    if fought and (place == g.origin or any(b in fought for b, _ in exits)):
        return [u for u in units if _has_way(g, u, mp_left(g, u) - _extra(g, u, place), exits)]
    least = min([cost for _, cost in exits])
    if acted:
        return [u for u in units if mp_left(g, u) >= least]
    return [u for u in units if MF[u] >= least]


def _has_way(g: Board, unit: int, points: int, exits: Sequence[tuple[int, int]]) -> bool:
    return any(points >= cost and _may_enter_again(g, unit, b) for b, cost in exits)


def open_steps(g: Board, group: Sequence[int], place: int, exits: Sequence[tuple[int, int]]) -> list[int]:
    """6.2. Where the picked group may step: room for all, everyone can pay, somebody could lead."""
    if place in ZONES and len(g.zone_used) + len(group) > MOST_FROM_ZONE:
        return []
    if g.fought:
        least = min([mp_left(g, unit) - _extra(g, unit, place) for unit in group])
    else:
        least = min([mp_left(g, unit) for unit in group])
    coa, room = g.coa, STACK_LIMIT - len(group)
    return [
        b
        for b, cost in exits
        if cost <= least
        and len(coa[b]) <= room
        and (not needs_lead(g, b) or has_lead(g, group, b))
        and (not g.fought or all(_may_enter_again(g, unit, b) for unit in group))
    ]


def needs_lead(g: Board, area: int) -> bool:
    """6.2: the first Coalition unit into an uncontested insurgent area must be able to lead."""
    return g.control[area] == INS and not (g.coa[area] and g.ins[area])


class Enter(Step, frozen=True):
    """6. The group goes in; the Reaction comes before cost, control and combat (4.1.3)."""

    unit_fields = ("group",)
    area: int
    group: tuple[int, ...]

    def run(self, g: Board, table: Table) -> None:
        area, came_from = self.area, g.where[self.group[0]]
        before = entry_cost(g, area)
        reacts = needs_lead(g, area) and area not in g.reacted
        for unit in self.group:
            g.mp[unit] = mp_left(g, unit) - _extra(g, unit, came_from)
            g.entered.pop(unit, None)
            relocate(g, unit, area)
        if came_from in ZONES:
            g.zone_used = (*g.zone_used, *self.group)
            g.first_area = area
        else:
            leave_behind(g, self.group[0], came_from, table)
        g.acted = True
        table.tell("enter", units=names(self.group), origin=place_word(came_from), area=area)
        settle_entry = SettleEntry(area, came_from, self.group, before)
        if reacts:
            g.reacted = (*g.reacted, area)
            if g.solitaire:
                g.do(BotReaction(area, came_from, self.group), settle_entry)
                return
            if may_react(g, area):
                g.do(ReactionWindow(area, came_from, self.group, before), settle_entry)
                return
        g.do(settle_entry)


class SettleEntry(Step, frozen=True):
    """6.4. What the entry costs after the Reaction, Ambush, and who holds the area now."""

    unit_fields = ("group",)
    area: int
    origin: int
    group: tuple[int, ...]
    before: int

    def run(self, g: Board, table: Table) -> None:
        area = self.area
        group = tuple(unit for unit in self.group if g.where[unit] == area)
        if not group:
            g.do(Activation())
            return
        foes = g.ins[area]
        record = g.entry.get(area)
        if record is None:
            cost, ambush = self._cost(g)
            if self.before > 1 or ambush:
                g.entry[area] = (self.before, cost, ambush)
        else:
            cost, ambush = record[1], record[2]
        for unit in group:
            points = g.mp[unit]
            if foes:
                g.entered[unit] = (area, self.origin, points)
            g.mp[unit] = points - min(cost, points)
        if ambush and record is None:
            table.tell("ambush", area=area)
        update_control(g, area, table)
        g.do(Activation(() if foes or len(group) != len(self.group) else group))

    def _cost(self, g: Board) -> tuple[int, bool]:
        foes = g.ins[self.area]
        if not foes:
            return min(self.before, 2), False
        if any_fresh(g, foes):
            return AMBUSH_COST, self.before < AMBUSH_COST
        return min(self.before, 3), False


class CloseActivation(Step, frozen=True):
    """3.2, R12. Entrants without a lead go back where they came from, Spent; then movers are Spent."""

    def run(self, g: Board, table: Table) -> None:
        for unit, (area, came_from, _) in sorted(g.entered.items()):
            if g.where[unit] == area and _is_owed(g, area):
                to = came_from if came_from in ZONES or len(g.coa[came_from]) < STACK_LIMIT else g.origin
                relocate(g, unit, to)
                table.tell("go-back", unit=names((unit,)), area=area, goal=place_word(to))
                leave_behind(g, unit, area, table)
        for unit in g.mp:
            g.mode[unit] = SPENT
        if g.riverine_used:
            g.riverine = SPENT

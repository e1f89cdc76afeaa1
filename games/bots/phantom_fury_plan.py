"""What things are worth in Phantom Fury: routes, plans and targets as the squad leader weighs them."""

from games.kernel.steps import Action
from games.phantom_fury.assault import assault_modifiers, assault_type
from games.phantom_fury.board import (
    FRESH,
    Board,
    bits_of,
    cf_of,
    count_in,
    is_martyrs,
    present,
    strength,
    things_in,
    zone_of,
)
from games.phantom_fury.fire import fire_modifiers
from games.phantom_fury.reorganise import barred
from games.phantom_fury.routes import may_end, steps_from
from games.phantom_fury.tables import (
    ADJACENT,
    ALL_ZONES,
    CAAT_BONUS,
    COUNT,
    FIRST_SECTION,
    INSIDE,
    KIND,
    MOSQUE,
    MOVEMENT,
    NEAR,
    NEIGHBOURS,
    OPEN,
    PLACE,
    SECTION_FIRE,
    SECTION_MASK,
    SQUADS,
    TANK_CF,
    TANK_WAYS,
    TANKS,
    UNIT,
    VIA,
    ZONE,
)
from games.phantom_fury.words import at_most

# What things are worth against each other; found by play-outs.
WEIGHTS: dict[str, float] = {
    "enter": 4.8,  # to stand in a zone with enemies
    "each": 4.6,  # less for each of them
    "empty": 62.0,  # to stand in one without
    "street": 0.8,  # danger of a crossing
    "open": 1.0,  # danger of Defensive Fire
    "guard": 2.3,  # to keep what was taken
    "fire": 72.0,
    "suspect": 14.0,  # to assault one
    "march": 5.0,  # to come a zone nearer
    "finish": 1.45,  # to fire at the last enemy of a zone
    "unit": 1.05,  # to fire at a unit rather than a Suspect
    "bold": -6.0,  # the least an Assault must be worth
    "flood": 6.0,  # each further enemy below the roof
    "eye": 3.4,  # Suspects a Dragon Eye must see
    "cobra": 3.2,  # what a Super Cobra must hit
    "last": 13.0,  # to take on the last enemy of a zone
}
Route = tuple[float, int, float]  # risk so far, first step, MP spent


def distances(goals: int) -> list[int]:
    """Zones to cross from each zone to the nearest of `goals`."""
    far = [99] * 62
    edge = bits_of(goals)
    for zone in edge:
        far[zone] = 0
    while edge:
        following = []
        for zone in edge:
            for near in bits_of(NEAR[zone] & ALL_ZONES):
                if far[near] == 99:
                    far[near] = far[zone] + 1
                    following.append(near)
        edge = following
    return far


def crossing_risk(g: Board, section: int) -> float:
    units, suspects = count_in(g, SECTION_FIRE[section])
    if section in g.tanks:
        return WEIGHTS["street"] * (12 * (units + 1) / 10 if units else 0)
    risk = (24 * (units + 1) / 10 if units else 0) + (11 * (suspects + 1) / 10 if suspects else 0)
    return WEIGHTS["street"] * risk


def entry_risk(g: Board, unit: int, place: int) -> float:
    """Defensive Fire on a squad that comes into the open."""
    risk = 0.0
    for spot in things_in(g, ZONE[place]):
        code = g.things[spot]
        if code > 0:
            risk += 2.2 * strength(code) + 1
        else:
            risk += 0.5 * max(0, 9 - cf_of(g, unit))
    return WEIGHTS["open"] * (risk + (2 if KIND[place] == "OG" else 0))


def routes_of(g: Board, unit: int, start: int, came: int, mp: int) -> dict[int, Route]:
    """Every Location in reach, with the least risky way's risk and first step."""
    found: dict[int, Route] = {}
    edge: dict[tuple[int, int], tuple[float, int]] = {(start, came): (0.0, -1)}
    for spent in range(1, mp + 1):
        following: dict[tuple[int, int], tuple[float, int]] = {}
        for (place, last), (risk, first) in edge.items():
            for step in steps_from(g, unit, place, last):
                cost = risk
                goes_on = True
                if step >= FIRST_SECTION:
                    if spent == mp:
                        continue
                    cost += crossing_risk(g, step)
                elif not g.usmc >> ZONE[step] & 1:
                    if OPEN[step] and g.foe >> ZONE[step] & 1:
                        cost += entry_risk(g, unit, step)
                    goes_on = ZONE[step] == ZONE[place] or bool(g.foe >> ZONE[step] & 1)
                key = (step, place if step >= FIRST_SECTION else -1)
                way = (cost, first if first >= 0 else step)
                if step < FIRST_SECTION and (step not in found or found[step][0] > cost):
                    found[step] = (cost, way[1], spent)
                if goes_on and (key not in following or following[key][0] > cost):
                    following[key] = way
        edge = following
    return found


def kill_chance(g: Board, unit: int, place: int, start: int) -> tuple[int, int]:
    """Percent to hit in an Assault from `start`, and to be hit."""
    kind = assault_type(start, place)
    parts = assault_modifiers(g, unit, place, kind, False)
    drm = {"top": -1, "bottom": 1}.get(kind, 0) - (g.fanatic >> ZONE[place] & 1)
    return at_most(cf_of(g, unit), sum(part for part, _ in parts)), at_most(strength(g.things[place]), drm)


def assault_value(g: Board, unit: int, start: int, place: int) -> float:
    """What an Assault is worth from a Location."""
    code, zone = g.things[place], ZONE[place]
    kind = assault_type(start, place)
    last = WEIGHTS["last"] if len(things_in(g, zone)) == 1 else 0.0
    reduced = 8.0 if g.reduced[unit] else 0.0
    if code < 0:
        value = WEIGHTS["suspect"] + {"top": 4, "bottom": -4}.get(kind, 0) + cf_of(g, unit)
        if g.fortified >> zone & 1:
            value -= 12 + reduced
    else:
        win, risk = kill_chance(g, unit, place, start)
        value = 0.34 * win - 0.18 * risk - (reduced * risk / 100)
        if not is_martyrs(code):
            value += 8
    if kind == "top" and KIND[start] == "R" and not g.fortified >> zone & 1 and cf_of(g, unit) >= 5:
        value += WEIGHTS["flood"] * (len(things_in(g, zone)) - 1)
        last = WEIGHTS["last"]
    return value + last


def best_assault(g: Board, unit: int, place: int) -> float:
    targets = [spot for spot in INSIDE[place] if spot in g.things]
    return max((assault_value(g, unit, place, spot) for spot in targets), default=0.0)


def guards(g: Board, zone: int, unit: int) -> float:
    """What is lost when this squad leaves a controlled zone: infiltration."""
    if not zone or not g.usmc >> zone & 1 or g.crew[zone] != 1 << unit:
        return 0.0
    sources = ALL_ZONES & ~g.usmc & ~present(g) & g.foe
    if ADJACENT[zone] & sources:
        return 22.0 * WEIGHTS["guard"]
    held = g.held
    g.held &= ~(1 << zone)
    open_way = any(
        not all(barred(g, section) for section in VIA[zone, source]) for source in bits_of(NEIGHBOURS[zone] & sources)
    )
    g.held = held
    return 16.0 * WEIGHTS["guard"] if open_way else 0.0


class Plan:
    """What the squads could do with their moves now, and what each move is worth."""

    def __init__(self, g: Board) -> None:
        self.g = g
        self.wanted = ALL_ZONES & ~g.usmc & ~g.held & ~(1 << MOSQUE)
        self.far = distances(self.wanted)
        self.far_mosque = distances(1 << MOSQUE)

    def place_value(self, unit: int, place: int) -> float:
        """What it is worth to end there, way and guard duty apart."""
        g, zone = self.g, ZONE[place]
        if unit >= SQUADS:
            return self.iraqi_value(unit, place)
        if g.usmc >> zone & 1:
            value = -WEIGHTS["march"] * self.far[zone]
            if KIND[place] == "R":
                value += 1.5
            if g.usmc >> zone & 1 and any(
                spot in g.things for near in bits_of(ADJACENT[zone]) for spot in things_in(g, near)
            ):
                value += 1.0 if KIND[place] == "R" else 0
            others = sum(
                1 for other in range(COUNT) if other != unit and g.where[other] >= 0 and zone_of(g, other) == zone
            )
            return value - 2.0 * others
        if not g.foe >> zone & 1:
            return WEIGHTS["empty"]
        return WEIGHTS["enter"] + best_assault(g, unit, place) - WEIGHTS["each"] * len(things_in(g, zone))

    def iraqi_value(self, unit: int, place: int) -> float:
        g, zone = self.g, ZONE[place]
        if zone != MOSQUE:
            return -5.0 * self.far_mosque[zone]
        if not g.foe >> zone & 1:
            return 60.0
        return 10.0 + best_assault(g, unit, place)

    def moves(self, unit: int) -> list[tuple[float, int, int]]:
        """Gain over staying, end and first step of each move, best first."""
        g = self.g
        start = g.where[unit]
        zone = ZONE[start]
        stay = self.place_value(unit, start) if start < FIRST_SECTION else -40.0
        if g.where.count(start) > 1:
            stay -= 30.0
        leave = guards(g, zone, unit)
        found = []
        for end, (risk, first, spent) in routes_of(g, unit, start, -1, MOVEMENT).items():
            if end == start or not may_end(g, unit, end):
                continue
            value = self.place_value(unit, end) - risk - 0.2 * spent - (leave if ZONE[end] != zone else 0)
            found.append((value - stay, end, first))
        found.sort(reverse=True)
        return found


def assigned(plan: Plan) -> dict[int, tuple[float, int, int]]:
    """Squad -> its best move, each insurgent zone to one squad, the most valuable first."""
    g = plan.g
    wishes: list[tuple[float, int, int, int]] = []
    for unit in range(COUNT):
        if g.where[unit] >= 0 and g.status[unit] == FRESH and not g.moved[unit]:
            wishes.extend((gain, unit, end, first) for gain, end, first in plan.moves(unit)[:12] if gain > 0)
    wishes.sort(reverse=True)
    taken: set[int] = set()
    chosen: dict[int, tuple[float, int, int]] = {}
    for gain, unit, end, first in wishes:
        zone = ZONE[end]
        enemy = not g.usmc >> zone & 1 and zone != zone_of(g, unit)
        if unit in chosen or end in taken or (enemy and -zone in taken):
            continue
        chosen[unit] = (gain, end, first)
        taken.add(end)
        if enemy:
            taken.add(-zone)
    return chosen


def fire_value(g: Board, action: Action) -> float:
    """Chance to hit times what the target is worth."""
    name, place = str(action[1]), PLACE[str(action[2])]
    tank = name in TANKS
    unit = COUNT + TANKS.index(name) if tank else UNIT[name]
    cf = TANK_CF if tank else cf_of(g, unit)
    drm = sum(part for part, _ in fire_modifiers(g, unit, place))
    plain = at_most(cf, drm)
    chance = at_most(cf + CAAT_BONUS, drm) if len(action) == 4 else plain
    code, zone = g.things[place], ZONE[place]
    left = len(things_in(g, zone))
    worth = 0.7 if code < 0 else WEIGHTS["unit"] + (0.1 if is_martyrs(code) else 0.0)
    if left == 1:
        worth *= WEIGHTS["finish"]
    if g.held & NEAR[zone]:
        worth *= 1.1
    if code < 0 and g.fortified >> zone & 1:
        worth *= 0.8
    value = WEIGHTS["fire"] * chance / 100 * worth
    return value - (1.5 if len(action) == 4 else 0)


def eye_pairs(g: Board) -> list[tuple[int, int]]:
    ground = ALL_ZONES & ~g.usmc & ~present(g) & g.foe
    return [(one, other) for one in bits_of(ground) for other in bits_of(NEAR[one] & ground) if one < other]


def cobra_zones(g: Board) -> list[int]:
    return bits_of(ALL_ZONES & ~g.usmc & ~present(g) & g.foe & ~(1 << MOSQUE))


def thing_value(g: Board, place: int) -> float:
    code = g.things[place]
    fort = 0.8 if g.fortified >> ZONE[place] & 1 else 0.0
    if code < 0:
        return 1.0 + fort
    return 1.6 + 0.2 * strength(code) + fort


def cobra_value(g: Board, zone: int) -> float:
    near = 1.0 if NEAR[zone] & g.held else 0.4
    return near * sum(sorted((thing_value(g, place) for place in things_in(g, zone)), reverse=True)[:2])


def tank_value(g: Board, place: int) -> float:
    """Targets in sight next turn, and a street made safer."""
    if place < FIRST_SECTION:
        return -5.0
    free = ~present(g)
    value = 0.0
    for zone in bits_of(SECTION_FIRE[place] & g.foe):
        for spot in things_in(g, zone):
            if KIND[spot] != "R":
                value += (1.0 if free >> zone & 1 else 0.3) + (0.4 if g.things[spot] > 0 else 0.0)
    value += 0.5 * len(bits_of(SECTION_MASK[place] & ~g.usmc & ALL_ZONES))
    return value


def tank_reach(g: Board, place: int, mp: int) -> float:
    """The best place within reach, a little less for each step."""
    best = tank_value(g, place) if SECTION_MASK[place] & g.usmc else -9.0
    if mp > 0:
        for step in TANK_WAYS[place]:
            if step >= FIRST_SECTION and step not in g.tanks:
                best = max(best, tank_reach(g, step, mp - 1) - 0.05)
    return best

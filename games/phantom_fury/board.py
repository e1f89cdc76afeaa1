"""What lies on the table, and small questions about it.

The state is flat: squads are numbers 0 to 17 (fifteen of the Marines, three of the IIF) and each property
is a list over them; sets of zones are bit masks. `foe`, `crew` and `held` repeat what `things` and `where`
say, so that the questions asked most are one operation; only `put`, `lift` and `go` write them.
"""

from bisect import insort

from games.kernel.ruleset import State
from games.kernel.table import Seat, Table
from games.phantom_fury.tables import (
    COUNT,
    FIRST_SECTION,
    FRONT,
    GUERILLAS,
    INSURGENTS,
    LOCATIONS,
    MARTYRS,
    MOSQUE,
    NAMES,
    NEAR,
    SQUADS,
    SUSPECTS,
    UNITS,
    UPPER,
    WISHES,
    ZONE,
    ZONES,
)

# Where a squad is when it is not on the map; an Abrams uses BOX and OUT too.
POOL, COMPANY, BATTALION, IIF_BOX, OUT, BOX = -1, -2, -3, -4, -5, -6
FRESH, FIRED, PINNED = 0, 1, 2
KEEPS = tuple(not upper for upper in UPPER)
ZONE_COUNT = max(ZONES) + 1

SEATS = ("co", "plt1", "plt2", "plt3")


class Board(State):
    """The whole game."""

    variant: int = 0
    uav_success: int = 8
    platoons: int = 0  # platoon seats beside the company commander; 0: one seat has it all
    strong_points: int = 0
    turn: int = 0
    phase: str = "setup"
    vp: int = 0
    vp_log: list[tuple[int, int, str, str]] = []  # turn, points, reason, subject
    missions: tuple[int, int, int] = (0, 0, 0)  # successes of uav, cobra, hornet
    # zones, as bit masks
    usmc: int = 0  # under USMC control
    activated: int = 0
    fortified: int = 1 << MOSQUE
    ruins: int = 0
    fanatic: int = 0
    no_event: int = 0
    fury: dict[int, int] = {}  # zone -> 15 or 30, the two sides of a Phantom Fury marker
    # what stands in the Locations: a Suspect is minus its number, a unit is counter, side and CF in one
    things: dict[int, int] = {}
    foe: int = 0  # zones that hold any of them
    # squads
    where: list[int] = []
    reduced: list[int] = []
    status: list[int] = []
    hero: list[int] = []
    caat: list[int] = []  # 0, or the number of the CAAT with it
    se: list[int] = []  # -1, or the Location of its Security Element
    moved: list[int] = []
    assaulted: list[int] = []
    search: list[int] = []
    owner: list[int] = []  # 0: the commander; 1 to 3: a platoon seat; -1: not yet given
    crew: list[int] = []  # zone -> bits of the squads in it
    held: int = 0  # zones with a squad
    ammo: list[int] = []  # by CAAT number
    charge: list[int] = []
    orphans: list[int] = []  # Security Elements whose squad has died
    tanks: list[int] = []
    tank_status: list[int] = []
    tank_moved: list[int] = []
    iif_from: int = 0  # 0: not yet
    # the containers; contents are public, order is chance
    zone_bag: int = 0
    strong_bag: int = 0
    suspects: list[int] = []
    insurgents: list[int] = []
    gone: list[int] = []
    refills: tuple[int, int] = (0, 0)  # full sets added to an empty bag of Suspects, of Insurgents (R43)
    result: str = ""


def empty_board() -> Board:
    return Board(
        todo=[],
        where=[POOL] * SQUADS + [IIF_BOX] * (COUNT - SQUADS),
        reduced=[0] * COUNT,
        status=[FRESH] * COUNT,
        hero=[0] * COUNT,
        caat=[0] * COUNT,
        se=[-1] * COUNT,
        moved=[0] * COUNT,
        assaulted=[0] * COUNT,
        search=[0] * COUNT,
        owner=[0] * COUNT,
        crew=[0] * ZONE_COUNT,
        ammo=[0] * 5,
        charge=[0] * 5,
        tanks=[BOX, OUT],
        tank_status=[FRESH, FRESH],
        tank_moved=[0, 0],
        suspects=list(range(1, SUSPECTS + 1)),
        insurgents=list(range(1, INSURGENTS + 1)),
    )


# --- seats ---------------------------------------------------------------------------------------------------


def commander(g: Board) -> Seat:
    return "co" if g.platoons else "usmc"


def all_seats(g: Board) -> tuple[Seat, ...]:
    return SEATS[: g.platoons + 1] if g.platoons else ("usmc",)


def owner_of(g: Board, unit: int) -> Seat:
    """The seat that decides for a squad."""
    return SEATS[g.owner[unit]] if g.platoons else "usmc"


# --- squads --------------------------------------------------------------------------------------------------


def cf_of(g: Board, unit: int) -> int:
    """Effective CF: reduced, Security Element out, hero [5.1.1, 5.1.5, 12.3.2.2]."""
    return FRONT[unit] - g.reduced[unit] - (g.se[unit] >= 0) + g.hero[unit]


def go(g: Board, unit: int, place: int) -> None:
    """Put a squad somewhere, on the map or off it."""
    old = g.where[unit]
    g.where[unit] = place
    from_zone = ZONE[old] if old >= 0 else 0
    zone = ZONE[place] if place >= 0 else 0
    if from_zone == zone:
        return
    if from_zone:
        g.crew[from_zone] &= ~(1 << unit)
        if not g.crew[from_zone]:
            g.held &= ~(1 << from_zone)
    if zone:
        g.crew[zone] |= 1 << unit
        g.held |= 1 << zone


def zone_of(g: Board, unit: int) -> int:
    """The zone a squad is in; 0 in a street section or off the map."""
    place = g.where[unit]
    return ZONE[place] if place >= 0 else 0


def squads_in(g: Board, zone: int) -> list[int]:
    bits, found = g.crew[zone], []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def present(g: Board) -> int:
    """Zones that are not clear of USMC units: squads, or an Abrams in the open ground."""
    bits = g.held
    for place in g.tanks:
        if 0 <= place < FIRST_SECTION:
            bits |= 1 << ZONE[place]
    return bits


def se_zones(g: Board) -> int:
    """Zones with a Security Element, orphaned or not."""
    bits = 0
    for place in g.se:
        if place >= 0:
            bits |= 1 << ZONE[place]
    for place in g.orphans:
        bits |= 1 << ZONE[place]
    return bits


def take_se(g: Board, unit: int) -> None:
    """The Security Element comes back; with the last one a No Insurgents Event marker goes."""
    g.se[unit] = -1
    g.no_event &= se_zones(g)


def pin(g: Board, table: Table, unit: int, why: str) -> None:
    """[11.5] Pinned overrides Fired (R16)."""
    if g.status[unit] != PINNED:
        g.status[unit] = PINNED
        table.tell("pinned", unit=UNITS[unit], at=NAMES[g.where[unit]], area=zone_of(g, unit), why=why)


def score(g: Board, points: int, reason: str, subject: str) -> None:
    g.vp += points
    g.vp_log.append((g.turn, points, reason, subject))


# --- what the insurgents have --------------------------------------------------------------------------------


def unit_code(counter: int, martyrs: bool, cf: int) -> int:
    return counter << 4 | martyrs << 3 | cf


def is_martyrs(code: int) -> bool:
    return bool(code & 8)


def strength(code: int) -> int:
    return code & 7


def unit_words(code: int) -> str:
    if code < 0:
        return "Suspect"
    return f"{'Martyrs' if code & 8 else 'Guerillas'} {code & 7}"


def put(g: Board, place: int, code: int) -> None:
    g.things[place] = code
    g.foe |= 1 << ZONE[place]


def lift(g: Board, place: int) -> int:
    """Take a Suspect or unit off the map; the caller says where it goes."""
    code = g.things.pop(place)
    zone = ZONE[place]
    for other in LOCATIONS[zone]:
        if other in g.things:
            return code
    g.foe &= ~(1 << zone)
    return code


def to_bag(g: Board, code: int) -> None:
    if code < 0:
        insort(g.suspects, -code)
    else:
        insort(g.insurgents, code >> 4)


def eliminate(g: Board, table: Table, place: int, why: str) -> None:
    """[5.2.1] The counter goes back in its container; Guerillas score [7.2.1]."""
    code = lift(g, place)
    to_bag(g, code)
    if code > 0:
        points = 0 if code & 8 else 1
        if points:
            score(g, points, "guerillas", NAMES[place])
        table.tell("killed", what=unit_words(code), at=NAMES[place], area=ZONE[place], vp=points, why=why)
    else:
        table.tell("removed", at=NAMES[place], area=ZONE[place], why=why)


def things_in(g: Board, zone: int) -> list[int]:
    things = g.things
    return [place for place in LOCATIONS[zone] if place in things]


def count_in(g: Board, zones: int) -> tuple[int, int]:
    """Insurgents units and Suspects in a set of zones."""
    zones &= g.foe
    units = suspects = 0
    things = g.things
    while zones:
        low = zones & -zones
        zones ^= low
        for place in LOCATIONS[low.bit_length() - 1]:
            code = things.get(place, 0)
            if code > 0:
                units += 1
            elif code < 0:
                suspects += 1
    return units, suspects


def draw_counter(g: Board, table: Table) -> int:
    """An Insurgents counter out of its container; an empty one is filled again (R43)."""
    if not g.insurgents:
        g.insurgents = list(range(1, INSURGENTS + 1))
        g.refills = (g.refills[0], g.refills[1] + 1)
        table.tell("refill", what="Insurgents")
    return g.insurgents.pop(table.draw(len(g.insurgents)))


def draw_suspect(g: Board, table: Table) -> int:
    if not g.suspects:
        g.suspects = list(range(1, SUSPECTS + 1))
        g.refills = (g.refills[0] + 1, g.refills[1])
        table.tell("refill", what="Suspects")
    return g.suspects.pop(table.draw(len(g.suspects)))


def wished(g: Board, marker: int, zone: int) -> int:
    """[5.3.2] The Location a Suspect marker would take in a zone, or -1."""
    things, where, ruined = g.things, g.where, g.ruins >> zone & 1
    for place in WISHES[marker][zone]:
        if place not in things and place not in where and (KEEPS[place] or not ruined):
            return place
    return -1


def weaker(g: Board, place: int) -> int:
    """Exchange a unit for one of its type with CF one lower, not below 1 (R29); its new code."""
    code = g.things[place]
    cf = strength(code) - 1
    if cf < 1:
        return code
    values = MARTYRS if is_martyrs(code) else GUERILLAS
    for index, counter in enumerate(g.insurgents):
        if values[counter] == cf:
            del g.insurgents[index]
            insort(g.insurgents, code >> 4)
            code = unit_code(counter, is_martyrs(code), cf)
            break
    else:
        code = unit_code(code >> 4, is_martyrs(code), cf)
    g.things[place] = code
    return code


def in_fury(g: Board, zone: int) -> bool:
    """7.9: the zone, or one Adjacent or Neighbouring, carries a Phantom Fury marker."""
    if not g.fury:
        return False
    near = NEAR[zone] | 1 << zone
    return any(near >> marked & 1 for marked in g.fury)


def bits_of(zones: int) -> list[int]:
    """The zones of a mask, ascending."""
    found = []
    while zones:
        low = zones & -zones
        zones ^= low
        found.append(low.bit_length() - 1)
    return found

"""2, 3, 5. What lies on the table, and small questions about it."""

from bisect import insort

import msgspec

from games.city_fighting import tables as t
from games.kernel.steps import State
from games.kernel.table import Table

NOWHERE = -1  # the Downed Helicopter is not in play; a leader is in the recruit box
TAKEN = -2  # the Downed Helicopter is in the captured box


class Board(State):
    """Every counter is in exactly one place; numbers as in tables.py."""

    scenario: str
    campaign: int  # 0 a single battle, 1 and 2 the battles of a campaign
    joint: bool
    networked: bool
    interdiction: bool
    historical: bool
    seats: int
    mode: str  # services or sectors
    individual: bool
    first_vp: int  # of the campaign's first battle
    first_kia: int
    turn: int  # the operating seat
    passes: int
    operation: int  # how many operations were begun
    ops: int
    kia: int
    morale: int
    negotiated: int  # OPs that Negotiations will cost when this operation is complete
    won: bool  # the last battle of this operation was won and nothing was captured
    lead: int  # who led the last round of this operation
    chopper: int
    contested: int  # the space of the battle
    over: str  # why the match ended
    loc: list[int]
    reduced: list[int]
    owner: list[int]  # the seat that bought a unit, or last moved it into a base
    leader: list[int]  # leader -> its unit
    strike: list[int]
    netwar: list[int]
    intel: list[int]
    down: list[int]  # space -> concealed node
    shown: list[int]  # space -> face-up node
    node_bin: list[int]
    bin: list[int]
    drawn: list[int]  # out of the bin in the reaction now being carried out
    opfor: list[int]  # OPFOR units (and Mobs) in the battle
    captured: list[int]
    gone: list[int]  # nodes removed by interdiction
    hvt_dead: list[int]
    in_play: list[int]
    removed: list[int]
    blown: list[int]
    credit_nodes: list[int]
    credit_kia: list[int]


class Force(msgspec.Struct, frozen=True, array_like=True):
    """8.3. Units that move together, and how far they may still go."""

    units: tuple[int, ...]
    allowance: int = 0
    spent: int = 0
    msr: bool = True  # every link so far was Main Supply Route
    final: bool = False  # may not go on after a battle


class Fight(msgspec.Struct, frozen=True, array_like=True):
    """15, 16. One battle, from round to round."""

    place: int
    units: tuple[int, ...]  # who took part at the beginning; those still in the place fight on
    force: Force
    round: int = 1
    ambush: int = 0
    civilians: bool = False
    martyrs: bool = False


# --- questions -----------------------------------------------------------------------------------------


def units_in(g: Board, place: int) -> list[int]:
    return [unit for unit, at in enumerate(g.loc) if at == place]


def ground_in(g: Board, place: int) -> list[int]:
    return [unit for unit, at in enumerate(g.loc) if at == place and t.GROUND[unit]]


def is_node_space(g: Board, place: int) -> bool:
    return g.down[place] >= 0 or g.shown[place] >= 0 or g.chopper == place


def node_type(g: Board, place: int) -> str:
    """The type of the face-up node in a space; empty if there is none."""
    node = g.shown[place]
    return "" if node < 0 else t.NODE_TYPE[node]


def placed(nodes: list[int]) -> list[tuple[int, int]]:
    """The spaces that hold one of these nodes, with the node."""
    return [(place, node) for place, node in enumerate(nodes) if node >= 0]


def turn_up(g: Board, place: int) -> int:
    """The concealed node of a space is face up from now on."""
    node = g.shown[place] = g.down[place]
    g.down[place] = NOWHERE
    return node


def battle_place(g: Board) -> int:
    """Where OPFOR units stand; they are on the map only while a battle lasts."""
    return g.contested if g.opfor else NOWHERE


def occupied(g: Board, contested: int = NOWHERE) -> set[int]:
    """6.1, R2. Objective and mosque spaces with a ground unit; the contested space does not count."""
    loc, ground = g.loc, t.GROUND
    return {at for unit, at in enumerate(loc) if at in t.PRIZES and ground[unit] and at != contested}


def controls(g: Board, place: int, contested: int = NOWHERE) -> bool:
    """5.0, 24.7. A ground unit and no OPFOR unit; bases always."""
    return place >= t.SPACES or (place != contested and bool(ground_in(g, place)))


def room(g: Board, place: int, units: tuple[int, ...]) -> bool:
    """8.2. May these units end a move here, besides those that are here already?"""
    if place >= t.SPACES:
        return True
    battalions = companies = helos = 0
    for unit in units:
        battalions += t.BATTALION[unit]
        companies += t.COMPANY[unit]
        helos += t.HELO[unit]
    if place in g.loc:
        for unit, at in enumerate(g.loc):
            if at == place and unit not in units:
                battalions += t.BATTALION[unit]
                companies += t.COMPANY[unit]
                helos += t.HELO[unit]
    return battalions <= t.STACK_BATTALIONS and companies <= t.STACK_COMPANIES and helos <= t.STACK_HELOS


def fits_alone(units: tuple[int, ...]) -> bool:
    """8.2 for an empty space."""
    return (
        sum(t.BATTALION[unit] for unit in units) <= t.STACK_BATTALIONS
        and sum(t.COMPANY[unit] for unit in units) <= t.STACK_COMPANIES
        and sum(t.HELO[unit] for unit in units) <= t.STACK_HELOS
    )


def may_use(g: Board, unit: int) -> bool:
    """35. Whether the operating seat commands this unit."""
    if g.seats == 1 or t.JOINT[unit]:
        return True
    if g.mode == "services":
        return t.SIDE[unit] in t.SERVICES[g.seats][g.turn]
    at = g.loc[unit]
    if at < t.SPACES:
        return t.SECTORS[g.seats][t.ROUTE[at] - 1] == g.turn
    return at >= t.PLACES or g.owner[unit] == g.turn


def has_network(g: Board) -> bool:
    return bool(g.intel) or t.AVAILABLE in g.netwar


def barred(g: Board, place: int) -> bool:
    """31. With Joint Operations in April, no strike or NetWar where Iraqi units are."""
    return g.joint and g.scenario == "vigilant" and any(g.loc[unit] == place for unit in t.IRAQIS)


def steps_of(g: Board, units: list[int]) -> int:
    return sum(t.STEPS[unit] - g.reduced[unit] for unit in units)


# --- changes that several chapters make ----------------------------------------------------------------


def put_back(g: Board, counter: int) -> None:
    insort(g.bin, counter)


def spend_network(g: Board) -> None:
    """22. One Intel, else one NetWar: the lowest id there is."""
    if g.intel:
        put_back(g, g.intel.pop(0))
    else:
        g.netwar[g.netwar.index(t.AVAILABLE)] = t.IN_RECRUIT


def count_kia(g: Board, change: int) -> None:
    """21.1. The index moves, and the operating seat answers for it."""
    g.kia += change
    g.credit_kia[g.turn] += change


def leave_map(g: Board, unit: int, box: int) -> None:
    """A unit is eliminated or deserts; its leader goes back to the recruit box (29.1)."""
    g.loc[unit] = box
    g.reduced[unit] = 0
    for leader, holder in enumerate(g.leader):
        if holder == unit:
            g.leader[leader] = NOWHERE


def hit(g: Board, table: Table, unit: int) -> None:
    """16.3, 21.1. One step: reduced, or eliminated; KIA goes down."""
    count_kia(g, -1)
    if t.STEPS[unit] == 2 and not g.reduced[unit]:
        g.reduced[unit] = 1
        table.tell("reduced", unit=t.UNIT_IDS[unit])
    else:
        leave_map(g, unit, t.ELIMINATED)
        table.tell("eliminated", unit=t.UNIT_IDS[unit])

"""The State: what lies on the table, and small questions about it."""

from collections.abc import Iterable, Iterator

from games.kernel.errors import Fact
from games.kernel.steps import State
from games.kernel.table import Table
from games.second_fallujah.tables import (
    ADJ,
    AREAS,
    C0,
    CF,
    COA,
    COALITION,
    DEAD,
    F0,
    FEDAYEEN,
    FRESH,
    ID,
    INS,
    INSURGENT,
    IRAQI,
    M0,
    MF,
    N_COA,
    PLACE_WORDS,
    PLACES,
    POOL,
    SAME,
    SCORING_AREAS,
    SPENT,
    STACK_LIMIT,
    UNUSED,
)


class Board(State):
    """Counters and markers, and the record of the running impulse (empty between impulses)."""

    where: list[int]  # unit -> place
    mode: list[int]  # unit -> SPENT, FRESH or DUG
    coa: list[tuple[int, ...]]  # place -> Coalition units there, in counter order
    ins: list[tuple[int, ...]]  # place -> insurgent units there
    control: list[int]  # area -> INS or COA
    turn: int = 1
    impulse: int = 0
    side: str = COALITION
    phase: str = "setup"
    backlash: int = 0
    owner: str = COALITION  # of the Advantage
    available: bool = True
    riverine: int = FRESH
    last_pass: str = ""
    resistance: int = 0  # area of the Resistance marker, solitaire only
    solitaire: bool = False
    iraqi_infantry_supports: bool = False
    # the running impulse
    att: int = 0  # attack dice, or the phase roll, as they lie now
    dfn: int = 0  # defence dice
    origin: int = 0
    mp: dict[int, int] = {}  # Movement Points left to units that have acted
    entered: dict[int, tuple[int, int, int]] = {}  # unit -> area with enemies, where from, MP on arrival
    entry: dict[int, tuple[int, int, bool]] = {}  # area -> cost before Reaction, cost charged, ambush
    reacted: tuple[int, ...] = ()
    fought: dict[int, tuple[bool, int, tuple[int, ...]]] = {}  # area -> Overrun, cost in place, attackers
    contested: tuple[int, ...] = ()  # areas contested when the impulse began
    finished: tuple[int, ...] = ()  # insurgents that dug in or un-dug
    first_area: int = 0
    zone_used: tuple[int, ...] = ()
    phase_roll: int = 0  # first attack roll of this Coalition impulse; 0: none yet
    riverine_used: bool = False
    acted: bool = False


WORD_OF: tuple[str, ...] = tuple(PLACE_WORDS.get(place) or str(place) for place in range(DEAD + 1))

# --- questions ---------------------------------------------------------------------------------------


def place_word(place: int) -> str:
    """How a place is written: `24`, `NW`, `pool`."""
    return WORD_OF[place]


def is_contested(g: Board, area: int) -> bool:
    """2.4: units of both sides inside."""
    return bool(g.coa[area] and g.ins[area])


def is_free_for_insurgents(g: Board, area: int) -> bool:
    return g.control[area] == INS and not g.coa[area]


def is_free_for_coalition(g: Board, area: int) -> bool:
    return g.control[area] == COA and not g.ins[area]


def is_vacant(g: Board, area: int) -> bool:
    return not g.coa[area] and not g.ins[area]


def any_fresh(g: Board, units: Iterable[int]) -> bool:
    mode = g.mode
    for unit in units:  # noqa: SIM110 - asked very often, and a generator takes twice as long
        if mode[unit]:
            return True
    return False


def all_militia(units: tuple[int, ...]) -> bool:
    """Stacks are in counter order, and Militia come last."""
    return not units or units[0] >= M0


def has_us(g: Board, place: int) -> bool:
    for unit in g.coa[place]:  # noqa: SIM110 - as in any_fresh
        if not IRAQI[unit]:
            return True
    return False


def has_iraqi(g: Board, place: int) -> bool:
    return any(IRAQI[unit] for unit in g.coa[place])


def mp_left(g: Board, unit: int) -> int:
    """Movement Points of an active unit; the printed factor until it has acted."""
    left = g.mp.get(unit)
    return MF[unit] if left is None else left


def cf_of(g: Board, unit: int) -> int:
    return CF[g.mode[unit]][unit]


def militia_in_pool(g: Board) -> int:
    """How many Militia wait in the Force Pool."""
    return g.where.count(POOL)


def insurgent_room(g: Board, area: int) -> int:
    return STACK_LIMIT - len(g.ins[area])


def fresh_leaders(g: Board, area: int) -> int:
    """Fresh Fedayeen and Cadres in an area, Dug In ones included (5.1)."""
    mode = g.mode
    return len([unit for unit in g.ins[area] if unit < M0 and mode[unit]])


def leaders(g: Board, area: int) -> int:
    """Fedayeen and Cadres in an area, Fresh or Spent."""
    return sum(1 for unit in g.ins[area] if unit < M0)


def lead_defenders(g: Board, area: int) -> list[int]:
    """7.2.5: the insurgents with the highest Combat Factor, one for each kind and state."""
    best = max(cf_of(g, unit) for unit in g.ins[area])
    return [unit for unit in distinct(g, g.ins[area]) if cf_of(g, unit) == best]


def distinct(g: Board, units: Iterable[int]) -> Iterator[int]:
    """The lowest id of each set of interchangeable insurgents: same type, same face."""
    seen, mode = 0, g.mode
    for unit in units:
        same = SAME[mode[unit]][unit]
        if not seen & same:
            seen |= same
            yield unit


def common_facts(g: Board) -> dict[str, Fact]:
    """What standing orders may read of every decision."""
    return {"turn": g.turn, "impulse": g.impulse, "vp": victory_points(g), "backlash": g.backlash}


def victory_points(g: Board) -> int:
    """1.1. The insurgent total at this moment."""
    where = g.where
    fedayeen = sum(1 for unit in FEDAYEEN if where[unit] < PLACES)
    cadres = sum(1 for unit in range(C0, F0) if where[unit] < PLACES)
    control = g.control
    areas = sum(1 for area in SCORING_AREAS if control[area] == INS)
    return fedayeen + 2 * cadres + areas + g.backlash


# --- changes -----------------------------------------------------------------------------------------


def _without(stack: tuple[int, ...], unit: int) -> tuple[int, ...]:
    at = stack.index(unit)
    return stack[:at] + stack[at + 1 :]


def _with(stack: tuple[int, ...], unit: int) -> tuple[int, ...]:
    if not stack or unit > stack[-1]:
        return (*stack, unit)
    return tuple(sorted((*stack, unit)))


def relocate(g: Board, unit: int, to: int) -> None:
    """Take a counter from where it lies to another place, on the map or beside it."""
    stacks = g.coa if unit < N_COA else g.ins
    at = g.where[unit]
    if at < PLACES:
        stacks[at] = _without(stacks[at], unit)
    g.where[unit] = to
    if to < PLACES:
        stacks[to] = _with(stacks[to], unit)


def update_control(g: Board, area: int, table: Table) -> None:
    """9.1: an area occupied only by the side that does not control it changes hands."""
    if area > AREAS[-1]:
        return
    ours, theirs = g.coa[area], g.ins[area]
    side = COA if ours else INS
    if g.control[area] != side and (not theirs if ours else theirs):
        g.control[area] = side
        table.tell("control", area=area, side=COALITION if side == COA else INSURGENT)


def leave_behind(g: Board, unit: int, place: int, table: Table) -> None:
    """9.1 when a unit has left: only the last one to go can cost its side an area (R26)."""
    if not (g.coa if unit < N_COA else g.ins)[place]:
        update_control(g, place, table)


def eliminate(g: Board, unit: int) -> None:
    """Militia go back to the Force Pool; Fedayeen and Cadres are gone for good (11.1)."""
    g.mode[unit] = FRESH
    relocate(g, unit, POOL if unit >= M0 else DEAD)


def place_militia(g: Board, area: int) -> int:
    """A Fresh Militia from the Force Pool, lowest number first."""
    unit = g.where.index(POOL, M0)
    g.mode[unit] = FRESH
    relocate(g, unit, area)
    return unit


def place_fedayeen(g: Board, area: int, face: int = FRESH) -> int:
    """17: a spare Fedayeen of the solitaire game."""
    unit = g.where.index(UNUSED, F0, M0)
    g.mode[unit] = face
    relocate(g, unit, area)
    return unit


def raise_backlash(g: Board, by: int, table: Table, *, why: str, area: int) -> None:
    """7.5, 8.1."""
    if by > 0:
        g.backlash += by
        table.tell("backlash", by=by, total=g.backlash, why=why, area=area)


def spend(g: Board, units: Iterable[int]) -> None:
    mode = g.mode
    for unit in units:
        mode[unit] = SPENT


def retreat_areas(g: Board, area: int) -> tuple[int, ...]:
    """8.3: adjacent Free areas with room; failing these, contested ones under insurgent control."""
    room = [b for b in ADJ[area] if g.control[b] == INS and len(g.ins[b]) < STACK_LIMIT]
    free = tuple(b for b in room if not g.coa[b])
    return free or tuple(b for b in room if g.ins[b])


def clear_impulse(g: Board) -> None:
    g.origin = g.first_area = g.phase_roll = g.att = g.dfn = 0
    g.mp, g.entered, g.entry, g.fought = {}, {}, {}, {}
    g.reacted = g.contested = g.finished = g.zone_used = ()
    g.riverine_used = g.acted = False


def names(units: Iterable[int]) -> str:
    return " ".join(ID[unit] for unit in units)

"""4, 11. Setting up, the turn and its phases, the end of the game."""

from collections.abc import Iterator
from itertools import chain

from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision, Step
from games.kernel.table import Seat, Table
from games.second_fallujah.advantage import advantage_steps
from games.second_fallujah.board import (
    Board,
    clear_impulse,
    common_facts,
    distinct,
    fresh_leaders,
    leave_behind,
    place_word,
    relocate,
    victory_points,
)
from games.second_fallujah.coalition import CoalitionImpulse
from games.second_fallujah.insurgent import InsurgentImpulse
from games.second_fallujah.solitaire import BotImpulse, bot_keeps_spent
from games.second_fallujah.tables import (
    ADJ,
    ADJ_BITS,
    ALL_DUG,
    AREAS,
    BIT,
    COA,
    COALITION,
    DONE,
    DUG,
    F0,
    FLIP,
    FRESH,
    FRESH_LIMIT,
    HAND,
    ID,
    INS,
    INSURGENT,
    KEEP,
    LAST_TURN,
    M0,
    MOST_FEDAYEEN_AT_START,
    MOST_UNDOS,
    N_COA,
    N_UNITS,
    NW,
    PLACES,
    PUT,
    SAME,
    SPENT,
    STACK_LIMIT,
    SUPPORT,
    UNIT,
    UNPUT,
)


class SetUp(Decision, frozen=True):
    """11.1, D0. Twenty Fedayeen, at most two in an area."""

    undos: int = 0

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (INSURGENT,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        placed = [0] * PLACES
        for place in g.where[F0:M0]:
            if place < PLACES:
                placed[place] += 1
        hand = HAND in g.where
        found = [PUT[area] for area in AREAS if placed[area] < MOST_FEDAYEEN_AT_START] if hand else [DONE]
        if self.undos < MOST_UNDOS:
            found += [UNPUT[area] for area in AREAS if placed[area]]
        return iter(found)

    def surely_open(self, g: Board) -> bool:
        """Half the areas could hold every Fedayeen: while one is in hand, two have room."""
        return HAND in g.where

    def facts(self, g: Board) -> dict[str, Fact]:
        return common_facts(g) | {"left": g.where.count(HAND)}

    def put(self, g: Board, table: Table, letter: str, area: int) -> None:
        unit = g.where.index(HAND)
        relocate(g, unit, area)
        table.tell("setup", unit=ID[unit], area=area)
        g.do(self)

    def unput(self, g: Board, table: Table, letter: str, area: int) -> None:
        unit = max(unit for unit in g.ins[area] if F0 <= unit < M0)
        relocate(g, unit, HAND)
        table.tell("setup-back", unit=ID[unit], area=area)
        g.do(SetUp(self.undos + 1))

    def done(self, g: Board, table: Table) -> None:
        table.tell("setup-done", vp=victory_points(g))


class FirstTurn(Step, frozen=True):
    """11.2. The game starts with a Coalition impulse, number 0."""

    def run(self, g: Board, table: Table) -> None:
        g.phase = "action"
        table.tell("turn", turn=g.turn)
        g.do(CoalitionTurn(), AfterActionPhase())


class Turn(Step, frozen=True):
    """4. A day begins at impulse 1 with the insurgents."""

    def run(self, g: Board, table: Table) -> None:
        g.phase, g.impulse, g.last_pass = "action", 1, ""
        table.tell("turn", turn=g.turn)
        g.do(InsurgentTurn(), AfterActionPhase())


class AfterActionPhase(Step, frozen=True):
    """4. Regroup, infiltration, reset."""

    def run(self, g: Board, table: Table) -> None:
        g.phase = "regroup"
        table.tell("regroup-phase")
        ours = () if g.solitaire else (Regroup(INSURGENT),)
        g.do(*ours, Regroup(COALITION), Infiltration(), Reset())


# --- 4.1 Action Phase ------------------------------------------------------------------------------------


class InsurgentTurn(Step, frozen=True):
    """4.1.1."""

    def run(self, g: Board, table: Table) -> None:
        g.side = INSURGENT
        clear_impulse(g)
        g.do(BotImpulse() if g.solitaire else InsurgentImpulse(), EndInsurgentImpulse())


class EndInsurgentImpulse(Step, frozen=True):
    """4.1.4: two passes in succession end the phase; otherwise the Coalition acts."""

    def run(self, g: Board, table: Table) -> None:
        over = _note_pass(g, INSURGENT, COALITION)
        clear_impulse(g)
        if over:
            table.tell("phase-passed")
            g.do(*_crowded(g))
        else:
            g.do(*_crowded(g), CoalitionTurn())


class CoalitionTurn(Step, frozen=True):
    """4.1.2."""

    def run(self, g: Board, table: Table) -> None:
        g.side = COALITION
        clear_impulse(g)
        g.do(CoalitionImpulse(), EndCoalitionImpulse())


class EndCoalitionImpulse(Step, frozen=True):
    """4.1.4: double pass, else the phase roll if no attack was rolled."""

    def run(self, g: Board, table: Table) -> None:
        over = _note_pass(g, COALITION, INSURGENT)
        if over:
            clear_impulse(g)
            table.tell("phase-passed")
            g.do(*_crowded(g))
        elif g.phase_roll:
            g.do(*_crowded(g), PhaseCheck(g.phase_roll))
        else:
            g.do(*_crowded(g), PhaseRoll())


def _note_pass(g: Board, side: str, other: str) -> bool:
    """R32, R45, R64: whether this impulse is the second pass in succession."""
    if g.acted:
        g.last_pass = ""
        return False
    over = g.last_pass == other
    g.last_pass = side
    return over


class PhaseRoll(Step, frozen=True):
    """4.1.4. No attack was rolled in this Coalition impulse."""

    def run(self, g: Board, table: Table) -> None:
        dice = table.d6(2)
        g.att = dice[0] + dice[1]
        table.tell("phase-roll", a1=dice[0], a2=dice[1], impulse=g.impulse)
        g.do(*advantage_steps(g, "phase"), PhaseCheck(0))


class PhaseCheck(Step, frozen=True):
    """4.1.4. Below the impulse number the Action Phase ends."""

    roll: int  # 0: the phase roll that lies on the table

    def run(self, g: Board, table: Table) -> None:
        roll = self.roll or g.att
        clear_impulse(g)
        if roll < g.impulse:
            table.tell("phase-ends", roll=roll, impulse=g.impulse)
            return
        table.tell("phase-goes-on", roll=roll, impulse=g.impulse)
        g.impulse += 1
        g.do(InsurgentTurn())


def _crowded(g: Board) -> tuple[Step, ...]:
    """5.1 at the end of an impulse; R63: the rules cannot lead there."""
    ins = g.ins
    return tuple([Friction(area) for area in AREAS if len(ins[area]) > FRESH_LIMIT < fresh_leaders(g, area)])


class Friction(Decision, frozen=True):
    """5.1, D12. More than five Fresh Fedayeen and Cadres: one is flipped."""

    area: int

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (INSURGENT,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        for unit in distinct(g, g.ins[self.area]):
            if unit < M0 and g.mode[unit] == FRESH:
                yield FLIP[unit]

    def facts(self, g: Board) -> dict[str, Fact]:
        return common_facts(g) | {"area": self.area, "over": fresh_leaders(g, self.area) - FRESH_LIMIT}

    def flip(self, g: Board, table: Table, name: str) -> None:
        g.mode[UNIT[name]] = SPENT
        table.tell("friction", unit=name, area=self.area)
        if fresh_leaders(g, self.area) > FRESH_LIMIT:
            g.do(self)


# --- 4.2 Regroup Phase -----------------------------------------------------------------------------------


class Regroup(Decision, frozen=True):
    """4.2, D13 and D14. Each unit may move once to an adjacent Free area, one at a time."""

    unit_fields = ("moved",)
    side: str
    moved: tuple[int, ...] = ()
    free: int = -1  # Free areas with room, as bits, kept from move to move; -1: to be worked out

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (self.side,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        """Unit by unit, out of lists made before: a long list costs little."""
        lists: list[tuple[Action, ...]] = [(DONE,)]
        free = self.free if self.free >= 0 else free_bits(g, self.side)
        moved, mode = set(self.moved), g.mode
        for stack, near in zip(g.coa if self.side == COALITION else g.ins, ADJ_BITS, strict=True):
            if stack and (to := free & near):
                seen = ALL_DUG  # they stay where they are
                for unit in stack:
                    if unit not in moved and not seen & (same := SAME[mode[unit]][unit]):
                        seen |= same
                        lists.append(REGROUPS[unit][to])
        return chain.from_iterable(lists)

    def surely_open(self, g: Board) -> bool:
        """Whether a unit beside an area known to be Free has not moved yet."""
        free, moved, mode = max(self.free, 0), self.moved, g.mode
        for stack, near in zip(g.coa if self.side == COALITION else g.ins, ADJ_BITS, strict=True):
            if stack and free & near:
                for unit in stack:
                    if unit not in moved and mode[unit] != DUG:
                        return True
        return False

    def facts(self, g: Board) -> dict[str, Fact]:
        return common_facts(g) | {"moves": len(self.moved)}

    def rg(self, g: Board, table: Table, name: str, area: int) -> None:
        unit = UNIT[name]
        origin = g.where[unit]
        crowded = len(g.ins[area]) >= FRESH_LIMIT <= fresh_leaders(g, area)
        flips = crowded and N_COA <= unit < M0 and g.mode[unit] == FRESH
        relocate(g, unit, area)
        if flips:
            g.mode[unit] = SPENT
        table.tell("regroup", unit=name, origin=place_word(origin), area=area, face="spent" if flips else "")
        leave_behind(g, unit, origin, table)
        free = self.free
        if free < 0:
            free = free_bits(g, self.side)
        else:
            free = free | BIT[origin] if _is_open(g, self.side, origin) else free & ~BIT[origin]
            if len((g.coa if unit < N_COA else g.ins)[area]) >= STACK_LIMIT:
                free &= ~BIT[area]
        g.do(Regroup(self.side, (*self.moved, unit), free))

    def done(self, g: Board, table: Table) -> None:
        return None


def _is_open(g: Board, side: str, place: int) -> bool:
    """Whether an area is Free for a side and has room; a zone never is."""
    if place >= NW:
        return False
    own, foe, hold = (g.coa, g.ins, COA) if side == COALITION else (g.ins, g.coa, INS)
    return g.control[place] == hold and not foe[place] and len(own[place]) < STACK_LIMIT


def free_bits(g: Board, side: str) -> int:
    own, foe, hold = (g.coa, g.ins, COA) if side == COALITION else (g.ins, g.coa, INS)
    control = g.control
    return sum([BIT[a] for a in AREAS if control[a] == hold and not foe[a] and len(own[a]) < STACK_LIMIT])


class UnitRegroups(dict[int, tuple[Action, ...]]):
    """`rg u b` of one unit for a set of areas, given as bits; each list is made once.

    The sets are parts of a neighbourhood: there are at most 2357 of them on the board.
    """

    def __init__(self, unit: int) -> None:
        self.each: list[tuple[int, Action]] = [(BIT[area], ("rg", ID[unit], area)) for area in AREAS]

    def __missing__(self, to: int) -> tuple[Action, ...]:
        self[to] = found = tuple([action for bit, action in self.each if to & bit])
        return found


REGROUPS = tuple(UnitRegroups(unit) for unit in range(N_UNITS))


# --- 4.3, 4.4 -------------------------------------------------------------------------------------------


class Infiltration(Step, frozen=True):
    """4.3, 9.2. Ungarrisoned Coalition areas next to insurgent ground fall, and so on down the chain."""

    def run(self, g: Board, table: Table) -> None:
        held = {area for area in AREAS if g.control[area] == COA and all(SUPPORT[u] for u in g.coa[area])}
        edge = [area for area in AREAS if g.control[area] == INS]
        while edge:
            for b in ADJ[edge.pop()]:
                if b in held:
                    held.discard(b)
                    g.control[b] = INS
                    edge.append(b)
                    table.tell("infiltration", area=b)


class Reset(Step, frozen=True):
    """4.4. The game ends after Nov 14; otherwise Spent units recover and the next day begins."""

    def run(self, g: Board, table: Table) -> None:
        if g.turn == LAST_TURN:
            g.phase = "over"
            table.tell("game-over", vp=victory_points(g))
            return
        g.phase = "reset"
        over = {}
        for area in AREAS:
            if len(g.ins[area]) > FRESH_LIMIT:
                count = sum(1 for unit in g.ins[area] if unit < M0)
                if count > FRESH_LIMIT:
                    over[area] = count - FRESH_LIMIT
        kept = {unit for area, count in over.items() for unit in bot_keeps_spent(g, area, count)}
        mode, where = g.mode, g.where
        for unit in range(N_UNITS):
            if not mode[unit] and not (N_COA <= unit < M0 and where[unit] in over):
                mode[unit] = FRESH
        if g.solitaire:
            for area in over:
                _recover(g, area, kept)
            g.do(NextDay())
        else:
            g.do(*(KeepSpent(area, count) for area, count in over.items()), NextDay())


def _recover(g: Board, area: int, kept: set[int]) -> None:
    for unit in g.ins[area]:
        if not g.mode[unit] and unit not in kept:
            g.mode[unit] = FRESH


class KeepSpent(Decision, frozen=True):
    """4.4, 5.1, D15. Which Fedayeen and Cadres stay Spent in an area that would have more than five Fresh."""

    unit_fields = ("kept",)
    area: int
    count: int
    kept: tuple[int, ...] = ()

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (INSURGENT,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        spent = [u for u in g.ins[self.area] if u < M0 and not g.mode[u] and u not in self.kept]
        for unit in distinct(g, spent):
            yield KEEP[unit]

    def facts(self, g: Board) -> dict[str, Fact]:
        return common_facts(g) | {"area": self.area, "over": self.count}

    def keep(self, g: Board, table: Table, name: str) -> None:
        kept = (*self.kept, UNIT[name])
        table.tell("kept-spent", unit=name, area=self.area)
        if self.count > 1:
            g.do(KeepSpent(self.area, self.count - 1, kept))
        else:
            _recover(g, self.area, set(kept))


class NextDay(Step, frozen=True):
    """4.4. Riverine, Advantage, turn marker."""

    def run(self, g: Board, table: Table) -> None:
        g.riverine = FRESH
        g.available = True
        g.turn += 1
        g.do(Turn())

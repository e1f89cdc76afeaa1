"""13, 24, 25, 27. Forming a force and moving it: on the ground, over water, by air, through a node.

R44: nothing is offered after which the seat could not finish legally. So a step is offered only if the force
can stop there or go on from there to a place where it can.
"""

from collections.abc import Iterator, Sequence

from games.city_fighting import tables as t
from games.city_fighting.board import NOWHERE, Board, Force, fits_alone, is_node_space, may_use, room, turn_up
from games.city_fighting.reaction import React
from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision, Step
from games.kernel.table import Seat, Table

# --- what a set of units can do ------------------------------------------------------------------------


def cargo_of(g: Board, units: Sequence[int]) -> tuple[int, ...]:
    """25.2. Who rides in the Amtracs: the slowest light units, among equals those that are not SOF."""
    amtracs = sum(t.AMTRAC[unit] for unit in units)
    if not amtracs:
        return ()
    light = [unit for unit in units if t.LIGHT[unit]]
    light.sort(key=lambda unit: (t.MOVEMENT[g.reduced[unit]][unit], t.SOF[unit], unit))
    return tuple(light[:amtracs])


def allowance(g: Board, units: Sequence[int]) -> int:
    """13.0. The slowest unit that does not ride."""
    cargo = cargo_of(g, units)
    return min((t.MOVEMENT[g.reduced[unit]][unit] for unit in units if unit not in cargo), default=0)


def crosses(g: Board, units: Sequence[int]) -> bool:
    """25.1, 27.3. Every unit is an Amtrac, SOF, or rides in an Amtrac."""
    cargo = cargo_of(g, units)
    return all(t.AMTRAC[unit] or t.SOF[unit] or unit in cargo for unit in units)


def is_water(g: Board, kind: int) -> bool:
    """13.3. A river link, or a bridge that is blown."""
    return kind == t.RIVER or (kind >= t.BRIDGE and bool(g.blown[kind - t.BRIDGE]))


def liftable(units: Sequence[int], helos: Sequence[int]) -> bool:
    """24.5, 24.6. Each ground unit finds a helicopter: transports any light one, the SOAR SOF only."""
    cargo = [unit for unit in units if not t.HELO[unit]]
    if not all(t.LIFTABLE[unit] for unit in cargo):
        return False
    commandos = sum(t.SOF[unit] for unit in cargo)
    lifts = sum(t.LIFT[helo] for helo in helos)
    soars = sum(t.SOAR[helo] for helo in helos)
    return len(cargo) - commandos <= lifts and len(cargo) <= lifts + min(soars, commandos)


def mixes(g: Board, units: Sequence[int]) -> bool:
    """31. Iraqi and other units may not form one force in April."""
    return (
        g.joint
        and g.scenario == "vigilant"
        and any(t.IRAQI[unit] for unit in units)
        and not all(t.IRAQI[unit] for unit in units)
    )


# --- where a force can go ------------------------------------------------------------------------------


def affordable(force: Force, kind: int) -> bool:
    """13.2. One point a link; one more in all while every link is MSR."""
    return force.spent < force.allowance + (force.msr and kind == t.HIGHWAY)


def after(force: Force, kind: int) -> Force:
    return Force(force.units, force.allowance, force.spent + 1, force.msr and kind == t.HIGHWAY, force.final)


def steps_from(g: Board, here: int, force: Force) -> Iterator[tuple[int, Force]]:
    """Neighbours the force can pay for and cross to, with what is left of it there."""
    wet: bool | None = None
    for there, kind in t.LINKS[here]:
        if affordable(force, kind):
            if kind >= t.RIVER and is_water(g, kind):
                if wet is None:
                    wet = crosses(g, force.units)
                if not wet:
                    continue
            yield there, after(force, kind)


def may_enter(g: Board, there: int, force: Force) -> bool:
    """8.2, 13.1, R44. The force can stop there, or need not and can go on."""
    return room(g, there, force.units) or (not is_node_space(g, there) and may_leave(g, there, force))


def may_leave(g: Board, here: int, force: Force) -> bool:
    if force.spent < force.allowance and t.GATES[here]:
        return True
    return any(may_enter(g, there, left) for there, left in steps_from(g, here, force))


def may_reach(g: Board, here: int, force: Force, goal: int) -> bool:
    """32. The goal can still be reached; nodes on the way stop a force, so they are no way."""
    seen: set[tuple[int, bool]] = set()
    edge = [(here, force)]
    while edge:
        wave: list[tuple[int, Force]] = []
        for place, left in edge:
            for there, then in steps_from(g, place, left):
                if there == goal:
                    return True
                if (there, then.msr) not in seen and not is_node_space(g, there):
                    seen.add((there, then.msr))
                    wave.append((there, then))
        edge = wave
    return False


def ground_moves(g: Board, here: int, force: Force, goal: int) -> Iterator[Action]:
    """Every way on for a ground force, except to stop."""
    if goal != NOWHERE:
        yield from _moves_to_goal(g, here, force, goal)
        return
    units = force.units
    if here >= t.SPACES:
        if fits_alone(units):
            for there in t.GATES[here]:
                if room(g, there, units):
                    yield t.GO[there]
        for base in t.BASES:
            if base != here:
                yield t.TO_BASE[base]
        return
    sneaks = all(map(t.SOF.__getitem__, units))
    for there, left in steps_from(g, here, force):
        if may_enter(g, there, left):
            yield t.GO[there]
        if sneaks and is_node_space(g, there) and room(g, there, units) and may_leave(g, there, left):
            yield t.INFIL[there]
    if force.spent == 0 and here in t.WATER and crosses(g, units):
        for there in t.WATER:
            if there != here and room(g, there, units):
                yield t.SAIL[there]
    if force.spent < force.allowance:
        for base in t.GATES[here]:
            yield t.TO_BASE[base]


def _moves_to_goal(g: Board, here: int, force: Force, goal: int) -> Iterator[Action]:
    if not room(g, goal, force.units):
        return
    if here >= t.SPACES:
        if goal in t.GATES[here]:
            yield t.GO[goal]
        return
    for there, left in steps_from(g, here, force):
        if there == goal or (not is_node_space(g, there) and may_reach(g, there, left, goal)):
            yield t.GO[there]
    if force.spent == 0 and here in t.WATER and goal in t.WATER and crosses(g, force.units):
        yield t.SAIL[goal]


def flights(g: Board, here: int, units: tuple[int, ...], goal: int) -> Iterator[Action]:
    """24.1. Any distance; stacking counts where they land."""
    if goal != NOWHERE:
        if room(g, goal, units):
            yield t.FLY[goal]
        return
    if fits_alone(units):
        loc = g.loc
        for there in range(t.SPACES):
            if there != here and (there not in loc or room(g, there, units)):
                yield t.FLY[there]
    for base in t.BASES:
        if base != here:
            yield t.FLY[base]


# --- forming -------------------------------------------------------------------------------------------


def is_ready(g: Board, here: int, units: tuple[int, ...], goal: int) -> bool:
    """These units are a force with a legal end of move."""
    if mixes(g, units):
        return False
    helos = [unit for unit in units if t.HELO[unit]]
    if helos:
        return liftable(units, helos) and (goal == NOWHERE or room(g, goal, units))
    if here >= t.SPACES and goal == NOWHERE:
        return True
    force = Force(units, allowance(g, units))
    return next(ground_moves(g, here, force, goal), None) is not None


def can_become(g: Board, here: int, units: tuple[int, ...], others: Sequence[int], goal: int) -> bool:
    """These units are a force, or further units of the place can make them one (R44)."""
    if is_ready(g, here, units, goal):
        return True
    if mixes(g, units):
        return False
    others = [unit for unit in others if unit not in units]
    helos = [unit for unit in others if t.HELO[unit]]
    if helos and liftable(units, [*helos, *(unit for unit in units if t.HELO[unit])]):
        if goal == NOWHERE:
            return True
        return any(is_ready(g, here, (*units, *more), goal) for more in _teams(helos))
    if any(t.HELO[unit] for unit in units):
        return False
    riders = [unit for unit in others if t.AMTRAC[unit]]
    return any(is_ready(g, here, (*units, *more), goal) for more in _teams(riders))


def _teams(units: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every non-empty choice of a few units, small ones first."""
    teams: list[tuple[int, ...]] = [()]
    for unit in units:
        teams += [(*team, unit) for team in teams]
    yield from sorted(teams[1:], key=len)


def movable_in(g: Board, here: int, goal: int = NOWHERE) -> list[int]:
    """Units of a place that the seat commands and that can move; no Iraqis in a networked operation."""
    loc = g.loc
    found = [unit for unit in t.MOVERS if loc[unit] == here]
    if g.seats > 1:
        found = [unit for unit in found if may_use(g, unit)]
    return found if goal == NOWHERE else [unit for unit in found if not t.IRAQI[unit]]


def origins(g: Board, goal: int = NOWHERE) -> Iterator[int]:
    """Places a force can set out from."""
    places = {at for unit, at in enumerate(g.loc) if at < t.PLACES and not t.FOB[unit]}
    for here in sorted(places):
        if here != goal:
            units = movable_in(g, here, goal)
            if any(can_become(g, here, (unit,), units, goal) for unit in units):
                yield here


class FormForce(Decision, frozen=True):
    """8.3. Units of one place are taken one by one; the rest stay behind."""

    place: int
    units: tuple[int, ...] = ()
    goal: int = NOWHERE  # 32: where a networked force must end
    arrived: tuple[int, ...] = ()  # 32: the forces before it

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        taken = self.units
        if taken and is_ready(g, self.place, taken, self.goal):
            yield t.FORM
        pool = [unit for unit in movable_in(g, self.place, self.goal) if unit not in taken]
        for unit in pool:
            if can_become(g, self.place, (*taken, unit), pool, self.goal):
                yield t.TAKE[unit]

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"area": t.PLACE_IDS[self.place].lower(), "space": t.PLACE_IDS[self.place].lower(), "ops": g.ops}

    def take(self, g: Board, table: Table, unit: str) -> None:
        g.do(FormForce(self.place, (*self.units, t.UNIT[unit]), self.goal, self.arrived))

    def form(self, g: Board, table: Table) -> None:
        if any(t.HELO[unit] for unit in self.units):
            g.do(Fly(self.place, self.units, self.goal, self.arrived))
        else:
            force = Force(self.units, allowance(g, self.units), final=self.place >= t.SPACES)
            g.do(Move(self.place, force, goal=self.goal, arrived=self.arrived))


class Fly(Decision, frozen=True):
    """24.1 to 24.6. One flight ends all movement; what was lifted is set down."""

    place: int
    units: tuple[int, ...]
    goal: int = NOWHERE
    arrived: tuple[int, ...] = ()

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        return flights(g, self.place, self.units, self.goal)

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"area": t.PLACE_IDS[self.place].lower(), "space": t.PLACE_IDS[self.place].lower(), "ops": g.ops}

    def air(self, g: Board, table: Table, place: str) -> None:
        there = t.PLACE[place]
        relocate(g, self.units, there)
        tell_move(table, "flown", self.units, self.place, there)
        if self.goal == NOWHERE:
            g.do(Arrive(there, Force(self.units, final=True)))
        else:
            g.do(MoreForces(self.goal, (*self.arrived, *self.units)))


class Move(Decision, frozen=True):
    """13, 25, 27. Space by space; entering a node stops the force."""

    place: int
    force: Force
    won: bool = False  # going on after a battle (14.1): to stop needs no new space
    inside: bool = False  # infiltrated a node (27.1): the next move must leave it
    goal: int = NOWHERE
    arrived: tuple[int, ...] = ()

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        force = self.force
        if self.won or (force.spent and not self.inside and self.goal == NOWHERE and room(g, self.place, force.units)):
            yield t.STOP
        yield from ground_moves(g, self.place, force, self.goal)

    def facts(self, g: Board) -> dict[str, Fact]:
        place = t.PLACE_IDS[self.place].lower()
        return {"area": place, "space": place, "mp": self.force.allowance - self.force.spent, "ops": g.ops}

    def go(self, g: Board, table: Table, place: str) -> None:
        here, there, force = self.place, t.PLACE[place], self.force
        relocate(g, force.units, there)
        tell_move(table, "moved", force.units, here, there)
        if here >= t.SPACES:
            left = Force(force.units, force.allowance, 1, False, True)
        else:
            left = after(force, next(kind for other, kind in t.LINKS[here] if other == there))
        if there == self.goal:
            g.do(MoreForces(there, (*self.arrived, *force.units)))
        elif self.goal == NOWHERE and (here >= t.SPACES or is_node_space(g, there)):
            g.do(Arrive(there, left))
        else:
            g.do(Move(there, left, goal=self.goal, arrived=self.arrived))

    def infil(self, g: Board, table: Table, place: str) -> None:
        """27.1, R15. The node is turned face up; a die at most the lowest contact slips through."""
        here, there, units = self.place, t.PLACE[place], self.force.units
        relocate(g, units, there)
        left = after(self.force, next(kind for other, kind in t.LINKS[here] if other == there))
        fresh = g.down[there] >= 0
        if fresh:
            node = turn_up(g, there)
            table.tell("node-shown", place=place, node=t.NODE_IDS[node])
        die = table.d6()[0]
        contact = min(t.CONTACT[g.reduced[unit]][unit] for unit in units)
        words = " ".join(t.UNIT_IDS[unit] for unit in units)
        if die <= contact:
            table.tell("infiltrated", place=place, units=words, die=die, contact=contact)
            g.do(Move(there, left, inside=True))
        else:
            table.tell("infiltration-failed", place=place, units=words, die=die, contact=contact)
            g.do(Arrive(there, left, fresh))

    def water(self, g: Board, table: Table, place: str) -> None:
        """25.1. From one water symbol to another, and that is all for this operation."""
        there, units = t.PLACE[place], self.force.units
        relocate(g, units, there)
        tell_move(table, "sailed", units, self.place, there)
        if self.goal == NOWHERE:
            g.do(Arrive(there, Force(units, final=True)))
        else:
            g.do(MoreForces(there, (*self.arrived, *units)))

    def base(self, g: Board, table: Table, place: str) -> None:
        """13.4. Into a base, or from one to another: no reaction."""
        relocate(g, self.force.units, t.PLACE[place])
        tell_move(table, "moved", self.force.units, self.place, t.PLACE[place])

    def stop(self, g: Board, table: Table) -> None:
        if not self.won:
            g.do(Arrive(self.place, self.force))


class MoreForces(Decision, frozen=True):
    """32, R31. Further forces may join a networked operation; then one reaction for all."""

    goal: int
    arrived: tuple[int, ...] = ()

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        if self.arrived:
            yield t.DONE
        for here in origins(g, self.goal):
            yield t.FORCE_FROM[here]

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"area": t.PLACE_IDS[self.goal].lower(), "space": t.PLACE_IDS[self.goal].lower(), "ops": g.ops}

    def force(self, g: Board, table: Table, place: str) -> None:
        g.do(FormForce(t.PLACE[place], (), self.goal, self.arrived))

    def done(self, g: Board, table: Table) -> None:
        g.do(Arrive(self.goal, Force(self.arrived, final=True)))


def relocate(g: Board, units: Sequence[int], there: int) -> None:
    for unit in units:
        g.loc[unit] = there
        if there >= t.SPACES:
            g.owner[unit] = g.turn


def tell_move(table: Table, key: str, units: Sequence[int], here: int, there: int) -> None:
    words = " ".join([t.UNIT_IDS[unit] for unit in units])
    table.tell(key, units=words, origin=t.PLACE_IDS[here], place=t.PLACE_IDS[there])


class Arrive(Step, frozen=True):
    """14.1. The move has ended; OPFOR reacts unless ground units were here already (R16)."""

    place: int
    force: Force
    fresh: bool = False  # the node was turned face up by this very force

    def run(self, g: Board, table: Table) -> None:
        if self.place >= t.SPACES:
            return
        ours = self.force.units
        g.won = False
        for unit, at in enumerate(g.loc):
            if at == self.place and t.GROUND[unit] and unit not in ours:
                table.tell("boots", place=t.PLACE_IDS[self.place])
                return
        g.do(React(self.place, self.force, self.fresh), GoOn(self.place, self.force))


class GoOn(Step, frozen=True):
    """14.1, R47. A ground force that has won its battle and captured nothing may move on; losses add nothing."""

    place: int
    force: Force

    def run(self, g: Board, table: Table) -> None:
        force = self.force
        if not g.won or force.final:
            return
        left = tuple(unit for unit in force.units if g.loc[unit] == self.place)
        if left:
            most = min(force.allowance, allowance(g, left))
            g.do(Move(self.place, Force(left, most, force.spent, force.msr), won=True))

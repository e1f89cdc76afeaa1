"""12. Movement Phase: squads, Security Elements, street crossings, Abrams."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from games.kernel.ruleset import Decision
from games.kernel.steps import Action, Step
from games.kernel.table import Fact, Seat, Table
from games.phantom_fury.board import (
    FRESH,
    OUT,
    PINNED,
    Board,
    cf_of,
    commander,
    count_in,
    go,
    owner_of,
    pin,
    score,
    take_se,
    things_in,
    zone_of,
)
from games.phantom_fury.defence import DefensiveFire
from games.phantom_fury.phases import OPENERS, Phase, open_with
from games.phantom_fury.routes import (
    could_end_elsewhere,
    good_steps,
    has_free_step,
    may_end,
    others_at,
    steps_from,
    tank_may_stop,
    tank_steps,
)
from games.phantom_fury.suspects import step_loss, take_off
from games.phantom_fury.tables import (
    ABRAMS_MC,
    COUNT,
    DETACH,
    DETACHES,
    ENTRY,
    FIRST_SECTION,
    KIND,
    MOVE,
    MOVEMENT,
    NAMES,
    NEAR,
    NODETACH,
    OPEN,
    PLACE,
    REGROUP,
    SECTION_FIRE,
    START_TANK,
    START_ZONES,
    STOP,
    TANKS,
    UNIT,
    UNITS,
    WITHDRAW,
    ZONE,
)


def open_movement(g: Board, _table: Table) -> None:
    """12.1.2. Who begins in an insurgent-controlled zone without enemies is bound to search it."""
    for unit, place in enumerate(g.where):
        if 0 <= place < FIRST_SECTION and not (g.usmc | g.foe) >> ZONE[place] & 1:
            g.search[unit] = 1
    g.do(_QUESTION)


OPENERS["move"] = open_movement


def extras(g: Board, unit: int, place: int, mp: int) -> Iterator[Action]:
    """12.3.2.1 detach, 12.3.2.3 regroup (as a whole move), 12.4.3 withdraw; in insurgent-controlled zones only."""
    if place >= FIRST_SECTION:
        return
    zone = ZONE[place]
    if g.se[unit] >= 0:
        if mp == MOVEMENT:
            yield REGROUP[unit]
        return
    if DETACHES[place]:
        yield DETACH[unit]
    if (
        g.reduced[unit]
        and g.foe >> zone & 1
        and zone in START_ZONES
        and place == ENTRY[zone]
        and not NEAR[zone] & g.usmc
    ):
        yield WITHDRAW[unit]


def crowded(g: Board, unit: int, place: int) -> bool:
    """Whether it shares a Location of a USMC-controlled zone with another squad."""
    return bool(place < FIRST_SECTION and g.usmc >> ZONE[place] & 1 and others_at(g, unit, place))


def must_move(g: Board, unit: int, place: int) -> bool:
    """R18, R47. A fresh squad in a section or in an overlap that could go elsewhere."""
    if place >= FIRST_SECTION:
        return bool(good_steps(g, unit, place, -1, MOVEMENT))
    return crowded(g, unit, place) and could_end_elsewhere(g, unit)


@open_with
class MovePhase(Phase, frozen=True):
    """12.1. Units move one at a time; each once."""

    name: ClassVar[str] = "move"

    def acts(self, g: Board, owner: int) -> Iterable[Action]:
        found: list[Action] = []
        moved, status = g.moved, g.status
        for unit, place in enumerate(g.where):
            if place < 0 or moved[unit] or status[unit] or (owner >= 0 and g.owner[unit] != owner):
                continue
            row = MOVE[unit]
            for step in good_steps(g, unit, place, -1, MOVEMENT):
                found.append(row[step])
            if not g.usmc >> ZONE[place] & 1:
                found.extend(extras(g, unit, place, MOVEMENT))
        if owner <= 0:
            for tank, place in enumerate(g.tanks):
                if place >= 0 and not g.tank_moved[tank] and g.tank_status[tank] == FRESH:
                    found.append(START_TANK[tank])
        return found

    def surely_open(self, g: Board) -> bool:
        """For one player, with two fresh squads that have a free Location beside them."""
        if g.platoons:
            return False
        found = False
        for unit, place in enumerate(g.where):
            if place >= 0 and not g.moved[unit] and not g.status[unit] and has_free_step(g, place):
                if found:
                    return True
                found = True
        return False

    def may_pass(self, g: Board, owner: int) -> bool:
        for unit, place in enumerate(g.where):
            if (
                place >= 0
                and not g.moved[unit]
                and g.status[unit] == FRESH
                and (owner < 0 or g.owner[unit] == owner)
                and (place >= FIRST_SECTION or g.where.count(place) > 1)
                and must_move(g, unit, place)
            ):
                return False
        return True

    def move(self, g: Board, table: Table, seat: Seat, name: str, to: str = "") -> None:
        g.do(self.again())
        if to:
            unit = UNIT[name]
            step(g, table, unit, PLACE[to], MOVEMENT)
            return
        tank = TANKS.index(name)
        die = table.d10()
        table.tell("tank-mc", unit=name, die=die, mc=ABRAMS_MC[die], at=NAMES[g.tanks[tank]])
        g.do(TankMoving(tank, ABRAMS_MC[die], True))

    def detach(self, g: Board, table: Table, seat: Seat, name: str) -> None:
        g.do(self.again())
        put_out(g, table, UNIT[name])
        g.do(Moving(UNIT[name], MOVEMENT - 1, -1))

    def regroup(self, g: Board, table: Table, seat: Seat, name: str) -> None:
        g.do(self.again())
        unit = UNIT[name]
        take_se(g, unit)
        g.moved[unit] = 1
        table.tell("regrouped", unit=name, area=zone_of(g, unit))

    def withdraw(self, g: Board, table: Table, seat: Seat, name: str) -> None:
        g.do(self.again())
        withdraw(g, table, UNIT[name])


_QUESTION = MovePhase(())


def put_out(g: Board, table: Table, unit: int) -> None:
    """12.3.2.1. The Security Element stays where the squad is now."""
    g.se[unit] = g.where[unit]
    table.tell("detached", unit=UNITS[unit], at=NAMES[g.where[unit]], area=zone_of(g, unit), cf=cf_of(g, unit))


def withdraw(g: Board, table: Table, unit: int) -> None:
    """12.4.3, R20. Nowhere to take cover: the squad leaves the game for -2 VP."""
    score(g, -2, "withdrawn", UNITS[unit])
    table.tell("withdrawn", unit=UNITS[unit], area=zone_of(g, unit), vp=-2)
    take_off(g, unit)


def step(g: Board, table: Table, unit: int, place: int, mp: int) -> None:
    """One step of a squad, for 1 MP, and what it draws upon itself."""
    came = g.where[unit]
    go(g, unit, place)
    mp -= 1
    if place >= FIRST_SECTION:
        table.tell("moved", unit=UNITS[unit], at=NAMES[came], goal=NAMES[place], area=0)
        cross(g, table, unit, place, came, mp)
        return
    zone = ZONE[place]
    table.tell("moved", unit=UNITS[unit], at=NAMES[came], goal=NAMES[place], area=zone)
    if g.usmc >> zone & 1:
        onward(g, unit, mp)
        return
    if not g.foe >> zone & 1:
        if zone != ZONE[came]:
            g.search[unit] = 1
        onward(g, unit, mp)
        return
    if not OPEN[place]:
        onward(g, unit, mp)
    elif KIND[place] == "C" and mp and g.se[unit] < 0:
        g.do(DetachChoice(unit, mp))
    else:
        g.do(under_fire(g, unit), Onward(unit, mp))


def onward(g: Board, unit: int, mp: int) -> None:
    """The move goes on while there are MP; otherwise it is over."""
    if mp:
        g.do(Moving(unit, mp, -1))
    else:
        g.moved[unit] = 1


def under_fire(g: Board, unit: int) -> DefensiveFire:
    """12.7, R24. Units first, then Suspects, each in Location order; fixed now (R40)."""
    places = things_in(g, zone_of(g, unit))
    units = [place for place in places if g.things[place] > 0]
    return DefensiveFire(unit, (*units, *(place for place in places if g.things[place] < 0)))


class Onward(Step, frozen=True):
    """After Defensive Fire: a Pinned squad's move is over, any other goes on."""

    unit: int
    mp: int

    def run(self, g: Board, table: Table) -> None:
        if g.where[self.unit] == OUT:
            return
        if g.status[self.unit] == PINNED:
            g.moved[self.unit] = 1
        else:
            onward(g, self.unit, self.mp)


class DetachChoice(Decision, frozen=True):
    """12.3.2.1. In the courtyard, before Defensive Fire: detach the Security Element for 1 MP?"""

    unit: int
    mp: int

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (owner_of(g, self.unit),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        yield DETACH[self.unit]
        yield NODETACH

    def surely_open(self, g: Board) -> bool:
        return True

    def facts(self, g: Board) -> dict[str, Fact]:
        zone = zone_of(g, self.unit)
        return {
            "unit": UNITS[self.unit].lower(),
            "zone": zone,
            "area": zone,
            "cf": cf_of(g, self.unit),
            "mp": self.mp,
            "enemies": len(things_in(g, zone)),
            "reduced": g.reduced[self.unit],
            "turn": g.turn,
        }

    def detach(self, g: Board, table: Table, name: str) -> None:
        put_out(g, table, self.unit)
        g.do(under_fire(g, self.unit), Onward(self.unit, self.mp - 1))

    def nodetach(self, g: Board, table: Table) -> None:
        g.do(under_fire(g, self.unit), Onward(self.unit, self.mp))


class Moving(Decision, frozen=True):
    """12.1. A squad on the move: the next step, or stop."""

    unit: int
    mp: int
    came: int  # the Location last left, for a squad in a street section

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (owner_of(g, self.unit),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        unit = self.unit
        place = g.where[unit]
        row = MOVE[unit]
        found = [row[spot] for spot in good_steps(g, unit, place, self.came, self.mp)]
        if not g.usmc >> ZONE[place] & 1:
            found.extend(extras(g, unit, place, self.mp))
        if may_end(g, unit, place):
            found.append(STOP[unit])
        return iter(found)

    def surely_open(self, g: Board) -> bool:
        """Alone in a Location it may stop, and a free one beside it is the second option; or two doors of a street."""
        place = g.where[self.unit]
        if place < FIRST_SECTION:
            return g.where.count(place) == 1 and has_free_step(g, place)
        doors = steps_from(g, self.unit, place, self.came)
        return len([door for door in doors if not g.crew[ZONE[door]]]) > 1

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"unit": UNITS[self.unit].lower(), "zone": zone_of(g, self.unit), "mp": self.mp, "turn": g.turn}

    def move(self, g: Board, table: Table, name: str, to: str) -> None:
        step(g, table, self.unit, PLACE[to], self.mp)

    def detach(self, g: Board, table: Table, name: str) -> None:
        put_out(g, table, self.unit)
        onward(g, self.unit, self.mp - 1)

    def withdraw(self, g: Board, table: Table, name: str) -> None:
        withdraw(g, table, self.unit)

    def stop(self, g: Board, table: Table, name: str) -> None:
        g.moved[self.unit] = 1


# --- 12.5 crossing a street section ---------------------------------------------------------------------------


def cross(g: Board, table: Table, unit: int, section: int, came: int, mp: int) -> None:
    """P4b [11.4.2, 12.5]: units around the section wound, Suspects pin; an Abrams in it shields."""
    units, suspects = count_in(g, SECTION_FIRE[section])
    if not units and not suspects:
        g.do(Moving(unit, mp, came))
        return
    shielded = section in g.tanks
    if shielded:
        suspects = 0
    wounded = pinned = False
    first = second = -1
    if units:
        first = table.d10()
        wounded = first <= units
    if suspects:
        second = table.d10()
        pinned = second <= suspects
    if shielded and wounded:
        wounded, pinned = False, True
    table.tell(
        "crossing",
        unit=UNITS[unit],
        at=NAMES[section],
        units=units,
        suspects=suspects,
        first=first,
        second=second,
        shielded=int(shielded),
        wounded=int(wounded),
        pinned=int(pinned),
    )
    if wounded:
        g.do(ThrownBack(unit, came, pinned))
        step_loss(g, table, unit, "street sniper")
    elif pinned:
        pin(g, table, unit, "street sniper")
        g.moved[unit] = 1
    else:
        g.do(Moving(unit, mp, came))


class ThrownBack(Step, frozen=True):
    """12.5.3, R17. Casualties are brought back into the Location just left, and the move ends."""

    unit: int
    came: int
    pinned: bool

    def run(self, g: Board, table: Table) -> None:
        if g.where[self.unit] == OUT:
            return
        go(g, self.unit, self.came)
        g.moved[self.unit] = 1
        table.tell("thrown-back", unit=UNITS[self.unit], goal=NAMES[self.came], area=zone_of(g, self.unit))
        if self.pinned:
            pin(g, table, self.unit, "street sniper")


# --- 12.6 Abrams ------------------------------------------------------------------------------------------------


class TankMoving(Decision, frozen=True):
    """12.6. An Abrams on the move; it may always stay where it is (R21)."""

    tank: int
    mp: int
    unmoved: bool

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (commander(g),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        place = g.tanks[self.tank]
        row = MOVE[COUNT + self.tank]
        for spot in tank_steps(g, place, self.mp):
            yield row[spot]
        if self.unmoved or tank_may_stop(g, place):
            yield STOP[COUNT + self.tank]

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"unit": TANKS[self.tank].lower(), "mp": self.mp, "turn": g.turn}

    def move(self, g: Board, table: Table, name: str, to: str) -> None:
        came = g.tanks[self.tank]
        g.tanks[self.tank] = PLACE[to]
        table.tell("moved", unit=name, at=NAMES[came], goal=to, area=ZONE[PLACE[to]])
        if self.mp > 1:
            g.do(TankMoving(self.tank, self.mp - 1, False))
        else:
            g.tank_moved[self.tank] = 1

    def stop(self, g: Board, table: Table, name: str) -> None:
        g.tank_moved[self.tank] = 1

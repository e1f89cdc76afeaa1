"""6. Set-up: strong points, start zones, nine squads, four CAATs."""

from collections.abc import Iterator

from games.kernel.ruleset import Decision
from games.kernel.steps import Action, Step
from games.kernel.table import Fact, Seat, Table
from games.phantom_fury.board import (
    BATTALION,
    BOX,
    COMPANY,
    FRESH,
    OUT,
    POOL,
    SEATS,
    Board,
    commander,
    go,
    things_in,
)
from games.phantom_fury.phases import Begin
from games.phantom_fury.suspects import activate_suspect, place_suspect
from games.phantom_fury.tables import CAATS, ENTRY, FULL_AMMO, NAMES, SQUADS, START_ZONES, UNIT, UNITS, ZONE_MARKERS


class StrongPoints(Decision, frozen=True):
    """6.1.2. How many strong points go into the draw: the difficulty of the mission."""

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (commander(g),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        for number in (1, 2, 3, 4):
            yield ("strongpoints", number)

    def strongpoints(self, g: Board, table: Table, number: int) -> None:
        g.do(Prepare(number))


class Prepare(Step, frozen=True):
    """6.1, 6.2, 6.3. Fill the containers, activate the start zones, draw nine squads."""

    number: int

    def run(self, g: Board, table: Table) -> None:
        g.strong_points = g.strong_bag = self.number
        g.zone_bag = ZONE_MARKERS - self.number
        table.tell("strong-points", number=self.number)
        for zone in START_ZONES:
            g.activated |= 1 << zone
            place_suspect(g, table, zone)
            place_suspect(g, table, zone)
        for zone in START_ZONES:
            for place in things_in(g, zone):
                activate_suspect(g, table, place, "setup")
        drawn = draw_squads(g, table, len(START_ZONES))
        table.tell("squads-drawn", squads=" ".join(UNITS[unit] for unit in drawn))
        g.do(PlaceSquads(drawn))


def draw_squads(g: Board, table: Table, number: int) -> tuple[int, ...]:
    """Squads out of the container; they wait in the pool until placed."""
    left = [unit for unit in range(SQUADS) if g.where[unit] == POOL]
    return tuple(sorted(left.pop(table.draw(len(left))) for _ in range(number)))


class PlaceSquads(Decision, frozen=True):
    """6.3. One squad to each start zone, in its entry Location."""

    drawn: tuple[int, ...]

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (commander(g),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        for unit in self.drawn:
            for zone in START_ZONES:
                if not g.crew[zone]:
                    yield ("place", UNITS[unit], zone)

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"left": len(self.drawn)}

    def place(self, g: Board, table: Table, name: str, zone: int) -> None:
        unit = UNIT[name]
        go(g, unit, ENTRY[zone])
        table.tell("placed", unit=name, at=NAMES[ENTRY[zone]], area=zone)
        left = tuple(other for other in self.drawn if other != unit)
        g.do(PlaceSquads(left) if left else Reserves())


class Reserves(Step, frozen=True):
    """6.3. Three squads to the Company box, the last three to the Battalion box; the Abrams; rule 15."""

    def run(self, g: Board, table: Table) -> None:
        company = draw_squads(g, table, 3)
        for unit in range(SQUADS):
            if g.where[unit] == POOL:
                g.where[unit] = COMPANY if unit in company else BATTALION
        g.tanks = [BOX, BOX if g.variant else OUT]
        table.tell("reserves", company=" ".join(UNITS[unit] for unit in company))
        g.do(AttachCaats(1))


class AttachCaats(Decision, frozen=True):
    """6.3.1. Four CAATs to four different squads in start zones."""

    number: int

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (commander(g),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        for unit in range(SQUADS):
            if g.where[unit] >= 0 and not g.caat[unit]:
                yield ("caat", UNITS[unit])

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"left": len(CAATS) + 1 - self.number}

    def caat(self, g: Board, table: Table, name: str) -> None:
        g.caat[UNIT[name]] = self.number
        g.ammo[self.number] = FULL_AMMO
        g.charge[self.number] = 1
        table.tell("caat", unit=name, caat=CAATS[self.number - 1])
        if self.number < len(CAATS):
            g.do(AttachCaats(self.number + 1))
        else:
            g.do(Muster(), FirstTurn())


class Muster(Step, frozen=True):
    """A shared company: the nine squads are split among the platoon seats."""

    def run(self, g: Board, table: Table) -> None:
        if g.platoons:
            deployed = tuple(unit for unit in range(SQUADS) if g.where[unit] >= 0)
            for unit in range(SQUADS):
                g.owner[unit] = -1
            g.do(Assign(deployed, -(-len(deployed) // g.platoons)))


class Assign(Decision, frozen=True):
    """The commander gives squads to platoon seats, at most `most` to one at the start (0: any number)."""

    units: tuple[int, ...]
    most: int

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (commander(g),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        for unit in self.units:
            for platoon in range(1, g.platoons + 1):
                if not self.most or g.owner.count(platoon) < self.most:
                    yield ("assign", UNITS[unit], SEATS[platoon])

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"left": len(self.units)}

    def assign(self, g: Board, table: Table, name: str, seat: str) -> None:
        g.owner[UNIT[name]] = SEATS.index(seat)
        table.tell("assigned", unit=name, seat=seat)
        left = tuple(unit for unit in self.units if unit != UNIT[name])
        if left:
            g.do(Assign(left, self.most))


class FirstTurn(Step, frozen=True):
    """8. Turn 1 begins with its Support Phase."""

    def run(self, g: Board, table: Table) -> None:
        g.turn = 1
        g.status = [FRESH] * len(UNITS)
        table.tell("turn", turn=1)
        g.do(Begin("support"))

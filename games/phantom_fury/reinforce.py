"""10. Reinforcements Phase: company, armour, battalion, Iraqi troops."""

from collections.abc import Iterator
from typing import ClassVar

from games.kernel.ruleset import Decision
from games.kernel.steps import Action
from games.kernel.table import Fact, Seat, Table
from games.phantom_fury.board import BATTALION, BOX, COMPANY, IIF_BOX, Board, commander, go, score
from games.phantom_fury.phases import Phase, open_with
from games.phantom_fury.setting_up import Assign
from games.phantom_fury.tables import (
    BATTALION_TURN,
    COMPANY_TURN,
    COUNT,
    ENTRY,
    NAMES,
    NORTH_EDGE,
    PLACE,
    SECTION_MASK,
    SQUADS,
    START_ZONES,
    TANKS,
    UNIT,
    UNITS,
)


def entry_zones(g: Board) -> list[int]:
    """Start zones under USMC control."""
    return [zone for zone in START_ZONES if g.usmc >> zone & 1]


@open_with
class ReinforcePhase(Phase, frozen=True):
    """10. Bring on what has become available, in any order."""

    name: ClassVar[str] = "reinforce"
    shared: ClassVar[bool] = False

    def acts(self, g: Board, owner: int) -> Iterator[Action]:
        zones = entry_zones(g)
        if zones and g.turn >= COMPANY_TURN:
            late = g.turn >= BATTALION_TURN[g.variant]
            for unit in range(SQUADS):
                if g.where[unit] == COMPANY or (late and g.where[unit] == BATTALION):
                    for zone in zones:
                        yield ("commit", UNITS[unit], zone)
        if g.turn >= COMPANY_TURN:
            for tank, place in enumerate(g.tanks):
                if place == BOX:
                    for section in NORTH_EDGE:
                        if SECTION_MASK[section] & g.usmc and section not in g.tanks:
                            yield ("commit", TANKS[tank], NAMES[section])
        if zones and g.iif_from and g.turn >= g.iif_from and g.where[SQUADS] == IIF_BOX:
            for zone in zones:
                yield ("iif", zone)

    def commit(self, g: Board, table: Table, seat: Seat, name: str, place: int | str) -> None:
        if name in TANKS:
            g.tanks[TANKS.index(name)] = PLACE[str(place)]
            table.tell("tank-came", unit=name, at=place)
            g.do(self)
            return
        zone, unit = int(place), UNIT[name]
        points = 0
        if g.where[unit] == BATTALION and not g.variant:
            points = -2
            score(g, points, "battalion", name)
        go(g, unit, ENTRY[zone])
        table.tell("came", unit=name, at=NAMES[ENTRY[zone]], area=zone, vp=points)
        if g.platoons:
            g.do(Assign((unit,), 0), self)
        else:
            g.do(self)

    def iif(self, g: Board, table: Table, seat: Seat, zone: int) -> None:
        bring_iraqis(g, table, SQUADS, zone)
        g.do(Iraqis(SQUADS + 1), self)


def bring_iraqis(g: Board, table: Table, unit: int, zone: int) -> None:
    go(g, unit, ENTRY[zone])
    table.tell("came", unit=UNITS[unit], at=NAMES[ENTRY[zone]], area=zone, vp=0)


class Iraqis(Decision, frozen=True):
    """10.4. All three IIF squads come on the same turn (R14)."""

    unit: int

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (commander(g),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        for zone in entry_zones(g):
            yield ("iif", zone)

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"unit": UNITS[self.unit].lower()}

    def iif(self, g: Board, table: Table, zone: int) -> None:
        bring_iraqis(g, table, self.unit, zone)
        if self.unit + 1 < COUNT:
            g.do(Iraqis(self.unit + 1))

"""13. Assault Phase: Assaults of all types, Events, explosives, Flooding."""

from collections.abc import Iterator
from typing import ClassVar

from games.kernel.ruleset import Decision
from games.kernel.steps import Action, Step
from games.kernel.table import Fact, Seat, Table
from games.phantom_fury.board import (
    KEEPS,
    OUT,
    PINNED,
    Board,
    cf_of,
    go,
    in_fury,
    is_martyrs,
    owner_of,
    strength,
    things_in,
    zone_of,
)
from games.phantom_fury.clash import Fight, fight
from games.phantom_fury.phases import Phase, open_with
from games.phantom_fury.retreat import retreat
from games.phantom_fury.suspects import activate_suspect, ied, step_loss
from games.phantom_fury.tables import (
    ACROSS,
    ASSAULT,
    INSIDE,
    KIND,
    MOSQUE,
    NAMES,
    PLACE,
    SQUADS,
    TRAP,
    UNIT,
    UNITS,
    ZONE,
)

LEVEL = {"1": 1, "2": 2, "R": 3}
EXPLOSIVES: tuple[Action, ...] = (("explosives", "yes"), ("explosives", "no"))
FLOODS: tuple[Action, ...] = (("flood", "yes"), ("flood", "no"))


def assault_type(start: int, target: int) -> str:
    """13.1-13.3, R23. By level, inside one zone: top (down), bottom (up) or normal."""
    if ZONE[start] != ZONE[target]:
        return "normal"
    drop = LEVEL.get(KIND[start], 0) - LEVEL.get(KIND[target], 0)
    if not (LEVEL.get(KIND[start]) and LEVEL.get(KIND[target])):
        return "normal"
    return "top" if drop == 1 else "bottom" if drop == -1 else "normal"


def assault_modifiers(g: Board, unit: int, place: int, kind: str, shown: bool) -> list[tuple[int, str]]:
    """13.4.4-13.4.6. What is added to the squad's die."""
    code, zone = g.things[place], ZONE[place]
    parts = []
    if shown:
        parts.append((1, "Suspect turned up"))
    if is_martyrs(code):
        parts.append((1, "Martyrs"))
    elif g.fortified >> zone & 1:
        parts.append((1, "Fortified"))
    if unit < SQUADS and in_fury(g, zone_of(g, unit)):
        parts.append((-1, "Phantom Fury"))
    if kind == "top":
        parts.append((-1, "Top-Down"))
    elif kind == "bottom":
        parts.append((1, "Bottom-Up"))
    return parts


def may_assault_into(g: Board, unit: int, zone: int) -> bool:
    """13, R38, R39, R48. Into another zone: Activated, and the squad could be there."""
    return bool(
        g.activated >> zone & 1
        and not g.crew[zone]
        and g.se[unit] < 0
        and not g.search[unit]
        and (zone == MOSQUE) == (unit >= SQUADS)
    )


@open_with
class AssaultPhase(Phase, frozen=True):
    """13. One declared Assault a squad (R22); never compulsory."""

    name: ClassVar[str] = "assault"

    def acts(self, g: Board, owner: int) -> Iterator[Action]:
        things = g.things
        for unit, place in enumerate(g.where):
            if place < 0 or g.status[unit] or g.assaulted[unit] or (owner >= 0 and g.owner[unit] != owner):
                continue
            row = ASSAULT[unit]
            for spot in INSIDE[place]:
                if spot in things:
                    yield row[spot]
            for spot in ACROSS[place]:
                if spot in things and may_assault_into(g, unit, ZONE[spot]):
                    yield row[spot]

    def assault(self, g: Board, table: Table, seat: Seat, name: str, at: str) -> None:
        unit, place = UNIT[name], PLACE[at]
        g.assaulted[unit] = 1
        kind = assault_type(g.where[unit], place)
        table.tell("assault", unit=name, at=at, area=ZONE[place], kind=kind, start=NAMES[g.where[unit]])
        floods = kind == "top" and KIND[g.where[unit]] == "R"
        g.do(self.again())
        begin_assault(g, table, unit, place, kind, AfterAssault(unit, place, floods))


def begin_assault(g: Board, table: Table, unit: int, place: int, kind: str, after: Step) -> None:
    """P6.1, P6.2. A Suspect is Activated first; then explosives may be laid, but not while Flooding."""
    g.do(after)
    shown = False
    if g.things[place] < 0:
        if activate_suspect(g, table, place, "assault") == TRAP:
            ied(g, table, unit)
            return
        if place not in g.things:
            return
        shown = True
    flooding = isinstance(after, AfterFlood)
    if g.charge[g.caat[unit]] and not flooding:
        g.do(ExplosivesChoice(unit, place, kind, shown))
    else:
        g.do(Clash(unit, place, kind, shown, False, flooding))


class ExplosivesChoice(Decision, frozen=True):
    """13.7, R26. Blow the wall in: CF 8, and no modifier for either side."""

    unit: int
    place: int
    kind: str
    shown: bool

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (owner_of(g, self.unit),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        return iter(EXPLOSIVES)

    def surely_open(self, g: Board) -> bool:
        return True

    def facts(self, g: Board) -> dict[str, Fact]:
        code, zone = g.things[self.place], ZONE[self.place]
        return {
            "unit": UNITS[self.unit].lower(),
            "zone": zone,
            "area": zone,
            "cf": cf_of(g, self.unit),
            "target": strength(code),
            "martyrs": int(is_martyrs(code)),
            "fortified": g.fortified >> zone & 1,
            "kind": self.kind,
            "reduced": g.reduced[self.unit],
            "turn": g.turn,
        }

    def explosives(self, g: Board, table: Table, answer: str) -> None:
        blast = answer == "yes"
        if blast:
            g.charge[g.caat[self.unit]] = 0
            table.tell("explosives", unit=UNITS[self.unit], at=NAMES[self.place], area=ZONE[self.place])
        g.do(Clash(self.unit, self.place, self.kind, self.shown, blast, False))


class Clash(Step, frozen=True):
    """P6.3-6.6 [13.4.2-13.4.7]: both dice, an Event, losses; surviving Guerillas retreat."""

    unit: int
    place: int
    kind: str  # normal, top, bottom, or counter: no modifier for anyone (R12)
    shown: bool
    blast: bool
    flooding: bool

    def run(self, g: Board, table: Table) -> None:
        parts: list[tuple[int, str]] = []
        if self.kind != "counter" and not self.blast:
            parts = assault_modifiers(g, self.unit, self.place, self.kind, self.shown)
        result = fight(g, table, Fight(self.unit, self.place, self.kind, self.blast, tuple(parts)))
        if result.cancelled:
            confuse(g)
            return
        g.do(Routed(self.place))
        if result.lost:
            step_loss(g, table, self.unit, "assault")


class Routed(Step, frozen=True):
    """13.4.7.1. Guerillas who survived an Assault retreat, even if the squad died; Martyrs stay."""

    place: int

    def run(self, g: Board, table: Table) -> None:
        if self.place in g.things:
            retreat(g, table, self.place)


def confuse(g: Board) -> None:
    """R35. Confusion: no conclusion at all; Flooding ends."""
    after = g.todo[-1]
    if isinstance(after, AfterAssault | AfterFlood):
        g.todo.pop()


class AfterAssault(Step, frozen=True):
    """13.4.7.2. An emptied Location must be entered; from the roof down, Flooding follows."""

    unit: int
    place: int
    floods: bool

    def run(self, g: Board, table: Table) -> None:
        unit, place = self.unit, self.place
        if place in g.things or g.where[unit] == OUT or g.status[unit] == PINNED:
            return
        go(g, unit, place)
        zone = ZONE[place]
        table.tell("entered", unit=UNITS[unit], at=NAMES[place], area=zone)
        if not self.floods or g.fortified >> zone & 1 or cf_of(g, unit) < 5:
            return
        if next_target(g, zone, -1) < 0:
            return
        if g.reduced[unit]:
            g.do(FloodChoice(unit))
        else:
            table.tell("flooding", unit=UNITS[unit], area=zone)
            g.do(Flood(unit, -1))


class FloodChoice(Decision, frozen=True):
    """13.4.7.2. A squad that has suffered a step loss may flood, or not."""

    unit: int

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (owner_of(g, self.unit),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        return iter(FLOODS)

    def surely_open(self, g: Board) -> bool:
        return True

    def facts(self, g: Board) -> dict[str, Fact]:
        zone = zone_of(g, self.unit)
        return {
            "unit": UNITS[self.unit].lower(),
            "zone": zone,
            "area": zone,
            "cf": cf_of(g, self.unit),
            "left": len(things_in(g, zone)),
            "reduced": g.reduced[self.unit],
            "turn": g.turn,
        }

    def flood(self, g: Board, table: Table, answer: str) -> None:
        if answer == "yes":
            table.tell("flooding", unit=UNITS[self.unit], area=zone_of(g, self.unit))
            g.do(Flood(self.unit, -1))


FLOOD_ORDER = ("2'", "1", "1'", '1"')  # 13.4.8, R27


def next_target(g: Board, zone: int, last: int) -> int:
    """The next Location to flood after `last`, skipping those without enemies; -1 when there is none."""
    for name in FLOOD_ORDER[last + 1 :]:
        place = PLACE.get(f"{zone}.{name}", -1)
        if place in g.things:
            return place
    return -1


class Flood(Step, frozen=True):
    """13.4.8. The squad goes on downstairs: 2', 1, 1', 1", each a Top-Down Assault."""

    unit: int
    last: int  # index in FLOOD_ORDER of the Location flooded last

    def run(self, g: Board, table: Table) -> None:
        zone = zone_of(g, self.unit)
        place = next_target(g, zone, self.last)
        if place < 0:
            return
        spot = way_to(g, self.unit, place)
        if spot < 0:
            return
        if spot != g.where[self.unit]:
            go(g, self.unit, spot)
            table.tell("flood-move", unit=UNITS[self.unit], goal=NAMES[spot], area=zone)
        index = FLOOD_ORDER.index(NAMES[place].split(".", 1)[1])
        table.tell("flood", unit=UNITS[self.unit], at=NAMES[place], area=zone)
        begin_assault(g, table, self.unit, place, "top", AfterFlood(self.unit, place, index))


def way_to(g: Board, unit: int, target: int) -> int:
    """The nearest free Location Adjacent to the target, by Location order among equals; -1: no way."""
    zone = ZONE[target]
    ruined = g.ruins >> zone & 1
    edge = [g.where[unit]]
    seen = set(edge)
    while edge:
        good = sorted(place for place in edge if target in INSIDE[place])
        if good:
            return good[0]
        following = {
            spot
            for place in edge
            for spot in INSIDE[place]
            if spot not in seen and spot not in g.things and (KEEPS[spot] or not ruined)
        }
        seen |= following
        edge = sorted(following)
    return -1


class AfterFlood(Step, frozen=True):
    """13.4.8. After each Assault of a Flooding: the first that fits ends it, or it goes on."""

    unit: int
    place: int
    index: int

    def run(self, g: Board, table: Table) -> None:
        unit, zone = self.unit, ZONE[self.place]
        if g.where[unit] == OUT or g.status[unit] == PINNED:
            return
        if not g.foe >> zone & 1:
            go(g, unit, self.place)
            table.tell("entered", unit=UNITS[unit], at=NAMES[self.place], area=zone)
            return
        if self.place in g.things or cf_of(g, unit) <= 4:
            return
        g.do(Flood(unit, self.index))

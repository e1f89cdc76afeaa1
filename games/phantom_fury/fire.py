"""11. Fire Combat Phase."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from games.kernel.steps import Action
from games.kernel.table import Seat, Table
from games.phantom_fury.board import (
    FIRED,
    FRESH,
    Board,
    cf_of,
    eliminate,
    in_fury,
    is_martyrs,
    present,
    unit_words,
)
from games.phantom_fury.phases import Phase, open_with
from games.phantom_fury.suspects import activate_suspect, sniper
from games.phantom_fury.tables import (
    CAAT_BONUS,
    CAAT_FIRES,
    COUNT,
    FIRE,
    FIRE_CAAT,
    FIRES_ON,
    FIRST_SECTION,
    KIND,
    LOCATIONS,
    NAMES,
    PLACE,
    SECTION_FIRE,
    SQUADS,
    TANK_CF,
    TANKS,
    TRAP,
    UNIT,
    ZONE,
)


def fire_modifiers(g: Board, unit: int, place: int) -> list[tuple[int, str]]:
    """11.2.1. What is added to the die, each part with its reason; an Abrams is unit COUNT or more."""
    code, zone = g.things[place], ZONE[place]
    parts = []
    if code < 0:
        parts.append((1, "Suspect"))
    else:
        if KIND[place] != "R":
            parts.append((1, "not on a roof"))
        if g.fortified >> zone & 1:
            parts.append((2, "Fortified"))
        elif is_martyrs(code):
            parts.append((1, "Martyrs"))
    if unit < SQUADS and in_fury(g, ZONE[g.where[unit]]):
        parts.append((-1, "Phantom Fury"))
    return parts


@open_with
class FirePhase(Phase, frozen=True):
    """11.1. Fresh squads in controlled zones and Abrams in the street fire, one by one."""

    name: ClassVar[str] = "fire"

    def acts(self, g: Board, owner: int) -> Iterable[Action]:
        targets = g.foe & ~present(g)
        if not targets:
            return ()
        found: list[Action] = []
        usmc = g.usmc
        spots: dict[int, list[int]] = {}  # by the bit of their zone
        for spot in sorted(g.things):
            spots.setdefault(1 << ZONE[spot], []).append(spot)
        for unit, place in enumerate(g.where):
            if place < 0 or g.status[unit] or (owner >= 0 and g.owner[unit] != owner):
                continue
            zone = ZONE[place]
            if not usmc >> zone & 1:
                continue
            zones = FIRES_ON[zone] & targets
            rocket = CAAT_FIRES[place] and g.ammo[g.caat[unit]]
            plain, caat = FIRE[unit], FIRE_CAAT[unit]
            while zones:
                low = zones & -zones
                zones ^= low
                for spot in spots[low]:
                    found.append(plain[spot])
                    if rocket:
                        found.append(caat[spot])
        if owner <= 0:
            found.extend(self.tank_shots(g, targets))
        return found

    def surely_open(self, g: Board) -> bool:
        """With one squad that has a target, for one player: `pass` is the second option."""
        targets = g.foe & ~present(g)
        if g.platoons or not targets:
            return False
        for unit, place in enumerate(g.where):
            if place >= 0 and not g.status[unit] and g.usmc >> ZONE[place] & 1 and FIRES_ON[ZONE[place]] & targets:
                return True
        return False

    def tank_shots(self, g: Board, targets: int) -> Iterator[Action]:
        """11.1.3. From a street section only, and never at a roof."""
        for tank, place in enumerate(g.tanks):
            if place < FIRST_SECTION or g.tank_status[tank] != FRESH:
                continue
            zones = SECTION_FIRE[place] & targets
            while zones:
                low = zones & -zones
                zones ^= low
                for spot in LOCATIONS[low.bit_length() - 1]:
                    if spot in g.things and KIND[spot] != "R":
                        yield FIRE[COUNT + tank][spot]

    def fire(self, g: Board, table: Table, seat: Seat, name: str, at: str, with_caat: str = "") -> None:
        g.do(self.again())
        shot(g, table, name, PLACE[at], with_caat)


def shot(g: Board, table: Table, name: str, place: int, with_caat: str) -> None:
    """11.2. One d10 with its modifiers against the CF; an unmodified 9 has no effect."""
    tank = name in TANKS
    unit = COUNT + TANKS.index(name) if tank else UNIT[name]
    cf = TANK_CF if tank else cf_of(g, unit)
    if with_caat:
        g.ammo[g.caat[unit]] -= 1
        cf += CAAT_BONUS
    drm = sum(part for part, _ in fire_modifiers(g, unit, place))
    die = table.d10()
    hit = die != 9 and die + drm <= cf
    table.tell(
        "fire",
        unit=name,
        at=NAMES[place],
        area=ZONE[place],
        what=unit_words(g.things[place]),
        die=die,
        drm=drm,
        cf=cf,
        caat=int(bool(with_caat)),
        hit=int(hit),
    )
    if tank:
        g.tank_status[unit - COUNT] = FIRED
    else:
        g.status[unit] = FIRED
    if not hit:
        return
    if g.things[place] > 0:
        eliminate(g, table, place, "fire")
    elif activate_suspect(g, table, place, "fire") == TRAP and not tank:
        sniper(g, table, unit, 1, shot=True)

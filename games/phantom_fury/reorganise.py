"""14. Reorganisation Phase, and 7. Victory: nobody decides anything here."""

from games.kernel.steps import Step
from games.kernel.table import Table
from games.phantom_fury.board import (
    FIRED,
    FRESH,
    PINNED,
    Board,
    bits_of,
    cf_of,
    present,
    score,
    se_zones,
    take_se,
    zone_of,
)
from games.phantom_fury.phases import OPENERS, Begin
from games.phantom_fury.suspects import activate_zone, drop_caat, place_suspect
from games.phantom_fury.tables import (
    ADJACENT,
    ALL_ZONES,
    CAATS,
    COUNT,
    FIRST_SECTION,
    KIND,
    LAST_TURN,
    MOSQUE,
    NEAR,
    NEIGHBOURS,
    SECTION_MASK,
    UNITS,
    VIA,
    ZONE,
)


def reorganise(g: Board, table: Table) -> None:
    """14. In printed order; then the victory check."""
    gained = take_control(g, table)
    make_contact(g, table, gained)
    regroup(g, table)
    infiltrate(g, table)
    g.fury = {zone: 30 for zone, side in g.fury.items() if side == 15}
    g.do(EndOfTurn())


OPENERS["reorg"] = reorganise


def take_control(g: Board, table: Table) -> int:
    """14.1. A squad and no enemy; a Security Element or an Abrams alone does not count."""
    gained = g.held & ~g.usmc & ~g.foe
    g.usmc |= gained
    g.fanatic &= ~gained
    for zone in bits_of(gained):
        table.tell("control", area=zone)
    if gained & NEIGHBOURS[MOSQUE] and not g.iif_from:
        g.iif_from = g.turn + 1
        table.tell("iif-ready", turn=g.iif_from)
    return gained


def make_contact(g: Board, table: Table, gained: int) -> None:
    """14.2. Every zone next to one just gained is Activated."""
    for zone in bits_of(gained):
        for near in bits_of(NEAR[zone] & ALL_ZONES & ~g.activated):
            activate_zone(g, table, near)


def regroup(g: Board, table: Table) -> None:
    """14.3. Security Elements return, Fired units are fresh, Pinned squads try to recover."""
    for unit in range(COUNT):
        if g.se[unit] >= 0 and g.usmc >> ZONE[g.se[unit]] & 1:
            take_se(g, unit)
    g.orphans = []
    g.no_event &= se_zones(g)
    for unit in range(COUNT):
        if g.status[unit] == FIRED:
            g.status[unit] = FRESH
        elif g.status[unit] == PINNED:
            recover(g, table, unit)
        caat = g.caat[unit]
        if caat and not g.ammo[caat] and not g.charge[caat]:
            drop_caat(g, unit)
            table.tell("caat-spent", unit=UNITS[unit], caat=CAATS[caat - 1])
    g.tank_status = [FRESH, FRESH]
    g.moved, g.assaulted, g.search = [0] * COUNT, [0] * COUNT, [0] * COUNT
    g.tank_moved = [0, 0]


def recover(g: Board, table: Table, unit: int) -> None:
    """14.3.4, R33, R45. Nobody around: at once; else at most its CF on a die."""
    place = g.where[unit]
    around = SECTION_MASK[place] if place >= FIRST_SECTION else NEAR[ZONE[place]]
    if not around & g.foe:
        g.status[unit] = FRESH
        table.tell("recovered", unit=UNITS[unit], area=zone_of(g, unit), die=-1, drm=0, cf=0)
        return
    drm = recovery_modifier(g, place)
    cf = cf_of(g, unit)
    die = table.d10()
    ok = die + drm <= cf
    table.tell("recovered" if ok else "still-pinned", unit=UNITS[unit], area=zone_of(g, unit), die=die, drm=drm, cf=cf)
    if ok:
        g.status[unit] = FRESH


def recovery_modifier(g: Board, place: int) -> int:
    if place >= FIRST_SECTION:
        return 0 if place in g.tanks else 2
    return {"C": 1, "OG": 2}.get(KIND[place], 0)


def barred(g: Board, section: int) -> bool:
    """14.4, R31. An Abrams or a Pinned squad in it, or a squad in a USMC-controlled zone beside it."""
    if section in g.tanks or SECTION_MASK[section] & g.usmc & g.held:
        return True
    return any(place == section and g.status[unit] == PINNED for unit, place in enumerate(g.where))


def infiltrate(g: Board, table: Table) -> None:
    """P8 [14.4]: empty zones next to insurgents who are left alone go back to them, on a snapshot."""
    ours = present(g)
    sources = ALL_ZONES & ~g.usmc & ~ours & g.foe
    lost = [zone for zone in bits_of(g.usmc & ~ours) if may_infiltrate(g, zone, sources)]
    for zone in lost:
        g.usmc &= ~(1 << zone)
        table.tell("lost-zone", area=zone, why="infiltration")
        place_suspect(g, table, zone)


def may_infiltrate(g: Board, zone: int, sources: int) -> bool:
    if ADJACENT[zone] & sources:
        return True
    return any(
        not all(barred(g, section) for section in VIA[zone, source]) for source in bits_of(NEIGHBOURS[zone] & sources)
    )


class EndOfTurn(Step, frozen=True):
    """7. All sixty zones win at once; after the last turn the mosque may be missing if it is empty (R41)."""

    def run(self, g: Board, table: Table) -> None:
        last = LAST_TURN[g.variant]
        missing = ALL_ZONES & ~g.usmc
        if not missing:
            if g.turn < last:
                score(g, 5 * (last - g.turn), "turns", str(last - g.turn))
            end(g, table, won=True)
        elif g.turn < last:
            g.turn += 1
            table.tell("turn", turn=g.turn)
            g.do(Begin("support"))
        elif missing == 1 << MOSQUE and not g.foe & missing:
            score(g, -5, "mosque", str(MOSQUE))
            end(g, table, won=True)
        else:
            end(g, table, won=False)


def end(g: Board, table: Table, *, won: bool) -> None:
    """7.2.2. The level of a victory is its VP."""
    g.phase = "over"
    level = "major" if g.vp > 10 else "minor" if g.vp >= 0 else "bitter"
    g.result = f"{level} victory" if won else "defeat"
    zones = (g.usmc & ALL_ZONES).bit_count()
    table.tell("over", result=g.result, vp=g.vp, zones=zones, turn=g.turn)

"""13.6. Retreat Movement of Guerillas."""

from games.kernel.table import Table
from games.phantom_fury.board import (
    Board,
    draw_suspect,
    is_martyrs,
    lift,
    put,
    se_zones,
    to_bag,
    unit_words,
    weaker,
    wished,
)
from games.phantom_fury.tables import ADJACENT, EGRESS, MOSQUE, NAMES, SECTION_MASK, SECTION_NEXT, VIA, ZONE


def stopped(g: Board, section: int) -> bool:
    """13.6.5. An Abrams in it or next to it, or a squad in a USMC-controlled zone beside it."""
    if SECTION_MASK[section] & g.usmc & g.held or section in g.tanks:
        return True
    return any(other in g.tanks for other in SECTION_NEXT[section])


def isolated(g: Board, zone: int, goal: int) -> bool:
    """13.6.5. Every section between two Neighbouring zones is stopped; Adjacent zones never are."""
    if ADJACENT[zone] >> goal & 1:
        return False
    return all(stopped(g, section) for section in VIA[zone, goal])


def retreat(g: Board, table: Table, place: int) -> None:
    """13.6. Guerillas leave by the zone's egress; not from 26, nor under Fanaticism, nor past an SE."""
    zone, code = ZONE[place], g.things[place]
    what = unit_words(code)
    if is_martyrs(code) or zone == MOSQUE or g.fanatic >> zone & 1:
        return
    if se_zones(g) >> zone & 1:
        weaker(g, place)
        g.no_event |= 1 << zone
        table.tell("held", at=NAMES[place], area=zone, what=what, now=unit_words(g.things[place]))
        return
    for goal in EGRESS[zone]:
        if goal == 0:
            g.gone.append(lift(g, place) >> 4)
            table.tell("left-map", at=NAMES[place], area=zone, what=what)
            return
        if g.usmc & g.held & 1 << goal or isolated(g, zone, goal):
            continue
        marker = draw_suspect(g, table)
        spot = wished(g, marker, goal)
        to_bag(g, -marker)
        if spot >= 0:
            put(g, spot, lift(g, place))
            table.tell("fled", at=NAMES[place], goal=NAMES[spot], area=goal, what=what)
            if g.usmc >> goal & 1:
                g.usmc &= ~(1 << goal)
                table.tell("lost-zone", area=goal, why="retreat")
            return
    table.tell("cornered", at=NAMES[place], area=zone, what=what)

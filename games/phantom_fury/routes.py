"""12.1 to 12.5: where a squad may go, and where it may end. Questions only; nothing is changed here."""

from games.phantom_fury.board import FRESH, Board, squads_in
from games.phantom_fury.tables import (
    ACROSS,
    FIRST_SECTION,
    INSIDE,
    MOSQUE,
    MOVEMENT,
    PLACES,
    SQUADS,
    STREET,
    TANK_STOPS,
    TANK_WAYS,
    UPPER,
    ZONE,
)

LEADS_OUT = tuple(bool(ACROSS[place] or STREET[place]) for place in range(PLACES))  # of its zone
Way = tuple[int, int]  # a place, and the Location last left when it is a section


def may_leave(g: Board, unit: int, zone: int) -> bool:
    """12.1.2, 12.3.2.2, 12.4.3. Out of its zone: never with an SE out or when bound to search."""
    if g.se[unit] >= 0 or g.search[unit]:
        return False
    return bool(g.usmc >> zone & 1 or g.reduced[unit])


def may_enter(g: Board, unit: int, place: int, cover: bool) -> bool:
    """12.2, 12.4, 5.1.6.1. Into a Location of another zone; `cover`: it must be under USMC control."""
    zone = ZONE[place]
    if place in g.things or (UPPER[place] and g.ruins >> zone & 1):
        return False
    if g.usmc >> zone & 1:
        return zone != MOSQUE or unit >= SQUADS
    if cover:
        return False
    if unit >= SQUADS:
        return zone == MOSQUE and place not in g.where
    return zone != MOSQUE and not g.crew[zone]


def steps_from(g: Board, unit: int, place: int, came: int) -> list[int]:
    """Places one step away that the squad may enter now, without asking where the move could end.

    `came` is the Location last left; it matters only when the squad is in a street section.
    """
    if place >= FIRST_SECTION:
        cover = came >= 0 and not g.usmc >> ZONE[came] & 1
        return [door for door in STREET[place] if may_enter(g, unit, door, cover)]
    zone = ZONE[place]
    things = g.things
    steps = [spot for spot in INSIDE[place] if spot not in things] if g.foe >> zone & 1 else list(INSIDE[place])
    if g.ruins >> zone & 1:
        steps = [spot for spot in steps if not UPPER[spot]]
    if zone == MOSQUE and not g.usmc >> zone & 1:
        steps = [spot for spot in steps if spot not in g.where]
    if LEADS_OUT[place] and may_leave(g, unit, zone):
        cover = not g.usmc >> zone & 1
        for spot in ACROSS[place]:
            if may_enter(g, unit, spot, cover):
                steps.append(spot)
        for section in STREET[place]:
            if section not in g.where:
                steps.append(section)
    return steps


def has_free_step(g: Board, place: int) -> bool:
    """Whether a Location beside this one, in the same zone, is open to a squad and holds no other."""
    things, where = g.things, g.where
    for spot in INSIDE[place]:
        if spot not in things and spot not in where and not (UPPER[spot] and g.ruins >> ZONE[place] & 1):
            return True
    return False


def others_at(g: Board, unit: int, place: int) -> list[int]:
    """Squads other than this one that stand in a Location."""
    where = g.where
    return [other for other in squads_in(g, ZONE[place]) if where[other] == place and other != unit]


def may_end(g: Board, unit: int, place: int) -> bool:
    """R18. Never in a section; on another squad only if that one can still move away."""
    if place >= FIRST_SECTION:
        return False
    if place not in g.where or (g.where[unit] == place and g.where.count(place) == 1):
        return True
    for other in others_at(g, unit, place):
        if g.owner[other] != g.owner[unit] or g.status[other] != FRESH or g.moved[other]:
            return False
        if not could_end_elsewhere(g, other):
            return False
    return True


def could_end_elsewhere(g: Board, unit: int) -> bool:
    """Whether a fresh squad could end a move in some Location where no squad stands."""
    start = g.where[unit]
    if has_free_step(g, start):
        return True
    seen = {(start, -1)}
    edge: list[Way] = [(start, -1)]
    for spent in range(1, MOVEMENT + 1):
        following: list[Way] = []
        for place, came in edge:
            for step in steps_from(g, unit, place, came):
                if step < FIRST_SECTION and step not in g.where:
                    return True
                way = (step, place if step >= FIRST_SECTION else -1)
                if way not in seen and spent < MOVEMENT and not bound(g, place, step):
                    seen.add(way)
                    following.append(way)
        edge = following
    return False


def bound(g: Board, place: int, step: int) -> bool:
    """A step into an insurgent-controlled zone that goes no further from there (12.4.3)."""
    zone = ZONE[step]
    return bool(zone and zone != ZONE[place] and not g.usmc >> zone & 1)


def good_steps(g: Board, unit: int, place: int, came: int, mp: int) -> list[int]:
    """Steps after which, should no die go against it, the move can still end lawfully."""
    crew, where, others = g.crew, g.where, ~(1 << unit)
    steps = []
    for step in steps_from(g, unit, place, came):
        if step >= FIRST_SECTION:
            good = can_cross(g, unit, step, place, mp - 1)
        else:
            empty = not crew[ZONE[step]] & others or step not in where
            good = empty or can_finish(g, unit, step, place, mp - 1)
        if good:
            steps.append(step)
    return steps


def can_cross(g: Board, unit: int, section: int, came: int, mp: int) -> bool:
    """Judged as it will be, with the squad in the section: nobody can make room for it by passing there."""
    g.where[unit] = section
    finishes = can_finish(g, unit, section, came, mp)
    g.where[unit] = came
    return finishes


def can_finish(g: Board, unit: int, place: int, came: int, mp: int) -> bool:
    """Whether a squad that has just come to `place` from `came` can end somewhere with `mp` left."""
    if place < FIRST_SECTION:
        if (mp > 0 and has_free_step(g, place)) or may_end(g, unit, place):
            return True
    elif mp > 0 and came < FIRST_SECTION:
        cover = not g.usmc >> ZONE[came] & 1
        for door in STREET[place]:
            if (
                door != came
                and may_enter(g, unit, door, cover)
                and (not g.crew[ZONE[door]] or door not in g.where or can_finish(g, unit, door, place, mp - 1))
            ):
                return True
        return False
    if mp <= 0:
        return False
    return any(can_finish(g, unit, step, place, mp - 1) for step in steps_from(g, unit, place, came))


def tank_may_stop(g: Board, place: int) -> bool:
    """12.6.3. A section Adjacent to a USMC-controlled zone, or an OG in a zone Neighbouring one."""
    return bool(TANK_STOPS[place] & g.usmc)


def tank_steps(g: Board, place: int, mp: int) -> list[int]:
    """12.6.2. Steps of an Abrams that leave a lawful finish within reach."""
    return [step for step in TANK_WAYS[place] if step not in g.tanks and tank_can_finish(g, step, mp - 1)]


def tank_can_finish(g: Board, place: int, mp: int) -> bool:
    if tank_may_stop(g, place):
        return True
    if mp <= 0:
        return False
    return any(step not in g.tanks and tank_can_finish(g, step, mp - 1) for step in TANK_WAYS[place])

"""What the players of Second Fallujah reckon with: attacks, stacks, garrisons and strikes, in victory points."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

import msgspec

from games.second_fallujah.absorption import capacity
from games.second_fallujah.board import Board, lead_defenders, mp_left
from games.second_fallujah.coalition import entry_cost, pickable
from games.second_fallujah.combat import (
    defensive_value,
    may_lead,
    offensive_value,
)
from games.second_fallujah.priorities import lead_choice
from games.second_fallujah.tables import (
    ADJ,
    CF,
    COA,
    DUG,
    F0,
    FRESH,
    HOME,
    ID,
    INS,
    IRAQI,
    KIND,
    M0,
    MEDEVAC,
    MOSQUE,
    NATION,
    RIVER,
    SCORES,
    STACK_LIMIT,
    SUPPORT,
    TEM,
    ZONES,
)

_TWO = [a + b for a, b in product(range(1, 7), repeat=2)]
EFFORT = 0.03  # what a unit used up for the day is worth
BACKLASH = 1.0  # a point of Political Backlash
GROUND = 0.3  # an area taken, beside its victory point
PARTIAL = 0.8  # losses short of clearing an area by assault, against killing outright
SHELLED = 0.4  # the same under a fire mission: nobody is there to go on
ENOUGH = 0.12  # what an impulse must promise to be worth more than a pass


@lru_cache(maxsize=256)
def margins(edge: int) -> tuple[tuple[int, float], ...]:
    """How often OV + 2D6 - DV - 2D6 gives each margin."""
    counts: dict[int, int] = {}
    for a in _TWO:
        for b in _TWO:
            counts[edge + a - b] = counts.get(edge + a - b, 0) + 1
    return tuple((margin, count / len(_TWO) ** 2) for margin, count in sorted(counts.items()))


class Plan(msgspec.Struct, frozen=True):
    """A group, where it goes, and what that is thought to be worth."""

    value: float
    area: int = 0
    group: tuple[int, ...] = ()


def unit_value(unit: int) -> float:
    return 0.15 if unit >= M0 else 1.0 if unit >= F0 else 2.0


def attack_value(g: Board, kind: str, area: int, ov: int, *, medevac: bool, iraqi: bool) -> float:
    """Expected victory points of an attack: losses of both sides, ground, Backlash."""
    foes = g.ins[area]
    lead = lead_choice(g, lead_defenders(g, area))
    dv = defensive_value(g, kind, area, lead)
    room = capacity(g, foes)
    worth = sum(unit_value(unit) for unit in foes)
    ground = (SCORES[area] + GROUND) if kind == "attack" else 0.15
    dug = g.mode[lead] == DUG
    part = PARTIAL if kind == "attack" else SHELLED
    value = -BACKLASH if MOSQUE[area] and not iraqi else 0.0
    for margin, chance in margins(ov - dv):
        if margin >= room:
            value += chance * (worth + ground + (0.4 if margin > room and kind == "attack" else 0))
        elif margin > 0:
            value += chance * (0.0 if dug and margin < 3 else worth * part * margin / room)
        elif kind == "attack":
            value -= chance * max(0, (1 if margin == 0 else 2) - medevac) * BACKLASH
    return value


def force_value(g: Board, area: int, force: Sequence[int]) -> tuple[float, int, int]:
    """Value, OV and lead of the best-led attack by a force."""
    leads = [unit for unit in force if may_lead(g, unit, area)]
    if not leads:
        return -99.0, 0, -1
    boats = bool(RIVER[area] and g.riverine)
    ov, lead = max((offensive_value(g, area, force, unit, boats), unit) for unit in leads)
    medevac = any(MEDEVAC[unit] for unit in force)
    iraqi = any(IRAQI[unit] for unit in force)
    return attack_value(g, "attack", area, ov, medevac=medevac, iraqi=iraqi), ov, lead


# --- the Coalition ---------------------------------------------------------------------------------------


def build_groups(g: Board, units: Sequence[int], area: int, room: int) -> list[tuple[int, ...]]:
    """Sensible stacks out of the units at hand: combined arms, one nation's troops, an Iraqi for mosques."""
    found: list[tuple[int, ...]] = []
    for nation in ("marine", "army", ""):
        pool = [u for u in units if IRAQI[u] or not nation or NATION[u] == nation]
        ranked = sorted(
            (u for u in pool if may_lead(g, u, area)), key=lambda u: (-CF[FRESH][u], KIND[u] == "engineer", u)
        )
        if not ranked:
            continue
        for wanted in (2, 4, 6, 8):
            group = _stack(pool, ranked, area, min(wanted, room))
            if group and group not in found:
                found.append(group)
    return found


def _stack(pool: Sequence[int], ranked: Sequence[int], area: int, size: int) -> tuple[int, ...]:
    group = [ranked[0]]

    def add(kinds: Iterable[str], count: int = 1) -> None:
        for unit in pool:
            if count and len(group) < size and unit not in group and KIND[unit] in kinds:
                group.append(unit)
                count -= 1

    battalion = ID[group[0]].rsplit("-", 1)[0]
    brothers = [u for u in pool if ID[u].rsplit("-", 1)[0] == battalion and u != group[0] and not IRAQI[u]]
    if MOSQUE[area] and size < 5:
        add(("special_forces",)) if any(KIND[u] == "special_forces" for u in pool) else add(("infantry",), 0)
    add(("tank",))
    if size >= 7 and len(brothers) == 3:
        group.extend(unit for unit in brothers if unit not in group)
    add(("special_forces",))
    if MOSQUE[area] and not any(IRAQI[u] for u in group):
        iraqi = [u for u in pool if IRAQI[u]]
        group.extend(iraqi[: max(0, min(1, size - len(group)))])
    add(("engineer",)) if len(group) > 1 else None
    for unit in ranked[1:]:
        infantry = sum(1 for u in group if KIND[u] in ("infantry", "mech_infantry") and not IRAQI[u])
        if len(group) < size and unit not in group and infantry < 3 and KIND[unit] in ("infantry", "mech_infantry"):
            group.append(unit)
    add(("weapons", "anti_tank"))
    add(("engineer",)) if not any(KIND[u] == "engineer" for u in group) else None
    add(("armored_amphibious",))
    return tuple(group[:size])


def is_front(g: Board, area: int) -> bool:
    return any(g.control[b] == INS for b in ADJ[area])


def garrison(g: Board, place: int, units: Sequence[int]) -> list[int]:
    """Units at hand without one left behind to hold an area next to insurgent ground (9.2)."""
    if place in ZONES or not is_front(g, place) or g.control[place] != COA:
        return list(units)
    others = [u for u in g.coa[place] if u not in units and not SUPPORT[u]]
    if others:
        return list(units)
    holders = [u for u in units if not SUPPORT[u]]
    if len(holders) < 2:
        return list(units) if not SCORES[place] else []
    keep = min(holders, key=lambda u: (may_lead(g, u, place), CF[FRESH][u], u))
    return [u for u in units if u != keep]


def risk(g: Board, area: int) -> float:
    """Cadres who may bring fighters when an area is entered."""
    near = sum(1 for b in ADJ[area] if not g.coa[b] for u in g.ins[b] if u < F0 and g.mode[u])
    return 0.1 * near


def best_move(g: Board, place: int) -> Plan:
    """The most promising step out of a place for units that can still move."""
    best = Plan(0.0)
    units = list(pickable(g, place))
    if not g.mp:
        units = garrison(g, place, units)
    contested = bool(g.ins[place])
    for b in ADJ[place]:
        if b in g.fought or (contested and (g.ins[b] or g.control[b] == INS)):
            continue
        if place in ZONES and g.first_area not in (0, b):
            continue
        if g.control[b] == COA and not g.ins[b]:
            continue
        room = STACK_LIMIT - len(g.coa[b])
        if place in ZONES:
            room = min(room, STACK_LIMIT - len(g.zone_used))
        cost = entry_cost(g, b)
        able = [u for u in units if mp_left(g, u) >= cost]
        for group in build_groups(g, able, b, room):
            value = group_value(g, b, group) - EFFORT * len(group)
            if value > best.value:
                best = Plan(value, b, group)
    return best


def group_value(g: Board, area: int, group: Sequence[int]) -> float:
    if not any(may_lead(g, unit, area) for unit in group):
        return -99.0
    if g.ins[area]:
        return force_value(g, area, group)[0] - risk(g, area)
    strength = offensive_value(g, area, group, next(u for u in group if may_lead(g, u, area)), False)
    shield = 0.3 if MOSQUE[area] and not any(IRAQI[u] for u in group) else 0.0
    return SCORES[area] + 0.5 - risk(g, area) * max(0.5, 3 - strength / 3) - shield


def best_in_place(g: Board, area: int) -> Plan:
    """An attack by the Fresh units of a contested area."""
    if not g.ins[area] or area in g.fought:
        return Plan(0.0)
    cost = 2 if any(g.mode[u] for u in g.ins[area]) else 1
    able = [u for u in g.coa[area] if g.mode[u] == FRESH and mp_left(g, u) >= cost]
    best = Plan(0.0)
    for group in [*build_groups(g, able, area, STACK_LIMIT), tuple(able)]:
        value = force_value(g, area, group)[0] - EFFORT * len(group) if group else 0.0
        if value > best.value:
            best = Plan(value, area, group)
    return best


HOME_OF = {"NW": min(HOME), "NE": max(HOME)}


def place_words(place: int) -> str:
    return {HOME_OF["NW"]: "the NW zone", HOME_OF["NE"]: "the NE zone"}.get(place, f"area {place}")


def hold_value(g: Board, unit: int, area: int) -> float:
    """What a regroup move is worth: open areas next to insurgents get a garrison, zones empty forward."""
    at = g.where[unit]
    guarded = any(not SUPPORT[u] for u in g.coa[area])
    value = 0.0
    if not SUPPORT[unit] and not guarded and is_front(g, area):
        value += 1.0 + SCORES[area] - 0.1 * CF[FRESH][unit] * (not IRAQI[unit])
    elif not SUPPORT[unit] and not guarded:
        value += 0.05
    if SUPPORT[unit] and not guarded:
        return 0.0
    if at in ZONES:
        value += 0.5 if guarded or not SUPPORT[unit] else 0.0
        value += 0.2 * is_front(g, area)
    else:
        left = [u for u in g.coa[at] if u != unit and not SUPPORT[u]]
        if not SUPPORT[unit] and not left and (is_front(g, at) or g.ins[at]):
            value -= 1.0 + SCORES[at] + (2 if g.ins[at] else 0)
        elif not is_front(g, at) and is_front(g, area):
            value += 0.3
    return value


# --- the insurgents --------------------------------------------------------------------------------------


def strike_value(g: Board, area: int) -> float:
    """Expected Backlash of one Militia attack in an area."""
    units = g.coa[area]
    if not units:
        return 0.0
    medevac = any(MEDEVAC[u] for u in units)
    best = max(CF[g.mode[u]][u] for u in units)
    if best < -50:
        return 2.0 - medevac
    tied = [u for u in units if CF[g.mode[u]][u] == best]
    points = max(0, (1 if any(IRAQI[u] for u in tied) else 2) - medevac)
    edge = (-1, -1, 0, 0, 1)[TEM[area]] - best
    return points * sum(chance for margin, chance in margins(edge) if margin > 0)


def best_strike(g: Board, area: int) -> int:
    """The adjacent area whose tired Coalition units Militia should go for; 0: none."""
    reach = [
        b for b in ADJ[area] if g.coa[b] and all(SUPPORT[u] or not g.mode[u] for u in g.coa[b]) and len(g.ins[b]) < 8
    ]
    if g.coa[area]:
        return 0
    return max(reach, key=lambda b: (strike_value(g, b), -b), default=0)

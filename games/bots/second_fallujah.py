"""Players of Second Fallujah: a Coalition planner and an insurgent defender for two-player rules.

The printed solitaire enemy is no bot of this module: it needs the table's dice and is played by the
rules themselves (option `solitaire`).
"""

import random
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import ClassVar

import msgspec

from games.bots.base import Bot, Choice, RandomBot
from games.kernel.errors import GameError
from games.kernel.ruleset import Ruleset
from games.kernel.steps import Action, State, legal, question
from games.kernel.table import Seat
from games.second_fallujah.absorption import capacity
from games.second_fallujah.advantage import AdvantageWindow
from games.second_fallujah.board import Board, lead_defenders, mp_left
from games.second_fallujah.coalition import Activation, CoalitionImpulse, entry_cost, pickable
from games.second_fallujah.combat import (
    PlanAttack,
    able_to_join,
    defensive_value,
    is_mandatory,
    may_lead,
    offensive_value,
)
from games.second_fallujah.insurgent import InsurgentActivation, InsurgentImpulse
from games.second_fallujah.priorities import lead_choice
from games.second_fallujah.reaction import ReactionWindow, ReconWindow
from games.second_fallujah.sequence import Regroup, SetUp
from games.second_fallujah.tables import (
    ADJ,
    CF,
    COA,
    DUG,
    F0,
    FIRE_MISSION_OV,
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
    UNIT,
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


class Planner:
    """Combined-arms stacks where they count most; garrisons behind them, fire missions in between."""

    key: ClassVar[str] = "planner"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        assert isinstance(g, Board)
        decision = question(g)
        options = legal(g, seat)
        if isinstance(decision, CoalitionImpulse):
            return self._impulse(g, options)
        if isinstance(decision, Activation):
            return self._activation(g, decision, options)
        if isinstance(decision, PlanAttack):
            return self._attack(g, decision, options)
        if isinstance(decision, AdvantageWindow):
            return self._advantage(g, decision)
        if isinstance(decision, ReconWindow):
            return self._recon(g, decision, options)
        if isinstance(decision, Regroup):
            return self._regroup(g, options)
        return Choice(options[0])

    def _impulse(self, g: Board, options: list[Action]) -> Choice:
        best, action = ENOUGH, options[0]
        why = "nothing worth the risk"
        for option in options:
            if option[0] == "fire":
                area = int(option[1])
                both = any(IRAQI[u] for u in g.coa[area]) and any(not IRAQI[u] for u in g.coa[area])
                value = attack_value(g, "fire", area, FIRE_MISSION_OV, medevac=True, iraqi=both)
                words = f"a fire mission on {area} should pay {value:.1f} points"
            elif option[0] in ("area", "zone"):
                place = int(option[1]) if option[0] == "area" else HOME_OF[str(option[1])]
                trial = g.clone()
                trial.origin, trial.mp = place, {}
                trial.entered, trial.entry, trial.fought, trial.zone_used, trial.first_area = {}, {}, {}, (), 0
                plan = max(best_move(trial, place), best_in_place(trial, place), key=lambda plan: plan.value)
                value = plan.value
                words = f"{place_words(place)} towards {plan.area} should pay {value:.1f} points"
            else:
                continue
            if value > best:
                best, action, why = value, option, words
        return Choice(action, why)

    def _activation(self, g: Board, decision: Activation, options: list[Action]) -> Choice:
        attacks = [option for option in options if option[0] == "attack"]
        for option in attacks:
            area = int(option[1])
            if is_mandatory(g, area) or force_value(g, area, able_to_join(g, area))[0] > 0.1:
                return Choice(option, f"{area} must be cleared")
        steps = [option for option in options if option[0] == "step"]
        if decision.picked:
            plan = best_move(g, g.where[decision.picked[0]]) if not self._is_whole(g, decision) else Plan(0.0)
            for unit in plan.group:
                if unit not in decision.picked and ("pick", ID[unit]) in options:
                    return Choice(("pick", ID[unit]), f"for {plan.area}")
            target = plan.area if plan.group else self._target(g, decision.picked)
            if ("step", target) in steps:
                return Choice(("step", target), f"into {target}")
        else:
            plan = self._next(g)
            if plan.value > 0.1 and plan.group and ("pick", ID[plan.group[0]]) in options:
                return Choice(("pick", ID[plan.group[0]]), f"for {plan.area}")
        closing = [option for option in options if option[0] in ("done", "attack")]
        if closing:
            return Choice(closing[0], "enough for now")
        return Choice(options[0])

    def _next(self, g: Board) -> Plan:
        if not g.mp:
            return best_move(g, g.origin)
        places = {g.where[u] for u in g.mp if g.mode[u] == FRESH and not g.ins[g.where[u]]}
        plans = [best_move(g, place) for place in sorted(places)]
        return max(plans, key=lambda plan: plan.value, default=Plan(0.0))

    def _is_whole(self, g: Board, decision: Activation) -> bool:
        plan = best_move(g, g.where[decision.picked[0]])
        return bool(plan.group) and set(plan.group) <= set(decision.picked)

    def _target(self, g: Board, picked: Sequence[int]) -> int:
        return best_move(g, g.where[picked[0]]).area

    def _attack(self, g: Board, plan: PlanAttack, options: list[Action]) -> Choice:
        if ("river",) in options:
            return Choice(("river",), "the boats are near")
        force: Sequence[int] = plan.force
        if not is_mandatory(g, plan.area):
            force = best_in_place(g, plan.area).group if plan.area == g.origin else ()
            force = force or able_to_join(g, plan.area)
            for unit in force:
                if unit not in plan.force and ("join", ID[unit]) in options:
                    return Choice(("join", ID[unit]), "it adds its weight")
        if plan.leader < 0:
            lead = force_value(g, plan.area, force)[2]
            if ("lead", ID[lead]) in options:
                return Choice(("lead", ID[lead]), "the strongest company leads")
        return Choice(options[0])

    def _advantage(self, g: Board, window: AdvantageWindow) -> Choice:
        facts = window.facts(g)
        ends = facts["ends"] == "yes"
        if ends and g.att + 1 >= g.impulse and g.impulse <= 7:
            roll = "end" if window.kind == "phase" else "att"
            return Choice(("adv", "+1", roll), "the day must go on")
        swing, margin = int(facts["swing"]), int(facts["margin"])
        if window.kind == "attack" and 3 <= swing < 9:
            return Choice(("adv", "+1", "att"), "one point decides this fight")
        if window.kind == "attack" and margin <= -3 and window.ov - window.dv >= 4:
            return Choice(("adv", "reroll"), "the dice were unkind")
        return Choice(("adv", "no"), "not worth it")

    def _recon(self, g: Board, window: ReconWindow, options: list[Action]) -> Choice:
        force = [u for u in window.group if g.where[u] == window.area]
        if force_value(g, window.area, force)[0] < -0.3:
            return Choice(options[-1], "too strong for us")
        return Choice(("stay",), "we can take them")

    def _regroup(self, g: Board, options: list[Action]) -> Choice:
        best, action, why = 0.0, options[0], "everybody is in place"
        for option in options[1:]:
            unit, area = UNIT[str(option[1])], int(option[2])
            value = hold_value(g, unit, area)
            if value > best:
                best, action, why = value, option, f"{ID[unit]} secures {area}"
        return Choice(action, why)


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


class Defender:
    """Strongpoints in the thick of the city, Militia against tired troops, Cadres that organise."""

    key: ClassVar[str] = "defender"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        assert isinstance(g, Board)
        decision = question(g)
        options = legal(g, seat)
        if isinstance(decision, SetUp):
            return self._set_up(g, options)
        if isinstance(decision, InsurgentImpulse):
            return self._impulse(g, options)
        if isinstance(decision, InsurgentActivation):
            return self._activation(g, decision, options)
        if isinstance(decision, ReactionWindow):
            return self._react(g, decision, options)
        if isinstance(decision, AdvantageWindow):
            return self._advantage(g, decision)
        if isinstance(decision, Regroup):
            return Choice(options[0], "we stay where we are")
        for text in ("cp bot", "deflead F!@here", "keep F-@here"):
            if text.split()[0] == options[0][0]:
                found = self._try(rules, g, seat, text)
                if found is not None:
                    return Choice(found)
        return Choice(options[0])

    def _try(self, rules: Ruleset, g: Board, seat: Seat, text: str) -> Action | None:
        try:
            return rules.read(g, seat, text).action
        except GameError:
            return None

    def _set_up(self, g: Board, options: list[Action]) -> Choice:
        def worth(option: Action) -> tuple[float, int]:
            area = int(option[2])
            crowd = sum(1 for u in g.ins[area] if u >= F0)
            return TEM[area] * 2 + SCORES[area] + len(g.ins[area]) * 0.4 - crowd * 1.2, -area

        puts = [option for option in options if option[0] == "put"]
        return Choice(max(puts, key=worth), "hard ground") if puts else Choice(("done",))

    def _impulse(self, g: Board, options: list[Action]) -> Choice:
        best, action, why = 0.05, options[0], "nothing to gain"
        for option in options[1:]:
            area = int(option[1])
            if option[0] == "org":
                near = sum(1 for b in ADJ[area] if g.coa[b])
                value = 0.25 * int(option[2]) * (1 + near) - 0.02 * len(g.ins[area])
                words = f"more fighters for {area}"
            else:
                value, words = self._activation_value(g, area)
            if value > best:
                best, action, why = value, option, words
        return Choice(action, why)

    def _activation_value(self, g: Board, area: int) -> tuple[float, str]:
        fresh = [u for u in g.ins[area] if g.mode[u] == FRESH]
        militia = sum(1 for u in fresh if u >= M0)
        if g.coa[area]:
            return militia * strike_value(g, area), f"strike in {area}"
        target = best_strike(g, area)
        value = militia * strike_value(g, target) if target else 0.0
        dig = sum(1 for u in fresh if F0 <= u < M0)
        front = any(g.coa[b] for b in ADJ[area])
        if dig and front and TEM[area] >= 2 and 0.3 * dig > value:
            return 0.3 * dig, f"dig in at {area}"
        return value, f"strike from {area}"

    def _activation(self, g: Board, decision: InsurgentActivation, options: list[Action]) -> Choice:
        for option in options:
            if option[0] == "strike" and UNIT[str(option[1])] >= M0:
                return Choice(option, "hit them while they are tired")
        area = g.origin
        if decision.picked:
            target = best_strike(g, g.where[decision.picked[0]])
            if ("step", target) in options:
                return Choice(("step", target), f"into {target}")
            return Choice(("done",))
        target = best_strike(g, area)
        value, words = self._activation_value(g, area)
        for option in options:
            if option[0] == "dig" and words.startswith("dig"):
                return Choice(option, words)
        if target and value > 0 and not words.startswith("dig"):
            for option in options:
                if option[0] == "pick" and UNIT[str(option[1])] >= M0 and g.where[UNIT[str(option[1])]] == area:
                    return Choice(option, f"for {target}")
        return Choice(("done",))

    def _react(self, g: Board, window: ReactionWindow, options: list[Action]) -> Choice:
        digs = [option for option in options if option[1] == "dig"]
        if digs and TEM[window.area] >= 2:
            return Choice(digs[0], "this ground will be held")
        militia = [option for option in options if option[1] == "militia"]
        here = [option for option in militia if option[3] == window.area]
        if here and (window.before < 4 or g.ins[window.area]):
            return Choice(here[0], "fighters for the breach")
        runs = [option for option in options if option[1] == "retreat" and TEM[int(option[3])] >= 2]
        if runs and TEM[window.area] < 2:
            return Choice(max(runs, key=lambda option: TEM[int(option[3])]), "not worth dying for")
        return Choice(("r", "done"))

    def _advantage(self, g: Board, window: AdvantageWindow) -> Choice:
        facts = window.facts(g)
        margin = int(facts["margin"])
        if window.kind == "strike" and margin == 0:
            return Choice(("adv", "+1", "att"), "one point makes this a success")
        if window.kind == "attack" and int(facts["cp"]) >= 5:
            return Choice(("adv", "reroll"), "it cannot get worse")
        return Choice(("adv", "no"), "later")


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


BOTS: tuple[Bot, ...] = (Planner(), Defender(), RandomBot())

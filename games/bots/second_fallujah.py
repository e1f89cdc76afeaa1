"""Players of Second Fallujah: a Coalition planner and an insurgent defender for two-player rules.

The printed solitaire enemy is no bot of this module: it needs the table's dice and is played by the
rules themselves (option `solitaire`).
"""

import random
from collections.abc import Sequence
from typing import ClassVar

from games.bots.base import Bot, Choice, RandomBot
from games.bots.second_fallujah_plan import (
    ENOUGH,
    HOME_OF,
    Plan,
    attack_value,
    best_in_place,
    best_move,
    best_strike,
    force_value,
    hold_value,
    place_words,
    strike_value,
)
from games.kernel.errors import GameError
from games.kernel.ruleset import Ruleset
from games.kernel.steps import Action, State, legal, question
from games.kernel.table import Seat
from games.second_fallujah.advantage import AdvantageWindow
from games.second_fallujah.board import Board
from games.second_fallujah.coalition import Activation, CoalitionImpulse
from games.second_fallujah.combat import (
    PlanAttack,
    able_to_join,
    is_mandatory,
)
from games.second_fallujah.insurgent import InsurgentActivation, InsurgentImpulse
from games.second_fallujah.reaction import ReactionWindow, ReconWindow
from games.second_fallujah.sequence import Regroup, SetUp
from games.second_fallujah.tables import (
    ADJ,
    F0,
    FIRE_MISSION_OV,
    FRESH,
    ID,
    IRAQI,
    M0,
    SCORES,
    TEM,
    UNIT,
)


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


BOTS: tuple[Bot, ...] = (Planner(), Defender(), RandomBot())

"""Exact chances of an attack, for those who ask."""

from functools import lru_cache
from itertools import product

from games.kernel.steps import Action, question
from games.second_fallujah.absorption import capacity
from games.second_fallujah.board import Board, all_militia, lead_defenders
from games.second_fallujah.combat import PlanAttack, defensive_value, offensive_value
from games.second_fallujah.priorities import lead_choice
from games.second_fallujah.tables import FIRE_MISSION_OV, OVERWHELMING

_TWO_DICE = [a + b for a, b in product(range(1, 7), repeat=2)]


@lru_cache(maxsize=64)
def chance_of_margin(edge: int, least: int) -> float:
    """How often OV + 2D6 beats DV + 2D6 by `least` or more, with OV - DV = edge."""
    hits = sum(1 for a in _TWO_DICE for b in _TWO_DICE if edge + a - b >= least)
    return hits / len(_TWO_DICE) ** 2


def attack_odds(g: Board, kind: str, area: int, ov: int) -> str:
    """`win 84 %, clear 41 %`: a successful attack, and one that empties the area for sure."""
    lead = lead_choice(g, lead_defenders(g, area))
    dv = defensive_value(g, kind, area, lead)
    if all_militia(g.ins[area]) and ov - dv >= OVERWHELMING:
        return "certain"
    win = chance_of_margin(ov - dv, 1)
    clear = chance_of_margin(ov - dv, capacity(g, g.ins[area]))
    return f"win {win:.0%}, clear {clear:.0%}".replace("%", " %")


def odds(g: Board, action: Action) -> str:
    plan = question(g)
    if action[0] == "fire":
        return attack_odds(g, "fire", int(action[1]), FIRE_MISSION_OV)
    if action[0] == "roll" and isinstance(plan, PlanAttack):
        ov = offensive_value(g, plan.area, plan.force, plan.leader, plan.boats)
        return attack_odds(g, "attack", plan.area, ov)
    return ""

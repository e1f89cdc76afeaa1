"""Rules that the worked cases do not reach, chapter by chapter."""

from typing import Any

import pytest

from games.kernel.steps import apply, legal, owed, settle
from games.kernel.table import Scripted, SearchTable
from games.second_fallujah import RULES
from games.second_fallujah.absorption import allocations
from games.second_fallujah.board import Board, victory_points
from games.second_fallujah.combat import value_parts
from games.second_fallujah.odds import attack_odds, chance_of_margin
from games.second_fallujah.tables import UNIT
from games.second_fallujah.victory import level


def units(g: Board, place: int) -> list[str]:
    return [name for name, unit in UNIT.items() if g.where[unit] == place]


# --- 1, 11 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "winner"), [(36, "insurgent"), (26, "insurgent"), (25, None), (24, "coalition")])
def test_levels_of_victory(points: int, winner: str | None) -> None:
    assert level(points)[1] == winner


def test_the_opening_is_worth_83_points() -> None:
    g = RULES.start(RULES.setup(), SearchTable(1))
    assert victory_points(g) == 34 + 29
    for area in (45, 40, 39, 46, 47, 2, 3, 9, 51, 12):
        for _ in range(2):
            apply(g, "insurgent", ("put", "F", area), SearchTable(1))
    assert ("put", "F", 45) not in legal(g, "insurgent")
    assert victory_points(g) == 83


def test_a_solitaire_set_up_rolls_for_terrain() -> None:
    """13: TEM 4 always, TEM 3 on 4-6, TEM 2 on 6, nothing below and no die."""
    table = Scripted(*[4] * 33)
    g = RULES.start(RULES.setup({"solitaire": True}), table)
    assert table.left == [] and owed(g) == ("coalition",)
    assert victory_points(g) == 63 + 9 + 17
    table = Scripted(*[6] * 33)
    g = RULES.start(RULES.setup({"solitaire": True}), table)
    assert victory_points(g) == 63 + 30, "no more than there are counters (R42)"
    assert RULES.seats(RULES.setup({"solitaire": True})) == ("coalition",)
    assert RULES.seats(RULES.setup()) == ("insurgent", "coalition")


def test_a_fedayeen_can_be_taken_back_while_setting_up(play: Any) -> None:
    g = RULES.start(RULES.setup(), SearchTable(1))
    apply(g, "insurgent", ("put", "F", 45), SearchTable(1))
    apply(g, "insurgent", ("unput", "F", 45), SearchTable(1))
    assert victory_points(g) == 63


# --- 6 movement -----------------------------------------------------------------------------------------


def test_at_most_eight_leave_a_zone(play: Any) -> None:
    go = "zone ne; go 1/8-A+1/8-B+1/8-C+1/8-W+TK-A+ENG-C2+ERU 25>26; go 1/3-A 25"
    result = play({}, f"c: {go}")
    assert result["refused"] is None
    assert not [line for line in result["legal"]["coalition"] if line.startswith("pick 1/3-B")]


def test_units_that_did_not_attack_pay_the_attack_when_leaving_after_an_overrun(play: Any) -> None:
    """R18."""
    start = {"26": ["1/8-A", "1/8-B", "M1 spent"]}
    result = play(start, "c: area 26; attack 26 lead 1/8-A; go 1/8-B 24", hold=(24,), chance=(6, 6, 1, 1))
    assert result["refused"] is None
    assert result["position"]["running"]["mp"] == {"1/8-A": 6, "1/8-B": 5}


def test_a_unit_that_leaves_its_contested_area_and_comes_back_attacks_without_paying_again(play: Any) -> None:
    """R61."""
    start = {"26": ["1/8-A", "2/2-A", "M1"]}
    go = "c: area 26; go 2/2-A 24>26; attack 26 lead 2/2-A"
    result = play(start, go, hold=(24,), chance=(6, 6, 1, 1))
    assert result["refused"] is None
    assert result["position"]["running"]["mp"]["2/2-A"] == 8 - 1 - 4


def test_an_area_that_filled_up_sends_leaderless_entrants_to_the_activated_area(board: Any) -> None:
    """R65."""
    running = {
        "origin": "24",
        "mp": {"TK-A": 2},
        "entered": {"TK-A": {"area": 27, "from": "26", "mp": 4}},
        "entry": {"27": {"before": 2, "cost": 4, "ambush": True}},
        "reacted": [27],
    }
    full = ["1/3-A", "1/3-B", "1/3-C", "1/3-W", "2/2-A", "2/63-A", "CAV-F", "MP-B"]
    g = board({"26": full, "27": ["TK-A", "M1"]}, (24, 26), running=running, acted=True, todo=["CloseActivation"])
    settle(g, SearchTable(1))
    assert "TK-A" in units(g, 24)


def test_followers_into_an_ambush_pay_what_they_have(play: Any) -> None:
    """6.4.2: an Iraqi with two MP left makes the ambush worse."""
    start = {"42": ["3/1-I", "IQ-1/1"], "35": ["C1"]}
    go = "c: area 42; go 3/1-I 41>34>32>38>49"
    hold: tuple[int, ...] = (42, 41, 34, 32, 38, 37)
    first = play(start, go, "i: r militia C1 49", hold=hold)
    assert first["position"]["running"]["mp"]["3/1-I"] == 0
    start = {"34": ["3/1-I", "IQ-1/1"], "35": ["C1"]}
    hold = (34, 38, 37)
    result = play(start, "c: area 34; go 3/1-I 38>49", "i: r militia C1 49", "c: go IQ-1/1 38>37>38", hold=hold)
    assert result["refused"] is None
    more = "c: go IQ-1/1 38>37>38>49; attack 49 lead 3/1-I"
    worse = play(start, "c: area 34; go 3/1-I 38>49", "i: r militia C1 49", more, hold=hold, chance=(3, 3, 3, 3))
    assert any("-2 ambush" in line for line in worse["news"])


def test_support_units_alone_lose_their_ground_to_infiltration_and_enter_it_anew(play: Any) -> None:
    """R25, R26."""
    start = {"24": ["TK-A"], "25": ["1/8-A"]}
    result = play(start, "c: area 25; go 1/8-A 24", hold=(25,))
    assert result["position"]["running"]["mp"]["1/8-A"] == 5
    assert 24 in result["position"]["control"]["coalition"]


def test_a_support_unit_leaving_infiltrated_ground_changes_nothing(play: Any) -> None:
    """R26: the other one stands there, and the area stays lost."""
    start = {"24": ["TK-A", "AAV-C"]}
    result = play(start, "c: area 24; go TK-A 25", hold=(25,))
    assert result["refused"] is None and result["position"]["control"]["coalition"] == [25]
    todo = [{"step": "Regroup", "side": "coalition"}]
    result = play(start, "c: rg TK-A 25", hold=(25,), todo=todo, phase="regroup")
    assert result["position"]["control"]["coalition"] == [25]


def test_entrants_of_a_contested_area_need_not_attack(play: Any) -> None:
    start = {"26": ["1/8-A spent", "F1"], "24": ["1/8-B", "1/8-C"]}
    result = play(start, "c: area 24; go 1/8-B 26; done", hold=(24,), chance=(3, 3))
    assert result["refused"] is None and result["position"]["units"]["26"] == ["1/8-A spent", "1/8-B spent", "F1"]


def test_a_plan_can_be_changed_before_the_dice(play: Any) -> None:
    start = {"26": ["1/8-A", "1/8-B", "F1"]}
    result = play(start, "c: area 26; attack 26; join 1/8-B; lead 1/8-A; unjoin 1/8-A; unjoin 1/8-B; lead 1/8-B")
    assert result["refused"] is None and "roll" in result["legal"]["coalition"]


# --- 4.1.1 insurgents -----------------------------------------------------------------------------------


def test_insurgents_take_a_vacant_area_and_others_pay_the_same(play: Any) -> None:
    start = {"45": ["C1", "C2"]}
    result = play(start, "i: area 45; go C1 44; go C2 44", hold=(44,), side="insurgent")
    assert result["position"]["running"]["mp"] == {"C1": 2, "C2": 2}
    assert 44 not in result["position"]["control"]["coalition"]


def test_a_group_going_in_among_enemies_attacks_one_by_one(play: Any) -> None:
    start = {"44": ["M1", "M2"], "45": ["SSF-B spent"]}
    result = play(start, "i: area 44; go 2M@44 45", hold=(45,), side="insurgent", chance=(6, 6, 1, 1) * 2)
    assert result["refused"] is None and result["position"]["backlash"] == 2
    assert result["owed"] == ["coalition"]


def test_insurgents_cannot_leave_a_contested_area_for_enemy_ground(play: Any) -> None:
    start = {"45": ["M1", "3/1-I"], "44": ["3/1-K spent"]}
    result = play(start, "i: area 45; pick M1", hold=(44,), side="insurgent")
    assert "step 44" not in result["legal"]["insurgent"] and "step 40" in result["legal"]["insurgent"]


def test_organising_and_dropping(play: Any) -> None:
    result = play({"45": ["C1", "C2"]}, "i: org 45 2", side="insurgent")
    assert result["position"]["units"]["45"] == ["C1", "C2", "M1", "M2"]
    result = play({"45": ["C1", "C2"]}, "i: area 45; pick C1; drop; done", side="insurgent")
    assert result["position"]["last_pass"] == "insurgent", "an activation without effect is a pass (R45)"


# --- 5, 4.2, 4.4 ----------------------------------------------------------------------------------------


def test_a_sixth_fresh_leader_is_flipped(board: Any) -> None:
    """5.1, D12: the rules do not lead there, a position may."""
    g = board(
        {"40": ["F1", "F2", "F3", "F4", "F5", "F6", "C1"]}, todo=["AfterActionPhase", {"step": "Friction", "area": 40}]
    )
    settle(g, SearchTable(1))
    assert legal(g, "insurgent") == [("flip", "C1"), ("flip", "F1")]
    apply(g, "insurgent", ("flip", "C1"), SearchTable(1))
    assert g.phase == "regroup" and not g.mode[UNIT["F1"]], "the sixth Fedayeen had no choice"


def test_a_crowded_area_is_noticed_at_the_end_of_an_impulse(play: Any) -> None:
    crowd = ["F1", "F2", "F3", "F4", "F5", "F6"]
    result = play({"40": crowd, "45": ["F7"]}, "i: area 45; dig F7; done", side="insurgent")
    assert result["owed"] == ["coalition"] and result["position"]["units"]["40"].count("F1 spent") == 1


def test_units_regroup_out_of_zones_but_once(play: Any) -> None:
    todo = [{"step": "Regroup", "side": "coalition"}]
    result = play({"24": ["1/8-A"]}, "c: rg 1/8-B 24; rg 1/8-A 25", hold=(24, 25), todo=todo, phase="regroup")
    assert result["refused"] is None
    assert not [line for line in result["legal"]["coalition"] if line.startswith(("rg 1/8-A", "rg 1/8-B"))]


def test_an_abandoned_area_is_free_for_the_coalition(play: Any) -> None:
    todo = [{"step": "Regroup", "side": "coalition"}, {"step": "Regroup", "side": "insurgent"}]
    start = {"26": ["1/8-A", "F1"], "24": ["1/8-B"]}
    result = play(start, "i: rg F1 27", "c: rg 1/8-B 26", hold=(24,), todo=todo, phase="regroup")
    assert result["refused"] is None and 26 in result["position"]["control"]["coalition"]


def test_the_bot_keeps_cadres_fresh_first(board: Any) -> None:
    """R36."""
    start = {"40": ["F1 dug", "F2 dug", "F3 dug", "F4 dug", "F5 spent", "C1 spent"]}
    g = board(start, options={"solitaire": True}, solitaire=True, todo=["Reset"])
    settle(g, Scripted(*[1] * 40))
    assert g.mode[UNIT["C1"]] == 1 and g.mode[UNIT["F5"]] == 0


# --- 7, 8 -----------------------------------------------------------------------------------------------


def test_the_option_lets_iraqi_battalions_support(board: Any) -> None:
    """R27."""
    force = [UNIT["1/8-A"], UNIT["IQ-2/1"]]
    g = board({"26": ["1/8-A", "IQ-2/1", "F1"]})
    assert sum(value_parts(g, 26, force, UNIT["1/8-A"], False).values()) == 4
    g.iraqi_infantry_supports = True
    assert sum(value_parts(g, 26, force, UNIT["1/8-A"], False).values()) == 5


def test_the_insurgent_names_the_lead_of_tied_defenders(play: Any) -> None:
    start = {"26": ["1/8-A", "F1", "F2 dug"]}
    result = play(start, "c: area 26; attack 26 lead 1/8-A", "i: deflead F2", chance=(3, 3, 3, 3))
    assert result["refused"] is None and any("F2 (dug)" in line for line in result["news"])


def test_three_points_on_five_ways() -> None:
    """8.2: exactly five splits over a Fresh lead F, a Fresh C and a Militia."""
    position = {"units": {"45": ["F1", "C1", "M1"]}}
    g = RULES.from_position(position, RULES.setup())
    found = set(allocations(g, (UNIT["F1"], UNIT["C1"], UNIT["M1"]), UNIT["F1"], 3))
    assert found == {(1, 2, 0), (1, 1, 1), (2, 1, 0), (2, 0, 1), (3, 0, 0)}


def test_fresh_units_that_must_retreat_fall_back_one_at_a_time(play: Any) -> None:
    todo = ["AfterActionPhase", "EndCoalitionImpulse", {"step": "RetreatChoice", "area": 45, "units": ["C1", "F1"]}]
    start = {"45": ["F1 spent", "C1 spent", "3/1-I"]}
    result = play(start, "i: cp C1 retreat 40; cp F1 retreat 46", todo=todo, acted=True, phase_roll=9)
    assert result["refused"] is None and result["position"]["units"]["46"] == ["F1 spent"]


def test_a_lost_fire_mission_costs_nothing(play: Any) -> None:
    result = play({"43": ["F1"]}, "c: fire 43", chance=(1, 1, 6, 6))
    assert result["position"]["backlash"] == 0


# --- 10 -------------------------------------------------------------------------------------------------

READY = {"owner": "coalition", "available": True}


def window(board: Any, kind: str, ov: int, dv: int, lead: str, **more: Any) -> Any:
    step = {"step": "AdvantageWindow", "kind": kind, "area": 26, "ov": ov, "dv": dv, "lead": lead}
    g = board({"26": ["1/8-A", "ERU", "F1 dug", "M1"]}, todo=[step], advantage=READY, **more)
    return g.todo[-1].facts(g)


def test_facts_say_what_one_point_would_change(board: Any) -> None:
    facts = window(board, "attack", 6, 5, "F1", att=7, dfn=6)
    assert (facts["margin"], facts["cp"], facts["swing"], facts["mine"]) == (2, 0, 3, "yes")
    assert window(board, "attack", 6, 6, "F1", att=7, dfn=7)["cp"] == -1
    assert window(board, "attack", 9, 2, "F1", att=7, dfn=7)["cp"] == 5
    assert window(board, "attack", 5, 6, "F1", att=5, dfn=7, impulse=6)["swing"] == 9
    assert window(board, "fire", 8, 9, "F1", att=3, dfn=7)["cp"] == 0
    assert window(board, "strike", 0, 3, "1/8-A", att=9, dfn=5)["cp"] == -2
    assert window(board, "strike", 0, 1, "ERU", att=9, dfn=5)["cp"] == -1
    assert window(board, "strike", 0, 3, "1/8-A", att=3, dfn=5)["cp"] == 0
    assert window(board, "phase", 0, 0, "F1", att=9, impulse=3)["swing"] == 0
    assert window(board, "phase", 0, 0, "F1", att=2, impulse=6)["ends"] == "yes"


def test_a_reroll_replaces_all_dice_and_the_phase_roll(play: Any) -> None:
    order = "c: area 34; attack 34 lead 1/8-A"
    start = {"34": ["1/8-A", "F1"], "39": ["C1"]}
    result = play(start, order, "c: adv reroll", advantage=READY, impulse=6, chance=(1, 1, 6, 6, 6, 6, 1, 1))
    assert result["position"]["advantage"] == {"owner": "insurgent", "available": False}
    assert result["owed"] == ["coalition"], "an Overrun: it may go on"


def test_a_phase_roll_can_be_bent(play: Any) -> None:
    start = {"24": ["1/8-A"], "45": ["C1"]}
    result = play(start, "c: pass", "c: adv +1 end", hold=(24,), advantage=READY, impulse=6, chance=(2, 3))
    assert result["position"]["impulse"] == 7
    result = play(start, "c: pass", "c: adv -1", hold=(24,), advantage=READY, impulse=6, chance=(3, 3))
    assert result["position"]["phase"] == "regroup"


def test_the_defence_can_be_bent(play: Any) -> None:
    start = {"34": ["1/8-A", "F1"], "39": ["C1"]}
    result = play(start, "c: area 34; attack 34 lead 1/8-A", "c: adv -1 def", advantage=READY, chance=(3, 3, 3, 3))
    assert any("defence roll -1, now 5" in line for line in result["news"])


# --- odds -----------------------------------------------------------------------------------------------


def test_odds_are_exact(board: Any) -> None:
    assert chance_of_margin(0, 1) == pytest.approx(575 / 1296)
    g = board({"40": ["F1 dug"]})
    assert attack_odds(g, "attack", 40, 12) == "win 90 %, clear 76 %"
    g = board({"43": ["M1"]})
    assert RULES.odds(g, "coalition", ("fire", 43)) == "certain"
    assert RULES.odds(g, "coalition", ("pass",)) == ""
    plan = {"step": "PlanAttack", "area": 26, "force": ["1/8-A"], "leader": "1/8-A"}
    g = board({"26": ["1/8-A", "F1"]}, todo=[plan], running={"origin": "26", "contested": [26]})
    assert RULES.odds(g, "coalition", ("roll",)).startswith("win 44 %")

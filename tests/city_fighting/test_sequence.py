"""7, 8, 10 to 12, 18, 19, 30, 33 to 35. Set-up, operations, seats, the end."""

import pytest

from games.city_fighting import RULES
from games.city_fighting import tables as t
from games.city_fighting.board import Board
from games.kernel.errors import BadSetup
from games.kernel.ruleset import fresh
from games.kernel.steps import owed
from tests.city_fighting.helpers import DECEPTION, ENG, GUN, INF, IRAQI, TANK, at, attempt, board, can, order, told


def opening(**options: object) -> Board:
    g = fresh(RULES, 1, options)
    assert isinstance(g, Board)
    return g


def test_set_up_lays_twenty_concealed_nodes_and_asks_for_purchases() -> None:
    g = opening()
    assert {place for place, node in enumerate(g.down) if node >= 0} == t.PRIZES
    assert len(g.node_bin) == 8 and len(g.bin) == 64 and g.ops == 65
    assert "buy usmc.inf.2-1 at N" in can(g) and "done" in can(g)
    assert not any("fob" in line or "leader" in line for line in can(g))


def test_set_up_leaves_one_op_and_sums_fractions() -> None:
    g = opening()
    order(g, "buy arty.1 arty.2 arty.3 arty.4")
    assert g.ops == 64
    g = board(ops=2, todo=[{"step": "SetUp", "seat": "a", "ceiling": 64}, {"step": "OpMenu"}])
    order(g, "buy air.1; buy air.2")
    assert g.ops == 1 and "j1" in can(g), "nothing more can be paid for, so set-up is over"


def test_recruiting_may_spend_the_last_op_and_ends_the_game() -> None:
    g = board(ops=2)
    order(g, "j1; buy usmc.inf.2-1 at N")
    assert g.todo == [] and g.ops == 0


def test_reinforcements_reach_a_fob_within_stacking() -> None:
    g = board(units={"joint.fob.1": "3-7", INF: "3-7", "usmc.inf.3-1": "3-7"})
    order(g, "j1")
    assert "buy usmc.tank.A2 at 3-7" in can(g) and "buy usmc.inf.1-5 at 3-7" not in can(g)


def test_the_historical_order_of_battle_keeps_units_of_the_other_month_at_home() -> None:
    g = opening(oob="historical")
    assert "buy usmc.inf.2-1 at N" in can(g) and "buy usmc.inf.3-1 at N" not in can(g)
    g = opening(oob="historical", scenario="phantom")
    assert "buy usmc.inf.2-1 at N" not in can(g) and "buy usmc.inf.3-1 at N" in can(g)


def test_infowar_that_loses_the_last_op_ends_the_game() -> None:
    g = board(ops=2, netwars={"netwar.1": "available"})
    order(g, "j5; commit netwar.1", 1)
    assert g.todo == [] and g.ops == 0


def test_intel_used_for_infowar_goes_back_to_the_bin() -> None:
    g = board(intel=["ev.intel.1"], netwars={"netwar.1": "available"})
    order(g, "j5; commit ev.intel.1; done", 2)
    assert g.intel == [] and t.COUNTER["ev.intel.1"] in g.bin and g.netwar[0] == t.AVAILABLE


def test_logistics_need_a_depot_an_engineer_or_a_blown_bridge() -> None:
    g = board(
        units={
            INF: {"at": "3-7", "reduced": True},
            TANK: "4-7",
            ENG: "2-8",
            "usmc.aav.2": {"at": "4-4", "reduced": True},
        },
        blown=["main", "brooklyn"],
    )
    work = [line for line in can(g) if line.startswith("j4")]
    assert work == ["j4 refit 4-4", "j4 bridge main", "j4 fob 2-8"]
    order(g, "bridge main; fob 2-8; refit 4-4")
    assert g.blown == [1, 0] and g.ops == 65 - 1 - 3 - 1 and at(g, "joint.fob.1") == "2-8"
    assert not any(line.startswith("j4") for line in can(g))


def test_a_fob_needs_three_ops() -> None:
    assert not any("fob" in line for line in can(board(ops=2, units={ENG: "2-8"})))


def test_idling_costs_one_op_and_moves_nobody() -> None:
    g = board(units={INF: "2-3"})
    order(g, "idle")
    assert g.ops == 64 and at(g, INF) == "2-3"


def test_the_game_may_end_when_no_node_is_left() -> None:
    assert "end" not in can(board(nodes={"2-4": "node.c2.1"}))
    assert "end" not in can(board(helicopter="2-4"))
    g = board(captured=list(t.NODE_IDS), kia=3)
    order(g, "end game")
    outcome = RULES.outcome(g)
    assert outcome is not None and outcome.score["vp"] == 44 + 3 and outcome.result == "Stalemate"


def test_clearing_the_main_supply_route_is_worth_five() -> None:
    units = dict(zip(t.UNIT_IDS, t.BOARD["msr_path"], strict=False))
    g = board(units=units, ops=1)
    order(g, "idle")
    outcome = RULES.outcome(g)
    assert outcome is not None and outcome.score["vp"] == 5 + 2, "two of the five are objectives"
    g = board(units={**units, "usmc.inf.2-1": "recruit", GUN: "2-8"}, ops=1)
    order(g, "idle")
    outcome = RULES.outcome(g)
    assert outcome is not None and outcome.score["vp"] == 1, "helicopters control nothing"


def test_one_seat_wins_with_a_tactical_victory_or_better() -> None:
    g = board(captured=list(t.NODE_IDS), kia=7, ops=1)
    order(g, "idle")
    outcome = RULES.outcome(g)
    assert outcome is not None and (outcome.winner, outcome.result) == ("a", "Tactical Victory")


# --- interdiction --------------------------------------------------------------------------------------


def test_interdiction_destroys_a_known_node_for_nothing() -> None:
    g = board(
        {"interdiction": True},
        nodes={"2-4": {"id": "node.c2.1", "up": True}, "2-6": "node.c2.2"},
        helicopter="3-3",
        strikes={"air.1": "available", "soa.1": "available", "arty.1": "available"},
    )
    assert [line for line in can(g) if line.startswith("interdict")] == ["interdict 2-4"]
    order(g, "interdict 2-4")
    assert can(g) == ["strike air.1", "strike soa.1"]
    order(g, "strike air.1; strike soa.1", 6, 4)
    assert g.gone == [t.NODE["node.c2.1"]] and g.ops == 65 - 1 - 1, "a 6 by air costs an OP"
    assert g.strike[t.STRIKE["air.1"]] == t.IN_RECRUIT and g.captured == []


def test_interdiction_may_miss() -> None:
    g = board(
        {"interdiction": True},
        nodes={"2-4": {"id": "node.c2.1", "up": True}},
        strikes={"air.1": "available", "air.2": "available"},
    )
    order(g, "interdict 2-4; strike air.1; done", 5)
    assert g.shown[t.PLACE["2-4"]] >= 0 and g.ops == 64


# --- seats ---------------------------------------------------------------------------------------------


def test_several_seats_set_up_in_turn_within_equal_ceilings() -> None:
    g = opening(seats=2)
    assert owed(g) == ("a",)
    assert not any("usa." in line for line in can(g)), "the first seat has the naval services"
    for number in range(1, 6):
        order(g, f"buy netwar.{number}; buy air.{number}")
    order(g, "done")
    assert owed(g) == ("b",) and g.ops == 60
    assert "buy usa.mech.2-7 at N" in can(g) and "buy usmc.inf.2-1 at N" not in can(g)
    order(g, "done")
    assert owed(g) == ("a",) and "pass" in can(g)


def test_a_ceiling_closes_a_seats_set_up() -> None:
    g = opening(seats=4)
    assert g.todo[-1].ceiling == 16
    order(g, "buy usmc.lar.1 usmc.lar.3 usmc.aav.2 usmc.aav.3 usmc.tank.A2 usmc.tank.C2 usmc.tank.C1 at N")
    assert g.todo[-1].purse(g) == 8
    order(g, "buy usmc.sof.R at N")
    assert owed(g) == ("b",)


def test_seats_alternate_and_not_everybody_may_pass() -> None:
    g = board({"seats": 3})
    order(g, "idle")
    assert owed(g) == ("b",)
    order(g, "pass")
    order(g, "pass")
    assert owed(g) == ("a",) and "pass" not in can(g)
    order(g, "idle")
    assert "pass" in can(g)


def test_services_command_their_own_and_joint_units() -> None:
    g = board({"seats": 2}, units={INF: "3-3", "usa.mech.2-7": "3-3", GUN: "3-3", IRAQI: "4-4"})
    assert "j3 4-4" not in can(g)
    order(g, "j3 3-3")
    assert set(can(g)) == {f"take {INF}", f"take {GUN}"}


def test_sectors_command_what_stands_in_them_and_what_they_brought_home() -> None:
    units = {INF: "3-3", TANK: "4-3", ENG: {"at": "N", "owner": "b"}, IRAQI: "N"}
    g = board({"seats": 2, "mode": "sectors"}, units=units)
    assert {"j3 3-3", "j3 N"} <= set(can(g)) and "j3 4-3" not in can(g)
    order(g, "j3 N")
    assert "base S" in can(g), "only the first seat's unit was there to take"
    order(g, "base S")
    assert "j3 4-3" in can(g) and "j3 N" in can(g) and "j3 3-3" not in can(g)


def test_individual_victory_counts_nodes_and_kia_of_each_seat() -> None:
    g = board(
        {"seats": 2, "victory": "individual"},
        only=(DECEPTION,),
        morale="low",
        ops=2,
        units={INF: "2-3"},
        nodes={"2-4": "node.abandoned.1"},
    )
    order(g, "j3 2-3; go 2-4", 0)
    order(g, "idle")
    outcome = RULES.outcome(g)
    assert outcome is not None and outcome.winner == "a" and outcome.score == {"vp": 1, "a": 1, "b": 0}
    assert "Coalition A did most" in outcome.words


def test_a_shared_first_place_has_no_winner() -> None:
    g = board({"seats": 2, "victory": "individual"}, ops=1)
    order(g, "idle")
    outcome = RULES.outcome(g)
    assert outcome is not None and outcome.winner is None and "Coalition A and Coalition B" in outcome.words


# --- the campaign --------------------------------------------------------------------------------------


def test_a_won_first_battle_ends_the_campaign() -> None:
    g = board({"scenario": "campaign"}, campaign=1, captured=list(t.NODE_IDS), kia=10, ops=1)
    order(g, "idle")
    assert g.todo == [] and g.campaign == 1


def test_the_second_battle_keeps_leaders_and_dead_hvts() -> None:
    g = board(
        {"scenario": "campaign"},
        campaign=1,
        ops=1,
        hvt_dead=["hvt.1"],
        netwars={"netwar.1": "aside"},
        units={
            INF: {"at": "2-4", "leader": "leader.A"},
            TANK: "eliminated",
            IRAQI: {"at": "4-4", "leader": "leader.C"},
        },
    )
    order(g, "idle", *([0] * 20))
    assert g.scenario == "phantom" and t.COUNTER["hvt.1"] in g.removed and t.COUNTER["hvt.1"] not in g.bin
    assert at(g, TANK) == at(g, INF) == "recruit" and g.netwar[0] == t.IN_RECRUIT
    order(g, "buy usmc.inf.2-1 at N; buy joint.gun.1 at N; done")
    assert can(g) == ["leader leader.A none", f"leader leader.A to {INF}"]
    table = order(g, "leader leader.A to inf.2-1")
    assert g.leader == [t.UNIT[INF], -1, -1], "no unit was left for the other, who rests"
    assert "goes back to the recruit box" in told(table)


def test_a_disastrous_first_battle_still_leaves_one_op() -> None:
    g = board({"scenario": "campaign"}, campaign=1, ops=1, kia=-90)
    order(g, "idle", *([0] * 20))
    assert g.ops == 1


# --- refusals ------------------------------------------------------------------------------------------


def test_unknown_options_are_refused() -> None:
    for options in ({"seats": 5}, {"scenario": "third"}, {"weather": True}):
        with pytest.raises(BadSetup):
            RULES.setup(options)


def test_an_operation_that_cannot_be_carried_through_is_not_offered() -> None:
    g = board()
    assert can(g) == ["j1", "idle", "end"]
    _, played = attempt(g, "j2")
    assert played.lines[0].status == "refused"

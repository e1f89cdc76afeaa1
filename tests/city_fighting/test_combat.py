"""15, 16, 17, 23, 29. Battles."""

from typing import Any

from games.city_fighting import tables as t
from games.city_fighting.board import Board
from tests.city_fighting.helpers import (
    AMTRAC,
    ENG,
    FORCE_RECON,
    GUN,
    INF,
    LIFT,
    TANK,
    at,
    board,
    can,
    fight,
    order,
    told,
)


def battle(place: str, units: tuple[str, ...], opfor: tuple[str, ...], step: str = "ChooseLead", **more: Any) -> Board:
    """A battle at the given step; `extra` are units elsewhere, `about` facts of the battle."""
    extra = more.pop("extra", {})
    about = more.pop("about", {})
    fields = more.pop("fields", {})
    return board(
        **{
            "morale": "high",
            "units": {**dict.fromkeys(units, place), **extra},
            "opfor": list(opfor),
            "contested": place,
            "todo": [{"step": step, "fight": fight(place, *units, **about), **fields}, {"step": "EndOperation"}],
            **more,
        }
    )


def test_strikes_fire_once_and_go_back_to_the_recruit_box() -> None:
    strikes = {"air.4": "available", "arty.1": "available"}
    g = battle("2-3", (INF, TANK), ("jih.1", "jih.2"), strikes=strikes)
    order(g, "lead inf.2-1", 6, 1)
    assert can(g) == ["done", "strike air.4", "strike arty.1"]
    table = order(g, "strike air.4; done", 6, 6, 4, 6)
    assert "Air Strike 4 (4) rolls 4, a hit" in told(table) and g.kia == 1
    assert g.strike[t.STRIKE["air.4"]] == t.IN_RECRUIT and g.strike[t.STRIKE["arty.1"]] == t.AVAILABLE


def test_the_side_with_the_edge_fires_first_and_the_dead_do_not_answer() -> None:
    g = battle("2-3", (INF, TANK), ("jih.1",))
    table = order(g, "lead inf.2-1", 6, 1, 1, 6, 3, 3)
    assert "OPFOR fires" not in told(table) and "is won" in told(table)
    g = battle("2-3", (TANK, "usmc.tank.C2"), ("jih.1", "jih.2"))
    table = order(g, "lead tank.A2", 1, 6, 1, 1)
    assert "The Coalition fires" not in told(table) and g.kia == -2


def test_a_fob_in_or_next_to_the_space_adds_one_to_the_edge() -> None:
    g = battle("2-4", (INF, TANK), ("jih.1",), extra={"joint.fob.1": "2-5", "joint.fob.2": "3-4"})
    assert "4 + 6 = 10" in told(order(g, "lead inf.2-1", 6, 1, 1, 6, 3, 3))


def test_hits_are_allotted_one_by_one_and_a_battalion_may_take_both() -> None:
    g = battle("2-4", (INF, TANK), ("jih.1", "jih.2"), "TakeHits", fields={"hits": 2})
    order(g, "hit inf.2-1; hit inf.2-1")
    assert at(g, INF) == "eliminated" and at(g, TANK) == "2-4" and g.kia == -2


def test_a_dead_units_leader_waits_in_the_recruit_box() -> None:
    g = battle("2-4", (INF, TANK), ("jih.1",), "TakeHits", fields={"hits": 1})
    g.leader[0] = t.UNIT[TANK]
    order(g, "hit tank.A2")
    assert g.leader == [-1, -1, -1]


def test_eliminated_hvts_stay_out_and_others_go_back_to_the_bin() -> None:
    g = battle("2-3", (INF, TANK), ("hvt.1", "jih.1"))
    order(g, "lead inf.2-1", 6, 1, 1, 1, 3, 3)
    assert g.hvt_dead == [t.COUNTER["hvt.1"]] and t.COUNTER["jih.1"] in g.bin and g.kia == 2


def test_opfor_breaks_off_in_a_town_at_medium_morale() -> None:
    g = battle("2-3", (INF, TANK), ("jih.1", "hvt.1"), morale="medium")
    table = order(g, "lead inf.2-1", 6, 1, 6, 6, 6, 6, 3, 4)
    assert "breaks off" in told(table) and g.kia == 0
    assert {t.COUNTER["jih.1"], t.COUNTER["hvt.1"]} <= set(g.bin)


def test_civilians_make_every_unit_cause_collateral_damage() -> None:
    g = battle("2-4", (INF, TANK), ("jih.1",), about={"civilians": True}, ops=20)
    order(g, "lead inf.2-1", 6, 1, 6, 6, 6)
    assert g.ops == 18
    g = battle("1-2", (INF, TANK), ("jih.1",), about={"civilians": True}, ops=20)
    order(g, "lead inf.2-1", 6, 1, 6, 6, 6, 3, 4)
    assert g.ops == 20, "not in the open"


def test_collateral_damage_that_takes_the_last_op_leaves_the_space_contested() -> None:
    g = battle("2-4", (INF, TANK), ("jih.1",), about={"civilians": True}, ops=1)
    table = order(g, "lead inf.2-1", 6, 1, 6, 6)
    assert g.todo == [] and g.opfor == [t.COUNTER["jih.1"]]
    assert "-1 victory points" in told(table) or "0 victory points" in told(table)


def test_a_partial_withdrawal_leaves_the_rest_to_fight_on() -> None:
    g = battle("2-4", (INF, TANK, ENG), ("jih.1",), "StandOrWithdraw", extra={GUN: "2-3"})
    order(g, "withdraw 2-3; take inf.2-1; done")
    assert at(g, INF) == "2-3" and set(can(g)) == {f"lead {TANK}", f"lead {ENG}"}


def test_bases_take_in_those_who_withdraw() -> None:
    g = battle("4-2", (INF, TANK), ("jih.1",), "StandOrWithdraw")
    assert "withdraw N" in can(g)
    order(g, "withdraw N inf.2-1 tank.A2")
    assert at(g, TANK) == "N" and g.opfor == []


def test_transports_fly_units_out_of_a_withdrawal() -> None:
    g = battle("2-4", (INF, TANK, LIFT), ("jih.1",), "StandOrWithdraw", extra={GUN: "2-3"})
    order(g, "withdraw 2-3")
    assert f"evac {LIFT} {INF} N" in can(g) and "done" not in can(g)
    order(g, "evac lift.1 inf.2-1 N; take tank.A2; done")
    assert (at(g, INF), at(g, LIFT), at(g, TANK)) == ("N", "N", "2-3")


def test_only_swimmers_withdraw_over_the_river() -> None:
    g = battle("1-5", (INF, TANK), ("jih.1",), "StandOrWithdraw", extra={GUN: "1-6"})
    assert f"lead {INF}" in can(g), "nobody can cross, so the battle goes on"
    g = battle("1-5", (INF, TANK, AMTRAC, FORCE_RECON), ("jih.1",), "StandOrWithdraw", extra={GUN: "1-6"})
    order(g, "withdraw 1-6")
    assert set(can(g)) == {f"take {AMTRAC}", f"take {FORCE_RECON}"}
    order(g, "take aav.2")
    assert f"take {INF}" in can(g) and f"take {TANK}" not in can(g)


def test_losing_costs_what_the_node_and_the_helicopter_are_worth() -> None:
    g = battle(
        "2-4",
        (INF,),
        ("jih.1",),
        "StandOrWithdraw",
        extra={GUN: "2-3"},
        nodes={"2-4": {"id": "node.al_qaeda.1", "up": True}},
        helicopter="2-4",
        ops=20,
    )
    order(g, "withdraw 2-3 all")
    assert g.ops == 17


def test_a_leader_appears_on_two_or_twelve_and_joins_a_winner() -> None:
    g = battle("2-3", (INF, TANK), ("jih.1",))
    order(g, "lead inf.2-1", 6, 1, 1, 6, 6, 6)
    assert f"leader leader.A to {INF}" in can(g)
    order(g, "leader leader.B to tank.A2")
    assert g.leader == [-1, t.UNIT[TANK], -1]


def test_no_unit_has_two_leaders() -> None:
    g = battle("2-3", (INF, TANK), ("jih.1",), "AwardLeader")
    g.leader[0] = t.UNIT[INF]
    assert can(g) == [f"leader leader.B to {TANK}", f"leader leader.C to {TANK}"]

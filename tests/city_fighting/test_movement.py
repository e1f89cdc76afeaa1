"""8, 13, 24, 25, 27. Forces and where they go."""

from tests.city_fighting.helpers import (
    AMTRAC,
    DECEPTION,
    ENG,
    FORCE_RECON,
    GUN,
    INF,
    INF_B,
    INF_C,
    IRAQI,
    IRAQI_SOF,
    LIFT,
    SOAR,
    TANK,
    at,
    board,
    can,
    order,
    told,
)


def test_a_force_leaving_a_base_enters_and_stops() -> None:
    g = board(only=(DECEPTION,), morale="low", units={INF: "N", TANK: "N"})
    order(g, "j3 N; take inf.2-1; form; go 3-2", 0)
    assert at(g, INF) == "3-2"
    assert "j1" in can(g), "there is no second step after leaving a base"


def test_a_won_battle_does_not_let_a_force_from_a_base_go_on() -> None:
    g = board(only=("mil.1",), morale="low", units={INF: "N", TANK: "N"})
    order(g, "j3 N take inf.2-1 form go 3-2; lead inf.2-1", 0, 6, 1, 1, 3, 4)
    assert at(g, INF) == "3-2" and "j1" in can(g)


def test_bases_exchange_forces_without_reaction_or_limit() -> None:
    units = {INF: "N", INF_B: "N", INF_C: "N", TANK: "N"}
    g = board(units=units)
    order(g, "j3 N take inf.2-1 inf.3-4 inf.1-5 form")
    assert can(g) == ["base S", "base E", "base W"], "three battalions cannot enter one space"
    order(g, "base W")
    assert [at(g, unit) for unit in units] == ["W", "W", "W", "N"]


def test_an_edge_space_leads_into_its_base() -> None:
    g = board(units={INF: "6-2"})
    order(g, "j3 6-2")
    assert {"base N", "base E"} <= set(can(g)) and "base S" not in can(g)
    order(g, "base E")
    assert at(g, INF) == "E" and g.ops == 64


def test_no_ground_unit_crosses_the_river_by_itself() -> None:
    g = board(units={INF: "1-5", TANK: "1-5"})
    order(g, "j3 1-5 take inf.2-1 tank.A2 form")
    assert "go 1-6" not in can(g) and "go 1-4" in can(g)


def test_a_blown_bridge_is_a_river() -> None:
    whole = board(units={INF: "1-7"})
    order(whole, "j3 1-7")
    assert "go 1-6" in can(whole)
    blown = board(units={INF: "1-7"}, blown=["brooklyn"])
    order(blown, "j3 1-7")
    assert "go 1-6" not in can(blown)
    swimmers = board(units={FORCE_RECON: "1-7"}, blown=["brooklyn"])
    order(swimmers, "j3 1-7")
    assert "go 1-6" in can(swimmers)


def test_water_moves_join_water_symbols_and_end_the_move() -> None:
    g = board(only=(DECEPTION,), morale="low", units={AMTRAC: "1-6", INF: "1-6"})
    order(g, "j3 1-6 take aav.2 inf.2-1 form water 1-9", 0)
    assert at(g, INF) == at(g, AMTRAC) == "1-9" and "j1" in can(g)


def test_iraqi_light_units_ride_in_amtracs_but_are_never_lifted() -> None:
    g = board(units={AMTRAC: "1-5", IRAQI: "1-5"})
    order(g, "j3 1-5 take aav.2 ig.inf.1-1 form")
    assert "go 1-6" in can(g)
    g = board(units={LIFT: "N", IRAQI: "N", INF: "N"})
    order(g, "j3 N; take lift.1")
    assert can(g) == ["form", f"take {INF}"]


def test_helicopters_do_not_move_with_ground_units() -> None:
    g = board(units={GUN: "3-3", TANK: "3-3", INF: "3-3"})
    order(g, "j3 3-3; take tank.A2")
    assert f"take {GUN}" not in can(g)


def test_a_transport_lifts_one_light_unit_and_the_soar_sof_only() -> None:
    g = board(units={LIFT: "N", SOAR: "N", INF: "N", FORCE_RECON: "N", ENG: "N", TANK: "N"})
    order(g, "j3 N; take lift.1; take soar.1")
    assert f"take {TANK}" not in can(g)
    order(g, "take inf.2-1")
    assert can(g) == ["form", f"take {FORCE_RECON}"]
    assert "form" in can(g)


def test_light_units_taken_first_wait_for_their_helicopter() -> None:
    g = board(units={LIFT: "4-5", INF: "4-5"})
    order(g, "j3 4-5; take inf.2-1; take lift.1")
    assert "air N" in can(g) and "go 4-6" not in can(g)


def test_a_flight_lands_anywhere_and_draws_a_reaction() -> None:
    g = board(only=(DECEPTION,), morale="low", units={GUN: "N"}, nodes={"4-5": "node.c2.1"})
    table = order(g, "j3 N; air 4-5", 0)
    assert at(g, GUN) == "4-5"
    assert "is a C2" in told(table) and "captured" not in told(table), "helicopters alone capture nothing"


def test_helicopters_do_not_keep_opfor_away_but_join_the_battle() -> None:
    g = board(only=("mil.1",), morale="low", units={GUN: "2-3", INF: "2-2"})
    order(g, "j3 2-2; go 2-3; stop", 0)
    assert f"lead {GUN}" in can(g) and f"lead {INF}" in can(g)


def test_ground_units_already_there_mean_no_reaction() -> None:
    g = board(units={INF: "2-3", TANK: "2-2"})
    table = order(g, "j3 2-2; go 2-3; stop")
    assert "no reaction" in told(table)


def test_a_node_stops_a_force_but_sof_may_slip_through() -> None:
    g = board(only=(DECEPTION,), morale="low", units={FORCE_RECON: "3-3"}, nodes={"3-4": "node.al_qaeda.1"})
    order(g, "j3 3-3; infil 3-4", 5)
    assert g.morale == 0, "nothing happens to those who slip through"
    order(g, "go 3-5; stop", 0)
    assert at(g, FORCE_RECON) == "3-5"


def test_a_failed_infiltration_meets_what_the_node_does() -> None:
    g = board(only=(DECEPTION,), morale="low", units={IRAQI_SOF: "3-3"}, nodes={"3-4": "node.al_qaeda.1"})
    table = order(g, "j3 3-3; infil 3-4", 6, 6, 6, 6, 0)
    assert "morale is medium" in told(table)


def test_nobody_infiltrates_on_leaving_a_base() -> None:
    g = board(units={FORCE_RECON: "N"}, nodes={"2-2": "node.c2.1"})
    order(g, "j3 N")
    assert "go 2-2" in can(g) and "infil 2-2" not in can(g)


def test_a_winner_with_points_left_goes_on_and_meets_a_new_reaction() -> None:
    g = board(only=("mil.1", DECEPTION), morale="low", units={INF: "2-2"})
    order(g, "j3 2-2; go 2-3; stop", 0, 6, 1, 1, 3, 4)
    assert {"stop", "go 2-4"} <= set(can(g))
    order(g, "go 2-4; stop", 1)
    assert at(g, INF) == "2-4" and g.ops == 64


def test_stopping_after_a_won_battle_needs_no_second_reaction() -> None:
    g = board(only=("mil.1",), morale="low", units={INF: "2-2"})
    order(g, "j3 2-2; go 2-3; stop; lead inf.2-1; stop", 0, 6, 1, 1, 3, 4)
    assert at(g, INF) == "2-3" and "j1" in can(g)


def test_networked_forces_meet_in_one_space_for_one_reaction() -> None:
    g = board(
        {"networked": True},
        only=("mil.1",),
        morale="low",
        units={INF: "2-3", TANK: "3-4", GUN: "N", IRAQI: "2-5"},
        netwars={"netwar.1": "available"},
        nodes={"2-4": "node.c2.1"},
    )
    assert "netops 2-4" in can(g)
    order(g, "netops 2-4")
    assert can(g) == ["force 2-3", "force 3-4", "force N"], "no Iraqis, and one force at least"
    order(g, "force 2-3; go 2-4; force 3-4; go 2-4; force N; air 2-4", 0)
    assert {f"lead {unit}" for unit in (INF, TANK, GUN)} == set(can(g))
    assert g.netwar[0] == 0 and g.ops == 64


def test_networked_forces_may_come_by_water_and_over_several_spaces() -> None:
    g = board(
        {"networked": True},
        only=(DECEPTION,),
        morale="low",
        units={AMTRAC: "1-9", INF: "2-3", TANK: "W"},
        netwars={"netwar.1": "available"},
    )
    order(g, "netops 1-6; force 1-9; water 1-6")
    assert can(g) == ["done", "force W"]
    order(g, "done", 0)
    g = board({"networked": True}, units={TANK: "2-2", INF: "2-2"}, netwars={"netwar.1": "available"})
    order(g, "netops 3-4; force 2-2; take inf.2-1; form")
    assert can(g) == ["go 2-3", "go 3-2"], "no stop on the way, and no way that does not lead there"


def test_joint_operations_keep_iraqis_apart_in_april() -> None:
    units = {INF: "3-3", IRAQI: "3-3", LIFT: "3-3"}
    g = board({"joint": True}, units=units)
    order(g, "j3 3-3; take ig.inf.1-1")
    assert f"take {INF}" not in can(g)
    november = board({"joint": True, "scenario": "phantom"}, units=units)
    order(november, "j3 3-3; take ig.inf.1-1")
    assert f"take {INF}" in can(november)


def test_joint_operations_bar_support_where_iraqis_stand() -> None:
    g = board(
        {"joint": True},
        morale="high",
        units={IRAQI: "2-4", IRAQI_SOF: "2-4"},
        netwars={"netwar.1": "available"},
        strikes={"air.1": "available"},
        opfor=["jih.1"],
        contested="2-4",
        nodes={"2-4": {"id": "node.c2.1", "up": True}},
        todo=[{"step": "ChooseLead", "fight": {"place": "2-4", "units": [IRAQI, IRAQI_SOF]}}, {"step": "EndOperation"}],
    )
    order(g, "lead sof.Cdo", 1, 1, 6, 6, 6)
    assert all(line.startswith("lead") for line in can(g)), "no NetWar and no strike was offered"

"""7.2, 9, 14, 20. Nodes, picks and events."""

from typing import Any

import pytest

from games.city_fighting import tables as t
from games.city_fighting.board import Board
from tests.city_fighting.helpers import DECEPTION, ENG, FORCE_RECON, GUN, INF, IRAQI, TANK, at, board, can, order, told


def stop(*events: str, chance: tuple[int, ...] = (), **position: Any) -> tuple[Board, str]:
    """One infantry battalion stops in 2-3 and these counters come, in this order."""
    g = board(only=events, **{"morale": t.LEVELS[len(events) - 1], "units": {INF: "2-2"}, **position})
    picks = tuple(0 for _ in events)
    table = order(g, "j3 2-2; go 2-3; stop", *picks, *chance)
    return g, told(table)


def test_the_number_of_picks_follows_morale() -> None:
    for level, picks in (("low", 1), ("medium", 2), ("high", 3), ("fanatic", 4)):
        g = board(only=tuple(f"ev.deception.{n}" for n in range(1, 6)), morale=level, units={INF: "2-2"})
        table = order(g, "j3 2-2; go 2-3; stop", *([0] * picks))
        assert told(table).count("OPFOR reaction") == picks
        assert len(g.bin) == 5, "what returns has returned"


def test_a_bin_that_runs_dry_gives_what_it_has() -> None:
    g = board(only=(DECEPTION,), morale="fanatic", units={INF: "2-2"})
    table = order(g, "j3 2-2; go 2-3; stop", 0)
    assert told(table).count("OPFOR reaction") == 1


def test_an_arms_cache_brings_one_more_pick() -> None:
    g = board(only=(DECEPTION, "ev.deception.2"), morale="low", units={INF: "2-3"}, nodes={"2-4": "node.arms_cache.1"})
    table = order(g, "j3 2-3; go 2-4", 0, 0)
    assert told(table).count("OPFOR reaction") == 2
    assert g.ops == 65 and "Arms Cache captured" in told(table)


def test_an_ied_that_kills_the_whole_force_ends_the_operation() -> None:
    g = board(only=("mil.1",), units={TANK: "2-3"}, nodes={"2-4": "node.ied.1"})
    order(g, "j3 2-3; go 2-4", 6)
    assert (g.kia, g.ops, at(g, TANK)) == (-1, 64, "eliminated")
    assert g.shown[t.PLACE["2-4"]] >= 0 and "j1" in can(g)


def test_what_reconnaissance_has_shown_surprises_nobody() -> None:
    g = board(only=(DECEPTION,), morale="low", units={TANK: "2-3"}, nodes={"2-4": {"id": "node.ied.1", "up": True}})
    order(g, "j3 2-3; go 2-4", 0)
    assert g.kia == 0 and g.ops == 66


def test_ambush_and_martyrs_pick_again_and_mark_the_battle() -> None:
    g = board(only=("mil.1", "mil.2", "ev.ambush.1", "ev.martyrs.1"), morale="medium", units={INF: "2-2", TANK: "2-2"})
    table = order(g, "j3 2-2 take inf.2-1 tank.A2 form go 2-3 stop", 2, 2, 0, 0)
    assert told(table).count("OPFOR reaction") == 4
    order(g, "lead inf.2-1", 6, 1, 6, 6, 6, 6)
    assert f"lead {INF}" in can(g), "Martyrs stand even in a town at medium morale"
    assert len(g.bin) == 2


def test_ambush_counts_in_the_first_round_only() -> None:
    g = board(only=("mil.1", "ev.ambush.1", "ev.martyrs.1"), morale="low", units={INF: "2-2", TANK: "2-2"})
    table = order(g, "j3 2-2 take inf.2-1 tank.A2 form go 2-3 stop; lead inf.2-1", 1, 1, 0, 6, 1, 6, 6, 6)
    assert "3 + 6 = 9 against 2 + 1 = 3" in told(table)
    table = order(g, "lead inf.2-1", 6, 1, 6, 6, 6)
    assert "3 + 6 = 9 against 1 + 1 = 2" in told(table)


def test_bridges_blow_unless_ground_units_hold_them() -> None:
    g, news = stop("ev.blow_bridges.1", chance=(5,), units={INF: "2-2", TANK: "1-7"})
    assert g.blown == [0, 1]
    assert "Main Bridge is blown (5)" in news and "Brooklyn" not in news
    g, news = stop("ev.blow_bridges.1", chance=(4, 1))
    assert g.blown == [0, 0] and "stays whole" in news


def test_intel_is_held_and_used_as_a_netwar() -> None:
    g, _ = stop("ev.intel.1", nodes={"4-5": "node.c2.1"})
    assert "j2" in can(g) and "j5" in can(g)
    order(g, "j2; isr 4-5", 3)
    assert g.intel == [] and t.COUNTER["ev.intel.1"] in g.bin


def test_iraqis_may_desert_anywhere_without_kia() -> None:
    g, news = stop("ev.iraqis_balk.1", chance=(5, 4), units={INF: "2-2", IRAQI: "N", "ig.inf.2-1": "4-4"})
    assert at(g, IRAQI) == "deserted" and at(g, "ig.inf.2-1") == "4-4"
    assert g.kia == 0 and "deserts (5)" in news


def test_a_force_that_deserts_whole_fights_no_battle() -> None:
    g = board(only=("mil.1", "ev.iraqis_balk.1"), units={IRAQI: {"at": "2-2", "leader": "leader.A"}})
    order(g, "j3 2-2; go 2-3; stop", 0, 0, 6)
    assert g.bin == [t.COUNTER["mil.1"]] and g.opfor == [] and g.leader == [-1, -1, -1]
    assert g.ops == 64 and "j1" in can(g)


def test_helicopters_fight_on_when_the_force_has_deserted() -> None:
    g = board(only=("mil.1", "ev.iraqis_balk.1"), morale="medium", units={IRAQI: "2-2", GUN: "2-3"})
    table = order(g, "j3 2-2; go 2-3; stop", 0, 0, 6, 6, 1, 1, 3, 4)
    assert "Gunship 1 leading" in told(table) and g.kia == 1


def test_media_wars_gain_on_odd_and_lose_on_even() -> None:
    g, _ = stop("ev.media_wars.1", chance=(5,))
    assert g.ops == 69
    g, _ = stop("ev.media_wars.1", chance=(4,))
    assert g.ops == 60


def test_a_loss_that_takes_the_last_op_ends_the_game_at_once() -> None:
    g, news = stop("ev.media_wars.1", chance=(6,), ops=5)
    assert g.todo == [] and g.ops == -2 and "Vigilant Resolve is over" in news


def test_negotiations_with_no_ops_left_bring_another_counter() -> None:
    g = board(only=("mil.1", "ev.negotiations.1"), morale="low", ops=1, units={INF: "2-2", TANK: "2-2"})
    order(g, "j3 2-2 take inf.2-1 tank.A2 form go 2-3 stop", 1, 0)
    assert g.opfor == [t.COUNTER["mil.1"]] and t.COUNTER["ev.negotiations.1"] in g.removed


def test_negotiations_mean_nothing_in_november() -> None:
    g, _ = stop("ev.negotiations.1", scenario="phantom", ops=20)
    assert g.ops == 19 and g.negotiated == 0


def test_an_uprising_doubles_units_but_not_strikes() -> None:
    g, _ = stop("ev.uprising.1", ops=20)
    order(g, "j1; buy usmc.inf.3-1 at N; buy arty.1; buy netwar.1; done")
    assert g.ops == 20 - 1 - 1 - 3


def test_a_raid_lays_a_concealed_node_and_rolls_again_where_one_is() -> None:
    g, news = stop("ev.rear_area_raid.1", chance=(4, 2, 3, 5, 3, 4, 0), nodes={"4-5": "node.c2.1"})
    place = t.PLACE["5-7"]
    assert g.down[place] >= 0 and "concealed node appears in 5-7" in news


def test_a_raid_without_a_node_left_does_nothing() -> None:
    g, _ = stop("ev.rear_area_raid.1", nodes_gone=list(t.NODE_IDS))
    assert max(g.down) < 0


def test_a_raid_into_the_space_of_the_reaction_joins_it() -> None:
    others = [word for word in t.NODE_IDS if word != "node.arms_cache.1"]
    g = board(only=(DECEPTION, "ev.rear_area_raid.1"), morale="low", units={INF: "2-2"}, nodes_gone=others)
    table = order(g, "j3 2-2; go 2-3; stop", 1, 2, 1, 2, 0, 0)
    assert told(table).count("OPFOR reaction") == 2, "an Arms Cache brings one more pick"
    assert "Arms Cache captured in 2-3" in told(table)


def test_the_downed_helicopter_is_captured_like_a_node_and_with_it() -> None:
    g = board(only=(DECEPTION,), morale="low", units={INF: "2-3"}, nodes={"2-4": "node.c2.1"}, helicopter="2-4")
    table = order(g, "j3 2-3; go 2-4", 0)
    assert g.ops == 64 + 3 + 1 and "helicopter in 2-4 (Jolan) is secured" in told(table)


def test_sof_free_the_hostages_for_two_ops() -> None:
    g = board(only=(DECEPTION,), morale="low", units={FORCE_RECON: "2-3"}, nodes={"2-4": "node.hostage.1"})
    order(g, "j3 2-3; go 2-4", 0)
    assert g.ops == 66


def test_morale_stays_between_low_and_fanatic() -> None:
    g = board(only=("ev.morale_check.1", DECEPTION), morale="fanatic", units={INF: "2-2", ENG: "2-4"})
    order(g, "j3 2-2; go 2-3; stop", 1, 0, 6, 6, 6)
    assert t.LEVELS[g.morale] == "fanatic"


@pytest.mark.parametrize("event", [event for event in t.COUNTER_IDS if event.startswith("ev.")])
def test_every_event_has_a_handler(event: str) -> None:
    from games.city_fighting.reaction import Events

    assert hasattr(Events, "on_" + t.COUNTER_TYPE[t.COUNTER[event]])

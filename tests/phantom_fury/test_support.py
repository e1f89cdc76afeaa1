"""6, 9, 10. Set-up, missions, reactions, reinforcements."""

import pytest

from games.kernel.ruleset import fresh
from games.kernel.steps import legal, owed
from games.phantom_fury import RULES
from games.phantom_fury.board import Board
from games.phantom_fury.tables import NAMES, PLACE
from tests.phantom_fury.build import board, lines, order


def test_the_difficulty_is_asked_for_unless_it_is_an_option() -> None:
    g = fresh(RULES, 1)
    assert lines(g) == ["strongpoints 1", "strongpoints 2", "strongpoints 3", "strongpoints 4"]
    h = fresh(RULES, 1, {"strong_points": 3})
    assert isinstance(h, Board)
    assert (h.strong_bag, h.zone_bag) == (3, 47)
    assert len([line for line in lines(h) if line.startswith("place ")]) == 81


def test_set_up_places_nine_squads_and_four_caats() -> None:
    g = fresh(RULES, 4, {"strong_points": 1})
    assert isinstance(g, Board)
    names = sorted({str(action[1]) for action in legal(g, "usmc")})
    text = "place " + " ".join(f"{name} {zone}" for zone, name in enumerate(names[:8], 1))
    played, _ = _any_chance(g, text)
    assert played == 8
    assert sum(1 for place in g.where if place == -2) == 3
    assert sum(1 for place in g.where if place == -3) == 3
    _any_chance(g, f"caat {names[0]} {names[1]} {names[2]} {names[3]}")
    assert sorted(g.caat)[-4:] == [1, 2, 3, 4]
    assert (g.turn, g.phase) == (1, "support")


def _any_chance(g: Board, text: str) -> tuple[int, list[object]]:
    from games.kernel.orders import play_orders, read_orders
    from games.kernel.steps import apply
    from games.kernel.table import SeededTable

    table = SeededTable(5)

    def act(g: object, seat: str, action: tuple[str | int, ...]) -> list[object]:
        apply(g, seat, action, table)  # type: ignore[arg-type]
        return []

    played = play_orders(RULES, g, "usmc", read_orders(RULES, text), act)  # type: ignore[arg-type]
    return played.taken, []


def test_a_shared_company_is_split_by_its_commander() -> None:
    g = fresh(RULES, 2, {"platoons": 2, "strong_points": 1})
    assert isinstance(g, Board)
    assert owed(g) == ("co",)
    while g.turn == 0:
        from games.kernel.steps import apply
        from games.kernel.table import SeededTable

        apply(g, "co", legal(g, "co")[0], SeededTable(1))
    assert sorted(g.owner[unit] for unit in range(15) if g.where[unit] >= 0) == [1] * 5 + [2] * 4


def test_a_cobra_may_stop_after_one_hit() -> None:
    g = board("support", {"#1": "3.C"}, usmc=[3], things={"22.1": "G2", "22.2": "S"})
    order(g, "call cobra 22.1; done", 3)
    assert g.vp == 1 and g.missions == (0, 1, 0)
    assert g.phase == "support"


def test_a_cobra_with_nothing_left_to_hit_ends_by_itself() -> None:
    g = board("support", {"#1": "3.C"}, usmc=[3], things={"22.1": "G2", "33.1": "S"})
    order(g, "call cobra; hit 22.1", 3)
    assert lines(g)[-1] == "pass" and g.phase == "support"


def test_a_hornet_ruins_a_far_zone_and_draws_its_marker() -> None:
    g = board("support", {"#1": "3.C"}, usmc=[3], things={"50.1": "G2", "50.2": "S"}, zones={50: {"activated": False}})
    _, news = order(g, "call hornet 50", 4, 0)
    assert g.ruins >> 50 & 1 and not g.foe >> 50 & 1
    assert [item.key for item in news] == ["mission", "activated", "killed", "removed", "ruins"]
    assert g.vp == 1


def test_a_hornet_stays_away_from_squads_and_from_the_mosque() -> None:
    g = board("support", {"#1": "3.C"}, usmc=[3])
    order(g, "call hornet", 0)
    assert not {"bomb 3", "bomb 2", "bomb 4", "bomb 15", "bomb 26", "bomb 27"} & set(lines(g))


def test_a_mission_has_its_maximum() -> None:
    g = board("support", {"#1": "3.C"}, usmc=[3], missions={"uav": 4, "cobra": 2, "hornet": 1}, things={"14.1": "S"})
    assert g.phase != "support"


def test_a_mission_needs_a_target() -> None:
    g = board("support", {"#1": "3.C"}, usmc=[3])
    assert "call cobra" not in lines(g)


def test_dragon_eye_leaves_a_trap_and_a_fortified_zone_alone() -> None:
    g = board(
        "support", {"#1": "3.C"}, usmc=[3], things={"15.1": "S", "16.1": "S"}, zones={16: {"nature": "fortified"}}
    )
    _, news = order(g, "call uav 15 16", 0, 0)
    assert [item.key for item in news] == ["mission", "unclear"]
    assert len(g.things) == 2


@pytest.mark.parametrize("die", [0, 1])
def test_the_insurgents_may_do_nothing(die: int) -> None:
    g = board("support", {"#1": "3.C"}, usmc=[3])
    order(g, "call uav", 9, die)
    assert g.phase == "move"


def test_reinforced_guerillas() -> None:
    g = board(
        "support",
        {"#1": "33.C"},
        things={"33.2": {"k": "unit", "id": "E01", "side": "G"}, "34.1": {"k": "unit", "id": "E09", "side": "G"}},
        bags={"insurgent": ["E02", "E19"]},
    )
    order(g, "call uav", 9, 2, 1, 1)
    assert g.things[PLACE["33.2"]] & 7 == 3
    assert g.things[PLACE["34.1"]] & 7 == 2


def test_guerillas_beside_squads_slip_away() -> None:
    g = board("support", {"#1": "33.C"}, things={"33.2": "G2", "33.1": "M1"}, bags={"suspect": ["Q09"]})
    order(g, "call uav", 9, 4, 0)
    assert [NAMES[place] for place in g.things] == ["33.1", "42.1"]


def test_the_eagle_hunts_squads_in_insurgent_zones() -> None:
    g = board("support", {"#1": "33.C", "#2": {"where": "2.C", "caat": "K1"}}, things={"34.1": "S", "42.1": "S"})
    order(g, "call uav; loss squad", 9, 6, 0, 2)
    assert (g.status[0], g.reduced[0], g.status[1], g.reduced[1]) == (2, 0, 2, 1)


def test_a_counter_attack_without_room_is_idle() -> None:
    g = board("support", {"#1": "33.C"}, things={"33.2": "G2", "33.1": "M1"})
    _, news = order(g, "call uav", 9, 7)
    assert news[-1].key == "counter-idle"


def test_a_counter_attack_draws_lots_among_equals() -> None:
    g = board("support", {"#1": "6.2"}, things={"6.1": "G2", "6.2'": "G2"}, bags={"suspect": ["Q09"]})
    _, news = order(g, "call uav", 9, 8, 1, 9, 9, 0)
    assert "counter" in [item.key for item in news]


def test_a_counter_attack_in_the_mosque_chooses_its_victim() -> None:
    g = board("support", {"I1": "26.OG", "I2": "26.1'"}, things={"26.2": "G2"})
    order(g, "call uav", 9, 7, 1, 9, 1)
    assert g.reduced[16] == 1


def test_a_booby_trap_needs_a_house() -> None:
    g = board("support", {"#1": "3.C"}, usmc=[])
    _, news = order(g, "call uav", 9, 9)
    assert news[-1].key == "hbied-nowhere"


def test_a_booby_trap_draws_lots_among_houses() -> None:
    g = board(
        "support", {"#1": "3.C", "#2": {"where": "5.C", "caat": "K1"}, "#15": "9.C"}, usmc=[3, 5], things={"9.1": "S"}
    )
    order(g, "call uav; loss squad", 9, 9, 1)
    assert g.ruins == 1 << 5 and g.reduced[1] == 1


def test_battalion_squads_cost_points_and_come_late() -> None:
    early = board("reinforce", {"#1": "3.C", "#5": "battalion"}, usmc=[3], turn=8, abrams={"T1": "S02"})
    assert early.phase != "reinforce"
    late = board("reinforce", {"#1": "3.1", "#5": "battalion"}, usmc=[3], turn=9, abrams={"T1": "S02"})
    order(late, "commit 5 3")
    assert late.vp == -2
    variant = board("reinforce", {"#1": "3.1", "#5": "battalion"}, usmc=[3], turn=7, variant=True, abrams={"T1": "S02"})
    order(variant, "bring #5 to zone 3")
    assert variant.vp == 0


def test_iraqis_wait_for_their_turn() -> None:
    g = board(
        "reinforce",
        {"#1": "3.C", "I1": "iif_box", "I2": "iif_box", "I3": "iif_box"},
        usmc=[3, 4],
        iif_from_turn=4,
        abrams={"T1": "S02"},
    )
    assert g.phase != "reinforce"


def test_an_abrams_answers_no_sniper() -> None:
    g = board("fire", {"#15": "3.C"}, usmc=[3], things={"15.1": "S", "14.1": "S"}, abrams={"T1": "S08"})
    _, news = order(g, "fire T1 15.1", 3, 0)
    assert [item.key for item in news] == ["fire", "trap"]


def test_a_sniper_who_rolls_nought_wounds() -> None:
    g = board("fire", {"#1": {"where": "3.C", "caat": "K1"}, "#15": "3.1"}, usmc=[3], things={"15.1": "S", "14.1": "S"})
    order(g, "fire 1 at 15.1 with caat; loss squad", 3, 0, 0)
    assert (g.status[0], g.reduced[0], g.vp, g.ammo[1]) == (2, 1, -2, 3)


def test_lines_of_fire_carry_shots_and_snipers() -> None:
    g = board("fire", {"#1": "17.R", "#15": "17.C"}, usmc=[17], things={"46.1": "S"})
    _, news = order(g, "fire 1 46", 3, 0, 1)
    assert news[-2].facts["enemies"] == 1
    assert g.status[0] == 2

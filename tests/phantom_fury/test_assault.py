"""13. Assaults, Events, explosives, Flooding, retreats."""

import pytest

from tests.phantom_fury.build import board, lines, order

HOLD = {"#15": "9.C"}
HOLDING = {"9.1": "S"}


def test_explosives_silence_every_modifier() -> None:
    g = board("assault", {"#2": {"where": "15.C", "caat": "K1"}, **HOLD}, things={"15.1": "M2", **HOLDING})
    _, news = order(g, "assault #2 15.1; explosives yes", 8, 9)
    clash = next(item for item in news if item.key == "clash")
    assert (clash.facts["cf"], clash.facts["drm"], clash.facts["hit"]) == (8, 0, 1)
    assert g.charge[1] == 0


def test_explosives_are_spent_by_a_nine() -> None:
    g = board("assault", {"#2": {"where": "15.C", "caat": "K1"}, **HOLD}, things={"15.1": "M2", **HOLDING})
    order(g, "assault #2 15.1; explosives", 9, 9)
    assert g.charge[1] == 0 and g.foe >> 15 & 1


def test_a_dummy_lets_the_squad_in() -> None:
    g = board("assault", {"#2": "15.C", **HOLD}, things={"15.1": "S", **HOLDING})
    order(g, "assault #2 15.1", 3)
    assert not g.foe >> 15 & 1
    assert "assault #2 15.1" not in lines(g)


def test_each_squad_assaults_once() -> None:
    g = board("assault", {"#2": "15.1", **HOLD}, things={"15.2": "M1", "15.1'": "M1", **HOLDING})
    order(g, "assault #2 15.2", 9, 9)
    assert lines(g) == ["assault #15 9.1", "pass"]


@pytest.mark.parametrize(
    ("event", "check"),
    [
        (3, lambda g: g.hero[1] == 1),
        (1, lambda g: g.fury == {15: 15}),
        (5, lambda g: g.vp == 1),
        (8, lambda g: g.vp == 1),
    ],
)
def test_marine_events(event: int, check: object) -> None:
    g = board("assault", {"#2": "15.C", **HOLD}, things={"15.1": "G1", **HOLDING})
    order(g, "assault #2 15.1", 0, 9, event)
    assert callable(check) and check(g)


def test_a_marine_sniper_kills_the_weakest_before_it_can_fight() -> None:
    g = board("assault", {"#2": "15.C", **HOLD}, things={"15.1": "M1", **HOLDING})
    _, news = order(g, "assault #2 15.1", 0, 1, 6)
    assert "clash" not in [item.key for item in news]
    assert g.reduced[1] == 0


def test_a_marine_sniper_weakens_the_strong() -> None:
    g = board("assault", {"#2": "15.C", **HOLD}, things={"15.1": "M3", **HOLDING})
    _, news = order(g, "assault #2 15.1", 0, 3, 6)
    clash = next(item for item in news if item.key == "clash")
    assert (clash.facts["their_cf"], clash.facts["lost"]) == (2, 0)


def test_flight_does_not_move_martyrs() -> None:
    g = board("assault", {"#2": "15.C", **HOLD}, things={"15.1": "M3", **HOLDING})
    _, news = order(g, "assault #2 15.1", 0, 3, 8)
    assert next(item for item in news if item.key == "clash").facts["their_cf"] == 3


def test_flight_weakens_guerillas() -> None:
    g = board("assault", {"#2": "15.C", **HOLD}, things={"15.1": "G3", **HOLDING})
    _, news = order(g, "assault #2 15.1", 0, 3, 8)
    assert next(item for item in news if item.key == "clash").facts["their_cf"] == 2


def test_a_second_hero_is_a_medal_of_honor_and_no_more() -> None:
    g = board("assault", {"#2": {"where": "15.C", "hero": 2}, **HOLD}, things={"15.1": "G1", **HOLDING})
    order(g, "assault #2 15.1", 0, 9, 2)
    assert g.hero[1] == 2


def test_two_zeroes_throw_no_event() -> None:
    g = board("assault", {"#2": "15.C", **HOLD}, things={"15.1": "G1", **HOLDING})
    order(g, "assault #2 15.1", 0, 0)
    assert (g.vp, g.reduced[1]) == (-1, 1)


def test_confusion_ends_an_assault_without_a_conclusion() -> None:
    g = board("assault", {"#2": "15.C", **HOLD}, things={"15.1": "G1", **HOLDING})
    order(g, "assault #2 15.1", 5, 0, 2)
    assert g.foe >> 15 & 1 and g.reduced[1] == 0


def test_a_suicide_bomber_needs_martyrs() -> None:
    g = board("assault", {"#2": "15.C", **HOLD}, things={"15.1": "G1", **HOLDING}, bags={"suspect": ["Q09"]})
    order(g, "assault #2 15.1", 8, 0, 4, 0)
    assert (g.reduced[1], g.vp) == (1, -2)


@pytest.mark.parametrize(("event", "cf"), [(0, 6), (3, 5)])
def test_iraqi_events_lend_strength(event: int, cf: int) -> None:
    g = board("assault", {"I1": "26.1", **HOLD}, things={"26.2": "M2", **HOLDING})
    _, news = order(g, "assault I1 26.2", 0, 9, event)
    assert next(item for item in news if item.key == "clash").facts["cf"] == cf


def test_iraqi_losses_cost_only_when_a_squad_dies() -> None:
    g = board("assault", {"I1": "26.1", **HOLD}, things={"26.2": "M2", **HOLDING})
    order(g, "assault I1 26.2", 9, 1)
    assert (g.vp, g.reduced[15]) == (0, 1)
    h = board("assault", {"I1": {"where": "26.1", "reduced": True}, **HOLD}, things={"26.2": "M2", **HOLDING})
    order(h, "assault I1 26.2", 9, 1)
    assert h.vp == -2


def test_a_reduced_squad_is_asked_whether_it_floods() -> None:
    g = board(
        "assault", {"#1": {"where": "2.R", "reduced": True}, **HOLD}, things={"2.2": "G1", "2.1": "G1", **HOLDING}
    )
    order(g, "assault #1 2.2", 3, 9)
    assert lines(g) == ["flood yes", "flood no"]
    order(g, "flood no")
    assert g.foe >> 2 & 1


def test_flooding_goes_down_the_house_and_ends_when_it_is_clear() -> None:
    g = board(
        "assault",
        {"#1": {"where": "6.R", "reduced": True}, **HOLD},
        things={"6.2": "G1", "6.1": "G1", "6.1'": "G1", **HOLDING},
    )
    order(g, "assault #1 6.2; flood yes", 3, 9, 3, 9, 3, 9)
    assert not g.foe >> 6 & 1
    assert g.vp == 3


def test_flooding_stops_at_a_unit_that_stays() -> None:
    g = board("assault", {"#1": "6.R", **HOLD}, things={"6.2": "G1", "6.1": "M1", "6.1'": "M1", **HOLDING})
    order(g, "assault #1 6.2", 3, 9, 9, 9)
    assert g.foe >> 6 & 1 and g.vp == 1


def test_confusion_ends_flooding() -> None:
    g = board("assault", {"#1": "6.R", **HOLD}, things={"6.2": "G1", "6.1": "M1", "6.1'": "M1", **HOLDING})
    _, news = order(g, "assault #1 6.2", 3, 9, 5, 0, 3)
    assert [item.facts["event"] for item in news if item.key == "event"] == ["confusion"]
    assert g.foe >> 6 & 1


def test_a_weak_squad_does_not_flood() -> None:
    g = board("assault", {"#3": "6.R", **HOLD}, things={"6.2": "G1", "6.1": "M1", **HOLDING})
    order(g, "assault #3 6.2", 3, 9)
    assert g.phase == "assault" and g.foe >> 6 & 1


def test_flooding_ends_when_the_squad_is_worn_down() -> None:
    g = board("assault", {"#2": "6.R", **HOLD}, things={"6.2": "G1", "6.1": "G1", "6.1'": "G1", **HOLDING})
    order(g, "assault #2 6.2", 3, 9, 3, 1)
    assert g.reduced[1] == 1 and g.foe >> 6 & 1


def test_guerillas_who_fled_do_not_stop_a_flooding() -> None:
    g = board(
        "assault",
        {"#1": "6.R", **HOLD},
        things={"6.2": "G1", "6.1": "G1", "6.1'": "G1", **HOLDING},
        bags={"suspect": ["Q09"]},
    )
    order(g, "assault #1 6.2", 3, 9, 9, 9, 0, 3, 9)
    assert not g.foe >> 6 & 1
    assert g.foe >> 17 & 1


def test_retreating_guerillas_take_back_an_empty_zone() -> None:
    g = board("assault", {"#1": "2.C", **HOLD}, usmc=[14], things={"2.1": "G1", **HOLDING}, bags={"suspect": ["Q09"]})
    order(g, "assault #1 2.1", 9, 9, 0)
    assert not g.usmc >> 14 & 1 and g.foe >> 14 & 1


def test_a_held_zone_is_no_way_out() -> None:
    g = board(
        "assault",
        {"#1": "2.C", "#4": "14.C", **HOLD},
        usmc=[14],
        things={"2.1": "G1", **HOLDING},
        bags={"suspect": ["Q09"]},
        abrams={"T1": "S07"},
    )
    _, news = order(g, "assault #1 2.1", 9, 9)
    assert news[-1].key == "cornered"


def test_no_room_in_the_next_zone() -> None:
    full = {"14.1": "M1", "14.2": "M1", "14.2'": "M1", "14.R": "M1"}
    g = board("assault", {"#1": "2.C", **HOLD}, things={"2.1": "G1", **full, **HOLDING}, bags={"suspect": ["Q09"]})
    order(g, "assault #1 2.1", 9, 9, 0, 0)
    assert g.foe >> 13 & 1


def test_a_squad_that_dies_leaves_an_orphan_security_element() -> None:
    g = board(
        "assault", {"#1": {"where": "33.1", "se": "33.C", "reduced": True}, **HOLD}, things={"33.2": "G2", **HOLDING}
    )
    order(g, "assault #1 33.2", 9, 1)
    assert len(g.orphans) == 1 and g.no_event >> 33 & 1
    order(g, "pass")
    assert g.orphans == [] and g.no_event == 0

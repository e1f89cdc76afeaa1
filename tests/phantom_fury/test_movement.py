"""12. Movement, Security Elements, crossings, Abrams, Defensive Fire."""

from games.phantom_fury.tables import NAMES
from tests.phantom_fury.build import board, lines, order, statuses


def test_a_squad_cannot_stop_in_the_street() -> None:
    g = board("move", {"#1": "3.C"}, usmc=[3])
    order(g, "move #1 S08")
    assert lines(g) == ["move #1 2.C", "move #1 3.C", "move #1 14.C", "move #1 15.C"]


def test_a_street_is_entered_only_with_a_way_out() -> None:
    g = board("move", {"#1": "3.2", "#15": "9.C"}, usmc=[3, 9], zones={2: {"things": {"1": "S"}}})
    order(g, "move #1 3.1; move #1 3.C")
    assert "move #1 S08" in lines(g)
    g = board("move", {"#1": "3.R", "#15": "9.C"}, usmc=[3, 9])
    order(g, "move #1 3.2; move #1 3.1; move #1 3.C")
    assert not any(line.startswith("move #1 S") for line in lines(g))


def test_a_full_squad_does_not_leave_an_insurgent_zone() -> None:
    g = board("move", {"#1": "14.C"}, usmc=[2], things={"14.1": "S"})
    assert lines(g) == ["detach #1", "pass"]
    reduced = board("move", {"#1": {"where": "14.C", "reduced": True}}, usmc=[2], things={"14.1": "S"})
    assert "move #1 S08" in lines(reduced)
    order(reduced, "move #1 S08", 9)
    assert NAMES[reduced.where[0]] == "2.C"  # the only way, so it is taken


def test_an_empty_insurgent_zone_must_be_searched() -> None:
    g = board("move", {"#1": "2.R"}, usmc=[2], things={"9.1": "S"})
    order(g, "move #1 3.R")
    assert lines(g) == ["move #1 3.2", "detach #1", "stop #1"]
    assert g.search[0] == 1


def test_a_second_squad_stays_out_of_an_insurgent_zone() -> None:
    g = board("move", {"#1": "2.R", "#2": "3.1"}, usmc=[2], things={"3.2": "S"})
    assert "move #1 3.R" not in lines(g)


def test_marines_never_enter_the_mosque_and_iraqis_only_it() -> None:
    g = board("move", {"#1": "25.C", "I1": "25.C"}, usmc=[25], things={"9.1": "S"})
    order(g, "move #1 S31")
    assert "move #1 26.OG" not in lines(g)
    h = board("move", {"#1": "25.1", "I1": "25.C"}, usmc=[25], things={"9.1": "S"})
    order(h, "move I1 S31")
    assert "move I1 26.OG" in lines(h)
    assert not any(line.startswith("move I1 24") for line in lines(h))


def test_a_security_element_keeps_its_squad_in_the_zone_until_regrouped() -> None:
    g = board("move", {"#1": {"where": "14.1", "se": "14.C", "reduced": True}}, usmc=[2], things={"14.2": "S"})
    assert lines(g) == ["move #1 14.C", "regroup #1", "pass"]
    order(g, "regroup #1")
    assert g.se[0] == -1


def test_the_search_obligation_forbids_assaults_next_door() -> None:
    g = board("assault", {"#1": {"where": "2.R", "search": True}, "#15": "9.C"}, things={"3.R": "S", "9.1": "S"})
    assert lines(g) == ["assault #15 9.1", "pass"]
    h = board("assault", {"#1": {"where": "2.R"}, "#15": "9.C"}, things={"3.R": "S", "9.1": "S"})
    assert "assault #1 3.R" in lines(h)


def test_an_unseen_crossing_needs_no_die_and_a_seen_one_two() -> None:
    g = board("move", {"#1": "3.C"}, usmc=[3], things={"14.1": "G2", "15.1": "S"})
    played, news = order(g, "move #1 S08", 5, 5)
    assert [item.key for item in news] == ["moved", "crossing"]
    assert statuses(played) == ["ok"]


def test_pinned_in_the_street() -> None:
    g = board("move", {"#1": "3.C", "#15": "9.C"}, usmc=[3], things={"15.1": "S", "9.1": "S"})
    order(g, "move #1 S08", 1)
    assert (g.status[0], NAMES[g.where[0]]) == (2, "S08")
    assert "move #1 14.C" not in lines(g)


def test_a_reduced_squad_dies_in_the_street() -> None:
    g = board(
        "move", {"#1": {"where": "3.C", "reduced": True}, "#15": "9.C"}, usmc=[3], things={"15.1": "G1", "9.1": "S"}
    )
    order(g, "move #1 S08", 1)
    assert g.vp == -5
    assert g.vp_log == [(3, -5, "eliminated", "#1")]


def test_a_wound_under_the_guns_of_an_abrams_only_pins() -> None:
    g = board(
        "move",
        {"#1": "3.C", "#15": "9.C"},
        usmc=[3],
        things={"15.1": "G1", "14.1": "S", "9.1": "S"},
        abrams={"T1": "S08"},
    )
    order(g, "move #1 S08", 0)
    assert (g.status[0], g.reduced[0]) == (2, 0)


def test_a_squad_left_in_the_street_must_leave_it() -> None:
    g = board("move", {"#1": "S08", "#15": "9.C"}, usmc=[3], things={"14.1": "S", "9.1": "S"})
    assert "pass" not in lines(g)
    order(g, "move #1 3.C")
    order(g, "stop #1")
    assert "pass" in lines(g)


def test_a_device_found_by_defensive_fire() -> None:
    g = board("move", {"#2": "3.C", "#15": "9.C"}, usmc=[3], things={"15.1": "S", "9.1": "S"})
    order(g, "move #2 S08 15.C", 5, 6, 0, 2)
    assert g.status[1] == 2
    h = board("move", {"#2": "3.C", "#15": "9.C"}, usmc=[3], things={"15.1": "S", "9.1": "S"})
    order(h, "move #2 S08 15.C", 5, 6, 0, 8)
    assert h.reduced[1] == 1


def test_a_unit_that_shows_itself_fires_at_once() -> None:
    g = board(
        "move",
        {"#2": "3.C", "#15": "9.C"},
        usmc=[3],
        things={"15.1": "S", "9.1": "S"},
        zones={15: {"ruins": True}},
        bags={"insurgent": ["E19"]},
    )
    _, news = order(g, "move #2 S08 15.C", 5, 6, 7, 0, 2)
    assert [item.key for item in news][-2:] == ["defence", "pinned"]
    assert news[-2].facts["drm"] == 1


def test_defensive_fire_goes_on_after_a_loss_and_ends_with_the_squad() -> None:
    g = board(
        "move", {"#2": "3.C", "#15": "9.C"}, usmc=[3], things={"15.1": "M4", "15.2": "M4", "15.R": "M4", "9.1": "S"}
    )
    order(g, "move #2 S08 15.C", 9, 0, 0)
    assert g.where[1] == -5
    assert g.vp == -7


def test_detaching_covers_the_squad_and_costs_a_point() -> None:
    g = board("move", {"#1": "3.C", "#15": "9.C"}, usmc=[3], things={"15.1": "G2", "9.1": "S"})
    _, news = order(g, "move #1 S08; move #1 15.C; detach", 9, 1)
    assert [item.key for item in news if item.key in ("detached", "defence")] == ["detached", "defence"]
    assert news[-2].facts["drm"] == 1
    assert g.se[0] >= 0


def test_abrams_leave_the_street_for_open_ground_and_come_back() -> None:
    g = board("move", usmc=[9, 10, 11, 20, 21], abrams={"T1": "S15"})
    order(g, "move T1 10.OG", 0)
    assert g.todo[-1].mp == 3
    assert any(line.startswith("move T1 S") for line in lines(g))


def test_an_abrams_may_stay_where_it_could_not_stop() -> None:
    g = board("move", {"#15": "9.C"}, usmc=[1], things={"9.1": "S"}, abrams={"T1": "S70"})
    order(g, "move T1", 9)
    assert (g.tank_moved, NAMES[g.tanks[0]]) == ([1, 0], "S70")


def test_two_abrams_never_share_a_section() -> None:
    g = board("move", {"#15": "9.C"}, usmc=[3, 4], abrams={"T1": "S08", "T2": "S09"}, variant=True, things={"9.1": "S"})
    order(g, "move T1", 5)
    assert "move T1 S09" not in lines(g)


def test_overlaps_are_lawful_only_while_the_other_can_still_move() -> None:
    g = board("move", {"#1": "3.C", "#2": "3.1", "#15": "9.C"}, usmc=[3], things={"9.1": "S"})
    order(g, "move #1 3.1; stop")
    assert "pass" not in lines(g)
    order(g, "move #2 3.2; stop")
    assert "pass" in lines(g)


def test_a_squad_passes_over_one_that_cannot_move() -> None:
    g = board(
        "move", {"#1": "3.C", "#2": {"where": "3.1", "status": "fired"}, "#15": "9.C"}, usmc=[3], things={"9.1": "S"}
    )
    order(g, "move #1 3.1")
    assert "stop #1" not in lines(g)
    assert "move #1 3.2" in lines(g)

"""Frames, crops, footprints, borders and label places."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.drawing import LIGHT, Drawing
from games.drawing.map import (
    area,
    borders,
    bounds,
    buildings,
    chains,
    crop,
    edge_distance,
    front_line,
    inside,
    open_ground,
    place_for,
    place_name,
    pole,
    rail,
    river,
    road,
    room_at,
    route,
    top_left,
    toward_border,
    whole,
)

SQUARE = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
EAST = ((100.0, 20.0), (200.0, 20.0), (200.0, 120.0), (100.0, 120.0))
ELL = ((0.0, 0.0), (40.0, 0.0), (40.0, 160.0), (200.0, 160.0), (200.0, 200.0), (0.0, 200.0))


def test_the_whole_board_fits_its_frame() -> None:
    frame = whole((0, 0, 1000, 1300), (20, 58, 900, 1180))
    left, top = frame.at((0, 0))
    right, bottom = frame.at((1000, 1300))
    assert (round(top), round(bottom)) == (58, 1180)
    assert left - 20 == pytest.approx(900 - right)


@given(st.floats(0, 900), st.floats(0, 900), st.floats(10, 100), st.floats(0, 900), st.floats(0, 900))
def test_a_crop_never_goes_below_the_scale_of_its_counters_and_keeps_the_fight(
    x: float, y: float, size: float, tx: float, ty: float
) -> None:
    fight, target = (x, y, x + size, y + size), (tx, ty, tx + 50, ty + 50)
    frame = crop([fight], [target], (0, 0, 720, 800), (0, 0, 1000, 1000), 1.5, 4, 20)
    assert 1.5 <= frame.scale <= 4
    cx, cy = frame.at((x + size / 2, y + size / 2))
    assert -1e-6 <= cx <= 720 + 1e-6
    assert -1e-6 <= cy <= 800 + 1e-6
    assert frame.shows(fight)
    left, top = frame.at((0, 0))
    right, bottom = frame.at((1000, 1000))
    assert left <= 1e-6 and top <= 1e-6 and right >= 720 - 1e-6 and bottom >= 800 - 1e-6


def test_a_crop_takes_in_every_target_that_fits() -> None:
    frame = crop([(100, 100, 150, 150)], [(250, 180, 300, 240)], (0, 0, 720, 800), (0, 0, 1000, 1000), 1, 4, 10)
    for corner in ((100, 100), (300, 240)):
        x, y = frame.at(corner)
        assert 0 <= x <= 720 and 0 <= y <= 800


def test_the_pole_is_the_roomiest_point() -> None:
    x, y, reach = pole(SQUARE)
    assert [x, y, reach] == pytest.approx([50, 50, 50], abs=1)
    x, y, _ = pole(ELL)
    assert inside(x, y, ELL)


def test_footprints_stay_inside_and_are_the_same_each_time() -> None:
    for tem in range(5):
        drawn = buildings(ELL, "7", tem)
        buildings.cache_clear()
        assert drawn == buildings(ELL, "7", tem)
        for part in drawn.replace("Z", "").split("M")[1:]:
            for corner in part.split("L"):
                x, y = map(float, corner.split(","))
                assert edge_distance(x, y, ELL) > 2.5


def test_dense_terrain_has_more_and_smaller_buildings() -> None:
    big = tuple((x * 4, y * 4) for x, y in SQUARE)
    counts = [buildings(big, "36", tem).count("M") for tem in range(5)]
    assert counts == sorted(counts)
    assert counts[4] > 5 * counts[0] > 0


def test_each_area_has_its_own_footprints() -> None:
    assert buildings(ELL, "7", 3) != buildings(ELL, "8", 3)


def test_a_shared_border_is_found_where_edges_only_overlap() -> None:
    ((stretch,),) = (borders({"a": SQUARE, "b": EAST}, [("a", "b")])[("a", "b")],)
    assert sorted(stretch) == [(100.0, 20.0), (100.0, 100.0)]


def test_stretches_are_joined_into_one_line() -> None:
    found = chains([((0, 0), (1, 0)), ((2, 1), (1, 0)), ((2, 1), (3, 1))])
    assert found == [[(0, 0), (1, 0), (2, 1), (3, 1)]]


def test_the_front_line_lies_over_its_pale_case() -> None:
    d = Drawing(200, 200, LIGHT)
    front_line(d, borders({"a": SQUARE, "b": EAST}, [("a", "b")])[("a", "b")])
    picture = d.svg()
    assert picture.index(f'stroke="{LIGHT.case}"') < picture.index(f'stroke="{LIGHT.coalition}"')


@pytest.mark.parametrize(
    ("control", "contested", "sign"),
    [("coalition", False, "dots"), ("insurgent", False, "hatch"), ("insurgent", True, "stripes")],
)
def test_control_has_a_tint_and_a_pattern(control: str, contested: bool, sign: str) -> None:
    d = Drawing(200, 200, LIGHT)
    area(d, SQUARE, "36", 3, control, contested)
    assert f"url(#{sign}-light)" in d.svg()
    assert LIGHT.ground(control, 3)[0] in d.svg()
    assert (f'stroke="{LIGHT.last}"' in d.svg()) is contested


def test_pieces_find_a_place_inside() -> None:
    x, y, fits = place_for(SQUARE, 40, 30, 50)
    assert fits
    assert y - 15 >= 50
    assert inside(x, y, SQUARE)
    assert place_for(SQUARE, 120, 30)[2] is False


def test_a_badge_sits_in_the_upper_left() -> None:
    x, y = top_left(SQUARE, 15)
    assert [x, y] == pytest.approx([15, 15], abs=3)


def test_room_is_measured_across_the_polygon() -> None:
    assert room_at(ELL, 20, 50) == pytest.approx(40)
    assert room_at(ELL, 20, 180) == pytest.approx(200)


def test_an_arrow_ends_just_inside_the_border() -> None:
    x, y = toward_border((-100, 50), (50, 50), SQUARE, 10)
    assert 8 <= x <= 14
    assert y == 50


def test_roads_rivers_and_routes_are_drawn_alike_each_time() -> None:
    points = [(0.0, 0.0), (50.0, 20.0), (100.0, 0.0)]
    for piece in (river(points, 20, LIGHT), road(points, LIGHT, main_supply=True), rail(points, LIGHT)):
        assert piece.startswith("<path")
    kinds = [route(a, b, LIGHT, kind) for a, b in pairwise(points) for kind in ("road", "msr", "bridge", "river")]
    assert len(set(kinds)) == 8


def test_open_ground_is_green_and_the_same_each_time() -> None:
    assert open_ground(SQUARE, "27", LIGHT) == open_ground(SQUARE, "27", LIGHT)
    assert LIGHT.green_dark in open_ground(SQUARE, "27", LIGHT)


def test_a_place_name_wraps() -> None:
    assert place_name(LIGHT, "City Centre Mosque", 50, 50, 60).count("<text") == 2


def test_bounds_are_those_of_the_points() -> None:
    assert bounds(ELL) == (0, 0, 200, 200)

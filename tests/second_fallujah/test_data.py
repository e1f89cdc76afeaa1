"""An owner of the printed game corrects a figure in one file, and is told what does not fit."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from games.kernel.errors import BadSetup
from games.second_fallujah import RULES
from games.second_fallujah.data_check import check
from games.second_fallujah.tables import BOARD, COUNTERS


def area(board: Any, number: int) -> Any:
    return next(area for area in board["areas"] if area["id"] == number)


def unit(units: Any, name: str) -> Any:
    return next(unit for unit in units["coalition"] if unit["id"] == name)


def test_the_shipped_data_is_sound() -> None:
    assert RULES.check_data() == []


def spoil(board: Any, units: Any, what: str) -> None:
    spoilers: dict[str, Callable[[], Any]] = {
        "tem": lambda: area(board, 5).update(tem=7),
        "flag": lambda: area(board, 5)["flags"].update(mosque=True),
        "route": lambda: area(board, 5)["flags"].update(route10=True),
        "vp": lambda: area(board, 5).update(vp=1),
        "one-sided": lambda: area(board, 5)["adjacent"].append(40),
        "no area": lambda: area(board, 5)["adjacent"].append(77),
        "itself": lambda: area(board, 5)["adjacent"].append(5),
        "point": lambda: (area(board, 25)["adjacent"].append(30), area(board, 30)["adjacent"].append(25)),
        "missing": lambda: board["areas"].pop(),
        "open": lambda: area(board, 5)["polygon"].pop(),
        "thrice": lambda: area(board, 40).update(polygon=area(board, 5)["polygon"]),
        "apart": lambda: (area(board, 5)["adjacent"].remove(7), area(board, 7)["adjacent"].remove(5)),
        "island": lambda: [a.update(adjacent=[b for b in a["adjacent"] if b != 5]) for a in board["areas"]],
        "dense": lambda: [a.update(adjacent=[b for b in range(1, 52) if b != a["id"]]) for a in board["areas"]],
        "zone": lambda: board["zones"][0].update(adjacent=[31]),
        "contact": lambda: area(board, 5).update(entry_zone="NE"),
        "twice": lambda: units["coalition"].append(copy.deepcopy(unit(units, "TK-A"))),
        "kind": lambda: unit(units, "TK-A").update(type="spaceship"),
        "nation": lambda: unit(units, "TK-A").update(nationality="martian"),
        "support": lambda: unit(units, "TK-A")["fresh"].update(cf=3),
        "factor": lambda: unit(units, "1/8-A")["spent"].update(cf=5),
        "movement": lambda: unit(units, "1/8-A")["fresh"].update(mf=None),
        "battalion": lambda: units["marine_battalions"]["1/8"].append("1/8-Z"),
        "cadres": lambda: units["insurgent"]["cadre"].update(count=3),
        "fedayeen": lambda: units["insurgent"]["fedayeen"].update(count_two_player=40),
        "militia": lambda: units["insurgent"]["militia"].update(count=0),
        "militia cf": lambda: units["insurgent"]["militia"]["fresh"].update(cf=-5, mf=None),
    }
    spoilers[what]()


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("tem", "Area 5 has TEM 7"),
        ("flag", "mosque"),
        ("route", "Route 10"),
        ("vp", "worth 0"),
        ("one-sided", "40 does not name 5"),
        ("no area", "77, which is no area"),
        ("itself", "itself"),
        ("point", "25 and 30"),
        ("missing", "1 to 51"),
        ("open", "not closed"),
        ("thrice", "share no border"),
        ("apart", "they are not adjacent"),
        ("island", "does not name"),
        ("dense", "cannot be drawn on a plane"),
        ("zone", "NW zone touches"),
        ("contact", "touches no zone"),
        ("twice", "2 counters TK-A"),
        ("kind", "spaceship"),
        ("nation", "martian"),
        ("support", "no Combat Factor"),
        ("factor", "below its Fresh one"),
        ("movement", "no Movement Factor"),
        ("battalion", "1/8-Z"),
        ("cadres", "17 areas"),
        ("fedayeen", "Twenty Fedayeen"),
        ("militia", "no Militia"),
        ("militia cf", "Militia needs"),
    ],
)
def test_faults_are_named(what: str, says: str) -> None:
    board, units = copy.deepcopy(BOARD), copy.deepcopy(COUNTERS)
    spoil(board, units, what)
    assert says in " ".join(check(board, units))


def test_an_unreachable_part_of_the_map_is_named() -> None:
    board = copy.deepcopy(BOARD)
    for a in board["areas"]:
        a["adjacent"] = [] if a["id"] == 5 else [b for b in a["adjacent"] if b != 5]
    assert "[5] cannot be reached" in " ".join(check(board, COUNTERS))


@pytest.mark.parametrize(
    ("position", "says"),
    [
        ({"colour": 1}, "no 'colour'"),
        ({"turn": "one"}, "turn cannot be"),
        ({"side": "us"}, "side is"),
        ({"units": {"24": ["1/8-Z"]}}, "not a unit"),
        ({"units": {"24": ["1/8-A"], "25": ["1/8-A"]}}, "two places"),
        ({"units": {"99": ["1/8-A"]}}, "not a place"),
        ({"units": {"24": ["1/8-A asleep"]}}, "the face of"),
        ({"control": {"coalition": ["NW"]}}, "not an area"),
        ({"control": [24]}, "should be an object"),
        ({"todo": ["Dance"]}, "no step 'Dance'"),
        ({"todo": [{"step": "Friction"}]}, "Friction lacks"),
        ({"todo": [{"step": "Friction", "area": 4, "mood": 1}]}, "no mood"),
        ({"riverine": "wet"}, "not riverine"),
    ],
)
def test_a_wrong_position_is_refused_with_a_sentence(position: dict[str, Any], says: str) -> None:
    with pytest.raises(BadSetup, match=says):
        RULES.from_position(position, RULES.setup())


def test_a_position_without_todo_asks_the_side_to_act() -> None:
    g = RULES.from_position({"side": "insurgent", "units": {"45": ["F1"]}}, RULES.setup())
    assert type(g.todo[-1]).__name__ == "InsurgentImpulse"

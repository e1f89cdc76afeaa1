"""What a person may type."""

from typing import Any

import pytest

from games.kernel.errors import Ambiguous, GameError, IllegalAction, Unreadable
from games.kernel.ruleset import Read
from games.kernel.steps import apply, owed, settle
from games.kernel.table import News, SearchTable
from games.second_fallujah import RULES
from games.second_fallujah.macros import expand
from games.second_fallujah.orders import holds


def read(g: Any, seat: str, text: str) -> Read:
    settle(g, SearchTable(1))
    return RULES.read(g, seat, text)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("go 1/8-A+TK-A 24>26", ["drop", "pick 1/8-a", "pick tk-a", "step 24", "step 26"]),
        ("Zone ne go 1/8-A+TK-A 24", ["zone ne", "drop", "pick 1/8-a", "pick tk-a", "step 24"]),
        ("move 1/8-a 1/8-b to 24", ["drop", "pick 1/8-a", "pick 1/8-b", "step 24"]),
        ("move alpha 1/8 and kilo 3/5 to pizza slice", ["drop", "pick 1/8-a", "pick 3/5-k", "step pizza slice"]),
        (
            "attack 43 lead 3/5-I with 3/5-K+3/5-L river",
            ["attack 43", "join 3/5-k", "join 3/5-l", "river", "lead 3/5-i", "roll"],
        ),
        ("attack 24 lead 1/8-A", ["attack 24", "lead 1/8-a", "roll"]),
        ("attack 24 with TK-A roll", ["attack 24", "join tk-a", "roll"]),
        ("put 2F 45 40", ["put f 45", "put f 45", "put f 40", "put f 40"]),
        ("put 2 F 45", ["put f 45", "put f 45"]),
        ("put F jolan park", ["put f jolan park"]),
        ("unput F 45", ["unput f 45"]),
        ("dig F@45 and F@45", ["dig f@45", "dig f@45"]),
        ("pick 2M@45", ["pick m@45", "pick m@45"]),
        ("cp F9 kill, C7 retreat 23, M1", ["cp f9 kill", "cp c7 retreat 23", "cp m1 kill"]),
        ("cp F9 flip C7 retreat none done", ["cp f9 spent", "cp c7 retreat none", "cp done"]),
        ("cp C7 retreat", ["cp c7 retreat"]),
        ("cp bot", ["cp bot"]),
        ("react dig F1 F2", ["r dig f1", "r dig f2"]),
        ("militia C7", ["r militia c7"]),
        ("retreat C7 23", ["r retreat c7 23"]),
        ("reroll", ["adv reroll"]),
        ("no", ["adv no"]),
        ("rg none", ["done"]),
        ("rg MP-A 42, IQ-1/1 41", ["rg mp-a 42", "rg iq-1/1 41"]),
        ("rg MP-A to 42", ["rg mp-a 42"]),
        ("organise 45 1", ["org 45 1"]),
        ("area 24: strike m2", ["area 24", "strike m2"]),
        ("done", ["done"]),
    ],
)
def test_shorthands_stand_for_atomic_orders(typed: str, meant: list[str]) -> None:
    assert expand(typed) == meant


def test_one_mail_holds_a_whole_impulse(play: Any) -> None:
    result = play(
        {"24": ["M1"]}, "c: zone ne; pick 1/8-a 1/8-b 1/8-w; step 24; attack 24; lead 1/8-a; roll; done", chance=(3, 3)
    )
    assert result["refused"] is None and 24 in result["position"]["control"]["coalition"]
    result = play({"24": ["M1"]}, "c: zone ne; move 1/8-a 1/8-b to 24 then attack, lead 1/8-a", chance=(3, 3, 3, 3))
    assert result["refused"] is None and 24 in result["position"]["control"]["coalition"]


def test_guards_follow_the_last_result(play: Any) -> None:
    order = "c: area 24; go 1/8-A+TK-A 26; attack 26 lead 1/8-A; if overrun go 1/8-A+TK-A 30; done"
    result = play({"24": ["1/8-A", "TK-A"], "26": ["M1"]}, order, hold=(24,), chance=(3, 3))
    assert result["refused"] is None and result["position"]["control"]["coalition"] == [24, 26, 30]


def test_a_done_for_an_impulse_that_closed_itself_closes_nothing_else(play: Any) -> None:
    order = "c: area 26; attack 26 lead 1/8-A; done"
    result = play({"26": ["1/8-A", "F1"], "45": ["F2"]}, order, impulse=9, chance=(2, 2, 6, 6))
    assert result["position"]["phase"] == "regroup" and result["owed"] == ["insurgent"]


def test_names_of_units_and_areas(board: Any) -> None:
    g = board({"24": ["1/8-A", "1/8-B", "TK-A"]}, (24, 25))
    assert read(g, "coalition", "area askari w").action == ("area", 24)
    assert read(g, "coalition", "zone nw zone").action == ("zone", "NW")
    order(g, "coalition", "area 24")
    for text in ("pick A/1/8", "pick 18a", "pick 1-8-a", "PICK  1/8-A"):
        assert read(g, "coalition", text).action == ("pick", "1/8-A")
    with pytest.raises(Ambiguous):
        read(g, "coalition", "pick 1/8")
    with pytest.raises(IllegalAction, match="1/3-A is in the NE Entry Zone"):
        read(g, "coalition", "pick 1/3-A")
    order(g, "coalition", "pick 1/8-A")
    assert read(g, "coalition", "pick 1/8-a").action is None
    assert read(g, "coalition", "pick all").action == ("pick", "1/8-B")
    assert read(g, "coalition", "pick all@24").again
    with pytest.raises(IllegalAction, match="not adjacent"):
        read(g, "coalition", "step 30")
    with pytest.raises(IllegalAction, match="there is no area 99"):
        read(g, "coalition", "step 99")
    order(g, "coalition", "pick 1/8-B")
    order(g, "coalition", "pick TK-A")
    assert read(g, "coalition", "pick all").action is None


def order(g: Any, seat: str, text: str) -> None:

    settle(g, SearchTable(1))
    action = RULES.read(g, seat, text).action
    assert action is not None
    apply(g, seat, action, SearchTable(1))


@pytest.mark.parametrize(
    ("units", "hold", "setup", "area", "why"),
    [
        ({"24": ["TK-A"]}, (24,), "area 24|pick TK-A", 26, "must be able to lead"),
        ({"24": ["IQ-2/1", "1/8-A"], "26": ["F1"], "25": ["M1"]}, (24, 23), "area 24|pick IQ-2/1", 20, "not adjacent"),
        ({"26": ["1/8-A", "F1"]}, (24,), "area 26|pick 1/8-A", 27, "may only go to a Free area"),
        (
            {"24": ["1/8-A"], "25": ["1/3-A", "1/3-B", "1/3-C", "1/3-W", "2/2-A", "2/63-A", "CAV-F", "MP-B"]},
            (24, 25),
            "area 24|pick 1/8-A",
            25,
            "room for 0 more",
        ),
    ],
)
def test_a_refused_step_says_why(board: Any, units: Any, hold: Any, setup: str, area: int, why: str) -> None:
    g = board(units, hold)
    for text in setup.split("|"):
        found = read(g, "coalition", text).action
        if found is not None:
            order(g, "coalition", text)
    with pytest.raises(IllegalAction, match=why):
        read(g, "coalition", f"step {area}")


def test_a_step_that_costs_too_much_or_into_a_shut_area(play: Any) -> None:
    units = {"24": ["1/8-A", "1/8-B"], "26": ["M1"], "27": ["F1"]}
    result = play(units, "c: area 24; go 1/8-A 26; attack 26; go 1/8-A 27", hold=(24,), chance=(6, 6, 1, 1))
    assert "costs 4 MP" in result["refused"]["text"]
    result = play(units, "c: area 24; go 1/8-A 26; attack 26; go 1/8-B 26", hold=(24,), chance=(6, 6, 1, 1))
    assert "shut for this impulse" in result["refused"]["text"]
    result = play({}, "c: zone ne; go 1/8-A 24; go 1/8-B 25")
    assert "same area first" in result["refused"]["text"]


def test_generic_units_take_the_lowest_of_their_kind(board: Any) -> None:
    g = board({"45": ["F1 dug", "F2", "F3", "M1", "C1"]}, side="insurgent")
    order(g, "insurgent", "area 45")
    assert read(g, "insurgent", "dig F@45").action == ("dig", "F2")
    assert read(g, "insurgent", "dig F3").action == ("dig", "F2"), "equal units are one and the same"
    assert read(g, "insurgent", "undig F!@here").action == ("undig", "F1")
    assert read(g, "insurgent", "pick M@45").action == ("pick", "M1")
    with pytest.raises(IllegalAction):
        read(g, "insurgent", "pick C-@45")
    with pytest.raises(Unreadable):
        read(g, "insurgent", "pick M@99")
    with pytest.raises(IllegalAction, match="Dug In"):
        read(g, "insurgent", "dig F1")
    with pytest.raises(IllegalAction, match="not on the map"):
        read(g, "insurgent", "dig F9")


def test_reactions_can_be_typed_short(board: Any) -> None:
    g = board({"24": ["C1", "F1"], "19": ["C2"], "NE": ["1/8-A", "TK-A"]}, (25,))
    for text in ("zone ne", "pick 1/8-A", "step 24"):
        order(g, "coalition", text)
    assert owed(g) == ("insurgent",)
    assert read(g, "insurgent", "r militia C1").action == ("r", "militia", "C1", 24)
    assert read(g, "insurgent", "r militia C@adj there").action == ("r", "militia", "C2", 24)
    assert read(g, "insurgent", "r militia C@adj own").action == ("r", "militia", "C2", 19)
    assert read(g, "insurgent", "r dig").action == ("r", "dig", "F1")
    assert read(g, "insurgent", "r retreat F1 any").action == ("r", "retreat", "F1", 19)
    with pytest.raises(IllegalAction):
        read(g, "insurgent", "r dance F1")
    with pytest.raises(GameError):
        read(g, "insurgent", "r retreat F1 25")
    order(g, "insurgent", "r militia C2 24")
    with pytest.raises(IllegalAction):
        read(g, "insurgent", "r militia C@adj there")


def test_losses_and_the_advantage_can_be_typed_short(board: Any) -> None:
    cas = [{"step": "Casualties", "area": 45, "points": 3, "lead": "F1"}]
    g = board({"45": ["F1", "C1", "M1"]}, todo=cas)
    assert read(g, "insurgent", "cp F1").action == ("cp", "F1", "kill")
    assert read(g, "insurgent", "cp M").action == ("cp", "M1", "kill")
    assert read(g, "insurgent", "cp any spent").action == ("cp", "C1", "spent")
    assert read(g, "insurgent", "cp C1 retreat any").action == ("cp", "C1", "retreat", 47)
    assert read(g, "insurgent", "cp bot").action == ("cp", "F1", "spent")
    with pytest.raises(GameError):
        read(g, "insurgent", "cp C1 kill")
    g = board({"45": ["F1 spent", "C1 spent"]}, todo=[{"step": "Casualties", "area": 45, "points": 2, "lead": "F1"}])
    assert read(g, "insurgent", "cp bot").action == ("cp", "F1", "retreat", 47)
    window = {"step": "AdvantageWindow", "kind": "attack", "area": 45, "ov": 6, "dv": 6, "lead": "F1"}
    g = board({"45": ["F1", "1/8-A"]}, todo=[window], att=7, dfn=7, advantage={"owner": "coalition", "available": True})
    assert read(g, "coalition", "adv +1").action == ("adv", "+1", "att")
    assert read(g, "coalition", "adv -1 defence").action == ("adv", "-1", "def")
    assert read(g, "coalition", "adv mulligan").action == ("adv", "reroll")
    assert read(g, "coalition", "adv none").action == ("adv", "no")
    with pytest.raises(IllegalAction):
        read(g, "coalition", "adv +2")
    assert read(g, "coalition", "done").action is None, "the impulse has ended already"


def test_what_has_happened_already_is_passed_over(board: Any) -> None:
    g = board({"34": ["1/8-A", "1/8-B", "F1"], "43": ["1/3-A", "1/3-B", "F2"]})
    order(g, "coalition", "area 43")
    assert read(g, "coalition", "drop").action is None
    assert read(g, "coalition", "stay").action is None
    assert read(g, "coalition", "attack").action == ("attack", 43)
    order(g, "coalition", "attack 43")
    order(g, "coalition", "lead 1/3-A")
    order(g, "coalition", "river")
    for text in ("lead 1/3-a", "river", "join 1/3-A", "attack 43"):
        assert read(g, "coalition", text).action is None
    with pytest.raises(IllegalAction):
        read(g, "coalition", "lead 1/3-b")
    order(g, "coalition", "roll")
    assert read(g, "coalition" if "coalition" in owed(g) else "insurgent", "cp done").action is None


def test_nonsense_is_refused_with_what_is_possible(board: Any) -> None:
    g = board({"24": ["1/8-A"], "45": ["C1", "C2"]}, (24,), side="insurgent")
    with pytest.raises(Unreadable, match="not an order"):
        read(g, "insurgent", "frobnicate")
    two = board({"24": ["1/8-A"], "26": ["1/8-B"]}, (24, 26))
    with pytest.raises(Ambiguous, match="where"):
        read(two, "coalition", "area")
    assert read(g, "insurgent", "org 45").action == ("org", 45, 2)
    assert read(g, "insurgent", "org jolan park 1").action == ("org", 45, 1)
    with pytest.raises(IllegalAction):
        read(g, "insurgent", "org 45 7")
    with pytest.raises(IllegalAction):
        read(g, "insurgent", "deflead F1")
    order(g, "insurgent", "area 45")
    order(g, "insurgent", "pick C1")
    g.ins[44] = tuple(range(99, 107))
    with pytest.raises(IllegalAction, match="no room"):
        read(g, "insurgent", "step 44")


def test_set_up_reads_areas_by_number_and_name() -> None:
    g = RULES.start(RULES.setup(), SearchTable(1))
    assert read(g, "insurgent", "put f jolan park").action == ("put", "F", 45)
    assert read(g, "insurgent", "put 45").action == ("put", "F", 45)


@pytest.mark.parametrize(
    ("condition", "true"),
    [
        ("alive(F1)", True),
        ("alive(F9)", False),
        ("fresh(1/8-A)", True),
        ("spent(TK-A)", True),
        ("dug(F1)", True),
        ("control(24)", True),
        ("control(jolan park)", False),
        ("contested(26)", True),
        ("empty(24)", True),
        ("unit(45)", True),
        ("impulse>=5", False),
        ("impulse = 1", True),
        ("turn<2", True),
        ("turn<=1", True),
        ("turn!=1", False),
        ("turn>1", False),
        ("overrun", False),
        ("won", False),
        ("ambush", False),
        ("empty", True),
        ("placed", False),
    ],
)
def test_guards(board: Any, condition: str, true: bool) -> None:
    g = board({"24": ["1/8-A", "TK-A spent"], "26": ["1/8-B", "M1"], "45": ["F1 dug"]}, (24,))
    assert holds(g, condition, ()) is true


def test_guards_read_the_news(board: Any) -> None:
    g = board({})
    result: dict[str, int | str] = {"kind": "attack", "area": 1, "ot": 1, "dt": 1, "points": 0}
    assert holds(g, "tie", [News("combat-result", result)])
    assert holds(g, "won", [News("overrun", {})]) and holds(g, "overrun", [News("overrun", {})])
    assert holds(g, "lost", [News("combat-result", {**result, "points": -2})])
    assert holds(g, "placed", [News("react-militia", {})])
    for wrong in ("raining", "colour=blue"):
        with pytest.raises(Unreadable):
            holds(g, wrong, ())

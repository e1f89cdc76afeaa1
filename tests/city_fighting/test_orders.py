"""What people type, and what it means."""

from typing import Any

import pytest

from games.city_fighting import RULES
from games.city_fighting import tables as t
from games.kernel.errors import Ambiguous, IllegalAction, Unreadable
from games.kernel.orders import parse_standing, standing_answer
from games.kernel.steps import apply, owed
from games.kernel.table import Scripted
from tests.city_fighting.helpers import (
    ENG,
    GUN,
    INF,
    INF_B,
    IRAQI,
    TANK,
    at,
    attempt,
    board,
    fight,
    order,
)


def battle(**more: Any) -> dict[str, Any]:
    return {
        "morale": "high",
        "units": {INF: "2-4", TANK: "2-4", ENG: "2-4", GUN: "2-3"},
        "opfor": ["jih.1", "jih.2"],
        "contested": "2-4",
        "todo": [{"step": "ChooseLead", "fight": fight("2-4", INF, TANK, ENG)}, {"step": "EndOperation"}],
        **more,
    }


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("j1 buy inf.3-1 tank.A2 at N", ["j1", "buy inf.3-1 at N", "buy tank.A2 at N"]),
        ("buy air.1, arty.1 and arty.2", ["buy air.1", "buy arty.1", "buy arty.2"]),
        ("buy inf.3-1 N", ["buy inf.3-1 at N"]),
        ("buy 3/1 Marines at North Base", ["buy 3/1 Marines at North Base"]),
        ("recruit netwar", ["recruit netwar"]),
        ("j3 2-3 take inf.3-1+tank.A2 form go 2-4", ["j3 2-3", "take inf.3-1", "take tank.A2", "form", "go 2-4"]),
        ("go 2-3>2-4>2-5", ["go 2-3", "go 2-4", "go 2-5"]),
        ("go jolan park", ["go jolan park"]),
        ("j3 E take lift.1 inf.1-8 form air 4-5", ["j3 E", "take lift.1", "take inf.1-8", "form", "air 4-5"]),
        (
            "battle lead inf.3-1 netwar strike air.1 arty.5",
            ["lead inf.3-1", "netwar", "strike air.1", "strike arty.5", "done"],
        ),
        ("battle lead inf.3-1", ["lead inf.3-1", "no", "done"]),
        ("battle strike air.1", ["no", "strike air.1", "done"]),
        ("withdraw 2-3 all", ["withdraw 2-3", "take all", "done"]),
        ("withdraw 2-3 inf.2-1 tank.A2", ["withdraw 2-3", "take inf.2-1", "take tank.A2", "done"]),
        ("withdraw 2-3", ["withdraw 2-3"]),
        ("strike none", ["done"]),
        ("isr 2-4 2-4 1-4", ["isr 2-4", "isr 2-4", "isr 1-4"]),
        ("j5 commit netwar.1 netwar.2 done", ["j5", "commit netwar.1", "commit netwar.2", "done"]),
        ("end game", ["end"]),
        ("", [""]),
    ],
)
def test_shorthands_are_lists_of_plain_orders(typed: str, lines: list[str]) -> None:
    assert RULES.expand(typed) == lines


def test_names_suffixes_and_parts_find_their_unit() -> None:
    g = board(units={INF: "3-3", IRAQI: "3-3", TANK: "3-3"})
    order(g, "J3 3-3")
    for typed in ("take usmc.inf.2-1", "TAKE INF.2-1", "take 2/1 Marines", "take 2-1", "take 2/1"):
        assert RULES.read(g, "a", typed).action == ("take", INF), typed
    order(g, "take inf.2-1; form")
    for typed in ("go 3-4", "go to 3-4", "move khulafa", "go Khulafa al-Rashid Mosque"):
        assert RULES.read(g, "a", typed).action == ("go", "3-4"), typed


def test_a_name_that_fits_two_units_is_asked_back() -> None:
    g = board(units={INF: "3-3", "ig.inf.2-1": "3-3"})
    order(g, "j3 3-3")
    with pytest.raises(Ambiguous, match=r"usmc.inf.2-1 or ig.inf.2-1; which"):
        RULES.read(g, "a", "take inf.2-1")


def test_equal_markers_are_not_ambiguous_but_different_ones_are() -> None:
    g = board()
    order(g, "j1")
    assert RULES.read(g, "a", "buy netwar").action == ("buy", "netwar.1")
    with pytest.raises(Ambiguous):
        RULES.read(g, "a", "buy air")


def test_purchases_need_a_place_and_say_so() -> None:
    g = board()
    order(g, "j1")
    with pytest.raises(IllegalAction):
        RULES.read(g, "a", "buy usmc.inf.2-1")
    assert RULES.read(g, "a", "buy 2/1 marines north").action == ("buy", INF, "N")


def test_nonsense_is_unreadable_and_the_impossible_is_refused() -> None:
    g = board(units={INF: "3-3"})
    for typed in ("frobnicate", "", "j3 atlantis"):
        with pytest.raises(Unreadable):
            RULES.read(g, "a", typed)
    with pytest.raises(Unreadable, match="say which"):
        RULES.read(board(units={INF: "3-3", TANK: "4-4"}), "a", "j3")
    with pytest.raises(IllegalAction):
        RULES.read(g, "a", "j3 4-4")
    with pytest.raises(IllegalAction):
        RULES.read(g, "a", "hit inf.2-1")


def test_what_happened_by_itself_is_passed_over() -> None:
    g = board(only=("mil.1",), morale="low", units={INF: "2-2"})
    _, played = attempt(
        g, "j3 2-2; take inf.2-1; form; go 2-3; stop; lead inf.2-1; no; done; continue; stop", 0, 6, 1, 1, 3, 4
    )
    status = [line.status for line in played.lines]
    assert status == ["ok", *["passed over"] * 2, "ok", "ok", *["passed over"] * 4, "ok"]


def test_a_hit_on_a_lone_unit_is_passed_over() -> None:
    g = board(
        units={INF: "2-4", GUN: "2-3"},
        morale="high",
        opfor=["jih.1"],
        contested="2-4",
        strikes={"arty.1": "available"},
        todo=[{"step": "ChooseStrikes", "fight": fight("2-4", INF), "edge": False}, {"step": "EndOperation"}],
        lead=INF,
    )
    _, played = attempt(g, "done; hit inf.2-1; withdraw 2-3 inf.2-1", 1, 6)
    assert [line.status for line in played.lines] == ["ok", "passed over", "ok"]
    assert at(g, INF) == "2-3" and g.kia == -1


def test_take_all_takes_everybody() -> None:
    g = board(units={INF: "3-3", TANK: "3-3", ENG: "3-3"})
    order(g, "j3 3-3; take all; form; go 3-4")
    assert at(g, ENG) == at(g, TANK) == "3-4"


def test_guards_read_the_last_result_and_the_board() -> None:
    g = board(only=("mil.1",), morale="low", units={INF: "2-2", TANK: "4-4"})
    text = "j3 2-2; go 2-3; stop; if lost idle; unless won idle; if ops<10 idle; if won go 2-4; if captured idle"
    _, played = attempt(g, text, 0, 6, 1, 1, 3, 4)
    assert [line.status for line in played.lines] == [*["ok"] * 3, *["skipped"] * 3, "ok", "skipped"]
    assert at(g, INF) == "2-4"


def test_guards_know_dice_words() -> None:
    g = board(**battle())
    table = Scripted(6, 1, 1, 6, 6, 6)
    apply(g, "a", ("lead", INF), table)
    for word, truth in (
        ("edge", True),
        ("hit", True),
        ("miss", False),
        ("reduced", False),
        ("dead", False),
        ("battle", False),
        ("empty", True),
        ("steps>=5", True),
        ("enemies=1", True),
        ("terrain=objective", True),
        ("unit(2-4)", True),
        ("node(2-4)", False),
        ("empty(2-5)", True),
        ("control(2-4)", False),
        ("control(2-3)", False),
        ("alive(tank.A2)", True),
    ):
        assert RULES.holds(g, "a", word, table.news) is truth, word
    for word in ("sunny", "weather=1", "steps=many", "dug(2-4)"):
        with pytest.raises(Unreadable):
            RULES.holds(g, "a", word, table.news)


def test_standing_orders_fight_a_whole_battle() -> None:
    g = board(**battle(strikes={"arty.1": "available"}, netwars={"netwar.1": "available"}))
    standing = [
        rule
        for line in (
            "lead best",
            "netwar never",
            "strikes none",
            "hit order ig*, *eng*, *",
            "continue while steps>=5 else withdraw",
        )
        for rule in parse_standing(RULES, line)
    ]
    # the edge is theirs and both hit; then nobody hits; then they withdraw
    table = Scripted(1, 6, 1, 1, 6, 6)
    seen = []
    for _ in range(12):
        found = standing_answer(RULES, g, owed(g)[0], standing)
        if found is None:
            break
        seen.append(found[1])
        apply(g, owed(g)[0], found[1], table)
    assert seen[:5] == [("lead", INF), ("no",), ("done",), ("hit", ENG), ("hit", ENG)]
    assert seen[5:] == [("withdraw", "2-3"), ("take", INF), ("take", TANK)]
    assert at(g, TANK) == "2-3" and g.opfor == []


def test_other_sugar_is_spelled_out_and_the_rest_left_alone() -> None:
    assert RULES.standing_sugar("netwar always") == ["on netwar do netwar"]
    assert RULES.standing_sugar("commit no strikes") == ["on strikes do done"]
    assert RULES.standing_sugar("continue always") == ["on round do continue"]
    assert RULES.standing_sugar("continue while steps>=4 else ask") == ["on round if steps>=4 do continue"]
    assert RULES.standing_sugar("adv never") is None


def test_canonical_lines_use_the_words_at_and_to() -> None:
    g = board()
    assert RULES.say(g, ("buy", INF, "N")) == "buy usmc.inf.2-1 at N"
    assert RULES.say(g, ("buy", "air.1")) == "buy air.1"
    assert RULES.say(g, ("leader", "leader.A", INF)) == "leader leader.A to usmc.inf.2-1"
    assert RULES.say(g, ("leader", "leader.A", "none")) == "leader leader.A none"
    assert RULES.say(g, ("j4", "fob", "3-7")) == "j4 fob 3-7"


def test_a_bare_withdraw_prefers_a_base() -> None:
    g = board(
        units={INF: "4-2", GUN: "4-3", TANK: "4-2"},
        morale="high",
        opfor=["jih.1"],
        contested="4-2",
        todo=[{"step": "StandOrWithdraw", "fight": fight("4-2", INF, TANK)}, {"step": "EndOperation"}],
    )
    assert RULES.read(g, "a", "withdraw").action == ("withdraw", "N")


def test_the_worked_compound_orders_are_read() -> None:
    g = board(ops=40)
    order(
        g,
        "J1; BUY usmc.inf.3-1 AT N; BUY usmc.inf.3-5 AT N; BUY usmc.tank.A2 AT N; BUY arty.1; BUY arty.2; "
        "BUY air.1; DONE",
    )
    assert g.ops == 40 - 1 - 5
    g = board(
        units={ENG: "3-7", INF_B: {"at": "3-7", "reduced": True}},
        netwars={"netwar.1": "available", "netwar.2": "available"},
    )
    order(g, "J4 FOB 3-7; J4 REFIT 3-7; J5; COMMIT netwar.1; COMMIT netwar.2; DONE", 3, 4)
    assert g.ops == 65 - 3 - 1 - 1 + 3 and not any(g.reduced)
    assert t.ASIDE in g.netwar

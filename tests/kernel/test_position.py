"""Position files: what they lead to, and how a result is compared with what is expected."""

from typing import Any

import pytest

from games.kernel.errors import ChanceRanOut
from games.kernel.position import differences, run_position
from games.kernel.ruleset import Ruleset
from tests.kernel.toy import TOY

POSITION = {
    "todo": [["Round"], ["Window", "blue"], ["Bid", "red"]],
    "hidden": {},
    "coins": {"red": 6, "blue": 6},
    "log": [],
}


def find(key: str) -> Ruleset:
    return TOY


def run(*orders: tuple[str, str], chance: list[int] | None = None, **more: Any) -> dict[str, Any]:
    told = [{"seat": seat, "text": text} for seat, text in orders]
    return run_position(find, {"ruleset": "toy", "position": POSITION, "orders": told, "chance": chance or [], **more})


def test_a_result_says_everything_and_nothing_else() -> None:
    result = run(("red", "bid 3"), chance=[4])
    assert list(result) == ["applied", "refused", "owed", "legal", "position", "news", "chance_left", "outcome"]
    assert (result["applied"], result["refused"], result["owed"]) == (1, None, ["blue"])
    assert result["legal"] == {"blue": ["decline", "peek"]}
    assert result["position"]["coins"]["red"] == 3
    assert result["news"] == ["bid: coins 3"] and result["chance_left"] == [4] and result["outcome"] is None


def test_playing_stops_at_the_first_refusal() -> None:
    result = run(("red", "bid 9"), ("red", "bid 1"))
    assert result["applied"] == 0 and result["refused"]["code"] == "illegal-action"
    assert result["refused"]["order"] == "bid 9" and "try bid 1" in result["refused"]["text"]
    assert run(("red", " ; "))["refused"]["code"] == "unreadable"
    assert run(("blue", "peek"))["refused"]["code"] == "not-your-decision"
    late = run(("red", "bid 3; bid 1"))
    assert late["applied"] == 1 and late["refused"]["code"] == "not-played"


def test_a_game_that_is_over_says_its_outcome() -> None:
    over = {"todo": [["Window", "blue"]], "hidden": {}, "coins": {"red": 6}, "log": [], "rounds": 3}
    result = run_position(find, {"ruleset": "toy", "position": over, "orders": [{"seat": "red", "text": "pass"}]})
    assert result["outcome"]["result"] == "draw" and result["refused"]["code"] == "match-over"
    assert differences(result, {"outcome": {"result": "draw"}}) == []


def test_without_a_position_the_game_is_opened() -> None:
    assert run_position(find, {"ruleset": "toy"})["owed"] == ["red", "blue"]


def test_chance_that_runs_out_names_the_roll_and_the_order() -> None:
    with pytest.raises(ChanceRanOut, match=r"roll-over: A roll was wanted \(d6, 1 to 6\)"):
        run(("red", "roll-over"))


def test_differences_are_told_one_by_one() -> None:
    result = run(("red", "bid 3"))
    expect = {
        "position": {"coins": {"red": 4, "blue": 6}},
        "legal": {"blue": ["peek", "bid 1"]},
        "illegal": {"blue": ["decline", "bid 2"]},
        "news": ["coins 3", "thunder"],
        "refused": "illegal-action",
        "applied": 2,
        "weather": 1,
    }
    wrong = differences(result, expect)
    assert [line.split(":")[0].split()[0] for line in wrong] == [
        "position.coins.red",
        "legal",
        "illegal",
        "news",
        "refused",
        "applied",
        "weather",
    ]
    assert differences(result, {"refused": None, "applied": 1, "illegal": {"red": ["pass"]}}) == []

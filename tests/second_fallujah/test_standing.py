"""Standing orders: windows that cost no day."""

from typing import Any

import pytest

from games.kernel.errors import Unreadable
from games.kernel.orders import parse_standing, standing_answer
from games.kernel.steps import apply, owed, settle
from games.kernel.table import Scripted, SearchTable
from games.second_fallujah import RULES
from games.second_fallujah.standing import sugar
from tests.second_fallujah.handoffs import default_orders, play, runs


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (
            "react 45: F dig; C militia here",
            [
                "on reaction in 45 do r dig F@here",
                "on reaction in 45 do r militia C@here here",
                "on reaction in 45 do r done",
            ],
        ),
        ("react none 17", ["on reaction in 17 do r done"]),
        (
            "react *: C adj militia there if entry<4; F retreat if tem<2 else dig",
            [
                "on reaction if entry<4 do r militia C@adj there",
                "on reaction if tem<2 do r retreat F@here any",
                "on reaction do r dig F@here",
                "on reaction do r done",
            ],
        ),
        ("recon withdraw always", ["on recon do withdraw all; stay"]),
        ("recon withdraw never", ["on recon do stay"]),
        ("recon withdraw if f", ["on recon if placed=f do withdraw all; stay", "on recon do stay"]),
        ("adv never", ["on advantage do adv no"]),
        ("adv ask", []),
        ("adv ask if swing>=2", ["on advantage if swing<2 do adv no"]),
        ("adv reroll if cp>=4", ["on advantage if cp>=4 do adv reroll"]),
        ("adv auto +1 att if tie", ["on advantage if margin=0 do adv +1 att"]),
        ("deflead prefer dug", ["on deflead do deflead F!@here; deflead F@here"]),
        ("deflead prefer iraqi", ["on ourlead do deflead iraqi"]),
        (
            "cp order M, flip F, retreat F to 39,*, kill C",
            [
                "on casualties do cp m kill; cp f spent; cp f retreat 39; cp f retreat any; cp c kill",
                "on retreat do cp any retreat any",
            ],
        ),
        ("cp bot", ["on casualties do cp bot", "on retreat do cp bot"]),
        ("rg none", ["on regroup do done"]),
        ("keep prefer F", ["on reset do keep F-@here; keep C-@here"]),
    ],
)
def test_sugar_stands_for_general_rules(short: str, long: list[str]) -> None:
    assert sugar(short) == long
    parse_standing(RULES, short)


@pytest.mark.parametrize(
    "wrong",
    [
        "react 45: dance",
        "react none 4: F dig",
        "recon maybe",
        "adv sometimes",
        "deflead prefer me",
        "cp now",
        "cp order dance",
        "rg all",
        "keep prefer X",
    ],
)
def test_wrong_sugar_is_refused_with_the_form(wrong: str) -> None:
    with pytest.raises(Unreadable, match="write"):
        sugar(wrong)


def test_what_is_no_sugar_is_left_alone() -> None:
    assert sugar("on reaction do r done") is None


def answer(g: Any, seat: str, *texts: str) -> Any:
    orders = [order for text in texts for order in parse_standing(RULES, text)]
    found = standing_answer(RULES, g, seat, orders)
    return found and found[1]


def test_a_reaction_runs_through_its_clauses(board: Any) -> None:
    g = board({"24": ["C1", "F1"], "19": ["C2"]}, (25,))
    table = SearchTable(1)
    for action in (("zone", "NE"), ("pick", "1/8-A"), ("pick", "TK-A"), ("step", 24)):
        apply(g, "coalition", action, table)
    said = []
    while owed(g) == ("insurgent",):
        said.append(answer(g, "insurgent", *RULES.standing_defaults["insurgent"]))
        apply(g, "insurgent", said[-1], table)
    assert said == [("r", "dig", "F1"), ("r", "militia", "C1", 24), ("r", "militia", "C2", 24)]


def test_an_iraqi_leads_the_defence_by_default(board: Any) -> None:
    g = board({"26": ["MP-B", "ERU", "M1"]}, todo=[{"step": "InsurgentAttack", "unit": "M1", "area": 26}])
    table = Scripted(6, 6, 1, 1)
    settle(g, table)
    assert answer(g, "coalition", *RULES.standing_defaults["coalition"]) == ("deflead", "ERU")
    apply(g, "coalition", ("deflead", "ERU"), table)
    assert g.backlash == 1


def test_retreats_go_where_the_order_says(board: Any) -> None:
    cas = [{"step": "Casualties", "area": 45, "points": 1, "lead": "F1"}]
    g = board({"45": ["F1 spent"]}, todo=cas)
    settle(g, SearchTable(1))
    assert answer(g, "insurgent", "cp order M, retreat F; retreat to 46,*") == ("cp", "F1", "retreat", 46)


def test_keep_prefers(board: Any) -> None:
    g = board({"40": ["F1 dug", "F2 dug", "F3 dug", "F4 spent", "C1 spent", "C2 spent"]}, todo=["Reset"])
    settle(g, SearchTable(1))
    assert answer(g, "insurgent", "keep prefer F") == ("keep", "F4")
    assert answer(g, "insurgent", "keep prefer C") == ("keep", "C1")


def test_recon_withdraws_by_standing_order(board: Any) -> None:
    window = {"step": "ReconWindow", "area": 26, "origin": 25, "group": ["LAR-C1"]}
    g = board({"26": ["LAR-C1", "F1"]}, todo=[window])
    assert answer(g, "coalition", "recon withdraw always") == ("withdraw", "LAR-C1")
    assert answer(g, "coalition", "recon withdraw if F") == ("withdraw", "LAR-C1")
    assert answer(g, "coalition", "recon withdraw never") == ("stay",)


def test_runs_count_changes_of_hand() -> None:
    assert runs(["a", "a", "b", "a"]) == 3


@pytest.mark.parametrize(
    "bots",
    [{"coalition": "planner", "insurgent": "defender"}, {"coalition": "random", "insurgent": "random"}],
    ids=["planner", "random"],
)
def test_windows_add_little_to_the_hand_offs(bots: dict[str, str]) -> None:
    """With the default standing orders at most 15 % more than the impulses need anyway."""
    games = [play(seed, bots)[:2] for seed in range(2)]
    assert sum(all_of for all_of, _ in games) <= 1.15 * sum(needed for _, needed in games)


def test_default_orders_can_be_read() -> None:
    assert all(default_orders().values())

"""Prompts, descriptions, odds, news, text and pictures."""

import random
from xml.etree import ElementTree

import pytest

from games.bots.registry import find_bot
from games.city_fighting import RULES, words
from games.city_fighting import tables as t
from games.city_fighting.board import Board
from games.kernel.ruleset import Scene, fresh
from games.kernel.steps import apply, legal, owed, question
from games.kernel.table import News, SeededTable
from tests.city_fighting.helpers import ENG, FORCE_RECON, GUN, INF, LIFT, TANK, board, fight, order


def say(g: Board, action: tuple[str, ...]) -> str:
    return RULES.describe(g, "a", action)


def test_actions_are_said_as_a_person_would() -> None:
    g = board(units={"usmc.inf.3-1": "2-3"})
    order(g, "j3 2-3")
    assert say(g, ("go", "2-4")) == "3/1 Marines move to 2-4 (Jolan)"
    g = board(units={GUN: "N", FORCE_RECON: "3-3", "usmc.aav.2": "1-6"}, nodes={"3-4": "node.c2.1"})
    order(g, "j3 N")
    assert say(g, ("air", "4-5")) == "Gunship 1 flies to 4-5 (Government Center)"
    order(g, "air S; j3 3-3")
    assert say(g, ("infil", "3-4")) == "Force Recon (FR) slips through the node in 3-4 (Khulafa al-Rashid Mosque)"
    assert RULES.odds(g, "a", ("infil", "3-4")) == "83 %"
    assert RULES.odds(g, "a", ("go", "3-4")) == ""


def test_purchases_name_price_and_place() -> None:
    g = board()
    order(g, "j1")
    assert say(g, ("buy", INF, "N")) == "Buy 2/1 Marines 3(3)3 to North Base for 1 OP"
    assert say(g, ("buy", "arty.1")) == "Buy Artillery 1 for 1/4 OP"
    assert say(g, ("buy", "netwar.1")) == "Buy NetWar 1 for 1/2 OP"
    assert "65 OPs" in RULES.prompt(fresh(RULES, 1), "a") or "64 OPs" in RULES.prompt(fresh(RULES, 1), "a")
    assert words.quarters(9) == "2 1/4 OPs" and words.quarters(0) == "0 OP"


def test_the_chance_of_the_edge_is_told() -> None:
    units = {"usmc.inf.3-1": "2-4", TANK: "2-4", ENG: "2-4"}
    g = board(
        units=units,
        morale="high",
        opfor=["jih.4", "mil.3"],
        contested="2-4",
        netwars={"netwar.1": "available"},
        todo=[{"step": "ChooseLead", "fight": fight("2-4", *units)}, {"step": "EndOperation"}],
    )
    chances = [RULES.odds(g, "a", action) for action in legal(g, "a")]
    assert chances == ["58 %", "28 %", "42 %"]
    order(g, "lead inf.3-1")
    assert RULES.odds(g, "a", ("no",)) == "58 %" and RULES.odds(g, "a", ("netwar", "netwar.1")) == "72 %"
    assert say(g, ("netwar", "netwar.1")) == "Use NetWar 1"


def test_reconnaissance_odds_grow_with_each_marker() -> None:
    g = board(nodes={"2-4": "node.c2.1"}, netwars={"netwar.1": "available", "netwar.2": "available"})
    order(g, "j2")
    assert RULES.odds(g, "a", ("isr", "2-4")) == "67 %"
    order(g, "isr 2-4")
    assert RULES.odds(g, "a", ("isr", "2-4")) == "89 %"


def test_every_action_of_a_withdrawal_has_words_and_a_rule() -> None:
    g = board(
        units={INF: "2-4", LIFT: "2-4", GUN: "2-3"},
        morale="high",
        opfor=["jih.1"],
        contested="2-4",
        todo=[{"step": "Withdraw", "fight": fight("2-4", INF, LIFT), "to": "2-3"}, {"step": "EndOperation"}],
    )
    assert say(g, ("take", INF)) == "2/1 Marines withdraws to 2-3 (Martyrs Cemetery)"
    assert say(g, ("evac", LIFT, INF, "N")) == "Transport 1 flies 2/1 Marines out to North Base"
    assert RULES.cite(g, ("evac", LIFT, INF, "N")) == "16.9" and RULES.cite(g, ("take", INF)) == "16.7"
    assert "Withdrawal from 2-4 (Jolan), round 1" in RULES.prompt(g, "a")


def test_the_rest_of_the_menu_has_words_and_rules() -> None:
    g = board({"networked": True, "interdiction": True})
    for action, rule in (
        (("j4", "fob", "3-7"), "18.5"),
        (("j4", "bridge", "main"), "18.4"),
        (("j4", "refit", "N"), "18.1"),
        (("netops", "2-4"), "32.0"),
        (("interdict", "2-4"), "33.0"),
        (("j1",), "11.0"),
        (("j3", "N"), "10.1"),
        (("pass",), "35.0"),
    ):
        assert RULES.cite(g, action) == rule and say(g, action)
    assert say(g, ("j4", "bridge", "main")) == "J-4: repair the Main Bridge"
    assert say(g, ("leader", "leader.A", "none")) == "Leader A rests"


def test_prompts_name_what_is_asked() -> None:
    g = board({"networked": True}, units={INF: "2-3", GUN: "N"}, netwars={"netwar.1": "available"})
    order(g, "netops 2-4")
    assert RULES.prompt(g, "a") == "Networked operation against 2-4 (Jolan): another force?"
    g = board({"interdiction": True}, nodes={"2-4": {"id": "node.c2.1", "up": True}}, strikes={"air.1": "available"})
    order(g, "interdict 2-4")
    assert RULES.prompt(g, "a") == "Interdiction of 2-4 (Jolan): which air strikes?"
    g = board(units={INF: "3-3", TANK: "3-3"}, over="")
    order(g, "j3 3-3; take inf.2-1")
    assert "with 2/1 Marines" in RULES.prompt(g, "a")


def test_the_seats_have_names() -> None:
    assert [RULES.seat_name(seat) for seat in "ab"] == ["Coalition A", "Coalition B"]


@pytest.mark.parametrize("key", sorted(words._NEWS))
def test_no_sentence_of_the_news_ends_without_a_stop(key: str) -> None:
    facts: dict[str, int | str] = {
        "item": INF,
        "place": "2-4",
        "origin": "N",
        "seat": "a",
        "ops": 3,
        "price": 1,
        "die": 6,
        "node": "node.c2.1",
        "dice": "1 2",
        "net": -1,
        "count": 2,
        "why": "media",
        "unit": INF,
        "bridge": "main",
        "contact": 4,
        "units": INF,
        "total": 9,
        "held": 2,
        "morale": "low",
        "counter": "mil.1",
        "round": 1,
        "lead": INF,
        "ours": 3,
        "our_die": 2,
        "theirs": 4,
        "their_die": 1,
        "edge": "opfor",
        "strength": 0,
        "hits": 2,
        "shots": f"{INF}:3:2 air.1:3:6",
        "losses": 1,
        "helo": LIFT,
        "leader": "leader.A",
        "scenario": "phantom",
        "vp": 5,
        "degree": "Stalemate",
        "kia": -3,
    }
    sentence = RULES.narrate(News(key, facts))
    assert sentence.endswith((".", "!")) and "{" not in sentence and not sentence[0].islower()


# --- pictures ------------------------------------------------------------------------------------------


def scenes(seed: int, options: dict[str, object]) -> list[Scene]:
    """Some moments of a bot's game, each kind of question at least once."""
    bot = find_bot("city_fighting", "operator")
    g = fresh(RULES, seed, options)
    seen: dict[str, int] = {}
    recent: list[News] = []
    found = []
    table = SeededTable(seed)
    while owed(g):
        seat = owed(g)[0]
        kind = type(question(g)).__name__
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] in (1, 9):
            actions = tuple(legal(g, seat))
            numbers = {action: number for number, action in enumerate(actions[:20], 1)}
            for crop, theme in ((False, "light"), (True, "dark")):
                found.append(
                    Scene(RULES.view(g, seat), seat, actions, numbers, tuple(recent), theme, crop, "", "match 9")
                )
        start = len(table.news)
        apply(g, seat, bot.choose(RULES, g, seat, random.Random(seed)).action, table)
        recent = [*recent, *table.news[start:]][-16:]
    found.append(Scene(RULES.view(g, None), None, recent=tuple(recent)))
    return found


def test_pictures_are_sound_at_every_kind_of_question() -> None:
    for scene in scenes(4, {"scenario": "phantom"}):
        svg = RULES.picture(scene)
        root = ElementTree.fromstring(svg)
        assert root.attrib["width"] == ("720" if scene.crop else "1200")
        if not scene.crop:
            for word in t.SPACE_IDS:
                assert f">{word}</text>" in svg


def test_a_picture_shows_the_battle_with_its_dice() -> None:
    g = board(
        units={INF: {"at": "2-4", "leader": "leader.A"}, TANK: "2-4", GUN: "2-4"},
        morale="high",
        opfor=["jih.1", "ev.mob_attack.1", "hvt.1"],
        contested="2-4",
        helicopter="2-4",
        nodes={"2-4": {"id": "node.c2.1", "up": True}},
        blown=["main"],
        todo=[{"step": "StandOrWithdraw", "fight": fight("2-4", INF, TANK, GUN)}, {"step": "EndOperation"}],
    )
    recent = (
        News("edge", {"ours": 3, "our_die": 2, "theirs": 4, "their_die": 1, "edge": "opfor", "place": "2-4"}),
        News("opfor-fire", {"place": "2-4", "shots": "jih.1:3:2 hvt.1:1:6", "hits": 1}),
        News("reduced", {"unit": INF}),
        News("fire", {"place": "2-4", "shots": f"{INF}:3:2 air.1:3:6", "hits": 1, "losses": 1}),
        News("killed", {"counter": "mil.1"}),
    )
    for crop in (False, True):
        svg = RULES.picture(Scene(RULES.view(g, "a"), "a", tuple(legal(g, "a")), {}, recent, "light", crop))
        assert "1 destroyed, 1 step lost" in svg and "3 + 2 = 5" in svg


def test_a_picture_never_holds_a_concealed_node() -> None:
    g = board(units={INF: "2-3"}, nodes={"2-4": "node.c2.1", "4-5": "node.al_qaeda.1"})
    svg = RULES.picture(Scene(RULES.view(g, "a"), "a", tuple(legal(g, "a"))))
    other = board(units={INF: "2-3"}, nodes={"2-4": "node.ied.1", "4-5": "node.strongpoint.1"})
    assert svg == RULES.picture(Scene(RULES.view(other, "a"), "a", tuple(legal(other, "a"))))
    assert RULES.picture_alt(Scene(RULES.view(g, "a"), "a"))


def test_the_text_board_tells_battle_bridges_and_boxes() -> None:
    g = board(
        units={INF: {"at": "2-4", "reduced": True}, TANK: "eliminated", GUN: "2-4"},
        morale="high",
        opfor=["jih.1", "ev.mob_attack.1"],
        hvt_dead=["hvt.1"],
        contested="2-4",
        blown=["main"],
        helicopter="3-3",
        strikes={"air.1": "committed", "air.2": "available"},
        captured=["node.c2.1", "node.c2.2"],
        todo=[
            {"step": "TakeHits", "fight": fight("2-4", INF, GUN), "hits": 1},
            {"step": "EndOperation"},
        ],
    )
    text = RULES.text_board(RULES.view(g, "a"), "a")
    for part in (
        "BATTLE in 2-4 Jolan, round 1",
        "Hits to take: 1",
        "Eliminated: usmc.tank.A2",
        "Blown: Main Bridge",
        "Downed helicopter: 3-3",
        "Committed: air.1",
        "Captured: 2 C2",
        "usmc.inf.2-1 2(2)3 reduced",
        "Mob Attack",
        "High value targets eliminated: hvt.1",
    ):
        assert part in text, part

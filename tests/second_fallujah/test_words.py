"""Sentences, text boards and pictures."""

import random
from typing import Any

import pytest

from games.bots.registry import find_bot
from games.kernel.ruleset import Scene
from games.kernel.steps import apply, legal, owed, question
from games.kernel.table import News, SeededTable
from games.second_fallujah import RULES
from games.second_fallujah.words import _NEWS, area_words


def game(seed: int, solitaire: bool = True) -> Any:
    """Every position of a game between bots with its news, as they come."""
    rng = random.Random(seed)
    table = SeededTable(rng)
    g = RULES.start(RULES.setup({"solitaire": solitaire}), table)
    bots = {"coalition": find_bot(RULES.key, "planner"), "insurgent": find_bot(RULES.key, "defender")}
    while owed(g):
        yield g, list(table.news)
        seat = owed(g)[0]
        choice = bots[seat].choose(RULES, g, seat, rng)
        table = SeededTable(rng)
        apply(g, seat, choice.action, table)
    yield g, list(table.news)


@pytest.mark.parametrize("solitaire", [False, True])
def test_every_position_of_a_game_between_bots_can_be_told(solitaire: bool) -> None:
    asked = set()
    for g, news in game(3, solitaire):
        for piece in news:
            sentence = RULES.narrate(piece)
            assert sentence[0].isupper() or sentence[0].isdigit()
            assert sentence.endswith(".")
        if owed(g):
            seat = owed(g)[0]
            asked.add(type(question(g)).__name__)
            assert RULES.prompt(g, seat).endswith((".", "?"))
            for action in legal(g, seat)[:20]:
                assert RULES.describe(g, seat, action) and RULES.cite(g, action)
    assert RULES.prompt(g, "coalition") == "The game is over."
    assert {"CoalitionImpulse", "Activation", "Regroup"} <= asked


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ({"step": "Friction", "area": 45}, "Only five Fresh"),
        ({"step": "KeepSpent", "area": 45, "count": 1}, "Only five Fresh"),
        ({"step": "RetreatChoice", "area": 45, "units": ["F1"]}, "F1 must retreat from 45 Jolan Park"),
        ({"step": "CoalitionLeadChoice", "unit": "M1", "area": 45}, "M1 attacks"),
        (
            {"step": "LeadDefenderChoice", "kind": "attack", "area": 45, "ov": 6, "force": ["1/8-A"], "river": False},
            "OV 6",
        ),
        ({"step": "ReconWindow", "area": 45, "origin": 24, "group": ["LAR-C1"]}, "withdraw"),
        ({"step": "PlanAttack", "area": 45, "force": ["1/8-A"], "boats": True}, "riverine in support; choose"),
        ({"step": "PlanAttack", "area": 45, "force": ["1/8-A"], "leader": "1/8-A"}, "led by 1/8-A, OV 4; roll"),
        (
            {"step": "AdvantageWindow", "kind": "phase", "area": 0, "ov": 0, "dv": 0, "lead": None},
            "the Action Phase ends",
        ),
        (
            {"step": "AdvantageWindow", "kind": "attack", "area": 45, "ov": 6, "dv": 6, "lead": "F1"},
            "stalls",
        ),
        (
            {"step": "AdvantageWindow", "kind": "strike", "area": 45, "ov": 6, "dv": 7, "lead": "1/8-A"},
            "the attack fails",
        ),
        ({"step": "AdvantageWindow", "kind": "fire", "area": 45, "ov": 6, "dv": 7, "lead": "F1"}, "no effect"),
        (
            {"step": "AdvantageWindow", "kind": "attack", "area": 45, "ov": 6, "dv": 7, "lead": "F1"},
            "repulsed",
        ),
    ],
)
def test_prompts(board: Any, step: dict[str, Any], says: str) -> None:
    g = board({"45": ["F1", "M1", "1/8-A"]}, todo=[step], att=4, dfn=4, impulse=6)
    assert says in RULES.prompt(g, "coalition")


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (("cp", "F1", "retreat", "none"), "nowhere"),
        (("cp", "F1", "retreat", 40), "retreats to 40"),
        (("cp", "F1", "spent"), "Spent"),
        (("cp", "F1", "kill"), "eliminated"),
        (("cp", "done"), "all points"),
        (("adv", "reroll"), "again"),
        (("adv", "+1", "end"), "phase roll +1"),
        (("r", "done"), "no more"),
        (("r", "dig", "F1"), "digs in"),
        (("unput", "F", 45), "take back"),
        (("fire", 42), "a mosque"),
        (("keep", "F1"), "stays Spent"),
        (("pick", "1/8-A"), "1st Battalion/8th Marine Regiment"),
    ],
)
def test_actions_in_words(board: Any, action: Any, says: str) -> None:
    g = board({"45": ["F1", "M1", "1/8-A"]})
    assert says in RULES.describe(g, "insurgent", action)


def test_rare_news_is_told_too() -> None:
    assert RULES.narrate(News("friction", {"unit": "F1", "area": 45})).startswith("F1 in 45 Jolan Park")
    told: dict[str, int | str] = {"seat": "coalition", "use": "reroll", "roll": "", "now": 0}
    assert RULES.narrate(News("advantage", told)) == "The Coalition uses the Advantage to roll all dice again."
    assert RULES.narrate(News("kept-spent", {"unit": "F1", "area": 45})).endswith("the limit.")
    assert area_words("NW") == "the NW Entry Zone" and area_words("x") == "x"
    assert len(_NEWS) > 40


def test_the_text_board_says_everything(board: Any) -> None:
    g = board({"24": ["1/8-A", "TK-A spent", "F1 dug", "M1", "M2"]}, (25,), phase="regroup")
    text = RULES.text_board(RULES.view(g, None), None)
    assert "24m2 * Askari West         1/8-A TK-A- | F! M2" in text
    assert "Empty, Coalition: 25" in text and "regroup" in text
    assert all(len(line) <= 72 for line in text.splitlines()) and text.isascii()


def scenes() -> Any:
    news: list[News] = []
    for g, fresh in game(5):
        news = [*news, *fresh][-30:]
        keys = {piece.key for piece in news}
        if g.turn >= 2 and {"combat-roll", "strike-roll"} & keys and owed(g):
            acts = tuple(legal(g, "coalition"))
            yield Scene(
                RULES.view(g, "coalition"), "coalition", acts, dict(zip(acts, range(1, 9), strict=False)), tuple(news)
            )


def test_pictures_are_drawn_in_both_themes_and_cropped() -> None:
    found = scenes()
    for count, scene in enumerate(found):
        for theme in ("light", "dark"):
            for crop in (True, False):
                if crop is False and count % 12:
                    continue
                picture = RULES.picture(
                    Scene(scene.view, scene.seat, scene.legal, scene.numbers, scene.recent, theme, crop)
                )
                assert picture.startswith("<svg") and picture.endswith("</svg>")
        assert scene.view["score"]["total"] and "victory points" in RULES.picture_alt(scene)
        if count == 36:
            break
    assert count >= 12


def test_a_picture_of_the_opening_and_of_the_end(board: Any) -> None:
    g = RULES.start(RULES.setup(), SeededTable(1))
    scene = Scene(RULES.view(g, "insurgent"), "insurgent", tuple(legal(g, "insurgent")), heading="Set-up")
    assert "Set-up" in RULES.picture(scene)
    g = board({}, tuple(range(1, 52)), phase="over", todo=[])
    assert "the battle is over" in RULES.picture(Scene(RULES.view(g, None), None))
    g = board({"24": ["1/8-A"]}, (24,), todo=["Activation"], running={"origin": "24"})
    assert RULES.picture(Scene(RULES.view(g, None), None, (("pick", "1/8-A"),), crop=True))
    g = board({}, (), todo=["Activation"], running={"origin": "NE"})
    assert RULES.picture(Scene(RULES.view(g, None), None, (("r", "retreat", "F1", 23),), crop=True))


def test_an_unopposed_fire_mission_and_results_are_drawn(board: Any) -> None:
    g = board({"26": ["1/8-A", "F1"]})
    roll: dict[str, int | str] = {"kind": "fire", "area": 26, "defender": "F1", "face": "fresh", "ov": 8, "dv": 4}
    dice = {"a1": 1, "a2": 1, "d1": 2, "d2": 2}
    for points, kind in ((-2, "fire"), (0, "attack"), (-1, "attack"), (3, "attack")):
        result: dict[str, int | str] = {"kind": kind, "area": 26, "ot": 10, "dt": 10 - points, "points": points}
        news = (
            News("fire-mission", {"area": 26}),
            News("combat-roll", {**roll, **dice}),
            News("combat-result", result),
        )
        assert RULES.picture(Scene(RULES.view(g, None), None, (), {}, news))

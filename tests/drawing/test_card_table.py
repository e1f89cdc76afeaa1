"""The card table: drawn from the view alone, marking what may be chosen and what has just happened."""

import random
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from games.card_assault import RULES
from games.card_assault.board import Board
from games.card_assault.faces import TYPE_COLOURS, draw_card, glyph_of
from games.card_assault.staging import dice_of, lit
from games.card_assault.tables import IDS
from games.card_assault.view import card_view
from games.drawing import LIGHT, Drawing, to_png
from games.drawing.symbols import GLYPH_SHAPES, SYMBOLS
from games.drawing.type import GLYPHS, width_of
from games.kernel.ruleset import Scene
from games.kernel.steps import Action, apply, legal, owed
from games.kernel.table import News, SeededTable

FORMS = [("light", False), ("dark", False), ("light", True), ("dark", True)]


def played(seed: int, every: int = 1) -> Iterator[tuple[Board, SeededTable, tuple[News, ...]]]:
    """States of a random game with the news that led to each."""
    rng, table = random.Random(seed), SeededTable(random.Random(seed))
    g = RULES.start(RULES.setup({}), table)
    told = len(table.news)
    yield g, table, tuple(table.news)
    step = 0
    while owed(g) and step < 120:
        options = [action for action in legal(g, owed(g)[0]) if action[0] != "end"]
        apply(g, owed(g)[0], rng.choice(options), table)
        step += 1
        if step % every == 0:
            yield g, table, tuple(table.news[told:])
            told = len(table.news)


def scene(
    g: Board, news: tuple[News, ...] = (), theme: str = "light", crop: bool = False, ballot: bool = True
) -> Scene:
    actions: tuple[Action, ...] = tuple(legal(g, owed(g)[0])) if owed(g) else ()
    numbers = {action: at + 1 for at, action in enumerate(actions)} if ballot else {}
    return Scene(RULES.view(g, None), "american", actions, numbers, news, theme, crop)


def words_of(picture: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize(("theme", "crop"), FORMS)
def test_a_whole_game_is_drawn(theme: str, crop: bool) -> None:
    for g, _, news in played(3, every=4):
        shown = scene(g, news[-8:], theme, crop)
        picture = RULES.picture(shown)
        assert picture == RULES.picture(shown)
        assert all(GLYPHS.issuperset(words) for words in words_of(picture))


@pytest.mark.parametrize("crop", [False, True])
def test_no_words_run_out_of_the_picture(crop: bool) -> None:
    for g, _, news in played(5, every=6):
        root = ElementTree.fromstring(RULES.picture(scene(g, news[-8:], crop=crop)))
        for node in root.findall("{http://www.w3.org/2000/svg}text"):
            face = "mono" if "Mono" in node.get("font-family", "") else "condensed"
            wide = width_of(node.text or "", float(node.get("font-size", 0)), int(node.get("font-weight", 0)), face)
            share = {"middle": 0.5, "end": 1.0}.get(node.get("text-anchor", "start"), 0.0)
            left = float(node.get("x", 0)) - wide * share
            assert left >= 0 and left + wide <= float(root.get("width", 0)), node.text


@pytest.mark.parametrize("crop", [False, True])
def test_hidden_cards_leave_no_trace(crop: bool) -> None:
    differed = 0
    for g, table, news in played(8, every=5):
        other = RULES.imagine(g, None, table)
        differed += RULES.position(g) != RULES.position(other)
        assert RULES.picture(scene(g, news, crop=crop)) == RULES.picture(scene(other, news, crop=crop))
    assert differed > 3


@pytest.mark.parametrize("crop", [False, True])
def test_every_card_face_up_is_named(crop: bool) -> None:
    for g, _, _ in played(2, every=9):
        words = " ".join(words_of(RULES.picture(scene(g, crop=crop))))
        for card in RULES.view(g, None)["hand"]:
            assert str(card["name"]).split()[0] in words


def test_ballot_numbers_stand_on_the_picture() -> None:
    seen = 0
    for g, _, _ in played(4, every=3):
        shown = scene(g)
        if len(shown.legal) > 9:
            continue
        words = words_of(RULES.picture(shown))
        assert all(str(number) in words for number in shown.numbers.values())
        seen += 1
    assert seen > 3


def test_without_a_question_nothing_is_yellow() -> None:
    g, _, _ = next(played(1))
    view = RULES.view(g, None)
    assert LIGHT.choose not in RULES.picture(Scene(view, None))


def test_targets_are_sorted_by_where_they_are_shown() -> None:
    actions: tuple[Action, ...] = (
        ("put", "G.infantry.1", 2),
        ("disarm", "D.robot.1", "X.car_bomb.1"),
        ("discard", "A.humvee.1"),
        ("done",),
    )
    found = lit(Scene({}, None, actions, {actions[1]: 7}))
    assert found.fronts == {2: [(0, "G.infantry.1")]}
    assert found.cards == {"X.car_bomb.1": [7], "A.humvee.1": [0]}
    assert found.hand == {"G.infantry.1", "D.robot.1"}
    assert found.buttons == [("done", 0)]


def test_dice_of_the_news_are_drawn() -> None:
    assert dice_of(News("recon", {"die": 4})) == [(4, False)]
    assert dice_of(News("explosives", {"dice": "2 6"})) == [(2, True), (6, True)]
    assert dice_of(News("assault", {"dice": "3 5"})) == [(3, False), (5, True)]
    assert dice_of(News("assault", {"dice": ""})) == []


@pytest.mark.parametrize("card", range(len(IDS)))
def test_every_card_has_a_colour_and_a_glyph(card: int) -> None:
    shown = card_view(card)
    boxed, name = glyph_of(shown)
    assert name in (SYMBOLS if boxed else GLYPH_SHAPES)
    assert TYPE_COLOURS[shown["type"]] in draw_card(Drawing(100, 140, LIGHT), shown, 0, 0, 86)


def test_face_down_cards_share_one_back() -> None:
    d = Drawing(100, 140, LIGHT)
    assert draw_card(d, None, 0, 0, 86) == draw_card(d, {"up": False}, 0, 0, 86)


@pytest.mark.parametrize(("crop", "width"), [(False, 1200), (True, 720), (True, 828)])
def test_the_picture_fits_a_mail(crop: bool, width: int) -> None:
    *_, (g, _, news) = played(6, every=20)
    assert len(to_png(RULES.picture(scene(g, news[-6:], crop=crop)), width)) < 114_000

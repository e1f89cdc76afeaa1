"""Contrast of the palette, and words that stay on their counters, cards and chips."""

from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.card_assault.faces import draw_card, draw_chip
from games.drawing import DARK, LIGHT, Counter, Drawing, Theme, counters, panels
from games.drawing.palette import NATIONS, mix
from games.drawing.type import GLYPHS, width_of

THEMES = [pytest.param(LIGHT, id="light"), pytest.param(DARK, id="dark")]
WORDS = st.text(alphabet=sorted(GLYPHS), min_size=1, max_size=40)


def light(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    low, high = sorted((light(one), light(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_ink_is_readable_on_every_ground(theme: Theme) -> None:
    for ground, _ in (*theme.insurgent, *theme.held):
        assert contrast(theme.ink, ground) >= 5.8
    for paper in (theme.paper, theme.panel, theme.desert, theme.green):
        assert contrast(theme.ink, paper) >= 7


@pytest.mark.parametrize("theme", THEMES)
def test_quiet_ink_and_results_are_readable(theme: Theme) -> None:
    assert contrast(theme.quiet, theme.paper) >= 4.5
    assert contrast(theme.quiet, theme.panel) >= 4.5
    assert contrast(theme.last, theme.on_last) >= 4.5
    assert contrast(theme.coalition, theme.on_coalition) >= 4.5


@pytest.mark.parametrize("nation", NATIONS.values(), ids=list(NATIONS))
def test_figures_are_readable_on_counters_fresh_and_spent(nation: tuple[str, str, str]) -> None:
    fill, ink, _ = nation
    assert contrast(ink, fill) >= 4.5
    assert contrast(ink, mix(fill, "#FFFFFF", 0.55)) >= 4.5


def widths(piece: str) -> list[float]:
    return [
        width_of(node.text or "", float(node.get("font-size", 0)), int(node.get("font-weight", 0)))
        for node in ElementTree.fromstring(f"<g>{piece}</g>").iter("text")
    ]


@given(WORDS, st.booleans())
def test_any_label_stays_on_its_counter(label: str, reduced: bool) -> None:
    assert max(widths(counters.draw_counter(Counter(label, reduced=reduced), 0, 0))) <= 43.01


@given(WORDS)
def test_any_name_stays_on_its_card(name: str) -> None:
    card = {"id": "G.infantry.1", "name": name, "short": name, "type": "G", "kind": "infantry", "force": 5, "up": True}
    assert max(widths(draw_card(Drawing(100, 140, LIGHT), card, 0, 0, 86))) <= 80.01
    assert max(widths(draw_chip(card, 0, 0, 232, 80))) <= 232 - 64


@given(st.lists(WORDS, min_size=2, max_size=6), st.floats(200, 600))
@example(["0", "0" * 30, "0" * 30], 200.0)  # a short word beside long ones once got a chip of negative width
def test_any_words_stay_in_their_chips(labels: list[str], width: float) -> None:
    assert sum(widths(panels.chips(LIGHT, 0, 0, width, labels, 0))) <= width


@given(WORDS, st.floats(120, 400))
def test_any_result_stays_on_its_bar(words: str, width: float) -> None:
    assert max(widths(panels.result_bar(LIGHT, 0, 0, width, words))) <= width - 20 + 0.01

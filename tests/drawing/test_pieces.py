"""Every sign renders, is valid XML and leaves ink; drawing twice gives the same bytes."""

import io
from xml.etree import ElementTree

import pytest
from PIL import Image

from games.drawing import DARK, LIGHT, Counter, Diamond, Drawing, Theme, counters, marks, panels, svg, symbols, to_png
from games.drawing.palette import NATIONS, mix
from games.drawing.png import font_files
from games.drawing.symbols import GLYPH_SHAPES, NODES, SYMBOLS

THEMES = [pytest.param(LIGHT, id="light"), pytest.param(DARK, id="dark")]


def picture(piece: str, theme: Theme = LIGHT, size: float = 100) -> str:
    d = Drawing(size, size, theme)
    d.add(piece)
    ElementTree.fromstring(d.svg())
    return d.svg()


def ink(piece: str, theme: Theme = LIGHT) -> int:
    """Pixels that differ from the paper."""
    image = Image.open(io.BytesIO(to_png(picture(piece, theme), 100))).convert("RGB")
    colours = image.getcolors(10_000)
    assert colours is not None
    return 10_000 - max(count for count, _ in colours)


@pytest.mark.parametrize("name", sorted(set(SYMBOLS) - {"none"}))
def test_every_unit_symbol_leaves_ink(name: str) -> None:
    assert ink(symbols.symbol(name, 50, 50, "#000000", scale=2)) > 60


@pytest.mark.parametrize("name", sorted(set(GLYPH_SHAPES) - {"none"}))
def test_every_glyph_leaves_ink(name: str) -> None:
    assert ink(symbols.glyph(name, 50, 50, "#000000", scale=3)) > 100


@pytest.mark.parametrize("name", ["face_down", *NODES])
def test_every_node_is_a_hexagon(name: str) -> None:
    assert ink(marks.node(name, 50, 50, 60)) > 300


@pytest.mark.parametrize("nation", NATIONS)
@pytest.mark.parametrize("spent", [False, True])
def test_a_spent_counter_differs_in_shape_and_shows_no_movement(nation: str, spent: bool) -> None:
    piece = counters.draw_counter(Counter("1/8-A", nation=nation, left="4", right="9", spent=spent), 50, 50)
    assert (">9<" in piece) is not spent
    assert ("stroke-dasharray" in piece) is spent


@pytest.mark.parametrize("badge", ["fired", "pinned", "moved", "hero", "leader", "caat", "se"])
def test_a_badge_changes_the_counter(badge: str) -> None:
    plain = counters.draw_counter(Counter("#1", left="5", right="4"), 50, 50)
    assert counters.draw_counter(Counter("#1", left="5", right="4", badges=(badge,)), 50, 50) != plain


def test_badges_leave_the_reduced_corner_free() -> None:
    unit = Counter("#1", left="5", right="4", reduced=True, badges=("fired", "caat", "hero"))
    assert "translate(-22.5,-22.5)" not in counters.draw_counter(unit, 50, 50)


def test_a_stack_shows_its_best_unit_and_a_pip_for_each() -> None:
    units = [
        Counter("A", left="5", spent=True),
        Counter("B", left="3"),
        Counter("C", left="4"),
        Counter("D", left="+2"),
    ]
    assert [unit.label for unit in counters.best_first(units)] == ["C", "B", "D", "A"]
    piece = counters.draw_stack(units, 50, 50)
    assert ">C<" in piece
    assert ">B<" not in piece
    assert piece.count('r="2.4"') == 4


def test_a_pile_shows_four_diamonds_and_the_total_of_the_rest() -> None:
    foes = [Diamond(kind, "2", count=2) for kind in ("fedayeen", "cadre", "militia", "martyrs", "guerillas", "hvt")]
    piece = counters.draw_pile(foes, 50, 50)
    assert piece.count("×2") == 3
    assert piece.count("×6") == 1


def test_a_narrow_place_folds_the_insurgents_into_one_diamond() -> None:
    foes = [Diamond("fedayeen", "2"), Diamond("militia", "−1", count=3)]
    assert "×4" in counters.draw_both([], foes, 50, 50, 60)
    assert "×4" not in counters.draw_both([], foes, 50, 50, 120)


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_shows_its_pips(value: int) -> None:
    assert marks.d6(value, 20, 20).count("<circle") == value
    assert marks.d6(value, 20, 20, dark=True).count("<circle") == value


@pytest.mark.parametrize("theme", THEMES)
def test_the_whole_kit_draws_in_both_themes(theme: Theme) -> None:
    fight = panels.Battle(
        "battle · 36", "", "", "attack 12", "6 defence", "4 lead +2 inf", (4, 3), (5, 4), "19", "15", "won", "words"
    )
    for piece in (
        panels.header(theme, 1200, "Title", "heading " * 40, "corner"),
        panels.track(theme, 0, 0, 90, ["8", "9", "10"], 1),
        panels.chips(theme, 0, 0, 90, ["Support", "Fire"], 1),
        panels.bar(theme, 0, 20, 90, "Backlash", "9", 0.4, theme.last),
        panels.battle_inset(theme, 0, 0, 250, fight),
        panels.event_list(theme, 0, 20, 90, [("412", "coalition", "attack 36"), ("411", "insurgent", "dig in")]),
        panels.legend(theme, 0, 20, 200, [(panels.swatch(theme.water), "water")]),
        marks.arrow((10, 10), (80, 80), theme),
        marks.arrow((10, 10), (80, 80), theme, age=2),
        marks.fire((10, 10), (80, 80), theme),
        marks.lit([(10, 10), (80, 10), (80, 80)], theme),
        marks.tem_bars(3, 10, 90, theme),
        marks.d10(7, 50, 50),
    ):
        assert picture(piece, theme) == picture(piece, theme)


@pytest.mark.parametrize("label", ["R", "2", "2'", "1", '1"', "C", "OG"])
def test_a_location_box_carries_its_label(label: str) -> None:
    piece = marks.location_box(label, 20, 20)
    assert ElementTree.fromstring(piece).findtext("text") == label
    assert marks.location_box(label, 20, 20, faded=True) != piece


def test_an_arrow_without_length_is_nothing() -> None:
    assert marks.arrow((5, 5), (5, 5), LIGHT) == ""


def test_words_are_escaped() -> None:
    piece = svg.text(0, 10, '<script>&"', "#000000")
    assert "<script>" not in piece
    assert ElementTree.fromstring(f"<g>{piece}</g>")[0].text == '<script>&"'


def test_layers_are_written_bottom_to_top() -> None:
    d = Drawing(10, 10, LIGHT)
    d.add("<g id='b'/>", layer=2)
    d.add("<g id='a'/>", layer=1)
    assert d.svg().index("id='a'") < d.svg().index("id='b'")


def test_there_are_four_patterns() -> None:
    d = Drawing(10, 10, LIGHT)
    assert [d.pattern(kind) for kind in ("hatch", "dots", "stripes", "back")] == [
        "url(#hatch-light)",
        "url(#dots-light)",
        "url(#stripes-light)",
        "url(#back-light)",
    ]
    with pytest.raises(ValueError, match="tartan"):
        d.pattern("tartan")


def test_colours_mix() -> None:
    assert mix("#000000", "#FFFFFF", 0.5) == "#808080"


def test_only_the_shipped_fonts_are_used() -> None:
    assert [name.rsplit("/", 1)[1] for name in font_files()] == [
        "IBMPlexMono-Regular.ttf",
        "IBMPlexSansCondensed-Bold.ttf",
        "IBMPlexSansCondensed-Medium.ttf",
        "IBMPlexSansCondensed-Regular.ttf",
        "IBMPlexSansCondensed-SemiBold.ttf",
    ]


@pytest.mark.parametrize(
    ("weight", "face"), [(400, "condensed"), (500, "condensed"), (600, "condensed"), (700, "condensed"), (400, "mono")]
)
def test_measured_and_rendered_widths_agree(weight: int, face: str) -> None:
    from games.drawing.type import width_of

    words = "Hamburgefonstiv 0123456789"
    d = Drawing(400, 40, LIGHT)
    d.add(svg.text(10, 28, words, "#000000", 24, weight, face=face))
    image = Image.open(io.BytesIO(to_png(d.svg(), 400))).convert("L").point(lambda value: 255 if value < 160 else 0)
    box = image.getbbox()
    assert box is not None
    assert box[2] - box[0] == pytest.approx(width_of(words, 24, weight, face), abs=6)


def test_a_png_has_its_size_and_at_most_256_colours() -> None:
    d = Drawing(300, 200, LIGHT)
    d.add(counters.draw_counter(Counter("1/8-A", left="4", right="7"), 100, 100, 90))
    d.add(svg.rect(150, 50, 100, 100, fill=d.pattern("hatch")))
    raw = to_png(d.svg(), 600)
    image = Image.open(io.BytesIO(raw))
    assert image.size == (600, 400)
    assert image.mode == "P"
    colours = image.getcolors(257)
    assert colours is not None
    assert len(colours) <= 256
    assert raw == to_png(d.svg(), 600)

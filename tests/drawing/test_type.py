"""Words are measured, wrapped before they shrink, and cut only at the smallest size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.drawing.type import GLYPHS, clean, cut, fitted, width_of, wrap

NAMES = st.text(alphabet=sorted(GLYPHS), max_size=60)


def test_the_widths_are_those_of_the_faces() -> None:
    assert width_of("n", 1000, 400) == pytest.approx(width_of("n" * 10, 100, 400))
    assert width_of("0123456789", 10, 700) == pytest.approx(10 * width_of("0", 10, 700))
    assert width_of("iii", 13, 700) < width_of("mmm", 13, 700)
    assert width_of("imw", 10, face="mono") == pytest.approx(18)


def test_a_long_name_wraps_before_it_shrinks() -> None:
    rows, size = fitted("Marine Regimental Combat Team", 100, 11.2, 600, 2)
    assert rows == ("Marine Regimental", "Combat Team")
    assert size == 11.2


def test_a_word_too_long_for_its_box_shrinks() -> None:
    rows, size = fitted("Fundamentalists", 80, 14, 600, 2)
    assert rows == ("Fundamentalists",)
    assert 9.5 <= size < 14


@given(NAMES, st.floats(20, 300), st.floats(9.5, 30), st.integers(1, 3), st.sampled_from([400, 500, 600, 700]))
def test_fitted_lines_stay_in_their_box(words: str, width: float, size: float, lines: int, weight: int) -> None:
    rows, fit = fitted(words, width, size, weight, lines)
    assert len(rows) <= lines
    assert fit <= size
    assert all(width_of(row, fit, weight) <= width + 1e-6 for row in rows)


@given(NAMES, st.floats(0, 200))
def test_cut_words_stay_in_their_box(words: str, width: float) -> None:
    assert width_of(cut(words, width, 13), 13) <= width + 1e-6


@given(NAMES)
def test_wrapping_loses_no_word_where_there_is_room(words: str) -> None:
    assert " ".join(wrap(words, 10_000, 13)).split() == words.split()


@pytest.mark.parametrize("sign", "●○◆★■▲⇒")
def test_signs_the_fonts_lack_are_never_typed(sign: str) -> None:
    assert sign not in GLYPHS
    assert clean(f"a{sign}b") == "a?b"


@pytest.mark.parametrize("sign", "→←↑↓×·½✓§∞−…’“”")
def test_signs_of_the_guide_are_in_the_fonts(sign: str) -> None:
    assert clean(sign) == sign


@pytest.mark.parametrize("words", ["", " ", "  \t"])
def test_no_words_are_one_empty_line(words: str) -> None:
    assert fitted(words, 50, 12) == (("",), 12)

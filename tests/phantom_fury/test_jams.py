"""Games that once came to a question without an answer."""

import pytest

from games.phantom_fury import RULES
from tests.conformance import play_quickly


@pytest.mark.parametrize("seed", [2714])
def test_a_squad_in_a_street_always_has_a_way_out(seed: int) -> None:
    """R18: room that another squad could make only by crossing the same street is no room."""
    play_quickly(RULES, seed)

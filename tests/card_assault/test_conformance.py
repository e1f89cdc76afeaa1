"""Whole random games under every option: round trips, refusals, leaks, exact replay."""

from typing import Any

import pytest

from games.card_assault import RULES
from games.kernel.errors import BadSetup
from tests.conformance import check_game, play_quickly

OPTIONS: list[dict[str, Any]] = [
    {},
    {"max_reshuffles": 0},
    {"max_reshuffles": 3, "allow_end": False},
    {"ties": "american"},
    {"ties": "insurgent", "dice_combat": True},
    {"dice_combat": True},
    {"artillery_types": "armor_and_guns", "allow_end": False},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_random_games_conform(seed: int, options: dict[str, Any]) -> None:
    check_game(RULES, seed, options, every=5)


def test_many_games_end() -> None:
    for seed in range(150):
        _, actions = play_quickly(RULES, seed, OPTIONS[seed % len(OPTIONS)])
        assert 20 < actions < 2000


def test_the_printed_cards_add_up() -> None:
    assert RULES.check_data() == []


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(BadSetup, match="no option"):
        RULES.setup({"luck": True})
    with pytest.raises(BadSetup, match="cannot be"):
        RULES.setup({"ties": "nobody"})

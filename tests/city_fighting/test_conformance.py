"""Random whole games with everything checked."""

import pytest

from games.city_fighting import RULES
from tests.conformance import check_game, play_quickly

OPTIONS = [
    {"scenario": "vigilant"},
    {"scenario": "phantom"},
    {"scenario": "campaign", "seats": 3, "networked": True},
    {"scenario": "campaign", "oob": "historical", "joint": True},
    {"seats": 2, "mode": "sectors", "joint": True, "interdiction": True, "victory": "individual"},
    {"scenario": "phantom", "seats": 4, "mode": "sectors", "networked": True, "interdiction": True},
    {"scenario": "phantom", "seats": 4, "victory": "individual"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda chosen: "-".join(str(value) for value in chosen.values()))
@pytest.mark.parametrize("seed", range(3))
def test_random_games_keep_every_promise(seed: int, options: dict[str, object]) -> None:
    check_game(RULES, seed, options, every=11)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda chosen: "-".join(str(value) for value in chosen.values()))
def test_random_games_end(options: dict[str, object]) -> None:
    for seed in range(100, 120):
        play_quickly(RULES, seed, options)

"""The squad leader plays whole games, legally, and better than chance."""

import random

import pytest

from games.bots.registry import bots_of, find_bot
from games.kernel.steps import apply, check, owed
from games.kernel.table import SearchTable
from games.phantom_fury import RULES
from games.phantom_fury.board import Board


def play(key: str, seed: int, **options: int | bool) -> Board:
    bot = find_bot("phantom_fury", key)
    rng = random.Random(seed)
    table = SearchTable(rng)
    g = RULES.start(RULES.setup(options), table)
    assert isinstance(g, Board)
    while owed(g):
        seat = owed(g)[0]
        choice = bot.choose(RULES, RULES.imagine(g, seat, table), seat, rng)
        check(g, seat, choice.action)
        apply(g, seat, choice.action, table, trusted=True)
    return g


def test_the_catalogue_of_bots() -> None:
    assert set(bots_of("phantom_fury")) == {"random", "squad_leader"}
    assert {info.key for info in RULES.bots} == {"random", "squad_leader"}


@pytest.mark.parametrize("options", [{}, {"platoons": 3, "strong_points": 4}, {"variant": True, "strong_points": 1}])
def test_the_squad_leader_plays_every_way_of_the_game(options: dict[str, int | bool]) -> None:
    g = play("squad_leader", 11, **options)
    assert g.result


def test_the_squad_leader_takes_far_more_than_chance() -> None:
    led = [play("squad_leader", seed, strong_points=2).usmc.bit_count() for seed in range(4)]
    drifting = [play("random", seed, strong_points=2).usmc.bit_count() for seed in range(4)]
    assert sum(led) > sum(drifting) + 40

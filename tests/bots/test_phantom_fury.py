"""The squad leader plays whole games, legally, and better than chance."""

import random

import pytest

from games.bots.registry import bots_of, find_bot
from games.kernel.steps import apply, check, legal, owed
from games.kernel.table import SearchTable
from games.phantom_fury import RULES
from games.phantom_fury.board import Board
from tests.phantom_fury.test_conformance import check_answer, check_counters, check_ground, check_squads


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


@pytest.mark.parametrize("seed", range(3))
def test_the_invariants_hold_deep_in_the_city(seed: int) -> None:
    """The squad leader gets where random play never does; now and then something random is mixed in."""
    bot = find_bot("phantom_fury", "squad_leader")
    rng = random.Random(seed)
    table = SearchTable(rng)
    g = RULES.start(RULES.setup({"strong_points": 1 + seed, "platoons": seed}), table)
    assert isinstance(g, Board)
    while owed(g):
        seat = rng.choice(owed(g))
        action = bot.choose(RULES, g, seat, rng).action if rng.random() < 0.93 else rng.choice(legal(g, seat))
        before = g.clone()
        apply(g, seat, action, table)
        check_counters(g)
        check_ground(g)
        check_squads(g)
        check_answer(g, before, action)

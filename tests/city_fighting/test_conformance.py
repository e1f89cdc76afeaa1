"""Random whole games with everything checked."""

import random

import pytest

from games.bots.registry import find_bot
from games.city_fighting import RULES
from games.city_fighting.recruiting import Recruit, SetUp
from games.kernel.record import Entry, replay
from games.kernel.ruleset import dump
from games.kernel.steps import apply, legal, owed, question
from games.kernel.table import SeededTable
from tests.conformance import check_game, check_leaks, check_refusals, check_round_trips, check_words, play_quickly

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


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", OPTIONS[:3], ids=lambda chosen: str(chosen["scenario"]))
def test_games_half_played_by_the_operator_keep_every_promise(seed: int, options: dict[str, object]) -> None:
    """Random play spends everything at once; a bot's hand leads to the deep positions."""
    play_mixed(seed, options, 31)


def play_mixed(seed: int, options: dict[str, object], every: int) -> None:
    rng = random.Random(seed)
    bot = find_bot("city_fighting", "operator")
    setup, table = RULES.setup(options), SeededTable(rng)
    g = RULES.start(setup, table)
    entries = [Entry(0, "", ("open",), tuple(table.rolls), "server")]
    while owed(g):
        seat = owed(g)[0]
        choices = legal(g, seat)
        if len(entries) % every == 0:
            check_round_trips(RULES, g, seat, choices)
            check_refusals(RULES, g, seat, choices, rng)
            check_leaks(RULES, g, rng)
            check_words(RULES, g, seat, choices)
        own = isinstance(question(g), SetUp | Recruit) or rng.random() < 0.6
        action = bot.choose(RULES, g, seat, rng).action if own else rng.choice(choices)
        table = SeededTable(rng)
        apply(g, seat, action, table)
        entries.append(Entry(len(entries), seat, action, tuple(table.rolls), "bot"))
        assert all(RULES.narrate(news) for news in table.news)
    assert dump(replay(RULES, setup, entries)) == dump(g)

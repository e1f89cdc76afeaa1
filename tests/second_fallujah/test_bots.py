"""Computer players: legal, terminating, and better than chance."""

import random
import statistics

import pytest

from games.bots.registry import bots_of, find_bot
from games.kernel.steps import apply, owed
from games.kernel.table import SearchTable
from games.second_fallujah import RULES


def points(coalition: str, insurgent: str, seed: int) -> int:
    """The insurgent total of one game; `rulebook` is played by the rules."""
    rng = random.Random(seed)
    table = SearchTable(rng)
    g = RULES.start(RULES.setup({"solitaire": insurgent == "rulebook"}), table)
    keys = {"coalition": coalition, "insurgent": insurgent}
    while owed(g):
        seat = owed(g)[0]
        apply(g, seat, find_bot(RULES.key, keys[seat]).choose(RULES, g, seat, rng).action, table)
    outcome = RULES.outcome(g)
    assert outcome is not None
    return outcome.score["total"]


def test_the_planner_beats_chance_by_a_wide_margin() -> None:
    planner = [points("planner", "rulebook", seed) for seed in range(6)]
    chance = [points("random", "rulebook", seed) for seed in range(6)]
    assert statistics.mean(planner) + 15 < statistics.mean(chance)


def test_the_defender_holds_better_than_chance() -> None:
    defender = [points("planner", "defender", seed) for seed in range(4)]
    chance = [points("planner", "random", seed) for seed in range(4)]
    assert statistics.mean(defender) > statistics.mean(chance)


def test_every_bot_of_the_ruleset_exists_and_the_rulebook_switches_solitaire_on() -> None:
    for info in RULES.bots:
        assert info.in_rules or info.key in bots_of(RULES.key)
    rulebook = next(info for info in RULES.bots if info.key == "rulebook")
    assert rulebook.in_rules and rulebook.options == {"solitaire": True} and rulebook.seats == ("insurgent",)


@pytest.mark.parametrize("seed", range(2))
def test_bots_play_any_position_of_a_random_game(seed: int) -> None:
    """They answer whatever chance has led to, not only what they would have played themselves."""
    rng = random.Random(seed)
    table = SearchTable(rng)
    g = RULES.start(RULES.setup(), table)
    count = 0
    while owed(g):
        seat = owed(g)[0]
        bot = find_bot(RULES.key, "planner" if seat == "coalition" else "defender")
        own = bot.choose(RULES, g.clone(), seat, rng).action
        other = find_bot(RULES.key, "random").choose(RULES, g, seat, rng).action
        count += 1
        apply(g, seat, own if count % 2 else other, table)
    assert count > 100

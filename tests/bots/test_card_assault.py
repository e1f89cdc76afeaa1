"""The players of Card Assault, and whole games between bots."""

import random

import pytest

from games.bots.registry import bots_of, find_bot
from games.card_assault import RULES
from games.kernel.errors import BadSetup
from games.kernel.steps import apply, legal, owed
from games.kernel.table import SearchTable
from games.playout import play_out


def test_every_bot_the_rules_name_exists() -> None:
    assert {info.key for info in RULES.bots} == set(bots_of("card_assault"))


def test_the_cautious_bot_beats_chance_by_far() -> None:
    cautious = play_out(RULES, 12, "cautious", seed=3)
    chance = play_out(RULES, 30, "random", seed=3)
    assert min(cautious.scores["american"]) > chance.quantile("american", 0.9)
    assert cautious.quantile("american", 0.5) >= 25


@pytest.mark.parametrize("options", [{"ties": "american", "dice_combat": True}, {"artillery_types": "armor_and_guns"}])
def test_the_cautious_bot_answers_every_question_legally_and_says_why(options: dict[str, str | bool]) -> None:
    rng = random.Random(4)
    table, bot = SearchTable(rng), find_bot("card_assault", "cautious")
    g = RULES.start(RULES.setup(options), table)
    while owed(g):
        choice = bot.choose(RULES, RULES.imagine(g, "american", table), "american", rng)
        assert choice.action in legal(g, "american") and choice.why
        apply(g, "american", choice.action, table)


def test_a_playout_counts_what_happened() -> None:
    told: list[int] = []
    result = play_out(RULES, 3, {"american": "random"}, progress=lambda number, outcome: told.append(number))
    assert told == [1, 2, 3] and result.games == 3 == sum(result.outcomes.values()) == sum(result.winners.values())
    assert result.actions > 60 and result.actions_per_second > 0 and result.handoffs == result.windows == 0
    low, high = result.median_interval("american")
    assert low <= result.quantile("american", 0.5) <= high
    mean, reach = result.mean("american")
    assert low - reach <= mean <= high + reach and reach > 0
    same = play_out(RULES, 3, "random")
    assert same.scores == result.scores


def test_a_playout_that_cannot_be_is_refused() -> None:
    with pytest.raises(BadSetup, match="at least one"):
        play_out(RULES, 0)
    with pytest.raises(BadSetup, match="has no bot"):
        play_out(RULES, 1, "genius")
    with pytest.raises(BadSetup, match="Name a bot"):
        play_out(RULES, 1, {"insurgent": "random"})
    with pytest.raises(AssertionError, match="no end"):
        play_out(RULES, 1, most_actions=3)

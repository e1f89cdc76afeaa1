"""Computer players: legal at every seat and option, and the operator is no fool."""

import random

import pytest

from games.bots.city_fighting import figures
from games.bots.registry import bots_of, find_bot
from games.city_fighting import RULES
from games.kernel.ruleset import Outcome, fresh
from games.kernel.steps import apply, owed
from games.kernel.table import SearchTable


def play(key: str, seed: int, options: dict[str, object]) -> Outcome:
    rng = random.Random(seed)
    bot, table = find_bot("city_fighting", key), SearchTable(rng)
    g = fresh(RULES, seed, options)
    while owed(g):
        seat = owed(g)[0]
        apply(g, seat, bot.choose(RULES, RULES.imagine(g, seat, SearchTable(rng)), seat, rng).action, table)
    outcome = RULES.outcome(g)
    assert outcome is not None
    return outcome


def test_the_bots_named_by_the_rules_exist() -> None:
    assert {info.key for info in RULES.bots} == set(bots_of("city_fighting"))


@pytest.mark.parametrize(
    "options",
    [
        {"scenario": "vigilant"},
        {"scenario": "phantom"},
        {"scenario": "campaign", "seats": 2},
        {"scenario": "phantom", "seats": 4, "mode": "sectors", "victory": "individual"},
        {"joint": True, "oob": "historical", "networked": True, "interdiction": True, "seats": 3},
    ],
    ids=str,
)
def test_the_operator_beats_random_play(options: dict[str, object]) -> None:
    operator = [play("operator", seed, options).score["vp"] for seed in range(3)]
    chance = [play("random", seed, options).score["vp"] for seed in range(3)]
    assert min(operator) > max(chance)


def test_every_choice_has_a_reason_or_is_forced() -> None:
    g = fresh(RULES, 1)
    choice = find_bot("city_fighting", "operator").choose(RULES, g, "a", random.Random(1))
    assert choice.action == ("buy", "netwar.1") and choice.why


def test_the_table_of_figures_has_a_row_for_each_scenario_and_bot() -> None:
    lines = figures(2).splitlines()
    assert len(lines) == 2 + 4 and all(line.count("|") == lines[0].count("|") for line in lines)

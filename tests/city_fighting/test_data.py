"""The data files, and what is said about wrong ones."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from games.city_fighting import RULES, checks
from games.city_fighting import tables as t

Data = dict[str, Any]


def test_the_data_are_sound() -> None:
    assert RULES.check_data() == []


def test_links_lead_both_ways() -> None:
    for here, links in enumerate(t.LINKS):
        for there, kind in links:
            assert (here, kind) in t.LINKS[there]
    for here, gates in enumerate(t.GATES):
        assert all(here in t.GATES[gate] for gate in gates)


def _drop_space(board: Data, counters: Data) -> None:
    board["spaces"].pop()


def _odd_terrain(board: Data, counters: Data) -> None:
    board["spaces"][0]["terrain"] = "swamp"


def _one_prize_less(board: Data, counters: Data) -> None:
    next(space for space in board["spaces"] if space["terrain"] == "mosque")["terrain"] = "urban"


def _double_link(board: Data, counters: Data) -> None:
    board["links"].append(dict(board["links"][0]))


def _loose_link(board: Data, counters: Data) -> None:
    board["links"].append({"a": "1-2", "b": "9-9", "kind": "ferry"})


def _nameless_bridge(board: Data, counters: Data) -> None:
    next(link for link in board["links"] if link["kind"] == "bridge")["bridge"] = "london"


def _wrong_entry(board: Data, counters: Data) -> None:
    board["bases"][0]["entries"].append("3-5")


def _bridge_elsewhere(board: Data, counters: Data) -> None:
    board["bridges"]["main"]["crossing"] = ["1-2", "6-12"]


def _broken_msr(board: Data, counters: Data) -> None:
    board["msr_path"] = ["2-8", "6-5"]


def _dry_water(board: Data, counters: Data) -> None:
    board["water_spaces"].pop()


def _lost_counter(board: Data, counters: Data) -> None:
    counters["nodes"].pop()


def _twin(board: Data, counters: Data) -> None:
    counters["events"][1] = dict(counters["events"][0])


def _dear(board: Data, counters: Data) -> None:
    counters["coalition"][0]["cost"] = 7


def _half_steps(board: Data, counters: Data) -> None:
    counters["coalition"][0]["reduced"] = None


def _odd_levels(board: Data, counters: Data) -> None:
    counters["morale_chart"]["picks"]["low"] = 9


def _renamed_level(board: Data, counters: Data) -> None:
    counters["morale_chart"]["levels"] = ["low", "medium", "high"]


@pytest.mark.parametrize(
    ("spoil", "part"),
    [
        (_drop_space, "65 spaces"),
        (_odd_terrain, "unknown terrain 'swamp'"),
        (_one_prize_less, "19 objective and mosque spaces"),
        (_double_link, "given 2 times"),
        (_loose_link, "does not join two places"),
        (_nameless_bridge, "names no bridge"),
        (_wrong_entry, "Base N must have the entries"),
        (_bridge_elsewhere, "The bridge main does not cross"),
        (_broken_msr, "no MSR link from 2-8 to 6-5"),
        (_dry_water, "water symbols"),
        (_lost_counter, "27 nodes, not 28"),
        (_twin, "given twice"),
        (_dear, "costs 7, but the cost chart says 1"),
        (_half_steps, "wrong kind of reverse side"),
        (_odd_levels, "must not fall"),
        (_renamed_level, "low, medium, high and fanatic"),
    ],
)
def test_wrong_data_are_named(spoil: Callable[[Data, Data], None], part: str) -> None:
    board, counters = copy.deepcopy(t.BOARD), copy.deepcopy(t.COUNTERS)
    spoil(board, counters)
    found = checks.check(board, counters)
    assert any(part in sentence for sentence in found), found
    assert all(sentence.endswith(".") for sentence in found)

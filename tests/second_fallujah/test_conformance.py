"""Random whole games, checked at every answer."""

import random
from typing import Any

import pytest

from games.kernel.ruleset import dump
from games.kernel.steps import apply, legal, owed
from games.kernel.table import SearchTable
from games.second_fallujah import RULES
from games.second_fallujah.board import Board, fresh_leaders, victory_points
from games.second_fallujah.sequence import CoalitionTurn, Infiltration, InsurgentTurn
from games.second_fallujah.tables import (
    AREAS,
    C0,
    CADRES,
    COA,
    DEAD,
    DUG,
    F0,
    FEDAYEEN,
    INS,
    M0,
    MILITIA,
    N_COA,
    N_MILITIA,
    NW,
    PLACES,
    POOL,
    SUPPORT,
    UNUSED,
    ZONES,
)
from games.second_fallujah.victory import score
from tests.conformance import check_game, pick, play_quickly


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("solitaire", [False, True])
def test_conforms(seed: int, solitaire: bool) -> None:
    check_game(RULES, seed, {"solitaire": solitaire}, every=9)


@pytest.mark.parametrize("solitaire", [False, True])
def test_random_games_end(solitaire: bool) -> None:
    for seed in range(100, 116):
        g, _ = play_quickly(RULES, seed, {"solitaire": solitaire})
        assert isinstance(g, Board) and RULES.outcome(g) is not None


@pytest.mark.parametrize("solitaire", [False, True])
def test_what_is_surely_open_has_two_answers(solitaire: bool) -> None:
    for seed in range(200, 208):
        rng = random.Random(seed)
        table = SearchTable(rng)
        g = RULES.start(RULES.setup({"solitaire": solitaire}), table)
        while seats := owed(g):
            choices = legal(g, seats[0])
            assert len(choices) > 1 or not g.todo[-1].surely_open(g), g.todo[-1]
            apply(g, seats[0], pick(choices, rng), table, trusted=True)


def check_invariants(g: Board, before: Board) -> None:
    for place in range(1, PLACES):
        assert place in ZONES or len(g.coa[place]) <= 8 >= len(g.ins[place])
        for stack in (g.coa[place], g.ins[place]):
            assert list(stack) == sorted(stack) and all(g.where[unit] == place for unit in stack)
    assert all(g.where[unit] <= PLACES - 1 for unit in range(N_COA)), "no Coalition unit is ever lost"
    assert all(g.where[unit] < NW or g.where[unit] == DEAD for unit in CADRES)
    assert sum(1 for unit in MILITIA if g.where[unit] < NW or g.where[unit] == POOL) == N_MILITIA
    alive = sum(1 for unit in FEDAYEEN if g.where[unit] < NW)
    assert alive + sum(1 for unit in FEDAYEEN if g.where[unit] in (DEAD, UNUSED)) in (len(FEDAYEEN), 20)
    for unit in range(C0, len(g.mode)):
        assert g.mode[unit] != DUG or (F0 <= unit < M0 and g.where[unit] < NW)
    assert g.backlash >= before.backlash
    assert score(g)["total"] == victory_points(g)
    assert all(points >= 0 for points in g.mp.values())
    if g.owner != before.owner:
        assert before.available and not g.available
    for unit in range(N_COA):
        back = g.where[unit] in ZONES and before.where[unit] not in ZONES
        assert not back or not g.mode[unit], "only a withdrawal leads back to a zone, and it is Spent"


def check_control(g: Board) -> None:
    for area in AREAS:
        if g.ins[area] and not g.coa[area]:
            assert g.control[area] == INS
        if g.coa[area] and not g.ins[area] and g.control[area] == INS:
            assert all(SUPPORT[unit] for unit in g.coa[area]), "only Support units lose ground they stand on"


@pytest.mark.parametrize("seed", range(6))
def test_invariants_hold_after_every_action(seed: int) -> None:
    rng = random.Random(seed)
    table = SearchTable(rng)
    solitaire = seed % 2 == 1
    g = RULES.start(RULES.setup({"solitaire": solitaire}), table)
    while seats := owed(g):
        before = g.clone()
        if g.phase != "setup":
            check_invariants(g, before)
        apply(g, seats[0], pick(legal(g, seats[0]), rng), table, trusted=True)
        if g.phase == "setup":
            continue
        check_invariants(g, before)
        if g.side != before.side or g.phase == "regroup":
            assert all(fresh_leaders(g, area) <= 5 for area in AREAS)
            check_control(g)
            assert not any(g.ins[area] and g.coa[area] and area in g.entry for area in AREAS)


def test_infiltration_is_idempotent(board: Any) -> None:
    g = board({"24": ["1/8-A"], "30": ["TK-A"]}, (24, 25, 26, 30, 31))
    Infiltration().run(g, SearchTable(0))
    once = dump(g)
    Infiltration().run(g, SearchTable(0))
    assert dump(g) == once
    assert [area for area in AREAS if g.control[area] == COA] == [24]


def test_the_action_phase_ends_by_impulse_13_when_nobody_interferes() -> None:
    """R30: a natural 2D6 is never 13, so impulse 13 always ends the phase."""
    g = RULES.start(RULES.setup({"solitaire": True}), SearchTable(3))
    table = SearchTable(4)
    most = 0
    while owed(g):
        g.available = False
        most = max(most, g.impulse)
        apply(g, "coalition", ("done",) if g.phase == "regroup" else ("pass",), table)
    assert most <= 13


def test_turns_are_steps_of_the_package() -> None:
    assert {InsurgentTurn, CoalitionTurn} <= set(RULES.steps)

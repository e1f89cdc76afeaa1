"""Random whole games: round trips, refusals, leaks, exact replay; and the invariants at every answer."""

import random

import pytest

from games.kernel.steps import apply, legal, owed
from games.kernel.table import SeededTable
from games.phantom_fury import RULES
from games.phantom_fury.board import FIRED, FRESH, OUT, PINNED, Board, cf_of
from games.phantom_fury.tables import (
    COUNT,
    FIRST_SECTION,
    INSURGENTS,
    KIND,
    LAST_TURN,
    MISSION_MAX,
    MOSQUE,
    OPEN_GROUND,
    SQUADS,
    START_ZONES,
    SUSPECTS,
    UPPER,
    ZONE,
    ZONE_MARKERS,
    ZONES,
)
from tests.conformance import check_game, play_quickly

OPTIONS: tuple[dict[str, int | bool], ...] = (
    {},
    {"strong_points": 4},
    {"variant": True, "strong_points": 1},
    {"platoons": 1, "strong_points": 2},
    {"platoons": 2, "uav_success": 6},
    {"platoons": 3, "strong_points": 3, "variant": True},
)


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_a_whole_random_game_keeps_the_contract(number: int) -> None:
    check_game(RULES, 40 + number, OPTIONS[number], every=23)


@pytest.mark.parametrize("seed", range(25))
def test_random_games_end(seed: int) -> None:
    g, actions = play_quickly(RULES, seed, OPTIONS[seed % len(OPTIONS)])
    assert actions > 50
    assert isinstance(g, Board)
    assert g.turn <= LAST_TURN[g.variant]


def check_counters(g: Board) -> None:
    """1. Every counter is in exactly one place."""
    suspects = sorted([*g.suspects, *(-code for code in g.things.values() if code < 0)])
    assert suspects == sorted([*range(1, SUSPECTS + 1)] * (1 + g.refills[0]))
    units = sorted([*g.insurgents, *g.gone, *(code >> 4 for code in g.things.values() if code > 0)])
    assert units == sorted([*range(1, INSURGENTS + 1)] * (1 + g.refills[1]))
    if g.turn:
        drawn = sum(1 for zone in ZONES if g.activated >> zone & 1 and zone not in (*START_ZONES, MOSQUE))
        assert g.zone_bag + g.strong_bag + drawn == ZONE_MARKERS
    assert len([caat for caat in g.caat if caat]) == len({caat for caat in g.caat if caat})


def check_ground(g: Board) -> None:
    """2, 3, 5, 6, 15. What may stand where."""
    for place, code in g.things.items():
        assert place not in g.where
        assert KIND[place] not in ("C", "OG") and ZONE[place] != OPEN_GROUND
        assert not (UPPER[place] and g.ruins >> ZONE[place] & 1)
        assert not g.usmc >> ZONE[place] & 1
        if code > 0:
            assert 1 <= code & 7 <= 4
    crew = [0] * len(g.crew)
    for unit in range(COUNT):
        place = g.where[unit]
        if 0 <= place < FIRST_SECTION:
            zone = ZONE[place]
            crew[zone] |= 1 << unit
            assert not (UPPER[place] and g.ruins >> zone & 1)
            if unit >= SQUADS:
                assert zone == MOSQUE or g.usmc >> zone & 1
            else:
                assert zone != MOSQUE
    assert crew == g.crew and sum(1 << zone for zone in ZONES if crew[zone]) == g.held
    assert sum(1 << zone for zone in {ZONE[place] for place in g.things}) == g.foe
    for zone in ZONES:
        if not g.usmc >> zone & 1 and zone != MOSQUE:
            assert crew[zone].bit_count() <= 1
    assert not g.usmc & ~g.activated and not g.usmc >> OPEN_GROUND & 1
    assert (g.fortified & ~(1 << MOSQUE)).bit_count() <= g.strong_points
    assert not any(g.fortified >> zone & 1 for zone in START_ZONES)
    assert not g.fanatic & g.usmc
    se = {ZONE[place] for place in [*g.se, *g.orphans] if place >= 0}
    assert all(zone in se for zone in ZONES if g.no_event >> zone & 1)


def check_squads(g: Board) -> None:
    """4, 7, 8, 9, 11, 14."""
    assert g.vp == sum(entry[1] for entry in g.vp_log)
    assert all(
        entry[1] in (1, -2, -5) or (entry[2] == "turns" and entry[1] % 5 == 0 and entry[1] > 0) for entry in g.vp_log
    )
    assert all(count <= most for count, most in zip(g.missions, MISSION_MAX, strict=True))
    sections = [place for place in g.where if place >= FIRST_SECTION]
    assert len(sections) == len(set(sections))
    tanks = [place for place in g.tanks if place >= 0]
    assert len(tanks) == len(set(tanks))
    for unit in range(COUNT):
        if g.where[unit] >= 0:
            assert 2 <= cf_of(g, unit) <= 10
        elif g.where[unit] == OUT:
            assert not g.caat[unit] and g.se[unit] < 0 and not g.hero[unit]
        if g.where[unit] >= FIRST_SECTION and g.phase in ("assault", "reorg"):
            assert g.status[unit] == PINNED or not g.moved[unit]


def check_answer(g: Board, before: Board, action: tuple[str | int, ...]) -> None:
    """9, 10. Pinned or Fired units do nothing; Martyrs do not move; ammunition does not grow."""
    if action[0] in ("fire", "assault") or (action[0] == "move" and before.phase == "move"):
        name = str(action[1])
        if name[0] in "#I":
            unit = ([f"#{n}" for n in range(1, 16)] + ["I1", "I2", "I3"]).index(name)
            assert before.status[unit] == FRESH
    if before.turn:
        assert all(new <= old for new, old in zip(g.ammo, before.ammo, strict=True))
        assert all(new <= old for new, old in zip(g.charge, before.charge, strict=True))
    if g.phase == "support" and before.phase != "support":
        assert FIRED not in g.status and FIRED not in g.tank_status
        assert all(side == 30 for side in g.fury.values())


@pytest.mark.parametrize("seed", range(8))
def test_the_invariants_hold_at_every_answer(seed: int) -> None:
    rng = random.Random(seed)
    table = SeededTable(rng)
    options = OPTIONS[seed % len(OPTIONS)]
    g = RULES.start(RULES.setup(options), table)
    assert isinstance(g, Board)
    while owed(g):
        seat = rng.choice(owed(g))
        choices = legal(g, seat)
        assert 0 < len(choices) <= 600
        # a pass is rare, so that more of the game is seen
        acts = [action for action in choices if action[0] != "pass"]
        action = rng.choice(acts if acts and rng.random() < 0.93 else choices)
        before = g.clone()
        apply(g, seat, action, table)
        check_counters(g)
        check_ground(g)
        check_squads(g)
        check_answer(g, before, action)


def test_a_support_phase_ends_with_its_first_failed_call() -> None:
    for seed in range(30):
        rng = random.Random(seed)
        table = SeededTable(rng)
        g = RULES.start(RULES.setup({"strong_points": 1}), table)
        assert isinstance(g, Board)
        while owed(g) and g.turn < 3:
            choices = legal(g, "usmc")
            calls = [action for action in choices if action[0] == "call"]
            start = len(table.news)
            apply(g, "usmc", rng.choice(calls or choices), table)
            if any(news.key == "mission-failed" for news in table.news[start:]):
                assert not any(type(step).__name__ == "SupportPhase" for step in g.todo)


def test_what_is_hidden_is_not_in_the_state() -> None:
    """The only unknown is what will be drawn; imagining the game afresh is copying it."""
    g = RULES.start(RULES.setup({"strong_points": 2}), SeededTable(3))
    twin = RULES.imagine(g, "usmc", SeededTable(9))
    assert twin is not g
    assert RULES.position(twin) == RULES.position(g)

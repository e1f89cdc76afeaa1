"""What every ruleset must pass: random whole games, round trips, refusals, leaks, exact replay.

A game's own test file calls these with its ruleset, options and seeds; each function plays and asserts.
"""

import random
from collections.abc import Mapping
from typing import Any

import msgspec

from games.kernel.errors import GameError
from games.kernel.notation import action_from_json
from games.kernel.record import Entry, replay, view_bytes
from games.kernel.ruleset import Ruleset, dump, load
from games.kernel.steps import Action, State, apply, check, legal, notation, owed
from games.kernel.table import SearchTable, SeededTable

MOST_ACTIONS = 60_000
UNDO_VERBS = frozenset({"takeback", "drop", "unput", "unjoin"})


def pick(options: list[Action], rng: random.Random) -> Action:
    forward = [action for action in options if action[0] not in UNDO_VERBS]
    return rng.choice(forward or options)


def play_quickly(rules: Ruleset, seed: int, options: Mapping[str, Any] | None = None) -> tuple[State, int]:
    """One random game as fast as the kernel allows; always a legal action or an end, and an end comes."""
    rng = random.Random(seed)
    table = SearchTable(rng)
    g = rules.start(rules.setup(options), table)
    for count in range(MOST_ACTIONS):
        seats = owed(g)
        if not seats:
            assert rules.outcome(g) is not None, "the game stopped without an outcome"
            return g, count
        seat = seats[0] if len(seats) == 1 else rng.choice(seats)
        choices = legal(g, seat)
        assert choices, f"{seat} owes an answer and has none"
        apply(g, seat, pick(choices, rng), table, trusted=True)
    raise AssertionError(f"no end after {MOST_ACTIONS} actions (seed {seed})")


def check_game(rules: Ruleset, seed: int, options: Mapping[str, Any] | None = None, *, every: int = 7) -> None:
    """One random game with everything checked; the costly checks at every n-th answer."""
    rng = random.Random(seed)
    setup = rules.setup(options)
    table = SeededTable(rng)
    g = rules.start(setup, table)
    entries = [Entry(0, "", ("open",), tuple(table.rolls), "server")]
    for count in range(MOST_ACTIONS):
        seats = owed(g)
        if not seats:
            break
        seat = seats[0] if len(seats) == 1 else rng.choice(seats)
        choices = legal(g, seat)
        assert choices and len(set(choices)) == len(choices), f"{seat}: {choices}"
        assert rules.outcome(g) is None
        if count % every == 0:
            check_round_trips(rules, g, seat, choices)
            check_refusals(rules, g, seat, choices, rng)
            check_leaks(rules, g, rng)
            check_words(rules, g, seat, choices)
        action = pick(choices, rng)
        table = SeededTable(rng)
        apply(g, seat, action, table)
        entries.append(Entry(count + 1, seat, action, tuple(table.rolls), "player"))
        for news in table.news:
            assert rules.narrate(news).strip(), news
    else:
        raise AssertionError(f"no end after {MOST_ACTIONS} actions (seed {seed})")
    outcome = rules.outcome(g)
    assert outcome is not None and outcome.words
    assert dump(replay(rules, setup, entries)) == dump(g), "replay from the recorded rolls differs"


def check_round_trips(rules: Ruleset, g: State, seat: str, choices: list[Action]) -> None:
    raw = dump(g)
    assert dump(load(rules, raw)) == raw
    position = msgspec.json.decode(msgspec.json.encode(rules.position(g)))
    again = rules.from_position(position, rules.setup())
    assert dump(again) == raw, "what a position prints can be fed back in"
    for action in choices:
        line = rules.say(g, action)
        assert rules.read(g, seat, line).action == action, line
        assert rules.read(g, seat, f"  {line.upper()} ".replace(" ", "  ").strip()).action == action, line
        assert action_from_json(msgspec.json.decode(msgspec.json.encode(action))) == action
    twin = g.clone()
    assert dump(twin) == raw
    table = SearchTable(1)
    for _ in range(3):
        if owed(twin):
            apply(twin, owed(twin)[0], legal(twin, owed(twin)[0])[0], table, trusted=True)
    assert dump(g) == raw, "playing on a clone touched the original"


def check_refusals(rules: Ruleset, g: State, seat: str, choices: list[Action], rng: random.Random) -> None:
    raw = dump(g)
    for action in choices:
        check(g, seat, action)
    victim = list(rng.choice(choices))
    wrong: list[Action] = [("frobnicate",), (*victim, "extra"), (), (*victim[:-1], "nowhere"), (victim[0], -7)]
    for action in wrong:
        if action in choices:
            continue
        try:
            apply(g, seat, action, SearchTable(1))
        except GameError as error:
            assert error.text.endswith("."), error.text
        else:
            raise AssertionError(f"{notation(action)} was accepted")
    for text in ("frobnicate", "", "42 what", f"{victim[0]} nowhere-at-all"):
        try:
            found = rules.read(g, seat, text).action
            assert found is None or found in choices
        except GameError as error:
            assert error.text.endswith((".", "?")), error.text
    assert dump(g) == raw, "a refused action changed the state"


def check_leaks(rules: Ruleset, g: State, rng: random.Random) -> None:
    """Two states that differ only in what a seat cannot know look the same to it in every way."""
    seats: list[str | None] = [None, *owed(g)]
    for seat in seats:
        other = rules.imagine(g, seat, SeededTable(rng))
        assert view_bytes(rules, other, seat) == view_bytes(rules, g, seat)
        assert owed(other) == owed(g)
        if seat is not None:
            assert legal(other, seat) == legal(g, seat)
            assert rules.prompt(other, seat) == rules.prompt(g, seat)
            for action in legal(g, seat)[:40]:
                assert rules.describe(other, seat, action) == rules.describe(g, seat, action)
                assert rules.odds(other, seat, action) == rules.odds(g, seat, action)


def check_words(rules: Ruleset, g: State, seat: str, choices: list[Action]) -> None:
    assert rules.prompt(g, seat).strip()
    for action in choices[:40]:
        assert rules.describe(g, seat, action).strip()
    for viewer in (seat, None):
        board = rules.text_board(rules.view(g, viewer), viewer)
        for line in board.splitlines():
            assert len(line) <= 72, f"{len(line)} columns: {line}"
        assert board.isascii(), "the text board keeps to ASCII"

"""Ledger lines and how a game comes back from them."""

from collections.abc import Iterable, Sequence

import msgspec

from games.kernel.errors import IllegalAction
from games.kernel.ruleset import Ruleset, Setup, dump
from games.kernel.steps import Action, State, apply, owed
from games.kernel.table import ReplayTable, Roll, Seat, SeededTable, Table

LEARNING_SAMPLES = 8  # how many worlds a take-back is tried in before it is called harmless


class Entry(msgspec.Struct, frozen=True):
    """One ledger line. Entry 0 opens the game: its action is `("open",)`, its rolls set it up."""

    seq: int
    seat: Seat
    action: Action
    rolls: tuple[Roll, ...]
    by: str  # player, standing, bot, clock, server


def replay(rules: Ruleset, setup: Setup, entries: Iterable[Entry]) -> State:
    """The state after the given live entries (no voided ones), by the recorded chance alone."""
    lines = iter(entries)
    table = ReplayTable([value for _, value in next(lines).rolls])
    g = rules.start(setup, table)
    return replay_on(g, lines, table)


def replay_on(g: State, entries: Iterable[Entry], table: ReplayTable | None = None) -> State:
    """Go on from a state with the entries that follow it. Mutates and returns `g`."""
    table = table or ReplayTable()
    for entry in entries:
        rolls = entry.rolls
        table.load([value for _, value in rolls] if rolls else ())
        apply(g, entry.seat, entry.action, table, trusted=True)
    table.load(())
    return g


def live(entries: Sequence[Entry]) -> list[Entry]:
    """The entries that still count: an `("undo", n)` entry voids the n live ones before it."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.action[0] == "undo":
            count = int(entry.action[1])
            if count >= len(kept):
                raise IllegalAction(f"Entry {entry.seq} takes back {count} entries; only {len(kept) - 1} can be.")
            del kept[len(kept) - count :]
        elif entry.action[0] not in LEDGER_VERBS:
            kept.append(entry)
    return kept


LEDGER_VERBS = frozenset({"resign", "agree", "close"})  # entries of the ledger itself, unknown to any rulebook


def learned_nothing(rules: Ruleset, before: State, seat: Seat, actions: Sequence[Action]) -> bool:
    """Whether `seat`, doing these actions from `before`, saw only what it could have foreseen.

    The actions are tried again in worlds the seat cannot tell apart, with other chance; if they stop
    being possible or any view of the seat differs along the way, something was learned.
    """
    seen: list[bytes] | None = None
    for sample in range(LEARNING_SAMPLES):
        table = SeededTable(sample)
        world = before if sample == 0 else rules.imagine(before, seat, table)
        views = _views_along(rules, world.clone(), seat, actions, table)
        if table.rolls and sample == 0:
            return False
        if seen is not None and views != seen:
            return False
        seen = views
    return True


def _views_along(rules: Ruleset, g: State, seat: Seat, actions: Sequence[Action], table: Table) -> list[bytes]:
    views: list[bytes] = []
    for action in actions:
        if seat not in owed(g) or action not in g.todo[-1].options(g, seat):
            return [*views, b"impossible"]
        apply(g, seat, action, table, trusted=True)
        views.append(view_bytes(rules, g, seat))
    return views


def view_bytes(rules: Ruleset, g: State, seat: Seat | None) -> bytes:
    """A seat's view in one canonical form, for comparing."""
    return msgspec.json.encode(rules.view(g, seat), order="sorted")


__all__ = ["LEDGER_VERBS", "Entry", "dump", "learned_nothing", "live", "replay", "replay_on", "view_bytes"]

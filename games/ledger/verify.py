"""Replays a stored match from its first entry and names the first entry that is not right."""

from typing import Any

from games import catalogue
from games.kernel.errors import GameError
from games.kernel.record import LEDGER_VERBS, replay_on
from games.kernel.record import Entry as Line
from games.kernel.ruleset import Ruleset, dump
from games.kernel.steps import State, check
from games.kernel.table import ReplayTable
from games.ledger import dice
from games.ledger.export import entry_problem
from games.ledger.models import Entry, Match, Snapshot


def match_problem(match: Match) -> str:
    """Empty when chain, dice, every action, every sealed state, snapshots and outcome are right."""
    if match.status in (Match.Status.OPEN, Match.Status.CANCELLED):
        return ""
    rules = catalogue.find(match.ruleset)
    if match.ruleset_version != rules.version:
        return f"recorded under {match.ruleset} version {match.ruleset_version}; this code is version {rules.version}"
    snapshots = dict(Snapshot.objects.filter(match=match).values_list("seq", "state"))
    previous = dice.header_hash(match.header)
    history: list[tuple[int, State]] = []  # state after each live entry
    count = 0
    for row in Entry.objects.filter(match=match).order_by("seq").iterator(500):
        problem = entry_problem(match.seed, previous, count, _plain(row)) or _play(rules, match, row, history)
        if problem:
            return problem
        state = dump(history[-1][1])
        if row.seal != dice.state_seal(match.seed, state):
            return f"Entry {row.seq}: the position after it is not the one that was sealed."
        if row.seq in snapshots and bytes(snapshots[row.seq]) != state:
            return f"Entry {row.seq}: its snapshot does not fit."
        previous = row.hash
        count += 1
    return _end_problem(rules, match, history, previous, count)


def _plain(row: Entry) -> dict[str, Any]:
    return {
        "seq": row.seq,
        "seat": row.seat,
        "action": row.action,
        "rolls": row.rolls,
        "by": row.by,
        "previous_hash": row.previous_hash,
        "hash": row.hash,
    }


def _play(rules: Ruleset, match: Match, row: Entry, history: list[tuple[int, State]]) -> str:
    verb = row.action[0]
    try:
        if row.seq == 0:
            table = ReplayTable([value for _, value in row.rolls])
            history.append((0, rules.start(rules.setup(match.options), table)))
            return "" if not table.left else "Entry 0 holds rolls the set-up does not use."
        if verb == "undo":
            del history[len(history) - int(row.action[1]) :]
            return "" if history else f"Entry {row.seq} takes back the opening."
        if verb in LEDGER_VERBS:
            return ""
        g = history[-1][1].clone()
        check(g, row.seat, tuple(row.action))
        rolls = tuple((kind, value) for kind, value in row.rolls)
        replay_on(g, [Line(row.seq, row.seat, tuple(row.action), rolls, row.by)])
    except GameError as error:
        return f"Entry {row.seq}: {error.text}"
    history.append((row.seq, g))
    return ""


def _end_problem(rules: Ruleset, match: Match, history: list[tuple[int, State]], previous: str, count: int) -> str:
    if count - 1 != match.head_seq or previous != match.head_hash:
        return f"Entry {count}: the ledger ends before the match says (entry {match.head_seq})."
    if dump(history[-1][1]) != bytes(match.state):
        return f"Entry {match.head_seq}: the stored state is not what the entries give."
    outcome = rules.outcome(history[-1][1])
    if outcome is not None and match.outcome and match.outcome.get("result") not in (outcome.result, "Resigned"):
        return f"Entry {match.head_seq}: the stored outcome is not what the entries give."
    return ""

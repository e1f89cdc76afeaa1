"""A match as one self-verifying JSONL file, and back. docs/ledger-format.md describes every line."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.dateparse import parse_datetime

from games import catalogue
from games.kernel.errors import BadSetup, GameError
from games.kernel.record import Entry as Line
from games.kernel.record import live
from games.kernel.ruleset import dump
from games.kernel.steps import owed
from games.ledger import dice, replay
from games.ledger.models import Entry, Match, Seat, Snapshot
from games.ledger.play import SNAPSHOT_EVERY

FORMAT = "fallujah-match-1"
MOST_LINES = 200_000


def export_lines(match: Match) -> Iterator[str]:
    """Header, entries, and at the end the outcome with the seed. Before the end secrets stay out."""
    over = match.status == Match.Status.OVER
    yield _line({"kind": "header", "header": match.header})
    for row in Entry.objects.filter(match=match).order_by("seq").iterator(500):
        yield _line(
            {
                "kind": "entry",
                "seq": row.seq,
                "seat": row.seat,
                "action": row.action,
                "rolls": row.rolls if over else dice.shown(row.rolls),
                "by": row.by,
                "at": row.at.isoformat(),
                "previous_hash": row.previous_hash,
                "hash": row.hash,
                "seal": row.seal,
            }
        )
    yield _line(
        {
            "kind": "end",
            "status": match.status,
            "head_seq": match.head_seq,
            "head_hash": match.head_hash,
            "outcome": match.outcome,
            "seed": match.seed if over else None,
            "ended_at": match.ended_at.isoformat() if match.ended_at else None,
        }
    )


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":")) + "\n"


@transaction.atomic
def match_import(*, user: Any, text: str) -> Match:
    """A finished match from its file, checked line by line: chain, dice, every action, state, outcome."""
    header, lines, end = _parse(text)
    try:
        match, seats = _shell(user, header, end)
        g = _checked_state(match, header, lines, end)
        match.state = dump(g)
        match.owed = []
        match.save()
        Seat.objects.bulk_create(Seat(match=match, **seat) for seat in seats)
        Entry.objects.bulk_create(_row(match, line) for line in lines)
        if match.head_seq >= SNAPSHOT_EVERY:
            Snapshot.objects.create(match=match, seq=match.head_seq, state=match.state)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadSetup(f"That file is not a whole match: {type(error).__name__} {error}.") from error
    return match


def _parse(text: str) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
    rows = []
    for number, raw in enumerate(text.splitlines(), 1):
        if number > MOST_LINES:
            raise BadSetup(f"A match file has at most {MOST_LINES} lines.")
        try:
            row = json.loads(raw)
        except ValueError:
            raise BadSetup(f"Line {number} of the file is not JSON.") from None
        if not isinstance(row, dict):
            raise BadSetup(f"Line {number} of the file is not an object.")
        rows.append(row)
    kinds = [row.get("kind") for row in rows]
    if len(rows) < 3 or kinds[0] != "header" or kinds[-1] != "end" or set(kinds[1:-1]) != {"entry"}:
        raise BadSetup("A match file is a header line, entry lines and an end line.")
    header = rows[0].get("header")
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise BadSetup(f"The header does not say format {FORMAT}.")
    if not rows[-1].get("seed"):
        raise BadSetup("Only a finished match can be imported: this file reveals no seed.")
    return header, rows[1:-1], rows[-1]


def _shell(user: Any, header: dict[str, Any], end: dict[str, Any]) -> tuple[Match, list[dict[str, Any]]]:
    rules = catalogue.find(header["ruleset"])
    if header["ruleset_version"] != rules.version:
        raise BadSetup(f"The file is of {rules.key} version {header['ruleset_version']}; this is {rules.version}.")
    match = Match.objects.create(
        ruleset=rules.key,
        ruleset_version=rules.version,
        options=rules.setup(header["options"]).options,
        title=f"imported match {header['match']}",
        status=Match.Status.OVER,
        owner=user,
        seed=end["seed"],
        commitment=header["commitment"],
        header=header,
        head_seq=end["head_seq"],
        head_hash=end["head_hash"],
        started_at=parse_datetime(header["started_at"]),
        ended_at=parse_datetime(end["ended_at"]) if end.get("ended_at") else None,
        outcome=end["outcome"],
    )
    seats = [
        {
            "key": str(key)[:20],
            "order": order,
            "bot": str(kind)[4:] if str(kind).startswith("bot:") else "",
            "salt": header["salts"].get(key, ""),
        }
        for order, (key, kind) in enumerate(header["seats"])
    ]
    return match, seats


def _checked_state(match: Match, header: dict[str, Any], lines: list[dict[str, Any]], end: dict[str, Any]) -> Any:
    problem = chain_problem(header, lines, end)
    if problem:
        raise BadSetup(problem)
    rules = catalogue.find(match.ruleset)
    parsed = [
        Line(row["seq"], row["seat"], tuple(row["action"]), tuple((k, v) for k, v in row["rolls"]), row["by"])
        for row in lines
    ]
    try:
        g = replay.state_from_start(rules, match, parsed)
    except GameError:
        raise
    except Exception as error:  # an action that never was legal breaks the rules code anywhere
        raise BadSetup(f"The entries do not replay: {type(error).__name__} {error}.") from error
    if dice.state_seal(match.seed, dump(g)) != lines[-1]["seal"]:
        raise BadSetup("The entries replay to another position than the file sealed.")
    ended = live(parsed) and parsed[-1].action[0] in ("resign", "close")
    if owed(g) and not ended:
        raise BadSetup("The entries do not reach the end of a game.")
    return g


def chain_problem(header: dict[str, Any], lines: list[dict[str, Any]], end: dict[str, Any]) -> str:
    """What is wrong with chain or dice, naming the first bad entry; empty when all is well."""
    seed = end["seed"]
    if dice.commitment(seed) != header["commitment"]:
        return "The revealed seed does not fit the commitment."
    previous = dice.header_hash(header)
    for expected, row in enumerate(lines):
        problem = entry_problem(seed, previous, expected, row)
        if problem:
            return problem
        previous = row["hash"]
    if previous != end["head_hash"] or end["head_seq"] != len(lines) - 1:
        return "The file ends before its last entry."
    return ""


def entry_problem(seed: str, previous: str, expected: int, row: dict[str, Any]) -> str:
    """Whether one entry is the next link and its rolls are the seed's."""
    seq = row["seq"]
    if seq != expected:
        return f"Entry {expected} is missing: the next one is {seq}."
    rolls = [(kind, value) for kind, value in row["rolls"]]
    if row["previous_hash"] != previous:
        return f"Entry {seq} does not follow the entry before it."
    if row["hash"] != dice.entry_hash(previous, seq, row["seat"], row["action"], rolls, row["by"]):
        return f"Entry {seq} has been changed: its hash does not fit."
    chance = dice.Chance(seed, previous)
    for index, (kind, value) in enumerate(rolls):
        if value != _rolled(chance, kind):
            return f"Entry {seq}: roll {index + 1} ({kind}) is not what the seed gives."
    return ""


def _rolled(chance: dice.Chance, kind: str) -> int:
    if kind == "d6":
        return chance.below(6) + 1
    if kind == "d10":
        return chance.below(10)
    return chance.below(int(kind.removeprefix("of").removesuffix("?")))


def _row(match: Match, line: dict[str, Any]) -> Entry:
    return Entry(
        match=match,
        seq=line["seq"],
        seat=line["seat"],
        action=line["action"],
        rolls=line["rolls"],
        by=line["by"],
        previous_hash=line["previous_hash"],
        hash=line["hash"],
        seal=line["seal"],
        at=datetime.fromisoformat(line["at"]),
    )

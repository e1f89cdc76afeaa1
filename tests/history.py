"""Was it as if one order after the other had happened, each at some moment between its call and its return?

A match is a list that only grows, so its versions order everything: an append makes a version, a read sees one. The
history is linearizable if that order never contradicts the clock.
"""

from collections.abc import Iterable
from typing import NamedTuple


class Op(NamedTuple):
    """One call: an append that made version `version`, a read that saw it, or an append of unknown fate."""

    kind: str
    match: int
    version: int
    called: float
    returned: float
    action: tuple[object, ...] = ()


def anomalies(ops: Iterable[Op], most: int = 10) -> list[str]:
    """What contradicts: a read of the past or of the future, an append that came before what was known."""
    by_match: dict[int, list[Op]] = {}
    for op in ops:
        by_match.setdefault(op.match, []).append(op)
    found: list[str] = []
    for match, history in by_match.items():
        found += _of_match(match, history)
    return found[:most]


def _of_match(match: int, history: list[Op]) -> list[str]:
    found = []
    made: dict[int, Op] = {}
    for op in history:
        if op.kind == "append" and op.version in made:
            found.append(f"match {match}: version {op.version} was made twice")
        if op.kind == "append":
            made[op.version] = op
    known = sorted((op for op in history if op.kind != "unknown"), key=lambda op: op.returned)
    newest, next_known = -1, 0
    for op in sorted((op for op in history if op.kind != "unknown"), key=lambda op: op.called):
        while next_known < len(known) and known[next_known].returned < op.called:
            newest = max(newest, known[next_known].version)
            next_known += 1
        if op.version < newest or (op.kind == "append" and op.version == newest):
            found.append(f"match {match}: {op.kind} of {op.version} after {newest} had been shown")
        origin = made.get(op.version)
        if op.kind == "read" and origin is not None and op.returned < origin.called:
            found.append(f"match {match}: version {op.version} was read before it was sent")
    return found

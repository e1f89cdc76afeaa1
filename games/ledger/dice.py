"""Dice nobody has to trust, and the chain that holds the ledger together.

A match draws a secret seed and shows SHA-256 of it at once (the commitment). Roll number i of an entry is
taken from HMAC-SHA-256 keyed by the seed over the chain hash before that entry, so nobody can know a
roll before the order is in the ledger, and asking again for another order gives no other roll. Players'
salts are part of the first hash, so the server could not choose a seed to its liking after seeing them,
nor they a salt. The seed is revealed when the match is over; `tools/verify_match.py` recomputes it all.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from typing import Any

from games.kernel.table import RecordingTable, Roll

SPACE = 1 << 64


def new_seed() -> str:
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """SHA-256 of the seed's 32 bytes, in hex."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def canonical(value: Any) -> bytes:
    """The one JSON text of a value that is hashed: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def header_hash(header: dict[str, Any]) -> str:
    """The link before entry 0: what was agreed when the match started."""
    return hashlib.sha256(canonical(header)).hexdigest()


def shown(rolls: Sequence[Roll]) -> list[list[str | int | None]]:
    """Rolls as the public may see them while the match lasts: secret draws without their value."""
    return [[kind, None if kind.endswith("?") else value] for kind, value in rolls]


def entry_hash(previous: str, seq: int, seat: str, action: Sequence[str | int], rolls: Sequence[Roll], by: str) -> str:
    """An entry's link in the chain. Secret draws count as drawn, not by value: that follows from the seed."""
    body = [previous, seq, seat, list(action), shown(rolls), by]
    return hashlib.sha256(canonical(body)).hexdigest()


def state_seal(seed: str, state: bytes) -> str:
    """A fingerprint of the state after an entry that tells nothing to those who lack the seed."""
    return hmac.new(bytes.fromhex(seed), b"state:" + state, hashlib.sha256).hexdigest()[:32]


class Chance:
    """The stream of one entry: `below(size)` is uniform, and the same for the same seed, link and order."""

    def __init__(self, seed: str, previous: str) -> None:
        self._key = bytes.fromhex(seed)
        self._previous = previous.encode()
        self._count = 0

    def below(self, size: int) -> int:
        limit = SPACE - SPACE % size
        while True:
            digest = hmac.digest(self._key, b"%s:%d" % (self._previous, self._count), "sha256")
            self._count += 1
            value = int.from_bytes(digest[:8], "big")
            if value < limit:
                return value % size


def fair_table(seed: str, previous: str) -> RecordingTable:
    """The table on which one entry of a match is played."""
    return RecordingTable(Chance(seed, previous).below)


def statistics(entries: Sequence[tuple[str, Sequence[Sequence[Any]]]]) -> dict[str, Any]:
    """Counts of each face by kind of die and seat, with chi-square; draws are left out."""
    tables: dict[str, dict[str, list[int]]] = {}
    for seat, rolls in entries:
        for kind, value in rolls:
            if kind in ("d6", "d10") and value is not None:
                faces = tables.setdefault(kind, {}).setdefault(seat or "server", [0] * int(kind[1:]))
                faces[value - 1 if kind == "d6" else value] += 1
    report: dict[str, Any] = {}
    for kind, by_seat in tables.items():
        total = [sum(column) for column in zip(*by_seat.values(), strict=True)]
        report[kind] = {"all": _faces(total), **{seat: _faces(faces) for seat, faces in by_seat.items()}}
    return report


def _faces(faces: Sequence[int]) -> dict[str, Any]:
    rolls = sum(faces)
    expected = rolls / len(faces)
    square = sum((count - expected) ** 2 / expected for count in faces) if rolls else 0.0
    return {"rolls": rolls, "faces": list(faces), "chi_square": round(square, 3), "degrees": len(faces) - 1}

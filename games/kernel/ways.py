"""All ways to answer a question that is asked piece by piece: each as one list of actions."""

from typing import Any

import msgspec

from games.kernel.steps import Action, State, apply, legal, question
from games.kernel.table import Seat, SeededTable

MOST_WAYS = 40
MOST_TRIES = 2_000
LONGEST = 8


def ways(rules: Any, g: State, seat: Seat) -> list[tuple[Action, ...]]:
    """Every complete answer to the present question, none twice; empty when there are too many to list.

    A way ends where another question comes up or chance decides. Two that leave the seat with the same
    view are one. Tried in a world the seat cannot tell from this one, so a way can give nothing away.
    """
    world = rules.imagine(g, seat, SeededTable(0))
    kind = type(question(world))
    found: dict[bytes, tuple[Action, ...]] = {}
    open_: list[tuple[State, tuple[Action, ...]]] = [(world, ())]
    tries = 0
    while open_:
        state, done = open_.pop(0)
        for action in legal(state, seat):
            tries += 1
            if tries > MOST_TRIES or len(done) >= LONGEST:
                return []
            after, table = state.clone(), SeededTable(0)
            apply(after, seat, action, table, trusted=True)
            way = (*done, action)
            if not table.rolls and type(question(after)) is kind and seat in question(after).seats(after):  # type: ignore[union-attr]
                open_.append((after, way))
                continue
            seen = b"" if table.rolls else msgspec.json.encode(rules.view(after, seat), order="sorted")
            key = seen or msgspec.json.encode([sorted(map(str, part)) for part in sorted(way, key=str)])
            found.setdefault(key, way)
            if len(found) > MOST_WAYS:
                return []
    return [way for way in found.values() if len(way) > 1] if any(len(way) > 1 for way in found.values()) else []

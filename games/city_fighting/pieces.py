"""Units and enemies as things to draw."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from games.city_fighting import tables as t
from games.drawing.counters import Counter, Diamond


def stacks(view: Mapping[str, Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for word, entry in view["units"].items():
        if entry["at"] in t.PLACE:
            found[entry["at"]].append(word)
    return found


def _label(word: str) -> str:
    """What a player may type for it: `3-1`, and `eng.C` where the end alone says too little."""
    _, kind, end = word.split(".")
    return end if len(end) > 1 else f"{kind}.{end}"


def counter(view: Mapping[str, Any], word: str, ring: str = "") -> Counter:
    """A Coalition unit as a counter; its label is the end of its id."""
    unit = t.UNIT[word]
    entry = view["units"].get(word, {"reduced": False})
    side = int(entry["reduced"])
    move = t.MOVEMENT[side][unit]
    return Counter(
        _label(word),
        t.TYPE[unit],
        t.SIDE[unit].lower(),
        str(t.FIREPOWER[side][unit]),
        str(t.CONTACT[side][unit]),
        "" if t.FOB[unit] else "∞" if move == t.UNLIMITED else str(move),
        t.SIZE[unit] if t.GROUND[unit] and not t.FOB[unit] else "",
        reduced=bool(side),
        badges=("leader",) if "leader" in entry else (),
        ring=ring,
    )


def foe(word: str, lost: bool = False) -> Diamond:
    unit = t.COUNTER[word]
    kind = "mob" if unit >= t.OPFOR_UNITS else t.COUNTER_TYPE[unit]
    figure = "" if unit >= t.OPFOR_UNITS else f"{t.OPFOR_FIREPOWER[unit]}·{t.OPFOR_CONTACT[unit]}"
    return Diamond(kind, figure, lost=lost)


def strike_counter(strike: int) -> Counter:
    symbol = {"air": "air_strike", "soa": "soa", "artillery": "artillery"}[t.STRIKE_TYPE[strike]]
    return Counter(t.STRIKE_IDS[strike], symbol, "joint", str(t.STRIKE_FIREPOWER[strike]))

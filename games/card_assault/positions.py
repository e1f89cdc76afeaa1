"""A position in words that people can write: ids, face up or down, and what is still to do."""

from collections.abc import Mapping
from typing import Any

import msgspec

from games.card_assault.board import Board, misplaced
from games.card_assault.sequence import PHASES
from games.card_assault.tables import AMERICAN, CARD, FIRST_INSURGENT, FRONTS, IDS, INSURGENT
from games.card_assault.view import options_of, phase_of
from games.kernel.errors import BadSetup

PILES = ("a_discard", "hand", "i_discard", "capture", "casualty")
KEYS = frozenset({*PILES, "a_deck", "i_deck", "fronts", "plan", "taken_back", "failed", "turn", "phase", "reshuffles"})
KNOWN = KEYS | {"idle", "over", "options", "todo"}
# The word of a phase -> how many steps of the turn are left when it begins.
PHASE_LEFT = {
    "reinforce": 10,
    "resource": 9,
    "movement": 8,
    "recon": 7,
    "disarm": 6,
    "strike": 5,
    "artillery": 4,
    "assault": 3,
    "fire": 2,
    "end": 1,
}


def position(g: Board) -> dict[str, Any]:
    return {
        "turn": g.turn,
        "phase": phase_of(g),
        **{pile: [IDS[card] for card in getattr(g, pile)] for pile in ("a_deck", "i_deck", *PILES)},
        "fronts": {str(number): [_laid(card) for card in g.fronts[number - 1]] for number in FRONTS},
        "plan": [{"card": IDS[card], "on": where if where <= 3 else IDS[where]} for card, where in g.plan],
        "taken_back": [IDS[card] for card in g.returned],
        "failed": list(g.failed),
        "reshuffles": g.reshuffles,
        "idle": g.idle,
        "over": g.over or None,
        "options": options_of(g),
        "todo": [[_word(part) for part in msgspec.to_builtins(step)] for step in g.todo],
    }


def _laid(card: int) -> dict[str, Any]:
    return {"id": IDS[card if card >= 0 else ~card], "up": card >= 0}


def _word(part: Any) -> Any:
    return IDS[part] if isinstance(part, int) and part >= FIRST_INSURGENT else part


def fields(raw: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a Board that a position describes; missing piles take the cards that are nowhere else."""
    unknown = sorted(set(raw) - KNOWN)
    if unknown:
        raise BadSetup(f"A Card Assault position has no {', '.join(unknown)}; it has {', '.join(sorted(KNOWN))}.")
    found: dict[str, Any] = {pile: _cards(raw, pile) for pile in PILES}
    found["hand"].sort()
    fronts = raw.get("fronts", {})
    if not isinstance(fronts, Mapping) or not set(fronts) <= {"1", "2", "3"}:
        raise BadSetup('`fronts` maps "1", "2" and "3" to lists of cards.')
    for number in FRONTS:
        found[f"front{number}"] = tuple(_front_card(item) for item in fronts.get(str(number), []))
    found["plan"] = _plan(raw.get("plan", []))
    found["returned"] = _cards(raw, "taken_back")
    found["failed"] = tuple(_whole("failed", item) for item in raw.get("failed", []))
    for key, default in (("turn", 1), ("reshuffles", 0)):
        found[key] = _whole(key, raw.get(key, default))
    found["idle"] = raw.get("idle", False) is True
    found["over"] = raw.get("over") or ""
    used = {card for pile in PILES for card in found[pile]} | {card for card, _ in found["plan"]}
    used |= {card if card >= 0 else ~card for number in FRONTS for card in found[f"front{number}"]}
    for key, every in (("a_deck", AMERICAN), ("i_deck", INSURGENT)):
        found[key] = sorted(_cards(raw, key)) if key in raw else [card for card in every if card not in used]
    return {**found, **options, "todo": _todo(raw, found)}


def _cards(raw: Mapping[str, Any], key: str) -> list[int]:
    items = raw.get(key, [])
    if not isinstance(items, list):
        raise BadSetup(f"`{key}` is a list of card ids.")
    return [_card(item) for item in items]


def _card(item: Any) -> int:
    if not isinstance(item, str) or item not in CARD:
        raise BadSetup(f"There is no card {item!r}; ids look like A.humvee.1.")
    return CARD[item]


def _front_card(item: Any) -> int:
    if isinstance(item, str):
        return _card(item)
    if not isinstance(item, Mapping) or not set(item) <= {"id", "up"} or item.get("up", True) not in (True, False):
        raise BadSetup('A card of a front is an id or {"id": .., "up": true or false}.')
    card = _card(item.get("id"))
    return card if item.get("up", True) else ~card


def _plan(raw: Any) -> list[tuple[int, int]]:
    if isinstance(raw, Mapping):
        raw = [{"card": card, "on": on} for card, on in raw.items()]
    if not isinstance(raw, list) or not all(isinstance(item, Mapping) and set(item) == {"card", "on"} for item in raw):
        raise BadSetup('`plan` is a list of {"card": id, "on": front or position id}.')
    return [(_card(item["card"]), item["on"] if item["on"] in (1, 2, 3) else _card(item["on"])) for item in raw]


def _whole(key: str, value: Any) -> int:
    if type(value) is not int or value < 0:
        raise BadSetup(f"`{key}` takes whole numbers, not {value!r}.")
    return value


def _todo(raw: Mapping[str, Any], found: dict[str, Any]) -> list[Any]:
    """The stack as plain arrays, its top last; without one, the rest of the turn from `phase` on."""
    if "todo" not in raw:
        if found["over"]:
            return []
        phase = raw.get("phase", "reinforce")
        if phase not in PHASE_LEFT:
            raise BadSetup(f"There is no phase {phase!r}; there are {', '.join(PHASE_LEFT)}.")
        return [msgspec.to_builtins(step) for step in PHASES[: PHASE_LEFT[phase]]]
    todo = raw["todo"]
    if not isinstance(todo, list):
        raise BadSetup("`todo` is a list of steps, the next one last.")
    steps = [[step] if isinstance(step, str) else step for step in todo]
    if not all(isinstance(step, list) and step for step in steps):
        raise BadSetup("A step is its name, or an array of its name and what it needs.")
    return [
        [step[0], *(CARD.get(part, part) if isinstance(part, str) else part for part in step[1:])] for step in steps
    ]


def check_cards(g: Board) -> None:
    wrong = misplaced(g)
    if wrong:
        raise BadSetup(f"Every card lies in one place: {'; '.join(wrong[:4])}.")

"""The printed cards and the victory table.

A card is a small int inside the engine: 0 to 56 American, 57 to 115 insurgent, in the order of their ids, so
that cards of one type are neighbours and the lower int is the lower id. Outside it is its id (`A.humvee.1`).
"""

from importlib.resources import files
from typing import Any

import msgspec

DATA: dict[str, Any] = msgspec.json.decode(files(__package__).joinpath("cards.json").read_bytes())

FRONTS = (1, 2, 3)
HAND_LIMIT = 6
REINFORCEMENTS = 2
SUCCESS = 4  # recon, disarming and explosives happen on 1 to 4
TYPE_WORDS: dict[str, str] = DATA["types"]


class Kind(msgspec.Struct, frozen=True):
    """One line of the printed card list."""

    key: str
    name: str
    short: str
    deck: str
    type: str
    count: int
    force: int | None
    note: str


KINDS: tuple[Kind, ...] = tuple(msgspec.convert(line, Kind) for line in DATA["cards"])

_LIST = sorted(
    ((kind.deck, f"{kind.type}.{kind.key}.{copy}", kind) for kind in KINDS for copy in range(1, kind.count + 1)),
    key=lambda line: line[:2],
)
IDS: tuple[str, ...] = tuple(card_id for _, card_id, _ in _LIST)
KIND: tuple[Kind, ...] = tuple(kind for _, _, kind in _LIST)
CARD: dict[str, int] = {card_id: card for card, card_id in enumerate(IDS)}
CARD_IN_ANY_CASE: dict[str, int] = {card_id.lower(): card for card, card_id in enumerate(IDS)}
TYPE: tuple[str, ...] = tuple(kind.type for kind in KIND)
FORCE: tuple[int, ...] = tuple(kind.force or 0 for kind in KIND)

AMERICAN = tuple(card for card, kind in enumerate(KIND) if kind.deck == "american")
INSURGENT = tuple(card for card, kind in enumerate(KIND) if kind.deck == "insurgent")
FIRST_INSURGENT = INSURGENT[0]


def _of(letter: str) -> range:
    cards = [card for card, kind in enumerate(KIND) if kind.type == letter]
    assert cards == list(range(cards[0], cards[-1] + 1)), letter
    return range(cards[0], cards[-1] + 1)


# Cards of one type are neighbours: a range each. The bounds are what the inner loops compare with.
A, D, G, R, S, T = map(_of, "ADGRST")
I, N, O, P, X = map(_of, "INOPX")  # noqa: E741 - the letters printed on the cards
RECON_CARDS, DISARM_CARDS, SUPPORT, EXPLOSIVES, POSITIONS = map(frozenset, (R, D, S, X, P))
INSURGENTS = frozenset(I)
LEADERS = frozenset((*A, *G))  # an assault needs one of them
MOSQUES = frozenset(card for card, kind in enumerate(KIND) if kind.key == "mosque")
GUNS = frozenset(card for card, kind in enumerate(KIND) if kind.key in ("field_artillery", "artillery"))

RANKS: tuple[tuple[int | None, str], ...] = tuple((line["from"], line["rank"]) for line in DATA["ranks"])


def rank(score: int) -> str:
    """6. The printed rank of a score; 36 is a General (R22)."""
    return next(word for low, word in reversed(RANKS) if low is None or score >= low)


def next_rank(score: int) -> tuple[int, str] | None:
    """The next rank up and the score it needs; None at the top."""
    return next(((low, word) for low, word in RANKS if low is not None and low > score), None)

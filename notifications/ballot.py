"""The numbered lines of a mail. They follow from the decision alone, so that a reply to an old mail
means the lines that stood in it.

Up to twenty options are twenty lines. More are folded: options that share all words but the last become
one line with a blank, `put F _`, and what fits the blank beside it.
"""

import itertools
from collections.abc import Iterator

import msgspec

from games.ledger.selectors import Asked, Offer

MOST_LINES = 20


class BallotLine(msgspec.Struct, frozen=True):
    """One numbered line: an action, or one with a blank and what may fill it."""

    number: int
    notation: str
    words: str
    odds: str
    rule: str
    offers: tuple[Offer, ...]
    blank: bool = False

    @property
    def fills(self) -> list[str]:
        return [offer.notation.rpartition(" ")[2] for offer in self.offers]


def ballot(asked: Asked) -> list[BallotLine]:
    """Every line, numbered from one. A mail prints the first twenty; the numbers after them count too."""
    return list(_lines(asked.actions))


def _lines(offers: list[Offer]) -> Iterator[BallotLine]:
    if len(offers) <= MOST_LINES:
        groups = [[offer] for offer in offers]
    else:
        groups = [list(group) for _, group in itertools.groupby(offers, key=_stem)]
    for number, group in enumerate(groups, 1):
        first = group[0]
        if len(group) == 1:
            yield BallotLine(number, first.notation, first.words, first.odds, first.rule, (first,))
        else:
            yield BallotLine(number, f"{_stem(first)} _", "", "", first.rule, tuple(group), blank=True)


def _stem(offer: Offer) -> str:
    head, space, _ = offer.notation.rpartition(" ")
    return head if space else offer.notation


def numbers(lines: list[BallotLine]) -> dict[tuple[str | int, ...], int]:
    """Action -> line number, for the picture: only lines that are one action."""
    return {line.offers[0].action: line.number for line in lines[:MOST_LINES] if not line.blank}


def template(asked: Asked) -> str:
    """The commonest verb with blanks for its words, to be filled in: `put ____ ____`."""
    counts: dict[tuple[str, int], int] = {}
    for offer in asked.actions:
        words = offer.notation.split()
        if len(words) > 1:
            counts[words[0], len(words) - 1] = counts.get((words[0], len(words) - 1), 0) + 1
    if not counts:
        return ""
    verb, blanks = max(counts, key=lambda shape: counts[shape])
    return " ".join([verb, *["____"] * blanks])

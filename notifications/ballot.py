"""The numbered and lettered lines of a mail. They follow from the decision alone, so that a reply to an
old mail means the lines that stood in it.

Up to twenty options are twenty lines. More are folded: options that share all words but the last become
one line with a blank, `put F _`, and what fits the blank beside it. Equal units share a line: its number
twice takes two of them. Letters are ready-made answers of several orders.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from games.kernel.ruleset import Bundle
from games.ledger.selectors import Asked, Offer

MOST_LINES = 20
MOST_LETTERS = 8
LETTERS = "abcdefghijkl"


class BallotLine(msgspec.Struct, frozen=True):
    """One numbered line: an action, or one with a blank and what may fill it, or equal ones."""

    number: int
    notation: str
    words: str
    odds: str
    rule: str
    offers: tuple[Offer, ...]
    blank: bool = False
    again: tuple[str, ...] = ()  # the orders that repeating the number gives, after the first

    @property
    def fills(self) -> list[str]:
        return [offer.notation.rpartition(" ")[2] for offer in self.offers] if self.blank else []


class LetteredLine(msgspec.Struct, frozen=True):
    """A ready-made answer; one of its orders may end in a blank."""

    letter: str
    orders: tuple[str, ...]
    fills: tuple[str, ...] = ()
    words: str = ""

    @property
    def notation(self) -> str:
        return "; ".join(self.orders)

    def filled(self, fill: str) -> tuple[str, ...] | None:
        """The orders with the blank filled; None when that does not fit."""
        if not self.fills:
            return self.orders if not fill else None
        found = next((known for known in self.fills if known.lower() == fill.lower()), None)
        if found is None:
            return None
        return tuple(f"{order[:-1]}{found}" if order.endswith(" _") else order for order in self.orders)


def ballot(asked: Asked, alike: Mapping[str, str] | None = None) -> list[BallotLine]:
    """Every line, numbered from one. A mail prints the first twenty; the numbers after them count too."""
    return list(_lines(asked.actions, alike or {}))


def _lines(offers: list[Offer], alike: Mapping[str, str]) -> Iterator[BallotLine]:
    equal = [list(group) for group in _equal(offers, alike)]
    if len(equal) <= MOST_LINES:
        for number, group in enumerate(equal, 1):
            yield _line(number, group, alike)
        return
    groups = [list(group) for _, group in itertools.groupby(offers, key=_stem)]
    for number, group in enumerate(groups, 1):
        if len(group) == 1:
            yield _line(number, group, alike)
        else:
            yield BallotLine(number, f"{_stem(group[0])} _", "", "", group[0].rule, tuple(group), blank=True)


def _line(number: int, group: list[Offer], alike: Mapping[str, str]) -> BallotLine:
    first = group[0]
    again = tuple(_again(first, alike))
    return BallotLine(number, first.notation, first.words, first.odds, first.rule, tuple(group), again=again)


def _again(offer: Offer, alike: Mapping[str, str]) -> Iterator[str]:
    """The same order for the other things like the one it takes; a game may offer only the first of them."""
    named = next((str(word) for word in offer.action if str(word) in alike), None)
    if named is not None:
        others = [word for word, kind in alike.items() if kind == alike[named] and word != named]
        for other in sorted(others, key=lambda word: (len(word), word)):
            yield " ".join(other if word == named else word for word in offer.notation.split())


def _equal(offers: list[Offer], alike: Mapping[str, str]) -> Iterable[list[Offer]]:
    """Offers that differ only in which of several equal things they take."""
    groups: dict[tuple[object, ...], list[Offer]] = {}
    for offer in offers:
        key = tuple(alike.get(str(word), str(word)) for word in offer.action)
        groups.setdefault((key, offer.odds, offer.rule), []).append(offer)
    return groups.values()


def _stem(offer: Offer) -> str:
    head, space, _ = offer.notation.rpartition(" ")
    return head if space else offer.notation


def lettered(bundles: Sequence[Bundle]) -> list[LetteredLine]:
    """At most eight lettered lines; bundles that differ in one last word share one with a blank."""
    left = list(bundles)
    lines: list[tuple[tuple[str, ...], tuple[str, ...], str]] = []
    while left:
        blanks: dict[tuple[str, ...], list[Bundle]] = {}
        for bundle in left:
            for at, order in enumerate(bundle.orders):
                head, space, _ = order.rpartition(" ")
                if space and bundle.orders.count(order) == 1:
                    blanks.setdefault((*bundle.orders[:at], f"{head} _", *bundle.orders[at + 1 :]), []).append(bundle)
        best = max(blanks, key=lambda orders: len(blanks[orders]), default=())
        if best and len(blanks[best]) > 2:
            at = next(place for place, order in enumerate(best) if order.endswith(" _"))
            fills = tuple(bundle.orders[at].rpartition(" ")[2] for bundle in blanks[best])
            lines.append((best, fills, ""))
            left = [bundle for bundle in left if bundle not in blanks[best]]
        else:
            lines += [(bundle.orders, (), bundle.words) for bundle in left]
            break
    if len(lines) > MOST_LETTERS:
        return []
    return [LetteredLine(LETTERS[at], *line) for at, line in enumerate(lines)]


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

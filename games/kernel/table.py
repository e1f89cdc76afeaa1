"""The table: the only thing a rule may ask of the world.

Chance comes from here and news goes here. A roll is recorded as `(kind, value)`: `d6` shows 1 to 6,
`d10` shows 0 to 9, `of57` is an index below 57 into a pool that is unordered until drawn. A kind that
ends in `?` was drawn out of sight (a card laid face down): ledgers show that it happened, not what it
was, until the match is over.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import msgspec

from games.kernel.errors import ChanceRanOut

Seat = str
Fact = int | str
Roll = tuple[str, int]


class News(msgspec.Struct, frozen=True):
    """Something that happened, as facts; the ruleset's `narrate` makes a sentence of it."""

    key: str
    facts: dict[str, Fact]
    to: Seat | None = None  # None: everybody may know


class Table(Protocol):
    """What a rule sees of the world."""

    hears: bool  # False: news is dropped, and facts that cost something need not be gathered

    def d6(self, count: int = 1) -> list[int]: ...

    def d10(self) -> int: ...

    def draw(self, size: int, *, secret: bool = False) -> int: ...

    def tell(self, news: str, *, to: Seat | None = None, **facts: Fact) -> None: ...


class RecordingTable:
    """Chance from `below(size)`; keeps every roll and every piece of news in order."""

    hears = True

    def __init__(self, below: Callable[[int], int]) -> None:
        self._below = below
        self.rolls: list[Roll] = []
        self.news: list[News] = []

    def d6(self, count: int = 1) -> list[int]:
        values = [self._below(6) + 1 for _ in range(count)]
        self.rolls.extend(("d6", value) for value in values)
        return values

    def d10(self) -> int:
        value = self._below(10)
        self.rolls.append(("d10", value))
        return value

    def draw(self, size: int, *, secret: bool = False) -> int:
        value = self._below(size)
        self.rolls.append((f"of{size}?" if secret else f"of{size}", value))
        return value

    def tell(self, news: str, *, to: Seat | None = None, **facts: Fact) -> None:
        self.news.append(News(news, facts, to))


class SeededTable(RecordingTable):
    """A table of ordinary pseudo-random chance, for play-outs, bots and tests."""

    def __init__(self, seed: int | random.Random) -> None:
        rng = seed if isinstance(seed, random.Random) else random.Random(seed)
        super().__init__(rng.randrange)


class SearchTable:
    """The fastest table: keeps nothing. For search and for random play-outs."""

    hears = False

    def __init__(self, seed: int | random.Random) -> None:
        rng = seed if isinstance(seed, random.Random) else random.Random(seed)
        self._random = rng.random

    def d6(self, count: int = 1) -> list[int]:
        if count == 1:
            return [int(self._random() * 6) + 1]
        return [int(self._random() * 6) + 1 for _ in range(count)]

    def d10(self) -> int:
        return int(self._random() * 10)

    def draw(self, size: int, *, secret: bool = False) -> int:
        return int(self._random() * size)

    def tell(self, news: str, *, to: Seat | None = None, **facts: Fact) -> None:
        return None


class ReplayTable:
    """Chance as it was recorded. News is dropped unless `keep_news` is set."""

    def __init__(self, rolls: Iterable[int] = (), *, keep_news: bool = False) -> None:
        self._lay(list(rolls))
        self.hears = keep_news
        self.news: list[News] = []

    def load(self, rolls: Sequence[int]) -> None:
        """Lay down the rolls of the next entry; the last entry's must all be used."""
        if self._waiting:
            raise ChanceRanOut(f"{len(self._waiting)} recorded rolls were not used.")
        if rolls or self._laid:
            self._lay(list(rolls))

    def _lay(self, rolls: list[int]) -> None:
        self._laid = len(rolls)
        rolls.reverse()
        self._waiting = rolls  # the next one last

    @property
    def left(self) -> list[int]:
        return self._waiting[::-1]

    def _take(self, wanted: str, low: int, high: int) -> int:
        used = self._laid - len(self._waiting)
        if not self._waiting:
            raise ChanceRanOut(
                f"A roll was wanted ({wanted}, {low} to {high}) and no chance is left after {used} values.",
                wanted=wanted,
                used=used,
            )
        value = self._waiting[-1]
        if not low <= value <= high:
            raise ChanceRanOut(
                f"Chance value {used + 1} is {value}, but a {wanted} shows {low} to {high}.", wanted=wanted, used=used
            )
        return self._waiting.pop()

    def d6(self, count: int = 1) -> list[int]:
        waiting = self._waiting
        if count == 1 and waiting and 1 <= waiting[-1] <= 6:
            return [waiting.pop()]
        return [self._take("d6", 1, 6) for _ in range(count)]

    def d10(self) -> int:
        waiting = self._waiting
        if waiting and 0 <= waiting[-1] <= 9:
            return waiting.pop()
        return self._take("d10", 0, 9)

    def draw(self, size: int, *, secret: bool = False) -> int:
        waiting = self._waiting
        if waiting and 0 <= waiting[-1] < size:
            return waiting.pop()
        return self._take(f"draw from {size}", 0, size - 1)

    def tell(self, news: str, *, to: Seat | None = None, **facts: Fact) -> None:
        if self.hears:
            self.news.append(News(news, facts, to))


class Scripted(ReplayTable):
    """A table for tests and position files: chance by hand, news kept."""

    def __init__(self, *rolls: int) -> None:
        super().__init__(rolls, keep_news=True)

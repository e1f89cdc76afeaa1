"""What a program needs to know of a game before the first move: its map, its pieces, and how orders are written."""

from typing import Any

import msgspec


class Place(msgspec.Struct, frozen=True):
    """Somewhere a piece can be."""

    id: str
    name: str
    kind: str
    x: float | None = None  # on the drawn board, where there is one
    y: float | None = None
    facts: dict[str, Any] = {}


class Link(msgspec.Struct, frozen=True):
    """Two places that touch, in both directions."""

    a: str
    b: str
    kind: str


class Piece(msgspec.Struct, frozen=True):
    """A counter or card, by the id that orders use."""

    id: str
    name: str
    side: str
    kind: str
    facts: dict[str, Any] = {}


class Chart(msgspec.Struct, frozen=True):
    """Printed facts; nothing here depends on a match."""

    places: tuple[Place, ...] = ()
    links: tuple[Link, ...] = ()
    pieces: tuple[Piece, ...] = ()


class Form(msgspec.Struct, frozen=True):
    """How one verb is written, and what it does."""

    verb: str
    form: str
    words: str
    short: bool = False  # a shorthand that stands for several orders


def forms(*rows: tuple[str, str]) -> tuple[Form, ...]:
    """Rows of a written form and its meaning; a form that begins with `~` is a shorthand."""
    return tuple(
        Form(form.lstrip("~").split(" ", 1)[0], form.lstrip("~"), words, form[0] == "~") for form, words in rows
    )


def link_once(pairs: Any, kind: str = "adjacent") -> tuple[Link, ...]:
    """Each pair once, whichever way round it was given."""
    return tuple(Link(a, b, kind) for a, b in sorted({(min(a, b), max(a, b)) for a, b in pairs}))

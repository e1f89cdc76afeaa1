"""Reading what people type: tidy the text, split it into orders, find the things they name.

Case and spacing never matter. Canonical text and JSON of an action are trivial (`notation`, a JSON
array), so everything here is about forgiving input.
"""

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from games.kernel.errors import Ambiguous, Unreadable
from games.kernel.steps import Action

T = TypeVar("T")

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"), "-")
_QUOTES = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u00b4\u0060"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"), '"'),
}
_ARROWS = dict.fromkeys(map(ord, "\u2192\u21d2\u27a1\u2794\u279c"), ">")
_GONE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\ufe0f"))
_PLAIN = {**_DASHES, **_QUOTES, **_ARROWS, **_GONE, ord("\u2044"): "/", ord("\u2215"): "/", ord("\u2026"): ".."}


def tidy(text: str) -> str:
    """Phones and mail programs undone: NFKC, plain dashes, quotes, arrows and spaces, no emoji."""
    text = text.translate(_PLAIN)
    text = unicodedata.normalize("NFKC", text).translate(_PLAIN)
    text = "".join(char for char in text if char in "\n\t" or unicodedata.category(char) not in ("Cc", "So", "Cf"))
    text = text.replace("->", ">")
    return re.sub(r"[^\S\n]+", " ", text)


_BULLET = re.compile(r"^(?:[-*+o\u00b7\u2022]|\d{1,2}[.)]|[a-z]\))\s+(?=[a-z])", re.IGNORECASE)


def split_orders(text: str, verbs: Iterable[str]) -> list[str]:
    """Separate orders: newline, `;`, ` / `, and a comma or `and` where a verb follows.

    Comments after `//`, bullets before a verb and full stops at line ends are dropped. `then` stays in
    front of the order it marks.
    """
    known = {verb.lower() for verb in verbs} | {"then", "if", "unless", "stop"}
    orders: list[str] = []
    for line in tidy(text).split("\n"):
        line = line.split("//", 1)[0]
        for chunk in re.split(r";| / ", line):
            chunk = chunk.strip().rstrip(".!,").strip()
            bulleted = _BULLET.sub("", chunk)
            if bulleted != chunk and bulleted.split()[0].lower() in known:
                chunk = bulleted
            orders.extend(_split_commas(chunk, known))
    return [order for order in orders if order]


def _split_commas(chunk: str, known: set[str]) -> list[str]:
    pieces: list[str] = []
    for piece in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s+(?=then\b)", chunk, flags=re.IGNORECASE):
        first = piece.split(" ", 1)[0].lower() if piece else ""
        if not pieces or first in known:
            pieces.append(piece)
        elif piece:
            pieces[-1] = f"{pieces[-1]} {piece}"
    return [piece.strip() for piece in pieces]


def find(
    word: str,
    things: Sequence[T],
    names: Callable[[T], Iterable[str]],
    what: str = "thing",
    *,
    key: Callable[[str], str] | None = None,
) -> T:
    """The one thing `word` names: exact name first, then a unique part; raises with candidates.

    `key` folds a name before comparing; by default only letters and digits count, in any case.
    """
    fold = key or plain_key
    wanted = fold(word)
    if not wanted:
        raise Unreadable(f"The {what} is missing.")
    keyed = [(thing, [fold(name) for name in names(thing)]) for thing in things]
    for test in (lambda name: name == wanted, lambda name: name.startswith(wanted), lambda name: wanted in name):
        hits = [thing for thing, keys in keyed if any(test(key) for key in keys)]
        if len(hits) == 1:
            return hits[0]
        if hits:
            choices = [next(iter(names(hit))) for hit in hits]
            raise Ambiguous(f"{word} could be {listed(choices)}; which {what} do you mean?", nearest=choices[:9])
    all_names = [next(iter(names(thing))) for thing in things]
    near = difflib.get_close_matches(word, all_names, 3, 0.3) or all_names[:6]
    raise Unreadable(f"There is no {what} {word} to choose here; there are {listed(near)}.", nearest=near)


def plain_key(name: str) -> str:
    """Letters and digits only, lower case."""
    return re.sub(r"[^a-z0-9]+", "", name.lower())


def listed(names: Sequence[str], word: str = "or") -> str:
    """`a, b or c`, at most nine of them."""
    shown = [str(name) for name in names[:9]]
    if len(names) > 9:
        shown.append(f"{len(names) - 9} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {word} {shown[-1]}" if shown else "none"


def action_from_json(raw: Any) -> Action:
    """`["put", "S.mortars.1", 3]` -> the action; anything else is refused with a sentence."""
    if isinstance(raw, list) and raw and isinstance(raw[0], str) and all(type(word) in (str, int) for word in raw):
        return tuple(raw)
    raise Unreadable('An action is a JSON array of a verb and its words, such as ["put", "S.mortars.1", 3].')

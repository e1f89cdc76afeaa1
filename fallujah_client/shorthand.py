"""What a player types, read as in a mail: `4`, `4 9 done`, `1..3`, `1 24`, orders in words, commands.

A line is an order only if it begins with a number or a verb of the game; nothing is guessed into one. A test
holds this reader against the one for mail.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence

import msgspec

from fallujah_client.shapes import Offer

MOST_ROWS = 20
MOST_RANGE = 40
VERBATIM = frozenset({"say", "note", "claim", "salt"})
SHARED = frozenset(
    {"help", "look", "options", "why", "log", "undo", "note", "say", "standing", "rehearse", "resign", "rematch"}
    | {"yes", "no", "new", "rules", "cancel"}
)
FOR_MAIL = frozenset(
    {"accept", "decline", "address", "unsubscribe", "subscribe", "salt", "ok", "keep", "vacation", "deputy", "set"}
    | {"snooze", "claim", "mute", "unmute", "absent"}
)  # what means something in a mail only; here it is said so
HERE = frozenset({"board", "matches", "watch", "quit", "exit"})  # what only a terminal needs
KNOWN = SHARED | FOR_MAIL | HERE
# What may follow a word that people also begin sentences with.
_COUNTED = r"(?:\d{1,3}|please|thanks|thank you|yes)?"
_BARE = {
    **dict.fromkeys(
        ("yes", "ok", "keep", "accept", "options", "rules", "unsubscribe", "subscribe", "rematch"), _COUNTED
    ),
    **dict.fromkeys(("no", "mute", "unmute"), r"(?:please|thanks|thank you)?"),
    "undo": r"(?:\d{1,4})?(?:\s*please)?(?:\s*(?:because|:)\s*.{1,300})?",
}
_BULLET = re.compile(r"^(?:[-*+o\u00b7\u2022]|\d{1,2}[.)]|[a-z]\))\s*(?=[a-z#])", re.IGNORECASE)
_NUMBER = re.compile(r"^(?:option\s+|lines?\s+|all\s+|nr\.?\s*|no\.?\s*|#)?\d{1,4}\b", re.IGNORECASE)
_COND = r"(?:[\w-]+\([^)]*\)|[\w-]+(?:\s*(?:<=|>=|!=|<|>|=)\s*[\w-]+)?)"
_LEAD = re.compile(rf"^(?:then\s+|(?:if|unless)\s+{_COND}(?:\s+and\s+{_COND})*\s+)+", re.IGNORECASE)
_RANGE = re.compile(r"^(\d{1,4})(?:\.\.|-)(\d{1,4})$")
_PLAIN = {
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"), "-"),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u00b4\u0060"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"), '"'),
}


class Row(msgspec.Struct, frozen=True):
    """One numbered line: an action, or several that differ in their last word, with a blank for it."""

    number: int
    notation: str
    words: str
    odds: str
    rule: str
    offers: tuple[Offer, ...]

    @property
    def blank(self) -> bool:
        return len(self.offers) > 1

    @property
    def fills(self) -> list[str]:
        return [offer.notation.rpartition(" ")[2] for offer in self.offers]


class Typed(msgspec.Struct, frozen=True):
    """What a line means: `order`, `command`, `unclear` (with why), or `nothing`."""

    kind: str
    texts: tuple[str, ...] = ()
    command: str = ""
    argument: str = ""
    why: str = ""


def rows(offers: Sequence[Offer]) -> list[Row]:
    """Up to twenty options are as many lines; of more, those that share all but the last word are folded."""
    groups = [[offer] for offer in offers]
    if len(offers) > MOST_ROWS:
        groups = [list(group) for _, group in itertools.groupby(offers, key=_stem)]
    return [_row(number, group) for number, group in enumerate(groups, 1)]


def _row(number: int, group: list[Offer]) -> Row:
    first = group[0]
    if len(group) > 1:
        return Row(number, f"{_stem(first)} _", "", "", first.rule, tuple(group))
    return Row(number, first.notation, first.words, first.odds, first.rule, (first,))


def _stem(offer: Offer) -> str:
    head, space, _ = offer.notation.rpartition(" ")
    return head if space else offer.notation


def tidy(text: str) -> str:
    """What phones make of plain characters, undone."""
    text = unicodedata.normalize("NFKC", text.translate(_PLAIN)).translate(_PLAIN)
    text = "".join(char for char in text if unicodedata.category(char) not in ("Cc", "So", "Cf"))
    return re.sub(r"\s+", " ", text.replace("->", ">")).strip()


def read(line: str, listed: Sequence[Row], verbs: frozenset[str]) -> Typed:
    """One line, by the numbered rows on the screen and the verbs of the game."""
    plain = tidy(line).split("//", 1)[0].strip()
    plain = re.sub(r"^[\"'(]+|[\"')]+$", "", plain).strip() if plain[:1] in ("'", '"', "(") else plain
    bare = plain.rstrip(" .!,;")
    if not bare:
        return Typed("nothing")
    unbulleted = _BULLET.sub("", bare, count=1)
    if _NUMBER.match(bare) and not (unbulleted != bare and _is_verb(unbulleted, verbs)):
        return _numbers(bare, listed, verbs)
    body = unbulleted if _is_verb(unbulleted, verbs) or _first(unbulleted) in KNOWN else bare
    if _is_verb(body, verbs):
        return Typed("order", texts=(body,))
    command = _first(body)
    if command in KNOWN:
        return _command(tidy(line) if command in VERBATIM else body, command)
    return Typed("nothing")


def _first(line: str) -> str:
    return re.split(r"[\s:,!.]+", line.strip().lower(), maxsplit=1)[0]


def _is_verb(body: str, verbs: frozenset[str]) -> bool:
    """Whether the first word, after `then` and a guard, is a verb of the game. Commands come first."""
    lead = _LEAD.match(body)
    rest = body[lead.end() :] if lead else body
    word = re.split(r"[\s,;]+", rest.lower(), maxsplit=1)[0]
    word = word.rstrip(":.!") if word.rstrip(":.!") in verbs else word
    if word == "stop" and re.match(r"stop\s+if\s", rest, re.IGNORECASE):
        return True
    if word in VERBATIM or word not in verbs:
        return False
    if word == "keep" and not lead:
        return len(rest.split()) > 1  # `keep` alone is for mail, `keep F3` is an order
    return bool(lead) or word not in SHARED | FOR_MAIL


def _command(body: str, command: str) -> Typed:
    parts = re.split(r"[\s:,]+", body, maxsplit=1)
    argument = parts[1].strip() if len(parts) > 1 else ""
    if command == "say" and body[3:4] == "!":
        command, argument = "say!", body[4:].lstrip(" :").strip()
    if command in _BARE and not re.fullmatch(_BARE[command], argument, re.IGNORECASE):
        return Typed("nothing")
    words = len(argument.split())
    if (command in ("look", "help") and words > 4) or (command in ("log", "resign", "new", "standing") and words > 40):
        return Typed("nothing")
    if command == "why" and words > 3 and not argument.lower().startswith("not "):
        return Typed("nothing")
    return Typed("command", command=command, argument=argument)


# --- numbers -------------------------------------------------------------------------------------------------


def _numbers(text: str, listed: Sequence[Row], verbs: frozenset[str]) -> Typed:
    """`4`, `4 9 done`, `1 24`, `4..6`: names of printed actions, then perhaps an order."""
    text = re.sub(r"^(?:option|lines?|all|nr\.?|no\.?)\s+|^#", "", text, flags=re.IGNORECASE)
    text = re.sub(r"(\d)\s+to\s+(\d)", r"\1..\2", text)
    tokens = re.sub(r"[,;&]|\band\b", " ", text, flags=re.IGNORECASE).split()
    texts: list[str] = []
    index = 0
    while index < len(tokens):
        token = tokens[index].rstrip(".)")
        index += 1
        if not token:
            continue
        if not token[0].isdigit() or not (_RANGE.match(token) or token.isdigit()):
            if _is_verb(token, verbs):
                texts.append(" ".join(tokens[index - 1 :]))
                break
            return _left_over(tokens, index - 1, texts, listed)
        numbers, why = _spread(token, listed)
        if why:
            return Typed("unclear", why=why)
        for number in numbers:
            row = listed[number - 1] if 1 <= number <= len(listed) else None
            if row is None:
                told = f"there are lines 1 to {len(listed)}" if listed else "there are no numbered lines"
                return Typed("unclear", why=f"There is no line {number}; {told}.")
            if row.blank:
                fill = tokens[index].rstrip(".)").lower() if index < len(tokens) else ""
                index += 1
                found = _filled(row, fill)
                if not found:
                    return Typed("unclear", why=_misfit(row, fill))
                texts.append(found)
            else:
                texts.append(row.notation)
    return Typed("order", texts=tuple(texts)) if texts else Typed("nothing")


def _left_over(tokens: list[str], index: int, texts: list[str], listed: Sequence[Row]) -> Typed:
    """Words after a number: with no such line it was no number at all."""
    lead = re.match(r"\d+", tokens[0])
    if not texts and not (lead and 1 <= int(lead[0]) <= len(listed)):
        return Typed("nothing")
    left = " ".join(tokens[index:])
    return Typed("unclear", why=f"Words are left over after the number: {left!r}. Type the number alone.")


def _spread(token: str, listed: Sequence[Row]) -> tuple[list[int], str]:
    """The numbers a token stands for, or why it is not clear."""
    found = _RANGE.match(token)
    if found is None:
        return [int(token)], ""
    if "-" in token and token.lower() in _all_words(listed):
        return [], f"{token} could be a place or lines. Which? Type {found[1]}..{found[2]} for lines."
    numbers = list(range(int(found[1]), int(found[2]) + 1))
    return numbers, "" if 0 < len(numbers) <= MOST_RANGE else f"{token} is not a range of lines."


def _all_words(listed: Sequence[Row]) -> Iterator[str]:
    return (word.lower() for row in listed for offer in row.offers for word in offer.notation.split())


def _filled(row: Row, fill: str) -> str:
    return next((offer.notation for offer in row.offers if offer.notation.split()[-1].lower() == fill), "")


def _misfit(row: Row, fill: str) -> str:
    fits = " ".join(row.fills[:12]) + (" .." if len(row.fills) > 12 else "")
    told = f"{fill!r} does not fit" if fill else "something is missing in"
    return f"{told} the blank of line {row.number}, {row.notation}: {fits}"

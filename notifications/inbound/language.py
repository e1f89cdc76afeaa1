"""A person's lines as orders, commands and remarks, by the words of one game and the ballot of one mail.

A line is an order only if its first word says so; anything else is a remark and is never guessed into
one. Numbers are names of the actions printed in the mail that is answered.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from games.kernel.notation import tidy
from notifications.ballot import LETTERS, BallotLine, LetteredLine
from notifications.inbound.quotes import NewText

COMMANDS = frozenset(
    {
        "new",
        "accept",
        "decline",
        "help",
        "look",
        "options",
        "why",
        "log",
        "undo",
        "note",
        "say",
        "standing",
        "rehearse",
        "resign",
        "rematch",
        "address",
        "unsubscribe",
        "rules",
        "salt",
        "cancel",
        "yes",
        "no",
        "ok",
        "keep",
        "vacation",
        "deputy",
        "set",
        "snooze",
        "claim",
        "mute",
        "subscribe",
        "absent",
        "unmute",
    }
)
VERBATIM = frozenset({"say", "say!", "note", "claim", "salt"})
MOST_ORDERS = 200


class Item(msgspec.Struct, frozen=True):
    """One thing a mail says: `order` (texts to play), `command`, or `unclear` (asked back)."""

    kind: str
    typed: str  # as it was written, for quoting back
    texts: tuple[str, ...] = ()  # orders in the game's notation
    command: str = ""
    argument: str = ""
    why: str = ""


class Block(msgspec.Struct):
    """Items for one match; `match_id` is None above the first bracket."""

    match_id: int | None = None
    items: list[Item] = []
    remarks: list[str] = []

    def orders(self) -> list[Item]:
        return [item for item in self.items if item.kind == "order"]

    def commands(self) -> list[Item]:
        return [item for item in self.items if item.kind == "command"]

    def unclear(self) -> list[Item]:
        return [item for item in self.items if item.kind == "unclear"]


class Words(msgspec.Struct, frozen=True):
    """What the reader must know of the game: its verbs, and the numbered lines of the mail answered."""

    verbs: frozenset[str] = frozenset()
    ballot: tuple[BallotLine, ...] = ()
    lettered: tuple[LetteredLine, ...] = ()
    choices: int = 0  # how many repairs the mail answered offers; then letters mean those
    readings: bool = False  # numbers mean them too: that mail printed no other numbered lines
    ranges_are_places: bool = False  # `2-4` is a space in this game


_BRACKET = re.compile(r"^\s*(?:\[\s*(?:[a-z]{2}\s*)?(\d{1,12})\s*\]|match\s+(\d{1,12})\s*:?)\s*(.*)$", re.IGNORECASE)
_BULLET = re.compile(r"^(?:[-*+\u00b7\u2022]\s*|o\s+|\d{1,2}[.)]\s*|[a-z]\)\s*)(?=[a-z#])", re.IGNORECASE)
_NUMBERS = re.compile(r"^(?:option\s+|lines?\s+|all\s+|nr\.?\s*|no\.?\s*|#)?\d{1,4}\b", re.IGNORECASE)
_LETTER = re.compile(r"^([a-l])(?:[\s.):]+([\w./'#@-]+))?$", re.IGNORECASE)
_JOINS = re.compile(r"[+,>]\s*$")
_COND = r"(?:[\w-]+\([^)]*\)|[\w-]+(?:\s*(?:<=|>=|!=|<|>|=)\s*[\w-]+)?)"
_LEAD = re.compile(rf"^(?:then\s+|(?:if|unless)\s+{_COND}(?:\s+and\s+{_COND})*\s+)+", re.IGNORECASE)


def read_blocks(new: NewText, words_of: "WordsOf") -> list[Block]:
    """The whole mail: ticks first, then lines, split where a bracket names another match."""
    blocks = [Block()]
    words = words_of(None)
    ticked = [_ticked(line, words) for line in _once(new.ticked)]
    blocks[0].items += ticked
    lines = _joined(new.lines)
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        if bracket := _BRACKET.match(line):
            number = int(bracket[1] or bracket[2])
            blocks.append(Block(number))
            words = words_of(number)
            line = bracket[3]
        if not line.strip():
            continue
        if tidy(line).strip().lower().rstrip(" ") in ("say:", "note:", "say!:"):
            told, index = _paragraph(lines, index)
            word = tidy(line).strip()[:-1].lower()
            blocks[-1].items.append(Item("command", f"{word}: {told}", command=word, argument=told))
            continue
        item = _item(line, words)
        if item is None:
            blocks[-1].remarks.append(line.strip())
        else:
            blocks[-1].items.append(item)
    if ticked:
        blocks[0].items = _ticks_and_orders(ticked, blocks[0].items[len(ticked) :], words_of(None))
    return blocks


def _ticks_and_orders(ticked: list[Item], typed: list[Item], words: Words) -> list[Item]:
    """A tick and the same order typed act once; another answer to the same question typed beside it is asked back."""
    chosen = {text.lower() for item in ticked for text in item.texts}
    offered = {offer.notation.lower() for line in words.ballot for offer in line.offers} - {"done"}
    kept: list[Item] = []
    for item in typed:
        texts = {text.lower() for text in item.texts}
        if item.kind == "order" and texts and texts <= chosen:
            continue
        if item.kind == "order" and chosen and texts & offered:
            why = "You ticked another line of the same question. Reply with the one you mean alone."
            item = Item("unclear", item.typed, why=why)
        kept.append(item)
    return [*ticked, *kept]


class WordsOf:
    """Words by match number, worked out when they are first wanted."""

    def __init__(self, known: Mapping[int | None, Words | Callable[[], Words]]) -> None:
        self.known = dict(known)

    def __call__(self, match_id: int | None) -> Words:
        found = self.known.get(match_id, Words())
        if callable(found):
            found = self.known[match_id] = found()
        return found


def _once(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(" ".join(line.split()) for line in lines))


def _joined(lines: Sequence[str]) -> list[str]:
    """A line that ends in `+`, `,` or `>` goes on in the next, except speech."""
    out: list[str] = []
    for line in lines:
        if out and _JOINS.search(out[-1]) and line.strip() and _first(out[-1]) not in VERBATIM and len(out[-1]) < 4000:
            out[-1] = f"{out[-1].rstrip()} {line.strip()}"
        else:
            out.append(line)
    return out


def _paragraph(lines: Sequence[str], index: int) -> tuple[str, int]:
    said: list[str] = []
    while index < len(lines) and lines[index].strip():
        said.append(lines[index].strip())
        index += 1
    return "\n".join(said), index


def _first(line: str) -> str:
    return next(iter(re.split(r"[\s:,!.]+", tidy(line).strip().lower(), maxsplit=1)), "")


def _item(line: str, words: Words) -> Item | None:
    typed = " ".join(line.split())
    plain = tidy(line).split("//", 1)[0].strip()
    plain = re.sub(r"^[\"'(]+|[\"')]+$", "", plain).strip() if plain[:1] in "\"'(" else plain
    bare = plain.rstrip(" .!,;")
    if not bare or "__" in bare:
        return None
    if chosen := _letter(typed, bare, words):
        return chosen
    if _NUMBERS.match(bare) and not (_BULLET.match(bare) and _verb(_BULLET.sub("", bare, count=1), words)):
        return _numbers(typed, bare, words)
    unlisted = _BULLET.sub("", bare, count=1)
    body = unlisted if not _says(bare, words) and _says(unlisted, words) else bare
    if _verb(body, words):
        return Item("order", typed, texts=(body,))
    command = _first(body)
    if command in COMMANDS:
        return _command(typed, tidy(line).strip() if command in VERBATIM else body, command)
    return None


def _letter(typed: str, bare: str, words: Words) -> Item | None:
    """`a`, `b 23`: a ready-made answer of the mail, alone on its line."""
    found = _LETTER.match(bare)
    if found is None:
        return None
    place, fill = LETTERS.index(found[1].lower()), found[2] or ""
    if words.choices:
        fits = place < words.choices and not fill
        return Item("command", typed, command="ok", argument=str(place + 1)) if fits else None
    line = next((line for line in words.lettered if line.letter == found[1].lower()), None)
    if line is None or (fill and (not line.fills or _verb(fill, words))):
        return None  # perhaps the beginning of a sentence
    orders = line.filled(fill)
    if orders is not None:
        return Item("order", typed, texts=orders)
    told = f"{fill!r} does not fit" if fill else "something is missing in"
    return Item("unclear", typed, why=f"{told} the blank of line {line.letter}: {' '.join(line.fills[:12])}")


def _says(body: str, words: Words) -> bool:
    return _verb(body, words) or _first(body) in COMMANDS


def _verb(body: str, words: Words) -> bool:
    """Whether the first word, after `then` and a guard, is a verb of the game. Commands come first."""
    lead = _LEAD.match(body)
    rest = body[lead.end() :] if lead else body
    word = next(iter(re.split(r"[\s,;]+", rest.lower(), maxsplit=1)), "")
    word = word.rstrip(":.!") if word.rstrip(":.!") in words.verbs else word
    if word in VERBATIM or not word:
        return False
    if word == "stop" and re.match(r"stop\s+if\s", rest, re.IGNORECASE):
        return True
    if word == "keep" and not lead:
        return word in words.verbs and len(rest.split()) > 1  # `keep` alone keeps orders, `keep F3` is one
    return word in words.verbs and not (word in COMMANDS and not lead)


_POLITE = r"(?:please|thanks|thank you)?"
_COUNTED = r"(?:\d{1,3}|please|thanks|thank you|yes)?"
# What may follow a word that people also begin sentences with.
_SHORT = {
    **dict.fromkeys(
        ("yes", "ok", "keep", "accept", "options", "rules", "unsubscribe", "subscribe", "rematch"), _COUNTED
    ),
    **dict.fromkeys(("no", "mute", "unmute"), _POLITE),
    "undo": r"(?:\d{1,4})?(?:\s*please)?(?:\s*(?:because|:)\s*.{1,300})?",
}


def _command(typed: str, body: str, command: str) -> Item | None:
    """Words after `yes`, `help` and the like must not be a sentence: `no idea what to do` is a remark."""
    argument = re.split(r"[\s:,]+", body, maxsplit=1)[1].strip() if re.search(r"[\s:,]", body) else ""
    if command == "say" and body[3:4] == "!":
        command, argument = "say!", body[4:].lstrip(" :").strip()
    if command in _SHORT and not re.fullmatch(_SHORT[command], argument, re.IGNORECASE):
        return None
    if command in ("help", "look", "why", "log", "resign", "new", "standing", "address") and len(argument.split()) > 40:
        return None
    if command in ("look", "help") and len(argument.split()) > 4:
        return None
    if command == "why" and len(argument.split()) > 3 and not argument.lower().startswith("not "):
        return None
    return Item("command", typed, command=command, argument=argument)


# --- numbers and ticks -------------------------------------------------------------------------------------


def _ticked(line: str, words: Words) -> Item:
    """A ticked printed line counts if it equals that line of the mail, number included."""
    found = re.match(r"^(\d{1,4})\s*(.*)$", tidy(line).strip())
    number, rest = (int(found[1]), found[2]) if found else (0, line)
    entry = _line(number, words)
    folded = "".join(rest.lower().split())
    if entry is not None and (not folded or folded.startswith("".join(entry.notation.lower().split()))):
        if entry.blank:
            fits = " ".join(entry.fills[:12])
            return Item("unclear", line, why=f"Line {number} has a blank: reply with {number} and one of {fits}")
        return Item("order", f"{line}", texts=(entry.notation,))
    why = f"The ticked line is not line {number} of that mail" + (f", which is {entry.notation}" if entry else "")
    return Item("unclear", line, why=f"{why}. Which do you mean? Reply with the number or the order alone.")


def _line(number: int, words: Words) -> BallotLine | None:
    return words.ballot[number - 1] if 1 <= number <= len(words.ballot) else None


_RANGE = re.compile(r"^(\d{1,4})(?:\.\.|-)(\d{1,4})$")


def _numbers(typed: str, text: str, words: Words) -> Item | None:
    """`4`, `4 9 done`, `1 24`, `4..6`: names of printed actions, then perhaps an order."""
    if words.readings:
        if re.fullmatch(r"\d{1,4}[.)]?", text) and 1 <= int(text.rstrip(".)")) <= words.choices:
            return Item("command", typed, command="ok", argument=text.rstrip(".)"))
        return Item("unclear", typed, why=f"That mail offered 1 to {words.choices}; reply with one of them alone.")
    spread = re.sub(
        r"(\d)\s+to\s+(\d)",
        r"\1..\2",
        re.sub(r"^(?:option|lines?|all|nr\.?|no\.?)\s+|^#", "", text, flags=re.IGNORECASE),
    )
    tokens = re.sub(r"[,;&]|\band\b", " ", spread, flags=re.IGNORECASE).split()
    texts: list[str] = []
    taken: dict[int, int] = {}
    index = 0
    while index < len(tokens):
        token = tokens[index].rstrip(".)")
        index += 1
        if not token:
            continue
        if found := _RANGE.match(token):
            numbers = list(range(int(found[1]), int(found[2]) + 1))
            if "-" in token and (words.ranges_are_places or token.lower() in _all_words(words)):
                lines = f"{found[1]}..{found[2]}"
                why = f"{token} could be a place or lines {found[1]} to {found[2]}. Which? Write {lines} for lines."
                return Item("unclear", typed, why=why)
            if not numbers or len(numbers) > 40:
                return Item("unclear", typed, why=f"{token} is not a range of lines.")
        elif token.isdigit():
            numbers = [int(token)]
        elif _verb(token, words):
            rest = " ".join(tokens[index - 1 :])
            texts.append(rest)
            break
        elif not texts and not _line(int(re.match(r"\d+", tokens[0])[0]) if tokens[0][0].isdigit() else 0, words):  # type: ignore[index]
            return None
        else:
            left = " ".join(tokens[index - 1 :])
            return Item(
                "unclear", typed, why=f"Words are left over after the number: {left!r}. Reply with the number alone."
            )
        for number in numbers:
            entry = _line(number, words)
            if entry is None:
                most = len(words.ballot)
                told = f"that mail has lines 1 to {most}" if most else "that mail had no numbered lines"
                return Item("unclear", typed, why=f"There is no line {number}; {told}.")
            if entry.blank:
                fill = tokens[index].rstrip(".)").lower() if index < len(tokens) else ""
                index += 1
                match = next((offer for offer in entry.offers if offer.notation.split()[-1].lower() == fill), None)
                if match is None:
                    fits = " ".join(entry.fills[:12]) + (" .." if len(entry.fills) > 12 else "")
                    told = f"{fill!r} does not fit" if fill else "something is missing in"
                    return Item("unclear", typed, why=f"{told} the blank of line {number}, {entry.notation}: {fits}")
                texts.append(match.notation)
            elif taken.get(number, 0) and entry.again:
                # The same number again takes the next equal unit of that line.
                if taken[number] > len(entry.again):
                    count = len(entry.again) + 1
                    return Item("unclear", typed, why=f"Line {number} can be taken {count} times, not more.")
                texts.append(entry.again[taken[number] - 1])
            else:
                texts.append(entry.notation)
            taken[number] = taken.get(number, 0) + 1
    return Item("order", typed, texts=tuple(texts)) if texts else None


def _all_words(words: Words) -> set[str]:
    return {word.lower() for line in words.ballot for offer in line.offers for word in offer.notation.split()}

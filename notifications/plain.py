"""Plain text of a letter: at most 72 columns, ASCII, complete in itself, readable aloud."""

import re
import textwrap
import unicodedata
from collections.abc import Iterable

import msgspec

from notifications.ballot import MOST_LINES, BallotLine, LetteredLine
from notifications.letters import Letter, Quoted, Section

WIDTH = 72
MOST_LINES_IN_ALL = 180
MOST_BYTES = 12_000
_PLAIN = str.maketrans(
    {
        "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u2010": "-", "\u2011": "-",
        "\u00d7": "x", "\u00b7": "-", "\u2022": "-", "\u2026": "..", "\u00bd": "1/2", "\u00bc": "1/4", "\u00be": "3/4",
        "\u2018": "'", "\u2019": "'", "\u2032": "'", "\u201c": '"', "\u201d": '"', "\u2033": '"',
        "\u2192": ">", "\u2190": "<", "\u00a0": " ", "\u2009": " ", "\u202f": " ",
        "\u2264": "<=", "\u2265": ">=", "\u2260": "!=", "\u00df": "ss", "\u00f8": "o", "\u00e6": "ae", "\u0142": "l",
    }
)  # fmt: skip
_GLUE = "\x1f"  # stands for a space that must not end a line


def ascii_only(text: str) -> str:
    """The nearest ASCII; what has none becomes a question mark."""
    text = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    text = "".join(char for char in text if not unicodedata.combining(char))
    return text.encode("ascii", "replace").decode()


def wrap(text: str, indent: str = "", hang: str | None = None) -> list[str]:
    """Lines of at most 72 columns; `hang` indents all but the first. Long words (links) stay whole."""
    plain = re.sub(r"\S{65,}", _chopped, ascii_only(text))
    lines = textwrap.wrap(
        re.sub(r"(?<=\d) (?=%)", _GLUE, plain),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if hang is None else hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_GLUE, " ") for line in lines]


def _chopped(found: re.Match[str]) -> str:
    """A word nobody could read anyway is broken; a link never."""
    word = found[0]
    return word if "://" in word else " ".join(word[at : at + 50] for at in range(0, len(word), 50))


class _Cut(msgspec.Struct):
    """How much of a letter is told: what goes first when it is over budget."""

    news: int = 10_000  # sentences, the newest ones
    far: bool = True  # rows of the board far from the action
    words: int = 10_000  # lines of what was asked for (log, options)
    board: bool = True


def render(letter: Letter) -> str:
    """The text part, within its budget: at most 180 lines and 12 kB.

    Over it, the log goes first, then rows of the board far from the action, then the end of a long list that
    was asked for; the question and the options always stay.
    """
    lines: list[str] = []
    for cut in _cuts(letter):
        lines = _lines(letter, cut)
        if len(lines) <= MOST_LINES_IN_ALL and sum(map(len, lines)) + len(lines) <= MOST_BYTES:
            break
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _cuts(letter: Letter) -> Iterable[_Cut]:
    yield _Cut()
    count = sum(len(told.lines) for told in letter.places) + len(letter.happened)
    while count > 6:
        count = max(6, count * 2 // 3)
        yield _Cut(news=count)
    yield _Cut(news=6, far=False)
    for words in (120, 80, 40, 20):
        yield _Cut(news=6, far=False, words=words)
    yield _Cut(news=3, far=False, words=20, board=False)


def _lines(letter: Letter, cut: _Cut) -> list[str]:
    parts: list[list[str]] = [[*wrap(letter.headline), *(line for text in letter.lead for line in wrap(text))]]
    parts.append(_quoted(letter.quoted))
    parts.append(_choices(letter) if letter.kind == "ack" else [])
    parts += [_cut([line for text in block for line in _words(text)], cut.words) for block in letter.paragraphs]
    parts += [_section(section) for section in letter.sections]
    if letter.note:
        parts.append(wrap(f'Your note: "{letter.note}"'))
    parts.append(_news(letter, cut.news))
    parts.append([line for text in letter.fired for line in wrap(text.strip(), "  " if text[:1] == " " else "")])
    if letter.board and cut.board:
        parts.append(_board(letter, cut))
    for who, said, when in letter.says:
        parts.append(wrap(f'{who} says: "{said}"{f" ({when})" if when else ""}'))
    parts.append(_options(letter))
    parts.append([] if letter.kind == "ack" else _choices(letter))
    if letter.template:
        parts.append([*wrap("Or fill in the blanks and send this line back:"), f">>> {letter.template}"])
    parts.append([line for text in letter.foot for line in _foot(text)])
    out: list[str] = []
    for part in parts:
        if part:
            out += [*([""] if out else []), *part]
    return out


def _section(section: Section) -> list[str]:
    """One match of a digest: the line in brackets, then everything indented, so that no line looks like an order."""
    lines = wrap(f"[{section.tag}] {section.title}", "", "  ")
    lines += [f"  {line}" for line in _quoted(section.quoted)]
    for text in section.lines:
        lines += wrap(text, "  ", "    ")
    lines += wrap("   ".join(f"{number} {words}" for number, words in section.options), "  ", "    ")
    lines += [f"  >>> {section.template}"] if section.template else []
    return [*lines, *([f"  {section.link}"] if section.link else [])]


def _words(text: str) -> list[str]:
    """A paragraph; one that is laid out in columns (`  24  ..`) keeps its hang. `Reply   ok   ..` is a sentence."""
    found = re.match(r"^(\s*\S{1,9}\s{2,})\S", text)
    return wrap(text, "", " " * len(found[1])) if found and found[1].strip() != "Reply" else wrap(text)


def _cut(lines: list[str], most: int) -> list[str]:
    if len(lines) <= most:
        return lines
    return [*lines[:most], f"({len(lines) - most} more lines are left out; the page has them all.)"]


def _foot(text: str) -> list[str]:
    """A link may be longer than a line; cut in two it would be no link."""
    return [text] if "://" in text and " " not in text else wrap(text)


def newest(letter: Letter, most: int) -> tuple[list[tuple[str, list[str]]], int]:
    """The last sentences of what happened, by place, and how many are left out before them."""
    count = sum(len(told.lines) for told in letter.places)
    left = max(0, count - most)
    shown = []
    for told in letter.places:
        lines = [line for line, at in zip(told.lines, told.order, strict=True) if at >= left]
        if lines:
            shown.append((told.place, lines))
    return shown, left


def _news(letter: Letter, most: int) -> list[str]:
    if not letter.happened and not letter.places:
        return []
    shown, left = newest(letter, max(0, most - len(letter.happened)))
    told = letter.happened[-most:] if letter.happened else []
    left += len(letter.happened) - len(told)
    lines = [ascii_only(letter.happened_title)]
    if left:
        lines += wrap(f"({left} earlier lines are left out; the page has them all.)", "  ")
    lines += [line for text in told for line in wrap(text, "  ", "    ")]
    column = min(8, max((len(place) for place, _ in shown), default=0)) + 4
    for place, sentences in shown:
        if place:
            lines += wrap(" ".join(sentences), f"  {ascii_only(place)}".ljust(column), " " * column)
        else:
            lines += wrap(" ".join(sentences), "  ", "  ")
    return lines


def _board(letter: Letter, cut: _Cut) -> list[str]:
    lines = [line[:WIDTH] for line in ascii_only(letter.board).splitlines()]
    if cut.far:
        return lines
    near = _near(letter)
    kept: list[str] = []
    keep = True
    for number, line in enumerate(lines):
        hangs = line[:6].isspace() and bool(line.strip())
        if not hangs:
            words = set(re.findall(r"[\w./'#-]+", line.lower()))
            keep = number < 5 or not line.strip() or bool(words & near)
        if keep:
            kept.append(line)
    left = len(lines) - len(kept)
    return [*kept, f"({left} rows far from the action are left out: reply look.)"] if left else kept


def _near(letter: Letter) -> set[str]:
    """The words of the options and the places of the news: what the action is about."""
    words = {
        word.lower() for line in letter.ballot[:MOST_LINES] for offer in line.offers for word in offer.notation.split()
    }
    return words | {told.place.lower() for told in letter.places}


def _quoted(lines: Iterable[Quoted]) -> list[str]:
    out: list[str] = []
    for line in lines:
        out += wrap(line.text, "> ", "> ")
        out += wrap(f"{line.status}   {line.why}".rstrip(), "    ", "         ")
        # Not bare numbers where those are the options below.
        words = ["ok  ", *(f"ok {number}" for number in range(2, len(line.nearest) + 1))]
        words = [str(number) for number in range(1, len(line.nearest) + 1)] if line.numbered else words
        out += [
            row for word, near in zip(words, line.nearest, strict=False) for row in wrap(f"{word}  {near}", "       ")
        ]
    return out


def _options(letter: Letter) -> list[str]:
    if not letter.ballot:
        return []
    shown = letter.ballot[:MOST_LINES]
    column = min(34, max(len(ascii_only(line.notation)) for line in shown)) + 10
    lines = ["Options"]
    for line in shown:
        lines += _option(line, column)
    if letter.more:
        lines += wrap(letter.more)
    return lines


def told_of(line: BallotLine) -> str:
    """What stands beside an order: what fits its blank, or words, odds and what its number gives when repeated."""
    if line.blank:
        return " ".join(line.fills)
    again = f"again: {', '.join(_other(line, order) for order in line.again[:6])}" if line.again else ""
    words = line.words if line.words.lower() != line.notation.lower() else ""
    return "; ".join(part for part in (words, line.odds, again) if part)


def _other(line: BallotLine, order: str) -> str:
    """The word in which a repeated order differs."""
    pairs = zip(line.notation.split(), order.split(), strict=False)
    return next((other for word, other in pairs if word != other), order)


def _option(line: BallotLine, column: int) -> list[str]:
    """` [ ] 1 move A 3   words; odds`: never broken inside the box, number and order."""
    head = ascii_only(f" [ ] {line.number:<2} {line.notation}")
    told = told_of(line)
    if not told:
        return [head]
    if len(head) >= column:
        return [head, *wrap(told, " " * 10)]
    body = wrap(told, " " * column)
    return [head.ljust(column) + body[0].lstrip(), *body[1:]]


def _choices(letter: Letter) -> list[str]:
    if not letter.lettered:
        return []
    return [ascii_only(letter.letters_title), *(row for line in letter.lettered for row in _choice(line))]


def _choice(line: LetteredLine) -> list[str]:
    told = " ".join(line.fills) if line.fills else line.words
    rows = wrap(f"{line.letter}  {line.notation}", " ", "    ")
    return [*rows, *wrap(told, "      ")] if told else rows

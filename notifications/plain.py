"""Plain text of a letter: at most 72 columns, ASCII, complete in itself, readable aloud."""

import textwrap
import unicodedata
from collections.abc import Iterable

from notifications.ballot import MOST_LINES, BallotLine
from notifications.letters import Letter, Quoted

WIDTH = 72
MOST_LINES_IN_ALL = 180
_PLAIN = str.maketrans(
    {
        "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u2010": "-", "\u2011": "-",
        "\u00d7": "x", "\u00b7": "-", "\u2022": "-", "\u2026": "..", "\u00bd": "1/2", "\u00bc": "1/4", "\u00be": "3/4",
        "\u2018": "'", "\u2019": "'", "\u2032": "'", "\u201c": '"', "\u201d": '"', "\u2033": '"',
        "\u2192": ">", "\u2190": "<", "\u00a0": " ", "\u2009": " ", "\u202f": " ",
        "\u2264": "<=", "\u2265": ">=", "\u2260": "!=", "\u00df": "ss", "\u00f8": "o", "\u00e6": "ae", "\u0142": "l",
    }
)  # fmt: skip


def ascii_only(text: str) -> str:
    """The nearest ASCII; what has none becomes a question mark."""
    text = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    text = "".join(char for char in text if not unicodedata.combining(char))
    return text.encode("ascii", "replace").decode()


def wrap(text: str, indent: str = "", hang: str | None = None) -> list[str]:
    """Lines of at most 72 columns; `hang` indents all but the first. Long words (links) stay whole."""
    return textwrap.wrap(
        ascii_only(text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if hang is None else hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


def render(letter: Letter) -> str:
    """The text part. Over budget it loses old news first; the question and the options always stay."""
    news = list(letter.happened)
    lines = _lines(letter, news)
    while len(lines) > MOST_LINES_IN_ALL and len(news) > 4:
        news = news[max(1, len(news) // 3) :]
        lines = _lines(letter, news)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _lines(letter: Letter, news: list[str]) -> list[str]:
    parts: list[list[str]] = [[*wrap(letter.headline), *(line for text in letter.lead for line in wrap(text))]]
    parts.append(_quoted(letter.quoted))
    parts += [[line for text in block for line in wrap(text)] for block in letter.paragraphs]
    if letter.note:
        parts.append(wrap(f'Your note: "{letter.note}"'))
    parts.append(_news(letter, news))
    if letter.board:
        parts.append([line[:WIDTH] for line in ascii_only(letter.board).splitlines()])
    for who, said in letter.says:
        parts.append(wrap(f'{who} says: "{said}"'))
    parts.append(_options(letter))
    if letter.template:
        parts.append([*wrap("Or fill in the blanks and send this line back:"), f">>> {letter.template}"])
    parts.append([line for text in letter.foot for line in _foot(text)])
    out: list[str] = []
    for part in parts:
        if part:
            out += [*([""] if out else []), *part]
    return out


def _foot(text: str) -> list[str]:
    """A link may be longer than a line; cut in two it would be no link."""
    return [text] if "://" in text and " " not in text else wrap(text)


def _news(letter: Letter, news: list[str]) -> list[str]:
    if not letter.happened:
        return []
    left = len(letter.happened) - len(news)
    lines = [ascii_only(letter.happened_title)]
    if left:
        lines += wrap(f"({left} earlier lines are left out; the page has them all.)", "  ")
    return lines + [line for text in news for line in wrap(text, "  ", "    ")]


def _quoted(lines: Iterable[Quoted]) -> list[str]:
    out: list[str] = []
    for line in lines:
        out += wrap(line.text, "> ", "> ")
        out += wrap(f"{line.status}   {line.why}".rstrip(), "    ", "         ")
        # Not bare numbers: those are the options below.
        words = ["ok  ", *(f"ok {number}" for number in range(2, len(line.nearest) + 1))]
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


def _option(line: BallotLine, column: int) -> list[str]:
    """` [ ] 1 move A 3   words; odds`: never broken inside the box, number and order."""
    head = ascii_only(f" [ ] {line.number:<2} {line.notation}")
    told = " ".join(line.fills) if line.blank else "; ".join(part for part in (line.words, line.odds) if part)
    if not told or told.lower() == line.notation.lower():
        return [head]
    if len(head) >= column:
        return [head, *wrap(told, " " * 10)]
    body = wrap(told, " " * column)
    return [head.ljust(column) + body[0].lstrip(), *body[1:]]

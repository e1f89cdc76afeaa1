"""The HTML part of a letter: one column of 600 px, tables and inline style, nothing loaded from anywhere.

It says what the text says, in the same order. Programs that strip style sheets (Gmail) have every style
inline; those that keep them get a dark dress as well; Outlook sees tables with plain widths.
"""

from functools import cache
from pathlib import Path

import css_inline
from django.template.loader import render_to_string

from notifications.ballot import MOST_LINES
from notifications.letters import Letter, Section, mailto
from notifications.plain import newest, told_of

PICTURE_ID = "board"
MOST_NEWS = 12  # before the picture; what is older stands at the end
MOST_BYTES = 60_000
MOST_EARLIER = 120


@cache
def _style(name: str) -> str:
    return (Path(__file__).parent / "templates" / "notifications" / name).read_text()


def _taps(letter: Letter, part: Section) -> list[tuple[int, str, str]]:
    """Each option of a match in a digest as a link that opens an answer with its block."""
    return [(number, words, mailto(letter, f"[{part.tag}]\n{number} ")) for number, words in part.options]


def render(letter: Letter) -> str:
    """Within its budget: over it the older news goes first, then the position in words beside a picture."""
    page = ""
    for earlier, board, words in ((MOST_EARLIER, True, 400), (30, True, 120), (0, True, 60), (0, False, 30)):
        page = _render(letter, earlier, board, words)
        if len(page.encode()) <= MOST_BYTES:
            break
    return page


def _unbroken(text: str) -> str:
    """No line ends between a number and its sign."""
    return text.replace(" %", "\u00a0%")


def _render(letter: Letter, most_earlier: int, board: bool, most_words: int) -> str:
    linked = bool(letter.reply_to)
    rows = [
        {
            "number": line.number,
            "notation": line.notation,
            "words": _unbroken(told_of(line)),
            "link": mailto(letter, f"{line.number} " if line.blank else str(line.number)) if linked else "",
        }
        for line in letter.ballot[:MOST_LINES]
    ]
    choices = [
        {
            "number": line.letter,
            "notation": line.notation,
            "words": " ".join(line.fills) if line.fills else line.words,
            "link": mailto(letter, f"{line.letter} " if line.fills else line.letter) if linked else "",
        }
        for line in letter.lettered
    ]
    recent, left = newest(letter, MOST_NEWS)
    shown = letter.happened[-MOST_NEWS:]
    all_places, lost = newest(letter, most_earlier) if left and most_earlier else ([], left)
    page = render_to_string(
        "notifications/mail.html",
        {
            "letter": letter,
            "sections": [(part, _taps(letter, part)) for part in letter.sections],
            "rows": rows,
            "choices": choices,
            "buttons": [(word, mailto(letter, word)) for word in letter.buttons] if linked else [],
            "choices_first": letter.kind == "ack",
            "happened": shown,
            "recent": [(place, " ".join(lines)) for place, lines in recent],
            "left": left + len(letter.happened) - len(shown),
            "earlier": [(place, " ".join(lines)) for place, lines in all_places],
            "lost": lost,
            "paragraphs": [block[:most_words] for block in letter.paragraphs],
            "board": letter.board if board or not letter.picture else "",
            "small": len(rows) > 8,
            "picture": f"cid:{PICTURE_ID}" if letter.picture else "",
            "foot": [text for text in letter.foot if text not in (letter.page, "Page:")],
            "dark": _style("dark.css"),
        },
    )
    return css_inline.inline(page, extra_css=_style("mail.css"), load_remote_stylesheets=False, keep_style_tags=True)

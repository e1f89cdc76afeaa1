"""The HTML part of a letter: one column of 600 px, tables and inline style, nothing loaded from anywhere."""

from functools import cache
from pathlib import Path

import css_inline
from django.template.loader import render_to_string

from notifications.ballot import MOST_LINES
from notifications.letters import Letter, mailto

PICTURE_ID = "board"
MOST_NEWS = 10  # before the picture; what is older stands at the end


@cache
def _style() -> str:
    return (Path(__file__).parent / "templates" / "notifications" / "mail.css").read_text()


def render(letter: Letter) -> str:
    rows = [
        {
            "number": line.number,
            "notation": line.notation,
            "words": " ".join(line.fills) if line.blank else line.words,
            "odds": line.odds,
            "link": mailto(letter, f"{line.number} " if line.blank else str(line.number)) if letter.reply_to else "",
        }
        for line in letter.ballot[:MOST_LINES]
    ]
    recent = letter.happened[-MOST_NEWS:]
    html = render_to_string(
        "notifications/mail.html",
        {
            "letter": letter,
            "rows": rows,
            "recent": recent,
            "earlier": letter.happened[: len(letter.happened) - len(recent)],
            "small": len(rows) > 8,
            "picture": f"cid:{PICTURE_ID}" if letter.picture else "",
            "foot": [text for text in letter.foot if text not in (letter.page, "Page:")],
        },
    )
    return css_inline.inline(html, extra_css=_style(), load_remote_stylesheets=False, keep_style_tags=True)

"""A mail with a text and an HTML part: what is ordered must stand in both, or it is asked back."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from games.kernel.notation import tidy
from notifications.inbound import quotes
from notifications.inbound.language import Block, Item, WordsOf, read_blocks
from notifications.inbound.message import Mail
from notifications.inbound.quotes import NewText
from notifications.letters import Quoted

if TYPE_CHECKING:
    from notifications.inbound.commands import Answer
    from notifications.inbound.handle import Person

_SHORT = 6  # letters below which a line must be found as a line, not as a part of one


def differ(mail: Mail, new: NewText, blocks: Iterable[Block], words: WordsOf) -> bool:
    """Whether the part that is shown orders something else than the part that is read.

    Wrapping, marks of emphasis and signatures differ in honest mails; so orders are looked for, not compared.
    """
    shown = quotes.new_text(mail.other)
    if not any(line.strip() for line in mail.other.splitlines()):
        return False
    ticks = {*map(_bare, new.ticked)}
    if ticks != {*map(_bare, shown.ticked)}:
        return True
    lines = [*map(_bare, shown.lines), *ticks]
    if not any(lines):  # a quote that begins too early, by a program we do not know: then look at all that is shown
        lines = [_bare(line) for line in mail.other.splitlines()]
    if any(not _stands(item, lines) for item in _orders(blocks)):
        return True
    read = [*map(_bare, mail.text.splitlines()), *ticks]
    return any(not _stands(item, read) for item in _orders(read_blocks(shown, words)))


def _orders(blocks: Iterable[Block]) -> list[Item]:
    return [item for block in blocks for item in block.items if item.kind != "unclear"]


def _bare(text: str) -> str:
    return re.sub(r"[^\w#@+/<>=!-]", "", tidy(text).lower()).replace("_", "").replace("*", "")


def _stands(item: Item, lines: list[str]) -> bool:
    wanted = _bare(item.typed)
    return wanted in lines or (len(wanted) >= _SHORT and wanted in "".join(lines))


def ask_back(person: "Person", answer: "Answer") -> None:
    """Both readings are shown; nothing is done."""
    written = [line.strip() for line in person.new.lines if line.strip()][:5]
    shown = [line.strip() for line in quotes.new_text(person.mail.other).lines if line.strip()][:5]
    person.row.text_hash = ""
    said = "The text and the HTML of your mail say different things, so nothing was done. Write it once more."
    if person.match_id is None:
        answer.say(said)
        answer.say(f"In the text: {' / '.join(written)}. In the HTML: {' / '.join(shown)}.")
    else:
        answer.headline(person.match_id, person.seat, said)
        for where, lines in (("text", written), ("HTML", shown)):
            for line in lines:
                answer.line(person.match_id, person.seat, Quoted(line, "not played", f"in the {where}"))
    answer.send(person)

"""The picture of a mail: drawn once for a seat and an entry, small enough to be sent."""

import logging
from collections import OrderedDict
from typing import Any

from games.ledger import outbox, selectors
from notifications.ballot import BallotLine, numbers

logger = logging.getLogger(__name__)
WIDTHS = (828, 552, 414, 320)
BUSY = 4  # mails due at once: from then on pictures are drawn at half the width
MOST_BYTES = 120_000
MOST_KEPT = 64
_drawn: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()


def board(match: Any, seat: str, lines: list[BallotLine], *, wide: bool = True) -> bytes | None:
    """The area of action as PNG of at most 120 kB; None only where drawing fails.

    A picture costs more than the rest of a mail together, so a mail that is sent again or a second
    one about the same entry takes it from the drawer, and while many mails wait it is drawn smaller.
    """
    marks = numbers(lines)
    slow = not wide or len(outbox.due(["mail"], most=BUSY + 1)) > BUSY
    for width in WIDTHS[1:] if slow else WIDTHS:
        png = _board(match, seat, width, marks)
        if png is None or len(png) <= MOST_BYTES:
            return png
    return None


def _board(match: Any, seat: str, width: int, marks: dict[tuple[str | int, ...], int]) -> bytes | None:
    key = (match.pk, match.head_hash, seat, width, tuple(marks.items()))
    if key in _drawn:
        _drawn.move_to_end(key)
        return _drawn[key]
    try:
        png = selectors.picture_png(match, seat, width, crop=True, numbers=marks)
    except Exception:  # a mail without its picture is better than none
        logger.exception("the picture of match %s for %s could not be drawn", match.pk, seat)
        return None
    if png is not None:
        _drawn[key] = png
        while len(_drawn) > MOST_KEPT:
            _drawn.popitem(last=False)
    return png

"""What happened and where, one place in words, what a game proposes: for letters and pages, cut to a seat."""

from typing import Any

import msgspec

from games.kernel.ruleset import Bundle
from games.kernel.steps import owed
from games.ledger import selectors, standing
from games.ledger.models import Entry, Match


class Told(msgspec.Struct):
    """What happened in one place, in the order it happened; `place` is empty for what has none."""

    place: str
    lines: list[str]
    first: int  # the entries it speaks of
    last: int
    order: list[int] = []  # which of all sentences each is, in the order they happened


def by_place(match: Match, seat: str | None, after: int, upto: int | None = None) -> list[Told]:
    """News after one entry, grouped by place: what has no place first, then places as they came up."""
    rules = selectors.rules_of(match)
    until = match.head_seq if upto is None else upto
    rows = Entry.objects.filter(match=match, seq__gt=after, seq__lte=until).order_by("seq")
    found: dict[str, Told] = {}
    count = 0
    for row in rows.only("seq", "news"):
        for item in selectors.news_of(row, seat):
            place = rules.place_of(item)
            told = found.setdefault(place, Told(place, [], row.seq, row.seq, []))
            told.lines.append(rules.narrate(item))
            told.order.append(count)
            count += 1
            told.last = row.seq
    return sorted(found.values(), key=lambda told: (bool(told.place), told.first))


def look(match: Match, seat: str | None, place: str) -> list[str]:
    """One place in words."""
    return selectors.rules_of(match).look(selectors.view(match, seat), seat, place)


def alike(match: Match, seat: str, seq: int | None = None) -> dict[str, str]:
    """Things in the seat's view that may stand for one another -> a word they share."""
    return selectors.rules_of(match).alike(selectors.view(match, seat, seq)) if match.state else {}


def template(match: Match, seat: str) -> str:
    """A usual answer with blanks; empty where the game knows none."""
    if not _asks(match, seat):
        return ""
    return selectors.rules_of(match).template(selectors.state_of(match), seat)


def bundles(match: Match, seat: str, seq: int | None = None) -> list[Bundle]:
    """Ready-made answers to the question of a seat, now or after an entry."""
    if not match.state or (seq is None and not _asks(match, seat)):
        return []
    g = selectors.state_of(match, seq)
    return selectors.rules_of(match).bundles(g, seat) if seat in owed(g) else []


def _asks(match: Match, seat: str) -> bool:
    return bool(match.state) and match.status == Match.Status.PLAYING and seat in match.owed


class Fired(msgspec.Struct):
    """What one standing order answered."""

    number: int
    entries: list[int]
    orders: list[str]


def fired(match: Match, seat: str, after: int) -> list[Fired]:
    """What the seat's standing orders have answered since an entry."""
    rows = Entry.objects.filter(match=match, seat=seat, seq__gt=after, by__startswith="standing:").order_by("seq")
    found: dict[int, Fired] = {}
    for row in rows.values("seq", "by", "action"):
        number = int(row["by"].partition(":")[2])
        told = found.setdefault(number, Fired(number, [], []))
        told.entries.append(row["seq"])
        told.orders.append(" ".join(map(str, row["action"])))
    return list(found.values())


def lost_orders(match: Match, seat: str, after: int) -> list[str]:
    """The seat's standing orders that, since an entry, can never answer again, and why."""
    row = selectors.seat_get(match, seat)
    if not row.armed or match.status != Match.Status.PLAYING:
        return []
    rules, g = selectors.rules_of(match), selectors.state_of(match)
    armed = row.standing_orders.filter(withdrawn_at__isnull=True).select_related("seat")
    found = [(order, why) for order in armed if (why := standing.lost(order, rules, g))]
    if not found:
        return []
    before = selectors.state_of(match, max(0, after))
    return [
        f"Your standing order {order.number} is over, as {why}: {order.text}"
        for order, why in found
        if not standing.lost(order, rules, before)
    ]


def entry_words(match: Match, seat: str | None, seq: int) -> dict[str, Any] | None:
    """One ledger line as the seat may read it."""
    rows = selectors.entries(match, seat, seq - 1, 1)
    return rows[0] if rows and rows[0]["seq"] == seq else None


def standing_orders(match: Match, seat: str) -> list[str]:
    """The seat's standing orders with how they stand: `2: on answer do duck (fired 1 times, until turn 3)`."""
    rules = selectors.rules_of(match)
    g = selectors.state_of(match) if match.state else None
    rows = selectors.seat_get(match, seat).standing_orders.filter(withdrawn_at__isnull=True)
    return [f"{row.number}: {row.text} ({standing.words(row, rules, g)})" for row in rows]

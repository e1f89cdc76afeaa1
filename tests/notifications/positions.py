"""Matches in a position of the test's choosing, and a person who writes about them."""

from collections.abc import Mapping
from typing import Any

from games import catalogue
from games.kernel.ruleset import dump
from games.kernel.steps import owed, settle
from games.kernel.table import SeededTable
from games.ledger import selectors, services
from games.ledger.models import Match, Outbox, Snapshot
from notifications import addresses
from notifications.models import InboundMail
from tests.notifications.post import post


def match_at(user: Any, ruleset: str, position: Mapping[str, Any], other: Any = None, seat: str | None = None) -> Match:
    """A running match whose state is that position; `other` takes the second seat."""
    match = services.match_create(user=user, ruleset=ruleset, seat=seat)
    if other is not None:
        services.match_join(user=other, match_id=match.pk)
    rules = catalogue.find(ruleset)
    g = rules.from_position(position, rules.setup({}))
    settle(g, SeededTable(0))
    Match.objects.filter(pk=match.pk).update(state=dump(g), owed=list(owed(g)))
    Snapshot.objects.update_or_create(match=match, seq=0, defaults={"state": dump(g)})  # older entries start here
    Outbox.objects.all().delete()
    return selectors.match_get(match.pk)


def address(match: Match, seat: str, base: int | None = None) -> str:
    row = selectors.seat_get(selectors.match_get(match.pk), seat)
    version = selectors.match_get(match.pk).head_seq
    return addresses.reply_address(match.pk, seat, version if base is None else base, row.link_key, row.user_id or 0)


def write(match: Match, seat: str, text: str, base: int | None = None) -> InboundMail:
    """The person in the seat answers the mail of an entry (the last one)."""
    row = selectors.seat_get(selectors.match_get(match.pk), seat)
    assert row.user is not None
    return post(address(match, seat, base), text, row.user.email)


def played(match: Match, after: int = 0) -> list[str]:
    """What was done after an entry, in the game's notation."""
    return [row["notation"] for row in selectors.entries(selectors.match_get(match.pk), None, after)]


def told(match: Match, seat: str) -> dict[str, Any]:
    """What the last acknowledgement to the seat is made of."""
    row = Outbox.objects.filter(match=match, seat=seat, topic="ack").order_by("-pk").first()
    return dict(row.payload) if row else {}


def lines(match: Match, seat: str) -> list[tuple[str, str]]:
    return [(line["text"], line["status"]) for line in told(match, seat).get("lines", [])]

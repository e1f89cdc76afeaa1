"""Mails to and about somebody who stands in for a player."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from games.ledger import deputies, outbox, selectors
from notifications import addresses, clockwords
from notifications.letters import Letter, Skip, match_letter
from notifications.models import DeputyOffer


def offer(row: Any) -> tuple[Letter, str]:
    """Asks an address whether it would stand in; the address comes with the letter."""
    found = DeputyOffer.objects.select_related("host").filter(pk=row.payload.get("offer"), status="open").first()
    if found is None:
        raise Skip("the offer is no longer open")
    match = selectors.match_get(found.match_id)
    who, game = found.host.username, selectors.summary(match)["game"]
    side = next(seat["name"] for seat in selectors.summary(match)["seats"] if seat["key"] == found.seat)
    dates = clockwords.days(found.host, found.first, found.until)
    letter = Letter(
        kind="deputy-offer",
        subject=f"{who} asks you to stand in at {game}"[:70],
        headline=f"{who} asks you to stand in for them in a game by mail: {game}.",
        game=game,
        lead=[
            "Reply with the single word   accept   or   decline",
            f"You would order for {side} in match {match.pk}, {dates}.",
            "You get the mails of that seat and answer them; the ledger marks your orders as a deputy's. "
            "You need no account, no program, no web page.",
        ],
        foot=[
            f"Your address came from {who}. If you do nothing, you hear no more. accept proves this address is yours."
        ],
        reply_to=addresses.numbered_address("deputy", found.pk),
    )
    if row.payload.get("again"):
        letter.headline = "I read neither accept nor decline. Which?"
    return letter, found.email


def told(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    """To the others: that there is a deputy, not who."""
    user = next(row.user for row in match.seats.all() if row.key == payload["seat"])
    who = user.username
    if payload.get("ended"):
        return match_letter("deputy", match, seat, f"{who} has no deputy any more.")
    first, until = (datetime.fromisoformat(payload[key]) for key in ("first", "until"))
    letter = match_letter("deputy", match, seat, f"A deputy may order for {who}.")
    dates = clockwords.days(user, first, until)
    letter.lead = [f"On these days: {dates}. The ledger marks each such order; clocks run as agreed."]
    return letter


def for_deputy(row: Any, match: Any, seat: Any, about: Callable[[Any, Any, Any], Letter]) -> Letter:
    """The seat's mail with a reply address sealed for the deputy, without the links that only the person has."""
    if not deputies.is_deputy(seat, row.user):
        raise Skip("the seat has changed hands")
    seat.mailed_seq = outbox.last_told(match, seat.key, row.user)
    letter = about(row, match, seat)
    repair = int(row.payload.get("repair") or 0)  # what `ok` means in this mail
    letter.reply_to = addresses.reply_address(match.pk, seat.key, match.head_seq, seat.link_key, row.user_id, repair)
    letter.lead = [f"You stand in for {seat.user.username}.", *letter.lead]
    letter.foot = [text for text in letter.foot if text not in ("Page:", letter.page)]
    letter.page, letter.note, letter.told, letter.deputy = "", "", None, True
    return letter

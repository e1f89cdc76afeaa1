"""Signed words for links and addresses: they show or name a seat, and die when its key is raised."""

import base64
import hashlib
import hmac
from typing import Any

from django.conf import settings

from games.ledger.models import Match, Seat

LETTERS = 16  # of base32: 80 bits


def mac(*parts: object) -> str:
    """Sixteen lower-case letters and digits that only this server can make for these words."""
    key = hashlib.sha256(b"links:" + settings.SECRET_KEY.encode()).digest()
    digest = hmac.digest(key, "/".join(map(str, parts)).encode(), "sha256")
    return base64.b32encode(digest)[:LETTERS].decode().lower()


def same(given: str, right: str) -> bool:
    """Compared in constant time, in any case: some gateways write addresses in capitals."""
    return hmac.compare_digest(given.lower().encode(), right.encode())


def page_token(seat: Seat) -> str:
    """Opens the seat's page for reading; it cannot act."""
    return f"{seat.key}.{mac('page', seat.match_id, seat.key, seat.link_key, seat.user_id)}"


def page_seat(match: Match, token: str) -> Seat | None:
    """The seat a page token was made for, if it still holds."""
    key = token.rpartition(".")[0]
    for seat in match.seats.all():
        if seat.key == key and seat.user_id and same(token, page_token(seat)):
            return seat
    return None


def stop_token(user: Any) -> str:
    """Ends (and only ends) notices to one person."""
    return mac("stop", user.pk)


def verify_token(user: Any) -> str:
    """Proves that somebody reads the address they gave."""
    return mac("verify", user.pk, user.email.lower())

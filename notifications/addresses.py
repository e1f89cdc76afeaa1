"""Reply addresses: they name a match, a seat and the entry a mail was drawn from, sealed by the server.

    m412.coalition.d31.k2.<mac>@host    answers about a match
    stop.u88.<mac>@host                 ends notices

Nothing in them is secret but the seal, and the seal alone lets nobody act: the sender must be the
seat's own verified address as well.
"""

import re
from typing import Any

import msgspec
from django.conf import settings

from games.ledger import links

_MATCH = re.compile(r"^m(\d{1,12})\.([a-z0-9_-]{1,20})\.d(-?\d{1,9})\.k(\d{1,6})\.([a-z2-7]{16})$")
_STOP = re.compile(r"^stop\.u(\d{1,12})\.([a-z2-7]{16})$")


class MatchDoor(msgspec.Struct, frozen=True):
    """What a reply address says, before anybody has checked who writes."""

    match_id: int
    seat: str
    base: int
    key: int
    seal: str

    def fits(self, user_id: int | None) -> bool:
        """Whether the server made this address for that person."""
        return links.same(self.seal, _seal(self.match_id, self.seat, self.base, self.key, user_id))


class StopDoor(msgspec.Struct, frozen=True):
    user_id: int
    seal: str


def host() -> str:
    return from_address().rpartition("@")[2]


def from_address() -> str:
    return str(settings.DEFAULT_FROM_EMAIL).rpartition("<")[2].strip("> ")


def _seal(match_id: int, seat: str, base: int, key: int, user_id: int | None) -> str:
    return links.mac("v1", match_id, seat, base, key, user_id)


def reply_address(match_id: int, seat: str, base: int, key: int, user_id: int) -> str:
    return f"m{match_id}.{seat}.d{base}.k{key}.{_seal(match_id, seat, base, key, user_id)}@{host()}"


def stop_address(user: Any) -> str:
    return f"stop.u{user.pk}.{links.stop_token(user)}@{host()}"


def read_door(local: str) -> MatchDoor | StopDoor | None:
    """The door a local part names; None for any other address. Case does not matter."""
    local = local.strip().lower()
    if found := _MATCH.match(local):
        return MatchDoor(int(found[1]), found[2], int(found[3]), int(found[4]), found[5])
    if found := _STOP.match(local):
        return StopDoor(int(found[1]), found[2])
    return None

"""Reply addresses: they name a match, a seat and the entry a mail was drawn from, sealed by the server.

    m412.coalition.d31.k2.<mac>@host     answers about a match
    m412.coalition.d31.k2.r9.<mac>@host  the same, where `ok` means repair 9
    i77.<mac>@host                       answers invitation 77
    c5.<mac>@host                        confirms a doubtful mail
    a7.<mac>@host                        proves a further address
    b61.<mac>@host                       takes bounces of mail 61
    d7.<mac>@host                        answers whether one would be a deputy
    u88.s20.k2.<mac>@host                answers digest 20
    stop.u88.<mac>@host                  ends notices

Nothing in them is secret but the seal, and the seal alone lets nobody act: the sender must be the
seat's own verified address as well.
"""

import re
from typing import Any

import msgspec
from django.conf import settings

from games.ledger import links

_MATCH = re.compile(r"^m(\d{1,12})\.([a-z0-9_-]{1,20})\.d(-?\d{1,9})\.k(\d{1,6})(?:\.r(\d{1,12}))?\.([a-z2-7]{16})$")
_NUMBERED = re.compile(r"^([icbda])(\d{1,12})\.([a-z2-7]{16})$")
_NUMBERED_WORDS = {"i": "invitation", "c": "confirm", "b": "bounce", "d": "deputy", "a": "address"}
_DIGEST = re.compile(r"^u(\d{1,12})\.s(\d{1,12})\.k(\d{1,6})\.([a-z2-7]{16})$")
_STOP = re.compile(r"^stop\.u(\d{1,12})\.([a-z2-7]{16})$")


class MatchDoor(msgspec.Struct, frozen=True):
    """What a reply address says, before anybody has checked who writes."""

    match_id: int
    seat: str
    base: int
    key: int
    seal: str
    repair: int = 0

    def fits(self, user_id: int | None) -> bool:
        """Whether the server made this address for that person."""
        return links.same(self.seal, _seal(self.match_id, self.seat, self.base, self.key, user_id, self.repair))


class NumberedDoor(msgspec.Struct, frozen=True):
    """The address of one thing: an invitation, a confirmation, the bounces of a mail, an address to prove."""

    what: str
    number: int
    seal: str

    def fits(self) -> bool:
        return links.same(self.seal, links.mac(self.what, self.number))


class DigestDoor(msgspec.Struct, frozen=True):
    """The address of one digest to one person."""

    user_id: int
    digest: int
    key: int
    seal: str

    def fits(self) -> bool:
        return links.same(self.seal, links.mac("digest", self.user_id, self.digest, self.key))


class StopDoor(msgspec.Struct, frozen=True):
    user_id: int
    seal: str


def host() -> str:
    return from_address().rpartition("@")[2]


def from_address() -> str:
    return str(settings.DEFAULT_FROM_EMAIL).rpartition("<")[2].strip("> ")


def _seal(match_id: int, seat: str, base: int, key: int, user_id: int | None, repair: int) -> str:
    return links.mac("v1", match_id, seat, base, key, user_id, *([repair] if repair else []))


def reply_address(match_id: int, seat: str, base: int, key: int, user_id: int, repair: int = 0) -> str:
    fix = f".r{repair}" if repair else ""
    return f"m{match_id}.{seat}.d{base}.k{key}{fix}.{_seal(match_id, seat, base, key, user_id, repair)}@{host()}"


def numbered_address(what: str, number: int) -> str:
    letter = next(letter for letter, word in _NUMBERED_WORDS.items() if word == what)
    return f"{letter}{number}.{links.mac(what, number)}@{host()}"


def digest_address(user: Any, digest: int) -> str:
    seal = links.mac("digest", user.pk, digest, user.link_key)
    return f"u{user.pk}.s{digest}.k{user.link_key}.{seal}@{host()}"


def stop_address(user: Any) -> str:
    return f"stop.u{user.pk}.{links.stop_token(user)}@{host()}"


def read_door(local: str) -> MatchDoor | StopDoor | NumberedDoor | DigestDoor | None:
    """The door a local part names; None for any other address. Case does not matter."""
    local = local.strip().lower()
    if found := _MATCH.match(local):
        return MatchDoor(int(found[1]), found[2], int(found[3]), int(found[4]), found[6], int(found[5] or 0))
    if found := _NUMBERED.match(local):
        return NumberedDoor(_NUMBERED_WORDS[found[1]], int(found[2]), found[3])
    if found := _DIGEST.match(local):
        return DigestDoor(int(found[1]), int(found[2]), int(found[3]), found[4])
    if found := _STOP.match(local):
        return StopDoor(int(found[1]), found[2])
    return None

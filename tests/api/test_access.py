"""Every operation, for everybody who might try it, on every kind of match: as written in access.txt and not otherwise.

The operations come from the schema, so a new one fails here until it has its line. `access.txt` holds the status of
every cell; `EXPECTED` below says in words what the cells must obey, so that a wrong cell cannot be written down.
Write the table anew with FALLUJAH_WRITE_ACCESS=1 and read the difference.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from games.ledger import services
from games.ledger.invitations import invite
from tests.api.conftest import JSON, Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]
TABLE = Path(__file__).with_name("access.txt")

# What an operation asks for: a scope (none: everybody), and in a match a place: `watch` (to see it), `seat` (to hold
# one), `own` (to have opened it). `any` operations are open even to the token of another seat.
OPERATIONS: dict[str, tuple[str, str]] = {
    "health": ("", ""),
    "version": ("", ""),
    "rulesets_list": ("", ""),
    "rulesets_get": ("", ""),
    "rulesets_rules": ("", ""),
    "rulesets_board": ("", ""),
    "rulesets_notation": ("", ""),
    "register": ("", ""),
    "login": ("", ""),
    "logout": ("read", "any"),
    "me": ("read", "any"),
    "me_change": ("admin", ""),
    "password_change": ("admin", ""),
    "addresses_list": ("admin", ""),
    "addresses_add": ("admin", ""),
    "addresses_drop": ("admin", ""),
    "tokens_list": ("admin", ""),
    "tokens_create": ("admin", ""),
    "tokens_withdraw": ("admin", ""),
    "webhooks_list": ("admin", ""),
    "webhooks_create": ("admin", ""),
    "webhooks_get": ("admin", ""),
    "webhooks_remove": ("admin", ""),
    "webhooks_rotate": ("admin", ""),
    "webhooks_enable": ("admin", ""),
    "webhooks_test": ("admin", ""),
    "webhooks_calls": ("admin", ""),
    "webhooks_replay": ("admin", ""),
    "invitations_list": ("read", ""),
    "invitations_get": ("read", ""),
    "invitations_cancel": ("play", ""),
    "invitations_accept": ("play", ""),
    "invitations_decline": ("play", ""),
    "stream": ("read", ""),
    "matches_list": ("read", ""),
    "matches_create": ("play", ""),
    "matches_import": ("play", ""),
    "matches_get": ("read", "watch"),
    "matches_join": ("play", "watch"),
    "matches_invite": ("play", "own"),
    "matches_leave": ("play", "seat"),
    "matches_start": ("play", "own"),
    "matches_cancel": ("play", "own"),
    "matches_rematch": ("play", "seat"),
    "matches_resign": ("play", "seat"),
    "seats_list": ("read", "watch"),
    "seats_set": ("play", "own"),
    "messages_list": ("read", "seat"),
    "messages_say": ("play", "seat"),
    "note_get": ("read", "seat"),
    "note_set": ("play", "seat"),
    "matches_view": ("read", "watch"),
    "matches_decision": ("read", "seat"),
    "matches_orders": ("play", "seat"),
    "matches_entries": ("read", "watch"),
    "matches_stream": ("read", "watch"),
    "matches_take_back": ("play", "seat"),
    "matches_take_back_answer": ("play", "seat"),
    "standing_orders_list": ("read", "seat"),
    "standing_orders_set": ("play", "seat"),
    "standing_orders_rehearse": ("read", "seat"),
    "standing_orders_withdraw": ("play", "seat"),
    "matches_board_svg": ("read", "watch"),
    "matches_board_png": ("read", "watch"),
    "matches_board_txt": ("read", "watch"),
    "matches_dice": ("read", "watch"),
    "matches_export": ("read", "watch"),
    "matches_deliveries": ("read", "watch"),
}
# With the eyes of one seat: for its holder only, until the match is over.
AS_NORTH = ("matches_view", "matches_entries", "matches_stream", "matches_board_txt", "matches_board_svg")
NEEDS = {"": -1, "read": 0, "play": 1, "admin": 2}
BODIES: dict[str, Any] = {
    "matches_create": {"ruleset": "card_assault"},
    "matches_orders": {"orders": [["mark", 7]]},
    "matches_take_back_answer": {"agree": False},
    "matches_invite": {"email": "tom@example.net"},
    "standing_orders_set": {"text": "on choice do roll"},
    "seats_set": {"bot": "random"},
    "messages_say": {"text": "Hello."},
    "note_set": {"text": "Mine."},
    "addresses_add": {"email": "ada@example.net"},
    "login": {"username": "rania", "password": "wrong"},
    "register": {"username": "new", "email": "new@example.net", "password": "seven brass lanterns"},
    "password_change": {"old_password": "wrong", "new_password": "wrong"},
    "webhooks_create": {"url": "ftp://example.net"},
}
STATES = ["playing", "over", "private", "open", "private-open"]
ROLES = ["nobody", "spoiled", "read", "play", "admin", "session", "seat", "other-seat", "rival", "stranger"]


@pytest.fixture
def world(rania: Person, sam: Person, vera: Person, settings: Any) -> dict[str, Any]:
    """Rania (north) owns each match and Sam (south) plays it, but for the open ones; Vera has no seat anywhere."""
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 1_000_000)

    def pair(**more: Any) -> int:
        match = services.match_create(user=rania.user, ruleset="duel", seat="north", **more)
        services.match_join(user=sam.user, match_id=match.pk)
        return int(match.pk)

    ids = {"playing": pair(), "over": pair(), "private": pair(private=True)}
    services.seat_resign(match_id=ids["over"], seat="south")
    for name, private in (("open", False), ("private-open", True)):
        ids[name] = services.match_create(user=rania.user, ruleset="duel", seat="north", private=private).pk
    row = invite(user=rania.user, match_id=ids["open"], username="vera")
    return {"ids": ids, "rania": rania, "sam": sam, "vera": vera, "invitation": row.pk}


def _sender(world: dict[str, Any], role: str, match_id: int) -> tuple[Client, dict[str, str]]:
    client, user = Client(raise_request_exception=False), world["rania"].user
    if role == "nobody":
        return client, {}
    if role == "session":
        client.force_login(user)
        return client, {}
    if role == "spoiled":
        token = "0" * 64
    elif role in ("stranger", "rival"):
        token = world["vera" if role == "stranger" else "sam"].token
    elif role == "seat":
        token = Person(user, scope="play", match=match_id, seat="north").token
    elif role == "other-seat":
        token = Person(user, scope="play", match=match_id + 1000, seat="north").token
    else:
        token = Person(user, scope=role).token
    return client, {"Authorization": f"Token {token}"}


def _expected(operation: str, role: str, state: str) -> set[int] | None:
    """The refusals that must come, or None when there must be none for lack of rights."""
    name, _, query = operation.partition("?")
    scope, place = OPERATIONS[name]
    if scope == "":
        return None
    if role in ("nobody", "spoiled"):
        return {401}
    held = {"read": 0, "play": 1, "seat": 1, "other-seat": 1}.get(role, 2)
    if held < NEEDS[scope]:
        return {403}
    in_match = state != "-"
    if (role == "other-seat" or (role == "seat" and not in_match)) and place != "any":
        return {403}
    if role == "seat" and (place == "own" or name == "matches_rematch"):
        return {403}  # a bot plays; it does not arrange matches
    if not in_match:
        return None
    person = {"stranger": "vera", "rival": "sam"}.get(role, "rania")
    seated = person == "rania" or (person == "sam" and "open" not in state)
    if state.startswith("private") and not seated:
        return {404}
    if place == "own":
        return None if person == "rania" else {403}
    if query:
        return None if person == "rania" or state == "over" else {403}
    return {403} if place == "seat" and not seated else None


def _operations() -> dict[str, tuple[str, str]]:
    schema = Client().get("/api/schema/").json()
    return {
        told["operationId"]: (method, path)
        for path, methods in schema["paths"].items()
        for method, told in methods.items()
    }


def _try(world: dict[str, Any], where: tuple[str, str], operation: str, role: str, match_id: int) -> Any:
    """One request in a world of its own: whatever it changes is undone."""
    method, path = where
    name, _, query = operation.partition("?")
    number = world["invitation"] if "/invitations/" in path else 999
    filled = {
        "match_id": match_id,
        "number": number,
        "call": 888,
        "key": "duel",
        "seat": "south",
        "email": "x@example.net",
    }
    address = re.sub(r"{(\w+)}", lambda found: str(filled[found[1]]), path)
    query = query or ("text=on+choice+do+roll" if name == "standing_orders_rehearse" else "")
    with transaction.atomic():
        client, headers = _sender(world, role, match_id)
        if method == "get":
            answer = client.get(f"{address}?{query}", headers=headers)
        else:
            lines = name == "matches_import"
            body = "" if lines else json.dumps(BODIES.get(name, {}))
            kind = "application/x-ndjson" if lines else JSON
            answer = client.generic(method.upper(), address, body, content_type=kind, headers=headers)
        transaction.set_rollback(True)
    return answer


def _lines(world: dict[str, Any], state: str) -> list[str]:
    """The table of one kind of match, checked against EXPECTED on the way."""
    lines = []
    for name, where in sorted(_operations().items(), key=lambda item: list(OPERATIONS).index(item[0])):
        if ("{match_id}" in where[1]) != (state != "-"):
            continue
        for operation in (name, *([f"{name}?seat=north"] if name in AS_NORTH else [])):
            cells = []
            for role in ROLES:
                answer = _try(world, where, operation, role, world["ids"].get(state, 0))
                wanted = _expected(operation, role, state)
                told = f"{role} {operation} of the {state} match: {answer.status_code} {answer.content[:200]!r}"
                assert answer.status_code < 500, told
                if wanted is not None:
                    assert answer.status_code in wanted, told
                elif answer.status_code in (401, 403):
                    free = name == "login" or answer.json()["code"] in ("not-yours", "not-your-seat")
                    assert free and (name in ("login", *_OF_THE_OTHER)), told
                cells.append(str(answer.status_code))
            lines.append(f"{state:<13} {operation:<34} " + " ".join(f"{cell:>10}" for cell in cells))
    return lines


_OF_THE_OTHER = ("invitations_accept", "invitations_decline", "invitations_cancel")  # for guest or host only
HEAD = f"{'match':<13} {'operation':<34} " + " ".join(f"{role:>10}" for role in ROLES)


@pytest.mark.parametrize("state", ["-", *STATES])
def test_the_matrix(world: dict[str, Any], state: str) -> None:
    found = _lines(world, state)
    written = TABLE.read_text().splitlines()[1:] if TABLE.exists() else []
    if os.environ.get("FALLUJAH_WRITE_ACCESS"):
        rest = {key: [line for line in written if line.split()[0] == key] for key in ("-", *STATES)}
        rest[state] = found
        TABLE.write_text("\n".join([HEAD, *(line for lines in rest.values() for line in lines)]) + "\n")
        return
    assert found == [line for line in written if line.split()[0] == state]


def test_the_matrix_knows_every_operation() -> None:
    assert set(_operations()) == set(OPERATIONS)

"""Every operation, for everybody who might try it, on every kind of match: as written here and not otherwise."""

from typing import Any

import pytest
from django.test import Client

from games.ledger import services
from tests.api.conftest import JSON, Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]

# What an operation asks for: a scope, and whether one must hold a seat (`seat`), be able to see the match
# (`watch`), own it (`own`) or nothing of the kind (``). `any` operations are open even to a seat's token.
OPERATIONS: dict[tuple[str, str], tuple[str, str]] = {
    ("GET", "health"): ("", ""),
    ("GET", "version"): ("", ""),
    ("GET", "rulesets"): ("", ""),
    ("GET", "rulesets/duel"): ("", ""),
    ("GET", "me"): ("read", "any"),
    ("GET", "tokens"): ("admin", ""),
    ("POST", "tokens"): ("admin", ""),
    ("DELETE", "tokens/999"): ("admin", ""),
    ("GET", "webhooks"): ("admin", ""),
    ("POST", "webhooks"): ("admin", ""),
    ("GET", "webhooks/999"): ("admin", ""),
    ("DELETE", "webhooks/999"): ("admin", ""),
    ("POST", "webhooks/999/rotate"): ("admin", ""),
    ("POST", "webhooks/999/enable"): ("admin", ""),
    ("POST", "webhooks/999/test"): ("admin", ""),
    ("GET", "webhooks/999/calls"): ("admin", ""),
    ("POST", "webhooks/999/calls/888/replay"): ("admin", ""),
    ("GET", "stream"): ("read", ""),
    ("GET", "matches"): ("read", ""),
    ("POST", "matches"): ("play", ""),
    ("POST", "matches/import"): ("play", ""),
    ("GET", "matches/{id}"): ("read", "watch"),
    ("POST", "matches/{id}/join"): ("play", "watch"),
    ("POST", "matches/{id}/cancel"): ("play", "own"),
    ("POST", "matches/{id}/resign"): ("play", "seat"),
    ("GET", "matches/{id}/view"): ("read", "watch"),
    ("GET", "matches/{id}/view?seat=north"): ("read", "north"),
    ("GET", "matches/{id}/decision"): ("read", "seat"),
    ("POST", "matches/{id}/orders"): ("play", "seat"),
    ("GET", "matches/{id}/entries"): ("read", "watch"),
    ("GET", "matches/{id}/entries?seat=north"): ("read", "north"),
    ("GET", "matches/{id}/stream"): ("read", "watch"),
    ("GET", "matches/{id}/stream?seat=north"): ("read", "north"),
    ("POST", "matches/{id}/take-back"): ("play", "seat"),
    ("POST", "matches/{id}/take-back/answer"): ("play", "seat"),
    ("GET", "matches/{id}/standing-orders"): ("read", "seat"),
    ("POST", "matches/{id}/standing-orders"): ("play", "seat"),
    ("GET", "matches/{id}/standing-orders/rehearsal?text=on+choice+do+roll"): ("read", "seat"),
    ("DELETE", "matches/{id}/standing-orders/99"): ("play", "seat"),
    ("GET", "matches/{id}/board.svg"): ("read", "watch"),
    ("GET", "matches/{id}/board.png"): ("read", "watch"),
    ("GET", "matches/{id}/board.txt"): ("read", "watch"),
    ("GET", "matches/{id}/board.txt?seat=north"): ("read", "north"),
    ("GET", "matches/{id}/dice"): ("read", "watch"),
    ("GET", "matches/{id}/export"): ("read", "watch"),
    ("GET", "matches/{id}/deliveries"): ("read", "watch"),
}
NEEDS = {"": -1, "read": 0, "play": 1, "admin": 2}
BODIES = {
    "matches": {"ruleset": "card_assault"},
    "orders": {"orders": [["mark", 77]]},
    "answer": {"agree": False},
    "standing-orders": {"text": "on choice do roll"},
}
LAST = {"cancel": 1, "resign": 2, "join": 3}  # these change what one may do
MATCHES = ["playing", "over", "private", "open"]
ROLES = ["nobody", "stranger", "spoiled", "read", "play", "admin", "seat", "other-seat", "rival"]


@pytest.fixture
def world(rania: Person, sam: Person, vera: Person) -> dict[str, Any]:
    """Rania (north) owns each match and Sam (south) plays it, but for the open one; Vera watches."""

    def pair(**more: Any) -> Any:
        match = services.match_create(user=rania.user, ruleset="duel", seat="north", **more)
        return services.match_join(user=sam.user, match_id=match.pk)

    matches = {"playing": pair(), "over": pair(), "private": pair(private=True)}
    services.seat_resign(match_id=matches["over"].pk, seat="south")
    matches["open"] = services.match_create(user=rania.user, ruleset="duel", seat="north")
    return {"ids": {name: match.pk for name, match in matches.items()}, "rania": rania, "sam": sam, "vera": vera}


def _token(world: dict[str, Any], role: str, match_id: int) -> str | None:
    user = world["rania"].user
    if role == "nobody":
        return None
    if role == "spoiled":
        return "0" * 64
    if role in ("stranger", "rival"):
        return str(world["vera" if role == "stranger" else "sam"].token)
    if role == "seat":
        return Person(user, scope="play", match=match_id, seat="north").token
    if role == "other-seat":
        return Person(user, scope="play", match=match_id + 1000, seat="north").token
    return Person(user, scope=role).token


def _expected(method: str, path: str, role: str, state: str) -> set[int] | None:
    """The refusals that must come, or None when there must be none of 401, 403 and 404 for lack of rights."""
    scope, place = OPERATIONS[(method, path)]
    if scope == "":
        return None
    if role in ("nobody", "spoiled"):
        return {401}
    held = {"read": 0, "play": 1, "seat": 1, "other-seat": 1}.get(role, 2)
    if held < NEEDS[scope]:
        return {403}
    in_match = "{id}" in path
    if role == "other-seat" and place != "any":
        return {403}
    if role == "seat" and not in_match and place != "any":
        return {403}
    if not in_match:
        return None
    person = {"stranger": "vera", "rival": "sam"}.get(role, "rania")
    seated = person == "rania" or (person == "sam" and state != "open")
    if state == "private" and not seated:
        return {404}
    if place == "own":
        return None if person == "rania" else {403}
    if place == "north":
        return None if person == "rania" else {403}
    return {403} if place == "seat" and not seated else None


def _try(method: str, path: str, token: str | None) -> Any:
    headers = {"Authorization": f"Token {token}"} if token else {}
    where = f"/api/v1/{path}"
    if method == "GET":
        return Client(raise_request_exception=False).get(where, headers=headers)
    last = path.split("/")[-1]
    kind = "application/x-ndjson" if last == "import" else JSON
    data = "" if last == "import" else BODIES.get(last, {})
    call = getattr(Client(raise_request_exception=False), method.lower())
    return call(where, data, content_type=kind, headers=headers)


@pytest.mark.parametrize("state", MATCHES)
@pytest.mark.parametrize("role", ROLES)
def test_the_matrix(world: dict[str, Any], role: str, state: str, settings: Any) -> None:
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 100_000)
    match_id = world["ids"][state]
    for method, path in sorted(OPERATIONS, key=lambda item: LAST.get(item[1].split("/")[-1], 0)):
        token = _token(world, role, match_id)
        answer = _try(method, path.replace("{id}", str(match_id)), token)
        wanted = _expected(method, path, role, state)
        where = f"{role} {method} {path} of the {state} match: {answer.status_code} {answer.content[:200]!r}"
        assert answer.status_code < 500, where
        if wanted is None:
            lacks = answer.status_code in (401, 403) or (
                answer.status_code == 404 and answer.json().get("code") == "not-found" and "{id}" in path
                and not path.endswith(("/99", "/answer"))
            )  # fmt: skip
            assert not lacks, where
        else:
            assert answer.status_code in wanted, where


def test_the_matrix_knows_every_operation() -> None:
    from django.test import Client as Plain

    schema = Plain().get("/api/schema/").json()
    told = {
        (method.upper(), path.removeprefix("/api/v1/"))
        for path, methods in schema["paths"].items()
        for method in methods
    }
    filled = {
        "{id}": "{match_id}",
        "999": "{number}",
        "99": "{number}",
        "888": "{call}",
        "rulesets/duel": "rulesets/{key}",
    }
    listed = set()
    for method, path in OPERATIONS:
        plain = path.split("?")[0]
        for value, name in filled.items():
            plain = plain.replace(value, name)
        listed.add((method, plain))
    apart = {("POST", "register"), ("POST", "login"), ("POST", "logout")}  # tried in test_people
    assert told - apart == listed

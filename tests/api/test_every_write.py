"""Every write of the schema can be repeated under a key and refuses a stale version; a new one cannot be forgotten."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from api.describe import NOT_REPEATED
from games.ledger import services
from games.ledger.invitations import invite
from games.ledger.models import Entry, Invitation, Match, SavedAnswer, Saying
from tests.api.conftest import JSON, Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def _writes() -> dict[str, tuple[str, str, dict[str, Any]]]:
    schema = Client().get("/api/schema/").json()
    return {
        told["operationId"]: (method, path, told)
        for path, methods in schema["paths"].items()
        for method, told in methods.items()
        if method != "get"
    }


WRITES = _writes()
REPEATED = sorted(set(WRITES) - NOT_REPEATED)
VERSIONED = sorted(name for name in WRITES if "{match_id}" in WRITES[name][1])
# Which match of the world an operation makes sense in, and a body that is accepted; another one that differs.
IN_OPEN = {
    "matches_cancel", "matches_invite", "matches_leave", "matches_start", "seats_set",
}  # fmt: skip
BODIES: dict[str, tuple[Any, Any]] = {
    "matches_create": ({"ruleset": "duel"}, {"ruleset": "card_assault"}),
    "matches_orders": ({"orders": "mark 3"}, {"orders": "mark 4"}),
    "matches_take_back": ({"count": 1}, {"count": 2}),
    "matches_take_back_answer": ({"agree": False}, {"agree": True}),
    "matches_join": ({"seat": "south"}, {"seat": "north"}),
    "matches_invite": ({"email": "tom@example.net"}, {"email": "eve@example.net"}),
    "matches_start": ({"bots": {"south": "random"}}, {}),
    "seats_set": ({"bot": "random"}, {"bot": None}),
    "messages_say": ({"text": "Hello."}, {"text": "Goodbye."}),
    "note_set": ({"text": "one"}, {"text": "two"}),
    "standing_orders_set": ({"text": "on choice do roll"}, {"text": "on choice do hold"}),
    "me_change": ({"wants_mail": False}, {"wants_mail": True}),
    "password_change": (
        {"old_password": "a good pass phrase", "new_password": "seven brass lanterns"},
        {"old_password": "a good pass phrase", "new_password": "eight brass lanterns"},
    ),
    "addresses_add": ({"email": "a@example.net"}, {"email": "b@example.net"}),
    "tokens_create": ({"name": "one"}, {"name": "two"}),
    "webhooks_create": ({"url": "https://example.org/one"}, {"url": "https://example.org/two"}),
}


@pytest.fixture
def world(rania: Person, sam: Person, duel: int) -> dict[str, Any]:
    """A running match with an order to take back and one asked back, an open one, one that is over, a webhook."""
    waiting = services.match_create(user=rania.user, ruleset="duel", seat="north").pk
    over = services.match_create(user=rania.user, ruleset="duel", seat="north", bots={"south": "random"}).pk
    services.seat_resign(match_id=over, seat="north")
    other = services.match_create(user=sam.user, ruleset="duel", seat="north").pk
    theirs = invite(user=sam.user, match_id=other, username="rania").pk
    mine = invite(user=rania.user, match_id=waiting, email="zoe@example.net").pk
    for _ in range(2):
        rania.post("webhooks", {"url": "https://example.org/hook"})
    call = rania.post("webhooks/1/test").json()["call"]
    rania.post("tokens", {"name": "old"})
    rania.post("me/addresses", {"email": "old@example.net"})
    services.orders_submit(match_id=duel, seat="north", orders="mark 1")
    services.standing_set(match_id=duel, seat="north", text="on choice if points > 99 do hold")
    return {"duel": duel, "open": waiting, "over": over, "theirs": theirs, "mine": mine, "call": call, "other": other}


def _address(name: str, world: dict[str, Any], version: bool = False) -> str:
    path = WRITES[name][1]
    match = "open" if name in IN_OPEN else "over" if name == "matches_rematch" else "duel"
    match = "other" if name == "matches_join" else match
    number = {"tokens_withdraw": 2, "invitations_cancel": world["mine"]}.get(name, 1)
    if name in ("invitations_accept", "invitations_decline"):
        number = world["theirs"]
    filled = {
        "match_id": world[match],
        "number": number,
        "call": world["call"],
        "seat": "south",
        "email": "old@example.net",
    }
    return re.sub(r"{(\w+)}", lambda found: str(filled[found[1]]), path)


def _send(who: Person, name: str, address: str, body: Any, **headers: str) -> Any:
    named = {key.replace("_", "-"): value for key, value in headers.items()} | {"Authorization": f"Token {who.token}"}
    raw = "not a file" if name == "matches_import" else json.dumps(body)
    kind = "application/x-ndjson" if name == "matches_import" else JSON
    client = Client(raise_request_exception=False)
    return client.generic(WRITES[name][0].upper(), address, raw, content_type=kind, headers=named)


def _traces() -> tuple[int, ...]:
    """What would grow if something happened twice."""
    from api.models import Token
    from games.ledger.models import Outbox, StandingOrder, Webhook

    models: list[Any] = [Entry, Invitation, Match, Saying, Token, Outbox, StandingOrder, Webhook]
    return tuple(model.objects.count() for model in models)


@pytest.mark.parametrize("name", REPEATED)
def test_a_repeated_write_has_one_effect_and_the_same_bytes(rania: Person, world: dict[str, Any], name: str) -> None:
    body, other = BODIES.get(name, ({}, None))
    address = _address(name, world)
    first = _send(rania, name, address, body, Idempotency_Key="k-1")
    assert first.status_code < 500, first.content
    if name not in ("matches_import", "matches_take_back_answer"):  # a bad file; nobody asks for a take-back
        assert first.status_code < 300, (name, first.content)
    after = _traces()
    for _ in range(2):
        again = _send(rania, name, address, body, Idempotency_Key="k-1")
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert {key: again.headers.get(key) for key in ("ETag", "Location", "Content-Type")} == {
            key: first.headers.get(key) for key in ("ETag", "Location", "Content-Type")
        }
    assert _traces() == after, "nothing happened again"
    another = _send(rania, name, address, other, Idempotency_Key="k-1") if other is not None else None
    another = another or _send(rania, name, f"{address}?other=1", body, Idempotency_Key="k-1")
    assert (another.status_code, another.json()["code"]) == (422, "idempotency-mismatch")
    assert _traces() == after


@pytest.mark.parametrize("name", VERSIONED)
def test_a_stale_version_changes_nothing_and_says_the_present_one(
    rania: Person, world: dict[str, Any], name: str
) -> None:
    body, _ = BODIES.get(name, ({}, None))
    before = _traces()
    refused = _send(rania, name, _address(name, world), body, If_Match='"77"')
    assert (refused.status_code, refused.json()["code"]) == (412, "stale")
    match = int(re.findall(r"matches/(\d+)", _address(name, world))[0])
    version = Match.objects.get(pk=match).head_seq
    assert refused.json()["version"] == version and refused.headers["ETag"] == f'"{version}"'
    assert _traces() == before
    accepted = _send(rania, name, _address(name, world), body, If_Match=f'"{version}"')
    assert accepted.status_code != 412


def test_every_write_tells_of_its_headers() -> None:
    for name, (_, _, told) in WRITES.items():
        headers = {parameter["name"] for parameter in told.get("parameters", []) if parameter["in"] == "header"}
        assert ("Idempotency-Key" in headers) == (name in REPEATED), name
        assert ("If-Match" in headers) == (name in VERSIONED), name


def test_a_saved_secret_cannot_be_read_at_rest(rania: Person) -> None:
    made = rania.post("tokens", {"name": "one"}, Idempotency_Key="k-1")
    saved = bytes(SavedAnswer.objects.get(key="k-1").body)
    assert made.json()["token"].encode() not in saved and b"one" not in saved
    hook = rania.post("webhooks", {"url": "https://example.org/"}, Idempotency_Key="k-2")
    assert hook.json()["secret"].encode() not in bytes(SavedAnswer.objects.get(key="k-2").body)
    other = Person(rania.user)
    refused = other.post("tokens", {"name": "one"}, Idempotency_Key="k-1")
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency-mismatch")


def test_a_browser_repeats_a_write_too(rania: Person) -> None:
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(rania.user)
    client.cookies["csrftoken"] = "c" * 32
    headers = {"X-CSRFToken": "c" * 32, "Idempotency-Key": "k-1"}
    sent = [
        client.post("/api/v1/matches", json.dumps({"ruleset": "duel"}), content_type=JSON, headers=headers)
        for _ in range(2)
    ]
    assert [answer.status_code for answer in sent] == [201, 201] and sent[0].content == sent[1].content
    plain = {"X-CSRFToken": "c" * 32}
    once = client.post("/api/v1/matches", json.dumps({"ruleset": "duel"}), content_type=JSON, headers=plain)
    assert once.status_code == 201, "and writes without a key"
    refused = client.post("/api/v1/matches", "{}", content_type=JSON, headers={"Idempotency-Key": "k-2"})
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden"), "without the token against forgery"

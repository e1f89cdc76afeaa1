"""One story in which every operation is used once as it should be, and every refusal happens. It is recorded.

`make examples` writes what happened to api/examples/, from where the schema takes its examples. The test tells
the story again and compares.
"""

import json
import re
from typing import Any

from django.core.cache import cache
from django.test import Client

from games.ledger.models import Match, Outbox
from tests.api.conftest import JSON, Person

LINES = "application/x-ndjson"
KEPT_HEADERS = ("ETag", "Location")
SECRETS = {
    "token": "3f" * 32,
    "secret": "whsec_" + "Zm9yIHRoZSBkb2NzIG9ubHk" + "=",
    "invitation": "12:for-the-docs-only",
}


class Teller:
    """Sends requests by the name of their operation and notes what came back."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.where = {
            told["operationId"]: (method, path)
            for path, methods in schema["paths"].items()
            for method, told in methods.items()
        }
        self.noted: dict[str, dict[str, Any]] = {}
        self.problems: dict[str, dict[str, Any]] = {}

    def call(
        self,
        who: Person | None,
        name: str,
        path: dict[str, Any] | None = None,
        body: Any = None,
        query: dict[str, Any] | None = None,
        **headers: str,
    ) -> Any:
        method, address = self.where[name]
        for key, value in (path or {}).items():
            address = address.replace(f"{{{key}}}", str(value))
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        sent = dict(named)
        if who is not None:
            sent["Authorization"] = f"Token {who.token}"
        client = Client(raise_request_exception=False)
        if method == "get":
            answer = client.get(address, query or {}, headers=sent)
        else:
            raw = body if isinstance(body, str | bytes) else json.dumps({} if body is None else body)
            kind = LINES if name == "matches_import" else JSON
            answer = client.generic(method.upper(), address, raw, content_type=kind, headers=sent)
        assert answer.status_code < 500, (name, answer.content)
        if answer.status_code >= 400:
            self.problems.setdefault(answer.json()["code"], brief(answer.json()))
        elif name not in self.noted:
            self.noted[name] = _note(path, query, named, body, answer)
        return answer


def _note(path: Any, query: Any, headers: Any, body: Any, answer: Any) -> dict[str, Any]:
    request: dict[str, Any] = {}
    for key, value in (("path", path), ("query", query), ("headers", headers)):
        if value:
            request[key] = {name: str(given) if key == "path" else given for name, given in value.items()}
    if body is not None:
        request["body"] = brief(body, 2000)
    kind = answer.headers.get("Content-Type", "")
    told: Any = None
    if kind.startswith("application/json") and answer.content:
        told = brief(answer.json())
    elif not kind.startswith("image/png") and answer.content:
        told = brief(answer.content.decode())
    kept = {name: answer.headers[name] for name in KEPT_HEADERS if name in answer.headers}
    return {"request": request, "response": {"status": answer.status_code, "headers": kept, "body": told}}


def brief(value: Any, most: int = 400) -> Any:
    """Short enough to read: three of each list, the beginning of a long text; no secret that ever worked."""
    if isinstance(value, dict):
        return {
            key: SECRETS[key] if key in SECRETS and isinstance(item, str) and item else brief(item, most)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [brief(item, most) for item in value[:3]]
    if isinstance(value, str) and len(value) > most:
        return value[:most]
    return value


def tell(teller: Teller, ada: Person, bea: Person, cid: Person, settings: Any) -> None:
    """Ada opens, Bea joins, Cid looks on."""
    _server(teller)
    _people(teller, ada, settings)
    _webhooks(teller, ada)
    open_match = _lobby(teller, ada, bea, cid)
    _play(teller, ada, bea, cid)
    _ends(teller, ada, bea)
    _refusals(teller, ada, bea, cid, open_match, settings)


def _server(teller: Teller) -> None:
    for name in ("health", "version", "rulesets_list"):
        teller.call(None, name)
    for name in ("rulesets_get", "rulesets_rules", "rulesets_board", "rulesets_notation"):
        teller.call(None, name, {"key": "second_fallujah"})
        teller.call(None, name, {"key": "chess"})


def _people(teller: Teller, ada: Person, settings: Any) -> None:
    dora = {"username": "dora", "email": "dora@example.org", "password": "seven brass lanterns"}
    teller.call(None, "register", body=dora)
    teller.call(None, "register", body=dora)
    teller.call(None, "register", body={**dora, "username": "dora2", "email": "d2@example.org", "password": "1"})
    settings.OPEN_REGISTRATION = False
    teller.call(None, "register", body=dora)
    settings.OPEN_REGISTRATION = True
    teller.call(None, "login", body={"username": "dora", "password": "seven brass lanterns"})
    teller.call(ada, "me")
    teller.call(ada, "me_change", body={"wants_mail": True})
    teller.call(ada, "me_change", body={"zone": "Mars/Base"})
    teller.call(ada, "addresses_add", body={"email": "ada@example.net"})
    teller.call(ada, "addresses_list")
    teller.call(ada, "addresses_drop", {"email": "ada@example.net"})
    number = teller.call(ada, "tokens_create", body={"name": "my bot", "scope": "play", "days": 30}).json()["number"]
    teller.call(ada, "tokens_list")
    teller.call(ada, "tokens_withdraw", {"number": number}, Idempotency_Key="withdraw-1")
    passwords = {"old_password": "a good pass phrase", "new_password": "seven brass lanterns"}
    teller.call(ada, "password_change", body=passwords)
    teller.call(Person(ada.user, scope="read"), "tokens_list")
    teller.call(Person(ada.user), "logout")


def _webhooks(teller: Teller, ada: Person) -> None:
    teller.call(ada, "webhooks_create", body={"url": "ftp://example.org/"})
    made = teller.call(ada, "webhooks_create", body={"url": "https://example.org/hook", "topics": ["decision"]})
    path = {"number": made.json()["number"]}
    for name in ("webhooks_list", "webhooks_get", "webhooks_rotate", "webhooks_enable"):
        teller.call(ada, name, path if name != "webhooks_list" else None)
    call = teller.call(ada, "webhooks_test", path).json()["call"]
    Outbox.objects.filter(kind="webhook").update(state="sent")
    teller.call(ada, "webhooks_calls", path)
    teller.call(ada, "webhooks_replay", {**path, "call": call})
    teller.call(ada, "webhooks_remove", path)


def _lobby(teller: Teller, ada: Person, bea: Person, cid: Person) -> int:
    wish = {"ruleset": "city_fighting", "options": {"seats": 3}, "title": "Three captains", "private": True}
    three = teller.call(ada, "matches_create", body=wish, Idempotency_Key="open-1").json()["id"]
    path = {"match_id": three}
    teller.call(ada, "seats_list", path)
    teller.call(ada, "seats_set", {**path, "seat": "b"}, {"bot": "random"}, If_Match='"-1"')
    invited = teller.call(ada, "matches_invite", path, {"username": "bea", "words": "Come and play."})
    number = {"number": invited.json()["number"]}
    teller.call(bea, "invitations_list")
    teller.call(bea, "invitations_get", number)
    teller.call(bea, "invitations_accept", number)
    again = teller.call(ada, "matches_create", body={"ruleset": "city_fighting", "options": {"seats": 2}}).json()["id"]
    path = {"match_id": again}
    invited = teller.call(ada, "matches_invite", path, {"email": "cid@example.org"})
    teller.call(cid, "invitations_decline", {"number": invited.json()["number"]})
    invited = teller.call(ada, "matches_invite", path, {"email": "eve@example.net"})
    teller.call(ada, "invitations_cancel", {"number": invited.json()["number"]})
    teller.call(ada, "matches_leave", path)
    teller.call(ada, "matches_start", path, {"bots": {"a": "random"}})
    gone = teller.call(ada, "matches_create", body={"ruleset": "second_fallujah"}).json()["id"]
    teller.call(ada, "matches_cancel", {"match_id": gone})
    return int(teller.call(ada, "matches_create", body={"ruleset": "second_fallujah"}).json()["id"])


def _play(teller: Teller, ada: Person, bea: Person, cid: Person) -> None:
    wish = {"ruleset": "second_fallujah", "seat": "insurgent", "title": "Seven days"}
    match = teller.call(ada, "matches_create", body=wish).json()["id"]
    path = {"match_id": match}
    teller.call(bea, "matches_join", path, {"seat": "coalition", "salt": "a walrus on a bicycle"})
    teller.call(ada, "matches_get", path)
    teller.call(ada, "matches_list", query={"status": "playing", "asked": "true", "limit": 2})
    for name in ("matches_view", "matches_board_svg", "matches_board_png", "matches_board_txt"):
        teller.call(ada, name, path, query={"at": 0})
    asked = teller.call(ada, "matches_decision", path, query={"group": "verb", "limit": 3}).json()
    order = {"orders": [asked["actions"][0]["action"], "put F 40"]}
    teller.call(ada, "matches_orders", path, order, If_Match='"0"', Idempotency_Key="order-1")
    teller.call(ada, "matches_orders", path, {"orders": "put F 99"})
    teller.call(ada, "matches_orders", path, {"orders": "fly to the moon"})
    teller.call(bea, "matches_orders", path, {"orders": "done"})
    teller.call(ada, "matches_entries", path, query={"after": 0, "limit": 2})
    teller.call(cid, "matches_stream", path, query={"form": "ndjson"})
    teller.call(ada, "matches_stream", path, query={"seat": "coalition"})
    teller.call(ada, "matches_take_back", path, {"count": 1, "reason": "a slip"}, If_Match='"2"')
    teller.call(bea, "matches_take_back", path, {})
    teller.call(ada, "standing_orders_set", path, {"text": "deflead prefer dug"})
    teller.call(ada, "standing_orders_list", path)
    teller.call(ada, "standing_orders_rehearse", path, query={"text": "deflead prefer dug"})
    teller.call(ada, "standing_orders_withdraw", {**path, "number": 1})
    teller.call(ada, "messages_say", path, {"text": "Your move is next."})
    teller.call(bea, "messages_list", path)
    teller.call(ada, "note_set", path, {"text": "Dig in at 45."})
    teller.call(ada, "note_get", path)
    teller.call(ada, "matches_deliveries", path)
    teller.call(ada, "matches_dice", path)
    teller.call(ada, "stream", query={"form": "ndjson"})


def _ends(teller: Teller, ada: Person, bea: Person) -> None:
    """A short match that somebody regrets, gives up, takes home and wants again."""
    made = teller.call(ada, "matches_create", body={"ruleset": "duel", "seat": "north", "bots": {}}).json()["id"]
    path = {"match_id": made}
    teller.call(bea, "matches_join", path, {})
    teller.call(ada, "matches_orders", path, {"orders": "roll"})
    teller.call(bea, "matches_view", path)
    teller.call(ada, "matches_take_back", path, {"reason": "I meant to hold"})
    teller.call(bea, "matches_take_back_answer", path, {"agree": False})
    teller.call(ada, "matches_resign", path)
    alone = teller.call(ada, "matches_create", body={"ruleset": "card_assault"}).json()["id"]
    teller.call(ada, "matches_resign", {"match_id": alone})
    text = teller.call(ada, "matches_export", {"match_id": alone}).content.decode()
    teller.call(ada, "matches_import", body=text)
    teller.call(ada, "matches_rematch", {"match_id": alone})


def _refusals(teller: Teller, ada: Person, bea: Person, cid: Person, waiting: int, settings: Any) -> None:
    """Each code once, where the story has not met it yet."""
    path = {"match_id": waiting}
    teller.call(None, "me")
    teller.call(ada, "matches_orders", path, b"{")
    teller.call(ada, "matches_orders", path, {"orders": 7})
    teller.call(ada, "matches_view", path)
    teller.call(ada, "matches_join", path, {})
    teller.call(bea, "matches_join", path, {"seat": "insurgent"})
    teller.call(bea, "matches_cancel", path)
    teller.call(cid, "messages_list", path)
    teller.call(ada, "seats_set", {**path, "seat": "west"}, {"bot": "random"})
    teller.call(ada, "matches_get", {"match_id": 10**12})
    teller.call(ada, "matches_create", body={"ruleset": "chess"})
    teller.call(ada, "matches_invite", path, {"username": "nobody-at-all"})
    teller.call(ada, "matches_rematch", path)
    teller.call(ada, "matches_start", path, {}, If_Match='"7"')
    teller.call(ada, "note_set", path, {"text": "one"}, Idempotency_Key="k-1")
    teller.call(ada, "note_set", path, {"text": "two"}, Idempotency_Key="k-1")
    teller.call(ada, "matches_import", body="x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1))
    alone = {"match_id": teller.call(ada, "matches_create", body={"ruleset": "card_assault"}).json()["id"]}
    teller.call(ada, "matches_start", alone, {})
    teller.call(ada, "matches_take_back", alone, {})
    Match.objects.filter(pk=alone["match_id"]).update(fault="an invariant broke at entry 0")
    teller.call(ada, "matches_orders", alone, {"orders": "done"})
    Match.objects.filter(pk=alone["match_id"]).update(fault="")
    teller.call(ada, "matches_resign", alone)
    teller.call(ada, "matches_orders", alone, {"orders": "done"})
    for number in range(51):
        if teller.call(ada, "messages_say", path, {"text": f"Hello {number}."}).status_code == 409:
            break
    _outside(teller, ada)
    settings.API_LIMITS = {**settings.API_LIMITS, "token": 0}
    cache.clear()
    teller.call(ada, "me")


def _outside(teller: Teller, ada: Person) -> None:
    """What no operation tells: another method, another content type."""
    headers = {"Authorization": f"Token {ada.token}"}
    client = Client(raise_request_exception=False)
    for answer in (
        client.put("/api/v1/health", b"{}", content_type=JSON),
        client.post("/api/v1/matches", b"ruleset=duel", content_type="text/plain", headers=headers),
    ):
        teller.problems.setdefault(answer.json()["code"], answer.json())


def outline(value: Any, key: str = "") -> Any:
    """The keys of an answer, without its values: what must stay as recorded."""
    loose = {"view", "facts", "options", "score", "dice", "standing_defaults", "decisions", "bots", "rulesets"}
    if key in loose or value is None:
        return "*"
    if isinstance(value, dict):
        return {name: outline(item, name) for name, item in sorted(value.items())}
    if isinstance(value, list):
        return [outline(value[0])] if value and isinstance(value[0], dict) else "[]"
    return type(value).__name__


def same_outline(one: Any, two: Any) -> bool:
    """Equal, where `*` (nothing, or words of a ruleset) fits anything and an empty list any list."""
    if one == "*" or two == "*":
        return True
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(same_outline(one[key], two[key]) for key in one)
    if isinstance(one, list) and isinstance(two, list):
        return same_outline(one[0], two[0])
    if isinstance(one, list) or isinstance(two, list):
        return "[]" in (one, two)
    return bool(one == two)


def words_only(text: str) -> str:
    return re.sub(r"\d+", "0", text)

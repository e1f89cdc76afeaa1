"""Whatever is sent, the answer is a refusal in words and never a failure of the server."""

import json
import random
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests.api.conftest import JSON, Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]

BODIES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"3",
    b'"text"',
    b"\xff\xfe\x00",
    b'{"orders": "\\u0000"}',
    b'{"orders": "\\ud800"}',
    b'{"orders": ["\\udfff"]}',
    b'{"\\u0000": 1}',
    b'{"orders": NaN}',
    b'{"orders": [["mark", 1e999]]}',
    b'{"orders": [["mark", 99999999999999999999999999]]}',
    b'{"orders": [["mark", ' + b"9" * 5000 + b"]]}",
    b'{"orders": [[]]}',
    b'{"orders": [[["mark"]]]}',
    b'{"orders": [["mark", null]]}',
    b'{"orders": [["mark", true]]}',
    b'{"orders": [{"verb": "mark"}]}',
    b'{"orders": {}}',
    b'{"orders": 7}',
    b'{"orders": ""}',
    b'{"orders": "   "}',
    b'{"orders": []}',
    b'{"orders": "if if if"}',
    b'{"orders": "then"}',
    b'{"orders": "' + "ﷺ😀\\n".encode() * 200 + b'"}',
    b'{"orders": "' + b"a" * 30000 + b'"}',
    json.dumps({"orders": ["mark 1"] * 500}).encode(),
    b'{"orders": "mark 1", "dry_run": "perhaps"}',
    b'{"orders": "mark 1", "dry_run": []}',
    b"[" * 100000,
    b'{"a":' * 5000 + b"1" + b"}" * 5000,
    b'{"count": -1}',
    b'{"count": 1e3}',
    b'{"count": 99999999999999999999}',
    b'{"agree": null}',
    b'{"text": ""}',
    b'{"text": "on"}',
    b'{"text": "on choice do"}',
    b'{"text": "on choice if points < do hold"}',
    b'{"ruleset": "duel", "options": {"turns": 1e999}}',
    b'{"ruleset": "duel", "options": {"turns": []}}',
    b'{"ruleset": "duel", "options": []}',
    b'{"ruleset": "duel", "options": {"": {}}}',
    b'{"ruleset": "duel", "bots": {"north": {}}}',
    b'{"ruleset": "duel", "bots": {"nowhere": "random"}}',
    b'{"ruleset": "duel", "bots": {"north": "../../etc/passwd"}}',
    b'{"ruleset": "duel", "seat": 5}',
    b'{"ruleset": "duel", "seat": "nowhere"}',
    b'{"ruleset": "duel", "title": "' + b"x" * 500 + b'"}',
    b'{"ruleset": "duel", "salt": {"a": 1}}',
    b'{"ruleset": "__proto__"}',
    b'{"invitation": "::::"}',
    b'{"invitation": "1:\\u00e9"}',
    b'{"username": "a", "password": "b"}',
    b'{"username": ["rania"], "password": {"a": 1}}',
    b'{"username": "rania", "email": "\\"@\\"@", "password": "x"}',
]
POSTS = [
    "register",
    "login",
    "logout",
    "matches",
    "matches/import",
    "matches/{id}/join",
    "matches/{id}/cancel",
    "matches/{id}/orders",
    "matches/{id}/take-back",
    "matches/{id}/take-back/answer",
    "matches/{id}/standing-orders",
    "matches/{id}/resign",
]
GETS = [
    "me",
    "rulesets",
    "matches",
    "matches/{id}",
    "matches/{id}/view",
    "matches/{id}/decision",
    "matches/{id}/entries",
    "matches/{id}/standing-orders",
    "matches/{id}/board.svg",
    "matches/{id}/board.png",
    "matches/{id}/board.txt",
    "matches/{id}/dice",
    "matches/{id}/export",
    "matches/{id}/deliveries",
]


def _refused_well(answer: Any) -> None:
    assert answer.status_code < 500, answer.content
    if answer.status_code >= 400:
        assert answer.headers["Content-Type"] == "application/problem+json", answer.content
        problem = answer.json()
        assert problem["status"] == answer.status_code
        assert problem["detail"] and problem["type"] == f"/api/problems/{problem['code']}"


@pytest.mark.parametrize("path", POSTS)
def test_no_body_makes_the_server_fail(rania: Person, duel: int, path: str, settings: Any) -> None:
    where = f"/api/v1/{path.replace('{id}', str(duel))}"
    for body in BODIES:
        for kind in (JSON, "application/x-ndjson", "text/plain", "application/x-www-form-urlencoded", "x/\xff"):
            if kind != JSON and body not in BODIES[:6]:
                continue
            rania_again = Person(rania.user) if path == "logout" else rania
            headers = {"Authorization": f"Token {rania_again.token}"}
            _refused_well(rania.client.generic("POST", where, body, content_type=kind, headers=headers))


QUERIES = [
    "at=-1", "at=99999999999999999999", "at=x", "at=", "at=%00", "after=-5", "after=1e9", "after=%ff", "limit=0",
    "limit=-1", "limit=1e400", "offset=-1", "offset=99999999999999999999999", "seat=%00", "seat=north%00",
    "seat=%ed%a0%80", "seat=" + "x" * 5000, "scope=all", "status=%00", "ruleset=%00", "verb=%00&prefix=%00",
    "prefix=" + "x" * 3000, "theme=blue", "crop=perhaps", "width=0", "width=1e9", "a[]=1&a[]=2", "%", "&&&==",
]  # fmt: skip


@pytest.mark.parametrize("path", GETS)
def test_no_query_makes_the_server_fail(rania: Person, duel: int, path: str) -> None:
    for query in QUERIES:
        where = f"/api/v1/{path.replace('{id}', str(duel))}"
        headers = {"Authorization": f"Token {rania.token}"}
        _refused_well(rania.client.get(f"{where}?{query}", headers=headers))


@pytest.mark.parametrize(
    "path",
    [
        "v1", "v1/", "v2/matches", "v1/matches/", "v1/matches/abc", "v1/matches/-1", "v1/matches/1.5",
        "v1/matches/999999999999999999", "v1/matches/9999999999999999999999999", "v1/matches/٣",
        "v1/matches/1/nothing", "v1/matches/1/standing-orders/x", "v1/matches/%00", "v1/matches/../../etc/passwd",
        "", "problems/nothing", "v1/rulesets/%00", "%ff%fe",
    ],
)  # fmt: skip
def test_unknown_addresses_are_told_in_the_same_form(rania: Person, path: str) -> None:
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        headers = {"Authorization": f"Token {rania.token}"}
        answer = rania.client.generic(method, f"/api/{path}", b"{}", content_type=JSON, headers=headers)
        assert answer.status_code in (404, 405), (method, path, answer.content)
        _refused_well(answer)


@pytest.mark.parametrize(
    "header",
    [
        "", "Token", "Token ", "Token a b", "Token \x00", "Token é", "Token " + "f" * 10000, "Token zz", "Bearer x",
        "Basic cmFuaWE6eA==", "Token ' OR 1=1 --", "token \udcff",
    ],
)  # fmt: skip
def test_a_bad_token_is_not_signed_in(header: str) -> None:
    answer = Client().get("/api/v1/me", HTTP_AUTHORIZATION=header)
    assert (answer.status_code, answer.json()["code"]) == (401, "not-signed-in")


@pytest.mark.parametrize("value", ['"x"', 'W/"0"', '"0", "1"', '"99999999999999999999"', "é", '""'])
def test_a_bad_version_is_refused(rania: Person, duel: int, value: str) -> None:
    refused = rania.post(f"matches/{duel}/orders", {"orders": "mark 1"}, If_Match=value)
    assert (refused.status_code, refused.json()["code"]) == (400, "bad-request")


def test_methods_that_an_address_does_not_know(rania: Person, duel: int) -> None:
    refused = rania.client.put(
        f"/api/v1/matches/{duel}", b"{}", content_type=JSON, headers={"Authorization": f"Token {rania.token}"}
    )
    assert (refused.status_code, refused.json()["code"]) == (405, "method-not-allowed")
    assert "GET" in refused.headers["Allow"]


def test_a_wrong_content_type_is_said(rania: Person, duel: int) -> None:
    headers = {"Authorization": f"Token {rania.token}"}
    refused = rania.client.post(
        f"/api/v1/matches/{duel}/orders", b"orders=mark 1", content_type="text/plain", headers=headers
    )
    assert (refused.status_code, refused.json()["code"]) == (415, "wrong-content-type")


def test_a_body_beyond_the_limit_is_refused(rania: Person) -> None:
    body = b'{"ruleset": "' + b"x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1) + b'"}'
    headers = {"Authorization": f"Token {rania.token}"}
    for more in ({}, {"Idempotency-Key": "k"}):
        refused = rania.client.post("/api/v1/matches", body, content_type=JSON, headers=headers | more)
        assert (refused.status_code, refused.json()["code"]) == (413, "too-large")


def test_any_accept_header_is_served(rania: Person, duel: int) -> None:
    for accept in ("text/html", "image/png", "*/*;q=0", "nonsense", "application/xml"):
        assert rania.get(f"matches/{duel}/view", Accept=accept).status_code == 200


def test_wrong_actions_are_never_accepted(rania: Person, duel: int) -> None:
    """Random actions that are not on the list of legal ones change nothing."""
    rng = random.Random(5)
    words: list[Any] = [
        "mark",
        "roll",
        "hold",
        "undo",
        "open",
        "resign",
        "__class__",
        "next",
        "run",
        "",
        "é",
        -1,
        0,
        10,
        2**70,
    ]
    for _ in range(300):
        action = [rng.choice(words) for _ in range(rng.randrange(0, 4))]
        if action in (["roll"], ["hold"]):
            continue
        answer = rania.post(f"matches/{duel}/orders", {"orders": [action]})
        _refused_well(answer)
        assert answer.status_code in (409, 422), (action, answer.content)
    assert rania.get(f"matches/{duel}").json()["version"] == 0

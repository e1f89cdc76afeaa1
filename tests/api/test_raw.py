"""Raw requests of any bytes: always an answer in the one form, never a failure of the server."""

import json
import os
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.conftest import JSON, Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]
EXAMPLES = int(os.environ.get("FALLUJAH_FUZZ", "40"))
HEADERS = ["If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "Accept", "Range", "Expect"]
PATHS = [
    "matches",
    "matches/{id}",
    "matches/{id}/orders",
    "matches/{id}/view",
    "matches/{id}/decision",
    "matches/{id}/entries",
    "matches/{id}/stream",
    "matches/{id}/standing-orders",
    "matches/{id}/standing-orders/rehearsal",
    "matches/{id}/invite",
    "matches/{id}/messages",
    "matches/{id}/note",
    "matches/{id}/start",
    "matches/{id}/seats/south",
    "matches/{id}/take-back",
    "matches/{id}/board.txt",
    "matches/import",
    "invitations/1/accept",
    "rulesets/duel/board",
    "stream",
    "me",
    "tokens",
    "webhooks",
    "login",
    "register",
    "health",
]
KEYS = [
    "orders",
    "text",
    "count",
    "ruleset",
    "options",
    "seat",
    "bots",
    "bot",
    "username",
    "email",
    "password",
    "agree",
    "title",
    "salt",
    "words",
    "url",
    "topics",
    "days",
    "match",
    "scope",
    "wants_mail",
    "dry_run",
    "clock_hours",
]
PARAMETERS = [
    "at",
    "seat",
    "after",
    "before",
    "limit",
    "offset",
    "prefix",
    "verb",
    "title",
    "opponent",
    "created_after",
    "text",
    "scope",
    "asked",
    "group",
    "form",
]
ODD_VALUES = [
    "%00",
    "%ff",
    "-1",
    "99999999999999999999999",
    "%ed%a0%80",
    "1e9",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59-14:00",
    "0000-00-00",
    "%F0%9F%98%80",
]

odd_numbers = st.sampled_from([0, -1, 2**31, 2**63, 2**64, 10**400, -(10**30), 1e308, 5e-324, 1.5])
odd_words = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["", " ", "\x00", "north\x00", "\ud800", "\udfff", "a" * 5000, "ﷺ", "\u202e", "'; DROP TABLE x; --"]
    ),
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), odd_numbers, odd_words),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=10,
)
bodies = st.one_of(
    st.binary(max_size=200),
    st.dictionaries(st.sampled_from(KEYS), values, max_size=5).map(lambda value: json.dumps(value).encode()),
    values.map(lambda value: json.dumps(value).encode()),
    st.integers(30, 3000).map(lambda depth: b"[" * depth + b"]" * depth),
    st.sampled_from(
        [b'{"orders": NaN}', b'{"count": Infinity}', b'{"count": ' + b"9" * 5000 + b"}", b"\xef\xbb\xbf{}"]
    ),
)
queries = st.lists(
    st.tuples(st.sampled_from(PARAMETERS), st.one_of(st.sampled_from(["", *ODD_VALUES]), st.integers().map(str))),
    max_size=4,
).map(lambda pairs: "&".join(f"{name}={value}" for name, value in pairs))


def answered_well(answer: Any) -> None:
    assert answer.status_code < 500, answer.content
    if answer.status_code >= 400:
        assert answer.headers["Content-Type"] == "application/problem+json", (answer.status_code, answer.content[:200])
        if answer.request["REQUEST_METHOD"] == "HEAD":
            return  # has no body
        problem = answer.json()
        assert problem["status"] == answer.status_code and problem["detail"]


@settings(
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "FOO"]),
    path=st.sampled_from(PATHS),
    tail=st.one_of(st.just(""), st.sampled_from(["/", "//", "/%00", ".json", "/../..", "%0a", "/\u2028"])),
    query=queries,
    body=bodies,
    kind=st.sampled_from([JSON, JSON, "application/x-ndjson", "text/plain", "application/json; charset=\xff", "x", ""]),
    headers=st.dictionaries(
        st.sampled_from(HEADERS), st.text(st.characters(max_codepoint=255), max_size=20), max_size=2
    ),
)
def test_any_request_is_answered(
    rania: Person, duel: int, method: str, path: str, tail: str, query: str, body: bytes, kind: str, headers: Any
) -> None:
    where = f"/api/v1/{path.replace('{id}', str(duel))}{tail}?{query}"
    sent = {**headers, "Authorization": f"Token {rania.token}"}
    client = Client(raise_request_exception=False)
    answered_well(client.generic(method, where, body, content_type=kind, headers=sent))


@pytest.mark.parametrize("host", ["evil.example", "a b", "", "[::1", "testserver:99999999", "testserver\x00"])
def test_another_host_is_refused_in_the_same_form(rania: Person, host: str) -> None:
    answer = Client(raise_request_exception=False).get("/api/v1/me", HTTP_HOST=host)
    answered_well(answer)
    assert answer.status_code in (400, 401)


@pytest.mark.parametrize("path", ["/api/", "/api/v1/\n", "/api/v9/me", "/api/v1/matches/1/\x85"])
def test_an_address_that_does_not_exist_is_told_in_the_same_form(path: str) -> None:
    answer = Client(raise_request_exception=False).get(path)
    answered_well(answer)
    assert answer.status_code == 404


def test_unknown_fields_are_named(rania: Person, duel: int) -> None:
    refused = rania.post(f"matches/{duel}/orders", {"orders": "mark 1", "al_or_nothing": True})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert refused.json()["errors"][0]["field"] == "al_or_nothing" and "all_or_nothing" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("take-back", {"count": "1"}), ("take-back", {"count": True}), ("take-back", {"count": 1.5}),
        ("take-back/answer", {"agree": "yes"}), ("take-back/answer", {"agree": 1}), ("messages", {"text": 5}),
        ("start", {"bots": {"south": 5}}), ("orders", {"orders": "mark 1", "dry_run": "true"}),
    ],
)  # fmt: skip
def test_values_have_the_type_the_schema_names(rania: Person, duel: int, path: str, body: Any) -> None:
    refused = rania.post(f"matches/{duel}/{path}", body)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")

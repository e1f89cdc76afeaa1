"""The client and the schema say the same: every operation has a method, every field a type.

Each method is called against a stand-in that answers what the schema promises, in its fullest and its barest
form. Whatever the client sends must be known to the schema, and whatever the schema promises must be read.
"""

import inspect
import json
import re
import types
import typing
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
from django.test import Client as Plain

from fallujah_client import Client
from fallujah_client.lobby import Lobby

METHODS = {
    method.operation: name
    for name, method in inspect.getmembers(Client, inspect.isfunction)
    if hasattr(method, "operation")
}


@pytest.fixture(scope="module")
def schema() -> Any:
    return Plain().get("/api/schema/").json()


def _operations(schema: Any) -> dict[str, tuple[str, str, Any]]:
    """Name -> method, path, description."""
    return {
        told["operationId"]: (method.upper(), path, told)
        for path, methods in schema["paths"].items()
        for method, told in methods.items()
        if method in ("get", "post", "put", "patch", "delete")
    }


def test_every_operation_has_a_method_and_every_method_an_operation(schema: Any) -> None:
    assert set(METHODS) == set(_operations(schema))
    public = {name for kind in (Client, Lobby) for name in vars(kind) if not name.startswith("_")}
    assert public == set(METHODS.values()), "no method beside the operations"


# --- samples -------------------------------------------------------------------------------------------------


class Sample:
    """Values as the schema describes them: all there can be, or only what there must be."""

    def __init__(self, schema: Any, full: bool) -> None:
        self.components, self.full = schema["components"]["schemas"], full

    def of(self, told: Any) -> Any:
        if "$ref" in told:
            return self.of(self.components[told["$ref"].rpartition("/")[2]])
        if "enum" in told:
            return told["enum"][0]
        for word in ("oneOf", "anyOf", "allOf"):
            if word in told:
                return self._choice(told[word])
        kinds = told.get("type", "object")
        kinds = kinds if isinstance(kinds, list) else [kinds]
        if "null" in kinds and not self.full:
            return None
        kind = next(kind for kind in kinds if kind != "null")
        return getattr(self, f"_{kind}")(told)

    def _choice(self, among: list[Any]) -> Any:
        empty = [one for one in among if one.get("type") == "null"]
        return None if empty and not self.full else self.of(next(one for one in among if one not in empty))

    def _object(self, told: Any) -> Any:
        if "properties" not in told:
            inner = told.get("additionalProperties")
            return {"key": self.of(inner)} if isinstance(inner, dict) and inner and self.full else {}
        needed = told["properties"] if self.full else told.get("required", [])
        return {name: self.of(told["properties"][name]) for name in needed}

    def _array(self, told: Any) -> Any:
        if "prefixItems" in told:
            return [self.of(item) for item in told["prefixItems"]]
        return [self.of(told["items"])] if self.full or told.get("minItems") else []

    def _string(self, told: Any) -> str:
        return "2026-01-02T03:04:05Z" if told.get("format") == "date-time" else "word"

    def _integer(self, told: Any) -> int:
        return int(told.get("minimum", 3))

    def _number(self, told: Any) -> float:
        return 1.5

    def _boolean(self, told: Any) -> bool:
        return True


def _argument(kind: Any) -> Any:
    """A value for a parameter of a method, by its type."""
    options = [one for one in typing.get_args(kind) if one is not type(None)]
    if isinstance(kind, types.UnionType):
        return _argument(options[0])
    origin = typing.get_origin(kind) or kind
    return {int: 1, float: 1.5, str: "word", bool: True, dict: {"key": "word"}, list: ["word"]}[origin]


def _arguments(method: Any, full: bool) -> dict[str, Any]:
    kinds = typing.get_type_hints(method)
    return {
        name: _argument(kinds[name])
        for name, parameter in inspect.signature(method).parameters.items()
        if name != "self" and (full or parameter.default is inspect.Parameter.empty)
    }


class StandIn(httpx.BaseTransport):
    """Answers one operation as the schema promises and keeps what was asked."""

    def __init__(self, told: Any, sample: Sample) -> None:
        self.asked: list[httpx.Request] = []
        self.told = told
        status, answer = next((int(code), said) for code, said in told["responses"].items() if code.startswith("2"))
        media, content = next(iter(answer.get("content", {"": None}).items()))
        self.sample = sample.of(content["schema"]) if media == "application/json" else None
        self.body = json.dumps(self.sample).encode() if media == "application/json" else b"text" if media else b""
        self.status, self.media = status, media

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.asked.append(request)
        if self.media == "text/event-stream":
            return httpx.Response(204)
        return httpx.Response(self.status, content=self.body)


def _cases() -> Iterator[Any]:
    for operation in sorted(METHODS):
        for full in (True, False):
            yield pytest.param(operation, full, id=f"{operation}-{'full' if full else 'bare'}")


@pytest.mark.parametrize(("operation", "full"), list(_cases()))
def test_a_method_asks_and_reads_what_the_schema_tells(schema: Any, operation: str, full: bool) -> None:
    verb, path, told = _operations(schema)[operation]
    stand_in = StandIn(told, Sample(schema, full))
    client = Client("http://server.example", transport=stand_in)
    method = getattr(client, METHODS[operation])
    answer = method(**_arguments(getattr(Client, METHODS[operation]), full))
    if stand_in.media == "text/event-stream":
        assert list(answer) == []
    request = stand_in.asked[0]
    assert request.method == verb
    assert re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)), request.url.path), (path, request.url.path)
    _fits_parameters(request, told, full)
    _fits_body(request, told, Sample(schema, True), full)
    if stand_in.sample is not None:
        _reads_everything(stand_in.sample, answer)


def _fits_parameters(request: httpx.Request, told: Any, full: bool) -> None:
    known = {(one["in"], one["name"].lower()): one for one in told.get("parameters", [])}
    asked = {("query", name.lower()) for name in request.url.params}
    asked |= {("header", name) for name in ("if-match", "idempotency-key", "last-event-id") if name in request.headers}
    assert asked <= set(known), "sent and not known"
    if full:
        by_header = {("query", "form"), ("query", "after")} if ("header", "last-event-id") in known else set()
        offered = {key for key in known if key[0] == "query"} - by_header
        assert offered <= asked, "known and not to be said"
    assert ("header", "idempotency-key") not in known or ("header", "idempotency-key") in asked


def _fits_body(request: httpx.Request, told: Any, sample: Sample, full: bool) -> None:
    content = told.get("requestBody", {}).get("content", {})
    if "application/json" not in content:
        return
    shape = sample.components[content["application/json"]["schema"]["$ref"].rpartition("/")[2]]
    sent = json.loads(request.content)
    assert set(shape.get("required", [])) <= set(sent) <= set(shape["properties"])
    if full:
        assert set(sent) == set(shape["properties"])


def _reads_everything(sample: Any, answer: Any) -> None:
    """Every field has come through; the token of a new session is given alone."""
    if isinstance(answer, str):
        assert answer == sample["token"]
        return
    _within(sample, msgspec.to_builtins(answer), "")


def _within(sample: Any, read: Any, where: str) -> None:
    if isinstance(sample, dict):
        for name, value in sample.items():
            assert name in read, f"{where}.{name} is not read"
            _within(value, read[name], f"{where}.{name}")
    elif isinstance(sample, list):
        for one, other in zip(sample, read, strict=True):
            _within(one, other, f"{where}[]")
    else:
        assert sample == read, where


def test_an_answer_with_more_than_is_known_is_still_read() -> None:
    """A newer server may say more."""
    health = {"status": "ok", "database": "sqlite", "mood": "fine"}

    class Newer(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            return httpx.Response(200, json=health)

    assert Client("http://server.example", transport=Newer()).health().status == "ok"

"""The last hand on the generated schema: sentences, examples that really happened, links, refusals told by code."""

import functools
import json
import re
from pathlib import Path
from typing import Any

from api.about import ABOUT, TAGS
from api.errors import CODES, CONTENT_TYPE, problem

EXAMPLES = Path(__file__).with_name("examples")
Plain = dict[str, Any]
TAGGED = {"ETag": {"description": "The version of the match, in quotes.", "schema": {"type": "string"}}}
RETRY = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
LOCATION = {"Location": {"description": "Where it is.", "schema": {"type": "string"}}}
NO_NUL = "^[^\\u0000]*$"
EITHER = {"InviteInRequest": {"oneOf": [{"required": ["username"]}, {"required": ["email"]}]}}
WHOLE_BODY = frozenset({"matches_invite"})  # no field of it is required alone, but nothing is not enough
# Where an answer names what other operations ask for: producer, status, parameter, expression.
SOURCES: tuple[tuple[str, str, str, str], ...] = (
    ("matches_create", "201", "match_id", "$response.body#/id"),
    ("matches_rematch", "201", "match_id", "$response.body#/id"),
    ("matches_import", "201", "match_id", "$response.body#/id"),
    ("matches_list", "200", "match_id", "$response.body#/results/0/id"),
    ("rulesets_list", "200", "key", "$response.body#/0/key"),
    ("tokens_create", "201", "tokens/{number}", "$response.body#/number"),
    ("webhooks_create", "201", "webhooks/{number}", "$response.body#/number"),
    ("matches_invite", "201", "invitations/{number}", "$response.body#/number"),
    ("standing_orders_set", "201", "standing-orders/{number}", "$response.body#/standing_orders/0/number"),
    ("addresses_add", "201", "addresses/{email}", "$response.body#/addresses/1/email"),
    ("webhooks_test", "202", "calls/{call}", "$response.body#/call"),
)


@functools.cache
def recorded(name: str) -> Plain:
    """What a test saw: api/examples/<name>.json, or nothing."""
    path = EXAMPLES / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def finish(result: Plain, **_: Any) -> Plain:
    """Called by the generator with the whole schema."""
    result["tags"] = [{"name": name, "description": words} for name, words in TAGS.items()]
    operations = {
        told["operationId"]: (path, told) for path, methods in result["paths"].items() for told in methods.values()
    }
    for name, (_path, told) in operations.items():
        told["description"] = ABOUT.get(name) or told.get("description") or told["summary"]
        if name in WHOLE_BODY:
            told["requestBody"]["required"] = True
        _add_example(name, told)
        _tell_refusals(told)
    _link(operations)
    _tighten(result)
    used = {code for _, told in operations.values() for code in _codes(told)}
    result["components"]["examples"] = {code: _refusal(code) for code in sorted(used)}
    return _without_unused(result)


def _add_example(name: str, told: Plain) -> None:
    """One real request and its answer."""
    seen = recorded(name)
    if not seen:
        return
    asked, answered = seen["request"], seen["response"]
    for parameter in told.get("parameters", []):
        given = {**asked.get("path", {}), **asked.get("query", {}), **asked.get("headers", {})}
        if parameter["name"] in given:
            parameter["example"] = given[parameter["name"]]
    if "body" in asked:
        for media in told["requestBody"]["content"].values():
            media["examples"] = {"recorded": {"summary": told["summary"], "value": asked["body"]}}
    response = told["responses"].get(str(answered["status"]), {})
    for kind, media in response.get("content", {}).items():
        value = _event(answered["body"]) if kind == "text/event-stream" else answered["body"]
        media["examples"] = {"recorded": {"summary": told["summary"], "value": value}}
    headers = {key: {**TAGGED, **LOCATION}[key] for key in answered.get("headers", {})}
    if headers:
        response["headers"] = headers


def _event(lines: str) -> Plain:
    """The same as a server-sent event."""
    first = next(line for line in lines.splitlines() if line)
    name = re.search(r'"event":"(\w+)"', first)
    ident = re.search(r'"id":"([^"]*)"', first)
    data = first.partition('"data":')[2].removesuffix("}")
    return {"event": name[1] if name else "", "id": ident[1] if ident else "", "data": data}


def _codes(told: Plain) -> list[str]:
    statuses = {int(status) for status in told["responses"] if int(status) >= 400}
    return [code for code, (status, _, _) in CODES.items() if status in statuses]


def _tell_refusals(told: Plain) -> None:
    for status, response in told["responses"].items():
        if int(status) < 400:
            continue
        codes = [code for code, (number, _, _) in CODES.items() if number == int(status)]
        words = "; ".join(f"`{code}` ({CODES[code][1].lower()})" for code in codes)
        response["description"] = f"Refused: {words}."
        content = response["content"][CONTENT_TYPE]
        content["examples"] = {code: {"$ref": f"#/components/examples/{code}"} for code in codes}
        if status == "429":
            response["headers"] = RETRY


def _refusal(code: str) -> Plain:
    """A refusal that really happened, or for those that need a fault of ours how it would look."""
    seen = recorded("problems").get(code)
    return {"summary": CODES[code][1], "value": seen or problem(code, CODES[code][2])}


def _link(operations: dict[str, tuple[str, Plain]]) -> None:
    """What one answer names, another operation can be asked about."""
    for producer, status, wanted, expression in SOURCES:
        if producer not in operations:
            continue
        asked_with, producing = operations[producer]
        links = producing["responses"][status].setdefault("links", {})
        for name, (path, told) in operations.items():
            parameter = wanted.rpartition("{")[2].rstrip("}")
            if (wanted if "{" in wanted else f"{{{wanted}}}") not in path or name == producer:
                continue
            others = set(re.findall(r"{(\w+)}", path)) - {parameter}
            if not all(f"{{{other}}}" in asked_with for other in others - {"seat"}):
                continue
            parameters = {parameter: expression}
            # The rest stays what the producer was asked with.
            parameters |= {other: f"$request.path.{other}" for other in sorted(others - {"seat"})}
            links[name] = {"operationId": name, "parameters": parameters, "description": told["summary"]}


def _tighten(result: Plain) -> None:
    """What the reader of requests refuses besides: unknown fields, and NUL, which no database keeps."""
    for name, schema in result["components"]["schemas"].items():
        if name.endswith("Request"):
            schema["additionalProperties"] = False
            schema.update(EITHER.get(name, {}))
            _no_nul(schema)
    for methods in result["paths"].values():
        for told in methods.values():
            for parameter in told.get("parameters", []):
                _no_nul(parameter["schema"])


def _no_nul(schema: Plain) -> None:
    if "string" in schema.get("type", ()) and not {"pattern", "enum", "format", "$ref"} & set(schema):
        schema["pattern"] = NO_NUL
    for part in schema.get("properties", {}).values():
        _no_nul(part)
    for part in (*schema.get("oneOf", ()), *schema.get("anyOf", ())):
        _no_nul(part)
    if isinstance(schema.get("items"), dict):
        _no_nul(schema["items"])
    if isinstance(schema.get("additionalProperties"), dict):
        schema["propertyNames"] = {"pattern": NO_NUL}
        _no_nul(schema["additionalProperties"])


def _without_unused(result: Plain) -> Plain:
    """Components that nothing refers to any more."""
    while True:
        text = json.dumps(result, default=str)
        gone = [
            (kind, name)
            for kind, members in result["components"].items()
            if kind != "securitySchemes"
            for name in members
            if f'"#/components/{kind}/{name}"' not in text
        ]
        if not gone:
            return result
        for kind, name in gone:
            del result["components"][kind][name]

"""What the schema must keep to, one sentence for each thing that is wrong. `manage.py check_schema` prints them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema

from api.about import TAGS
from api.errors import CODES, CONTENT_TYPE
from api.openapi import recorded

Plain = dict[str, Any]
OPEN = frozenset({"health", "version", "register", "login"})  # and everything about rulesets
BINARY = frozenset({"image/png"})  # cannot be written down in JSON
_NAME = re.compile(r"[a-z]+(?:_[a-z]+)*")
_RAISED = re.compile(r"""(?:code=|Problem\(\s*|problem_response\(\s*)["']([a-z]+(?:-[a-z]+)*)["']""")


def problems(schema: Plain, root: Path) -> list[str]:
    """Everything that is wrong; empty when all is well."""
    return [*_operations(schema), *_components(schema), *_raised_codes(root)]


def _operations(schema: Plain) -> Iterator[str]:
    names: list[str] = []
    tags = {tag["name"] for tag in schema.get("tags", [])}
    for path, methods in schema["paths"].items():
        for method, told in methods.items():
            where = f"{method.upper()} {path}"
            name = told.get("operationId", "")
            names.append(name)
            if not _NAME.fullmatch(name):
                yield f"{where}: operationId {name!r} is not lower_case."
            if not told.get("summary") or told["summary"].endswith("."):
                yield f"{where}: the summary is missing or ends in a full stop."
            if len(told.get("description", "")) < 15 or told["description"].startswith("A view"):
                yield f"{where}: say a sentence about it in api/about.py."
            if not set(told.get("tags", [])) & tags:
                yield f"{where}: its tag is not told."
            yield from _security(where, name, told)
            yield from _examples(where, name, told, schema)
            yield from _refusals(where, told)
    yield from (f"operationId {name} is used twice." for name in set(names) if names.count(name) > 1)
    yield from (f"api/about.py or TAGS names {tag}, which no operation has." for tag in tags - set(TAGS))


def _security(where: str, name: str, told: Plain) -> Iterator[str]:
    schemes = {scheme for entry in told.get("security", []) for scheme in entry}
    is_open = name in OPEN or name.startswith("rulesets_")
    if is_open and schemes:
        yield f"{where}: is open to everybody and should ask for no token."
    if not is_open and schemes != {"token", "cookieAuth"}:
        yield f"{where}: declare its security."
    if not is_open and "401" not in told["responses"]:
        yield f"{where}: does not tell the 401 of somebody without a token."


def _examples(where: str, name: str, told: Plain, schema: Plain) -> Iterator[str]:
    if not recorded(name):
        yield f"{where}: has no recorded example; run `make examples` (tests/api/test_examples.py tells the story)."
        return
    places = [("request", told.get("requestBody", {}).get("content", {}))]
    places += [(status, answer.get("content", {})) for status, answer in told["responses"].items()]
    good = [status for status in told["responses"] if status.startswith("2")]
    shown = recorded(name)["response"]["status"]
    if str(shown) not in good:
        yield f"{where}: its example is a refusal ({shown})."
    for place, content in places:
        for kind, media in content.items():
            if kind in BINARY:
                continue
            if not media.get("examples"):
                if place == "204" or (place in good and place != str(shown)):
                    continue
                yield f"{where}: no example of {place} as {kind}."
            for example in media.get("examples", {}).values():
                value = _resolved(example, schema).get("value")
                whole = {**media["schema"], "components": schema["components"]}
                for error in jsonschema.Draft202012Validator(whole).iter_errors(value):
                    yield f"{where}: the example of {place} does not fit: {error.json_path} {error.message[:200]}"


def _resolved(example: Plain, schema: Plain) -> Plain:
    if "$ref" not in example:
        return example
    found: Plain = schema
    for part in example["$ref"].removeprefix("#/").split("/"):
        found = found[part]
    return found


def _refusals(where: str, told: Plain) -> Iterator[str]:
    for status in ("400", "429"):
        if status not in told["responses"]:
            yield f"{where}: does not tell the {status}."
    for status, answer in told["responses"].items():
        if int(status) >= 400 and list(answer.get("content", {})) != [CONTENT_TYPE]:
            yield f"{where}: the {status} is not {CONTENT_TYPE}."


def _components(schema: Plain) -> Iterator[str]:
    used = set(re.findall(r"#/components/(\w+)/([\w-]+)", str(schema)))
    for kind, members in schema["components"].items():
        if kind == "securitySchemes":
            continue
        yield from (f"The component {kind}/{name} is not used." for name in members if (kind, name) not in used)
    missing = [(kind, name) for kind, name in sorted(used) if name not in schema["components"].get(kind, {})]
    yield from (f"{kind}/{name} is referred to and missing." for kind, name in missing)


def _raised_codes(root: Path) -> Iterator[str]:
    """Every code that is raised anywhere is one that CODES explains."""
    for folder in ("games/ledger", "games/kernel", "api"):
        for path in sorted((root / folder).rglob("*.py")):
            for code in _RAISED.findall(path.read_text(encoding="utf-8")):
                if code not in CODES:
                    yield f"{path.relative_to(root)} raises {code!r}, which api/errors.py does not explain."

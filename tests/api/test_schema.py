"""The schema is valid OpenAPI 3.1, tells every operation, and is true of real answers."""

import json
import re
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command
from django.test import Client

from tests.api.conftest import JSON, Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    answer = Client().get("/api/schema/")
    assert answer.status_code == 200
    loaded: dict[str, Any] = json.loads(answer.content)
    return loaded


def test_it_is_openapi_3_1_without_a_warning(capsys: pytest.CaptureFixture[str], schema: dict[str, Any]) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file="/dev/null")
    assert schema["openapi"].startswith("3.1")


def test_every_address_of_v1_is_told(schema: dict[str, Any]) -> None:
    from api.urls import urlpatterns

    served = {"/api/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(entry.pattern)) for entry in urlpatterns}
    wanted = {path for path in served if path.startswith("/api/v1/")}
    assert wanted == set(schema["paths"])


def test_operations_have_names_words_and_problems(schema: dict[str, Any]) -> None:
    names = []
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            names.append(operation["operationId"])
            assert operation["summary"], (method, path)
            assert "400" in operation["responses"] and "429" in operation["responses"], (method, path)
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    assert list(response["content"]) == ["application/problem+json"], (method, path, status)
    assert len(names) == len(set(names))


def test_the_docs_load_nothing_from_elsewhere() -> None:
    page = Client().get("/api/docs/")
    assert page.status_code == 200
    text = page.content.decode()
    addresses = re.findall(r"""(?:src|href)=["']([^"']+)""", text)
    assert addresses and all(address.startswith(("/static/", "data:")) for address in addresses), addresses
    assert "//cdn" not in text and "http://" not in text.replace("http://testserver", "")
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    for address in addresses:
        if address.startswith("/static/"):
            assert Client().get(address).status_code == 200, address


def _fits(schema: dict[str, Any], path: str, method: str, answer: Any) -> None:
    operation = schema["paths"][f"/api/v1/{path}"][method]
    assert str(answer.status_code) in operation["responses"], (path, answer.status_code, answer.content)
    told = operation["responses"][str(answer.status_code)].get("content", {})
    kind = answer.headers.get("Content-Type", "").split(";")[0]
    if not told:
        assert answer.content == b""
        return
    assert kind in told, (path, kind, list(told))
    if kind in (JSON, "application/problem+json"):
        whole = {**told[kind]["schema"], "components": schema["components"]}
        jsonschema.Draft202012Validator(whole).validate(answer.json())


def test_real_answers_fit_the_schema(rania: Person, sam: Person, schema: dict[str, Any]) -> None:
    def get(path: str, query: Any = None, who: Person = rania) -> Any:
        answer = who.get(path.format(match_id=match), query)
        _fits(schema, path, "get", answer)
        return answer

    def post(path: str, data: Any, who: Person = rania) -> Any:
        answer = who.post(path.format(match_id=match), data)
        _fits(schema, path, "post", answer)
        return answer

    match = 0
    match = post("matches", {"ruleset": "duel", "seat": "north", "options": {"turns": 4}}).json()["id"]
    post("matches/{match_id}/join", {}, sam)
    for path in ("me", "matches", "rulesets", "version", "health"):
        get(path)
    private = rania.post("matches", {"ruleset": "duel", "private": True})
    _fits(schema, "matches", "post", private)
    one = "matches/{match_id}"
    for path in ("", "/view", "/decision", "/entries", "/standing-orders", "/dice", "/export", "/deliveries"):
        get(one + path)
    get(one + "/board.txt")
    get(one + "/board.svg")
    get(one + "/view", {"at": 77})
    get(one + "/view", {"seat": "south"})
    get(one + "/view", {"at": "x"})
    post(one + "/orders", {"orders": "mark 1\nmark 99"})
    post(one + "/orders", {"orders": [["mark", 99]]})
    post(one + "/orders", {"orders": "roll", "dry_run": True})
    post(one + "/orders", {})
    post(one + "/take-back", {})
    post(one + "/standing-orders", {"text": "on choice do roll"})
    sam.get(f"matches/{match}/view")
    post(one + "/take-back", {})
    post(one + "/take-back/answer", {"agree": False}, sam)
    post(one + "/cancel", {})
    post(one + "/resign", {}, sam)
    for path in ("", "/view", "/entries", "/decision", "/dice"):
        get(one + path)
    solo = rania.post("matches", {"ruleset": "card_assault"}).json()["id"]
    for path in ("view", "decision", "entries", "board.svg", "board.txt"):
        _fits(schema, f"matches/{{match_id}}/{path}", "get", rania.get(f"matches/{solo}/{path}"))

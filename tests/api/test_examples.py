"""The examples in the schema are what the server really answered, and still answers."""

import json
import os
from typing import Any

import pytest
from django.test import Client

from api.errors import CODES
from api.openapi import EXAMPLES, recorded
from tests.api.conftest import Person
from tests.api.story import Teller, outline, same_outline, tell

pytestmark = [pytest.mark.django_db, pytest.mark.services]
# These need a fault of ours, two requests in one moment, or a rule that no game breaks in words of its own.
NOT_TOLD = {"server-error", "busy", "in-progress", "game-error", "ambiguous", "learned",
    "not-absent", "too-early", "not-asked", "no-clock",  # of mail only
}  # fmt: skip


@pytest.fixture
def teller(make_user: Any, settings: Any) -> Teller:
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 1_000_000)
    told = Teller(Client().get("/api/schema/").json())
    ada, bea, cid = (Person(make_user(name)) for name in ("ada", "bea", "cid"))
    tell(told, ada, bea, cid, settings)
    return told


def test_what_happens_is_what_was_recorded(teller: Teller) -> None:
    assert set(teller.where) - set(teller.noted) == set(), "the story uses every operation"
    assert set(CODES) - set(teller.problems) - NOT_TOLD == set(), "and meets every refusal"
    assert set(teller.problems) <= set(CODES)
    if os.environ.get("FALLUJAH_WRITE_EXAMPLES"):
        write(teller)
    assert {path.stem for path in EXAMPLES.glob("*.json")} == {*teller.noted, "problems"}
    for name, seen in teller.noted.items():
        kept = recorded(name)
        assert kept["response"]["status"] == seen["response"]["status"], name
        assert set(kept["response"]["headers"]) == set(seen["response"]["headers"]), name
        now, then = outline(seen["response"]["body"]), outline(kept["response"]["body"])
        assert same_outline(now, then), f"{name} answers otherwise than recorded: run make examples\n{now}\n{then}"
    problems = recorded("problems")
    for code, body in teller.problems.items():
        assert set(problems[code]) == set(body), code


def write(teller: Teller) -> None:
    for path in EXAMPLES.glob("*.json"):
        path.unlink()
    for name, seen in {**teller.noted, "problems": dict(sorted(teller.problems.items()))}.items():
        text = json.dumps(seen, indent=1, ensure_ascii=False)
        (EXAMPLES / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    recorded.cache_clear()

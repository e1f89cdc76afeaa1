"""What is told of a game without a match fits what is played."""

import random

import pytest
from django.test import Client

from games import catalogue
from games.kernel.ruleset import fresh
from games.kernel.steps import apply, legal, owed
from games.kernel.table import SeededTable

pytestmark = pytest.mark.django_db
GAMES = ["card_assault", "second_fallujah", "city_fighting", "phantom_fury"]


@pytest.mark.parametrize("key", GAMES)
def test_every_verb_that_is_played_has_a_form(key: str) -> None:
    told = Client().get(f"/api/v1/rulesets/{key}/notation").json()
    assert all(form["words"] and form["form"].startswith(form["verb"]) for form in told["forms"])
    written = {form["verb"] for form in told["forms"] if not form["short"]}
    rules = catalogue.find(key)
    assert {form["verb"].rstrip(":") for form in told["forms"]} >= {verb.rstrip(":") for verb in rules.verbs}
    for seed in range(2):
        g, rng = fresh(rules, seed), random.Random(seed)
        for _ in range(300):
            if not owed(g):
                break
            seat = owed(g)[0]
            options = legal(g, seat)
            assert {str(action[0]) for action in options} <= written
            apply(g, seat, rng.choice(options), SeededTable(rng), trusted=True)


@pytest.mark.parametrize("key", GAMES)
def test_the_board_is_whole(key: str) -> None:
    board = Client().get(f"/api/v1/rulesets/{key}/board").json()
    places = [place["id"] for place in board["places"]]
    pieces = [piece["id"] for piece in board["pieces"]]
    assert places and pieces and len(set(places)) == len(places) and len(set(pieces)) == len(pieces)
    ends = {end for link in board["links"] for end in (link["a"], link["b"])}
    assert ends <= set(places)
    assert key == "card_assault" or len(ends) > 50


def test_pieces_and_places_are_named_as_orders_name_them() -> None:
    rules = catalogue.find("phantom_fury")
    board = Client().get("/api/v1/rulesets/phantom_fury/board").json()
    known = {item["id"] for item in (*board["places"], *board["pieces"])}
    g, rng = fresh(rules, 3), random.Random(3)
    for _ in range(200):
        seat = owed(g)[0]
        for action in legal(g, seat):
            if action[0] in ("move", "place", "assault", "fire"):
                assert {str(word) for word in action[1:]} <= known | {"caat"}, action
        apply(g, seat, rng.choice(legal(g, seat)), SeededTable(rng), trusted=True)


@pytest.mark.parametrize("key", GAMES)
def test_the_rules_page_is_the_one_in_the_docs(key: str) -> None:
    page = Client().get(f"/api/v1/rulesets/{key}/rules").json()
    assert page["markdown"].startswith("# ") and page["title"]
    numbered = [rule for rule in page["rules"] if any(char.isdigit() for char in rule["words"])]
    assert len(numbered) > len(page["rules"]) / 2
    assert any(rule["decision"] for rule in page["rules"])


def test_an_unknown_game_has_no_pages() -> None:
    for page in ("", "/rules", "/board", "/notation"):
        assert Client().get(f"/api/v1/rulesets/chess{page}").json()["code"] == "not-found"

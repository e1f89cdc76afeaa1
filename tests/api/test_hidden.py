"""A bot with the token of a seat tries every address, parameter and mistake to learn what its seat may not know.

Two states of the server differ only in the unknown (`Ruleset.imagine`). Everything the bot can read must be equal to
the byte: views now and then, lists, pictures, ledger, stream, export, refusals, rehearsals. FALLUJAH_LEAK_PAIRS sets
how many pairs are compared for each game.
"""

import json
import os
import random
import re
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from games import catalogue
from games.kernel.ruleset import dump, load
from games.kernel.steps import legal, owed
from games.kernel.table import SeededTable
from games.ledger import replay, selectors, services
from games.ledger.models import Match
from tests.api.conftest import JSON, Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]
PAIRS = int(os.environ.get("FALLUJAH_LEAK_PAIRS", "1"))
TWINS = 1 if PAIRS < 5 else 3
GAMES = ["card_assault", "second_fallujah", "city_fighting", "phantom_fury", "duel"]
VARIED = {"matches_create", "matches_import"}  # say when it was made
CHANGES = {"matches_resign", "matches_leave", "matches_cancel", "matches_start", "matches_join"}


def _operations() -> dict[str, tuple[str, str, list[str]]]:
    schema = Client().get("/api/schema/").json()
    return {
        told["operationId"]: (method, path, [row["name"] for row in told.get("parameters", []) if row["in"] == "query"])
        for path, methods in schema["paths"].items()
        for method, told in methods.items()
        if "{match_id}" in path
    }


OPERATIONS = _operations()
QUERIES = {
    "at": ["1", "99999"],
    "seat": ["spectator", "{other}"],
    "after": ["-1", "2"],
    "group": ["verb", "stem"],
    "prefix": ["a", "put"],
    "crop": ["true"],
    "theme": ["dark"],
    "form": ["ndjson"],
    "width": ["120"],
    "limit": ["1"],
    "text": ["on phase do done", "default"],
}
SLOW = {("matches_board_svg", "theme"), ("matches_board_svg", "crop")}  # the same view, drawn again
MISTAKES: list[Any] = ["xyzzy", "undo", "put", "move 1 2", "recon", "assault", "take usmc", ["open"], ["resign"]]


@pytest.fixture
def other_times(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Lets the past be another one too: what a seat could not know then is dealt afresh."""
    real = replay.state_at

    def lay(seat: str, seed: int | None) -> None:
        def state_at(match: Match, seq: int) -> Any:
            g = real(match, seq)
            return g if seed is None else catalogue.find(match.ruleset).imagine(g, seat, SeededTable(seed))

        monkeypatch.setattr(replay, "state_at", state_at)

    return lay


def _played(person: Person, foe: Person, key: str, moves: int, rng: random.Random) -> tuple[int, str]:
    """A match in the middle of things, and the seat that the bot holds."""
    rules = catalogue.find(key)
    seats = rules.seats(rules.setup())
    seat = rng.choice(seats)
    match = services.match_create(user=person.user, ruleset=key, seat=seat)
    for _ in range(len(seats) - 1):
        services.match_join(user=foe.user, match_id=match.pk)
    for _ in range(moves):
        g = load(rules, bytes(Match.objects.get(pk=match.pk).state))
        if not owed(g):
            break
        mover = owed(g)[0]
        services.orders_submit(match_id=match.pk, seat=mover, orders=[list(rng.choice(legal(g, mover)))])
    return int(match.pk), seat


def _requests(match_id: int, other: str, head: int) -> list[tuple[str, str, Any]]:
    """Every operation about the match with every parameter, and orders that are refused."""
    found: list[tuple[str, str, Any]] = []
    for name, (method, path, names) in OPERATIONS.items():
        if name in VARIED or name in CHANGES:
            continue
        address = path.replace("{match_id}", str(match_id)).replace("{number}", "1").replace("{seat}", other)
        if method != "get":
            continue
        queries = [""] if name != "standing_orders_rehearse" else []
        for parameter in names:
            for value in QUERIES.get(parameter, []):
                if (name, parameter) in SLOW:
                    continue
                queries.append(f"{parameter}={value.replace('{other}', other)}")
        if name == "matches_board_png":
            queries = ["width=100&at=1"]
        found += [("GET", f"{address}?{query}", None) for query in queries]
    orders = f"/api/v1/matches/{match_id}/orders"
    for mistake in MISTAKES:
        for extra in ({}, {"dry_run": True}, {"all_or_nothing": True}):
            found.append(("POST", orders, {"orders": [mistake], **extra}))
    found.append(("POST", f"/api/v1/matches/{match_id}/standing-orders", {"text": "on nothing do nothing"}))
    found.append(("POST", f"/api/v1/matches/{match_id}/take-back", {"count": head + 5}))
    return found


def _answers(token: str, requests: list[tuple[str, str, Any]]) -> list[tuple[int, bytes]]:
    client, headers = Client(raise_request_exception=False), {"Authorization": f"Token {token}"}
    answers = []
    for method, address, body in requests:
        raw = json.dumps(body) if body is not None else ""
        with transaction.atomic():  # what is by chance an order is undone
            answer = client.generic(method, address, raw, content_type=JSON, headers=headers)
            transaction.set_rollback(True)
        assert answer.status_code < 500, (address, answer.content)
        answers.append((answer.status_code, answer.content))
    return answers


@pytest.mark.parametrize("key", GAMES)
def test_what_a_seat_cannot_know_changes_no_byte(
    rania: Person, sam: Person, key: str, other_times: Any, settings: Any
) -> None:
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 10**9)
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    rules, differed, compared = catalogue.find(key), 0, 0
    for pair in range(PAIRS):
        rng = random.Random(1000 * PAIRS + pair)
        match_id, seat = _played(rania, sam, key, rng.randrange(2, 40), rng)
        match = Match.objects.get(pk=match_id)
        if match.status != "playing":
            continue
        other = next((row for row in rules.seats(rules.setup()) if row != seat), "nobody")
        bot = Person(rania.user, scope="play", match=match_id, seat=seat)
        requests = _requests(match_id, other, match.head_seq)
        services.saw(match_id=match_id, seat=seat, seq=match.head_seq)
        real = _answers(bot.token, requests)
        g = load(rules, bytes(match.state))
        for seed in range(TWINS):
            twin = dump(rules.imagine(g, seat, SeededTable(random.Random(seed))))
            differed += twin != bytes(match.state)
            Match.objects.filter(pk=match_id).update(state=twin)
            other_times(seat, seed)
            for (method, address, body), one, two in zip(requests, real, _answers(bot.token, requests), strict=True):
                compared += 1
                assert one == two, f"{key}: {method} {address} {body} tells what {seat} may not know"
            other_times(seat, None)
            Match.objects.filter(pk=match_id).update(state=match.state)
    print(f"{key}: {compared} pairs of answers, {differed} twins really different")
    if key in ("city_fighting", "duel"):  # elsewhere chance is drawn when it is needed, and little lies face down
        assert differed, "the twins must differ, or nothing was proved"


def test_a_leak_would_be_found(rania: Person, sam: Person, duel: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: a view that shows the other's card differs between the twins."""
    rules = catalogue.find("duel")
    match = Match.objects.get(pk=duel)
    g: Any = load(rules, bytes(match.state))
    monkeypatch.setattr(type(rules), "text_board", lambda self, view, seat: f"{g2.hands}")
    bot = Person(rania.user, scope="play", match=duel, seat="north")
    seen = []
    for seed in range(5):
        g2: Any = rules.imagine(g, "north", SeededTable(random.Random(seed)))
        seen.append(_answers(bot.token, [("GET", f"/api/v1/matches/{duel}/board.txt", None)])[0])
    assert len(set(seen)) > 1


def test_every_read_of_a_match_is_tried() -> None:
    tried = {re.sub(r"/(\d+)", "/{}", address.split("?")[0]) for _, address, _ in _requests(7, "south", 3)}
    for method, path, _ in OPERATIONS.values():
        if method == "get":
            assert re.sub(r"{\w+}", "{}", path.replace("{seat}", "south")) in tried, path


def test_before_the_end_nothing_secret_is_in_any_answer(rania: Person, sam: Person, duel: int) -> None:
    """Seeds, the other's salt, the other's notes and standing orders: not in any answer to anybody."""
    match = Match.objects.get(pk=duel)
    services.note_set(match_id=duel, seat="south", text="a-secret-note")
    services.standing_set(match_id=duel, seat="south", text="on choice if points > 98 do hold")
    match.seats.filter(key="south").update(salt="a-secret-salt")
    bot = Person(rania.user, scope="play", match=duel, seat="north")
    for status, content in _answers(bot.token, _requests(duel, "south", match.head_seq)):
        for secret in (match.seed, "a-secret-note", "points > 98"):
            assert secret.encode() not in content, (status, content[:300])


def test_selectors_are_the_only_way_to_the_past() -> None:
    """The twins of the past are laid in `replay.state_at`: whatever looks back must go through it."""
    assert vars(selectors)["replay"] is replay

"""Opening, joining, looking, ordering, taking back: the whole of a match over REST."""

import random
from typing import Any

import pytest
from django.test import Client

from games.ledger import services
from tests.api.conftest import Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def test_a_match_starts_when_its_last_seat_is_taken(rania: Person, sam: Person) -> None:
    made = rania.post("matches", {"ruleset": "duel", "seat": "south", "title": "Duel", "options": {"turns": 4}})
    assert made.status_code == 201
    match = made.json()
    assert made.headers["Location"] == f"/api/v1/matches/{match['id']}"
    assert (match["status"], match["version"], made.headers["ETag"]) == ("open", -1, '"-1"')
    assert match["id"] in [row["id"] for row in sam.get("matches", {"scope": "open"}).json()["results"]]
    assert sam.get("matches").json()["count"] == 0
    joined = sam.post(f"matches/{match['id']}/join", {}, If_Match='"-1"')
    assert joined.status_code == 200
    assert (joined.json()["status"], joined.json()["owed"]) == ("playing", ["north"])
    assert [seat["you"] for seat in joined.json()["seats"]] == [True, False]
    assert sam.get("matches", {"status": "playing", "ruleset": "duel"}).json()["count"] == 1


def test_lists_are_paged(rania: Person) -> None:
    for _ in range(5):
        services.match_create(user=rania.user, ruleset="duel")
    first = rania.get("matches", {"limit": 2}).json()
    assert (first["count"], first["previous"], len(first["results"])) == (5, None, 2)
    seen = [row["id"] for row in first["results"]]
    while first["next"]:
        first = rania.get(first["next"].removeprefix("/api/v1/")).json()
        seen += [row["id"] for row in first["results"]]
    assert len(seen) == len(set(seen)) == 5


def test_bots_are_seated_when_a_match_is_opened(rania: Person) -> None:
    made = rania.post("matches", {"ruleset": "duel", "seat": "north", "bots": {"south": "random"}}).json()
    assert made["status"] == "playing"
    assert [seat["bot"] for seat in made["seats"]] == [None, "random"]


def test_cancel_only_by_the_owner_and_only_before_the_start(rania: Person, sam: Person, duel: int) -> None:
    open_match = services.match_create(user=rania.user, ruleset="duel").pk
    assert sam.post(f"matches/{open_match}/cancel").json()["code"] == "not-yours"
    assert rania.post(f"matches/{open_match}/cancel").json()["status"] == "cancelled"
    assert rania.post(f"matches/{duel}/cancel").json()["code"] == "not-open"


def test_a_decision_lists_its_legal_actions(rania: Person, sam: Person, duel: int) -> None:
    asked = rania.get(f"matches/{duel}/decision").json()
    assert asked["asked"] and asked["total"] == asked["matching"] == 11
    first = asked["actions"][0]
    assert (first["number"], first["action"], first["notation"]) == (1, ["mark", 1], "mark 1")
    waiting = sam.get(f"matches/{duel}/decision").json()
    assert not waiting["asked"] and waiting["actions"] == [] and waiting["prompt"] == "North must answer first."


def test_a_long_list_of_actions_can_be_cut(rania: Person, duel: int) -> None:
    page = rania.get(f"matches/{duel}/decision", {"verb": "MARK", "limit": 3, "offset": 3}).json()
    assert [offer["number"] for offer in page["actions"]] == [4, 5, 6]
    assert (page["total"], page["matching"]) == (11, 9)
    some = rania.get(f"matches/{duel}/decision", {"prefix": "mark 7"}).json()
    assert [offer["action"] for offer in some["actions"]] == [["mark", 7]]


def test_orders_as_text_and_as_actions(rania: Person, sam: Person, duel: int) -> None:
    done = rania.post(f"matches/{duel}/orders", {"orders": "mark 3\nhold"}, If_Match='"0"')
    assert done.status_code == 200, done.content
    assert (done.json()["applied"], done.json()["version"], done.headers["ETag"]) == (2, 2, '"2"')
    assert done.json()["entries"] == [1, 2]
    done = sam.post(f"matches/{duel}/orders", {"orders": [["mark", 2], "roll"]})
    assert done.json()["applied"] == 2
    lines = [(line["text"], line["status"]) for line in done.json()["lines"]]
    assert lines == [("mark 2", "ok"), ("roll", "ok")]


def test_a_refused_order_says_why_and_what_is_near(rania: Person, duel: int) -> None:
    refused = rania.post(f"matches/{duel}/orders", {"orders": [["mark", 12]]})
    problem = refused.json()
    assert (refused.status_code, problem["code"], problem["version"]) == (409, "illegal-action", 0)
    assert problem["type"] == "/api/problems/illegal-action" and problem["detail"].endswith(".")
    assert problem["nearest"][0].startswith("mark")
    unread = rania.post(f"matches/{duel}/orders", {"orders": "frobnicate the lot"})
    assert (unread.status_code, unread.json()["code"]) == (422, "unreadable")
    assert Client().get(problem["type"]).json()["status"] == 409


def test_what_came_before_a_refused_order_stands(rania: Person, duel: int) -> None:
    done = rania.post(f"matches/{duel}/orders", {"orders": [["mark", 3], ["mark", 12], ["hold"]]})
    assert done.status_code == 200
    assert (done.json()["applied"], done.json()["version"], done.json()["refused"]["text"]) == (1, 1, "mark 12")


def test_all_or_nothing_keeps_the_match_as_it_was(rania: Person, duel: int) -> None:
    sent = {"orders": [["mark", 3], ["mark", 12]], "all_or_nothing": True}
    assert rania.post(f"matches/{duel}/orders", sent).status_code == 409
    assert rania.get(f"matches/{duel}").json()["version"] == 0


def test_a_roll_cannot_be_looked_at_and_put_back(rania: Person, duel: int) -> None:
    """All-or-nothing with a roll in it would show the die and undo it: what was rolled stands."""
    sent = {"orders": [["roll"], ["mark", 12]], "all_or_nothing": True}
    done = rania.post(f"matches/{duel}/orders", sent)
    assert done.status_code == 200 and done.json()["applied"] == 1
    assert rania.get(f"matches/{duel}").json()["version"] == 1


def test_a_dry_run_uses_other_dice_than_the_match(rania: Person, sam: Person) -> None:
    """The rehearsal of `if` orders must tell nothing about the roll that the match would give."""
    from games.ledger.models import Entry  # the test looks behind the door

    match = services.match_create(user=rania.user, ruleset="duel", seat="north", options={"turns": 2000})
    services.match_join(user=sam.user, match_id=match.pk)
    agree = 0
    for _ in range(40):
        seats = {"north": rania, "south": sam}
        owed = rania.get(f"matches/{match.pk}").json()["owed"][0]
        rehearsed = _rehearsed_face(match.pk, owed)
        seats[owed].post(f"matches/{match.pk}/orders", {"orders": "roll"})
        agree += rehearsed == Entry.objects.filter(match=match).latest("seq").rolls[0][1]
    assert agree < 25, "a rehearsal that always tells the real roll is a peek"


def _rehearsed_face(match_id: int, seat: str) -> int:
    from django.db import transaction

    from games.ledger.play import locked

    with transaction.atomic():
        hand = locked(match_id)
        hand.rehearse(seat)
        hand.act(seat, ("roll",), "player")
        face = int(hand.entries[0].rolls[0][1])
        transaction.set_rollback(True)
    return face


def test_a_dry_run_leaves_nothing_behind(rania: Person, duel: int) -> None:
    done = rania.post(f"matches/{duel}/orders", {"orders": "mark 4\nroll", "dry_run": True})
    assert done.status_code == 200 and done.json()["applied"] == 2 and done.json()["version"] == 0
    assert rania.get(f"matches/{duel}/view").json()["view"]["marks"]["north"] == 0
    refused = rania.post(f"matches/{duel}/orders", {"orders": [["mark", 12]], "dry_run": True})
    assert refused.status_code == 200 and refused.json()["refused"]["code"] == "illegal-action"


def test_orders_out_of_turn_are_refused(sam: Person, vera: Person, duel: int) -> None:
    for orders in ("roll", [["roll"]]):
        refused = sam.post(f"matches/{duel}/orders", {"orders": orders})
        assert (refused.status_code, refused.json()["code"]) == (409, "not-your-decision")
        assert refused.json()["version"] == 0
    assert vera.post(f"matches/{duel}/orders", {"orders": "roll"}).json()["code"] == "not-your-seat"


def test_a_stale_version_is_refused_with_the_present_one(rania: Person, duel: int) -> None:
    assert rania.post(f"matches/{duel}/orders", {"orders": "mark 1"}, If_Match='"0"').status_code == 200
    for path, data in (("orders", {"orders": "mark 2"}), ("resign", {}), ("take-back", {})):
        stale = rania.post(f"matches/{duel}/{path}", data, If_Match='"0"')
        assert (stale.status_code, stale.json()["code"], stale.json()["version"]) == (412, "stale", 1)
        assert stale.headers["ETag"] == '"1"'
    assert (
        rania.post(f"matches/{duel}/standing-orders", {"text": "on choice do hold"}, If_Match='"0"').status_code == 412
    )
    assert rania.post(f"matches/{duel}/orders", {"orders": "mark 2"}, If_Match="what").status_code == 400


def test_reads_carry_their_version_and_can_be_unchanged(rania: Person, duel: int) -> None:
    for path in ("view", "decision", "entries", "board.txt"):
        first = rania.get(f"matches/{duel}/{path}")
        assert (first.status_code, first.headers["ETag"]) == (200, '"0"')
        again = rania.get(f"matches/{duel}/{path}", If_None_Match='"0"')
        assert (again.status_code, again.content) == (304, b"")
    rania.post(f"matches/{duel}/orders", {"orders": "mark 1"})
    assert rania.get(f"matches/{duel}/view", If_None_Match='"0"').status_code == 200


def test_the_table_as_it_was_after_any_entry(rania: Person, duel: int) -> None:
    for place in (3, 5, 7):
        rania.post(f"matches/{duel}/orders", {"orders": f"mark {place}"})
    marks = [rania.get(f"matches/{duel}/view", {"at": at}).json()["view"]["marks"]["north"] for at in range(4)]
    assert marks == [0, 3, 5, 7]
    assert rania.get(f"matches/{duel}/view", {"at": 9}).status_code == 404


def test_hidden_cards_are_seen_by_their_seat_alone(rania: Person, sam: Person, vera: Person, duel: int) -> None:
    from games.ledger.models import Match

    seen = [person.get(f"matches/{duel}/view").json() for person in (rania, sam, vera)]
    assert [view["seat"] for view in seen] == ["north", "south", None]
    state = bytes(Match.objects.get(pk=duel).state).decode()
    assert f'"north":{seen[0]["view"]["card"]}' in state and f'"south":{seen[1]["view"]["card"]}' in state
    assert seen[2]["view"]["card"] is None
    assert rania.get(f"matches/{duel}/view", {"seat": "spectator"}).json()["view"]["card"] is None
    assert rania.get(f"matches/{duel}/view", {"seat": "south"}).json()["code"] == "not-your-seat"
    assert rania.get(f"matches/{duel}/view", {"seat": "west"}).json()["code"] == "no-such-seat"
    rania.post(f"matches/{duel}/orders", {"orders": "hold"})
    told = [person.get(f"matches/{duel}/entries").json()["entries"] for person in (rania, sam, vera)]
    assert [len(rows[-1]["news"]) for rows in told] == [2, 1, 1], "news to one seat stays there"
    assert told[0][0]["rolls"] == [["of52?", None], ["of52?", None]], "secret draws have no value before the end"
    export = sam.get(f"matches/{duel}/export").content.decode()
    assert '"seed":null' in export and '["of52?",null]' in export


def test_a_private_match_does_not_exist_for_others(rania: Person, sam: Person, vera: Person) -> None:
    made = rania.post("matches", {"ruleset": "duel", "private": True}).json()
    assert vera.get(f"matches/{made['id']}").status_code == 404
    assert vera.get("matches", {"scope": "public"}).json()["count"] == 0
    assert vera.post(f"matches/{made['id']}/join").json()["code"] == "not-found"
    assert vera.post(f"matches/{made['id']}/join", {"invitation": "1:forged"}).json()["code"] == "not-found"
    joined = sam.post(f"matches/{made['id']}/join", {"invitation": made["invitation"]})
    assert joined.status_code == 200 and joined.json()["status"] == "playing"


def test_a_take_back_is_free_until_the_other_side_has_looked(rania: Person, sam: Person, duel: int) -> None:
    rania.post(f"matches/{duel}/orders", {"orders": "mark 5"})
    back = rania.post(f"matches/{duel}/take-back", {"count": 1}).json()
    assert back == {"granted": True, "entries": [1], "version": 2}
    rania.post(f"matches/{duel}/orders", {"orders": "mark 6"})
    sam.get(f"matches/{duel}/view")
    asked = rania.post(f"matches/{duel}/take-back", {"reason": "Wrong place."}).json()
    assert (asked["granted"], asked["asked"]) == (False, ["south"])
    assert sam.get(f"matches/{duel}").json()["take_back"] == {"seat": "north", "count": 1, "reason": "Wrong place."}
    assert rania.post(f"matches/{duel}/take-back/answer", {"agree": True}).status_code == 404
    done = sam.post(f"matches/{duel}/take-back/answer", {"agree": True}).json()
    assert done["granted"] and rania.get(f"matches/{duel}/view").json()["view"]["marks"]["north"] == 0


@pytest.mark.parametrize("path", ["view", "decision", "entries", "board.txt", "dice", "export"])
def test_every_way_of_looking_is_remembered(rania: Person, sam: Person, duel: int, path: str) -> None:
    rania.post(f"matches/{duel}/orders", {"orders": "mark 6"})
    assert sam.get(f"matches/{duel}/{path}").status_code == 200
    assert rania.post(f"matches/{duel}/take-back").json()["granted"] is False


def test_a_take_back_refused(rania: Person, sam: Person, duel: int) -> None:
    rania.post(f"matches/{duel}/orders", {"orders": "roll"})
    assert rania.post(f"matches/{duel}/take-back").json()["granted"] is False
    assert sam.post(f"matches/{duel}/take-back/answer", {"agree": False}).json()["granted"] is False
    assert rania.get(f"matches/{duel}").json()["take_back"] is None


def test_a_standing_order_can_be_rehearsed_without_being_armed(rania: Person, duel: int) -> None:
    rania.post(f"matches/{duel}/orders", {"orders": "mark 1"})
    told = rania.get(f"matches/{duel}/standing-orders/rehearsal?text=on+choice+do+mark+2")
    assert told.status_code == 200 and told.json()["asked"] >= 1
    assert told.json()["words"].startswith("Would have answered")
    assert rania.get(f"matches/{duel}/standing-orders").json()["standing_orders"] == []
    assert rania.get(f"matches/{duel}/standing-orders/rehearsal?text=nonsense").status_code == 422


def test_standing_orders_answer_and_stay_secret(rania: Person, sam: Person, duel: int) -> None:
    armed = sam.post(f"matches/{duel}/standing-orders", {"text": "on choice do hold"})
    assert armed.status_code == 201, armed.content
    assert armed.json()["standing_orders"] == [{"number": 1, "text": "on choice do hold", "fired": 0}]
    assert rania.get(f"matches/{duel}/standing-orders").json()["standing_orders"] == []
    rania.post(f"matches/{duel}/orders", {"orders": "hold"})
    assert rania.get(f"matches/{duel}").json()["owed"] == ["north"], "the standing order has answered"
    assert sam.get(f"matches/{duel}/standing-orders").json()["standing_orders"][0]["fired"] == 1
    assert sam.delete(f"matches/{duel}/standing-orders/1").status_code == 204
    assert sam.delete(f"matches/{duel}/standing-orders/1").status_code == 404
    assert sam.post(f"matches/{duel}/standing-orders", {"text": "whenever you like"}).status_code == 422


def test_resigning_ends_the_match(rania: Person, sam: Person, duel: int) -> None:
    over = sam.post(f"matches/{duel}/resign").json()
    assert (over["status"], over["outcome"]["winner"]) == ("over", "north")
    assert rania.post(f"matches/{duel}/orders", {"orders": "roll"}).json()["code"] == "match-over"


def test_the_text_board_and_the_dice(rania: Person, solo: int) -> None:
    board = rania.get(f"matches/{solo}/board.txt")
    assert board.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert max(map(len, board.content.decode().splitlines())) <= 72
    assert rania.get(f"matches/{solo}/dice").json()["commitment"]


def test_a_whole_match_is_played_exported_and_imported(rania: Person, vera: Person, solo: int) -> None:
    rng = random.Random(7)
    while True:
        asked = rania.get(f"matches/{solo}/decision").json()
        if not asked["asked"]:
            break
        forward = [offer["action"] for offer in asked["actions"] if offer["action"][0] != "takeback"]
        done = rania.post(f"matches/{solo}/orders", {"orders": [rng.choice(forward)]}, If_Match=f'"{asked["version"]}"')
        assert done.status_code == 200, done.content
    match = rania.get(f"matches/{solo}").json()
    assert match["status"] == "over" and match["seed"] and match["outcome"]["words"]
    text = rania.get(f"matches/{solo}/export").content
    brought = _import(vera, text)
    assert brought.status_code == 201 and brought.json()["head_hash"] == match["head_hash"]
    spoiled = text.replace(b'"seq":3', b'"seq":4', 1)
    assert _import(vera, spoiled).json()["code"] == "bad-setup"
    assert _import(vera, b"\xff\xfe").status_code == 400


def _import(person: Person, content: bytes) -> Any:
    headers = {"Authorization": f"Token {person.token}"}
    return Client().post("/api/v1/matches/import", content, content_type="application/x-ndjson", headers=headers)


def test_the_delivery_log_is_ones_own(rania: Person, vera: Person, duel: int) -> None:
    from games.ledger import outbox
    from games.ledger.models import Outbox

    row = Outbox.objects.filter(match=duel, kind="mail", user=rania.user).first()
    assert row is not None
    outbox.finish(row, "sent", "accepted by mail.example.org")
    log = rania.get(f"matches/{duel}/deliveries").json()["deliveries"]
    assert [(line["ok"], line["detail"]) for line in log] == [(True, "accepted by mail.example.org")]
    assert vera.get(f"matches/{duel}/deliveries").json()["deliveries"] == []


def test_the_board_as_a_picture(rania: Person, solo: int) -> None:
    svg = rania.get(f"matches/{solo}/board.svg", {"theme": "dark", "crop": "true"})
    assert svg.headers["Content-Type"] == "image/svg+xml" and svg.content.startswith(b"<svg")
    png = rania.get(f"matches/{solo}/board.png", {"width": 400, "at": 0})
    assert png.headers["Content-Type"] == "image/png" and png.content.startswith(b"\x89PNG")
    assert rania.get(f"matches/{solo}/board.png", {"width": 400, "at": 0}).content == png.content
    assert rania.get(f"matches/{solo}/board.png", {"width": 40}).status_code == 400

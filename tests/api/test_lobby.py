"""Around a match: invitations, seats and bots, starting, leaving, playing again; words and notes."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.ledger import services
from games.ledger.models import Invitation, Match, Outbox, Saying
from tests.api.conftest import Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def waiting(rania: Person) -> int:
    """Rania is north of a match that waits for somebody."""
    return int(services.match_create(user=rania.user, ruleset="duel", seat="north", title="Waiting").pk)


def test_a_person_is_invited_by_name_and_accepts(rania: Person, sam: Person, vera: Person, waiting: int) -> None:
    sent = rania.post(f"matches/{waiting}/invite", {"username": "SAM", "words": "Come and play."})
    assert sent.status_code == 201 and sent.json()["to"] == "SAM"
    assert "sam@example.org" not in sent.content.decode(), "the address behind a name stays unsaid"
    number = sent.json()["number"]
    [seen] = sam.get("invitations").json()["invitations"]
    assert (seen["number"], seen["yours"], seen["host"], seen["seat"]) == (number, True, "rania", "south")
    assert vera.get("invitations").json() == {"invitations": []}
    assert vera.post(f"invitations/{number}/accept").status_code == 404
    assert rania.post(f"invitations/{number}/accept").json()["code"] == "not-yours"
    assert sam.post(f"invitations/{number}/accept").json()["status"] == "accepted"
    assert Match.objects.get(pk=waiting).status == "playing"
    [said] = sam.get(f"matches/{waiting}/messages").json()["messages"]
    assert (said["player"], said["text"]) == ("rania", "Come and play.")
    assert sam.post(f"invitations/{number}/accept").json()["code"] == "not-open"


def test_a_stranger_is_invited_by_mail(rania: Person, waiting: int) -> None:
    sent = rania.post(f"matches/{waiting}/invite", {"email": "Tom@Example.net"})
    assert sent.status_code == 201 and sent.json()["to"] == "tom@example.net"
    row = Outbox.objects.get(topic="invitation")
    assert row.payload == {"invitation": sent.json()["number"]}


def test_a_mail_answer_takes_the_seat_that_waits(rania: Person, waiting: int) -> None:
    from notifications.invitations import accept

    number = rania.post(f"matches/{waiting}/invite", {"email": "tom@example.net"}).json()["number"]
    assert accept(Invitation.objects.get(pk=number)) == f"accepted: match {waiting}"
    seats = rania.get(f"matches/{waiting}").json()["seats"]
    assert [seat["player"] for seat in seats] == ["rania", "tom"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({}, "invalid"),
        ({"username": "sam", "email": "sam@example.org"}, "invalid"),
        ({"username": "nobody-at-all"}, "nobody"),
        ({"email": "no address"}, "bad-setup"),
        ({"email": "rania@example.org"}, "bad-setup"),
        ({"username": "rania"}, "already-seated"),
        ({"username": "sam", "seat": "north"}, "seat-taken"),
        ({"username": "sam", "seat": "west"}, "no-such-seat"),
    ],
)
def test_who_cannot_be_invited(rania: Person, sam: Person, waiting: int, data: Any, code: str) -> None:
    refused = rania.post(f"matches/{waiting}/invite", data)
    assert refused.json()["code"] == code and not Invitation.objects.exists()


def test_only_the_owner_invites_and_only_while_it_waits(rania: Person, sam: Person, duel: int, waiting: int) -> None:
    assert sam.post(f"matches/{waiting}/invite", {"username": "rania"}).json()["code"] == "not-yours"
    assert rania.post(f"matches/{duel}/invite", {"username": "sam"}).json()["code"] == "not-open"


def test_an_invitation_is_declined_or_withdrawn(rania: Person, sam: Person, waiting: int) -> None:
    first = rania.post(f"matches/{waiting}/invite", {"username": "sam"}).json()["number"]
    assert sam.delete(f"invitations/{first}").json()["code"] == "not-yours"
    assert sam.post(f"invitations/{first}/decline").json()["status"] == "declined"
    again = rania.post(f"matches/{waiting}/invite", {"username": "sam"})
    assert again.json()["code"] == "too-many", "a no is a no for a month"
    other = rania.post(f"matches/{waiting}/invite", {"email": "tom@example.net"}).json()["number"]
    assert rania.delete(f"invitations/{other}").json()["status"] == "cancelled"
    assert rania.get(f"invitations/{other}").json()["status"] == "cancelled"


def test_a_seat_is_given_back_before_the_start_and_not_after(rania: Person, sam: Person, waiting: int) -> None:
    assert sam.post(f"matches/{waiting}/leave").json()["code"] == "not-your-seat"
    left = rania.post(f"matches/{waiting}/leave")
    assert left.status_code == 200 and [seat["player"] for seat in left.json()["seats"]] == [None, None]
    sam.post(f"matches/{waiting}/join", {"seat": "north"})
    rania.post(f"matches/{waiting}/join")
    assert rania.post(f"matches/{waiting}/leave").json()["code"] == "not-open"


def test_whoever_leaves_a_private_match_sees_it_no_more(rania: Person, sam: Person) -> None:
    made = rania.post("matches", {"ruleset": "city_fighting", "private": True, "options": {"seats": 3}}).json()
    sam.post(f"matches/{made['id']}/join", {"invitation": made["invitation"]})
    left = sam.post(f"matches/{made['id']}/leave")
    assert left.status_code == 200 and "invitation" not in left.json()
    assert not any(seat["you"] for seat in left.json()["seats"])
    assert sam.get(f"matches/{made['id']}").status_code == 404


def test_the_owner_starts_with_bots_in_the_empty_seats(rania: Person, sam: Person, waiting: int) -> None:
    assert sam.post(f"matches/{waiting}/start").json()["code"] == "not-yours"
    assert rania.post(f"matches/{waiting}/start", {"bots": {"north": "random"}}).json()["code"] == "seat-taken"
    assert rania.post(f"matches/{waiting}/start", {"bots": {"south": "nobody"}}).json()["code"] == "bad-setup"
    assert rania.get(f"matches/{waiting}").json()["status"] == "open", "a refused start changes nothing"
    started = rania.post(f"matches/{waiting}/start").json()
    assert (started["status"], started["seats"][1]["bot"]) == ("playing", "random")
    assert rania.post(f"matches/{waiting}/start").json()["code"] == "not-open"


def test_a_game_has_its_own_bot_for_an_empty_seat(rania: Person) -> None:
    made = rania.post("matches", {"ruleset": "second_fallujah", "seat": "insurgent"}).json()
    started = rania.post(f"matches/{made['id']}/start").json()
    assert {seat["key"]: seat["bot"] for seat in started["seats"]} == {"insurgent": None, "coalition": "planner"}


def test_a_bot_that_changes_the_options_must_be_chosen_at_the_beginning(rania: Person) -> None:
    made = rania.post("matches", {"ruleset": "second_fallujah", "seat": "coalition"}).json()
    refused = rania.client.put(
        f"/api/v1/matches/{made['id']}/seats/insurgent", {"bot": "rulebook"}, content_type="application/json",
        headers={"Authorization": f"Token {rania.token}"},
    )  # fmt: skip
    assert refused.json()["code"] == "bad-setup"


def test_the_owner_puts_a_bot_into_a_seat_and_takes_it_out(rania: Person, sam: Person) -> None:
    made = rania.post("matches", {"ruleset": "city_fighting", "options": {"seats": 3}}).json()["id"]
    seats = rania.get(f"matches/{made}/seats").json()["seats"]
    assert [seat["free"] for seat in seats] == [False, True, True] and "random" in seats[1]["bots"]
    put = rania.put(f"matches/{made}/seats/b", {"bot": "random"})
    assert put.status_code == 200 and put.json()["seats"][1]["bot"] == "random"
    assert rania.put(f"matches/{made}/seats/b", {"bot": None}).json()["seats"][1]["free"]
    assert rania.put(f"matches/{made}/seats/a", {"bot": "random"}).json()["code"] == "seat-taken"
    assert rania.put(f"matches/{made}/seats/x", {"bot": "random"}).json()["code"] == "no-such-seat"
    assert sam.put(f"matches/{made}/seats/b", {"bot": "random"}).json()["code"] == "not-yours"


def test_a_rematch_changes_sides_and_asks_the_other(rania: Person, sam: Person, duel: int) -> None:
    assert rania.post(f"matches/{duel}/rematch").json()["code"] == "not-over"
    services.seat_resign(match_id=duel, seat="south")
    again = rania.post(f"matches/{duel}/rematch")
    assert again.status_code == 201 and again.headers["Location"].endswith(str(again.json()["id"]))
    assert [seat["player"] for seat in again.json()["seats"]] == [None, "rania"]
    [asked] = sam.get("invitations").json()["invitations"]
    assert sam.post(f"invitations/{asked['number']}/accept").status_code == 200
    assert rania.get(f"matches/{again.json()['id']}").json()["status"] == "playing"


def test_a_rematch_against_a_bot_starts_at_once(rania: Person) -> None:
    made = rania.post("matches", {"ruleset": "duel", "seat": "north", "bots": {"south": "random"}}).json()["id"]
    rania.post(f"matches/{made}/resign")
    again = rania.post(f"matches/{made}/rematch").json()
    assert (again["status"], again["seats"][0]["you"]) == ("playing", True)


def test_players_talk_and_others_hear_nothing(rania: Person, sam: Person, vera: Person, duel: int) -> None:
    said = rania.post(f"matches/{duel}/messages", {"text": "  Your move. "})
    assert said.status_code == 201 and said.json()["text"] == "Your move."
    assert sam.post(f"matches/{duel}/messages", {"text": "I know."}).status_code == 201
    talk = sam.get(f"matches/{duel}/messages").json()["messages"]
    assert [(row["player"], row["text"]) for row in talk] == [("rania", "Your move."), ("sam", "I know.")]
    later = sam.get(f"matches/{duel}/messages", {"after": talk[0]["number"]}).json()["messages"]
    assert later == talk[1:]
    assert vera.get(f"matches/{duel}/messages").json()["code"] == "not-your-seat"
    assert vera.post(f"matches/{duel}/messages", {"text": "Me too."}).json()["code"] == "not-your-seat"


def test_what_is_said_over_rest_comes_with_the_next_mail(rania: Person, sam: Person, duel: int) -> None:
    from notifications.replies import says

    rania.post(f"matches/{duel}/messages", {"text": "Your move."})
    match = Match.objects.get(pk=duel)
    assert [row.text for row in says(match, match.seats.get(key="south"))] == ["Your move."]
    assert says(match, match.seats.get(key="north")) == []


def test_a_note_is_ones_own(rania: Person, sam: Person, duel: int) -> None:
    assert rania.put(f"matches/{duel}/note", {"text": "hold the bridge"}).json()["text"] == "hold the bridge"
    assert rania.get(f"matches/{duel}/note").json()["text"] == "hold the bridge"
    assert sam.get(f"matches/{duel}/note").json()["text"] == ""
    assert rania.put(f"matches/{duel}/note", {"text": ""}).json()["text"] == ""


def test_lists_are_filtered_and_paged_without_a_gap(rania: Person, sam: Person, duel: int) -> None:
    ids = [
        rania.post("matches", {"ruleset": "duel", "seat": "north", "title": f"No {n}"}).json()["id"] for n in range(5)
    ]

    def listed(**query: Any) -> list[int]:
        return [row["id"] for row in rania.get("matches", query).json()["results"]]

    assert listed(opponent="sam") == [duel] == listed(asked="true") == listed(status="playing")
    assert listed(title="no 3") == [ids[3]]
    assert listed(created_after="2999-01-01T00:00:00Z") == [] != listed(created_before="2999-01-01T00:00:00Z")
    page = rania.get("matches", {"limit": 2}).json()
    assert [row["id"] for row in page["results"]] == [ids[4], ids[3]] and page["count"] == 6
    assert page["previous"] is None
    rania.post("matches", {"ruleset": "duel", "seat": "north"})  # opened while somebody leafs through
    after = rania.get(page["next"].removeprefix("/api/v1/")).json()
    assert [row["id"] for row in after["results"]] == [ids[2], ids[1]]
    back = rania.get(after["previous"].removeprefix("/api/v1/")).json()
    assert [row["id"] for row in back["results"]] == [ids[4], ids[3]]


def test_a_long_list_of_actions_is_grouped(rania: Person, duel: int) -> None:
    asked = rania.get(f"matches/{duel}/decision", {"group": "verb", "limit": 0}).json()
    assert asked["actions"] == [] and asked["total"] == 11
    assert asked["groups"] == [
        {"stem": "mark", "count": 9, "first": 1}, {"stem": "roll", "count": 1, "first": 10},
        {"stem": "hold", "count": 1, "first": 11},
    ]  # fmt: skip
    cut = rania.get(f"matches/{duel}/decision", {"group": "stem", "prefix": "mark"}).json()
    assert cut["groups"] == [{"stem": "mark", "count": 9, "first": 1}] and len(cut["actions"]) == 9


def test_what_a_person_may_change_of_themself(rania: Person) -> None:
    assert rania.patch("me", {"wants_mail": False}).json()["wants_mail"] is False
    assert rania.get("me").json()["wants_mail"] is False
    weak = rania.post("me/password", {"old_password": "a good pass phrase", "new_password": "1"})
    wrong = rania.post("me/password", {"old_password": "x", "new_password": "seven brass lanterns"})
    assert weak.json()["code"] == wrong.json()["code"] == "bad-account"
    other = Person(rania.user, scope="read")
    done = rania.post("me/password", {"old_password": "a good pass phrase", "new_password": "seven brass lanterns"})
    assert done.status_code == 204
    rania.user.refresh_from_db()
    assert rania.user.check_password("seven brass lanterns")
    assert rania.get("me").status_code == 200 and other.get("me").status_code == 401


@pytest.mark.django_db(transaction=True)
def test_talk_of_older_servers_comes_along() -> None:
    """The tables move from the mail door to the ledger with all rows."""
    before = [("ledger", "0004_clock"), ("notifications", "0001_mail")]
    executor = MigrationExecutor(connection)
    executor.migrate(before)
    try:
        old = executor.loader.project_state(before).apps
        old.get_model("notifications", "Saying").objects.create(match_id=7, seat="north", text="Hello.", told=["north"])
        old.get_model("notifications", "Refusal").objects.create(fingerprint="f" * 64)
    finally:
        call_command("migrate", verbosity=0)
    assert Saying.objects.get(match_id=7).text == "Hello."
    assert not {"notifications_saying", "notifications_refusal"} & set(connection.introspection.table_names())

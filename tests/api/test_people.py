"""Accounts, tokens in and out, and the server about itself."""

from typing import Any

import pytest
from django.test import Client, override_settings

from api.models import Token
from tests.api.conftest import JSON, Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]
PASSWORD = "a good pass phrase"


def _post(path: str, data: Any) -> Any:
    return Client().post(f"/api/v1/{path}", data, content_type=JSON)


def test_register_login_me_logout() -> None:
    made = _post("register", {"username": "omar", "email": "omar@example.org", "password": PASSWORD})
    assert made.status_code == 201
    assert made.json() == {
        "username": "omar",
        "email": "omar@example.org",
        "email_verified": False,
        "wants_mail": True,
    }
    token = _post("login", {"username": "omar", "password": PASSWORD}).json()["token"]
    headers = {"Authorization": f"Token {token}"}
    assert Client().get("/api/v1/me", headers=headers).json()["username"] == "omar"
    assert Client().get("/api/v1/me", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert Client().post("/api/v1/logout", headers=headers).status_code == 204
    gone = Client().get("/api/v1/me", headers=headers)
    assert (gone.status_code, gone.json()["code"]) == (401, "not-signed-in")
    assert gone.headers["WWW-Authenticate"] == "Token"


def test_tokens_are_not_kept_in_the_clear() -> None:
    _post("register", {"username": "omar", "email": "omar@example.org", "password": PASSWORD})
    token = _post("login", {"username": "omar", "password": PASSWORD}).json()["token"]
    row = Token.objects.get()
    assert token != row.digest and len(row.digest) == 64


@pytest.mark.parametrize(
    ("field", "value"),
    [("username", "no spaces here"), ("username", "x"), ("email", ""), ("password", "")],
)
def test_a_wrong_field_is_named(field: str, value: str) -> None:
    given = {"username": "omar", "email": "omar@example.org", "password": PASSWORD, field: value}
    refused = _post("register", given)
    assert refused.status_code == 400
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert refused.json()["errors"][0]["field"] == field


@pytest.mark.parametrize(("field", "value"), [("email", "nowhere"), ("email", "a@b@c"), ("password", "12345")])
def test_what_cannot_be_an_account_is_said(field: str, value: str) -> None:
    given = {"username": "omar", "email": "omar@example.org", "password": PASSWORD, field: value}
    refused = _post("register", given)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-account")


def test_a_name_is_taken_in_any_case(rania: Person) -> None:
    refused = _post("register", {"username": "RANIA", "email": "other@example.org", "password": PASSWORD})
    assert (refused.status_code, refused.json()["code"]) == (409, "taken")


def test_registration_can_be_closed() -> None:
    with override_settings(OPEN_REGISTRATION=False):
        refused = _post("register", {"username": "omar", "email": "omar@example.org", "password": PASSWORD})
    assert (refused.status_code, refused.json()["code"]) == (403, "registration-closed")


def test_a_wrong_password_is_told_like_a_wrong_name(rania: Person) -> None:
    wrong = _post("login", {"username": "rania", "password": "nonsense words"})
    unknown = _post("login", {"username": "nobody", "password": "nonsense words"})
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.content == unknown.content


def test_health_version_and_games_need_no_token() -> None:
    assert Client().get("/api/v1/health").json()["status"] == "ok"
    assert Client().get("/api/v1/version").json()["rulesets"]["card_assault"] >= 1
    listed = Client().get("/api/v1/rulesets").json()
    one = Client().get("/api/v1/rulesets/card_assault").json()
    assert one in listed and one["seats"] == [{"key": "american", "name": "Americans"}]
    assert Client().get("/api/v1/rulesets/chess").status_code == 404


def test_settings_are_changed_all_or_none(rania: Person) -> None:
    wishes = {"zone": "berlin", "quiet": "22-07", "days_off": ["sun"], "digest_hour": 8, "reminders": False}
    settings = rania.send("patch", "me", {**wishes, "acks": "errors"}).json()["settings"]
    assert (settings["zone"], settings["quiet"], settings["days_off"]) == ("Europe/Berlin", "22:00-07:00", ["sun"])
    assert (settings["digest_hour"], settings["reminders"], settings["acks"]) == (8, False, "errors")
    bad = rania.send("patch", "me", {"acks": "all", "quiet": "1-23"})
    assert (bad.status_code, bad.json()["code"]) == (422, "bad-setting")
    kept = rania.get("me").json()["settings"]
    assert (kept["acks"], kept["quiet"]) == ("errors", "22:00-07:00")
    cleared = rania.send("patch", "me", {"quiet": None, "days_off": [], "digest_hour": None}).json()["settings"]
    assert (cleared["quiet"], cleared["days_off"], cleared["digest_hour"]) == (None, [], None)


def test_a_vacation_over_the_api(rania: Person) -> None:
    def patch(vacation: Any) -> Any:
        return rania.send("patch", "me", {"vacation": vacation})

    dates = {"first": "2027-03-03", "last": "2027-03-09"}
    assert patch(dates).json()["settings"]["vacations"] == [dates]
    assert patch(dates).json()["code"] == "bad-setting"
    assert patch(None).json()["settings"]["vacations"] == []
    assert patch(None).status_code == 200
    assert patch({"first": "2027-03-03"}).status_code == 400


def test_a_token_for_one_seat_changes_no_settings(rania: Person) -> None:
    match = rania.post("matches", {"ruleset": "card_assault"}).json()["id"]
    bound = Person(rania.user, match=match, seat="american", scope="play")
    assert bound.get("me").status_code == 200
    assert bound.send("patch", "me", {"acks": "errors"}).json()["code"] == "forbidden"

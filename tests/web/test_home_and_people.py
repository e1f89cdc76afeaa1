"""The first page, signing in, registering, proving an address, stopping notices."""

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from games.ledger import links, services
from games.ledger.models import Match, Outbox

pytestmark = pytest.mark.services


def test_home_for_somebody_new(browser: Any, tom: Any) -> None:
    services.match_create(user=tom, ruleset="toy", seat="north", title="A quiet duel")
    html = browser().get("/").content.decode()
    assert "A quiet duel" in html and "Sign in" in html and "Card Assault" in html


def test_home_sorts_matches_by_whose_turn_it_is(browser: Any, tom: Any, rania: Any, duel: Match) -> None:
    mine = browser(tom).get("/").content.decode()
    assert mine.index("Waiting for you") < mine.index(f"/match/{duel.pk}/")
    theirs = browser(rania).get("/").content.decode()
    assert "Waiting for you" not in theirs and "Waiting for others" in theirs


def test_a_match_of_any_game_is_opened_with_options_and_bots(browser: Any, tom: Any) -> None:
    client = browser(tom)
    html = client.get("/new/toy/").content.decode()
    assert "A choice of words" in html and "bot:random" in html
    form = {
        "seat.north": "me",
        "seat.south": "bot:random",
        "option.level": "hard",
        "option.wide": "True",
        "title": "Mine",
    }
    answer = client.post("/new/toy/", form)
    match = Match.objects.get()
    assert answer.headers["Location"] == f"/match/{match.pk}/"
    assert match.options == {"wide": True, "level": "hard"} and match.status == "playing" and match.title == "Mine"
    assert match.seats.get(key="south").bot == "random"
    client.post("/new/card_assault/", {"seat.american": "me", "option.max_reshuffles": "2"})
    assert Match.objects.get(ruleset="card_assault").options["max_reshuffles"] == 2


def test_wrong_choices_are_said(browser: Any, tom: Any) -> None:
    client = browser(tom)
    assert "Choose a seat" in client.post("/new/toy/", {}).content.decode()
    assert client.get("/new/chess/").status_code == 404
    assert client.post("/new/toy/", {"seat.north": "bot:nobody", "seat.south": "me"}).status_code == 200
    assert not Match.objects.exists()


def test_signing_in_goes_where_one_wanted_but_not_elsewhere(browser: Any, tom: Any) -> None:
    for wanted, lands in (("/new/toy/", "/new/toy/"), ("https://evil.example/", "/"), ("//evil.example", "/")):
        answer = browser().post("/sign-in/", {"name": "tom", "password": "a good pass phrase", "next": wanted})
        assert answer.headers["Location"] == lands
    wrong = browser().post("/sign-in/", {"name": "tom", "password": "no"})
    assert wrong.status_code == 403 and "do not fit" in wrong.content.decode()


def test_registering_asks_to_prove_the_address(browser: Any, settings: Any) -> None:
    client = browser()
    form = {"name": "lee", "email": "Lee@Example.org", "password": "a good pass phrase"}
    assert client.post("/register/", form).status_code == 302
    user = get_user_model().objects.get(username="lee")
    assert user.email == "lee@example.org" and user.email_verified_at is None
    assert Outbox.objects.get(user=user).topic == "verify"
    link = f"/verify/{user.pk}/{links.verify_token(user)}/"
    client.get(link)  # a program that opens every link proves nothing
    user.refresh_from_db()
    assert user.email_verified_at is None
    assert client.post(link).status_code == 200
    user.refresh_from_db()
    assert user.email_verified_at is not None
    assert client.post(f"/verify/{user.pk}/aaaaaaaaaaaaaaaa/").status_code == 404
    again = browser().post("/register/", form)
    assert again.status_code == 400 and "taken" in again.content.decode()
    settings.OPEN_REGISTRATION = False
    assert browser().post("/register/", {**form, "name": "mo", "email": "mo@example.org"}).status_code == 403


@pytest.mark.parametrize("field", [{"password": "short"}, {"email": "nobody"}, {"name": "a b!"}])
def test_bad_registrations_are_refused(browser: Any, field: dict[str, str]) -> None:
    form = {"name": "lee", "email": "lee@example.org", "password": "a good pass phrase", **field}
    assert browser().post("/register/", form).status_code == 400
    assert not get_user_model().objects.filter(username="lee").exists()


def test_notices_stop_by_a_button_or_by_the_mail_program(browser: Any, tom: Any) -> None:
    link = f"/stop/{tom.pk}/{links.stop_token(tom)}/"
    assert "Stop all notices" in browser().get(link).content.decode()
    tom.refresh_from_db()
    assert tom.wants_mail
    one_click = browser(enforce_csrf_checks=True).post(link, {"List-Unsubscribe": "One-Click"})
    tom.refresh_from_db()
    assert one_click.status_code == 200 and not tom.wants_mail
    assert browser().post(f"/stop/{tom.pk}/aaaaaaaaaaaaaaaa/").status_code == 404
    client = browser(tom)
    assert "You get no notices" in client.get("/").content.decode()
    client.post("/notices/")
    tom.refresh_from_db()
    assert tom.wants_mail


def test_signing_out_needs_a_button(browser: Any, tom: Any) -> None:
    client = browser(tom)
    assert client.get("/sign-out/").status_code == 405
    client.post("/sign-out/")
    assert not re.search("Your matches", client.get("/").content.decode())

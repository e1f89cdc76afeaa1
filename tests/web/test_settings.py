"""The page of a person's settings."""

from typing import Any

import pytest
from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.services]
FORM = {"zone": "Europe/Berlin", "quiet": "22-07", "digest_hour": "08:00", "acks": "errors", "subjects": "fixed",
        "days_off": ["sat", "sun"], "wants_mail": "1"}  # fmt: skip


@pytest.fixture
def tom(make_user: Any) -> Any:
    return make_user("tom")


@pytest.fixture
def browser(tom: Any) -> Client:
    client = Client()
    client.force_login(tom)
    return client


def test_settings_are_shown_and_kept(browser: Client, tom: Any) -> None:
    assert browser.post("/settings/", FORM).status_code == 302
    tom.refresh_from_db()
    assert (tom.zone, tom.quiet, tom.days_off, tom.digest_hour) == ("Europe/Berlin", "22:00-07:00", "56", 8)
    assert (tom.reminders, tom.wants_mail, tom.acks) == (False, True, "errors")
    page = browser.get("/settings/").content.decode()
    assert 'value="22-07"' in page and "<option selected>08:00</option>" in page


def test_what_cannot_be_is_refused_and_nothing_is_kept(browser: Client, tom: Any) -> None:
    answer = browser.post("/settings/", {**FORM, "quiet": "1-23"})
    assert answer.status_code == 400 and b"at most 14 hours" in answer.content
    tom.refresh_from_db()
    assert tom.zone == "UTC"


def test_a_vacation_is_set_and_ended(browser: Client, tom: Any) -> None:
    browser.post("/settings/", {"away": "1", "first": "2027-03-03", "last": "2027-03-09"})
    assert "Away 3 Mar 2027 to 9 Mar 2027" in browser.get("/settings/").content.decode()
    browser.post("/settings/", {"back": "1"})
    tom.refresh_from_db()
    assert tom.away == []
    assert browser.post("/settings/", {"away": "1", "first": "", "last": "soon"}).status_code == 400


def test_settings_need_somebody_signed_in() -> None:
    assert Client().get("/settings/").status_code == 302

"""The page of a person's webhooks: its buttons do what the API does, for its owner alone."""

import re
from typing import Any

import pytest

from games.ledger import outbox, webhooks
from games.ledger.models import Match, Outbox, Webhook

pytestmark = pytest.mark.services
URL = "https://hooks.example.org/fallujah"


def secret_in(html: str) -> str:
    found = re.search(r"whsec_[\w+/=]+", html)
    return found[0] if found else ""


def test_a_webhook_from_adding_to_removing_by_buttons(browser: Any, tom: Any) -> None:
    client = browser(tom)
    made = client.post("/webhooks/", {"url": URL, "topics": ["decision"]}).content.decode()
    assert secret_in(made) == webhooks.secret(Webhook.objects.get())
    assert not secret_in(client.get("/webhooks/").content.decode()), "a secret is shown once"
    client.post("/webhooks/1/test/")
    row = Outbox.objects.get(kind="webhook")
    outbox.claim(row.pk)
    outbox.finish(row, "failed", "given up: 500 from the receiver")
    html = client.get("/webhooks/").content.decode()
    assert "given up: 500 from the receiver" in html and f"/webhooks/1/calls/{row.pk}/replay/" in html
    client.post(f"/webhooks/1/calls/{row.pk}/replay/")
    row.refresh_from_db()
    assert row.state == "waiting" and row.attempts == 0
    rotated = client.post("/webhooks/1/rotate/").content.decode()
    assert secret_in(rotated) not in ("", secret_in(made))
    webhooks.disable(Webhook.objects.get(), "The receiver said 410 Gone.")
    assert "The receiver said 410 Gone." in client.get("/webhooks/").content.decode()
    client.post("/webhooks/1/enable/")
    assert Webhook.objects.get().disabled_at is None
    client.post("/webhooks/1/remove/")
    assert not Webhook.objects.exists()


def test_a_bad_address_is_refused_with_its_reason_and_kept_in_the_form(browser: Any, tom: Any) -> None:
    answer = browser(tom).post("/webhooks/", {"url": "http://127.0.0.1/x"})
    html = answer.content.decode()
    assert answer.status_code == 400 and "begins with https://" in html and 'value="http://127.0.0.1/x"' in html
    assert not Webhook.objects.exists()


def test_the_webhooks_of_others_are_not_there(browser: Any, tom: Any, rania: Any) -> None:
    webhooks.webhook_create(user=rania, url=URL, topics=[])
    client = browser(tom)
    assert URL not in client.get("/webhooks/").content.decode()
    for path in ("test", "rotate", "enable", "remove", "calls/1/replay"):
        assert client.post(f"/webhooks/1/{path}/").status_code == 404
        assert browser().post(f"/webhooks/1/{path}/").status_code == 302, "to the sign-in page"
        assert client.get(f"/webhooks/1/{path}/").status_code == 405, "a link changes nothing"
    assert Webhook.objects.count() == 1


def test_a_player_reads_which_mails_went_out_and_nobody_else_does(
    browser: Any, tom: Any, rania: Any, duel: Match
) -> None:
    row = Outbox.objects.filter(kind="mail", user=tom, match=duel).first()
    assert row is not None
    outbox.claim(row.pk)
    outbox.retry(row, "tried, to be repeated: 451 try later")
    assert "451 try later" in browser(tom).get(f"/match/{duel.pk}/").content.decode()
    assert "451 try later" not in browser(rania).get(f"/match/{duel.pk}/").content.decode()
    assert "451 try later" not in browser().get(f"/match/{duel.pk}/").content.decode()

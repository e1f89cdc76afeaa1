"""Calls are signed, thin, switched off when unwanted, and logged."""

import time
from typing import Any

import pytest
from django.utils import timezone
from standardwebhooks.webhooks import Webhook as Consumer

from games.ledger import outbox, services, webhooks
from games.ledger.models import Delivery, Match, Outbox, Webhook
from notifications.webhooks import delivery
from tests.webhooks.receivers import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def _call(row: Outbox) -> Outbox:
    """One attempt, however far off its time is."""
    Outbox.objects.filter(pk=row.pk).update(due_at=timezone.now(), claimed_until=None)
    delivery.call(row.pk)
    return Outbox.objects.get(pk=row.pk)


def test_a_call_is_signed_and_says_nothing_hidden(receiver: Receiver, hook: Webhook, match: Match) -> None:
    rows = Outbox.objects.filter(kind="webhook", user=hook.user)
    assert [row.topic for row in rows] == ["opened"], "the other player has no webhook"
    assert _call(rows[0]).state == "sent"
    headers, body = receiver.got[0]
    sent = Consumer(webhooks.secret(hook)).verify(body, headers)
    assert sent["type"] == "match.opened"
    assert sent["data"] == {"match": match.pk, "seat": "north", "version": 0, "url": f"/api/v1/matches/{match.pk}"}


def test_only_the_topics_that_were_wanted(user: Any, receiver: Receiver, make_user: Any) -> None:
    webhooks.webhook_create(user=user, url=receiver.url, topics=["result"])
    opened = services.match_create(user=user, ruleset="toy")
    services.match_join(user=make_user("sam"), match_id=opened.pk)
    services.seat_resign(match_id=opened.pk, seat="south")
    assert [row.topic for row in Outbox.objects.filter(kind="webhook")] == ["result"]


def test_gone_means_never_again(receiver: Receiver, hook: Webhook, match: Match) -> None:
    receiver.status = 410
    row = Outbox.objects.get(kind="webhook")
    assert _call(row).state == "failed"
    hook.refresh_from_db()
    assert "410" in hook.disabled_why
    services.seat_resign(match_id=match.pk, seat="south")
    assert Outbox.objects.filter(kind="webhook").count() == 1, "a webhook that is off gets no new calls"
    on = webhooks.webhook_enable(user=hook.user, number=hook.number)
    assert on.disabled_at is None


def test_the_mail_about_it_can_be_written(receiver: Receiver, hook: Webhook) -> None:
    from notifications.delivery import compose

    webhooks.disable(hook, "The receiver answered 410 Gone.")
    letter = compose(Outbox.objects.get(topic="webhook-off"))
    assert hook.url in letter.headline and "410" in letter.lead[0]


def test_redirects_are_not_followed(receiver: Receiver, hook: Webhook) -> None:
    receiver.status, receiver.headers = 302, {"Location": receiver.url + "/elsewhere"}
    row = _call(Outbox.objects.get(pk=webhooks.webhook_test(user=hook.user, number=hook.number)))
    assert row.state == "waiting" and len(receiver.got) == 1


def test_a_receiver_that_hangs_is_cut_off(receiver: Receiver, hook: Webhook, settings: Any) -> None:
    settings.WEBHOOK_SECONDS = 0.3
    receiver.pause = 1.5
    began = time.monotonic()
    row = _call(Outbox.objects.get(pk=webhooks.webhook_test(user=hook.user, number=hook.number)))
    assert time.monotonic() - began < 1.2 and row.state == "waiting"
    assert "no answer" in Delivery.objects.get(outbox=row).detail


def test_the_log_shows_every_attempt(receiver: Receiver, hook: Webhook) -> None:
    row = Outbox.objects.get(pk=webhooks.webhook_test(user=hook.user, number=hook.number))
    receiver.status = 503
    _call(row)
    receiver.status = 200
    _call(row)
    (line,) = webhooks.log(hook)
    assert [attempt["ok"] for attempt in line["attempts"]] == [False, True]
    assert line["attempts"][1]["detail"].startswith("200 in ") and line["state"] == "sent"


def test_two_workers_make_one_call(receiver: Receiver, hook: Webhook) -> None:
    row = webhooks.webhook_test(user=hook.user, number=hook.number)
    delivery.call(row)
    delivery.call(row)
    assert len(receiver.got) == 1


def test_answers_to_ones_own_mail_are_not_called_out(hook: Webhook, match: Match) -> None:
    """Acknowledgements and the like are for the mail they answer."""
    seat = match.seats.get(key="north")
    for topic in ("ack", "confirm", "fresh", "stranger", "nothing"):
        outbox.tell_seat(match, seat, topic)
    assert [row.topic for row in Outbox.objects.filter(kind="webhook")] == ["opened"]


def test_several_addresses_of_a_person_are_all_called(hook: Webhook, receiver: Receiver, make_user: Any) -> None:
    webhooks.webhook_create(user=hook.user, url=f"{receiver.url}/second", topics=["opened"])
    opened = services.match_create(user=hook.user, ruleset="toy")
    services.match_join(user=make_user("sam"), match_id=opened.pk)
    rows = Outbox.objects.filter(kind="webhook")
    assert len(rows) == 2 and len({row.message_id for row in rows}) == 2
    assert {_call(row).state for row in rows} == {"sent"} and len(receiver.got) == 2

"""Calls are signed, thin, repeated on a schedule, switched off when unwanted, and logged."""

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.utils import timezone

from games.ledger import outbox, services, webhooks
from games.ledger.models import Delivery, Match, Outbox, Webhook
from notifications.webhooks import delivery
from tests import toy

pytestmark = [pytest.mark.django_db, pytest.mark.services]


class Receiver:
    """A program that is called: keeps what it got, answers as told."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status, self.headers, self.pause = 204, {}, 0.0  # type: ignore[var-annotated]
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append(({key.lower(): value for key, value in self.headers.items()}, body))
                time.sleep(receiver.pause)
                self.send_response(receiver.status)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_INSECURE = True
    toy.install()
    made = Receiver()
    yield made
    made.close()
    toy.remove()


@pytest.fixture
def user(make_user: Any) -> Any:
    return make_user("rania")


@pytest.fixture
def hook(user: Any, receiver: Receiver) -> Webhook:
    return webhooks.webhook_create(user=user, url=receiver.url, topics=[])


@pytest.fixture
def match(user: Any, hook: Webhook, make_user: Any) -> Match:
    opened = services.match_create(user=user, ruleset="toy")
    return services.match_join(user=make_user("sam"), match_id=opened.pk)


def _verifies(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """What a receiver does, written from the standard alone."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.split("_", 1)[1])
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return f"v1,{wanted}" in headers["webhook-signature"].split(" ")


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
    assert _verifies(webhooks.secret(hook), headers, body)
    assert not _verifies(webhooks.secret(hook), headers, body + b" ")
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
    sent = json.loads(body)
    assert sent["type"] == "match.opened"
    assert sent["data"] == {"match": match.pk, "seat": "north", "version": 0, "url": f"/api/v1/matches/{match.pk}"}


def test_only_the_topics_that_were_wanted(user: Any, receiver: Receiver, make_user: Any) -> None:
    webhooks.webhook_create(user=user, url=receiver.url, topics=["result"])
    opened = services.match_create(user=user, ruleset="toy")
    services.match_join(user=make_user("sam"), match_id=opened.pk)
    services.seat_resign(match_id=opened.pk, seat="south")
    assert [row.topic for row in Outbox.objects.filter(kind="webhook")] == ["result"]


def test_during_a_rotation_both_secrets_sign(receiver: Receiver, hook: Webhook) -> None:
    old = webhooks.secret(hook)
    new = webhooks.secret(webhooks.webhook_rotate(user=hook.user, number=hook.number))
    row = Outbox.objects.get(pk=webhooks.webhook_test(user=hook.user, number=hook.number))
    _call(row)
    headers, body = receiver.got[-1]
    assert old != new and _verifies(old, headers, body) and _verifies(new, headers, body)
    Webhook.objects.update(rotated_at=timezone.now() - timedelta(days=2))
    webhooks.webhook_replay(user=hook.user, number=hook.number, call=row.pk)
    _call(row)
    again, body = receiver.got[-1]
    assert again["webhook-id"] == headers["webhook-id"], "a replay keeps its id, so receivers know it"
    assert _verifies(new, again, body) and not _verifies(old, again, body)


def test_ten_attempts_over_three_days_then_it_is_switched_off(receiver: Receiver, hook: Webhook) -> None:
    receiver.status = 500
    row = Outbox.objects.get(pk=webhooks.webhook_test(user=hook.user, number=hook.number))
    pauses = []
    for _ in range(9):
        row = _call(row)
        assert row.state == "waiting"
        pauses.append((row.due_at - timezone.now()).total_seconds())
    for pause, planned in zip(pauses, outbox.BACKOFF, strict=False):
        assert 0.89 * planned - 2 <= pause <= 1.11 * planned
    assert 24 * 3600 < sum(pauses) < 80 * 3600
    assert _call(row).state == "failed"
    assert len(receiver.got) == 10 and Delivery.objects.filter(outbox=row).count() == 10
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1
    assert len({body for _, body in receiver.got}) == 1
    hook.refresh_from_db()
    assert hook.disabled_at is not None
    assert Outbox.objects.filter(kind="mail", topic="webhook-off", user=hook.user).count() == 1


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


def test_a_receiver_may_ask_for_a_pause(receiver: Receiver, hook: Webhook) -> None:
    receiver.status, receiver.headers = 429, {"Retry-After": "3600"}
    row = _call(Outbox.objects.get(pk=webhooks.webhook_test(user=hook.user, number=hook.number)))
    assert 3200 < (row.due_at - timezone.now()).total_seconds() < 4000


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

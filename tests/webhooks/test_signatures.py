"""The published Standard Webhooks reader takes every call of ours, and none that was altered, kept or sent again."""

import base64
import json
import time
from datetime import timedelta
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.utils import timezone
from standardwebhooks.webhooks import Webhook as Reference
from standardwebhooks.webhooks import WebhookVerificationError

from games.ledger import webhooks
from games.ledger.models import Outbox, Webhook
from notifications.webhooks import delivery, signing
from tests.webhooks.receivers import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.services]
Call = tuple[dict[str, str], bytes]
MANY = 40


class Replayed(Exception):
    """The consumer has this message already."""


class Consumer:
    """What the standard asks of a receiver: check with the published library, take each id once."""

    def __init__(self, secret: str) -> None:
        self.library, self.seen = Reference(secret), set[str]()

    def take(self, call: Call) -> Any:
        headers, body = call
        data = self.library.verify(body, headers)
        if headers["webhook-id"] in self.seen:
            raise Replayed
        self.seen.add(headers["webhook-id"])
        return data


def _checks_openly(public: str, call: Call) -> bool:
    """v1a as the standard writes it: ed25519 over `id.timestamp.body`."""
    headers, body = call
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public.removeprefix("whpk_")))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    for part in headers["webhook-signature"].split(" "):
        version, _, signature = part.partition(",")
        try:
            if version == "v1a":
                key.verify(base64.b64decode(signature), signed)
                return True
        except InvalidSignature:
            continue
    return False


def _tried(hook: Webhook, receiver: Receiver) -> Call:
    row = webhooks.webhook_test(user=hook.user, number=hook.number)
    delivery.call(row)
    return receiver.got[-1]


def test_every_call_verifies_under_both_schemes(receiver: Receiver, hook: Webhook) -> None:
    consumer = Consumer(webhooks.secret(hook))
    for _ in range(MANY):
        call = _tried(hook, receiver)
        assert consumer.take(call)["type"] == "test"
        assert _checks_openly(webhooks.public_key(hook), call)
    assert len(consumer.seen) == MANY


@pytest.mark.parametrize("what", ["body", "webhook-id", "webhook-timestamp", "webhook-signature"])
def test_whatever_is_altered_is_rejected(receiver: Receiver, hook: Webhook, what: str) -> None:
    headers, body = _tried(hook, receiver)
    if what == "body":
        body = body.replace(b'"test"', b'"tost"')
    elif what == "webhook-timestamp":
        headers[what] = str(int(headers[what]) + 1)
    elif what == "webhook-id":
        headers[what] += "x"
    else:
        other = webhooks.webhook_create(user=hook.user, url=receiver.url, topics=[])
        keys = webhooks.signing_keys(other)
        headers[what] = signing.headers(keys, headers["webhook-id"], int(headers["webhook-timestamp"]), body)[what]
    with pytest.raises(WebhookVerificationError):
        Consumer(webhooks.secret(hook)).take((headers, body))
    assert not _checks_openly(webhooks.public_key(hook), (headers, body))


@pytest.mark.parametrize("seconds", [-301, -3600, 301, 86_400])
def test_a_call_kept_for_more_than_five_minutes_is_rejected(
    receiver: Receiver, hook: Webhook, seconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr("notifications.webhooks.delivery.time.time", lambda: now + seconds)
    call = _tried(hook, receiver)
    monkeypatch.undo()
    with pytest.raises(WebhookVerificationError, match="timestamp"):
        Consumer(webhooks.secret(hook)).take(call)


def test_a_call_sent_again_is_known_by_its_id(receiver: Receiver, hook: Webhook) -> None:
    consumer = Consumer(webhooks.secret(hook))
    row = webhooks.webhook_test(user=hook.user, number=hook.number)
    delivery.call(row)
    consumer.take(receiver.got[-1])
    with pytest.raises(Replayed):
        consumer.take(receiver.got[-1])
    webhooks.webhook_replay(user=hook.user, number=hook.number, call=row)
    delivery.call(row)
    assert len(receiver.got) == 2, "the owner may have it sent again"
    with pytest.raises(Replayed):
        consumer.take(receiver.got[-1])


def test_rotating_under_load_loses_no_call(receiver: Receiver, hook: Webhook) -> None:
    """Whoever still holds the old key, and whoever has the new one, both take every call of the day."""
    old, old_public = Consumer(webhooks.secret(hook)), webhooks.public_key(hook)
    rows = [webhooks.webhook_test(user=hook.user, number=hook.number) for _ in range(MANY)]
    for number, row in enumerate(rows):
        if number == MANY // 2:
            hook = webhooks.webhook_rotate(user=hook.user, number=hook.number)
        delivery.call(row)
    new, new_public = Consumer(webhooks.secret(hook)), webhooks.public_key(hook)
    for call in receiver.got:
        assert old.take(call) and _checks_openly(old_public, call)
    for call in receiver.got[MANY // 2 :]:
        assert new.take(call) and _checks_openly(new_public, call)
    assert len(old.seen) == MANY and len(new.seen) == MANY // 2 and old_public != new_public


def test_after_a_day_the_old_key_signs_no_more(receiver: Receiver, hook: Webhook) -> None:
    old, old_public = webhooks.secret(hook), webhooks.public_key(hook)
    hook = webhooks.webhook_rotate(user=hook.user, number=hook.number)
    Webhook.objects.update(rotated_at=timezone.now() - timedelta(hours=25))
    call = _tried(hook, receiver)
    assert Consumer(webhooks.secret(hook)).take(call)
    with pytest.raises(WebhookVerificationError):
        Consumer(old).take(call)
    assert not _checks_openly(old_public, call) and _checks_openly(webhooks.public_key(hook), call)


def test_no_secret_lies_in_the_database(hook: Webhook) -> None:
    kept = json.dumps([list(map(str, row.values())) for row in Webhook.objects.values()])
    assert webhooks.secret(hook).removeprefix("whsec_") not in kept
    assert Outbox.objects.count() == 0

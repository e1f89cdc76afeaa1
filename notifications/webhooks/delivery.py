"""One call of a webhook: say that something happened, note what became of it."""

import json
import time
from email.utils import parsedate_to_datetime
from typing import Any

from django.db import connection
from django.utils import timezone

from games.ledger import outbox, webhooks
from games.ledger.tasks import enqueue_call
from notifications.webhooks import guard, signing

# Seconds after each failed attempt, as Standard Webhooks proposes: ten attempts in 75 hours and 35 minutes.
PAUSES = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
ATTEMPTS = len(PAUSES) + 1
MOST_PAUSE = 86_400
SOON = 60  # pauses up to this are handed to a worker at once; longer ones are for the sweep


def call(row_id: int) -> None:
    """Claim, post, note. A second worker finds nothing to do."""
    row = outbox.claim(row_id)
    if row is None:
        return
    hook = webhooks.webhook_of(row)
    if hook is None or (hook.disabled_at is not None and row.topic != "test"):
        outbox.finish(row, "skipped", "the webhook is gone or switched off")
        return
    body = payload(row)
    stamp = int(time.time())
    headers = {"Content-Type": "application/json", "User-Agent": "Fallujah-Server-Webhooks/1"}
    headers |= signing.headers(webhooks.signing_keys(hook), row.message_id, stamp, body)
    release()  # many threads wait for receivers; none of them holds a connection meanwhile
    try:
        answer = guard.post(hook.url, body, headers)
    except guard.Refused as error:
        outbox.finish(row, "failed", f"not called: {error}")
        return
    except guard.Failed as error:
        _again(row, hook, str(error))
        return
    _judge(row, hook, answer)


def release() -> None:
    """Give the thread's connection back, unless it is in the middle of something."""
    if not connection.in_atomic_block:
        connection.close()


def payload(row: Any) -> bytes:
    """Ids only. What the match looks like is asked for with a token, so nothing hidden can leak here."""
    data: dict[str, Any] = {}
    if row.match_id is not None:
        data = {
            "match": row.match_id,
            "seat": row.seat,
            "version": row.seq,
            "url": f"/api/v1/matches/{row.match_id}",
        }
    value = {"type": f"match.{row.topic}" if data else row.topic, "timestamp": row.created_at.isoformat(), "data": data}
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def _judge(row: Any, hook: Any, answer: guard.Answer) -> None:
    said = f"{answer.status} in {answer.seconds * 1000:.0f} ms"
    if 200 <= answer.status < 300:
        outbox.finish(row, "sent", said)
    elif answer.status == 410:
        outbox.finish(row, "failed", said)
        webhooks.disable(hook, "The receiver answered 410 Gone.")
    else:
        _again(row, hook, said, _wished(answer.retry_after))


def _wished(text: str) -> float:
    """Retry-After as seconds: a number or a date, at most a day; 0 when there is none or it makes no sense."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) < 9:
        return min(int(text), MOST_PAUSE)
    try:
        seconds = (parsedate_to_datetime(text) - timezone.now()).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return 0
    return min(max(seconds, 0), MOST_PAUSE)


def _again(row: Any, hook: Any, why: str, at_least: float = 0) -> None:
    if not outbox.retry(row, why, pauses=PAUSES, at_least=at_least):
        webhooks.disable(hook, f"{ATTEMPTS} attempts failed until {timezone.now():%d %B %Y}; the last: {why}.")
        return
    pause = (row.due_at - timezone.now()).total_seconds()
    if pause <= SOON:
        enqueue_call(row.pk, seconds=pause + 0.1)

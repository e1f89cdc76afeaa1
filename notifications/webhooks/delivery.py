"""One call of a webhook: say that something happened, note what became of it."""

import json
import time
from typing import Any

from django.utils import timezone

from games.ledger import outbox, webhooks
from notifications.webhooks import guard, signing

ATTEMPTS = 10
MOST_PAUSE = 86_400


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
    headers |= signing.headers(webhooks.signing_secrets(hook), row.message_id, stamp, body)
    try:
        answer = guard.post(hook.url, body, headers)
    except guard.Refused as error:
        outbox.finish(row, "failed", f"not called: {error}")
        return
    except guard.Failed as error:
        _again(row, hook, str(error))
        return
    _judge(row, hook, answer)


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
        wait = answer.retry_after if answer.status in (429, 503) else ""
        seconds = min(int(wait), MOST_PAUSE) if wait.isascii() and wait.isdigit() and len(wait) < 9 else 0
        _again(row, hook, said, seconds)


def _again(row: Any, hook: Any, why: str, at_least: float = 0) -> None:
    if not outbox.retry(row, why, most=ATTEMPTS, at_least=at_least):
        webhooks.disable(hook, f"{ATTEMPTS} attempts failed until {timezone.now():%d %B %Y}; the last: {why}.")

"""Standard Webhooks signatures: https://www.standardwebhooks.com, scheme v1 (HMAC-SHA-256)."""

import base64
import hashlib
import hmac
from collections.abc import Iterable


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = b"%s.%d.%s" % (message_id.encode(), timestamp, body)
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def headers(secrets: Iterable[str], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """What a receiver checks; during a rotation both secrets sign."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(sign(secret, message_id, timestamp, body) for secret in secrets),
    }

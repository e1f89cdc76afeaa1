"""Standard Webhooks signatures: https://www.standardwebhooks.com, schemes v1 (HMAC-SHA-256) and v1a (ed25519)."""

import base64
import hashlib
import hmac
from collections.abc import Iterable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def _signed(message_id: str, timestamp: int, body: bytes) -> bytes:
    return b"%s.%d.%s" % (message_id.encode(), timestamp, body)


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, _signed(message_id, timestamp, body), hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def sign_openly(key: Ed25519PrivateKey, message_id: str, timestamp: int, body: bytes) -> str:
    """What anybody with the public key can check."""
    return "v1a," + base64.b64encode(key.sign(_signed(message_id, timestamp, body))).decode()


def headers(
    keys: Iterable[tuple[str, Ed25519PrivateKey]], message_id: str, timestamp: int, body: bytes
) -> dict[str, str]:
    """What a receiver checks; during a rotation the keys before sign too."""
    signatures = []
    for secret, key in keys:
        signatures.append(sign(secret, message_id, timestamp, body))
        signatures.append(sign_openly(key, message_id, timestamp, body))
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }

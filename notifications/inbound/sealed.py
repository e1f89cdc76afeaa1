"""Mail at rest: what is kept of it is encrypted with a key made from the server's own."""

import hashlib
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

_MARK = b"\x00mail1"
_NONCE = 12


def _keys() -> list[AESGCM]:
    """The present key first; older ones of the host still open what they closed."""
    given = [settings.SECRET_KEY, *getattr(settings, "SECRET_KEY_FALLBACKS", [])]
    return [AESGCM(hashlib.sha256(b"mail at rest:" + key.encode()).digest()) for key in given]


def close(raw: bytes) -> bytes:
    nonce = os.urandom(_NONCE)
    return _MARK + nonce + _keys()[0].encrypt(nonce, raw, _MARK)


def open_(kept: bytes) -> bytes:
    """The mail as it came. Rows from before mail was encrypted are read as they are."""
    if not kept.startswith(_MARK):
        return kept
    nonce, body = kept[len(_MARK) : len(_MARK) + _NONCE], kept[len(_MARK) + _NONCE :]
    for key in _keys():
        try:
            return key.decrypt(nonce, body, _MARK)
        except InvalidTag:
            continue
    raise ValueError("this mail was closed with another key")

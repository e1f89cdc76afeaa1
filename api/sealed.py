"""Repeatable answers that carry a secret: kept sealed with the credential that asked for them.

The server keeps no secret it hands out. A saved answer to `tokens_create` would hold one, so it is encrypted
with a key made of the sender's own token or session, which the server keeps only as a hash.
"""

import base64
import functools
import hashlib
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from django.http import HttpResponse
from rest_framework.request import Request

from api.base import Door, Handler, once
from api.errors import Problem
from api.wire import encode

SEALED = "Sealed"


def _box(request: Request) -> Fernet:
    session = getattr(request, "session", None)
    credential = request.headers.get("Authorization") or getattr(session, "session_key", None) or ""
    digest = hashlib.sha256(f"saved answer\0{credential}\0{request.headers.get('Idempotency-Key')}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))


def once_sealed(handler: Handler) -> Handler:
    """As `once`; what is kept can be read only by whoever asked."""

    @functools.wraps(handler)
    def inner(self: Door, request: Request, *args: Any, **kwargs: Any) -> Any:
        response = handler(self, request, *args, **kwargs)
        if response.data is not None:
            response.data = {SEALED: _box(request).encrypt(encode(response.data)).decode()}
        return response

    sealing = once(inner)  # type: ignore[type-var]

    @functools.wraps(handler)
    def wrapper(self: Door, request: Request, *args: Any, **kwargs: Any) -> Any:
        if request.headers.get("Idempotency-Key") is None:
            return handler(self, request, *args, **kwargs)
        response = sealing(self, request, *args, **kwargs)
        if isinstance(response, HttpResponse) and response.content.startswith(f'{{"{SEALED}":'.encode()):
            try:
                response.content = _box(request).decrypt(response.content.split(b'"')[3])
            except InvalidToken:
                raise Problem(
                    "idempotency-mismatch", "That key was used with another token; its answer is sealed with that one."
                ) from None
        return response

    return wrapper  # type: ignore[return-value]

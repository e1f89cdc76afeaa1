"""How many requests a minute: counted by address, by token, and by seat for what changes a match."""

import hashlib
import logging
import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from api.models import Token

logger = logging.getLogger(__name__)
WINDOW = 60
PREFIX = "limit"


class Limits(BaseThrottle):
    """A counter for each minute; what is over the limit waits for the next one."""

    _wait: float | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        now = time.time()
        window = int(now // WINDOW)
        for kind, who in _counted(request, view):
            if _count(kind, who, window) > settings.API_LIMITS[kind]:
                self._wait = (window + 1) * WINDOW - now
                return False
        return True

    def wait(self) -> float | None:
        return self._wait


def _counted(request: Request, view: Any) -> list[tuple[str, str]]:
    counted = [("address", address(request))]
    if getattr(view, "throttle_scope", "") == "sign-in":
        counted.append(("sign-in", address(request)))
    if isinstance(request.auth, Token):
        counted.append(("token", request.auth.digest))
    match_id = view.kwargs.get("match_id")
    if match_id is not None and request.method not in SAFE_METHODS and request.user.is_authenticated:
        counted.append(("seat", f"{match_id}:{request.user.pk}"))
    return counted


def address(request: Any) -> str:
    """Where the request comes from; behind a proxy what the nearest one says."""
    if settings.BEHIND_PROXY:
        told = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")[-1].strip()
        if told:
            return str(told)
    return str(request.META.get("REMOTE_ADDR", ""))


def _count(kind: str, who: str, window: int) -> int:
    name = f"{PREFIX}:{kind}:{hashlib.sha256(who.encode(errors='replace')).hexdigest()[:32]}:{window}"
    try:
        if cache.add(name, 1, WINDOW * 2):
            return 1
        return int(cache.incr(name))
    except ValueError:  # it ended between the two calls
        return 1
    except Exception as error:  # a counter that is away must not stop the games
        logger.warning("limits are not counted: %s", error)
        return 1

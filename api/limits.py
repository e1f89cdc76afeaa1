"""How many requests a minute: counted by address, by token, and by seat for what changes a match."""

import hashlib
import logging
import threading
import time
from typing import Any

import redis
from django.conf import settings
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from api.models import Token

logger = logging.getLogger(__name__)
WINDOW = 60
PREFIX = "limit"
SHARE_EVERY = 0.2  # seconds between two exchanges of a process with the others
AWAY = 5.0  # before it tries again when that has failed
Name = tuple[str, str, str]  # prefix, kind, who


class Limits(BaseThrottle):
    """A counter for each minute; what is over the limit waits for the next one."""

    _wait: float | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        now = time.time()
        counted = _counted(request, view)
        totals = COUNTERS.count([(PREFIX, kind, who) for kind, who in counted], now)
        for (kind, _), total in zip(counted, totals, strict=True):
            if total > settings.API_LIMITS[kind]:
                self._wait = (now // WINDOW + 1) * WINDOW - now
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


class Counters:
    """The counts of this minute.

    A process counts in its own memory. Where there is a Redis it adds its share there a few times a second and
    learns what the others have counted: a flood over many processes is known at most that much later, and
    a request need not wait for a counter.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._window = 0
        self._shared_at = 0.0
        self._own: dict[Name, int] = {}  # counted here and not told yet
        self._known: dict[Name, int] = {}  # what all had counted when we last asked

    def count(self, names: list[Name], now: float) -> list[int]:
        """Count one request under each name; the totals as far as they are known here."""
        window = int(now // WINDOW)
        with self._lock:
            if window != self._window:
                self._window, self._own, self._known = window, {}, {}
            for name in names:
                self._own[name] = self._own.get(name, 0) + 1
            mine = self._own if settings.COUNTER_URL and now - self._shared_at >= SHARE_EVERY else {}
            if mine:
                self._shared_at, self._own = now, {}
                for name, count in mine.items():
                    self._known[name] = self._known.get(name, 0) + count
        if mine:
            self._share(mine, window, now)
        return [self._known.get(name, 0) + self._own.get(name, 0) for name in names]

    def _share(self, mine: dict[Name, int], window: int, now: float) -> None:
        """Nobody else waits for this exchange."""
        try:
            trip = _redis().pipeline(transaction=False)
            for name, count in mine.items():
                key = _key(name, window)
                trip.incrby(key, count)
                trip.expire(key, WINDOW * 2)
            totals = trip.execute()[::2]
        except (redis.RedisError, OSError) as error:  # a counter that is away must not stop the games
            logger.warning("limits are counted by each process alone: %s", error)
            self._shared_at = now + AWAY
            return
        with self._lock:
            if window == self._window:
                self._known.update(zip(mine, map(int, totals), strict=True))


def _key(name: Name, window: int) -> str:
    prefix, kind, who = name
    return f"{prefix}:{kind}:{hashlib.sha256(who.encode(errors='replace')).hexdigest()[:32]}:{window}"


_clients: dict[str, "redis.Redis"] = {}


def _redis() -> "redis.Redis":
    url: str = settings.COUNTER_URL
    if url not in _clients:
        _clients[url] = redis.Redis.from_url(url, socket_connect_timeout=0.5, socket_timeout=0.5)
    return _clients[url]


COUNTERS = Counters()

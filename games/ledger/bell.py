"""The bell: after a commit whoever waits for a match hears of it at once. A lost ring is found by a look later."""

import logging
import os
import threading
from collections.abc import Callable
from typing import Any

import redis
from django.conf import settings

logger = logging.getLogger(__name__)
listeners: list[Callable[[int], None]] = []  # of this process


def ring(match_id: int) -> None:
    """Something has happened in a match. With Redis every process hears it, without only this one."""
    if settings.BELL_ADDRESS:
        try:
            _rope(settings.BELL_ADDRESS).pull(settings.BELL_CHANNEL, match_id)
            return
        except (redis.RedisError, OSError) as error:
            logger.warning("the bell is away, waiting streams look by themselves: %s", error)
    for listen in listeners:
        listen(match_id)


class _Rope:
    """A connection on which Redis answers nothing, so that no order waits for it."""

    def __init__(self, address: str) -> None:
        pool = redis.ConnectionPool.from_url(address, socket_timeout=1, socket_connect_timeout=1)
        self.line: Any = pool.make_connection()
        self.lock = threading.Lock()
        self.tied = False

    def pull(self, channel: str, match_id: int) -> None:
        with self.lock:
            try:
                if not self.tied:
                    self.line.connect()
                    self.line.send_command("CLIENT", "REPLY", "OFF")
                    self.tied = True
                self.line.send_command("PUBLISH", channel, match_id)
            except (redis.RedisError, OSError):
                self.tied = False
                self.line.disconnect()
                raise


_ropes: dict[tuple[int, str], _Rope] = {}


def _rope(address: str) -> _Rope:
    """One for each process: a forked child must not pull its parent's."""
    key = (os.getpid(), address)
    if key not in _ropes:
        _ropes[key] = _Rope(address)
    return _ropes[key]

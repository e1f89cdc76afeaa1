"""One look at the database for all streams of a process: it rings for those whose match has moved."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from django.conf import settings
from django.db import DatabaseError, connections

from games.ledger import selectors

logger = logging.getLogger(__name__)
T = TypeVar("T")
Key = tuple[str, int]  # ("match", id) or ("user", id)
_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="streams")


async def in_thread(work: Callable[..., T], *args: Any) -> T:
    """Database work of a stream: a few threads for all, connections given back at once."""

    def run() -> T:
        try:
            return work(*args)
        finally:
            connections.close_all()

    return await asyncio.get_running_loop().run_in_executor(_threads, run)


class Hub:
    """Who waits for what, on one event loop."""

    def __init__(self) -> None:
        self.bells: dict[Key, set[asyncio.Event]] = {}
        self.last: dict[Key, Any] = {}
        self.task: asyncio.Task[None] | None = None

    @contextmanager
    def watch(self, key: Key) -> Iterator[asyncio.Event]:
        bell = asyncio.Event()
        self.bells.setdefault(key, set()).add(bell)
        if self.task is None or self.task.done():
            self.task = asyncio.get_running_loop().create_task(self._look())
        try:
            yield bell
        finally:
            self.bells[key].discard(bell)
            if not self.bells[key]:
                del self.bells[key]
                self.last.pop(key, None)

    async def _look(self) -> None:
        while self.bells:
            await asyncio.sleep(settings.STREAM_POLL_SECONDS)
            try:
                heads = await in_thread(_heads, list(self.bells))
            except DatabaseError as error:
                logger.warning("streams wait: %s", error)
                continue
            for key, head in heads.items():
                if key not in self.last or self.last[key] != head:
                    self.last[key] = head
                    for bell in self.bells.get(key, ()):
                        bell.set()


def _heads(keys: list[Key]) -> dict[Key, Any]:
    matches = selectors.heads(number for kind, number in keys if kind == "match")
    people = selectors.heads_of(number for kind, number in keys if kind == "user")
    found: dict[Key, Any] = {("match", number): head for number, head in matches.items()}
    found.update({("user", number): head for number, head in people.items()})
    return found


_hubs: dict[int, tuple[asyncio.AbstractEventLoop, Hub]] = {}


def hub() -> Hub:
    """The hub of the running event loop; a server process has one."""
    loop = asyncio.get_running_loop()
    held = _hubs.get(id(loop))
    if held is None or held[0] is not loop:
        held = _hubs[id(loop)] = (loop, Hub())
    return held[1]

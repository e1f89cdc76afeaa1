"""What all streams of a process share: one ear for the bell, one look at the database, one answer to like questions."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

import redis.asyncio
from django.conf import settings
from django.db import DatabaseError, connections
from redis.exceptions import RedisError

from games.ledger import bell, selectors

logger = logging.getLogger(__name__)
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
Key = tuple[str, int]  # ("match", id) or ("user", id)
MOST_TOGETHER = 20  # questions that one thread answers in turn
LINGER = 5  # seconds without a stream after which the hub rests
CALM = 0.02  # seconds between two looks, however often the bell rings
_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="streams")


async def in_thread(work: Callable[..., T], *args: Any) -> T:
    """Database work of a stream: a few threads for all, connections given back at once."""

    def run() -> T:
        try:
            return work(*args)
        finally:
            connections.close_all()

    return await asyncio.get_running_loop().run_in_executor(_threads, run)


class Together(Generic[K, T]):
    """Questions that many streams ask in the same moment: equal ones are asked once, the others in one go."""

    def __init__(self, answer: Callable[[list[K]], Mapping[K, T]], patience: float, most: int) -> None:
        self.answer, self.patience, self.most = answer, patience, most
        self.waiting: dict[K, asyncio.Future[T]] = {}

    async def __call__(self, key: K) -> T:
        if not self.waiting:
            asyncio.get_running_loop().call_later(self.patience, self._start)
        if key not in self.waiting:
            self.waiting[key] = asyncio.get_running_loop().create_future()
        return await asyncio.shield(self.waiting[key])

    def _start(self) -> None:
        asked, self.waiting = list(self.waiting.items()), {}
        for start in range(0, len(asked), self.most):
            task = asyncio.get_running_loop().create_task(self._settle(dict(asked[start : start + self.most])))
            _running.add(task)
            task.add_done_callback(_running.discard)

    async def _settle(self, asked: dict[K, asyncio.Future[T]]) -> None:
        try:
            answers = await in_thread(self.answer, list(asked))
            for key, future in asked.items():
                if not future.done():
                    future.set_result(answers[key])
        except Exception as error:
            for future in asked.values():
                if not future.done():
                    future.set_exception(error)
                    future.exception()  # whoever asked may be gone


_running: set[asyncio.Task[None]] = set()  # tasks nobody else holds


class Hub:
    """Who waits for what, on one event loop."""

    def __init__(self) -> None:
        self.bells: dict[Key, set[asyncio.Event]] = {}
        self.last: dict[Key, Any] = {}
        self.task: asyncio.Task[None] | None = None
        self.nudge, self.came = asyncio.Event(), asyncio.Event()
        self.hears = False  # the bell in Redis
        self.missed = True  # it may have rung while nobody listened
        self.desks: dict[Any, Together[Any, Any]] = {}

    @contextmanager
    def watch(self, key: Key) -> Iterator[asyncio.Event]:
        own = asyncio.Event()
        self.bells.setdefault(key, set()).add(own)
        self.came.set()
        if self.task is None or self.task.done():
            self.task = asyncio.get_running_loop().create_task(self._look())
        try:
            yield own
        finally:
            self.bells[key].discard(own)
            if not self.bells[key]:
                del self.bells[key]
                self.last.pop(key, None)

    async def ask(
        self, answer: Callable[[list[K]], Mapping[K, T]], key: K, *, patience: float = 0, most: int = MOST_TOGETHER
    ) -> T:
        """The answer for one key; streams that ask in the same moment (or span of patience) are answered together."""
        desk: Together[K, T] = self.desks.setdefault((answer, patience), Together(answer, patience, most))
        return await desk(key)

    def note(self, key: Key, head: Any) -> None:
        """A stream has seen where its match stands: no need to ring for that."""
        if key in self.bells:
            self.last[key] = head

    def ring(self, match_id: int) -> None:
        """A match has moved: its own streams go and look; for people's streams one look finds whose it is."""
        for own in self.bells.get(("match", match_id), ()):
            own.set()
        if any(kind == "user" for kind, _ in self.bells):
            self.nudge.set()

    async def _look(self) -> None:
        ear = asyncio.get_running_loop().create_task(self._hear()) if settings.BELL_ADDRESS else None
        try:
            while self.bells or await self._somebody_comes():
                nudged = await self._pause()
                every = not nudged or self.missed
                self.missed = False
                await self._compare([key for key in self.bells if every or key[0] == "user"])
        finally:
            if ear is not None:
                ear.cancel()
                await asyncio.wait([ear])
            if self.bells:  # somebody came while the ear was closed
                self.task = asyncio.get_running_loop().create_task(self._look())

    async def _somebody_comes(self) -> bool:
        """The ear is kept open for a moment: after a cut the same client is back soon."""
        self.came.clear()
        try:
            async with asyncio.timeout(LINGER):
                await self.came.wait()
        except TimeoutError:
            return False
        return True

    async def _pause(self) -> bool:
        """Until something is to be looked for; True when the bell rang."""
        seconds = settings.STREAM_LOOK_SECONDS if self.hears else settings.STREAM_POLL_SECONDS
        await asyncio.sleep(min(CALM, seconds))
        try:
            await asyncio.wait_for(self.nudge.wait(), seconds)
        except TimeoutError:
            return False
        self.nudge.clear()
        return True

    async def _compare(self, keys: list[Key]) -> None:
        try:
            heads = await in_thread(_heads, keys)
        except DatabaseError as error:
            logger.warning("streams wait: %s", error)
            return
        except Exception:
            logger.exception("streams wait")
            return
        for key, head in heads.items():
            if key in self.bells and self.last.get(key) != head:
                self.last[key] = head
                for own in self.bells[key]:
                    own.set()

    async def _hear(self) -> None:
        """The bell of all processes, for as long as Redis is there."""
        try:
            while True:
                with contextlib.suppress(RedisError, OSError):
                    await self._listen()
                self.hears = False
                await asyncio.sleep(1)
        finally:
            self.hears = False

    async def _listen(self) -> None:
        async with redis.asyncio.Redis.from_url(settings.BELL_ADDRESS) as server, server.pubsub() as ear:
            await ear.subscribe(settings.BELL_CHANNEL)
            while True:
                heard = await ear.get_message(timeout=None)
                if heard is None:
                    continue
                if heard["type"] == "subscribe":
                    self.hears = self.missed = True
                    self.nudge.set()
                elif heard["type"] == "message":
                    self.ring(int(heard["data"]))


def _heads(keys: list[Key]) -> dict[Key, Any]:
    matches = [number for kind, number in keys if kind == "match"]
    people = [number for kind, number in keys if kind == "user"]
    found: dict[Key, Any] = {}
    if matches:
        found.update({("match", number): head for number, head in selectors.heads(matches).items()})
    if people:
        found.update({("user", number): head for number, head in selectors.heads_of(people).items()})
    return found


_hubs: dict[int, tuple[asyncio.AbstractEventLoop, Hub]] = {}


def hub() -> Hub:
    """The hub of the running event loop; a server process has one."""
    loop = asyncio.get_running_loop()
    held = _hubs.get(id(loop))
    if held is None or held[0] is not loop:
        held = _hubs[id(loop)] = (loop, Hub())
    return held[1]


def rung(match_id: int) -> None:
    """A commit of this process, told by whatever thread made it."""
    for loop, one in list(_hubs.values()):
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(one.ring, match_id)


bell.listeners.append(rung)

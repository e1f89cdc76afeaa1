"""A few calls of one webhook at a time: the rest stand in line and take no thread from others."""

import logging
import threading
from collections.abc import Callable

logger = logging.getLogger(__name__)
WIDTH = 2
LONGEST = 1000  # what does not fit is found by the sweep


class Lanes:
    """Lanes by number. Whoever finds a lane full leaves the work to those who are in it."""

    def __init__(self, work: Callable[[int], None], width: int = WIDTH) -> None:
        self.work, self.width = work, width
        self.lock = threading.Lock()
        self.busy: dict[int, int] = {}
        self.lines: dict[int, dict[int, None]] = {}  # in order, each once

    def run(self, lane: int, item: int) -> None:
        """Do the work now, or leave it in line; then whatever has come into line meanwhile."""
        if not self._enter(lane, item):
            return
        todo: int | None = item
        while todo is not None:
            try:
                self.work(todo)
            except Exception:
                logger.exception("call %s of webhook %s", todo, lane)  # its claim runs out, then the sweep
            todo = self._next(lane)

    def _enter(self, lane: int, item: int) -> bool:
        with self.lock:
            if self.busy.get(lane, 0) < self.width:
                self.busy[lane] = self.busy.get(lane, 0) + 1
                return True
            line = self.lines.setdefault(lane, {})
            if len(line) < LONGEST:
                line.setdefault(item)
            return False

    def _next(self, lane: int) -> int | None:
        with self.lock:
            line = self.lines.get(lane)
            if line:
                item = next(iter(line))
                del line[item]
                return item
            self.lines.pop(lane, None)
            self.busy[lane] -= 1
            if not self.busy[lane]:
                del self.busy[lane]
            return None

"""Processes in which bots think, kept from one question to the next, and ended when they fail.

Each thread of a worker has one of its own. The worker only waits: it keeps its lease alive meanwhile, and
kills what does not answer in time together with everything it has started.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import msgspec
from django.conf import settings

from games.bots.thinker import HEAD, MOST_BYTES, Answer, Question, frame

ENDINGS = {-signal.SIGXCPU: "time", -signal.SIGALRM: "time", -signal.SIGKILL: "killed"}
_own = threading.local()


class Failed(Exception):
    """A bot gave no usable answer: `kind` is time, memory, raised, garbage, killed, ended or illegal."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind, self.detail = kind, detail


class Mind:
    """One child process. Any failure ends it; the next question gets a new one."""

    def __init__(self) -> None:
        self.asked = 0
        command = [
            sys.executable, "-m", "games.bots.thinker", "--parent", str(os.getpid()),
            "--memory", str(settings.BOT_MEMORY_MB), "--nice", str(settings.BOT_NICE),
            "--idle", str(settings.BOT_IDLE_SECONDS),
        ]  # fmt: skip
        for spec in settings.BOT_CLASSES:
            command += ["--bot", spec]
        # No variable of the server is handed on: keys and passwords are none of a bot's business. Sets of words
        # come in the same order in every process, so that the same question gives the same answer.
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LANG", "TZ") if name in os.environ}
        self.child = subprocess.Popen(  # noqa: S603 - our own module
            command,
            cwd=settings.BASE_DIR,
            env={**kept, "PYTHONHASHSEED": "0"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        self.sink, self.source = self.child.stdin.fileno(), self.child.stdout.fileno()
        os.set_blocking(self.sink, False)  # a stopped child must not stop us

    def ask(self, question: Question, waiting: Callable[[], None], every: float) -> Answer:
        """The answer; `waiting` is called now and then, and may raise to give the question up."""
        self.asked += 1
        question.number = self.asked
        try:
            return self._ask(question, waiting, every)
        except BaseException:
            self.end()
            raise

    def _ask(self, question: Question, waiting: Callable[[], None], every: float) -> Answer:
        unsent, got = memoryview(frame(question)), bytearray()
        until = time.monotonic() + question.wall_seconds
        with selectors.DefaultSelector() as ready:
            ready.register(self.source, selectors.EVENT_READ)
            ready.register(self.sink, selectors.EVENT_WRITE)
            while (left := until - time.monotonic()) > 0:
                events = ready.select(min(left, every))
                if not events:
                    waiting()
                for key, _ in events:
                    if key.fd == self.sink:
                        unsent = self._send(unsent)
                        if not unsent:
                            ready.unregister(self.sink)
                    elif self._receive(got):
                        return self._read(question, bytes(got))
        raise Failed("time", f"no answer in {question.wall_seconds:g} s")

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[os.write(self.sink, unsent) :]
        except BlockingIOError:
            return unsent
        except BrokenPipeError:
            raise self._ending() from None

    def _receive(self, got: bytearray) -> bool:
        """True when the whole answer is there."""
        part = os.read(self.source, MOST_BYTES)
        if not part:
            raise self._ending()
        got += part
        if len(got) >= HEAD.size and HEAD.unpack_from(got)[0] > MOST_BYTES:
            raise Failed("garbage", "the answer is too long")
        return len(got) >= HEAD.size and len(got) >= HEAD.size + HEAD.unpack_from(got)[0]

    def _ending(self) -> Failed:
        """Why the child is gone; asked before it is reaped, so that its group can still be named."""
        until = time.monotonic() + 1
        while time.monotonic() < until:
            status = os.waitid(os.P_PID, self.child.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
            if status is not None:
                code = -status.si_status if status.si_code != os.CLD_EXITED else status.si_status
                return Failed(ENDINGS.get(code, "ended"), f"the bot's process has ended (code {code})")
            time.sleep(0.01)
        return Failed("garbage", "the bot has closed its connection")

    @staticmethod
    def _read(question: Question, got: bytes) -> Answer:
        try:
            answer = msgspec.msgpack.decode(got[HEAD.size :], type=Answer)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise Failed("garbage", str(error)[:300]) from None
        if answer.number != question.number:
            raise Failed("garbage", "an answer to another question")
        if answer.fault:
            raise Failed(answer.fault, answer.detail)
        return answer

    def alive(self) -> bool:
        """Whether it waits for a question: it ends by itself after a long pause."""
        return os.waitid(os.P_PID, self.child.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None

    def end(self) -> None:
        """Kill it and all it has started; the group first, while its number is surely its own."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()
        for pipe in (self.child.stdin, self.child.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()


def ask(question: Question, waiting: Callable[[], None], every: float) -> Answer:
    """Put a question to the process of this thread; raises Failed, or whatever `waiting` raises."""
    mind: Mind | None = getattr(_own, "mind", None)
    if mind is not None and (mind.asked >= settings.BOT_QUESTIONS or not mind.alive()):
        dismiss()
        mind = None
    if mind is None:
        return _ask(_new(), question, waiting, every)
    try:
        return _ask(mind, question, waiting, every)
    except Failed as failed:
        if failed.kind != "ended":
            raise
        # It may have gone home just before it was asked: that is nobody's failure.
        return _ask(_new(), question, waiting, every)


def _new() -> Mind:
    try:
        return Mind()
    except OSError as error:  # no memory or no process left on this machine
        raise Failed("ended", f"no process to think in: {error}") from error


def _ask(mind: Mind, question: Question, waiting: Callable[[], None], every: float) -> Answer:
    _own.mind = None
    answer = mind.ask(question, waiting, every)
    _own.mind = mind
    return answer


def dismiss() -> None:
    """End the process of this thread, if it has one."""
    mind: Mind | None = getattr(_own, "mind", None)
    if mind is not None:
        _own.mind = None
        mind.end()

"""A person at a terminal: a real pseudo-terminal, read like a screen, typed into like a keyboard."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

from tests.live import ROOT

_CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07]*\x07|\x1b[()][A-Z0-9]|\r")


class Tty:
    """`python -m fallujah_client` with some arguments, 100 columns wide."""

    def __init__(self, *arguments: str, tokens: Path, **environment: str) -> None:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
        env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "HOME": str(tokens.parent)}
        env |= {"FALLUJAH_TOKENS": str(tokens), "COLUMNS": "100", "LINES": "50", "LANG": "C.UTF-8", **environment}
        self.child = subprocess.Popen(
            [sys.executable, "-m", "fallujah_client", *arguments],
            cwd=ROOT, env=env, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(slave, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)
        self.master, self.raw, self.read = master, b"", 0

    @property
    def text(self) -> str:
        return _CODES.sub("", self.raw.decode(errors="replace"))

    def _more(self, seconds: float) -> bool:
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        with contextlib.suppress(OSError):
            got = os.read(self.master, 65536)
            self.raw += got
            return bool(got)
        return False

    def until(self, *words: str, seconds: float = 60) -> str:
        """What has appeared since last time, up to and with the first of these words."""
        until = time.monotonic() + seconds
        while not (
            found := [(self.text.find(word, self.read), word) for word in words if word in self.text[self.read :]]
        ):
            assert time.monotonic() < until, f"{words!r} did not appear:\n{self.text[self.read :]}"
            if not self._more(0.1) and self.child.poll() is not None and not self._more(0):
                raise AssertionError(f"ended before {words!r}:\n{self.text[self.read :]}")
        start, word = min(found)
        shown, self.read = self.text[self.read : start + len(word)], start + len(word)
        return shown

    def type(self, line: str) -> None:
        os.write(self.master, f"{line}\n".encode())

    def interrupt(self) -> None:
        os.write(self.master, b"\x03")

    def end(self) -> int:
        """Wait until it is over; its exit code."""
        while self._more(0.2) or self.child.poll() is None:
            pass
        os.close(self.master)
        return int(self.child.wait(30))

    def __enter__(self) -> "Tty":
        return self

    def __exit__(self, *error: Any) -> None:
        if self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGKILL)
            self.child.wait()
        with contextlib.suppress(OSError):
            os.close(self.master)

"""One command for a small machine: web server, worker and scheduler as children of one process."""

import http.client
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from types import FrameType

GRACE_SECONDS = 8


class Supervisor:
    """Starts children in sessions of their own, stops them all together, leaves no straggler."""

    def __init__(self, children: Mapping[str, Sequence[str]], environment: dict[str, str]) -> None:
        self.commands = children
        self.environment = environment
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.stopping = False

    def start(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._asked_to_stop)
        for name, command in self.commands.items():
            self.running[name] = subprocess.Popen(  # noqa: S603 - commands are written in serve.py
                command, env=self.environment, start_new_session=True
            )

    def _asked_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True

    def wait_for(self, url: str, seconds: float = 60) -> bool:
        """True once the page answers; False when a child died or we were stopped first."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.stopping and not self._dead():
            try:
                with urllib.request.urlopen(url, timeout=2):  # noqa: S310 - our own loopback address
                    return True
            except urllib.error.HTTPError:
                return True
            except (OSError, http.client.HTTPException):
                time.sleep(0.2)
        return False

    def _dead(self) -> str:
        return next((name for name, child in self.running.items() if child.poll() is not None), "")

    def watch(self) -> int:
        """Until Ctrl-C or the death of a child; then everything stops. The exit code to give."""
        while not self.stopping:
            name = self._dead()
            if name:
                print(f"{name} has ended (code {self.running[name].returncode}); stopping the rest.", file=sys.stderr)
                self.stop()
                return 1
            time.sleep(0.2)
        self.stop()
        return 0

    def stop(self) -> None:
        self.stopping = True
        for child in self.running.values():
            child.terminate()  # the leader alone: it brings its pool to a quiet end
        until = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < until and any(child.poll() is None for child in self.running.values()):
            time.sleep(0.1)
        for child in self.running.values():
            _signal(child, signal.SIGKILL)  # the whole session: pool processes may outlive their parent
            child.wait()


def _signal(child: subprocess.Popen[bytes], number: int) -> None:
    try:
        os.killpg(child.pid, number)
    except ProcessLookupError:
        return

"""One process that looks after the others on a small machine: web server, workers, scheduler.

`manage.py serve` turns into it, so it imports nothing of the server and stays small. A child that dies is started
again, one that has been stopped is killed first; only when one keeps dying does everything end.
"""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

GRACE_SECONDS = 8
STOPPED_SECONDS = 5  # a child that stands still for so long is of no use to anybody
MOST_DEATHS, IN_SECONDS = 5, 60  # of one child; more often means that it cannot run here


class Supervisor:
    """Starts children in sessions of their own, stops them all together, leaves no straggler."""

    def __init__(self, children: Mapping[str, Sequence[str]], environment: dict[str, str]) -> None:
        self.commands = children
        self.environment = environment
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.deaths: dict[str, list[float]] = {name: [] for name in children}
        self.still_since: dict[str, float] = {}
        self.stopping = False

    def start(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._asked_to_stop)
        for name in self.commands:
            self._start(name)

    def _start(self, name: str) -> None:
        self.running[name] = subprocess.Popen(  # noqa: S603 - commands are written in serve.py
            self.commands[name], env=self.environment, start_new_session=True
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
        """Until Ctrl-C or a child that cannot be kept alive; then everything stops. The exit code to give."""
        while not self.stopping:
            name = self._dead()
            if name and not self._start_again(name):
                self.stop()
                return 1
            self._kill_the_stopped()
            time.sleep(0.2)
        self.stop()
        return 0

    def _start_again(self, name: str) -> bool:
        child, now = self.running[name], time.monotonic()
        _signal(child, signal.SIGKILL)  # what it has left behind of its pool
        self.deaths[name] = [at for at in self.deaths[name] if at > now - IN_SECONDS] + [now]
        words = f"{name} has ended (code {child.returncode})"
        if len(self.deaths[name]) >= MOST_DEATHS:
            print(f"{words} {MOST_DEATHS} times in {IN_SECONDS} s; stopping the rest.", file=sys.stderr)
            return False
        print(f"{words}; starting it again.", file=sys.stderr)
        time.sleep(0.2 * len(self.deaths[name]))
        self._start(name)
        return True

    def _kill_the_stopped(self) -> None:
        now = time.monotonic()
        for name, child in self.running.items():
            if not _is_stopped(child.pid):
                self.still_since.pop(name, None)
            elif now - self.still_since.setdefault(name, now) > STOPPED_SECONDS:
                _signal(child, signal.SIGKILL)

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


def _is_stopped(pid: int) -> bool:
    """By SIGSTOP; where there is no /proc nobody can tell."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    except (OSError, IndexError):
        return False


def main(job: dict[str, Any]) -> int:
    supervisor = Supervisor(job["children"], dict(os.environ))
    supervisor.start()
    try:
        if supervisor.wait_for(job["url"]):
            print(job["greeting"], flush=True)
        code = supervisor.watch()
    finally:
        supervisor.stop()
    print("Stopped.", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))

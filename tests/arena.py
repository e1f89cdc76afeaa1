"""A whole server of real processes that may be killed or stopped at any moment, and people who go on playing.

Used by the chaos tests, and at full size by bench/kills.py.
"""

import contextlib
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path
from typing import Any

from tests.history import Op
from tests.run import free_port

ROOT = Path(__file__).resolve().parent.parent


def database_url() -> str:
    """The address of the database this process uses, for others."""
    from django.db import connection

    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    return f"postgresql://{database['USER']}@{database['HOST']}:{database['PORT']}/{database['NAME']}"


class Arena:
    """Web server, a worker for people and two for bots, each started again when it has been killed."""

    def __init__(self, var: Path, database: str, **settings: str) -> None:
        self.port, self.var = free_port(), var
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "fallujah_server.settings",
            "FALLUJAH_DATABASE_URL": database,
            "FALLUJAH_VAR": str(var),
            "FALLUJAH_SWEEP_SECONDS": "1",
            "FALLUJAH_CLAIM_SECONDS": "5",
            "FALLUJAH_BOT_LEASE_SECONDS": "3",
            "FALLUJAH_DATABASE_IDLE_SECONDS": "5",
            "FALLUJAH_LOG_LEVEL": "WARNING",
            "FALLUJAH_LIMIT_ADDRESS": "100000000",
            "FALLUJAH_LIMIT_TOKEN": "100000000",
            "FALLUJAH_LIMIT_SEAT": "100000000",
            "PYTHONWARNINGS": "ignore",
            **settings,
        }
        celery = ["-m", "celery", "-A", "fallujah_server", "--quiet", "worker", "-l", "WARNING"]
        celery += ["--without-gossip", "--without-mingle"]
        bots = [*celery, "-Q", "bots", "--pool", "threads", "-c", "2"]
        self.commands = {
            "web": [
                "-m", "gunicorn", "fallujah_server.wsgi:application", "-b", f"127.0.0.1:{self.port}", "-w", "2",
                "-k", "gthread", "--threads", "4", "--log-level", "critical",
            ],
            "people": [*celery, "-Q", "people,webhooks", "-c", "1", "-B", "-n", "people@%h"],
            "bots1": [*bots, "-n", "bots1@%h"],
            "bots2": [*bots, "-n", "bots2@%h"],
        }  # fmt: skip
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> "Arena":
        for name in self.commands:
            self.start(name)
        return self

    def __exit__(self, *problem: object) -> None:
        for name in self.running:
            self.kill(name)

    def start(self, name: str) -> None:
        with (self.var / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                [sys.executable, *self.commands[name]],
                cwd=ROOT,
                env=self.environment,
                start_new_session=True,
                stdout=log,
                stderr=log,
            )

    def kill(self, name: str) -> None:
        """As if its power were cut: the whole group at once."""
        child = self.running[name]
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()

    def kill_a_web_worker(self, rng: random.Random) -> None:
        """One of gunicorn's two; its master starts another."""
        below = [pid for pid, parent, _ in processes() if parent == self.running["web"].pid]
        if below:
            _send(rng.choice(below), signal.SIGKILL)

    def thinkers(self) -> list[int]:
        """The processes in which bots think just now."""
        ours = {child.pid for child in self.running.values()}
        return [pid for pid, parent, words in processes() if parent in ours and "games.bots.thinker" in words]

    def disturb_bots(self, rng: random.Random) -> str:
        """Kill or stop a bot worker or a thinking process; what was done."""
        kind = rng.choice(["kill worker", "stop worker", "kill thinker", "stop thinker"])
        name = rng.choice(["bots1", "bots2"])
        thinkers = self.thinkers()
        if kind == "kill worker":
            self.kill(name)
            self.start(name)
        elif kind == "stop worker":
            _send(self.running[name].pid, signal.SIGSTOP)
            time.sleep(rng.uniform(0.2, 4.5))  # sometimes longer than a lease
            _send(self.running[name].pid, signal.SIGCONT)
        elif thinkers:
            _send(rng.choice(thinkers), signal.SIGKILL if kind == "kill thinker" else signal.SIGSTOP)
        return kind


def processes() -> list[tuple[int, int, str]]:
    """Number, parent and command of every process, from /proc."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            found.append((int(folder.name), parent, (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()))
    return found


def _send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


class Player(threading.Thread):
    """Reads and plays matches over HTTP; sends an order again, with the same key, until it is acknowledged."""

    def __init__(self, number: int, port: int, token: str, matches: list[int], stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.rng = random.Random(number)
        self.port, self.stop = port, stop
        self.headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
        self.matches = matches  # shared: several people play the same matches and are in one another's way
        self.ops: list[Op] = []
        self.taken = 0  # orders acknowledged
        self.problems: list[str] = []
        self.wire: http.client.HTTPConnection | None = None

    def run(self) -> None:
        while not self.stop.is_set() and list(self.matches):
            try:
                self._once(self.rng.choice(list(self.matches)))
            except (AssertionError, KeyError, ValueError) as error:
                self.problems.append(f"{type(error).__name__}: {error}")
                return

    def ask(self, verb: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, Any]] | None:
        """Status and body, or None when no whole answer came."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            if self.wire is None:
                self.wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=40)
            text = None if body is None else json.dumps(body)
            self.wire.request(verb, f"/api/v1/{path}", text, {**self.headers, **named})
            answer = self.wire.getresponse()
            said = answer.read()
            return answer.status, json.loads(said) if said.startswith(b"{") else {}
        except (OSError, http.client.HTTPException):
            if self.wire is not None:
                self.wire.close()
            self.wire = None
            time.sleep(0.05)
            return None

    def _once(self, match: int) -> None:
        called = time.monotonic()
        got = self.ask("GET", f"matches/{match}/decision?seat=american")
        if got is None or got[0] >= 500:
            return
        assert got[0] == 200, got
        decision = got[1]
        version = int(decision["version"])
        self.ops.append(Op("read", match, version, called, time.monotonic()))
        if not decision["asked"]:
            with contextlib.suppress(ValueError):
                self.matches.remove(match)
            return
        action = self.rng.choice(decision["actions"])["action"]
        self._order(match, version, action)

    def _order(self, match: int, version: int, action: list[Any]) -> None:
        key, called, mark = str(uuid.uuid4()), time.monotonic(), f'"{version}"'
        while not self.stop.is_set():
            path = f"matches/{match}/orders?seat=american"
            got = self.ask("POST", path, {"orders": [action]}, Idempotency_Key=key, If_Match=mark)
            if got is None or got[0] >= 500 or got[0] == 409:
                continue  # not known: the same key again
            status, said = got
            assert status in (200, 201, 412, 422), got
            if status in (200, 201):
                self.taken += 1
                self.ops.append(Op("append", match, int(said["entries"][0]), called, time.monotonic(), tuple(action)))
            return
        self.ops.append(Op("unknown", match, version + 1, called, time.monotonic(), tuple(action)))

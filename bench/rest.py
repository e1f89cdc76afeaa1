"""Accepted orders a second over HTTP, against the least a Django, DRF and PostgreSQL server could do.

    python bench/rest.py [--seconds 5] [--rounds 3] [--clients 8] [--check]

Both servers run on gunicorn with the same workers and threads on the same throw-away PostgreSQL, one after the
other, in turns. The floor locks a row and inserts one; ours signs people in, checks rules, rolls fair dice, links
the entry, seals and stores the state, and queues the notices. The figure is the ratio of the medians.
"""

import argparse
import contextlib
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
GAMES = 6  # matches of a client
Job = list[tuple[str, bytes]]
FLOOR_SHARE = 0.10  # with --check: at least this part of the floor's rate


class Target:
    """A server with a path and bodies for each client."""

    def __init__(self, port: int, headers: dict[str, str], jobs: list[Job]) -> None:
        self.port, self.headers, self.jobs = port, headers, jobs
        self.next = [0] * len(jobs)

    def load(self, seconds: float) -> tuple[float, float]:
        """Accepted requests a second, and the 95th percentile in milliseconds."""
        times: list[float] = []
        until = time.monotonic() + seconds
        threads = [threading.Thread(target=self._client, args=(n, until, times)) for n in range(len(self.jobs))]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took = time.monotonic() - began
        return len(times) / took, statistics.quantiles(times, n=20)[18] * 1000

    def _client(self, number: int, until: float, times: list[float]) -> None:
        job = self.jobs[number]
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        while time.monotonic() < until:
            if self.next[number] == len(job):
                print("a client ran out of matches; raise GAMES", flush=True)
                os._exit(1)
            began = time.monotonic()
            path, body = job[self.next[number]]
            wire.request("POST", path, body, {**self.headers, "Content-Type": "application/json"})
            answer = wire.getresponse()
            said = answer.read()
            if answer.status not in (200, 201):
                print(f"{path}: {body!r}: {answer.status} {said[:300]!r}", flush=True)
                os._exit(1)
            self.next[number] += 1
            times.append(time.monotonic() - began)
        wire.close()


def free_port() -> int:
    from tests.run import free_port as free

    return free()


@contextlib.contextmanager
def gunicorn(app: str, port: int, environment: dict[str, str], folder: Path) -> Iterator[None]:
    command = [sys.executable, "-m", "gunicorn", app, "-b", f"127.0.0.1:{port}", "-w", "2", "-k", "gthread"]
    command += ["--threads", "4", "--log-level", "error", "--keep-alive", "60"]
    server = subprocess.Popen(command, cwd=folder, env={**os.environ, **environment})
    try:
        _until_open(port)
        yield
    finally:
        server.terminate()
        server.wait()


def _until_open(port: int) -> None:
    import socket

    for _ in range(300):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise SystemExit("the server did not start")


def matches(clients: int) -> tuple[dict[str, str], list[Job]]:
    """Running matches for each client, with the orders that will play them to the end."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from django.contrib.auth import get_user_model

    from api.tokens import token_make
    from games.ledger import services

    user: Any = get_user_model().objects.create_user("bench", "bench@example.org", "bench bench bench")
    jobs: list[Job] = []
    for number in range(clients):
        job: Job = []
        for game in range(GAMES):
            match = services.match_create(user=user, ruleset="card_assault")
            path = f"/api/v1/matches/{match.pk}/orders"
            job += [(path, _body(action)) for action in rehearsed(match.pk, number * GAMES + game)]
        jobs.append(job)
    return {"Authorization": f"Token {token_make(user=user)[1]}"}, jobs


def rehearsed(match_id: int, seed: int) -> list[list[Any]]:
    """The actions of a whole random match. The same orders give the same dice, so they can be sent later."""
    from django.db import transaction

    from games.kernel.steps import legal, owed
    from games.ledger.play import locked

    rng, actions = random.Random(seed), []
    with transaction.atomic():
        hand = locked(match_id)
        while owed(hand.g):
            action = rng.choice(legal(hand.g, "american"))
            hand.act("american", action, "player")
            actions.append(list(action))
        transaction.set_rollback(True)
    return actions


def _body(action: list[Any]) -> bytes:
    return json.dumps({"orders": [action]}).encode()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    from tests.run import a_postgres

    with a_postgres() as url:
        if url is None:
            print("NOT RUN: no PostgreSQL could be reached or started.")
            return 0
        return compare(url, given)


def compare(url: str, given: argparse.Namespace) -> int:
    import psycopg

    name = f"fallujah_bench_{os.getpid()}"
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{name}"')  # type: ignore[call-overload]
    try:
        return _compare(url.rsplit("/", 1)[0] + f"/{name}", name, urlsplit(url).port or 5432, given)
    finally:
        from django.db import connections

        connections["default"].close_pool()  # type: ignore[attr-defined]
        with psycopg.connect(url, autocommit=True) as admin:
            admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')  # type: ignore[call-overload]


def _compare(database: str, name: str, postgres: int, given: argparse.Namespace) -> int:
    environment = {
        "FALLUJAH_VAR": tempfile.mkdtemp(prefix="fallujah-bench-"),
        "FALLUJAH_DATABASE_URL": database,
        "FALLUJAH_LOG_LEVEL": "ERROR",
        "FALLUJAH_LIMIT_ADDRESS": "100000000",
        "FALLUJAH_LIMIT_TOKEN": "100000000",
        "FALLUJAH_LIMIT_SEAT": "100000000",
        "DJANGO_SETTINGS_MODULE": "fallujah_server.settings",
    }
    os.environ.update(environment)
    headers, jobs = matches(given.clients)
    floor_environment = {"FLOOR_DATABASE": name, "FLOOR_PORT": str(postgres)}
    subprocess.run(
        [sys.executable, "floor_app.py", str(given.clients)],
        cwd=ROOT / "bench",
        env={**os.environ, **floor_environment},
        check=True,
    )
    ports = free_port(), free_port()
    floor_jobs = [[(f"/append/{n + 1}", body) for _, body in jobs[n]] * 20 for n in range(given.clients)]
    floor, ours = Target(ports[0], {}, floor_jobs), Target(ports[1], headers, jobs)
    rates: dict[str, list[float]] = {"floor": [], "ours": []}
    tails: dict[str, list[float]] = {"floor": [], "ours": []}
    with (
        gunicorn("floor_app:application", ports[0], floor_environment, ROOT / "bench"),
        gunicorn("fallujah_server.wsgi:application", ports[1], environment, ROOT),
    ):
        for target in (floor, ours):
            target.load(1)  # warm
        for _ in range(given.rounds):
            for label, target in (("floor", floor), ("ours", ours)):
                rate, tail = target.load(given.seconds)
                rates[label].append(rate)
                tails[label].append(tail)
    low, high = statistics.median(rates["ours"]), statistics.median(rates["floor"])
    print(f"floor: {high:7.0f} requests/s, p95 {statistics.median(tails['floor']):6.1f} ms")
    print(f"ours:  {low:7.0f} accepted orders/s, p95 {statistics.median(tails['ours']):6.1f} ms")
    print(f"ours is {low / high:.2f} of the floor ({given.clients} clients, {given.rounds} rounds)")
    return int(given.check and low / high < FLOOR_SHARE)


if __name__ == "__main__":
    sys.exit(main())

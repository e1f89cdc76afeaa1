"""What the server benchmarks share: a throw-away database, servers, clients, and figures side by side."""

import asyncio
import contextlib
import json
import os
import random
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
WORKERS, THREADS = 2, 16
Send = Callable[[int], bytes | None]  # the n-th request of a client; None: it has no more


class Figures(NamedTuple):
    """One round: requests a second, and milliseconds at three percentiles."""

    rate: float
    p50: float
    p95: float
    p99: float


class Refused(RuntimeError):
    """A server did not accept what it should have."""


# --- clients ---------------------------------------------------------------------------------------------


def request(method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
    lines += ["Content-Type: application/json"] if body else []
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


def always(sent: bytes) -> Send:
    """The same request again and again."""
    return lambda _: sent


async def _client(port: int, send: Send, until: float, times: list[float]) -> None:
    """One kept connection; the next request goes out when the last is answered. Raw, so that it costs little."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for number in range(1_000_000):
        wanted = send(number) if time.perf_counter() < until else None
        if wanted is None:
            break
        began = time.perf_counter()
        writer.write(wanted)
        head = await reader.readuntil(b"\r\n\r\n")
        body = await _body(reader, head.lower())
        times.append(time.perf_counter() - began)
        if head[9:10] != b"2":
            raise Refused(f"{wanted[:200]!r}: {head[:80]!r} {body[:400]!r}")
    writer.close()


async def _body(reader: asyncio.StreamReader, head: bytes) -> bytes:
    at = head.find(b"content-length:")
    if at >= 0:
        return await reader.readexactly(int(head[at + 15 : head.index(b"\r\n", at)]))
    body = b""
    while b"chunked" in head and (size := int(await reader.readline(), 16)):
        body += (await reader.readexactly(size + 2))[:-2]
    await reader.readline()
    return body


async def _all(port: int, sends: Sequence[Send], seconds: float, times: list[float]) -> float:
    began = time.perf_counter()
    await asyncio.gather(*(_client(port, send, began + seconds, times) for send in sends))
    return time.perf_counter() - began


def load(port: int, sends: Sequence[Send], seconds: float) -> Figures:
    """All clients at once for some seconds."""
    times: list[float] = []
    took = asyncio.run(_all(port, sends, seconds, times))
    cuts = statistics.quantiles(times if len(times) > 1 else times * 2, n=100)  # a cold server may answer once only
    return Figures(len(times) / took, cuts[49] * 1000, cuts[94] * 1000, cuts[98] * 1000)


def rounds(subjects: dict[str, Callable[[], Figures]], times: int) -> dict[str, list[Figures]]:
    """Each in turn, again and again: neighbours in time share the same noise."""
    found: dict[str, list[Figures]] = {name: [] for name in subjects}
    for _ in range(times):
        for name, run in subjects.items():
            found[name].append(run())
    return found


def told(found: dict[str, list[Figures]], floor: str, unit: str) -> dict[str, tuple[float, float]]:
    """Print medians beside the floor's; for each other subject the median ratios of rate and of p99."""
    ratios: dict[str, tuple[float, float]] = {}
    for name, figures in found.items():
        middle = [statistics.median(values) for values in zip(*figures, strict=True)]
        line = (
            f"  {name:26} {middle[0]:7.0f} {unit}, p50 {middle[1]:6.1f}, p95 {middle[2]:6.1f}, p99 {middle[3]:6.1f} ms"
        )
        if name != floor:
            pairs = list(zip(figures, found[floor], strict=True))
            rate = statistics.median(own.rate / other.rate for own, other in pairs)
            tail = statistics.median(own.p99 / other.p99 for own, other in pairs)
            ratios[name] = (rate, tail)
            line += f"   {rate:.2f} of the floor, p99 {tail:.2f}x"
        print(line, flush=True)
    return ratios


# --- servers ---------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def gunicorn(app: str, environment: dict[str, str], folder: Path, workers: int = WORKERS) -> Iterator[int]:
    """A server on a free port, like the floor's in every option."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", app, "-b", f"127.0.0.1:{port}", "-w", str(workers), "-k", "gthread"]
    command += ["--threads", str(THREADS), "--log-level", "error", "--keep-alive", "60"]
    with running(command, environment, folder):
        for _ in range(300):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        else:
            raise SystemExit("the server did not start")
        yield port


@contextlib.contextmanager
def running(command: list[str], environment: dict[str, str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(command, cwd=folder, env={**os.environ, **environment})
    try:
        yield child
    finally:
        child.terminate()
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


class Place(NamedTuple):
    """A throw-away database with its tables, and the settings of servers that use it."""

    environment: dict[str, str]
    floor: dict[str, str]


@contextlib.contextmanager
def place() -> Iterator[Place | None]:
    """PostgreSQL, and Redis where there is one; None (and a word) when no PostgreSQL can be had."""
    from tests.run import a_postgres, a_redis

    with a_postgres() as url, a_redis() as queue:
        if url is None:
            print("NOT RUN: no PostgreSQL could be reached or started.")
            yield None
            return
        name = f"fallujah_bench_{os.getpid()}_{secrets.token_hex(3)}"
        prefix = f"{name}-"
        with _database(url, name), tempfile.TemporaryDirectory(prefix="fallujah-bench-") as folder:
            environment = {
                "FALLUJAH_VAR": folder,
                "FALLUJAH_DATABASE_URL": url.rsplit("/", 1)[0] + f"/{name}",
                "FALLUJAH_DATABASE_POOL": str(THREADS),
                "FALLUJAH_REDIS_URL": queue or "",
                "FALLUJAH_QUEUE_PREFIX": prefix,
                "FALLUJAH_LOG_LEVEL": "ERROR",
                "FALLUJAH_LIMIT_ADDRESS": "100000000",
                "FALLUJAH_LIMIT_TOKEN": "100000000",
                "FALLUJAH_LIMIT_SEAT": "100000000",
                "DJANGO_SETTINGS_MODULE": "fallujah_server.settings",
                "PYTHONWARNINGS": "ignore",
            }
            os.environ.update(environment)
            try:
                yield Place(environment, {"FLOOR_DATABASE": name, "FLOOR_PORT": str(urlsplit(url).port or 5432)})
            finally:
                _forget(queue, prefix)


@contextlib.contextmanager
def _database(url: str, name: str) -> Iterator[None]:
    import psycopg

    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{name}"')  # type: ignore[call-overload]
        try:
            yield
        finally:
            if "django" in sys.modules:
                from django.db import connections

                connections["default"].close_pool()  # type: ignore[attr-defined]
            admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')  # type: ignore[call-overload]


def _forget(queue: str | None, prefix: str) -> None:
    """Messages nobody will read."""
    if queue:
        import redis

        client = redis.Redis.from_url(queue)
        for key in client.scan_iter(f"{prefix}*"):
            client.delete(key)


def floor_tables(there: Place, games: int) -> None:
    command = [sys.executable, "floor_app.py", str(games)]
    subprocess.run(command, cwd=ROOT / "bench", env={**os.environ, **there.floor}, check=True)


def django_ready() -> None:
    """This process as one of the server's: tables made, models usable."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from games.ledger import services

    services.MOST_OPEN = 10**6  # one person plays all that is measured


# --- people and matches ----------------------------------------------------------------------------------


class Person(NamedTuple):
    user: Any
    headers: dict[str, str]


def person(name: str) -> Person:
    from django.contrib.auth import get_user_model

    from api.tokens import token_make

    user: Any = get_user_model().objects.create_user(name, f"{name}@example.org", "bench bench bench")
    return Person(user, {"Authorization": f"Token {token_make(user=user)[1]}"})


def match_of(ruleset: str, people: Sequence[Person], **options: Any) -> int:
    """A running match; the people take its seats in turn."""
    from games.ledger import services

    match = services.match_create(user=people[0].user, ruleset=ruleset, **options)
    for other in people[1:]:
        if match.status == "open":
            match = services.match_join(user=other.user, match_id=match.pk)
    return int(match.pk)


def rehearsed(match_id: int, seed: int, most: int) -> list[tuple[int, list[Any]]]:
    """Who orders what in a random match. The same orders give the same dice, so they can be sent later."""
    from django.db import transaction

    from games.kernel.steps import legal, owed
    from games.ledger.play import locked

    rng, actions = random.Random(seed), []
    with transaction.atomic():
        hand = locked(match_id)
        while owed(hand.g) and len(actions) < most:
            seat = owed(hand.g)[0]
            action = rng.choice(legal(hand.g, seat))
            hand.act(seat, action, "player")
            actions.append((int(hand.seats[seat].user_id or 0), list(action)))
        transaction.set_rollback(True)
    return actions


def orders_body(action: list[Any]) -> bytes:
    return json.dumps({"orders": [action]}).encode()

"""Bots in the background: how soon they answer, how many turns they make, and what people notice of it.

    python bench/bots.py [--answers 150] [--matches 200] [--threads 2] [--check]

On a throw-away database of PostgreSQL and on Redis, with real Celery workers.
1. From a person's commit to the bot's answer with a trivial bot and trivial rules, against a bare task of the same
   worker that locks a row and inserts one: ratio of the medians, taken in turns.
2. 200 matches of bots on this machine: all are played to the end; decisions a second, against bare tasks a second.
3. Meanwhile a person looks and gives orders: time of a request with the bots at work against the bots standing still.
"""

import argparse
import contextlib
import http.client
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
ANSWER_SHARE, PERSON_SHARE = 2.5, 1.2  # with --check: at most so many times the floor, the quiet machine


@contextlib.contextmanager
def services() -> Iterator[tuple[str, str] | None]:
    """A database of our own and a Redis."""
    import psycopg

    from tests.run import a_postgres, a_redis

    with a_postgres() as url, a_redis() as queue:
        if url is None or queue is None:
            yield None
            return
        name = f"fallujah_bots_{os.getpid()}"
        with psycopg.connect(url, autocommit=True) as admin:
            admin.execute(f'CREATE DATABASE "{name}"')  # type: ignore[call-overload]
        try:
            yield url.rsplit("/", 1)[0] + f"/{name}", queue
        finally:
            with psycopg.connect(url, autocommit=True) as admin:
                admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')  # type: ignore[call-overload]


def prepare(database: str, queue: str, threads: int) -> None:
    os.environ.update(
        FALLUJAH_VAR=tempfile.mkdtemp(prefix="fallujah-bench-"),
        FALLUJAH_DATABASE_URL=database,
        FALLUJAH_REDIS_URL=queue,
        FALLUJAH_QUEUE_PREFIX=f"bench-{os.getpid()}-",
        FALLUJAH_LOG_LEVEL="ERROR",
        FALLUJAH_BOT_WORKERS=str(threads),
        DJANGO_SETTINGS_MODULE="fallujah_server.settings",
        PYTHONPATH=f"{ROOT}:{ROOT / 'bench'}",
        PYTHONWARNINGS="ignore",
        **{f"FALLUJAH_LIMIT_{name}": "100000000" for name in ("ADDRESS", "TOKEN", "SEAT")},
    )
    import django
    from django.core.management import call_command
    from django.db import connection

    django.setup()
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE floor_game (id int PRIMARY KEY, seq int NOT NULL)")
        cursor.execute("CREATE TABLE floor_line (id bigserial PRIMARY KEY, game_id int NOT NULL, seq int NOT NULL)")
        cursor.execute("INSERT INTO floor_game SELECT n, 0 FROM generate_series(1, 200) n")


@contextlib.contextmanager
def process(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen([sys.executable, *command], cwd=ROOT, start_new_session=True)
    try:
        yield child
    finally:
        child.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(10)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def bot_worker(threads: int) -> contextlib.AbstractContextManager[subprocess.Popen[bytes]]:
    return process(
        "-m", "celery", "-A", "bots_app", "--quiet", "worker", "-Q", "bots", "--pool", "threads", "-c", str(threads),
        "-l", "ERROR", "--without-gossip", "--without-mingle",
    )  # fmt: skip


class Watch:
    """Waits for a figure in the database to pass a mark, over a connection of its own."""

    def __init__(self, database: str) -> None:
        import psycopg

        self.wire = psycopg.connect(database, autocommit=True)

    def until(self, query: str, passed: Callable[[Any], bool], seconds: float = 60) -> float:
        """The moment when it had passed."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            row = self.wire.execute(query).fetchone()  # type: ignore[call-overload]
            if passed(row[0]):
                return time.perf_counter()
            time.sleep(0.0005)
        raise SystemExit(f"nobody answered: {query}")


def answers(watch: Watch, count: int, user: Any) -> tuple[list[float], list[float], list[float]]:
    """Seconds from commit to answer: of the floor, of ours, and of that what the bot's process took."""
    from bots_app import floor
    from django.db import transaction

    from games.kernel.steps import legal
    from games.ledger import botplay
    from games.ledger import services as ledger
    from games.ledger.models import Match

    def floor_once(number: int) -> float:
        game = number % 200 + 1
        began = time.perf_counter()
        floor.delay(game)
        return watch.until(f"SELECT seq FROM floor_game WHERE id = {game}", lambda seq: seq > number // 200) - began

    bare, ours, thought, match = [], [], [], None
    for number in range(count + 10):
        while match is None or Match.objects.get(pk=match.pk).owed != ["north"]:
            match = ledger.match_create(user=user, ruleset="toy", seat="north", bots={"south": "random"})
            watch.until(f"SELECT owed = '[\"north\"]' FROM ledger_match WHERE id = {match.pk}", bool)
        g = botplay.Look(match.pk).g
        assert g is not None
        bare.append(floor_once(number))
        order = [list(legal(g, "north")[-1])]
        marks: list[float] = []
        with transaction.atomic():
            # The first thing after the commit: sending the message counts here as it does for the floor.
            transaction.on_commit(lambda marks=marks: marks.append(time.perf_counter()))
            before = ledger.orders_submit(match_id=match.pk, seat="north", user=user, orders=order).version
        began = marks[0]
        state = Match.objects.get(pk=match.pk)
        if "south" in state.owed or state.head_seq > before:
            query = f"SELECT head_seq FROM ledger_match WHERE id = {match.pk}"
            ours.append(watch.until(query, lambda seq, mark=before: seq > mark) - began)
            done = "SELECT payload->>'done' FROM ledger_outbox WHERE kind = 'bot' AND match_id = %s ORDER BY id DESC"
            row = watch.wire.execute(done, [match.pk]).fetchone()
            thought.append(float(row[0].split()[2]) if row and row[0] else 0.0)
        if Match.objects.get(pk=match.pk).status == "over":
            match = None
    return bare[10:], ours[10:], thought[10:]


def crowd(watch: Watch, matches: int, user_of: Callable[[int], Any], person: "Person", worker: Any) -> dict[str, float]:
    """All these matches played by bots while a person plays too."""
    from games.ledger import services as ledger

    bots = ("random", "cautious")
    for number in range(matches):
        ledger.match_create(
            user=user_of(number // 100), ruleset="card_assault", seat=None, bots={"american": bots[number % 2]}
        )
    began = time.perf_counter()
    quiet: list[float] = []
    busy: list[float] = []
    left = "SELECT count(*) FROM ledger_match WHERE ruleset = 'card_assault' AND status = 'playing'"
    while watch.wire.execute(left).fetchone()[0] > 1:  # type: ignore[index]
        busy += person.play(1.5)
        if len(quiet) < 2000:
            worker.send_signal(signal.SIGSTOP)
            stopped = time.perf_counter()
            quiet += person.play(1.0)
            worker.send_signal(signal.SIGCONT)
            began += time.perf_counter() - stopped
    took = time.perf_counter() - began
    row = watch.wire.execute("SELECT count(*) FROM ledger_entry WHERE by LIKE 'bot:%' AND seat = 'american'").fetchone()
    assert row is not None
    return {"seconds": took, "decisions": row[0], "quiet": _p(quiet, 50), "busy": _p(busy, 50),
            "quiet95": _p(quiet, 95), "busy95": _p(busy, 95), "requests": len(busy)}  # fmt: skip


def _p(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1] * 1000 if len(values) > 1 else float("nan")


class Person:
    """Somebody with a browser or a program: looks at a decision and gives an order, over HTTP."""

    def __init__(self, port: int, token: str) -> None:
        self.wire = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
        self.match = 0

    def _ask(self, verb: str, path: str, body: Any = None) -> tuple[Any, float]:
        began = time.perf_counter()
        self.wire.request(verb, f"/api/v1/{path}", json.dumps(body) if body is not None else None, self.headers)
        answer = self.wire.getresponse()
        said = json.loads(answer.read())
        assert answer.status in (200, 201), said
        return said, time.perf_counter() - began

    def play(self, seconds: float) -> list[float]:
        """Seconds of each request."""
        times: list[float] = []
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            if not self.match:
                self.match = self._ask("POST", "matches", {"ruleset": "card_assault", "seat": "american"})[0]["id"]
            decision, took = self._ask("GET", f"matches/{self.match}/decision?seat=american")
            times.append(took)
            if not decision["actions"]:
                self.match = 0
                continue
            action = decision["actions"][-1]["action"]
            times.append(self._ask("POST", f"matches/{self.match}/orders", {"orders": [action]})[1])
        return times


def floor_rate(watch: Watch, count: int = 600) -> float:
    """Bare tasks a second."""
    from bots_app import floor

    mark = watch.wire.execute("SELECT sum(seq) FROM floor_game").fetchone()[0] + count  # type: ignore[index]
    began = time.perf_counter()
    for number in range(count):
        floor.delay(number % 200 + 1)
    return count / (watch.until("SELECT sum(seq) FROM floor_game", lambda total: total >= mark) - began)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--answers", type=int, default=150)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    with services() as found:
        if found is None:
            print("NOT RUN: no PostgreSQL and Redis could be reached or started.")
            return 0
        prepare(*found, given.threads)
        try:
            return compare(found[0], given)
        finally:
            import redis
            from django.db import connections

            connections["default"].close_pool()  # type: ignore[attr-defined]
            server = redis.Redis.from_url(found[1])
            for key in server.scan_iter(f"bench-{os.getpid()}-*"):
                server.delete(key)


def compare(database: str, given: argparse.Namespace) -> int:
    from django.contrib.auth import get_user_model

    from api.tokens import token_make
    from tests.run import free_port

    def user(name: str) -> Any:
        return get_user_model().objects.create_user(name, f"{name}@example.org", "bench bench bench")

    watch, port, person = Watch(database), free_port(), user("person")
    web = process(
        "-m", "gunicorn", "fallujah_server.wsgi:application", "-b", f"127.0.0.1:{port}", "-w", "1", "-k", "gthread",
        "--threads", "8", "--log-level", "error",
    )  # fmt: skip
    with bot_worker(given.threads) as worker, web:
        sys.path.insert(0, str(ROOT / "bench"))
        bare, ours, thought = answers(watch, given.answers, user("answers"))
        whole, low = _p(ours, 50), _p(bare, 50)
        high = _p([one - other for one, other in zip(ours, thought, strict=True)], 50)
        print(f"bare task with a locked insert: {low:6.1f} ms, p95 {_p(bare, 95):6.1f} ms")
        print(f"commit to the bot's answer:     {whole:6.1f} ms, p95 {_p(ours, 95):6.1f} ms ({len(ours)} answers), "
              f"{_p(thought, 50):.1f} ms of it thinking")  # fmt: skip
        print(f"the answer takes {high / low:.2f} times the floor, {whole / low:.2f} with thinking", flush=True)
        rate = floor_rate(watch)
        owners = [user(f"owner{number}") for number in range(given.matches // 100 + 1)]
        result = crowd(watch, given.matches, owners.__getitem__, Person(port, token_make(user=person)[1]), worker)
        speed = result["decisions"] / result["seconds"]
        print(f"{given.matches} matches of bots to the end: {result['decisions']:.0f} decisions, {speed:.0f} a second, "
              f"{speed / rate:.2f} of bare tasks ({rate:.0f} a second)")  # fmt: skip
        share, tail = result["busy"] / result["quiet"], result["busy95"] / result["quiet95"]
        print(
            f"a person's request: {result['busy']:.1f} ms with bots at work, {result['quiet']:.1f} ms without: "
            f"{share:.2f} times; p95 {result['busy95']:.1f} and {result['quiet95']:.1f} ms: {tail:.2f} times"
        )
    return int(given.check and (high / low > ANSWER_SHARE or share > PERSON_SHARE))


if __name__ == "__main__":
    sys.exit(main())

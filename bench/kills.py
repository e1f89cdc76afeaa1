"""Acknowledged means durable: kill -9 of web workers, Celery workers, Redis and PostgreSQL while people play.

    python bench/kills.py [--kills 300] [--actions 20000] [--clients 4] [--seed 1] [--only redis] [--minutes 30]

PostgreSQL and Redis are started for this alone, on free ports, and killed as hard as the rest. Clients repeat an order
with its Idempotency-Key until it is acknowledged. In the end every acknowledged order must be an entry, none twice,
reads and appends must be linearizable for each match, every ledger must verify, and every bot must have answered.
"""

import argparse
import contextlib
import glob
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
OPEN_MATCHES, BOT_MATCHES = 8, 3
KINDS = ["web worker"] * 4 + ["web", "people", "bots1", "bots2", "thinker", "redis", "postgres"]


class OwnPostgres:
    """A cluster of our own that can be killed."""

    def __init__(self, folder: Path) -> None:
        from tests.run import free_port, ordinary_user

        programs = [shutil.which("initdb") or "", *sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), reverse=True)]
        initdb, user = next((path for path in programs if path), None), ordinary_user()
        if initdb is None or user is None:
            raise SystemExit("NOT RUN: no PostgreSQL is installed.")
        self.bin, self.user, self.port, self.data = Path(initdb).parent, user, free_port(), folder / "data"
        self.folder = folder
        os.chmod(folder, 0o755)
        if os.geteuid() == 0:
            shutil.chown(folder, user)
        self._run("initdb", "-D", str(self.data), "-U", "postgres", "-A", "trust")
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        self.start()

    def _run(self, program: str, *words: str) -> int:
        from tests.run import as_user

        return as_user(self.user, [str(self.bin / program), *words]).returncode

    def start(self) -> None:
        """Old backends may take a moment to notice that their postmaster is gone."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        options += " -c max_connections=200"
        until = time.monotonic() + 60
        while self._run("pg_ctl", "-D", str(self.data), "-w", "-l", f"{self.folder}/log", "-o", options, "start"):
            if time.monotonic() > until:
                raise SystemExit((self.folder / "log").read_text()[-2000:])
            time.sleep(0.2)

    def kill(self) -> None:
        os.kill(int((self.data / "postmaster.pid").read_text().splitlines()[0]), signal.SIGKILL)

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-m", "immediate", "stop")


class OwnRedis:
    """A Redis that remembers nothing over a kill: no work may live only in the queue."""

    def __init__(self) -> None:
        from tests.run import free_port

        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.server = subprocess.Popen(command, cwd="/tmp", stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        self.server.kill()
        self.server.wait()


class Kills:
    """Cuts the power of one thing after the other and notes how long it took until an order was taken again."""

    def __init__(self, arena: Any, postgres: OwnPostgres, queue: OwnRedis, given: Any) -> None:
        self.rng, self.only = random.Random(given.seed), given.only
        self.arena, self.postgres, self.queue = arena, postgres, queue
        self.recoveries: dict[str, list[float]] = {}

    def one(self, players: list[Any]) -> None:
        kind = self.rng.choice(self.only or KINDS)
        cut = time.monotonic()
        if kind == "web worker":
            self.arena.kill_a_web_worker(self.rng)
        elif kind == "redis":
            self.queue.kill()
            self.queue.start()
        elif kind == "postgres":
            self.postgres.kill()
            self.postgres.start()
        elif kind == "thinker":
            for pid in self.arena.thinkers()[:1]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        else:
            self.arena.kill(kind)
            self.arena.start(kind)
        until = cut + 120
        while time.monotonic() < until:
            recent = [op for player in players for op in player.ops[-20:] if op.kind == "append"]
            moments = [op.returned for op in recent if op.called > cut]
            if moments:
                self.recoveries.setdefault(kind, []).append(min(moments) - cut)
                return
            time.sleep(0.01)
        raise SystemExit(f"two minutes after the {kind} was killed nobody could play")


def top_up(open_matches: list[int], user: Any) -> None:
    """Enough to play for people and bots; a killed database is asked again later."""
    from django.db import DatabaseError, connection

    from games.ledger import services
    from games.ledger.models import Match

    try:
        while len(open_matches) < OPEN_MATCHES:
            open_matches.append(services.match_create(user=user, ruleset="card_assault").pk)
        if Match.objects.filter(seats__bot="slow", status="playing").count() < BOT_MATCHES:
            services.match_create(user=user, ruleset="card_assault", seat=None, bots={"american": "slow"})
    except DatabaseError:
        connection.close()


def run(arena: Any, kills: Kills, given: argparse.Namespace, user: Any, token: str) -> list[Any]:
    from tests.arena import Player
    from tests.ledger.test_chaos import acknowledged

    open_matches: list[int] = []
    top_up(open_matches, user)
    stop = threading.Event()
    players = [Player(given.seed * 100 + n, arena.port, token, open_matches, stop) for n in range(given.clients)]
    for player in players:
        player.start()
    done, began = 0, time.monotonic()
    until = began + given.minutes * 60
    while ((count := acknowledged(players)) < given.actions or done < given.kills) and time.monotonic() < until:
        top_up(open_matches, user)
        if count >= done * given.actions / max(given.kills, 1) and done < given.kills and count > 20:
            time.sleep(kills.rng.uniform(0, 0.1))
            kills.one(players)
            done += 1
            if done % 25 == 0:
                print(f"{done} kills, {count} orders, {time.monotonic() - began:.0f} s", flush=True)
        assert all(player.is_alive() for player in players), [player.problems for player in players]
        time.sleep(0.1)
    stop.set()
    for player in players:
        player.join(60)
    return players


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--actions", type=int, default=20_000)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9, help="judge what was done by then")
    parser.add_argument("--only", nargs="*", default=[], choices=KINDS)
    given = parser.parse_args()
    var = Path(tempfile.mkdtemp(prefix="fallujah-kills-"))
    (var / "postgres").mkdir()
    var.chmod(0o755)
    postgres, queue = OwnPostgres(var / "postgres"), OwnRedis()
    os.environ.update(
        FALLUJAH_VAR=str(var),
        FALLUJAH_DATABASE_URL=postgres.url,
        FALLUJAH_REDIS_URL=queue.url,
        FALLUJAH_LOG_LEVEL="CRITICAL",
        FALLUJAH_BOT_CLASSES="card_assault.slow=tests.bots.bad:Slow",
        DJANGO_SETTINGS_MODULE="fallujah_server.settings",
    )
    try:
        return play(var, postgres, queue, given)
    finally:
        queue.kill()
        postgres.stop()
        shutil.rmtree(var, ignore_errors=True)


def play(var: Path, postgres: OwnPostgres, queue: OwnRedis, given: argparse.Namespace) -> int:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from django.contrib.auth import get_user_model

    from api.tokens import token_make
    from games.ledger.models import Entry, Match
    from tests.arena import Arena
    from tests.ledger.helpers import wait_until
    from tests.ledger.test_chaos import judge

    user = get_user_model().objects.create_user("player", "player@example.org", "kill kill kill")
    token = token_make(user=user)[1]
    with Arena(var, postgres.url) as arena:
        kills = Kills(arena, postgres, queue, given)
        players = run(arena, kills, given, user, token)
        bots = Match.objects.filter(seats__bot="slow", status="playing")
        assert wait_until(lambda: not bots.exists(), 300), "a bot never answered"
    judge(players)
    ops = [op for player in players for op in player.ops]
    count = sum(op.kind == "append" for op in ops)
    decisions = Entry.objects.filter(by__startswith="bot:").count()
    done = sum(map(len, kills.recoveries.values()))
    print(f"{done} kills, {count} acknowledged orders, {len(ops) - count} reads, {decisions} decisions of bots:")
    print("nothing missing, nothing twice, all in order. Until the next order was taken:")
    for kind, times in sorted(kills.recoveries.items()):
        print(f"  {kind}: {len(times)} kills, {statistics.median(times):.2f} s, at most {max(times):.2f} s")
    from django.db import connections

    connections["default"].close_pool()  # type: ignore[attr-defined]
    return int(max(max(times) for times in kills.recoveries.values()) > 10)


if __name__ == "__main__":
    sys.exit(main())

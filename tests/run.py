"""All tests: on SQLite, then those marked `services` again on PostgreSQL and Redis.

Servers are the reachable ones (FALLUJAH_TEST_DATABASE_URL, FALLUJAH_TEST_REDIS_URL, or the usual local
ports), else throw-away ones started from installed programs, never as root. Without them the last lines
say plainly what was not run.
"""

import contextlib
import getpass
import glob
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import redis

ROOT = Path(__file__).resolve().parent.parent


def pytest(arguments: list[str], environment: dict[str, str]) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-n", os.environ.get("TEST_PROCESSES", "2"), *arguments]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=False).returncode


def postgres_works(url: str) -> bool:
    try:
        with psycopg.connect(url, connect_timeout=3, autocommit=True) as connection:
            row = connection.execute(
                "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
            return bool(row and row[0])
    except psycopg.Error:
        return False


def redis_works(url: str) -> bool:
    try:
        return bool(redis.Redis.from_url(url, socket_connect_timeout=3).ping())
    except redis.RedisError:
        return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ordinary_user() -> str | None:
    """Who may own a throw-away server: ourselves, or for root somebody without rights."""
    if os.geteuid() != 0:
        return getpass.getuser()
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    return None


def as_user(user: str, command: list[str]) -> subprocess.CompletedProcess[bytes]:
    who = user if os.geteuid() == 0 else None
    return subprocess.run(command, user=who, cwd="/tmp", capture_output=True, check=False)


@contextlib.contextmanager
def a_postgres() -> Iterator[str | None]:
    given = os.environ.get("FALLUJAH_TEST_DATABASE_URL")
    candidates = (
        [given]
        if given
        else [f"postgresql://{name}@127.0.0.1:5432/postgres" for name in ("postgres", getpass.getuser())]
    )
    for url in candidates:
        if postgres_works(url):
            yield url
            return
    programs = [shutil.which("initdb") or "", *sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), reverse=True)]
    initdb, user = next((path for path in programs if path), None), ordinary_user()
    if initdb is None or user is None:
        yield None
        return
    bin_dir, port = Path(initdb).parent, free_port()
    with tempfile.TemporaryDirectory(prefix="fallujah-postgres-") as folder:
        os.chmod(folder, 0o755)
        if os.geteuid() == 0:
            shutil.chown(folder, user)
        data = f"{folder}/data"
        as_user(user, [initdb, "-D", data, "-U", "postgres", "-A", "trust"])
        as_user(user, [
            str(bin_dir / "pg_ctl"), "-D", data, "-w", "-l", f"{folder}/log",
            "-o", f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}", "start",
        ])  # fmt: skip
        url = f"postgresql://postgres@127.0.0.1:{port}/postgres"
        try:
            yield url if postgres_works(url) else None
        finally:
            as_user(user, [str(bin_dir / "pg_ctl"), "-D", data, "-m", "immediate", "stop"])


@contextlib.contextmanager
def a_redis() -> Iterator[str | None]:
    url = os.environ.get("FALLUJAH_TEST_REDIS_URL", "redis://127.0.0.1:6379/9")
    if redis_works(url):
        yield url
        return
    program, user = shutil.which("redis-server"), ordinary_user()
    if program is None or user is None:
        yield None
        return
    port = free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    who = user if os.geteuid() == 0 else None
    server = subprocess.Popen(command, user=who, cwd="/tmp", stdout=subprocess.DEVNULL)
    url = f"redis://127.0.0.1:{port}/0"
    until = time.monotonic() + 10
    while time.monotonic() < until and not redis_works(url):
        time.sleep(0.1)
    try:
        yield url if redis_works(url) else None
    finally:
        server.terminate()
        server.wait()


def main() -> int:
    arguments = sys.argv[1:]
    failed = pytest(arguments, {})
    with a_postgres() as database, a_redis() as queue:
        if database and queue:
            print("\nThe ledger, task and door tests again, on PostgreSQL and Redis:", flush=True)
            environment = {
                "FALLUJAH_DATABASE_URL": database,
                "FALLUJAH_REDIS_URL": queue,
                "FALLUJAH_EXPECT_VENDOR": "postgresql",
            }
            return pytest(["-m", "services", *arguments], environment) or failed
    missing = " and ".join(name for name, found in (("PostgreSQL", database), ("Redis", queue)) if not found)
    print(f"\nNOT RUN: the tests on PostgreSQL and Redis, because no {missing} could be reached or started.")
    print("Install postgresql and redis-server, or set FALLUJAH_TEST_DATABASE_URL and FALLUJAH_TEST_REDIS_URL.")
    return failed


if __name__ == "__main__":
    sys.exit(main())

"""`make run` for real: everything starts, answers, stops cleanly, and keeps its data."""

import contextlib
import os
import select
import signal
import smtplib
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
import yaml

from fallujah_server.accounts.management.commands.serve import _children
from tests.ledger.helpers import wait_until

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(var: Path, port: int, mail_port: int = 0, **settings: str) -> subprocess.Popen[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("FALLUJAH_", "DJANGO_"))}
    environment |= {"FALLUJAH_VAR": str(var), **settings}
    return subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port), "--mail-port", str(mail_port)],
        cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def read_until(server: subprocess.Popen[str], words: str, seconds: float = 90) -> str:
    """All it said up to these words; what it said so far when they do not come in time."""
    assert server.stdout is not None
    said, until = "", time.monotonic() + seconds
    while time.monotonic() < until and words not in said and server.poll() is None:
        if select.select([server.stdout], [], [], 0.1)[0]:
            said += os.read(server.stdout.fileno(), 65536).decode()
    return said


def children_of(parent: int) -> list[int]:
    """All descendants, from /proc: a small machine may lack ps."""
    direct = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                direct.append(int(folder.name))
    return direct + [pid for child in direct for pid in children_of(child)]


@pytest.mark.slow
def test_one_command_runs_everything_and_ctrl_c_stops_it(tmp_path: Path) -> None:
    port = free_port()
    mail_port = free_port()
    server = start(tmp_path, port, mail_port)
    try:
        _runs_and_stops(server, port, mail_port)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=30)
    key = (tmp_path / "secret_key").read_text()
    again = start(tmp_path, port)
    assert "running at" in read_until(again, "Ctrl-C"), "a second start works"
    again.send_signal(signal.SIGTERM)
    again.wait(timeout=30)
    assert (tmp_path / "secret_key").read_text() == key and (tmp_path / "fallujah.sqlite3").exists()


def takes_mail(port: int, until: float) -> bool:
    """The receiver starts beside the web server and may be a little later."""
    while time.monotonic() < until:
        with contextlib.suppress(OSError), smtplib.SMTP("127.0.0.1", port, timeout=10) as receiver:
            return receiver.noop()[0] == 250
        time.sleep(0.2)
    return False


def _runs_and_stops(server: subprocess.Popen[str], port: int, mail_port: int) -> None:
    said = read_until(server, "Ctrl-C")
    assert f"http://127.0.0.1:{port}" in said and "demo" in said
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/health", timeout=10) as answer:
        assert answer.status == 200
    until = time.monotonic() + 60
    assert takes_mail(mail_port, until)
    while len(family := children_of(server.pid)) < 4 and time.monotonic() < until:
        time.sleep(0.1)
    assert len(family) >= 4, "web, worker with its pool, scheduler"
    server.send_signal(signal.SIGINT)
    server.wait(timeout=30)
    assert server.returncode == 0
    alive = [
        pid for pid in family if Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text()
    ]
    assert alive == [], "nothing outlives the supervisor"


OPEN_BOT_MATCHES = """
from fallujah_server.accounts.models import User
from games.ledger import services
for _ in range(8):
    services.match_create(user=User.objects.get(username="demo"), ruleset="card_assault", bots={"american": "cautious"})
"""


@pytest.mark.slow
def test_a_killed_bot_worker_is_started_again_and_the_web_goes_on(tmp_path: Path) -> None:
    port = free_port()
    server = start(tmp_path, port, FALLUJAH_BOT_LEASE_SECONDS="3", FALLUJAH_SWEEP_SECONDS="2")
    try:
        assert "running at" in read_until(server, "Ctrl-C")
        environment = {
            **os.environ,
            "FALLUJAH_VAR": str(tmp_path),
            "DJANGO_SETTINGS_MODULE": "fallujah_server.settings",
        }
        environment = {key: value for key, value in environment.items() if key != "FALLUJAH_DATABASE_URL"}
        command = [sys.executable, "manage.py", "shell", "-c", OPEN_BOT_MATCHES]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
        assert wait_until(lambda: figure(tmp_path, "SELECT count(*) FROM ledger_entry WHERE seq > 0") > 0, 60)
        for pid in bot_workers(server.pid):
            assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, server.pid), "behind people"
            os.kill(pid, signal.SIGKILL)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/health", timeout=20) as answer:
            assert answer.status == 200
        unfinished = "SELECT count(*) FROM ledger_match WHERE status <> 'over'"
        assert wait_until(lambda: figure(tmp_path, unfinished) == 0, 120), "another worker has played them to the end"
        assert server.poll() is None
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=30)


def figure(var: Path, query: str) -> int:
    with contextlib.closing(sqlite3.connect(var / "fallujah.sqlite3", timeout=20)) as database:
        return int(database.execute(query).fetchone()[0])


def bot_workers(server: int) -> list[int]:
    words = {pid: Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") for pid in children_of(server)}
    found = [pid for pid, command in words.items() if b"--queues" in command and b"bots" in command]
    assert found
    return found


def test_a_taken_port_is_said_in_words(tmp_path: Path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        server = start(tmp_path, holder.getsockname()[1])
        said, _ = server.communicate(timeout=60)
    assert server.returncode != 0 and "is taken" in said


def test_the_compose_file_runs_web_worker_scheduler_postgres_and_redis() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    assert {"web", "worker", "bots", "scheduler", "postgres", "redis"} <= set(services)
    queues = {}
    for name in ("worker", "bots"):
        command = services[name]["command"]
        queues[name] = command[command.index("--queues") + 1]
    assert "bots" not in queues["worker"] and queues["bots"] == "bots", "bots are never in the way of mail"
    assert "USER fallujah" in (ROOT / "Dockerfile").read_text() and "HEALTHCHECK" in (ROOT / "Dockerfile").read_text()


def test_bots_have_a_worker_of_their_own_on_one_machine_too() -> None:
    children = _children("127.0.0.1", 8000, 0, 2, 3)
    queues = {
        name: command[command.index("--queues") + 1] for name, command in children.items() if "--queues" in command
    }
    assert [name for name, words in queues.items() if "bots" in words.split(",")] == ["bots"]
    assert queues["bots"] == "bots" and children["bots"][children["bots"].index("--concurrency") + 1] == "3"
    assert {"people", "webhooks"} <= {word for words in queues.values() for word in words.split(",")}


@pytest.mark.parametrize(
    ("name", "value"), [("FALLUJAH_DATABASE_URL", "mysql://localhost/x"), ("FALLUJAH_MAIL_URL", "pigeon://roof")]
)
def test_a_setting_that_cannot_be_is_refused_in_words(name: str, value: str, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "FALLUJAH_VAR": str(tmp_path),
        name: value,
        "DJANGO_SETTINGS_MODULE": "fallujah_server.settings",
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0 and f"{name} must start with" in done.stderr

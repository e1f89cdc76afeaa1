"""The server as processes of their own, to be killed: what a test needs to start, feed and question them.

Run as a module it opens matches (`open 12`) or tells what became of the mails (`report`).
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).resolve().parent.parent.parent


class World:
    """A database of its own, a receiver and a worker; each can be killed and started again."""

    def __init__(self, sink_port: int) -> None:
        self.var = tempfile.mkdtemp(prefix="fallujah-survival-")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        given = os.environ.get("FALLUJAH_DATABASE_URL", "")
        self.admin = given if given.startswith("postgres") else ""
        self.name = f"survival_{os.getpid()}_{self.port}"
        if self.admin:
            self._sql(f"CREATE DATABASE {self.name}")
        url = urlsplit(self.admin)._replace(path=f"/{self.name}").geturl() if self.admin else ""
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "fallujah_server.settings",
            "FALLUJAH_VAR": self.var,
            "FALLUJAH_DATABASE_URL": url,
            "FALLUJAH_QUEUE_PREFIX": f"{self.name}-",
            "FALLUJAH_MAIL_URL": f"smtp://127.0.0.1:{sink_port}",
            "FALLUJAH_MAIL_DELAY_SECONDS": "0",
            "FALLUJAH_CLAIM_SECONDS": "5",
            "FALLUJAH_LOG_LEVEL": "CRITICAL",
            "PYTHONWARNINGS": "ignore",
        }
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self.run("manage.py", "migrate", "--verbosity", "0")

    def _sql(self, *statements: str) -> None:
        with psycopg.connect(self.admin, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)  # type: ignore[call-overload]

    def run(self, *command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    def ask(self, *words: str) -> Any:
        return json.loads(self.run("-m", "tests.notifications.survival", *words).splitlines()[-1])

    def start(self, name: str) -> None:
        command = {
            "receiver": ["manage.py", "receive_mail", "--port", str(self.port)],
            "worker": ["-m", "tests.notifications.survival", "work"],
        }[name]
        self.children[name] = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=self.environment, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def kill(self, name: str) -> None:
        """Without a word, with all its children, wherever they are."""
        child = self.children.pop(name)
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()

    def cut(self) -> None:
        """Every connection to the database breaks at once."""
        if self.admin:
            self._sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self.name}'")

    def end(self) -> None:
        for name in list(self.children):
            self.kill(name)
        if self.admin:
            self.cut()
            self._sql(f"DROP DATABASE {self.name} WITH (FORCE)")


def open_matches(count: int) -> dict[str, int]:
    from django.contrib.auth import get_user_model
    from django.utils import timezone

    from games.ledger import services

    made = {}
    for number in range(count):
        user = get_user_model().objects.create(
            username=f"p{number}", email=f"p{number}@example.org", email_verified_at=timezone.now()
        )
        made[user.email] = services.match_create(user=user, ruleset="card_assault").pk
    return made


def report() -> dict[str, Any]:
    from games.ledger.models import Entry, Outbox
    from notifications.models import InboundMail, Saying

    return {
        "said": sorted(Saying.objects.values_list("text", flat=True)),
        "inbound": sorted(InboundMail.objects.values_list("state", "kind", "detail").distinct()),
        "unread": InboundMail.objects.filter(state="received").count(),
        "unsent": Outbox.objects.filter(kind="mail", state="waiting").count(),
        "failed": Outbox.objects.filter(kind="mail", state="failed").count(),
        "played": sorted(Entry.objects.filter(by="player").values_list("match_id", "seq")),
    }


def work() -> None:
    """What a worker's tasks and the scheduler's sweep do, without the queue between: look, claim, do."""
    from django.db import Error, close_old_connections, connection

    from games.ledger import outbox
    from notifications.delivery import deliver
    from notifications.inbound import receive
    from notifications.inbound.handle import handle

    rows: list[int] = []
    mails: list[int] = []
    while True:
        try:
            close_old_connections()
            rows, mails = receive.due(), outbox.due(["mail"])
            for row in rows[:3]:
                handle(row)
            for mail in mails[:3]:
                deliver(mail)
        except Error:
            connection.close()  # a broken connection: the claim runs out, and the row is taken up again
        if not rows and not mails:
            time.sleep(0.1)


if __name__ == "__main__":
    import django

    django.setup()
    match sys.argv[1]:
        case "open":
            print(json.dumps(open_matches(int(sys.argv[2]))))
        case "report":
            print(json.dumps(report()))
        case "work":
            work()

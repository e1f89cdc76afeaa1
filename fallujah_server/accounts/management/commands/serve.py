"""manage.py serve: migrate, then run web server, worker and scheduler until Ctrl-C."""

import json
import os
import socket
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from fallujah_server import supervisor
from fallujah_server.accounts.demo import DEMO_NAME, DEMO_PASSWORD, demo_user


class Command(BaseCommand):
    help = "Run everything on this machine: web server, worker, scheduler. Ctrl-C stops all of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--mail-port", type=int, default=settings.MAIL_SMTP_PORT or 8025, help="0: take no mail")
        parser.add_argument("--workers", type=int, default=2, help="mails read or sent at once")
        parser.add_argument("--bot-workers", type=int, default=settings.BOT_WORKERS, help="bots that think at once")
        parser.add_argument("--no-demo", action="store_true", help="do not make the demo login")

    def handle(
        self,
        *args: Any,
        host: str,
        port: int,
        mail_port: int,
        workers: int,
        bot_workers: int,
        no_demo: bool,
        **options: Any,
    ) -> None:
        _port_must_be_free(host, port)
        if mail_port:
            _port_must_be_free(host, mail_port, "--mail-port")
        call_command("migrate", interactive=False, verbosity=0)
        if not no_demo:
            demo_user()
        # Celery warns of root and WhiteNoise of uncollected files: both are as they should be here.
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "ignore"}
        environment.setdefault("FALLUJAH_PUBLIC_URL", f"http://{host}:{port}")  # links in mails lead here
        job = {
            "children": _children(host, port, mail_port, workers, bot_workers),
            "url": f"http://{host}:{port}/api/v1/health",
            "greeting": _greeting(host, port, mail_port, no_demo),
        }
        connections.close_all()
        sys.stdout.flush()
        # From here on this process only looks after its children: it need not hold the whole server for that.
        os.execve(sys.executable, [sys.executable, supervisor.__file__, json.dumps(job)], environment)  # noqa: S606


def _greeting(host: str, port: int, mail_port: int, no_demo: bool) -> str:
    lines = ["", f"Fallujah Server is running at http://{host}:{port}", ""]
    if not no_demo:
        lines += [f"  Sign in as {DEMO_NAME} with password {DEMO_PASSWORD}"]
    if settings.LOCAL_MAILBOX_PAGE:
        lines += [f"  Mail the server sends is kept here: http://{host}:{port}/mailbox/"]
    if mail_port:
        lines += [f"  Mail to the server is taken by SMTP at {host}:{mail_port}"]
    return "\n".join(
        [*lines, f"  REST API and its documentation: http://{host}:{port}/api/docs/", "", "  Ctrl-C stops it.", ""]
    )


def _port_must_be_free(host: str, port: int, option: str = "--port") -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"Port {port} of {host} is taken ({error.strerror}); choose another with {option}."
            ) from None


def _children(host: str, port: int, mail_port: int, workers: int, bot_workers: int) -> dict[str, list[str]]:
    python = sys.executable
    receiver = [python, str(settings.BASE_DIR / "manage.py"), "receive_mail", "--host", host, "--port", str(mail_port)]
    celery = [python, "-m", "celery", "-A", "fallujah_server", "--quiet"]
    quiet = ["--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    # Threads are enough: they wait for a mail host, for a process that thinks, for somebody else's program. And they
    # are small: a pool of processes for each would double what an idle server takes.
    people = ["--queues", "people", "--pool", "threads", "--concurrency", str(workers), "--hostname", "people@%h"]
    bots = ["--queues", "bots", "--pool", "threads", "--concurrency", str(bot_workers), "--hostname", "bots@%h"]
    hooks = ["--queues", "webhooks", "--pool", "threads", "--concurrency", "64", "--hostname", "webhooks@%h"]
    return {
        "web": [
            python, "-m", "uvicorn", "fallujah_server.asgi:application",
            "--host", host, "--port", str(port), "--log-level", "warning", "--timeout-graceful-shutdown", "3",
        ],
        "worker": [*celery, "worker", *people, *quiet],
        "webhooks": [*celery, "worker", *hooks, *quiet],
        **({"bots": [*celery, "worker", *bots, *quiet]} if bot_workers else {}),
        **({"mail": receiver} if mail_port else {}),
        "scheduler": [*celery, "beat", "--loglevel", "WARNING", "--pidfile", ""],
    }  # fmt: skip

"""manage.py serve: migrate, then run web server, worker and scheduler until Ctrl-C."""

import os
import socket
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from fallujah_server import environment as env
from fallujah_server.accounts.demo import DEMO_NAME, DEMO_PASSWORD, demo_user
from fallujah_server.supervisor import Supervisor


class Command(BaseCommand):
    help = "Run everything on this machine: web server, worker, scheduler. Ctrl-C stops all of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--mail-port", type=int, default=settings.MAIL_SMTP_PORT or 8025, help="0: take no mail")
        parser.add_argument("--workers", type=int, default=2, help="worker processes for bots and mail")
        parser.add_argument("--no-demo", action="store_true", help="do not make the demo login")

    def handle(
        self, *args: Any, host: str, port: int, mail_port: int, workers: int, no_demo: bool, **options: Any
    ) -> None:
        _port_must_be_free(host, port)
        if mail_port:
            _port_must_be_free(host, mail_port, "--mail-port")
        call_command("migrate", interactive=False, verbosity=0)
        if not no_demo:
            demo_user()
        var = env.var_dir()
        # Celery warns of root and WhiteNoise of uncollected files: both are as they should be here.
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "ignore"}
        environment.setdefault("FALLUJAH_PUBLIC_URL", f"http://{host}:{port}")  # links in mails lead here
        supervisor = Supervisor(_children(host, port, mail_port, workers, str(var)), environment)
        supervisor.start()
        try:
            if supervisor.wait_for(f"http://{host}:{port}/api/v1/health"):
                self._greet(host, port, mail_port, no_demo)
            code = supervisor.watch()
        finally:
            supervisor.stop()
        self.stdout.write("Stopped.")
        sys.exit(code)

    def _greet(self, host: str, port: int, mail_port: int, no_demo: bool) -> None:
        lines = ["", f"Fallujah Server is running at http://{host}:{port}", ""]
        if not no_demo:
            lines += [f"  Sign in as {DEMO_NAME} with password {DEMO_PASSWORD}"]
        if settings.LOCAL_MAILBOX_PAGE:
            lines += [f"  Mail the server sends is kept here: http://{host}:{port}/mailbox/"]
        if mail_port:
            lines += [f"  Mail to the server is taken by SMTP at {host}:{mail_port}"]
        lines += [f"  REST API and its documentation: http://{host}:{port}/api/docs/", "", "  Ctrl-C stops it.", ""]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


def _port_must_be_free(host: str, port: int, option: str = "--port") -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"Port {port} of {host} is taken ({error.strerror}); choose another with {option}."
            ) from None


def _children(host: str, port: int, mail_port: int, workers: int, var: str) -> dict[str, list[str]]:
    python = sys.executable
    receiver = [python, str(settings.BASE_DIR / "manage.py"), "receive_mail", "--host", host, "--port", str(mail_port)]
    celery = [python, "-m", "celery", "-A", "fallujah_server", "--quiet"]
    mail = [python, str(settings.BASE_DIR / "manage.py"), "receive_mail", "--port", str(settings.MAIL_SMTP_PORT)]
    return {
        **({"mail": mail} if settings.MAIL_SMTP_PORT else {}),
        "web": [
            python, "-m", "uvicorn", "fallujah_server.asgi:application",
            "--host", host, "--port", str(port), "--log-level", "warning", "--timeout-graceful-shutdown", "3",
        ],
        "worker": [
            *celery, "worker", "--queues", "people,bots,webhooks", "--concurrency", str(workers),
            "--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat",
        ],
        **({"mail": receiver} if mail_port else {}),
        "scheduler": [*celery, "beat", "--loglevel", "WARNING", "--schedule", f"{var}/beat", "--pidfile", ""],
    }  # fmt: skip

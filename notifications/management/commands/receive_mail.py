"""manage.py receive_mail: take mail over SMTP until stopped."""

import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from notifications.inbound.smtp import controller


class Command(BaseCommand):
    help = "Receive mail over SMTP on a high port; a mail host in front of it relays here."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=settings.MAIL_SMTP_PORT or 8025)

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        stopped = threading.Event()

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stopped.set())
        server = controller(host, port)
        server.start()
        self.stdout.write(f"Taking mail on {host}:{port}.")
        self.stdout.flush()
        stopped.wait()
        server.stop()

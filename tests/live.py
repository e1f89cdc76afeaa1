"""Real server and worker processes on the database and queue of a test."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent
LIMITS = {f"FALLUJAH_LIMIT_{name}": "100000000" for name in ("ADDRESS", "TOKEN", "SEAT", "SIGN_IN")}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.02)
    return False


def environment(var: Path, **more: str) -> dict[str, str]:
    """What a process needs to be a part of this test's server."""
    database = connection.settings_dict
    url = (
        f"sqlite:///{database['NAME']}"
        if connection.vendor == "sqlite"
        else f"postgresql://{database['USER']}@{database['HOST']}:{database['PORT']}/{database['NAME']}"
    )
    return {
        **os.environ,
        **LIMITS,
        "DJANGO_SETTINGS_MODULE": "tests.live_settings",
        "FALLUJAH_DATABASE_URL": url,
        "FALLUJAH_VAR": str(var),
        "FALLUJAH_SECRET_KEY": settings.SECRET_KEY,
        "FALLUJAH_LOG_LEVEL": "ERROR",
        "PYTHONWARNINGS": "ignore",
        **more,
    }


def listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def _uvicorn(port: int) -> list[str]:
    """One process with streams, as `manage.py serve` has it."""
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "tests.live_app:application",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    return [*command, "--log-level", "error", "--timeout-graceful-shutdown", "2", "--lifespan", "off"]


def _gunicorn(port: int) -> list[str]:
    """Two processes with threads, as the image has it."""
    command = [sys.executable, "-m", "gunicorn", "tests.live_app:wsgi", "-b", f"127.0.0.1:{port}", "-w", "2"]
    return [*command, "-k", "gthread", "--threads", "16", "--keep-alive", "60", "--log-level", "error"]


@contextlib.contextmanager
def web_server(var: Path, *, streams: bool = True, **more: str) -> Iterator[tuple[str, int]]:
    """The application in processes of its own, with the game of the tests; its address and process number."""
    port = free_port()
    command = _uvicorn(port) if streams else _gunicorn(port)
    server = subprocess.Popen(command, cwd=ROOT, env=environment(var, **more), start_new_session=True)
    try:
        assert wait_until(lambda: listens(port) or server.poll() is not None) and server.poll() is None
        yield f"http://127.0.0.1:{port}", server.pid
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()

"""The process that looks after the others: what dies or stands still is started again."""

import os
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

from fallujah_server import supervisor as room
from fallujah_server.supervisor import Supervisor
from tests.ledger.helpers import wait_until

SLEEPER = [sys.executable, "-c", "import time; time.sleep(1000)"]


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> Iterator[Supervisor]:
    monkeypatch.setattr(room, "STOPPED_SECONDS", 0.3)
    supervisor = Supervisor({"web": SLEEPER, "bots": SLEEPER}, dict(os.environ))
    supervisor.start()
    watcher = threading.Thread(target=supervisor.watch)
    watcher.start()
    yield supervisor
    supervisor.stopping = True
    watcher.join(30)
    assert all(child.poll() is not None for child in supervisor.running.values())


def test_a_killed_child_is_started_again_and_the_others_stay(pair: Supervisor) -> None:
    web, bots = pair.running["web"].pid, pair.running["bots"].pid
    os.kill(bots, signal.SIGKILL)
    assert wait_until(lambda: pair.running["bots"].pid != bots, 20)
    assert pair.running["web"].pid == web and not pair.stopping


def test_a_stopped_child_is_killed_and_started_again(pair: Supervisor) -> None:
    bots = pair.running["bots"].pid
    os.kill(bots, signal.SIGSTOP)
    assert wait_until(lambda: pair.running["bots"].pid != bots, 20)


def test_a_child_that_cannot_run_ends_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_DEATHS", 3)
    supervisor = Supervisor({"web": SLEEPER, "bots": [sys.executable, "-c", "raise SystemExit(3)"]}, dict(os.environ))
    supervisor.start()
    assert supervisor.watch() == 1
    assert all(child.poll() is not None for child in supervisor.running.values())

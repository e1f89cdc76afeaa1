"""A receiver that hangs delays nobody: a real worker, real receivers, real HTTP."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.ledger import webhooks
from games.ledger.models import Outbox
from notifications.webhooks.lanes import Lanes
from tests.live import ROOT, environment, wait_until
from tests.webhooks.receivers import Receiver

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
CALLS = 6


@contextlib.contextmanager
def worker(var: Path) -> Iterator[None]:
    """The webhooks' own worker, as `serve` starts it, with a sweep every second."""
    command = [
        sys.executable, "-m", "celery", "-A", "fallujah_server", "--quiet", "worker", "-Q", "webhooks,people",
        "--pool", "threads", "-c", "16", "-B", "-l", "ERROR",
        "--without-gossip", "--without-mingle",
    ]  # fmt: skip
    more = {"FALLUJAH_WEBHOOK_INSECURE": "yes", "FALLUJAH_SWEEP_SECONDS": "1", "FALLUJAH_WEBHOOK_SECONDS": "600"}
    more["FALLUJAH_CLAIM_SECONDS"] = "900"
    child = subprocess.Popen(command, cwd=ROOT, env=environment(var, **more), start_new_session=True)
    try:
        yield
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def test_receivers_that_hang_do_not_delay_the_others(make_user: Any, tmp_path: Path, settings: Any) -> None:
    """Six webhooks lead to one that holds every call; the calls of two others, made last, arrive all the same."""
    settings.WEBHOOK_INSECURE = True
    slow, quick = Receiver(), Receiver()
    slow.hold.clear()
    owner = make_user("rania")
    stuck = [webhooks.webhook_create(user=owner, url=slow.url, topics=[]) for _ in range(6)]
    well = [webhooks.webhook_create(user=make_user("sam"), url=quick.url, topics=[])]
    well += [webhooks.webhook_create(user=owner, url=quick.url, topics=[])]
    try:
        with worker(tmp_path):
            for hook in stuck * CALLS:
                webhooks.webhook_test(user=hook.user, number=hook.number)
            assert wait_until(lambda: len(slow.got) >= 12, 200), len(slow.got)
            for hook in well * CALLS:
                webhooks.webhook_test(user=hook.user, number=hook.number)
            assert wait_until(lambda: len(quick.got) >= 2 * CALLS, 200), (len(slow.got), len(quick.got))
            assert len(slow.got) == 2 * len(stuck), "no more than two calls of each wait at the slow one"
            slow.hold.set()
            waiting = Outbox.objects.filter(kind="webhook").exclude(state="sent")
            assert wait_until(lambda: not waiting.exists(), 200), waiting.count()
    finally:
        slow.close()
        quick.close()
    ids = [headers["webhook-id"] for headers, _ in slow.got + quick.got]
    assert len(ids) == len(set(ids)) == (len(stuck) + len(well)) * CALLS, "each call once"


def test_a_lane_is_two_wide_and_keeps_its_order() -> None:
    gate = threading.Event()
    started: list[int] = []
    done: list[int] = []

    def work(item: int) -> None:
        started.append(item)
        gate.wait(30)
        done.append(item)

    lanes = Lanes(work)
    threads = [threading.Thread(target=lanes.run, args=(7, item)) for item in range(10)]
    for thread in threads:
        thread.start()
    assert wait_until(lambda: sum(thread.is_alive() for thread in threads) == 2), "the rest took no thread"
    lanes.run(7, 9)  # a sweep brings one again that stands in line
    quick = threading.Thread(target=lanes.run, args=(8, 100))
    quick.start()
    assert wait_until(lambda: 100 in started), "another lane is free"
    gate.set()
    for thread in [*threads, quick]:
        thread.join()
    assert sorted(done) == [*range(10), 100] and lanes.busy == {} and lanes.lines == {}


def test_work_that_fails_does_not_block_its_lane() -> None:
    done: list[int] = []

    def work(item: int) -> None:
        if item == 1:
            raise RuntimeError("a mistake of ours")
        done.append(item)

    lanes = Lanes(work, width=1)
    for item in range(3):
        lanes.run(7, item)
    assert done == [0, 2] and lanes.busy == {}

"""Bots in the background: leased rows, real workers, kills."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from games.ledger import tasks
from games.ledger.models import Entry, Match, Outbox
from games.ledger.verify import match_problem
from tests.ledger.helpers import now, solo, wait_until

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.services


def bot_match(user: Any) -> Match:
    return solo(user, seat=None, bots={"american": "random"})


@pytest.mark.django_db
def test_a_bot_seat_is_work_written_with_the_match(make_user: Any) -> None:
    match = bot_match(make_user())
    assert match.status == Match.Status.PLAYING
    row = Outbox.objects.get(match=match)
    assert (row.kind, row.state) == ("bot", "waiting")


@pytest.mark.django_db
def test_the_task_plays_to_the_end_and_logs_it(make_user: Any) -> None:
    match = bot_match(make_user())
    tasks.seat_play_task(Outbox.objects.get(match=match).pk)
    over = now(match)
    assert over.status == Match.Status.OVER
    assert match_problem(over) == ""
    assert set(Entry.objects.filter(match=match, seq__gt=0).values_list("by", flat=True)) == {"bot:random"}
    assert "s of thinking" in Outbox.objects.get(match=match, kind="bot", state="sent").payload["done"]


@pytest.mark.django_db
def test_running_the_task_twice_does_its_work_once(make_user: Any) -> None:
    match = bot_match(make_user())
    row = Outbox.objects.get(match=match).pk
    tasks.seat_play_task(row)
    before = now(match).head_seq
    tasks.seat_play_task(row)
    assert now(match).head_seq == before


@pytest.mark.django_db
def test_a_waiting_bot_without_work_is_found_by_the_sweep(make_user: Any) -> None:
    match = bot_match(make_user())
    Outbox.objects.filter(match=match).delete()
    tasks.adopt_waiting_bots()
    assert Outbox.objects.filter(match=match, kind="bot", state="waiting").count() == 1


def worker(var: Path) -> subprocess.Popen[bytes]:
    """A real Celery worker on the database and queue of this test."""
    database = connection.settings_dict
    url = (
        f"sqlite:///{database['NAME']}"
        if connection.vendor == "sqlite"
        else f"postgresql://{database['USER']}@{database['HOST']}:{database['PORT']}/{database['NAME']}"
    )
    environment = {**os.environ, "FALLUJAH_DATABASE_URL": url, "FALLUJAH_VAR": str(var), "FALLUJAH_SWEEP_SECONDS": "1"}
    environment["DJANGO_SETTINGS_MODULE"] = "fallujah_server.settings"
    environment["FALLUJAH_BOT_LEASE_SECONDS"] = "2"
    command = [
        sys.executable, "-m", "celery", "-A", "fallujah_server", "--quiet", "worker", "-B",
        "-Q", "people,bots", "-c", "1", "-l", "ERROR", "--without-gossip", "--without-mingle",
    ]  # fmt: skip
    return subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_in_the_middle_of_bot_play_loses_nothing(make_user: Any, tmp_path: Path) -> None:
    matches = [bot_match(make_user(f"owner{index}")) for index in range(6)]
    killed_at: list[int] = []
    for _ in range(3):
        before = Entry.objects.count()
        child = worker(tmp_path)
        try:
            assert wait_until(lambda start=before: Entry.objects.count() > start + 30 or _all_over(matches), 60)
        finally:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        killed_at.append(Entry.objects.count())
        for match in matches:
            assert match_problem(now(match)) == "", "whatever was written is whole"
    child = worker(tmp_path)
    try:
        assert wait_until(lambda: _all_over(matches), 120), [now(match).status for match in matches]
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    for match in matches:
        over = now(match)
        assert over.status == Match.Status.OVER
        assert match_problem(over) == ""
    assert killed_at[0] < Entry.objects.count(), "the kill came in the middle"


def _all_over(matches: list[Match]) -> bool:
    return not Match.objects.filter(pk__in=[match.pk for match in matches]).exclude(status="over").exists()


def test_the_queue_is_the_one_this_run_is_for() -> None:
    wanted = "redis" if os.environ.get("FALLUJAH_EXPECT_VENDOR") == "postgresql" else "filesystem"
    assert settings.CELERY_BROKER_ADDRESS.startswith(wanted)

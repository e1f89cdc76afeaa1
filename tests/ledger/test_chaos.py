"""Processes are killed and stopped at random while bots think and people play: nothing is lost, nothing waits for ever.

Sizes here are modest; bench/kills.py does the same in full.
"""

import os
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from api.tokens import token_make
from games.ledger import outbox
from games.ledger.models import BotFault, Entry, Match, Outbox
from games.ledger.verify import match_problem
from tests.arena import Arena, Player, database_url
from tests.history import anomalies
from tests.ledger.helpers import now, solo, wait_until

pytestmark = pytest.mark.services
SEED = int(os.environ.get("CHAOS_SEED", "1"))
BOT_KICKS = int(os.environ.get("CHAOS_BOT_KICKS", "12"))
WEB_KILLS = int(os.environ.get("CHAOS_KILLS", "10"))
BAD = ["random", "flaky", "random", "loops", "flaky", "hogs", "forks", "sleeps", "random", "flaky"]


def _all_over(matches: list[Match]) -> bool:
    return not Match.objects.filter(pk__in=[match.pk for match in matches]).exclude(status="over").exists()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_bots_are_killed_and_stopped_and_every_decision_is_made(make_user: Any, tmp_path: Path) -> None:
    rng = random.Random(SEED)
    rania = make_user()
    matches = [solo(make_user(f"o{n}"), seat=None, bots={"american": bot}) for n, bot in enumerate(BAD)]
    own, stop = solo(rania), threading.Event()
    done: list[str] = []
    with Arena(tmp_path, database_url(), FALLUJAH_BOT_WALL_FACTOR="2") as arena:
        person = Player(1, arena.port, token_make(user=rania)[1], [own.pk], stop)
        person.start()
        assert wait_until(lambda: Entry.objects.filter(by__startswith="bot:").exists(), 60)
        while len(done) < BOT_KICKS:
            done.append(arena.disturb_bots(rng))
            time.sleep(rng.uniform(0, 0.5))
        assert wait_until(lambda: _all_over(matches), 240), [(now(m).status, now(m).head_seq) for m in matches]
        stop.set()
        person.join(60)
    assert person.problems == [] and anomalies(person.ops) == []
    assert len(person.ops) > 20, "the web went on"
    for match in [*matches, own]:
        assert match_problem(now(match)) == "", f"after {done}"
    assert not Entry.objects.filter(match__in=matches, seq__gt=0).exclude(by__startswith="bot:").exists()
    kinds = set(BotFault.objects.values_list("kind", flat=True))
    assert {"time", "memory"} <= kinds, kinds


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_mail_and_pages_go_on_while_every_bot_worker_is_stuck(make_user: Any, tmp_path: Path) -> None:
    """More bots that never answer than there are threads, each allowed a long time."""
    stuck = [solo(make_user(f"o{n}"), seat=None, bots={"american": "sleeps"}) for n in range(8)]
    rania = make_user()
    with Arena(tmp_path, database_url(), FALLUJAH_BOT_WALL_FACTOR="600") as arena:
        held = Outbox.objects.filter(kind="bot", state="waiting", claimed_until__isnull=False)
        assert wait_until(lambda: held.count() == 4, 60), "all four threads wait for a bot"
        row = outbox.tell_user(rania, "verify", {"token": "x"})
        assert wait_until(lambda: Outbox.objects.get(pk=row.pk).state != "waiting", 180), "the mail is dealt with"
        stop = threading.Event()
        person = Player(1, arena.port, token_make(user=rania)[1], [solo(rania).pk], stop)
        person.start()
        assert wait_until(lambda: acknowledged([person]) >= 10, 60) and person.problems == []
        stop.set()
        person.join(60)
        later = timezone.now()
        assert wait_until(lambda: held.filter(beat_at__gt=later).count() == 4, 30), "and each is heard of"
    assert [now(match).head_seq for match in stuck] == [0] * 8


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_what_was_acknowledged_is_there_after_kills_and_reads_are_in_order(make_user: Any, tmp_path: Path) -> None:
    rng, stop = random.Random(SEED), threading.Event()
    rania = make_user()
    token = token_make(user=rania)[1]
    matches = [solo(rania) for _ in range(12)]
    with Arena(tmp_path, database_url()) as arena:
        open_matches = [match.pk for match in matches]
        players = [Player(n, arena.port, token, open_matches, stop) for n in range(4)]
        for player in players:
            player.start()
        for _ in range(WEB_KILLS + 1):
            until = acknowledged(players) + rng.randrange(1, 20)
            assert wait_until(lambda enough=until: acknowledged(players) >= enough or not alive(players), 60), (
                "recovers"
            )
            time.sleep(rng.uniform(0, 0.05))
            kick(arena, rng)
        stop.set()
        for player in players:
            player.join(60)
    judge(players)


def acknowledged(players: list[Player]) -> int:
    return sum(player.taken for player in players)


def alive(players: list[Player]) -> bool:
    return any(player.is_alive() for player in players)


def kick(arena: Arena, rng: random.Random) -> None:
    """Cut the power of something."""
    name = rng.choice(["web worker", "web worker", "web", "people", "bots1"])
    if name == "web worker":
        arena.kill_a_web_worker(rng)
    else:
        arena.kill(name)
        arena.start(name)


def judge(players: list[Player]) -> None:
    """Every acknowledged order is an entry, none is there twice, and nobody saw the past."""
    assert [player.problems for player in players if player.problems] == []
    ops = [op for player in players for op in player.ops]
    known = [op for op in ops if op.kind == "append"]
    entries = {(row.match_id, row.seq): tuple(row.action) for row in Entry.objects.filter(by="player")}
    missing = [op for op in known if entries.get((op.match, op.version)) != op.action]
    assert missing == [], f"{len(missing)} acknowledged orders are not there"
    unsure = sum(op.kind == "unknown" for op in ops)
    assert len(known) <= len(entries) <= len(known) + unsure, "an order was entered twice"
    assert anomalies(ops) == []
    for match in Match.objects.filter(pk__in={op.match for op in ops}):
        assert match_problem(match) == ""

"""A bot's decision is a leased job, thought about elsewhere, and nothing a bot does gets out of hand."""

import io
import os
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.utils import timezone

from games import catalogue
from games.bots.registry import add_bots, find_bot
from games.bots.thinker import Question
from games.kernel.errors import BadSetup
from games.kernel.ruleset import dump, fresh
from games.kernel.steps import apply, legal, owed
from games.kernel.table import SeededTable
from games.ledger import botplay, lease, minds, outbox, services, tasks
from games.ledger.models import BotFault, Entry, Match, Outbox
from games.ledger.verify import match_problem
from tests.ledger.helpers import now, solo, wait_until

pytestmark = pytest.mark.services


@pytest.fixture(autouse=True)
def _own_mind(settings: Any) -> Iterator[None]:
    settings.BOT_LEASE_SECONDS = 5
    yield
    minds.dismiss()


def bot_match(user: Any, bot: str = "random") -> Match:
    return solo(user, seat=None, bots={"american": bot})


def job_of(match: Match) -> Outbox:
    return Outbox.objects.get(match=match, kind="bot", state="waiting")


def play_until(match: Match, entries: int) -> None:
    """Run the task as a worker would, as often as it asks to be run again."""
    while now(match).status == "playing" and now(match).head_seq < entries:
        tasks.seat_play_task(job_of(match).pk)


def question(bot: str = "random", **changes: Any) -> Question:
    g = fresh(catalogue.find("card_assault"), 3)
    given: dict[str, Any] = {
        "number": 0, "ruleset": "card_assault", "package": "games.card_assault", "bot": bot, "seat": owed(g)[0],
        "state": dump(g), "seed": "x", "cpu_seconds": 1, "wall_seconds": 1 if bot == "sleeps" else 60,
    }  # fmt: skip
    return Question(**{**given, **changes})


def ask(bot: str, **changes: Any) -> Any:
    return minds.ask(question(bot, **changes), lambda: None, 0.5)


# --- thinking ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "kind"),
    [
        ("loops", "time"), ("sleeps", "time"), ("hogs", "memory"), ("garbles", "garbage"), ("raises", "raised"),
        ("exits", "ended"), ("unborn", "raised"),
    ],
)  # fmt: skip
def test_a_bot_that_misbehaves_is_ended_and_the_next_question_is_answered(bot: str, kind: str) -> None:
    with pytest.raises(minds.Failed) as failed:
        ask(bot)
    assert failed.value.kind == kind, failed.value
    assert ask("random").action in legal(fresh(catalogue.find("card_assault"), 3), "american")


def test_what_a_bot_forks_neither_answers_nor_outlives_it() -> None:
    first, second = ask("forks"), ask("forks")
    assert first.action == second.action, "the same question, and no answer of a twin"
    group = minds._own.mind.child.pid
    assert wait_until(lambda: len(members(group)) == 3, 20), "the mind and two sleepers; the twins have gone"
    minds.dismiss()
    assert wait_until(lambda: members(group) == [], 20), "the kernel buries the killed in its own time"


def members(group: int) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(int(folder.name))
    return found


def test_a_mind_is_used_again_and_has_low_priority_and_no_secret_of_the_server() -> None:
    os.environ["FALLUJAH_SECRET_KEY"] = "do not tell"
    try:
        ask("random")
        mind = minds._own.mind
        ask("random")
        assert minds._own.mind is mind and mind.asked == 2
        assert os.getpriority(os.PRIO_PROCESS, mind.child.pid) >= 10
        kept = Path(f"/proc/{mind.child.pid}/environ").read_bytes()
        assert b"FALLUJAH" not in kept and b"do not tell" not in kept
        assert b"_psycopg" not in Path(f"/proc/{mind.child.pid}/maps").read_bytes()
    finally:
        del os.environ["FALLUJAH_SECRET_KEY"]


def test_a_mind_that_has_gone_home_is_replaced_without_a_failure(settings: Any) -> None:
    settings.BOT_IDLE_SECONDS = 0.2
    ask("random")
    minds._own.mind.child.stdout.read(1)  # it closes its end when it goes
    assert ask("random").action


@pytest.mark.parametrize("ruleset", catalogue.all_keys())
def test_the_same_question_gives_the_same_answer_in_another_process(ruleset: str) -> None:
    rules = catalogue.find(ruleset)
    g = fresh(rules, 5)
    table = SeededTable(11)
    for step in range(6):
        seat = owed(g)[0]
        for info in rules.bots:
            if info.in_rules or (info.seats and seat not in info.seats):
                continue
            asked = question(
                info.key, ruleset=ruleset, package=f"games.{ruleset}", seat=seat, state=dump(g), seed=str(step),
                cpu_seconds=10, wall_seconds=60,
            )  # fmt: skip
            first = minds.ask(asked, lambda: None, 1)
            minds.dismiss()
            assert minds.ask(asked, lambda: None, 1).action == first.action
        apply(g, seat, legal(g, seat)[step % len(legal(g, seat))], table)


# --- leases --------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_of_two_workers_one_gets_the_job_and_a_silent_one_loses_it(make_user: Any, settings: Any) -> None:
    match = bot_match(make_user())
    job = lease.take(job_of(match).pk)
    assert job is not None and job.holder == lease.me() and job.beat_at is not None
    assert lease.take(job.pk) is None and lease.take_best() is None
    Outbox.objects.filter(pk=job.pk).update(claimed_until=timezone.now() - timedelta(seconds=1), holder="far:1:1")
    assert lease.due(9) == [job.pk], "the sweep finds it"
    other = lease.take_best()
    assert other is not None and other.attempts == 2
    job.holder = "far:1:1"
    with pytest.raises(lease.Lost):
        lease.beat(job)
    assert BotFault.objects.get(match=match).kind == "lost"


@pytest.mark.django_db
def test_the_answer_of_a_worker_that_lost_its_lease_is_not_written(make_user: Any) -> None:
    match = bot_match(make_user())
    job = lease.take(job_of(match).pk)
    assert job is not None
    late = botplay.Worker(job)
    look = botplay.Look(match.pk)
    base = look.link
    moves, _ = late._think(look)
    assert moves
    Outbox.objects.filter(pk=job.pk).update(holder="somebody:2:2")
    with pytest.raises(lease.Lost):
        late._write(base, moves)
    assert now(match).head_seq == 0 and Entry.objects.filter(match=match).count() == 1


@pytest.mark.django_db
def test_a_match_that_has_moved_on_is_thought_about_again(make_user: Any) -> None:
    match = bot_match(make_user())
    job = lease.take(job_of(match).pk)
    assert job is not None
    worker, look = botplay.Worker(job), botplay.Look(match.pk)
    base = look.link
    moves, _ = worker._think(look)
    assert worker._write(base, moves[:1])
    before = now(match).head_seq
    assert worker._write(base, moves), "refused by the version, and a bot is still asked"
    assert now(match).head_seq == before


@pytest.mark.django_db
def test_people_at_the_table_come_before_bots_among_themselves(make_user: Any, tom_and_toy: Any) -> None:
    alone = bot_match(make_user())
    with_person = tom_and_toy
    Outbox.objects.filter(match=alone).update(due_at=timezone.now() - timedelta(minutes=9))  # it has waited longer
    assert job_of(alone).alone and not job_of(with_person).alone
    first = lease.take_best()
    assert first is not None and first.match_id == with_person.pk
    second = lease.take_best()
    assert second is not None and second.match_id == alone.pk
    lease.give_back(first)
    assert lease.others_wait(second), "a person's job makes a match of bots give way"
    lease.give_back(second)
    again = lease.take(first.pk)
    assert again is not None and not lease.others_wait(again), "and not the other way round"


@pytest.fixture
def tom_and_toy(make_user: Any) -> Iterator[Match]:
    from tests import toy

    toy.install()
    tom = make_user("tom")
    match = services.match_create(user=tom, ruleset="toy", bots={"south": "random"})
    while "south" not in now(match).owed:
        orders = [list(legal(botplay.Look(match.pk).g, "north")[-1])]  # type: ignore[arg-type]
        services.orders_submit(match_id=match.pk, seat="north", user=tom, orders=orders)
    yield match
    toy.remove()


@pytest.mark.django_db(transaction=True)
def test_no_lock_is_held_while_a_bot_thinks(make_user: Any) -> None:
    match = bot_match(make_user(), "slow")
    seen: list[bool] = []
    honest = minds.ask

    def ask_and_look(*args: Any) -> Any:
        seen.append(connection.in_atomic_block)
        other = threading.Thread(target=_write_meanwhile, args=(match.pk,))
        other.start()
        other.join(5)
        assert not other.is_alive(), "somebody else can lock the match meanwhile"
        return honest(*args)

    minds.ask = ask_and_look  # type: ignore[assignment]
    try:
        job = lease.take(job_of(match).pk)
        assert job is not None
        botplay.Worker(job)._think(botplay.Look(match.pk))
    finally:
        minds.ask = honest
    assert seen and not any(seen)


def _write_meanwhile(match_id: int) -> None:
    with transaction.atomic():
        Match.objects.select_for_update().filter(pk=match_id).update(title="touched")
    connections.close_all()


@pytest.mark.django_db
def test_the_same_seed_and_entries_give_the_same_play(make_user: Any) -> None:
    first = bot_match(make_user(), "cautious")
    twin = Match.objects.get(pk=first.pk)
    twin.pk = None
    twin.save()
    for seat in first.seats.all():
        seat.pk, seat.match = None, twin
        seat.save()
    opening = Entry.objects.get(match=first, seq=0)
    opening.pk, opening.match = None, twin
    opening.save()
    outbox.ask_bot(twin, twin.seats.get(), alone=True)
    lines = []
    for match in (first, twin):
        play_until(match, 10_000)
        minds.dismiss()
        lines.append(list(Entry.objects.filter(match=match).order_by("seq").values_list("action", "rolls", "hash")))
    assert lines[0] == lines[1] and len(lines[0]) > 20


# --- failing -------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("bot", ["raises", "garbles", "exits", "unborn", "hogs"])
def test_after_two_failures_the_simple_bot_answers_and_it_is_told(
    bot: str, make_user: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "RETRY_SECONDS", 0)
    match = bot_match(make_user(), bot)
    play_until(match, 1)
    entry = Entry.objects.get(match=match, seq=1)
    assert entry.by == "bot:random" and entry.why.startswith(f"for {bot}: ")
    faults = list(BotFault.objects.filter(match=match, seq=0).values_list("bot", "answered"))
    assert faults == [(bot, False), (bot, True)]
    report = io.StringIO()
    call_command("bots_report", stdout=report)
    assert f"{bot}: " in report.getvalue() and "the simple bot answered" in report.getvalue()
    play_until(match, 10_000)
    assert now(match).status == "over" and match_problem(now(match)) == ""


@pytest.mark.django_db
def test_an_illegal_answer_is_never_written_and_is_reported(make_user: Any) -> None:
    match = bot_match(make_user(), "cheats")
    play_until(match, 10_000)
    assert now(match).status == "over" and match_problem(now(match)) == ""
    assert not [entry for entry in Entry.objects.filter(match=match) if entry.action[0] == "frobnicate"]
    fault = BotFault.objects.filter(match=match).earliest("pk")
    assert (fault.kind, fault.seat, fault.bot, fault.seq, fault.answered) == ("illegal", "american", "cheats", 0, True)
    assert "frobnicate 7" in fault.detail


@pytest.mark.django_db(transaction=True)
def test_a_failed_job_is_left_to_other_workers_for_a_moment(make_user: Any) -> None:
    match = bot_match(make_user(), "raises")
    tasks.seat_play_task(job_of(match).pk)
    job = job_of(match)
    assert (job.failures, job.claimed_until) == (1, None)
    assert lease.take(job.pk) is None, "not by the one it failed with"
    taken: list[int] = []

    def look() -> None:
        taken.append(lease.free().count())
        connections.close_all()

    other = threading.Thread(target=look)
    other.start()
    other.join()
    assert taken == [1], "by any other at once"


@pytest.mark.django_db
def test_a_bot_that_keeps_failing_is_not_asked_for_the_rest_of_the_job(
    make_user: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "RETRY_SECONDS", 0)
    match = bot_match(make_user(), "raises")
    play_until(match, 10_000)
    assert now(match).status == "over"
    assert BotFault.objects.filter(match=match).count() == 2 * lease.MOST_GIVEN_UP


@pytest.mark.django_db
def test_a_broken_rule_stops_the_match_and_keeps_its_ledger(make_user: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    match = bot_match(make_user())

    def broken(*args: Any) -> Any:
        raise AssertionError("two tanks in one place")

    monkeypatch.setattr(type(catalogue.find("card_assault")), "imagine", broken)
    tasks.seat_play_task(job_of(match).pk)
    assert now(match).fault == "two tanks in one place"
    assert not Outbox.objects.filter(match=match, kind="bot", state="waiting").exists()


@pytest.mark.django_db
def test_time_to_think_is_the_matchs_or_the_bots_or_the_servers(make_user: Any, settings: Any) -> None:
    settings.BOT_SECONDS, settings.BOT_SECONDS_OF = 5, {"cautious": 2}
    match = bot_match(make_user())
    assert botplay.seconds_of(match, "random") == 5
    assert botplay.seconds_of(match, "cautious") == 2
    longer = services.match_create(user=match.owner, ruleset="card_assault", bots={"american": "random"}, bot_seconds=9)
    assert botplay.seconds_of(longer, "cautious") == 9
    with pytest.raises(BadSetup, match="think"):
        services.match_create(user=match.owner, ruleset="card_assault", bot_seconds=10_000)


@pytest.mark.django_db
def test_a_hosts_own_bot_is_known_by_name_and_not_imported_by_the_server(make_user: Any) -> None:
    match = bot_match(make_user(), "unborn")
    assert match.status == "playing"
    with pytest.raises(BadSetup, match="has no bot 'nobody'"):
        bot_match(make_user("tom"), "nobody")
    with pytest.raises(ValueError, match=r"ruleset\.key=module:Class"):
        add_bots(["nonsense"])
    assert find_bot("card_assault", "random").key == "random"


@pytest.mark.django_db
def test_bots_have_a_queue_of_their_own() -> None:
    from fallujah_server.celery import app

    def queue(task: str) -> str:
        return str(app.amqp.router.route({}, task)["queue"].name)

    assert queue("games.ledger.tasks.seat_play_task") == "bots"
    for task in ("games.ledger.tasks.sweep_task", "notifications.tasks.outbox_deliver_task",
                 "notifications.tasks.inbound_read_task"):  # fmt: skip
        assert queue(task) == "people"


@pytest.mark.django_db
def test_a_question_asked_while_the_worker_is_about_to_finish_is_not_lost(make_user: Any) -> None:
    """The job ends under the match lock, and one that has not ended is enough."""
    match = bot_match(make_user())
    seat = match.seats.get(key="american")
    outbox.ask_bot(match, seat, alone=True)
    assert Outbox.objects.filter(match=match, kind="bot").count() == 1
    job = lease.take(job_of(match).pk)
    assert job is not None
    outbox.ask_bot(match, seat, alone=True)
    assert Outbox.objects.filter(match=match, kind="bot").count() == 1, "held: its worker looks again"
    assert botplay.Worker(job)._write("nothing was thought", []), "a bot is asked: it does not finish"
    assert job_of(match).pk == job.pk


def test_seeds_for_bots_tell_nothing_of_the_dice() -> None:
    class Fake:
        link = "f" * 64

        class match:
            seed = "ab" * 32

    seeds = {botplay._seed(Fake, "american", use) for use in ("world", "bot", "simple")}  # type: ignore[arg-type]
    assert len(seeds) == 3 and all("abab" not in seed for seed in seeds)

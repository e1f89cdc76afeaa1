"""The ledger: append-only, chained, sealed, and nothing half applied."""

import itertools
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from games.kernel.errors import MatchOver, NotYourDecision, StaleOrders, Unreadable
from games.ledger import dice, selectors, services
from games.ledger.models import Entry, Match, Outbox, Snapshot
from games.ledger.play import Hand
from games.ledger.verify import match_problem
from tests.ledger.helpers import act, choices, now, play_some, solo

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_entry SET action = '[\"done\"]'",
        "UPDATE ledger_entry SET news = '[]' WHERE seq = 0",
        "DELETE FROM ledger_entry",
        "DELETE FROM ledger_entry WHERE seq = 0",
    ],
)
def test_the_database_itself_refuses_to_change_an_entry(make_user: Any, statement: str) -> None:
    match = solo(make_user())
    before = list(Entry.objects.filter(match=match).values())
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert list(Entry.objects.filter(match=match).values()) == before


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="only PostgreSQL can truncate")
def test_the_ledger_cannot_be_truncated() -> None:
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("TRUNCATE ledger_entry CASCADE")


def test_entry_zero_opens_the_match_and_follows_the_header(make_user: Any) -> None:
    match = solo(make_user(), salt="oud")
    entry = Entry.objects.get(match=match, seq=0)
    assert entry.action == ["open"]
    assert entry.previous_hash == dice.header_hash(match.header)
    assert match.header["salts"] == {"american": "oud"}
    assert match.header["commitment"] == dice.commitment(match.seed)


def test_another_salt_gives_other_dice_under_the_same_seed(make_user: Any) -> None:
    match = solo(make_user(), salt="oud")
    other = {**match.header, "salts": {"american": "qanun"}}
    streams = [dice.Chance(match.seed, dice.header_hash(header)) for header in (match.header, other)]
    assert [streams[0].below(6) for _ in range(40)] != [streams[1].below(6) for _ in range(40)]


def test_each_answer_is_one_entry_that_names_the_one_before(make_user: Any) -> None:
    match = play_some(solo(make_user()), 30)
    entries = list(Entry.objects.filter(match=match).order_by("seq"))
    assert [entry.seq for entry in entries] == list(range(len(entries)))
    for before, after in itertools.pairwise(entries):
        assert after.previous_hash == before.hash
    assert match.head_hash == entries[-1].hash


def test_a_refused_action_changes_nothing_and_says_what_is_possible(make_user: Any) -> None:
    match = solo(make_user())
    before = Match.objects.filter(pk=match.pk).values().get()
    result = services.orders_submit(match_id=match.pk, seat="american", orders=[["put", "S.mortars.1", 9]])
    assert result.applied == 0 and result.refused is not None
    assert result.refused["why"].endswith(".") and result.refused["nearest"]
    assert Match.objects.filter(pk=match.pk).values().get() == before


def test_orders_before_a_refused_one_stand_and_the_receipt_says_so(make_user: Any) -> None:
    match = solo(make_user())
    first = next(action for action in choices(match) if action[0] != "takeback")
    result = services.orders_submit(
        match_id=match.pk, seat="american", orders=[list(first), ["frobnicate"], list(first)]
    )
    assert (result.applied, result.refused["text"]) == (1, "frobnicate")  # type: ignore[index]
    assert now(match).head_seq == match.head_seq + 1


def test_all_or_nothing_leaves_the_match_untouched_while_nothing_was_shown(make_user: Any) -> None:
    user = make_user()
    match = next(match for match in (solo(user) for _ in range(100)) if choices(match)[0][0] == "put")
    first = choices(match)[0]
    result = services.orders_submit(
        match_id=match.pk, seat="american", orders=[list(first), ["frobnicate"]], all_or_nothing=True
    )
    assert result.applied == 0
    assert now(match).head_seq == match.head_seq
    assert Entry.objects.filter(match=match).count() == match.head_seq + 1


def test_a_dry_run_tells_and_does_nothing(make_user: Any) -> None:
    match = solo(make_user())
    result = services.orders_submit(match_id=match.pk, seat="american", orders=[list(choices(match)[0])], dry_run=True)
    assert result.applied == 1
    assert now(match).head_seq == match.head_seq
    assert not Outbox.objects.filter(match=match, seq__gt=match.head_seq).exists()


def test_orders_for_an_older_version_are_refused_with_the_present_one(make_user: Any) -> None:
    match = solo(make_user())
    act(match, choices(match)[0])
    with pytest.raises(StaleOrders) as caught:
        services.orders_submit(
            match_id=match.pk, seat="american", orders=[list(choices(match)[0])], base=match.head_seq
        )
    assert caught.value.facts["version"] == now(match).head_seq


def test_nobody_orders_for_a_seat_of_somebody_else(make_user: Any) -> None:
    match = solo(make_user())
    stranger = make_user("tom")
    with pytest.raises(NotYourDecision):
        services.orders_submit(match_id=match.pk, seat="american", user=stranger, orders="done")


def test_a_crash_while_writing_leaves_no_trace(make_user: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    match = solo(make_user())
    action = choices(match)[0]
    original = Hand.close

    def close(self: Hand, actor: str | None = None) -> None:
        original(self, actor)
        raise RuntimeError("the machine fell over")

    monkeypatch.setattr(Hand, "close", close)
    with pytest.raises(RuntimeError):
        act(match, action)
    monkeypatch.undo()
    assert now(match).head_seq == match.head_seq
    assert match_problem(now(match)) == ""


def test_a_whole_game_ends_reveals_its_seed_and_verifies(make_user: Any) -> None:
    user = make_user()
    match = solo(user)
    assert selectors.summary(match, user)["seed"] is None
    over = play_some(match, 100_000)
    assert over.status == Match.Status.OVER
    assert selectors.summary(over, user)["seed"] == over.seed
    assert over.outcome is not None and over.outcome["words"]
    assert match_problem(over) == ""
    with pytest.raises(MatchOver):
        act(match, ("done",))


def test_snapshots_come_every_fifty_entries_and_any_entry_can_be_seen_again(make_user: Any) -> None:
    match = play_some(solo(make_user()), 120)
    assert Snapshot.objects.filter(match=match).count() >= 2
    from games.kernel.ruleset import dump
    from games.ledger import replay

    rules = selectors.rules_of(match)
    for seq in (0, 1, 49, 50, 51, 77, 100, match.head_seq):
        slow = replay.state_from_start(rules, match, replay.lines(match.pk, seq))
        assert dump(replay.state_at(match, seq)) == dump(slow)


def test_resigning_ends_the_match_and_it_still_verifies(make_user: Any) -> None:
    user = make_user()
    match = play_some(solo(user), 12)
    services.seat_resign(match_id=match.pk, seat="american", user=user)
    over = now(match)
    assert over.status == Match.Status.OVER and over.outcome["result"] == "Resigned"  # type: ignore[index]
    assert match_problem(over) == ""


@pytest.mark.parametrize("column", ["action", "rolls", "by", "seat", "hash", "previous_hash", "seal"])
def test_any_change_made_behind_the_database_is_found_and_named(make_user: Any, column: str) -> None:
    match = play_some(solo(make_user()), 25)
    victim = Entry.objects.filter(match=match, seq__gt=3).exclude(rolls=[]).first()
    assert victim is not None
    forged = {
        "action": '["done", "twice"]',
        "rolls": '[["d6", 1], ["d6", 1], ["d6", 1]]',
        "by": "clock",
        "seat": "nobody",
        "hash": "0" * 64,
        "previous_hash": "1" * 64,
        "seal": "2" * 32,
    }[column]
    from importlib import import_module

    lock = import_module("games.ledger.migrations.0002_lock_entries")
    with connection.cursor() as cursor:
        for statement in lock.SQLITE_UNLOCK if connection.vendor == "sqlite" else [lock.POSTGRES_UNLOCK]:
            cursor.execute(statement)
        cursor.execute(f"UPDATE ledger_entry SET {column} = %s WHERE id = %s", [forged, victim.pk])
        for statement in lock.SQLITE_LOCK if connection.vendor == "sqlite" else [lock.POSTGRES_LOCK]:
            cursor.execute(statement)
    assert match_problem(now(match)).startswith(f"Entry {victim.seq}")


@pytest.mark.parametrize("raw", [[], ["do", {}], 7, None, {"a": "put"}, ["put", True, 1.5]])
def test_what_is_no_action_is_not_read(make_user: Any, raw: Any) -> None:
    match = solo(make_user())
    with pytest.raises(Unreadable, match="JSON array"):
        services.orders_submit(match_id=match.pk, seat="american", orders=[raw])
    assert now(match).head_seq == match.head_seq


@pytest.mark.parametrize("verb", ["__init__", "options", "seats", "run", "frobnicate", "done "])
def test_a_verb_that_is_not_on_offer_is_refused(make_user: Any, verb: str) -> None:
    match = solo(make_user())
    result = services.orders_submit(match_id=match.pk, seat="american", orders=[[verb]])
    assert result.applied == 0 and result.refused is not None
    assert now(match).head_seq == match.head_seq

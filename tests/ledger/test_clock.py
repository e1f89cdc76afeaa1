"""A seat that is away does not keep the others waiting longer than its clock."""

import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from games.kernel.errors import BadSetup
from games.ledger import clock, selectors, services, stops, tasks
from games.ledger.models import Entry, Match, Outbox, Seat
from games.ledger.verify import match_problem
from tests import toy
from tests.ledger.helpers import now

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def duel(make_user: Any) -> Iterator[Match]:
    """Tom (north) begins against Rania (south), a day for each answer."""
    toy.install()
    match = services.match_create(user=make_user("tom"), ruleset="toy", clock_hours=24)
    yield services.match_join(user=make_user("rania"), match_id=match.pk)
    toy.remove()


def hours_pass(match: Match, hours: int) -> None:
    back = {field: F(field) - timedelta(hours=hours) for field in ("asked_since", "clock_from", "due_at", "remind_at")}
    Seat.objects.filter(match=match).exclude(asked_since=None).update(**back)


def test_only_the_seat_that_is_asked_has_a_running_clock(duel: Match) -> None:
    assert [seat.asked_since is not None for seat in duel.seats.all()] == [True, False]
    due = selectors.due_at(duel, duel.seats.get(key="north"))
    assert due is not None and timedelta(hours=29) < due - timezone.now() <= timedelta(hours=30), "no notice yet"
    services.saw(match_id=duel.pk, seat="north", seq=0)
    due = selectors.due_at(duel, duel.seats.get(key="north"))
    assert due is not None and timedelta(hours=23) < due - timezone.now() <= timedelta(hours=24)


def test_the_clock_answers_with_the_least_the_rules_allow(duel: Match) -> None:
    hours_pass(duel, 31)
    tasks.answer_for_the_silent()
    entry = Entry.objects.filter(match=duel).latest("seq")
    assert (entry.seat, entry.action, entry.by) == ("north", ["pass"], "clock")
    assert now(duel).owed == ["south"]
    assert Outbox.objects.filter(match=duel, topic="timed-out", user__username="tom").count() == 1
    assert Outbox.objects.filter(match=duel, topic="decision", user__username="rania").count() == 1
    assert match_problem(now(duel)) == ""


def test_before_its_time_the_clock_does_nothing(duel: Match) -> None:
    hours_pass(duel, 23)
    tasks.answer_for_the_silent()
    assert now(duel).head_seq == duel.head_seq


def test_the_next_seat_has_its_whole_time(duel: Match) -> None:
    hours_pass(duel, 31)
    tasks.answer_for_the_silent()
    tasks.answer_for_the_silent()
    assert now(duel).owed == ["south"], "two overlapping sweeps answer once"


def test_a_match_of_two_who_never_answer_comes_to_its_end(duel: Match) -> None:
    for _ in range(40):
        hours_pass(duel, 31)
        tasks.answer_for_the_silent()
    assert now(duel).status == Match.Status.OVER
    assert match_problem(now(duel)) == ""


def test_without_a_clock_nobody_is_hurried(make_user: Any) -> None:
    match = services.match_create(user=make_user(), ruleset="card_assault")
    hours_pass(match, 10_000)
    assert clock.clocks_up() == []


@pytest.mark.parametrize("hours", [0, -1, 100_000])
def test_a_clock_that_cannot_be_is_refused(make_user: Any, hours: int) -> None:
    with pytest.raises(BadSetup, match="hours for each answer"):
        services.match_create(user=make_user(), ruleset="card_assault", clock_hours=hours)


MATCHES = int(os.environ.get("FALLUJAH_CLOCK_MATCHES", "1500"))  # 10,000 for the whole proof


def test_one_indexed_query_finds_the_few_that_are_up_among_many(duel: Match, django_assert_num_queries: Any) -> None:
    """Clocks, reminders and stops: a sweep reads what is due and nothing else."""
    north, now_ = duel.seats.get(key="north"), timezone.now()
    fields = {"ruleset": "toy", "ruleset_version": 1, "status": "playing", "clock_hours": 24, "owner": duel.owner}
    many = Match.objects.bulk_create([Match(**fields, owed=["north"]) for _ in range(MATCHES)])
    up = {match.pk for number, match in enumerate(many) if number % 100 == 7}
    Seat.objects.bulk_create(
        Seat(
            match=match,
            key="north",
            order=0,
            user=north.user,
            asked_since=now_,
            due_at=now_ + timedelta(hours=-1 if match.pk in up else 5 + match.pk % 300),
        )
        for match in many
    )
    broken = min(up)
    Match.objects.filter(pk=broken).update(fault="stopped for repair")
    with django_assert_num_queries(1):
        found = clock.clocks_up()
    assert {match_id for match_id, _ in found} == up - {broken}
    with django_assert_num_queries(2):
        assert clock.reminders_due() == [] and stops.stops_over() == []
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE ledger_seat")
        plan = Seat.objects.filter(due_at__lte=now_).order_by("due_at").explain()
    assert "clock_due" in plan


def test_a_seat_that_cannot_be_answered_for_does_not_hold_up_the_sweep(duel: Match, monkeypatch: Any) -> None:
    hours_pass(duel, 31)
    monkeypatch.setattr(clock, "least", lambda options: ("fly", "away"))
    tasks.answer_for_the_silent()
    assert clock.clocks_up() == [] and now(duel).fault == ""

    def broken(options: Any) -> Any:
        raise AssertionError("a broken invariant")

    hours_pass(duel, 1)
    monkeypatch.setattr(clock, "least", broken)
    tasks.answer_for_the_silent()
    assert now(duel).fault == "a broken invariant" and clock.clocks_up() == []

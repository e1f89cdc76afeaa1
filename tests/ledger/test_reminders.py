"""Reminders over sixty virtual days with three schedulers that overlap: each exactly once, never after the move."""

import os
import random
from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import Any

import msgspec
import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from games.ledger import clock, outbox, personal, selectors, services, stops, tasks, timing
from games.ledger.calendar import Calendar, after
from games.ledger.models import Match, Outbox, Seat
from tests import toy
from tests.ledger.helpers import Time

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
GAMES = int(os.environ.get("FALLUJAH_REMINDER_GAMES", "12"))  # 1,000 for the whole proof
DAYS = 60 if GAMES >= 100 else 25
STEP = timedelta(hours=1)
START = datetime(2026, 3, 1, 6, tzinfo=UTC)  # the clock is put forward on the way
WISHES: list[dict[str, str]] = [
    {},
    {"quiet": "22-07"},
    {"zone": "Europe/Berlin", "quiet": "22-07", "days_off": "sat sun"},
    {"zone": "America/New_York", "quiet": "23:30-08"},
    {"zone": "Australia/Lord_Howe", "days_off": "wed"},
    {"reminders": "off"},
]


class Question(msgspec.Struct):
    """One question to one seat: when its clock began, and the step in which it was answered."""

    match_id: int
    seat: str
    since: datetime
    starts: datetime
    bank: int
    calendar: Calendar
    recalled: bool
    answer_at: datetime
    ended: datetime | None = None
    seq: int = 10**9  # the first entry after it


class World:
    """Many games, and people who answer when they like."""

    def __init__(self, time: Time, make_user: Any, games: int) -> None:
        self.time, self.rng = time, random.Random(60)
        self.open: dict[tuple[int, str], Question] = {}
        self.past: list[Question] = []
        users = [make_user(f"player{number}") for number in range(12)]
        for number, user in enumerate(users):
            personal.settings_change(user=user, changes=WISHES[number % len(WISHES)])
        users = list(get_user_model().objects.filter(pk__in=[user.pk for user in users]))
        for _ in range(games):
            north, south = self.rng.sample(users, 2)
            match = services.match_create(user=north, ruleset="toy", clock_hours=72, bank_hours=48)
            services.match_join(user=south, match_id=match.pk)

    def look(self) -> None:
        """Find questions that are new or gone; a new one reaches its person at once."""
        fields = ("match_id", "key", "asked_since", "match__head_seq")
        now = {(m, k): (since, seq) for m, k, since, seq in
               Seat.objects.exclude(asked_since=None).values_list(*fields)}  # fmt: skip
        for place, question in list(self.open.items()):
            if now.get(place, (None, 0))[0] != question.since:
                question.ended = self.time.at
                self.past.append(self.open.pop(place))
        for place in now:
            if place not in self.open:
                self._asked(*place)

    def _asked(self, match_id: int, key: str) -> None:
        stops.noticed(match_id=match_id, seat=key)
        seat = Seat.objects.select_related("user").get(match_id=match_id, key=key)
        assert seat.clock_from == self.time.at and seat.asked_since and seat.user
        self.open[match_id, key] = Question(
            match_id, key, seat.asked_since, seat.clock_from, seat.bank_left, timing.calendar_of(seat.user),
            seat.user.reminders, self.time.at + STEP * self.rng.randint(1, 260),
        )  # fmt: skip

    def move(self) -> None:
        """Whoever wanted to answer by now does, unless the clock was faster."""
        for question in list(self.open.values()):
            if question.answer_at > self.time.at:
                continue
            match = Match.objects.get(pk=question.match_id)
            row = Seat.objects.get(match=match, key=question.seat)
            if row.asked_since != question.since:
                continue
            orders = self.rng.choice([o.notation for o in selectors.asked(match, question.seat).actions])
            done = services.orders_submit(match_id=match.pk, seat=question.seat, orders=orders)
            question.seq = done.entries[0]


def expected(question: Question) -> dict[int, datetime]:
    """Which reminders a question should have brought, and the sweep that should have done it."""
    if not question.recalled:
        return {}
    match = type("M", (), {"clock_hours": 72})
    seat = type("S", (), {"clock_extra": 0, "bank_left": question.bank})
    found: dict[int, datetime] = {}
    for number, mark in enumerate(timing.reminder_marks(match, seat)):
        at = after(question.calendar, question.starts, mark)
        steps = -((START - at) // STEP)
        sweep = START + steps * STEP
        if sweep not in found.values():  # two that are due at once are one
            found[number] = sweep
    return found


def sweeps(at_once: bool) -> list[Thread]:
    """Three schedulers that have all read the same list before any of them writes."""
    due = [clock.reminders_due() for _ in range(3)]

    def run(rows: Any) -> None:
        for match_id, seat, at in rows:
            clock.remind(match_id=match_id, seat=seat, at=at)
        if at_once:
            connection.close()

    if not at_once:
        for rows in due:
            run(rows)
        return []
    threads = [Thread(target=run, args=(rows,)) for rows in due if rows]
    for thread in threads:
        thread.start()
    return threads


def test_each_reminder_exactly_once_in_the_players_hours_and_never_after_the_move(
    make_user: Any, monkeypatch: Any
) -> None:
    time = Time(monkeypatch, START)
    monkeypatch.setattr(outbox, "changed", lambda match_id: None)  # no workers here
    toy.install()
    try:
        world = World(time, make_user, GAMES)
        at_once = connection.vendor == "postgresql"
        for step in range(DAYS * 24):
            if step % 240 == 0:
                print(f"day {step // 24}", flush=True)
            world.look()
            time.passes(hours=1)
            threads = sweeps(at_once)
            world.move()  # while the schedulers are at work, where the database allows it
            for thread in threads:
                thread.join()
            tasks.answer_for_the_silent()
        world.look()
    finally:
        toy.remove()
    told: dict[tuple[int, str, str], list[tuple[int, datetime, int]]] = {}
    for row in Outbox.objects.filter(topic="reminder"):
        key = (row.match_id or 0, row.seat, row.payload["asked"])
        told.setdefault(key, []).append((row.payload["number"], row.created_at, row.seq))
    reminders = asked = 0
    for question in [*world.past, *world.open.values()]:
        asked += 1
        rows = told.pop((question.match_id, question.seat, question.since.isoformat()), [])
        reminders += len(rows)
        numbers = [number for number, _, _ in rows]
        assert len(numbers) == len(set(numbers)), "never twice"
        wanted = expected(question)
        end = question.ended or time.at
        for number, at in wanted.items():
            if at < end:
                assert number in numbers, (question, number, at)
        for number, at, seq in rows:
            assert wanted[number] == at <= end, (question, number, at)
            assert seq < question.seq, "never after the move"
            quiet = Calendar(zone=question.calendar.zone, quiet=question.calendar.quiet)
            assert after(quiet, at - STEP, timedelta(0)) <= at, "in the player's hours"
    assert not told, "no reminder without a question"
    assert reminders > asked / 2
    print(f"{GAMES} games, {DAYS} days, {asked} questions, {reminders} reminders")

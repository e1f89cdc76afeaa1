"""Whole histories of a clock (notices, stops, snoozes, changed calendars) against a walk through every minute."""

import os
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.ledger import timing
from games.ledger.calendar import Calendar
from tests.ledger.test_calendar import MINUTE, calendars, counts, instants

HISTORIES = int(os.environ.get("FALLUJAH_HISTORIES", "400"))


def person(calendar: Calendar) -> Any:
    quiet = "" if calendar.quiet is None else "-".join(f"{at // 60:02}:{at % 60:02}" for at in calendar.quiet)
    return SimpleNamespace(
        zone=calendar.zone, quiet=quiet, days_off="".join(map(str, calendar.days_off)), reminders=True,
        away=[[gone.isoformat(), back.isoformat()] for gone, back in calendar.away],
        is_active=True, wants_mail=True, email_verified_at=datetime(2026, 1, 1),
    )  # fmt: skip


def asked(calendar: Calendar, hours: int, bank: int, at: datetime) -> tuple[Any, Any]:
    match = SimpleNamespace(clock_hours=hours, clock_stops={})
    seat = SimpleNamespace(
        user=person(calendar), user_id=1, bot="", asked_since=None, clock_from=None, clock_spent=0, clock_extra=0,
        bank_left=bank * 3600, due_at=None, remind_at=None, reminded=0, bounced_since=None,
    )  # fmt: skip
    timing.turn(match, seat, at, asked=True, present=False)
    return match, seat


class Walk:
    """The same told minute by minute, without any arithmetic on calendars."""

    def __init__(self, calendar: Calendar, at: datetime) -> None:
        self.calendar, self.at = calendar, at
        self.waited = self.used = timedelta(0)
        self.told = self.stopped = False

    def go(self, until: datetime) -> None:
        while self.at < until:
            self.minute()

    def minute(self) -> None:
        if not self.stopped and counts(self.calendar, self.at):
            if not self.told and self.waited < timedelta(hours=timing.NOTICE_HOURS):
                self.waited += MINUTE
            else:
                self.used += MINUTE
        self.at += MINUTE

    def ends(self, span: timedelta) -> datetime:
        """The first minute that counts after `span` of counted time."""
        while self.used < span or not counts(self.calendar, self.at):
            self.minute()
        return self.at


events = st.lists(
    st.tuples(st.sampled_from(["told", "stop", "go on", "calendar", "snooze"]), st.integers(1, 300)), max_size=6
)


@settings(max_examples=HISTORIES)
@given(calendars(), calendars(), instants(), st.integers(1, 8), st.integers(0, 6), events)
def test_a_clock_with_a_history_ends_when_a_walk_through_it_does(
    calendar: Calendar, other: Calendar, start: datetime, hours: int, bank: int, history: list[tuple[str, int]]
) -> None:
    start = start.replace(second=0)
    match, seat = asked(calendar, hours, bank, start)
    walk, now = Walk(calendar, start), start
    for what, minutes in history:
        now += minutes * MINUTE
        if seat.due_at is not None and seat.due_at <= now:
            break
        walk.go(now)
        if what == "told" and not match.clock_stops and timing.start(match, seat, now):
            walk.told = True
        elif what == "stop" and not match.clock_stops:
            timing.stop(match, seat, now)
            match.clock_stops, walk.stopped, walk.told = {"take-back": ""}, True, True
        elif what == "go on" and match.clock_stops:
            match.clock_stops, walk.stopped = {}, False
            timing.go_on(match, seat, now)
        elif what == "calendar" and seat.clock_from is not None:
            seat.clock_spent = int(timing.used(match, seat, now).total_seconds())
            seat.clock_from, seat.user, walk.calendar = now, person(other), other
            timing.aim(match, seat)
        elif what == "snooze" and not seat.clock_extra:
            seat.clock_extra = 3600
            timing.aim(match, seat)
    if match.clock_stops:
        assert seat.due_at is None and seat.remind_at is None, "who stands still is not late"
        match.clock_stops, walk.stopped = {}, False
        walk.at = now
        timing.go_on(match, seat, now)
    span = timedelta(hours=hours + bank, seconds=seat.clock_extra)
    assert seat.due_at == walk.ends(span)
    assert counts(walk.calendar, seat.due_at), "never a flag in quiet hours"
    assert start <= seat.remind_at <= seat.due_at


@settings(max_examples=HISTORIES)
@given(calendars(), instants(), st.integers(1, 10), st.integers(1, 10), st.integers(0, 20 * 60))
def test_only_what_an_answer_takes_beyond_its_hours_is_spent_from_the_bank(
    calendar: Calendar, start: datetime, hours: int, bank: int, minutes: int
) -> None:
    match, seat = asked(calendar, hours, bank, start)
    timing.start(match, seat, start)
    now = start + minutes * MINUTE
    gone = timing.used(match, seat, now)
    timing.turn(match, seat, now, asked=True, present=True)
    over = max(gone - timedelta(hours=hours), timedelta(0))
    assert seat.bank_left == max(0, int(bank * 3600 - over.total_seconds()))
    assert (seat.clock_from, seat.clock_spent) == (now, 0), "the next answer has its own hours"

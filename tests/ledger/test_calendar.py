"""Counted time, compared with a model that looks at every minute."""

import os
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.ledger.calendar import Calendar, after, counted, hour_next, is_quiet, local, quiet_ends, wall_time

SCHEDULES = int(os.environ.get("FALLUJAH_SCHEDULES", "1500"))  # 100,000 for the whole proof
MINUTE = timedelta(minutes=1)
# Zones with whole and half hours, both hemispheres, no daylight saving, and a half-hour one.
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca",
         "America/St_Johns", "Pacific/Chatham", "Asia/Baghdad", "Atlantic/Azores"]  # fmt: skip
# Days around changes of the clock, and ordinary ones.
DAYS = [datetime(2026, 3, 28, tzinfo=UTC), datetime(2026, 10, 24, tzinfo=UTC), datetime(2026, 3, 7, tzinfo=UTC),
        datetime(2026, 10, 31, tzinfo=UTC), datetime(2026, 4, 4, tzinfo=UTC), datetime(2026, 10, 3, tzinfo=UTC),
        datetime(2026, 2, 14, tzinfo=UTC), datetime(2026, 3, 21, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC),
        datetime(2026, 12, 31, tzinfo=UTC)]  # fmt: skip


def counts(calendar: Calendar, at: datetime) -> bool:
    """The definition itself, without any arithmetic."""
    wall = wall_time(calendar, at)
    minute = wall.hour * 60 + wall.minute
    if calendar.quiet is not None:
        begins, ends = calendar.quiet
        if (begins <= minute < ends) if begins < ends else (minute >= begins or minute < ends):
            return False
    return wall.weekday() not in calendar.days_off and not any(gone <= at < back for gone, back in calendar.away)


def slowly(calendar: Calendar, start: datetime, end: datetime) -> timedelta:
    """Minute after minute: every boundary of a calendar lies on a whole minute."""
    total, at = timedelta(0), start.replace(second=0, microsecond=0)
    while at < end:
        if counts(calendar, at):
            total += min(at + MINUTE, end) - max(at, start)
        at += MINUTE
    return total


quiet_hours = st.none() | st.builds(
    lambda begins, length: (begins, (begins + length) % 1440), st.integers(0, 1439), st.integers(1, 14 * 60)
)


@st.composite
def instants(draw: st.DrawFn) -> datetime:
    return draw(st.sampled_from(DAYS)) + timedelta(seconds=draw(st.integers(0, 36 * 3600)))


@st.composite
def calendars(draw: st.DrawFn) -> Calendar:
    away = []
    for _ in range(draw(st.integers(0, 2))):
        gone = draw(st.sampled_from(DAYS)) + draw(st.integers(0, 48 * 60)) * MINUTE
        away.append((gone, gone + draw(st.integers(1, 36 * 60)) * MINUTE))
    return Calendar(
        zone=draw(st.sampled_from(ZONES)),
        quiet=draw(quiet_hours),
        days_off=tuple(sorted(draw(st.sets(st.integers(0, 6), max_size=3)))),
        away=tuple(away),
    )


@settings(max_examples=SCHEDULES)
@given(calendars(), instants(), st.integers(0, 40 * 3600))
def test_counted_time_is_what_a_walk_through_every_minute_gives(
    calendar: Calendar, start: datetime, seconds: int
) -> None:
    end = start + timedelta(seconds=seconds)
    assert counted(calendar, start, end) == slowly(calendar, start, end)


@settings(max_examples=SCHEDULES)
@given(calendars(), instants(), st.integers(0, 16 * 3600))
def test_a_deadline_comes_in_time_that_counts_and_after_exactly_the_time_given(
    calendar: Calendar, start: datetime, seconds: int
) -> None:
    span = timedelta(seconds=seconds)
    due = after(calendar, start, span)
    assert counts(calendar, due), "never in quiet hours, on a day off or in a vacation"
    assert counted(calendar, start, due) == span
    if due - start < timedelta(days=3):
        assert slowly(calendar, start, due) == span
    assert due - start < timedelta(days=20), "every schedule has an end"


@settings(max_examples=SCHEDULES // 3)
@given(calendars(), instants())
def test_notices_wait_for_the_end_of_quiet_hours_only(calendar: Calendar, at: datetime) -> None:
    nights = Calendar(zone=calendar.zone, quiet=calendar.quiet)
    ends = quiet_ends(calendar, at)
    assert is_quiet(calendar, at) is not counts(nights, at)
    assert counts(nights, ends) and slowly(nights, at, ends) == timedelta(0)


def test_a_night_is_an_hour_shorter_when_the_clock_is_put_forward() -> None:
    berlin = Calendar(zone="Europe/Berlin", quiet=(22 * 60, 7 * 60))
    evening = local(berlin, datetime(2026, 3, 28, 20))
    due = after(berlin, evening, timedelta(hours=3))
    assert wall_time(berlin, due).strftime("%a %H:%M") == "Sun 08:00"
    assert due - evening == timedelta(hours=11)


def test_a_day_of_waking_hours_ends_at_the_same_wall_time_the_next_day() -> None:
    berlin = Calendar(zone="Europe/Berlin", quiet=(22 * 60, 7 * 60))
    due = after(berlin, local(berlin, datetime(2026, 3, 2, 21, 10)), timedelta(hours=15))
    assert wall_time(berlin, due).strftime("%a %H:%M") == "Tue 21:10"


def test_an_hour_of_the_day_is_struck_once_a_day_even_where_the_clock_skips_it() -> None:
    berlin = Calendar(zone="Europe/Berlin")
    at, struck = local(berlin, datetime(2026, 3, 27, 12)), []
    for _ in range(4):
        at = hour_next(berlin, at, 2)
        struck.append(wall_time(berlin, at).strftime("%d %H:%M"))
    assert struck == ["28 02:00", "29 03:00", "30 02:00", "31 02:00"]


@pytest.mark.parametrize(
    "calendar", [Calendar(quiet=(0, 15 * 60)), Calendar(quiet=(60, 60)), Calendar(days_off=(0, 1, 2, 3))]
)
def test_a_calendar_that_leaves_too_little_time_is_refused(calendar: Calendar) -> None:
    assert calendar.problem()

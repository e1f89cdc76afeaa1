"""Which time counts against a person's clock: not their nights, their days off, their vacation. Plain Python.

An instant counts by what a clock on that person's wall shows. So an hour that daylight saving skips is never
missed and one that comes twice is judged twice, and a deadline never falls into quiet hours.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec

DAY = timedelta(days=1)
MINUTES = 24 * 60
MOST_QUIET = 14 * 60  # minutes of a day
MOST_DAYS_OFF = 3
MOST_DAYS = 4_000  # nobody's clock runs longer; more is a mistake of ours
Span = tuple[datetime, datetime]


class Calendar(msgspec.Struct, frozen=True):
    """One person's time."""

    zone: str = "UTC"
    quiet: tuple[int, int] | None = None  # minutes after midnight, from and to; it may pass midnight
    days_off: tuple[int, ...] = ()  # Monday is 0
    away: tuple[Span, ...] = ()  # vacations

    def problem(self) -> str:
        """Why this calendar cannot be kept; empty when it can. Every week must leave time to answer."""
        if self.quiet is not None and not 0 < (self.quiet[1] - self.quiet[0]) % MINUTES <= MOST_QUIET:
            return f"Quiet hours are at most {MOST_QUIET // 60} hours a day, such as 22-07."
        if len(set(self.days_off)) > MOST_DAYS_OFF:
            return f"At most {MOST_DAYS_OFF} days of the week can be off."
        return ""


def counted(calendar: Calendar, start: datetime, end: datetime) -> timedelta:
    """How much of the time between two instants counts."""
    total = timedelta(0)
    for first, last in stretches(calendar, start):
        if first >= end:
            break
        total += min(last, end) - first
    return total


def after(calendar: Calendar, start: datetime, span: timedelta) -> datetime:
    """The instant at which `span` of counted time is over: always one that counts itself."""
    left = max(span, timedelta(0))
    for first, last in stretches(calendar, start):
        if left < last - first:
            return first + left
        left -= last - first
    raise AssertionError("unreachable: stretches do not end")


def is_quiet(calendar: Calendar, at: datetime) -> bool:
    return quiet_ends(calendar, at) > at


def quiet_ends(calendar: Calendar, at: datetime) -> datetime:
    """When the person may be written to: now, or at the end of the quiet hours. Days off are no reason to wait."""
    if calendar.quiet is None:
        return at
    return after(Calendar(zone=calendar.zone, quiet=calendar.quiet), at, timedelta(0))


def hour_next(calendar: Calendar, at: datetime, hour: int) -> datetime:
    """The next instant after `at` at which the wall clock strikes this hour; a skipped one is struck at once."""
    zone = _zone(calendar.zone)
    day = at.astimezone(zone).date()
    while True:
        found = local(calendar, datetime(day.year, day.month, day.day, hour))
        if found > at:
            return found
        day += DAY


def local(calendar: Calendar, wall: datetime) -> datetime:
    """The instant at which that person's wall clock shows this (a naive time), the first of two."""
    return wall.replace(tzinfo=_zone(calendar.zone), fold=0).astimezone(UTC)


def wall_time(calendar: Calendar, at: datetime) -> datetime:
    """What the person's wall clock shows."""
    return at.astimezone(_zone(calendar.zone))


def stretches(calendar: Calendar, start: datetime) -> Iterator[Span]:
    """Stretches of counted time from `start` on, in order, without end."""
    assert not calendar.problem(), calendar.problem()
    away = sorted(calendar.away)
    for first, last in _waking(calendar, start):
        for gone, back in away:
            if back <= first or gone >= last:
                continue
            if gone > first:
                yield first, gone
            first = back
            if first >= last:
                break
        if first < last:
            yield first, last


def _waking(calendar: Calendar, start: datetime) -> Iterator[Span]:
    """Without vacations: what quiet hours and days off leave."""
    windows = _windows(calendar.quiet)
    plain = calendar.quiet is None and not calendar.days_off
    for first, last, offset in _even(_zone("UTC" if plain else calendar.zone), start):
        wall, end = first + offset, last + offset
        while wall < end:
            midnight = wall.replace(hour=0, minute=0, second=0, microsecond=0)
            until = min(midnight + DAY, end)
            if midnight.weekday() not in calendar.days_off:
                for opens, closes in windows:
                    a, b = max(wall, midnight + opens), min(until, midnight + closes)
                    if a < b:
                        yield a - offset, b - offset
            wall = until


@lru_cache(maxsize=256)
def _windows(quiet: tuple[int, int] | None) -> tuple[tuple[timedelta, timedelta], ...]:
    """The waking parts of a day, as times after midnight."""
    if quiet is None:
        parts = [(0, MINUTES)]
    elif quiet[0] < quiet[1]:
        parts = [(0, quiet[0]), (quiet[1], MINUTES)]
    else:
        parts = [(quiet[1], quiet[0])]
    return tuple((timedelta(minutes=a), timedelta(minutes=b)) for a, b in parts)


def _even(zone: ZoneInfo, start: datetime) -> Iterator[tuple[datetime, datetime, timedelta]]:
    """Pieces of at most a day within which the zone's offset does not change."""
    first = start.astimezone(UTC)
    for _ in range(MOST_DAYS):
        last, offset = first + DAY, _offset(zone, first)
        if _offset(zone, last) != offset:
            last = _change(zone, first, last, offset)
        yield first, last, offset
        first = last
    raise AssertionError("this clock does not come to an end")


def _change(zone: ZoneInfo, first: datetime, last: datetime, offset: timedelta) -> datetime:
    """The second at which the offset is no longer this one."""
    low, high = int(first.timestamp()), int(last.timestamp())
    while high - low > 1:
        middle = (low + high) // 2
        if _offset(zone, datetime.fromtimestamp(middle, UTC)) == offset:
            low = middle
        else:
            high = middle
    return datetime.fromtimestamp(high, UTC)


def _offset(zone: ZoneInfo, at: datetime) -> timedelta:
    offset = at.astimezone(zone).utcoffset()
    assert offset is not None
    return offset


@lru_cache(maxsize=700)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)

"""What a mail says about time, in the reader's own: until when, what the clock gives, why it stands still."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games.ledger import personal, timing
from games.ledger.calendar import wall_time
from games.ledger.datewords import days_said, quiet_said, said, span_said

PACES: dict[str, tuple[int | None, int]] = {"fast": (8, 48), "daily": (24, 120), "slow": (72, 240), "none": (None, 0)}


def moment(user: Any, at: datetime) -> str:
    """`Thu 4 Mar 20:00`, on the reader's own clock; who has set no zone is told which one it is."""
    wall = wall_time(timing.calendar_of(user), at)
    zone = " UTC" if user is None or user.zone == "UTC" else ""
    return f"{wall:%a} {wall.day} {wall:%b} {wall:%H:%M}{zone}"


def short_moment(user: Any, at: datetime) -> str:
    """`today 20:00`, `Thu 20:00`, `4 Mar`: for subjects and lists."""
    calendar = timing.calendar_of(user)
    wall, now = wall_time(calendar, at), wall_time(calendar, timezone.now())
    if wall.date() == now.date():
        return f"today {wall:%H:%M}"
    if wall - now < timedelta(days=6):
        return f"{wall:%a} {wall:%H:%M}"
    return said(wall.date())


def by_when(match: Any, seat: Any) -> str:
    """`, by Thu 20:00` at the end of a subject, which stays the same as long as the question does."""
    at = due(match, seat)
    if at is None:
        return ""
    wall = wall_time(timing.calendar_of(seat.user), at)
    return f", by {wall:%a %H:%M}" if at - timezone.now() < timedelta(days=6) else f", by {said(wall.date())}"


def weekday(user: Any, at: datetime) -> str:
    """`Tue 22:40`, on the reader's own clock."""
    return f"{wall_time(timing.calendar_of(user), at):%a %H:%M}"


def days(user: Any, first: datetime, until: datetime) -> str:
    """`4 Mar - 9 Mar`, by that person's calendar."""
    calendar = timing.calendar_of(user)
    begins, ends = wall_time(calendar, first).date(), wall_time(calendar, until - timedelta(seconds=1)).date()
    return said(begins) if begins == ends else f"{said(begins)} - {said(ends)}"


def due(match: Any, seat: Any) -> datetime | None:
    """Until when this seat has, if the mail being written reaches it now: its hours, or the end of its bank."""
    if not match.clock_hours or match.status != "playing" or seat.asked_since is None or match.clock_stops:
        return None
    now = timezone.now()
    soft = timing.answer_due(match, seat, now)
    return soft if soft > now else timing.due_if_told(match, seat, now)


def until(match: Any, seat: Any) -> list[str]:
    """By when the answer is wanted, where there is a clock."""
    if match.clock_hours and match.clock_stops and seat.asked_since is not None:
        return [stopped(match)]
    at = due(match, seat)
    if at is None:
        return []
    left, bank = time_left(match, seat)
    if left <= timedelta(0):
        return [f"The bank runs, until {moment(seat.user, at)}; then the clock answers for you."]
    then = f"the bank ({span_said(bank)}) runs" if bank >= timedelta(minutes=1) else "the clock answers for you"
    return [f"Until {moment(seat.user, at)}; then {then}."]


def stopped(match: Any) -> str:
    if "take-back" in match.clock_stops:
        return "Both clocks stand still while a take-back is asked."
    return "All clocks of this match stand still: a player's mail does not arrive."


def time_left(match: Any, seat: Any) -> tuple[timedelta, timedelta]:
    """What is left of the hours for this answer, and of the bank."""
    left = timing.allowed(match, seat) - timing.used(match, seat, timezone.now())
    bank = timedelta(seconds=seat.bank_left)
    return (left, bank) if left > timedelta(0) else (timedelta(0), max(timedelta(0), bank + left))


def pace(clock_hours: int | None, bank_hours: int) -> str:
    """`24 h for each answer, 5 d in the bank`"""
    if clock_hours is None:
        return "no clock"
    bank = f", {span_said(timedelta(hours=bank_hours))} in the bank" if bank_hours else ""
    return f"{span_said(timedelta(hours=clock_hours))} for each answer{bank}"


def uncounted(user: Any) -> str:
    """` (nights 22-07, sat sun do not count)`"""
    parts = [f"nights {quiet_said(user.quiet)}"] if user.quiet else []
    parts += [days_said(user.days_off)] if user.days_off else []
    return f" ({', '.join(parts)} do not count)" if parts else ""


def opening(match: Any, seat: Any) -> str:
    """What was agreed, told when a match opens."""
    if match.clock_hours is None:
        return "There is no clock in this match; you hear from me when you are asked."
    own = uncounted(seat.user) or "; set quiet 22-07 and your nights do not count"
    tail = (
        " Silence past the bank: the clock answers for you with the least the rules allow."
        if match.bank_hours
        else " Silence past it: the clock answers for you with the least the rules allow."
    )
    return f"Pace: {pace(match.clock_hours, match.bank_hours)}{own}.{tail}"


def foot(match: Any, seat: Any) -> list[str]:
    """The clock in the foot of every mail of a match, and what must not be forgotten."""
    lines = []
    if match.clock_hours and match.status == "playing":
        bank = f", bank {span_said(time_left(match, seat)[1])}" if match.bank_hours else ""
        hours = span_said(timedelta(hours=match.clock_hours))
        lines.append(f"Clock: {hours} an answer{uncounted(seat.user)}{bank}.")
    lines += away(match, seat)
    if seat.auto_reply_at is not None:
        day = wall_time(timing.calendar_of(seat.user), seat.auto_reply_at)
        clock = "; the clock went on" if match.clock_hours else ""
        lines.append(
            f"Your address sent an automatic reply on {day:%a} {day.day} {day:%b}{clock}. "
            "Going away? vacation 3 Mar - 9 Mar"
        )
    return lines


def away(match: Any, seat: Any) -> list[str]:
    """Who of the others is on vacation or has a deputy."""
    now, lines = timezone.now(), []
    for other in match.seats.all():
        if other.key == seat.key or other.user is None or match.status != "playing":
            continue
        back = personal.away_until(other.user, now)
        if back is not None:
            lines.append(f"{other.user.username} is away until {said(back)}.")
        if other.deputy_id and other.deputy_until and other.deputy_from <= now < other.deputy_until:
            lines.append(f"A deputy may order for {other.user.username}; the ledger marks it.")
    return lines

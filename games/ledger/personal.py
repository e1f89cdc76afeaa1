"""Services about a person's time and wishes: calendar, vacation, digest, reminders. All doors use them."""

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from games.ledger import outbox, stops, timing
from games.ledger.calendar import Calendar, hour_next, local, wall_time
from games.ledger.datewords import (
    bad,
    days_said,
    quiet_said,
    read_days,
    read_hour,
    read_quiet,
    read_switch,
    read_zone,
    said,
)  # fmt: skip
from games.ledger.models import Match, Seat

User = get_user_model()
VACATION_DAYS = 30  # of a year, for each person
MOST_CHANGES = 5  # of the calendar, in a week
CALENDAR = ("zone", "quiet", "days_off")


def _choice(*allowed: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        word = text.strip().lower()
        if word not in allowed:
            raise bad(f"{text!r} is not possible; choose {' or '.join(allowed)}.")
        return word

    return read


READERS: dict[str, Callable[[str], Any]] = {
    "zone": read_zone,
    "quiet": read_quiet,
    "days_off": read_days,
    "digest_hour": read_hour,
    "reminders": read_switch,
    "acks": _choice("all", "errors"),
    "subjects": _choice("telling", "fixed"),
    "wants_mail": read_switch,
}
# What people type -> the field.
NAMES = {
    "zone": "zone", "timezone": "zone", "quiet": "quiet", "nights": "quiet", "days off": "days_off",
    "daysoff": "days_off", "days": "days_off", "digest": "digest_hour", "reminders": "reminders",
    "ack": "acks", "acks": "acks", "subjects": "subjects", "subject": "subjects", "mail": "wants_mail",
}  # fmt: skip


def settings_said(user: Any) -> dict[str, str]:
    """Every setting by the name it is changed with, in words."""
    return {
        "zone": user.zone,
        "quiet": quiet_said(user.quiet),
        "days off": days_said(user.days_off),
        "digest": "off" if user.digest_hour is None else f"{user.digest_hour:02}:00",
        "reminders": "on" if user.reminders else "off",
        "ack": user.acks,
        "subjects": user.subjects,
    }


@transaction.atomic
def settings_change(*, user: Any, changes: Mapping[str, str]) -> Any:
    """Change settings given as words, all or none; running clocks go on by the new calendar."""
    row = User.objects.select_for_update().get(pk=user.pk)
    before = timing.calendar_of(row)
    wished = {key: READERS[key](text) for key, text in changes.items()}
    changed = {key for key, value in wished.items() if getattr(row, key) != value}
    for key in changed:
        setattr(row, key, wished[key])
    if changed & set(CALENDAR):
        problem = timing.calendar_of(row).problem()
        if problem:
            raise bad(problem)
        _note_change(row)
    if changed & {"digest_hour", "zone"}:
        row.digest_at = next_digest(row, timezone.now())
    row.save(update_fields=[*changed, "digest_at", "calendar_changes"])
    if changed & {*CALENDAR, "reminders"}:
        stops.calendar_changed(row, before)
    return row


def _note_change(row: Any) -> None:
    """A calendar that is changed all the time would be a clock that never runs."""
    now = timezone.now()
    lately = [at for at in row.calendar_changes if datetime.fromisoformat(at) > now - timedelta(days=7)]
    if len(lately) >= MOST_CHANGES:
        raise bad(f"Zone, quiet hours and days off can be changed {MOST_CHANGES} times a week; that was done.")
    row.calendar_changes = [*lately, now.isoformat()]


def next_digest(user: Any, now: datetime) -> datetime | None:
    if user.digest_hour is None:
        return None
    return hour_next(timing.calendar_of(user), now, user.digest_hour)


# --- vacation ----------------------------------------------------------------------------------------------


def today(user: Any) -> date:
    return wall_time(timing.calendar_of(user), timezone.now()).date()


def vacations(user: Any) -> list[tuple[date, date]]:
    """First and last days of the vacations that are not over, as the person's calendar shows them."""
    calendar, now = timing.calendar_of(user), timezone.now()
    return [_days(calendar, gone, back) for gone, back in calendar.away if back > now]


def _days(calendar: Calendar, gone: datetime, back: datetime) -> tuple[date, date]:
    return wall_time(calendar, gone).date(), wall_time(calendar, back - timedelta(seconds=1)).date()


def away_until(user: Any, now: datetime) -> date | None:
    """The last day of the vacation the person is on; None when they are not."""
    calendar = timing.calendar_of(user)
    return next((_days(calendar, gone, back)[1] for gone, back in calendar.away if gone <= now < back), None)


def days_left(user: Any, year: int) -> int:
    """Vacation days of a year that are not taken yet."""
    calendar = timing.calendar_of(user)
    return VACATION_DAYS - sum(_in_year(*_days(calendar, gone, back), year) for gone, back in calendar.away)


def _in_year(first: date, last: date, year: int) -> int:
    begins, ends = max(first, date(year, 1, 1)), min(last, date(year, 12, 31))
    return max(0, (ends - begins).days + 1)


@transaction.atomic
def vacation_set(*, user: Any, first: date, last: date) -> Any:
    """The person's clocks stand still on these days; the others are told. It never works backwards."""
    row = User.objects.select_for_update().get(pk=user.pk)
    before, now = timing.calendar_of(row), timezone.now()
    first = max(first, today(row))
    if last < first:
        raise bad(f"{said(last)} is over already.")
    if (first - today(row)).days > 365:
        raise bad("A vacation begins within a year.")
    begins = max(now, local(before, datetime(first.year, first.month, first.day)))
    after = last + timedelta(days=1)
    ends = local(before, datetime(after.year, after.month, after.day))
    for gone, back in before.away:
        if gone < ends and begins < back:
            known = _days(before, gone, back)
            raise bad(f"You are away {said(known[0])} - {said(known[1])} already; vacation off ends that.")
    for year in {first.year, last.year}:
        left = days_left(row, year)
        if _in_year(first, last, year) > left:
            raise bad(f"Vacation is {VACATION_DAYS} days a year; in {year} you have {left} left.")
    kept = [item for item in row.away if datetime.fromisoformat(item[1]) > now - timedelta(days=400)]
    row.away = sorted([*kept, [begins.isoformat(), ends.isoformat()]])
    row.save(update_fields=["away"])
    stops.calendar_changed(row, before)
    _announce(row, {"first": said(first), "last": said(last)})
    return row


@transaction.atomic
def vacation_end(*, user: Any) -> Any:
    """Back now; a vacation still to come is called off."""
    row = User.objects.select_for_update().get(pk=user.pk)
    before, now = timing.calendar_of(row), timezone.now()
    left = [(gone, min(back, now)) for gone, back in before.away if gone < now]
    if left == list(before.away):
        raise bad("You have no vacation set.")
    row.away = [[gone.isoformat(), back.isoformat()] for gone, back in left]
    row.save(update_fields=["away"])
    stops.calendar_changed(row, before)
    _announce(row, {"back": True})
    return row


def _announce(user: Any, payload: dict[str, Any]) -> None:
    """Everybody who plays with this person hears of it once, however many matches they share."""
    shared: dict[int, list[Seat]] = {}
    playing = Match.objects.filter(seats__user=user, status=Match.Status.PLAYING)
    rows = Seat.objects.filter(match__in=playing, user__isnull=False).select_related("match", "user")
    for seat in rows.order_by("match_id", "order"):
        if seat.user_id != user.pk and seat.user_id:
            shared.setdefault(seat.user_id, []).append(seat)
    for seats in shared.values():
        first = seats[0]
        told = {**payload, "who": user.username, "matches": sorted(seat.match_id for seat in seats)}
        outbox.tell_seat(first.match, first, "vacation", told)
        match_id = first.match_id
        transaction.on_commit(lambda match_id=match_id: outbox.changed(match_id))  # type: ignore[misc]

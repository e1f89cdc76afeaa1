"""A seat's clock: hours for each answer, then the bank, in the counted time of the person who sits there.

The clock runs from the moment the question reached the person (the mail was taken by its host, or the seat
was seen on the web or over the API), at the latest some hours after it was asked. What has been counted is
written down whenever the calendar changes or the clock is stopped, so no change works backwards.
"""

from datetime import datetime, timedelta
from typing import Any

from games.ledger.calendar import Calendar, after, counted

NOTICE_HOURS = 6  # a clock waits no longer for its notice
MARKS = (50, 80, 95)  # reminders, in percent of the time for an answer
LAST_MARK = 95  # one more where there is a bank: in percent of time and bank together
CLOCK_FIELDS = [
    "asked_since", "clock_from", "clock_spent", "clock_extra", "bank_left", "due_at", "remind_at", "reminded",
]  # fmt: skip
PRESENT = frozenset({"player", "deputy"})  # whose entry shows that somebody sits there


def calendar_of(user: Any) -> Calendar:
    """A person's settings as a calendar."""
    if user is None:
        return Calendar()
    quiet = None
    if user.quiet:
        begins, ends = (part.split(":") for part in user.quiet.split("-"))
        quiet = (int(begins[0]) * 60 + int(begins[1]), int(ends[0]) * 60 + int(ends[1]))
    return Calendar(
        zone=user.zone,
        quiet=quiet,
        days_off=tuple(int(day) for day in user.days_off),
        away=tuple((datetime.fromisoformat(gone), datetime.fromisoformat(back)) for gone, back in user.away),
    )


def hears_by_mail(user: Any) -> bool:
    """Whether a notice will be sent, so that a clock can wait for it."""
    return user is not None and user.is_active and user.wants_mail and user.email_verified_at is not None


# --- the clock of one seat: nothing here touches the database ----------------------------------------------


def turn(match: Any, seat: Any, now: datetime, *, asked: bool, present: bool) -> list[str]:
    """The seat has answered, or is asked or no longer asked; which fields have changed.

    Who has just answered is there and sees the next question; anybody else's clock waits for the notice.
    """
    fields = ["bounced_since"] if present and seat.bounced_since else []
    if fields:
        seat.bounced_since = None
    if not match.clock_hours or seat.bot or not seat.user_id:
        seat.asked_since = now if asked else None
        return ["asked_since", *fields]
    seat.bank_left = _bank_now(match, seat, now)
    seat.asked_since = now if asked else None
    seat.clock_spent = seat.clock_extra = seat.reminded = 0
    starts = asked and not match.clock_stops and (present or not hears_by_mail(seat.user))
    seat.clock_from = now if starts else None
    aim(match, seat)
    return [*CLOCK_FIELDS, *fields]


def start(match: Any, seat: Any, now: datetime) -> bool:
    """The question has reached the person; False when that changes nothing."""
    if not match.clock_hours or seat.asked_since is None or seat.clock_from is not None or match.clock_stops:
        return False
    # Not later than it would have begun by itself.
    seat.clock_from = min(now, after(calendar_of(seat.user), seat.asked_since, timedelta(hours=NOTICE_HOURS)))
    aim(match, seat)
    return True


def stop(match: Any, seat: Any, now: datetime, calendar: Calendar | None = None) -> None:
    """The clock stands still from now on; what has run is written down."""
    if seat.asked_since is None or not match.clock_hours:
        return
    seat.clock_spent = int(used(match, seat, now, calendar).total_seconds())
    seat.clock_from = None
    seat.due_at = seat.remind_at = None


def go_on(match: Any, seat: Any, now: datetime) -> None:
    """It runs again."""
    if seat.asked_since is None or not match.clock_hours or match.clock_stops:
        return
    seat.clock_from = now
    aim(match, seat)


def used(match: Any, seat: Any, now: datetime, calendar: Calendar | None = None) -> timedelta:
    """Counted time of the present question so far."""
    spent = timedelta(seconds=seat.clock_spent)
    if seat.asked_since is None or match.clock_stops:
        return spent
    calendar = calendar or calendar_of(seat.user)
    since = seat.clock_from
    if since is None:
        since = after(calendar, seat.asked_since, timedelta(hours=NOTICE_HOURS))
    return spent + counted(calendar, since, now) if now > since else spent


def allowed(match: Any, seat: Any) -> timedelta:
    """Time for this answer before the bank is touched."""
    return timedelta(hours=match.clock_hours, seconds=seat.clock_extra)


def aim(match: Any, seat: Any) -> None:
    """Set when the clock answers and when the next reminder goes out, as things are."""
    seat.due_at = seat.remind_at = None
    if seat.asked_since is None or match.clock_stops:
        return
    seat.due_at = due_if_told(match, seat, seat.clock_from)
    if seat.user is None or not seat.user.reminders:
        return
    marks = reminder_marks(match, seat)
    if seat.reminded < len(marks):
        seat.remind_at = _at(seat, seat.clock_from, marks[seat.reminded])


def skip_marks(match: Any, seat: Any, now: datetime) -> None:
    """What should have been recalled by now is not recalled any more."""
    gone = used(match, seat, now)
    marks = reminder_marks(match, seat)
    while seat.reminded < len(marks) and marks[seat.reminded] <= gone:
        seat.reminded += 1


def due_if_told(match: Any, seat: Any, told: datetime | None) -> datetime:
    """When the clock answers if the question reaches the person then (None: not at all)."""
    return _at(seat, seat.clock_from or told, allowed(match, seat) + timedelta(seconds=seat.bank_left))


def answer_due(match: Any, seat: Any, told: datetime | None) -> datetime:
    """When the hours for this answer are over and the bank begins to run."""
    return _at(seat, seat.clock_from or told, allowed(match, seat))


def reminder_marks(match: Any, seat: Any) -> list[timedelta]:
    """Counted times of a question at which it is recalled."""
    time, bank = allowed(match, seat), timedelta(seconds=seat.bank_left)
    marks = [time * mark / 100 for mark in MARKS]
    return [*marks, (time + bank) * LAST_MARK / 100] if bank and (time + bank) * LAST_MARK / 100 > marks[-1] else marks


def _at(seat: Any, since: datetime | None, span: timedelta) -> datetime:
    """When that much of this question's time is over."""
    span -= timedelta(seconds=seat.clock_spent)
    if since is None:
        return after(calendar_of(seat.user), seat.asked_since, timedelta(hours=NOTICE_HOURS) + span)
    return after(calendar_of(seat.user), since, span)


def _bank_now(match: Any, seat: Any, now: datetime) -> int:
    """What the present question leaves in the bank."""
    if seat.asked_since is None:
        return int(seat.bank_left)
    over = used(match, seat, now) - allowed(match, seat)
    return max(0, int(seat.bank_left - max(over.total_seconds(), 0)))

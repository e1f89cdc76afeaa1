"""Clocks that start late, stand still and go on: notices, bounces, take-backs, snoozes, changed calendars.

A stop holds all clocks of a match, gives its reason and ends by itself: `take-back`, `bounce:<seat>`.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.kernel.errors import GameError
from games.ledger import outbox, timing
from games.ledger.calendar import Calendar
from games.ledger.models import Match, Seat, TakeBackRequest

TAKE_BACK_HOURS = 12  # silence to a request is a no
BOUNCE_DAYS = 3
MOST_SNOOZES = 5  # in a match
MOST_SNOOZE_HOURS = 24


def _people(match: Match) -> list[Seat]:
    return [seat for seat in match.seats.select_related("user") if seat.user_id and not seat.bot]


def _locked(match_id: int) -> Match:
    return Match.objects.select_for_update().get(pk=match_id)


# --- the question reaches its person -----------------------------------------------------------------------


def seen(*, match_id: int, seat: str) -> None:
    """The person looks at the match by some door: their clock starts, and a stop because of bounces is over."""
    waits = Q(asked_since__isnull=False, clock_from__isnull=True, match__clock_hours__gt=0)
    if Seat.objects.filter(waits | Q(bounced_since__isnull=False), match_id=match_id, key=seat).exists():
        noticed(match_id=match_id, seat=seat)
        mail_arrives(match_id=match_id, seat=seat, seen=True)


def noticed(*, match_id: int, seat: str, since: datetime | None = None) -> None:
    """The question was seen, or its mail (composed at `since`) was taken by the person's host: the clock starts."""
    waiting = Seat.objects.filter(
        match_id=match_id, key=seat, asked_since__isnull=False, clock_from__isnull=True, match__clock_hours__gt=0
    )
    if since is not None:
        waiting = waiting.filter(asked_since__lte=since)
    if not waiting.exists():
        return
    with transaction.atomic():
        match = _locked(match_id)
        row = waiting.select_related("user").first()
        if row is not None and timing.start(match, row, timezone.now()):
            row.save(update_fields=timing.CLOCK_FIELDS)


# --- stops -------------------------------------------------------------------------------------------------


def hold(match: Match, reason: str, until: datetime) -> None:
    """All clocks of a locked match stand still, until somebody lifts it or that time has come."""
    now = timezone.now()
    if not match.clock_stops:
        for seat in _people(match):
            timing.stop(match, seat, now)
            seat.save(update_fields=timing.CLOCK_FIELDS)
    match.clock_stops = {**match.clock_stops, reason: until.isoformat()}
    _save(match)


def lift(match: Match, *reasons: str) -> None:
    """These reasons of a locked match are gone; without any the clocks go on."""
    if not set(reasons) & set(match.clock_stops):
        return
    match.clock_stops = {key: until for key, until in match.clock_stops.items() if key not in reasons}
    _save(match)
    if not match.clock_stops:
        _go_on(match, _people(match))


def _go_on(match: Match, seats: list[Seat]) -> None:
    now = timezone.now()
    for seat in seats:
        timing.go_on(match, seat, now)
        seat.save(update_fields=timing.CLOCK_FIELDS)


def _save(match: Match) -> None:
    ends = [datetime.fromisoformat(until) for until in match.clock_stops.values()]
    match.stops_end_at = min(ends, default=None)
    Match.objects.filter(pk=match.pk).update(clock_stops=match.clock_stops, stops_end_at=match.stops_end_at)


def after_entries(match: Match, seats: dict[str, Seat], present: set[str]) -> None:
    """Entries were made in a match whose clocks stood still: a request has lapsed, who acts is reachable."""
    match.clock_stops = {
        key: until
        for key, until in match.clock_stops.items()
        if key != "take-back" and key.removeprefix("bounce:") not in present
    }
    _save(match)
    if not match.clock_stops:
        _go_on(match, [seat for seat in seats.values() if seat.user_id and not seat.bot])


def stops_over() -> list[int]:
    """Matches with a stop whose time is over: for the sweep."""
    rows = Match.objects.filter(stops_end_at__lte=timezone.now()).order_by("stops_end_at")
    return list(rows.values_list("pk", flat=True)[:500])


@transaction.atomic
def stops_end(*, match_id: int) -> None:
    """End what has lasted long enough: an unanswered request counts as refused, a bounce no longer holds."""
    match, now = _locked(match_id), timezone.now()
    over = [key for key, until in match.clock_stops.items() if datetime.fromisoformat(until) <= now]
    if "take-back" in over:
        request = match.take_back_requests.filter(status="asked").first()
        if request is not None:
            TakeBackRequest.objects.filter(pk=request.pk).update(status=TakeBackRequest.Status.REFUSED)
            asker = match.seats.select_related("user").get(key=request.seat)
            outbox.tell_seat(match, asker, "take-back-refused", {"hours": TAKE_BACK_HOURS})
            transaction.on_commit(lambda: outbox.changed(match_id))
    lift(match, *over)


# --- mail that does not arrive -----------------------------------------------------------------------------


@transaction.atomic
def mail_bounced(*, match_id: int, seat: str) -> datetime | None:
    """A mail to the seat came back for good: the clocks stand still. Until when; None if not (any more)."""
    match, now = _locked(match_id), timezone.now()
    row = match.seats.get(key=seat)
    if match.status != Match.Status.PLAYING or not row.user_id:
        return None
    if row.bounced_since is None:
        row.bounced_since = now
        row.save(update_fields=["bounced_since"])
    until = row.bounced_since + timedelta(days=BOUNCE_DAYS)
    if until <= now:
        return None
    hold(match, f"bounce:{seat}", until)
    return until


def mail_arrives(*, match_id: int, seat: str, seen: bool = False) -> None:
    """A mail to the seat was taken again, or its person was seen: that stop is over."""
    if not Seat.objects.filter(match_id=match_id, key=seat, bounced_since__isnull=False).exists():
        return
    with transaction.atomic():
        match = _locked(match_id)
        if seen:
            Seat.objects.filter(match=match, key=seat).update(bounced_since=None)
        lift(match, f"bounce:{seat}")


# --- the person's wishes -----------------------------------------------------------------------------------


@transaction.atomic
def snooze(*, match_id: int, seat: str, user: Any, hours: int) -> datetime:
    """More time for the present question, once, without touching the bank; nobody is told. Until when."""
    match, now = _locked(match_id), timezone.now()
    row = match.seats.select_related("user").filter(key=seat, user=user).first()
    if row is None:
        raise GameError(f"The seat {seat} of match {match_id} is not yours.", code="not-your-seat")
    if row.asked_since is None or match.status != Match.Status.PLAYING:
        raise GameError("You are not asked anything at the moment; there is nothing to snooze.", code="not-asked")
    if not match.clock_hours:
        raise GameError("There is no clock in this match; take your time.", code="no-clock")
    most = min(MOST_SNOOZE_HOURS, match.clock_hours)
    if not 1 <= hours <= most:
        raise GameError(f"A snooze is 1 to {most} hours here, such as: snooze {min(12, most)}h", code="unreadable")
    if row.clock_extra:
        raise GameError("You have had more time for this question already; it is given once.", code="too-many")
    if row.snoozes >= MOST_SNOOZES:
        raise GameError(f"A seat can snooze {MOST_SNOOZES} times in a match; that was done.", code="too-many")
    row.clock_extra, row.snoozes = hours * 3600, row.snoozes + 1
    timing.start(match, row, now)  # who asks for more time has the question
    timing.skip_marks(match, row, now)
    timing.aim(match, row)
    row.save(update_fields=[*timing.CLOCK_FIELDS, "snoozes"])
    soft = timing.answer_due(match, row, now)
    return soft if soft > now else timing.due_if_told(match, row, now)


def calendar_changed(user: Any, before: Calendar) -> None:
    """Running clocks of a person count by the new calendar from now on, by the old one until now."""
    rows = Seat.objects.filter(user=user, asked_since__isnull=False, bot="", match__clock_hours__gt=0)
    for match_id in list(rows.order_by("match_id").values_list("match_id", flat=True)):
        with transaction.atomic():
            match, now = _locked(match_id), timezone.now()
            for seat in rows.filter(match_id=match_id):
                seat.user = user
                gone = int(timing.used(match, seat, now, before).total_seconds())
                if seat.clock_from is not None or gone > seat.clock_spent:
                    seat.clock_spent, seat.clock_from = gone, now
                timing.aim(match, seat)
                seat.save(update_fields=timing.CLOCK_FIELDS)

"""Background work on matches: bots answer, and a sweep finds whatever was left waiting."""

import logging

from celery import current_app, shared_task
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from games.kernel.errors import GameError
from games.ledger import botplay, clock, lease, outbox, services, stops
from games.ledger.models import Match, Outbox, Seat

logger = logging.getLogger(__name__)
DELIVER = "notifications.tasks.outbox_deliver_task"
CALL = "notifications.webhooks.tasks.webhook_call_task"
WAKE_AT_LEAST = 4  # bot workers, at each sweep: one that is awake takes whatever waits


def wake(match_id: int) -> None:
    """Hand the rows of a match to the workers. If the queue is away, the sweep does it later."""
    rows = Outbox.objects.filter(match_id=match_id, state="waiting")
    held = Q(kind=Outbox.Kind.BOT, claimed_until__gt=timezone.now())  # its worker looks again by itself
    for row_id, kind in rows.exclude(held).values_list("pk", "kind"):
        enqueue(row_id, kind)


def enqueue(row_id: int, kind: str, seconds: float = 0) -> None:
    """Hand one row to the workers of its kind; the sweep finds it if the queue is away."""
    try:
        if kind == Outbox.Kind.BOT:
            seat_play_task.apply_async((row_id,), countdown=seconds)
        elif kind == Outbox.Kind.MAIL:
            # By name: the ledger does not know its doors.
            current_app.send_task(DELIVER, (row_id,), countdown=settings.MAIL_DELAY_SECONDS)
        elif kind == Outbox.Kind.WEBHOOK:
            current_app.send_task(CALL, (row_id,), countdown=seconds or None)
    except (OSError, OperationalError) as error:
        logger.warning("queue not reachable, the sweep will do row %s: %s", row_id, error)


def enqueue_call(row_id: int, seconds: float = 0) -> None:
    """Hand one call of a webhook to the workers, to be made after some seconds."""
    enqueue(row_id, Outbox.Kind.WEBHOOK, seconds)


def enqueue_mail(row_id: int) -> None:
    """Hand one mail to the workers; the sweep finds it if the queue is away."""
    enqueue(row_id, Outbox.Kind.MAIL)


@shared_task
def seat_play_task(row_id: int) -> None:
    """Play the bot seats of a match until a person is asked. Safe to run twice and after a kill."""
    for again in botplay.jobs_play(row_id):
        enqueue(again.row_id, Outbox.Kind.BOT, again.seconds)


@shared_task
def sweep_task() -> None:
    """Enqueue what a lost message, a killed worker or a restart left behind."""
    for row_id in lease.due(max(WAKE_AT_LEAST, settings.BOT_WORKERS)):
        enqueue(row_id, Outbox.Kind.BOT)
    adopt_waiting_bots()
    for match_id in stops.stops_over():
        stops.stops_end(match_id=match_id)
    for match_id, seat, at in clock.reminders_due():
        clock.remind(match_id=match_id, seat=seat, at=at)
    answer_for_the_silent()


def answer_for_the_silent() -> None:
    """A seat whose clock has run out does not keep the others waiting."""
    for match_id, seat in clock.clocks_up():
        try:
            clock.clock_answer(match_id=match_id, seat=seat)
        except GameError as error:
            logger.warning("match %s: the clock could not answer for %s: %s", match_id, seat, error.text)
            clock.try_later(match_id=match_id, seat=seat)
        except AssertionError as error:
            logger.exception("match %s stopped", match_id)
            Match.objects.filter(pk=match_id).update(fault=str(error)[:2000])


def adopt_waiting_bots() -> None:
    """A bot seat that is asked but has no row of work gets one; nothing may wait for ever."""
    work = Outbox.objects.filter(match=OuterRef("match"), kind=Outbox.Kind.BOT, state="waiting")
    forgotten = (
        Seat.objects.filter(~Exists(work), asked_since__isnull=False, match__status=Match.Status.PLAYING)
        .filter(match__fault="")
        .exclude(bot="")
        .select_related("match", "user")
    )
    for seat in forgotten[:500]:
        with transaction.atomic():
            outbox.ask_bot(seat.match, seat, alone=not seat.match.seats.filter(user__isnull=False).exists())


@shared_task
def tidy_task() -> None:
    """Answers kept for repeated requests are forgotten after their time."""
    services.answers_forget()

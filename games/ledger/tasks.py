"""Background work on matches: bots answer, and a sweep finds whatever was left waiting."""

import logging
import random
import time

from celery import current_app, shared_task
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from kombu.exceptions import OperationalError

from games.bots.registry import find_bot
from games.kernel.errors import GameError
from games.kernel.steps import legal, owed
from games.kernel.table import SeededTable
from games.ledger import clock, outbox, services
from games.ledger.models import Match, Outbox, Seat
from games.ledger.play import Hand, locked

logger = logging.getLogger(__name__)
DELIVER = "notifications.tasks.outbox_deliver_task"
CALL = "notifications.webhooks.tasks.webhook_call_task"
ACTIONS_A_TRANSACTION = 25  # keeps the match row free for people who look or join


def wake(match_id: int) -> None:
    """Hand the rows of a match to the workers. If the queue is away, the sweep does it later."""
    rows = Outbox.objects.filter(match_id=match_id, state="waiting").values_list("pk", "kind", "due_at")
    for row_id, kind, _ in rows:
        _enqueue(row_id, kind)


def _enqueue(row_id: int, kind: str) -> None:
    try:
        if kind == Outbox.Kind.BOT:
            seat_play_task.delay(row_id)
        elif kind == Outbox.Kind.MAIL:
            # By name: the ledger does not know its doors.
            current_app.send_task(DELIVER, (row_id,), countdown=settings.MAIL_DELAY_SECONDS)
        elif kind == Outbox.Kind.WEBHOOK:
            current_app.send_task(CALL, (row_id,))
    except (OSError, OperationalError) as error:
        logger.warning("queue not reachable, the sweep will do row %s: %s", row_id, error)


def enqueue_call(row_id: int) -> None:
    """Hand one call of a webhook to the workers."""
    _enqueue(row_id, Outbox.Kind.WEBHOOK)


def enqueue_mail(row_id: int) -> None:
    """Hand one mail to the workers; the sweep finds it if the queue is away."""
    _enqueue(row_id, Outbox.Kind.MAIL)


@shared_task
def seat_play_task(row_id: int) -> None:
    """Play the bot seats of a match until a person is asked. Safe to run twice and after a kill."""
    row = outbox.claim(row_id)
    if row is None:
        return
    started = time.monotonic()
    assert row.match_id is not None
    count = 0
    try:
        while bots_play(match_id=row.match_id):
            count += 1
            outbox.hold(row)
    except GameError as error:
        outbox.retry(row, error.text)
        return
    except AssertionError as error:
        _stop_match(row.match_id, str(error))
        outbox.finish(row, "failed", f"match stopped: {error}")
        return
    outbox.finish(row, "sent", f"{count} rounds in {time.monotonic() - started:.1f} s")


def bots_play(*, match_id: int) -> bool:
    """Some bot answers in one transaction; True if a bot is asked again afterwards."""
    with transaction.atomic():
        hand = locked(match_id)
        if hand.match.status != Match.Status.PLAYING or hand.match.fault:
            return False
        for _ in range(ACTIONS_A_TRANSACTION):
            key = _bot_asked(hand)
            if key is None:
                break
            _bot_acts(hand, key)
            hand.go_on()
        again = _bot_asked(hand) is not None
        hand.close()
    return again


def _bot_asked(hand: Hand) -> str | None:
    return next((key for key in owed(hand.g) if hand.seats[key].bot), None)


def _bot_acts(hand: Hand, key: str) -> None:
    """The bot sees an imagined state; what it answers is checked like anybody's."""
    rng = random.Random(f"{hand.match.seed}:{hand.match.head_hash}:{key}")
    imagined = hand.rules.imagine(hand.g, key, SeededTable(rng))
    bot = find_bot(hand.match.ruleset, hand.seats[key].bot)
    choice = bot.choose(hand.rules, imagined, key, rng)
    if choice.action not in legal(hand.g, key):
        logger.error("match %s: bot %s offered an illegal %s", hand.match.pk, bot.key, choice.action)
        choice = find_bot(hand.match.ruleset, "random").choose(hand.rules, imagined, key, rng)
    hand.act(key, choice.action, f"bot:{bot.key}", choice.why)


def _stop_match(match_id: int, why: str) -> None:
    """A broken invariant stops the match, loudly, with its ledger."""
    logger.error("match %s stopped: %s", match_id, why)
    Match.objects.filter(pk=match_id).update(fault=why[:2000])


@shared_task
def sweep_task() -> None:
    """Enqueue what a lost message, a killed worker or a restart left behind."""
    for row_id in outbox.due([Outbox.Kind.BOT]):
        seat_play_task.delay(row_id)
    adopt_waiting_bots()
    answer_for_the_silent()


def answer_for_the_silent() -> None:
    """A seat whose clock has run out does not keep the others waiting."""
    for match_id, seat in clock.clocks_up():
        try:
            clock.clock_answer(match_id=match_id, seat=seat)
        except GameError as error:
            logger.warning("match %s: the clock could not answer for %s: %s", match_id, seat, error.text)


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
            outbox.ask_bot(seat.match, seat)


@shared_task
def tidy_task() -> None:
    """Answers kept for repeated requests are forgotten after their time."""
    services.answers_forget()

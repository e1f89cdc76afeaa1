"""Who is at work on a bot's job: a lease in the database, kept alive by heartbeats.

A job is the outbox row of kind `bot` that is written with the entry that asks the bot. A worker takes it by a
conditional update and says every few seconds that it is still at it. When it falls silent the lease runs out and
anybody may take the job; what the first one says later is refused, since the job is no longer its own.
"""

import os
import socket
import threading
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from games.ledger.models import BotFault, Outbox

RETRY_SECONDS = 1  # for so long after a failure the job is left to other workers
MOST_ATTEMPTS = 4  # taken so often without getting on: the simple bot answers
MOST_GIVEN_UP = 3  # decisions in a row given up: the rest of the job is the simple bot's
CANDIDATES = 8
# Taken and read in one go: this stands between a person's order and the bot's answer. The condition is that of `free`.
TAKE = """
    UPDATE ledger_outbox SET claimed_until = %s, beat_at = %s, holder = %s, attempts = attempts + 1
    WHERE id = %s AND kind = 'bot' AND state = 'waiting' AND due_at <= %s AND claimed_until IS NULL
    AND NOT (failures > 0 AND holder = %s AND due_at > %s)
    RETURNING *
"""


class Lost(Exception):
    """The lease has run out and the job is somebody else's, or done."""


def me() -> str:
    """This worker: each thread is one, since each has a thinking process of its own."""
    return f"{socket.gethostname()[:50]}:{os.getpid()}:{threading.get_native_id()}"


def _until() -> datetime:
    return timezone.now() + timedelta(seconds=settings.BOT_LEASE_SECONDS)


def beat_every() -> float:
    return float(settings.BOT_LEASE_SECONDS) / 4


def free() -> QuerySet[Outbox]:
    """Jobs to be had by this worker now, those of people first, then the longest waiting."""
    now = timezone.now()
    return (
        Outbox.objects.filter(kind=Outbox.Kind.BOT, state="waiting", due_at__lte=now)
        .filter(Q(claimed_until__isnull=True) | Q(claimed_until__lt=now))
        .exclude(failures__gt=0, holder=me(), due_at__gt=now - timedelta(seconds=RETRY_SECONDS))
        .order_by("alone", "due_at")
    )


def due(most: int) -> list[int]:
    """Jobs that wait for a worker: for the sweep."""
    return list(free().values_list("pk", flat=True)[:most])


def take(row_id: int) -> Outbox | None:
    """Take a job by a conditional update: of two workers one gets it. None when it is not to be had."""
    now, stamp = timezone.now(), connection.ops.adapt_datetimefield_value
    patience = now - timedelta(seconds=RETRY_SECONDS)
    values = [stamp(_until()), stamp(now), me(), row_id, stamp(now), me(), stamp(patience)]
    return next(iter(Outbox.objects.raw(TAKE, values)), None) or _take_over(row_id)


def _taken() -> dict[str, object]:
    now = timezone.now()
    return {"claimed_until": _until(), "beat_at": now, "holder": me(), "attempts": F("attempts") + 1}


def _take_over(row_id: int) -> Outbox | None:
    """Take a job from a worker that has fallen silent, and note it."""
    row = free().filter(pk=row_id, claimed_until__isnull=False).first()
    if row is None or row.match_id is None:
        return None
    same = Outbox.objects.filter(pk=row_id, state="waiting", claimed_until=row.claimed_until, holder=row.holder)
    with transaction.atomic():
        if not same.update(**_taken()):
            return None
        BotFault.objects.create(
            match_id=row.match_id,
            seat=row.seat,
            bot="",
            seq=row.seq,
            kind="lost",
            detail=f"no heartbeat since {row.beat_at:%H:%M:%S}" if row.beat_at else "no heartbeat",
            holder=row.holder,
        )
    return Outbox.objects.get(pk=row_id)


def take_best() -> Outbox | None:
    """Take the most urgent job there is."""
    for row_id in free().values_list("pk", flat=True)[:CANDIDATES]:
        job = take(row_id)
        if job is not None:
            return job
    return None


def others_wait(job: Outbox) -> bool:
    """Whether a job at least as urgent as this one is waiting for a worker."""
    rows = free().exclude(pk=job.pk)
    return (rows if job.alone else rows.filter(alone=False)).exists()


def _mine(job: Outbox) -> QuerySet[Outbox]:
    return Outbox.objects.filter(pk=job.pk, holder=job.holder, state="waiting", claimed_until__isnull=False)


def beat(job: Outbox, **changes: object) -> None:
    """Still at it, and `changes` with it; raises Lost when the job has been taken away."""
    if not _mine(job).update(claimed_until=_until(), beat_at=timezone.now(), **changes):
        raise Lost(f"bot job {job.pk} is no longer held by {job.holder}")


def give_back(job: Outbox, **changes: object) -> None:
    """Leave the job to whoever comes next."""
    _mine(job).update(claimed_until=None, due_at=timezone.now(), **changes)


def finish(job: Outbox, state: str, detail: str) -> None:
    """Done for good; call with the match locked, so that no new question slips by."""
    now = timezone.now()
    if not _mine(job).update(state=state, done_at=now, claimed_until=None, beat_at=now, payload={"done": detail[:300]}):
        raise Lost(f"bot job {job.pk} is no longer held by {job.holder}")

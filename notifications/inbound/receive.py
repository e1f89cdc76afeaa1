"""Taking a mail in: stored and committed before its sender is told so, and read by a worker."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from email.parser import BytesHeaderParser
from email.policy import compat32

import msgspec
from celery import current_app
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from games.ledger import outbox
from notifications import addresses
from notifications.inbound import message, sealed
from notifications.inbound.proof import Origin
from notifications.models import InboundMail

logger = logging.getLogger(__name__)
READ = "notifications.tasks.inbound_read_task"
CLAIM_SECONDS = settings.CLAIM_SECONDS
MOST_ATTEMPTS = 8
KEPT_DAYS = 30
ANSWER_AGAIN = timedelta(hours=1)


def receive(raw: bytes, recipients: Iterable[str] = (), origin: Origin | None = None) -> InboundMail:
    """Keep the mail; a second copy of the same one is only counted, and reminds us of our answer."""
    headers = BytesHeaderParser(policy=compat32).parsebytes(raw[: message.MOST_HEAD])
    known = [*(address.lower() for address in recipients), *message.addresses(
        headers, "Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc"
    )]  # fmt: skip
    ours = list(dict.fromkeys(address for address in known if address.rpartition("@")[2] == addresses.host()))
    door = next((local for local in map(_local, ours) if addresses.read_door(local)), "play")
    found = message._ids(str(headers.get("Message-ID", "")))
    senders = message.addresses(headers, "From")
    ident = (found[0] if found else message._fingerprint(raw))[:260]
    try:
        with transaction.atomic():
            row = InboundMail.objects.create(
                message_id=ident,
                door=door[:120],
                sender=(senders[0] if len(senders) == 1 else "")[:260],
                raw=sealed.close(raw),
                origin=msgspec.to_builtins(origin or Origin()),
                recipients=ours[:50],
                due_at=timezone.now(),
            )
    except IntegrityError:
        return _again(ident, door[:120])
    transaction.on_commit(lambda: wake(row.pk))
    return row


def _again(ident: str, door: str) -> InboundMail:
    """The same mail once more: it acts no second time; its answer is sent again if that was long ago."""
    InboundMail.objects.filter(message_id=ident, door=door).update(copies=F("copies") + 1)
    row = InboundMail.objects.get(message_id=ident, door=door)
    if row.state == "done":
        outbox.answer_again(row.pk, ANSWER_AGAIN)
    return row


def raw_of(row: InboundMail) -> bytes:
    return sealed.open_(bytes(row.raw))


def origin_of(row: InboundMail) -> Origin:
    return msgspec.convert(row.origin, Origin)


def _local(address: str) -> str:
    return address.rpartition("@")[0]


def wake(row_id: int) -> None:
    try:
        current_app.send_task(READ, (row_id,))
    except Exception as error:  # whatever a queue may raise: the mail is stored, and that is what counts
        logger.warning("queue not reachable, the sweep will read mail %s: %s", row_id, error)


def due(now: datetime | None = None, most: int = 100) -> list[int]:
    now = now or timezone.now()
    rows = InboundMail.objects.filter(_free(now), state="received", due_at__lte=now)
    return list(rows.order_by("due_at").values_list("pk", flat=True)[:most])


def forget(now: datetime | None = None) -> int:
    """The text of mails older than thirty days goes; that they came, and what became of them, stays."""
    before = (now or timezone.now()) - timedelta(days=KEPT_DAYS)
    old = InboundMail.objects.filter(received_at__lt=before).exclude(state="received").exclude(raw=b"")
    return old.update(raw=b"", sender="", recipients=[], origin={}, auth={})


def _free(now: datetime) -> Q:
    return Q(claimed_until__isnull=True) | Q(claimed_until__lt=now)


def claim(row_id: int) -> InboundMail | None:
    """Of two workers one gets the mail; a dead one's claim runs out."""
    now = timezone.now()
    taken = InboundMail.objects.filter(_free(now), pk=row_id, state="received", due_at__lte=now).update(
        claimed_until=now + timedelta(seconds=CLAIM_SECONDS), attempts=F("attempts") + 1
    )
    return InboundMail.objects.select_related("user").get(pk=row_id) if taken else None


def put_off(row: InboundMail, why: str, seconds: float) -> None:
    """Try again later; after some attempts the mail is set aside for a person to look at."""
    state = "failed" if row.attempts >= MOST_ATTEMPTS else "received"
    later = timezone.now() + timedelta(seconds=seconds)
    InboundMail.objects.filter(pk=row.pk).update(state=state, detail=why[:300], due_at=later, claimed_until=None)


def wait(row: InboundMail, why: str, seconds: float) -> None:
    """Not its turn yet. Waiting is no failed attempt, however long it lasts."""
    later = timezone.now() + timedelta(seconds=seconds)
    InboundMail.objects.filter(pk=row.pk).update(
        detail=why[:300], due_at=later, claimed_until=None, attempts=max(0, row.attempts - 1)
    )

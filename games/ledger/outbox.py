"""Work for later: rows written with the entries that caused them, claimed and delivered by workers."""

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from games.ledger.models import Delivery, Match, Outbox, Seat, Webhook

CLAIM_SECONDS = settings.CLAIM_SECONDS
# Seconds until the next attempt, after the first, second .. failure: about three days in all.
BACKOFF = (5, 30, 120, 600, 1800, 7200, 18000, 36000, 86400, 86400)


def announce(
    match: Match, seats: Mapping[str, Seat], owed_before: Iterable[str], actor: str | None, *, opened: bool = False
) -> None:
    """After a change: bots that are asked, people whose decision it has become, results when it is over.

    A person who has just acted is looking at the match and gets no mail for the next question. When a
    match opens everybody gets one mail, which asks them at once if they owe something.
    """
    before = set(owed_before)
    if opened:
        people = [seat for seat in seats.values() if seat.user_id]
        for person in people:
            tell_seat(match, person, "opened")
        before.update(person.key for person in people)
    for key in match.owed:
        seat = seats.get(key)
        if seat is not None and seat.bot:
            ask_bot(match, seat)
        elif seat is not None and seat.user_id and key != actor and key not in before:
            tell_seat(match, seat, "decision")
    if match.status == Match.Status.OVER:
        for seat in seats.values():
            if seat.user_id:
                tell_seat(match, seat, "result")
    match_id = match.pk
    transaction.on_commit(lambda: changed(match_id))


def ask_bot(match: Match, seat: Seat) -> None:
    """One waiting row a match is enough: its task plays until a person is asked."""
    if not Outbox.objects.filter(match=match, kind=Outbox.Kind.BOT, state="waiting", claimed_until=None).exists():
        _add(Outbox.Kind.BOT, "play", match, seat)


def hold(row: Outbox) -> None:
    """A long piece of work is still being done: keep the claim alive."""
    Outbox.objects.filter(pk=row.pk).update(claimed_until=timezone.now() + timedelta(seconds=CLAIM_SECONDS))


def changed(match_id: int) -> None:
    """After commit: wake the workers. If this is lost, the sweep finds the rows."""
    from games.ledger.tasks import wake

    wake(match_id)


def tell_seat(match: Match, seat: Seat, topic: str, payload: dict[str, Any] | None = None) -> None:
    """A mail to the person in a seat, rendered when it is sent."""
    delay = settings.MAIL_DELAY_SECONDS if topic == "decision" else 0
    _add(Outbox.Kind.MAIL, topic, match, seat, payload, timedelta(seconds=delay))
    if seat.user_id:
        for hook in Webhook.objects.filter(user_id=seat.user_id, disabled_at__isnull=True):
            if not hook.topics or topic in hook.topics:
                call(hook, topic, match, seat.key)


def call(hook: Webhook, topic: str, match: Match | None = None, seat: str = "") -> Outbox:
    """A call of a webhook, with ids only: what the match looks like is asked for with a token."""
    return Outbox.objects.create(
        kind=Outbox.Kind.WEBHOOK,
        topic=topic,
        match=match,
        seat=seat,
        user=hook.user,
        seq=match.head_seq if match else -1,
        payload={"webhook": hook.pk},
        message_id=f"msg_{secrets.token_hex(12)}",
        due_at=timezone.now(),
    )


def tell_user(user: Any, topic: str, payload: dict[str, Any] | None = None) -> Outbox:
    """A mail to a person that is not about a seat: proving an address, invitations."""
    row = Outbox.objects.create(
        kind=Outbox.Kind.MAIL,
        topic=topic,
        user=user,
        payload=payload or {},
        message_id=_message_id(f"{topic}.u{user.pk if user else 0}"),
        due_at=timezone.now(),
    )
    transaction.on_commit(lambda: _deliver(row.pk))
    return row


def _deliver(row_id: int) -> None:
    from games.ledger.tasks import enqueue_mail

    enqueue_mail(row_id)


def _message_id(words: str) -> str:
    """Made once with the row, so that a retry repeats it and a reader's program sees one mail."""
    host = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].strip(">")
    return f"<{words}.{secrets.token_hex(8)}@{host}>"


def _add(
    kind: str,
    topic: str,
    match: Match,
    seat: Seat,
    payload: dict[str, Any] | None = None,
    delay: timedelta = timedelta(0),
) -> Outbox:
    ident = _message_id(f"d{match.head_seq}.{topic}.m{match.pk}.{seat.key}")
    return Outbox.objects.create(
        kind=kind,
        topic=topic,
        match=match,
        seat=seat.key,
        user=seat.user,
        seq=match.head_seq,
        payload=payload or {},
        message_id=ident if kind == Outbox.Kind.MAIL else "",
        due_at=timezone.now() + delay,
    )


def due(kinds: Iterable[str], now: datetime | None = None, most: int = 100) -> list[int]:
    """Rows that wait for a worker, oldest first."""
    now = now or timezone.now()
    rows = Outbox.objects.filter(_free(now), kind__in=list(kinds), state="waiting", due_at__lte=now)
    return list(rows.order_by("due_at").values_list("pk", flat=True)[:most])


def _free(now: datetime) -> Q:
    return Q(claimed_until__isnull=True) | Q(claimed_until__lt=now)


def claim(row_id: int) -> Outbox | None:
    """Take a row by a conditional update: of two workers one gets it. None when it is not to be had."""
    now = timezone.now()
    taken = Outbox.objects.filter(_free(now), pk=row_id, state="waiting", due_at__lte=now).update(
        claimed_until=now + timedelta(seconds=CLAIM_SECONDS), attempts=F("attempts") + 1
    )
    return Outbox.objects.select_related("match", "user").get(pk=row_id) if taken else None


def finish(row: Outbox, state: str, detail: str) -> None:
    """Done for good: sent, skipped or failed."""
    with transaction.atomic():
        Delivery.objects.create(outbox=row, ok=state != "failed", detail=detail[:300])
        Outbox.objects.filter(pk=row.pk).update(state=state, done_at=timezone.now(), claimed_until=None)


def retry(row: Outbox, detail: str, *, most: int = len(BACKOFF) + 1, at_least: float = 0) -> bool:
    """Failed this time; later again, with growing pauses, then given up: False."""
    if row.attempts >= most:
        finish(row, "failed", f"given up after {row.attempts} attempts: {detail}")
        return False
    pause = max(BACKOFF[row.attempts - 1], at_least)
    with transaction.atomic():
        Delivery.objects.create(outbox=row, ok=False, detail=detail[:300])
        later = timezone.now() + timedelta(seconds=pause * (0.9 + secrets.randbelow(200) / 1000))
        Outbox.objects.filter(pk=row.pk).update(due_at=later, claimed_until=None)
    return True


def told_lately(match: Match, seat: Seat, topic: str, span: timedelta) -> bool:
    """Whether the seat was (or is about to be) told of this within the span."""
    since = timezone.now() - span
    return Outbox.objects.filter(match=match, seat=seat.key, topic=topic, created_at__gte=since).exists()


def bounced(row_id: int, detail: str, *, hard: bool) -> Outbox | None:
    """A mail that was sent came back; None when it never went out or is known to have come back."""
    row = Outbox.objects.filter(pk=row_id, kind=Outbox.Kind.MAIL, state="sent").first()
    if row is None:
        return None
    with transaction.atomic():
        Delivery.objects.create(outbox=row, ok=False, detail=detail[:300])
        if hard:
            Outbox.objects.filter(pk=row.pk).update(state="failed")
    return row


def thread(row: Outbox) -> list[str]:
    """Message-IDs of the mails sent before this one about the same seat: the root, then the last three."""
    rows = Outbox.objects.filter(kind=Outbox.Kind.MAIL, match=row.match, seat=row.seat, state="sent")
    sent = list(rows.filter(pk__lt=row.pk, user=row.user).order_by("pk").values_list("message_id", flat=True))
    return sent if len(sent) <= 4 else [sent[0], *sent[-3:]]

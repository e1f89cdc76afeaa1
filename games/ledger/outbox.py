"""Work for later: rows written with the entries that caused them, claimed and delivered by workers."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from games.ledger import bell
from games.ledger.models import Delivery, Match, Outbox, Seat, Webhook
from games.ledger.trip import Look, Trip

DEPUTY_TOPICS = frozenset({"decision", "take-back", "result"})
CLAIM_SECONDS = settings.CLAIM_SECONDS
HOOKS: Look[Webhook] = Look(lambda user_id: Webhook.objects.filter(user_id=user_id, disabled_at__isnull=True))
# Seconds until the next attempt, after the first, second .. failure: about three days in all.
BACKOFF = (5, 30, 120, 600, 1800, 7200, 18000, 36000, 86400, 86400)
# What webhooks are called for; answers to somebody's own mail are not among it.
CALLED_FOR = (
    "decision", "opened", "result", "take-back", "take-back-refused", "kept-dropped", "reminder", "timed-out", "absent",
)  # fmt: skip


def announce(
    match: Match,
    seats: Mapping[str, Seat],
    owed_before: Iterable[str],
    actor: str | None,
    trip: Trip,
    *,
    opened: bool = False,
) -> None:
    """After a change: bots that are asked, people whose decision it has become, results when it is over.

    A person who has just acted is looking at the match and gets no mail for the next question. When a
    match opens everybody gets one mail, which asks them at once if they owe something. The rows are written
    by the trip that writes the entries.
    """
    before = set(owed_before)
    if opened:
        people = [seat for seat in seats.values() if seat.user_id]
        for person in people:
            tell_seat(match, person, "opened", trip=trip)
        before.update(person.key for person in people)
    for key in match.owed:
        seat = seats.get(key)
        if seat is not None and seat.bot:
            ask_bot(match, seat, trip, alone=not any(other.user_id for other in seats.values()))
        elif seat is not None and seat.user_id and key != actor and key not in before:
            tell_seat(match, seat, "decision", trip=trip)
    if match.status == Match.Status.OVER:
        for seat in seats.values():
            if seat.user_id:
                tell_seat(match, seat, "result", trip=trip)
    match_id = match.pk
    transaction.on_commit(lambda: bell.ring(match_id))


def ask_bot(match: Match, seat: Seat, trip: Trip | None = None, *, alone: bool) -> None:
    """One waiting job a match is enough: its worker plays until a person is asked. Call with the match locked."""
    if not Outbox.objects.filter(match=match, kind=Outbox.Kind.BOT, state="waiting").exists():
        _write([_row(Outbox.Kind.BOT, "play", match, seat, alone=alone)], trip)


def changed(match_id: int) -> None:
    """After commit: ring for those who wait, wake the workers. If this is lost, a look and the sweep find it."""
    from games.ledger import tasks

    bell.ring(match_id)
    tasks.wake(match_id)


def wake(rows: Iterable[Outbox]) -> None:
    """After commit: hand these rows to the workers. If this is lost, the sweep finds them."""
    from games.ledger import tasks

    for row in rows:
        tasks.enqueue(row.pk, row.kind)


def tell_seat(
    match: Match,
    seat: Seat,
    topic: str,
    payload: dict[str, Any] | None = None,
    trip: Trip | None = None,
    *,
    to: Any = None,
    after: timedelta = timedelta(0),
) -> None:
    """A mail to the person in a seat, rendered when it is sent, and calls of their programs; decisions go to a
    deputy too.

    With `to` it goes to that person instead: a deputy who has written.
    """
    delay = after or timedelta(seconds=settings.MAIL_DELAY_SECONDS if topic == "decision" else 0)
    if to is not None and to.pk != seat.user_id:
        _write([_row(Outbox.Kind.MAIL, topic, match, seat, payload, delay, to=to.pk)], trip)
        return
    rows = [_row(Outbox.Kind.MAIL, topic, match, seat, payload, delay)]
    if seat.deputy_id and seat.deputy_until and topic in DEPUTY_TOPICS and timezone.now() < seat.deputy_until:
        rows.append(_row(Outbox.Kind.MAIL, topic, match, seat, payload, delay, to=seat.deputy_id))
    if seat.user_id and topic in CALLED_FOR:
        hooks = HOOKS.all(seat.user_id)
        rows += [_call(hook, topic, match, seat.key) for hook in hooks if not hook.topics or topic in hook.topics]
    _write(rows, trip)


def call(hook: Webhook, topic: str, match: Match | None = None, seat: str = "") -> Outbox:
    """A call of a webhook."""
    row = _call(hook, topic, match, seat)
    row.save()
    return row


def _call(hook: Webhook, topic: str, match: Match | None, seat: str) -> Outbox:
    """With ids only: what the match looks like is asked for with a token."""
    return Outbox(
        kind=Outbox.Kind.WEBHOOK,
        topic=topic,
        match=match,
        seat=seat,
        user_id=hook.user_id,
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


def _row(
    kind: str,
    topic: str,
    match: Match,
    seat: Seat,
    payload: dict[str, Any] | None = None,
    delay: timedelta = timedelta(0),
    *,
    to: int | None = None,
    alone: bool = False,
) -> Outbox:
    return Outbox(
        kind=kind,
        topic=topic,
        match=match,
        seat=seat.key,
        user_id=to or seat.user_id,
        seq=match.head_seq,
        payload=payload or {},
        message_id=_message_id(f"d{match.head_seq}.{topic}.m{match.pk}.{seat.key}") if kind == Outbox.Kind.MAIL else "",
        alone=alone,
        due_at=timezone.now() + delay,
    )


def _write(rows: list[Outbox], trip: Trip | None) -> None:
    """With the trip that writes their cause, or at once; the workers are woken after commit."""
    if trip is None:
        Outbox.objects.bulk_create(rows)
    else:
        trip.insert(rows)
    transaction.on_commit(lambda: wake(rows))


def due(kinds: Iterable[str], now: datetime | None = None, most: int = 100) -> list[int]:
    """Rows that wait for a worker, oldest first."""
    return list(due_rows(kinds, now).values_list("pk", flat=True)[:most])


def due_rows(kinds: Iterable[str], now: datetime | None = None) -> QuerySet[Outbox]:
    now = now or timezone.now()
    rows = Outbox.objects.filter(_free(now), kind__in=list(kinds), state="waiting", due_at__lte=now)
    return rows.order_by("due_at")


def _free(now: datetime) -> Q:
    return Q(claimed_until__isnull=True) | Q(claimed_until__lt=now)


def claim(row_id: int) -> Outbox | None:
    """Take a row by a conditional update: of two workers one gets it. None when it is not to be had."""
    now = timezone.now()
    taken = Outbox.objects.filter(_free(now), pk=row_id, state="waiting", due_at__lte=now).update(
        claimed_until=now + timedelta(seconds=CLAIM_SECONDS), attempts=F("attempts") + 1
    )
    return Outbox.objects.select_related("match", "user").get(pk=row_id) if taken else None


def going_to(row: Outbox, email: str) -> None:
    """Which of the person's addresses it is sent to."""
    if row.payload.get("to") != email:
        row.payload = {**row.payload, "to": email}
        Outbox.objects.filter(pk=row.pk).update(payload=row.payload)


def finish(row: Outbox, state: str, detail: str) -> None:
    """Done for good: sent, skipped or failed."""
    with transaction.atomic():
        Delivery.objects.create(outbox=row, ok=state != "failed", detail=detail[:300])
        Outbox.objects.filter(pk=row.pk).update(state=state, done_at=timezone.now(), claimed_until=None)


def retry(row: Outbox, detail: str, *, pauses: Sequence[float] = BACKOFF, at_least: float = 0) -> bool:
    """Failed this time; later again, with growing pauses, then given up: False."""
    if row.attempts > len(pauses):
        finish(row, "failed", f"given up after {row.attempts} attempts: {detail}")
        return False
    pause = max(pauses[row.attempts - 1] * (0.9 + secrets.randbelow(200) / 1000), at_least)
    with transaction.atomic():
        Delivery.objects.create(outbox=row, ok=False, detail=detail[:300])
        later = timezone.now() + timedelta(seconds=pause)
        Outbox.objects.filter(pk=row.pk).update(due_at=later, claimed_until=None)
    row.due_at = later
    return True


def put_off(row: Outbox, later: datetime) -> None:
    """Not yet: its time comes later, and this was no attempt."""
    Outbox.objects.filter(pk=row.pk).update(due_at=later, claimed_until=None, attempts=F("attempts") - 1)


def last_told(match: Match, seat: str, user: Any) -> int:
    """The last entry that this person was told of by mail, of one seat."""
    rows = Outbox.objects.filter(kind=Outbox.Kind.MAIL, match=match, seat=seat, user=user, state="sent")
    return rows.order_by("-seq").values_list("seq", flat=True).first() or -1


def told_lately(match: Match, seat: Seat, topic: str, span: timedelta) -> bool:
    """Whether the seat was (or is about to be) told of this within the span."""
    since = timezone.now() - span
    return Outbox.objects.filter(match=match, seat=seat.key, topic=topic, created_at__gte=since).exists()


def user_told_since(user: Any, topic: str, since: datetime) -> bool:
    return Outbox.objects.filter(user=user, topic=topic, created_at__gte=since).exists()


def answers(match_id: int, user: Any, payload: dict[str, Any]) -> None:
    """The first mail of a match that a mail has just opened is the answer to it. Call in the same transaction."""
    for row in Outbox.objects.filter(kind=Outbox.Kind.MAIL, match_id=match_id, user=user, topic="opened"):
        row.payload = {**row.payload, **payload}
        row.save(update_fields=["payload"])


def told_with_answer(row: Outbox) -> bool:
    """Whether the answer to the reader's own last orders brings the result too."""
    rows = Outbox.objects.filter(kind=Outbox.Kind.MAIL, match=row.match, seat=row.seat, user=row.user, topic="ack")
    return rows.filter(seq__gte=row.seq, payload__ended=True).exclude(state="skipped").exists()


def address_renewed(user: Any, span: timedelta) -> bool:
    """Whether the person got (or is about to get) a digest because the old one's address is void."""
    since = timezone.now() - span
    return Outbox.objects.filter(user=user, topic="digest", payload__has_key="why", created_at__gte=since).exists()


def told_person_lately(user: Any, notice: str, span: timedelta) -> bool:
    """Whether the person got (or is about to get) a notice of this name within the span."""
    since = timezone.now() - span
    return Outbox.objects.filter(user=user, payload__notice=notice, created_at__gte=since).exists()


def answer_again(inbound: int, pause: timedelta) -> int:
    """Send the answer to an inbound mail once more, under its own Message-ID, if the last time is long ago."""
    before = timezone.now() - pause
    rows = Outbox.objects.filter(kind=Outbox.Kind.MAIL, payload__inbound=inbound, state__in=["sent", "failed"])
    rows = rows.filter(topic__in=["ack", "answer", "nothing", "opened"], done_at__lt=before)
    numbers = list(rows.values_list("pk", flat=True))
    again(numbers)
    return len(numbers)


def again(numbers: Iterable[int]) -> None:
    """These rows are to be delivered once more."""
    for row in Outbox.objects.filter(pk__in=list(numbers)):
        row.payload = {**row.payload, "resent": True}  # so that it is not passed over as told already
        row.state, row.due_at, row.attempts, row.claimed_until, row.done_at = "waiting", timezone.now(), 0, None, None
        row.save(update_fields=["payload", "state", "due_at", "attempts", "claimed_until", "done_at"])
        transaction.on_commit(partial(_deliver, row.pk))


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


def last_payload(match: Match, seat: Seat, topic: str) -> dict[str, Any]:
    """What the last mail of a kind to the seat was made of."""
    row = Outbox.objects.filter(kind=Outbox.Kind.MAIL, match=match, seat=seat.key, topic=topic).order_by("-pk").first()
    return dict(row.payload) if row else {}


def written_as(message_ids: Iterable[str]) -> tuple[int, str, int, int | None] | None:
    """The mail of a match that one of these ids belongs to: match, seat, entry, person."""
    rows = Outbox.objects.filter(kind=Outbox.Kind.MAIL, message_id__in=list(message_ids), match__isnull=False)
    row = rows.order_by("-pk").first()
    return (row.match_id, row.seat, row.seq, row.user_id) if row and row.match_id else None

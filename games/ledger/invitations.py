"""Offering a seat to somebody by name or by mail address, for all doors: who may be asked, and what yes means."""

import hashlib
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games import catalogue
from games.kernel.errors import GameError
from games.ledger import outbox, people, services
from games.ledger.models import Invitation, Match, Refusal
from games.ledger.play import locked
from games.ledger.talk import Saying

User = get_user_model()
OPEN_DAYS = 7
MOST_OPEN = 10
MOST_STRANGERS_A_DAY = 3

__all__ = ["Invitation", "Refusal"]


# --- asking ----------------------------------------------------------------------------------------------


@transaction.atomic
def invite(
    *,
    user: Any,
    match_id: int,
    username: str = "",
    email: str = "",
    seat: str | None = None,
    words: str = "",
    base: int | None = None,
) -> Invitation:
    """Offer an empty seat of an open match, to a person here or to an address."""
    hand = locked(match_id)
    match = hand.match
    services.check_base(match, base)
    if match.owner_id != user.pk:
        raise GameError("Only the one who opened a match can invite to it.", code="not-yours")
    if match.status != Match.Status.OPEN:
        raise GameError(f"Match {match_id} is {match.status}; nobody can be invited to it.", code="not-open")
    free = [row.key for row in hand.seats.values() if row.user_id is None and not row.bot]
    if seat is not None and seat not in hand.seats:
        raise GameError(f"Match {match_id} has no seat {seat!r}; free are: {', '.join(free)}.", code="no-such-seat")
    if not free or (seat is not None and seat not in free):
        names = ", ".join(free) or "none"
        raise GameError(f"That seat of match {match_id} is not free; free are: {names}.", code="seat-taken")
    guest = _guest(username, email)
    # Only for a name: whether an address belongs to somebody at the table is nobody's business.
    if username and any(guest is not None and row.user_id == guest.pk for row in hand.seats.values()):
        raise GameError("They already have a seat in this match.", code="already-seated")
    own = next((row.key for row in hand.seats.values() if row.user_id == user.pk), "")
    return offer(
        user=user,
        ruleset=match.ruleset,
        options=match.options,
        host_seat=own,
        guest_seat=seat or free[0],
        email=guest.email if guest is not None else email,
        guest=guest,
        named=username,
        words=words,
        match_id=match_id,
        clock_hours=match.clock_hours,
        bank_hours=match.bank_hours,
    )


def _guest(username: str, email: str) -> Any | None:
    if username:
        found = User.objects.filter(username__iexact=username, is_active=True).first()
        if found is None:
            raise GameError(f"There is nobody called {username} here; invite by mail address instead.", code="nobody")
        return found
    return people.user_by_address(email)


def offer(
    *,
    user: Any,
    ruleset: str,
    options: dict[str, Any],
    host_seat: str,
    guest_seat: str,
    email: str,
    guest: Any = None,
    named: str = "",
    words: str = "",
    match_id: int | None = None,
    clock_hours: int | None = None,
    bank_hours: int = 0,
    salt: str = "",
) -> Invitation:
    """The invitation itself, within the limits, and the mail that carries it."""
    email = email.lower()
    may_invite(user, email)
    row = Invitation.objects.create(
        host=user, guest=guest, named=named, email=email, ruleset=ruleset, options=options, host_seat=host_seat,
        guest_seat=guest_seat, host_salt=salt.strip()[:200], words=words.strip()[:2000], match_id=match_id,
        clock_hours=clock_hours, bank_hours=bank_hours,
        expires_at=timezone.now() + timedelta(days=OPEN_DAYS),
    )  # fmt: skip
    outbox.tell_user(None, "invitation", {"invitation": row.pk})
    return row


def fingerprint(email: str) -> str:
    return hashlib.sha256(f"{settings.SECRET_KEY}:{email.lower()}".encode()).hexdigest()


def refuses(email: str) -> bool:
    """Whether this address asked never to be written to."""
    return Refusal.objects.filter(fingerprint=fingerprint(email)).exists()


def may_invite(user: Any, email: str) -> None:
    """Raises when this person may not write to this address through us (now)."""
    try:
        validate_email(email)
    except ValidationError:
        raise GameError(f"{email} is not a mail address.", code="bad-setup") from None
    if email == settings.DEFAULT_FROM_EMAIL.rpartition("<")[2].strip("> ").lower():
        raise GameError("That is me. I offer bots instead.", code="bad-setup")
    if email == user.email.lower():
        raise GameError("That is you. To play alone choose a bot.", code="bad-setup")
    if refuses(email):
        raise GameError("That address wants no invitations.", code="too-many")
    now = timezone.now()
    sent = Invitation.objects.filter(host=user)
    if sent.filter(status="open", expires_at__gt=now).count() >= MOST_OPEN:
        raise GameError(f"You have {MOST_OPEN} invitations open; cancel one first.", code="too-many")
    if sent.filter(email=email, status="declined", created_at__gt=now - timedelta(days=30)).exists():
        raise GameError("They declined within the last month; ask again later.", code="too-many")
    today = sent.filter(created_at__gt=now - timedelta(days=1))
    strangers = [row for row in today if people.user_by_address(row.email) is None]
    if people.user_by_address(email) is None and len(strangers) >= MOST_STRANGERS_A_DAY:
        raise GameError(f"You can invite {MOST_STRANGERS_A_DAY} strangers a day; try again tomorrow.", code="too-many")


# --- answering -------------------------------------------------------------------------------------------


def for_user(user: Any) -> QuerySet[Invitation]:
    """Sent by the person, to their name, or to an address they have proved."""
    mine = Q(host=user) | Q(guest=user)
    if user.email_verified_at is not None:
        mine |= Q(email__iexact=user.email)
    return Invitation.objects.filter(mine).select_related("host", "guest").order_by("-pk")


def found(user: Any, number: int) -> Invitation:
    row = for_user(user).filter(pk=number).first()
    if row is None:
        raise GameError(f"You have no invitation {number}.", code="not-found")
    return row


def told(row: Invitation, user: Any) -> dict[str, Any]:
    """An invitation as one of the two may read it: the host never learns the address behind a name."""
    status = "expired" if row.status == "open" and row.expires_at < timezone.now() else row.status
    return {
        "number": row.pk,
        "match": row.match_id,
        "ruleset": row.ruleset,
        "game": catalogue.find(row.ruleset).title,
        "host": row.host.username,
        "to": row.named or row.email,
        "yours": row.host_id != user.pk,
        "seat": row.guest_seat,
        "words": row.words,
        "status": status,
        "created_at": row.created_at,
        "expires_at": row.expires_at,
    }


@transaction.atomic
def invitation_answer(*, user: Any, number: int, accept: bool) -> Invitation:
    """The invited person's own answer."""
    row = _open(user, number)
    if row.host_id == user.pk:
        raise GameError(f"Invitation {number} is yours; the other side must answer it.", code="not-yours")
    if accept:
        seat_guest(row, user)
    else:
        decline(row)
    return found(user, number)


@transaction.atomic
def invitation_cancel(*, user: Any, number: int) -> Invitation:
    row = _open(user, number)
    if row.host_id != user.pk:
        raise GameError(f"Only {row.host.username} can withdraw invitation {number}; decline it.", code="not-yours")
    Invitation.objects.filter(pk=row.pk).update(status="cancelled")
    return found(user, number)


@transaction.atomic
def salt_set(*, user: Any, words: str) -> Invitation:
    """The host's own words for the dice of the one match that waits for a yes."""
    words = words.strip()[:200]
    if not words:
        raise GameError("Write the words of your salt: salt <words>.", code="unreadable")
    waiting = Invitation.objects.select_for_update().filter(
        host=user, status="open", match_id__isnull=True, expires_at__gt=timezone.now()
    )
    rows = list(waiting.order_by("pk"))
    if not rows:
        raise GameError(
            "No invitation of yours is open. A salt belongs under new or accept, or in an answer to the mail of "
            "a match that has not started.",
            code="not-found",
        )
    if len(rows) > 1:
        numbers = ", ".join(str(row.pk) for row in rows)
        raise GameError(
            f"Your invitations {numbers} are open and a salt by itself fits one only; write it under new.",
            code="ambiguous",
        )
    rows[0].host_salt = words
    rows[0].save(update_fields=["host_salt"])
    return rows[0]


def _open(user: Any, number: int) -> Invitation:
    found(user, number)  # refuses what is not theirs
    row = Invitation.objects.select_for_update(of=("self",)).select_related("host").get(pk=number)
    if row.status != "open" or row.expires_at < timezone.now():
        raise GameError(f"Invitation {number} is no longer open.", code="not-open")
    return row


def decline(row: Invitation, words: str = "") -> None:
    Invitation.objects.filter(pk=row.pk).update(status="declined")
    outbox.tell_user(row.host, "answer", {"words": [f"Your invitation {row.pk} was declined. {words}".strip()]})


def seat_guest(row: Invitation, guest: Any, *, salt: str = "", said: str = "") -> Match:
    """Yes: the guest takes the seat that waits, or the match opens for both."""
    if row.match_id is None:
        made = services.match_create(
            user=row.host, ruleset=row.ruleset, options=row.options, seat=row.host_seat, private=True,
            clock_hours=row.clock_hours, bank_hours=row.bank_hours, salt=row.host_salt,
        )  # fmt: skip
        row.match_id = made.pk
    match = services.match_join(user=guest, match_id=row.match_id, seat=row.guest_seat, salt=salt)
    if row.words and row.host_seat:
        Saying.objects.create(
            match_id=match.pk, seat=row.host_seat, text=row.words, told=[row.host_seat, row.guest_seat]
        )
    if said:
        Saying.objects.create(match_id=match.pk, seat=row.guest_seat, text=said, told=[row.guest_seat])
    Invitation.objects.filter(pk=row.pk).update(status="accepted", match_id=match.pk, guest=guest)
    return match

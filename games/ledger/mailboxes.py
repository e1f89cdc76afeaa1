"""The addresses of a person: the main one, and further ones that were proved in the same way."""

from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.kernel.errors import GameError
from games.ledger import links, outbox
from games.ledger.models import MailAddress

User = get_user_model()
MOST = 5  # further addresses of one person
MOST_PROOFS_A_DAY = 3


def owner(email: str) -> Any | None:
    """Whose proved address this is."""
    known = User.objects.filter(email__iexact=email, email_verified_at__isnull=False, is_active=True).first()
    if known is not None:
        return known
    rows = MailAddress.objects.filter(email=email.lower(), verified_at__isnull=False, user__is_active=True)
    row = rows.select_related("user").first()
    return row.user if row else None


def proved(user: Any) -> set[str]:
    """Every address the person has proved, in lower case: orders count from any of them."""
    main = {user.email.lower()} if user.email_verified_at else set()
    further = MailAddress.objects.filter(user=user, verified_at__isnull=False)
    return main | set(further.values_list("email", flat=True))


def listed(user: Any) -> list[dict[str, Any]]:
    """All of them, the main one first, with what is known about each."""
    rows = {row.email: row for row in MailAddress.objects.filter(user=user).order_by("pk")}
    main = rows.pop(user.email.lower(), None)
    first = {
        "email": user.email,
        "main": True,
        "proved": user.email_verified_at is not None,
        "bounced_at": main.bounced_at if main else None,
    }
    further = [
        {"email": row.email, "main": False, "proved": row.verified_at is not None, "bounced_at": row.bounced_at}
        for row in rows.values()
    ]
    return [first, *further]


def mail_to(user: Any) -> str:
    """Where mail goes: the first proved address from which nothing came back for good; else the main one."""
    rows = listed(user)
    return next((str(row["email"]) for row in rows if row["proved"] and not row["bounced_at"]), str(user.email))


@transaction.atomic
def address_add(*, user: Any, email: str) -> MailAddress:
    """A further address; a mail to it asks whoever reads it to prove it."""
    email = email.strip().strip("<>").lower()
    try:
        validate_email(email)
    except ValidationError:
        raise GameError(f"{email[:100]} is not a mail address.", code="bad-account") from None
    if email in proved(user):
        raise GameError(f"{email} is yours already.", code="bad-account")
    if _taken(user, email):
        raise GameError("That address is in use; choose another.", code="bad-account")
    mine = MailAddress.objects.filter(user=user).exclude(email=user.email.lower())
    if mine.exclude(email=email).count() >= MOST:
        raise GameError(f"You have {MOST} further addresses; drop one first.", code="too-many")
    if mine.filter(asked_at__gt=timezone.now() - timedelta(days=1)).count() >= MOST_PROOFS_A_DAY:
        raise GameError(f"{MOST_PROOFS_A_DAY} a day can be asked to prove themselves; try tomorrow.", code="too-many")
    row, _ = MailAddress.objects.update_or_create(
        user=user, email=email, defaults={"asked_at": timezone.now(), "bounced_at": None}
    )
    outbox.tell_user(user, "address", {"address": row.pk})
    return row


def _taken(user: Any, email: str) -> bool:
    """Somebody else's, proved or waiting to be proved as their main one."""
    others = User.objects.filter(email__iexact=email).exclude(pk=user.pk)
    further = MailAddress.objects.filter(email=email, verified_at__isnull=False).exclude(user=user)
    return others.exists() or further.exists()


def seal(row: MailAddress) -> str:
    """Known only to who reads the mail sent there."""
    return links.mac("address", row.pk)


def found(number: int, token: str) -> MailAddress | None:
    row = MailAddress.objects.select_related("user").filter(pk=number).first()
    return row if row is not None and links.same(token, seal(row)) else None


def address_get(number: int) -> MailAddress | None:
    return MailAddress.objects.select_related("user").filter(pk=number).first()


def address_prove(*, number: int, token: str) -> MailAddress:
    """Whoever reads the address says it is theirs. Raises when the link is not valid or it became another's."""
    row = found(number, token)
    if row is None or _taken(row.user, row.email):
        raise GameError("This link is not valid, or the address was changed since.", code="not-found")
    try:
        with transaction.atomic():
            MailAddress.objects.filter(pk=row.pk, verified_at__isnull=True).update(verified_at=timezone.now())
    except IntegrityError:
        raise GameError("That address is in use.", code="not-found") from None
    return row


@transaction.atomic
def address_drop(*, user: Any, email: str) -> None:
    """Orders from it count no more. The last proved address stays."""
    email = email.strip().strip("<>").lower()
    if email == user.email.lower():
        heir = MailAddress.objects.filter(user=user, verified_at__isnull=False).exclude(email=email).order_by("pk")
        row = heir.first()
        if row is None:
            raise GameError("That is your only proved address; add another first.", code="bad-account")
        MailAddress.objects.filter(user=user, email__in=[email, row.email]).delete()
        User.objects.filter(pk=user.pk).update(email=row.email, email_verified_at=row.verified_at)
        user.refresh_from_db()
    elif not MailAddress.objects.filter(user=user, email=email).delete()[0]:
        raise GameError(f"{email[:100]} is not one of your addresses.", code="not-found")


def address_bounced(*, user: Any, email: str) -> str:
    """Mail to it came back for good. The address that takes its place, if the person has proved another."""
    MailAddress.objects.update_or_create(user=user, email=email.lower(), defaults={"bounced_at": timezone.now()})
    return next((str(row["email"]) for row in listed(user) if row["proved"] and not row["bounced_at"]), "")


def address_works(*, user: Any, email: str) -> None:
    """A mail came from it, so it is used again."""
    MailAddress.objects.filter(user=user, email=email.lower(), bounced_at__isnull=False).update(bounced_at=None)

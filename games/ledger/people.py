"""Services about people: registering, proving an address, asking for silence."""

import itertools
import re
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from games.kernel.errors import GameError
from games.ledger import links, mailboxes, outbox, personal

User = get_user_model()


def user_register(*, username: str, email: str, password: str) -> Any:
    """A new person; a mail asks them to prove the address before anything else is sent there."""
    user = User(username=username.strip(), email=email.strip().lower())
    try:
        User.username_validator(user.username)
        validate_email(user.email)
        validate_password(password, user)
    except ValidationError as error:
        raise GameError(" ".join(error.messages), code="bad-account") from None
    user.set_password(password)
    if mailboxes.owner(user.email) is not None:
        raise GameError("That name or address is taken; choose another or sign in.", code="bad-account")
    try:
        with transaction.atomic():
            user.save()
            outbox.tell_user(user, "verify")
    except IntegrityError:
        raise GameError("That name or address is taken; choose another or sign in.", code="bad-account") from None
    return user


def user_verify(*, user_id: int, token: str) -> Any:
    """The address is proved. Raises when the token does not fit it (any more)."""
    user = User.objects.filter(pk=user_id).first()
    if user is None or not links.same(token, links.verify_token(user)):
        raise GameError("This link is not valid, or the address was changed since.", code="not-found")
    User.objects.filter(pk=user_id, email_verified_at__isnull=True).update(email_verified_at=timezone.now())
    return user


def notices_stop(*, user_id: int, token: str) -> Any:
    """No more notices by mail. Matches and their clocks go on."""
    user = user_of_stop(user_id=user_id, token=token)
    User.objects.filter(pk=user_id).update(wants_mail=False)
    return user


def notices_start(*, user: Any) -> None:
    User.objects.filter(pk=user.pk).update(wants_mail=True)


def notices_end(*, user: Any) -> None:
    """The person asked for silence themselves."""
    User.objects.filter(pk=user.pk).update(wants_mail=False)


def password_change(*, user: Any, old_password: str, new_password: str) -> None:
    """A new password from somebody who knows the old one. Sessions end with it."""
    if not user.check_password(old_password):
        raise GameError("The old password does not fit.", code="bad-account")
    try:
        validate_password(new_password, user)
    except ValidationError as error:
        raise GameError(" ".join(error.messages), code="bad-account") from None
    user.set_password(new_password)
    user.save(update_fields=["password"])


def user_by_address(email: str) -> Any | None:
    """Whose proved address this is."""
    return mailboxes.owner(email)


def guest_register(*, email: str) -> Any:
    """Somebody who answered an invitation sent to this address: that proves it. No password yet."""
    known = mailboxes.owner(email) or User.objects.filter(email__iexact=email).first()
    if known is not None and known.email.lower() != email.lower():
        return known  # one of their further addresses
    if known is not None:
        User.objects.filter(pk=known.pk, email_verified_at__isnull=True).update(email_verified_at=timezone.now())
        return known
    stem = re.sub(r"[^\w.+-]", "", email.partition("@")[0])[:20] or "guest"
    for number in itertools.count(1):
        name = stem if number == 1 else f"{stem}{number}"
        if not User.objects.filter(username__iexact=name).exists():
            break
    user = User(username=name, email=email.lower(), email_verified_at=timezone.now())
    user.set_unusable_password()
    user.save()
    return user


def user_get(user_id: int) -> Any | None:
    """Somebody by number, if they are still with us."""
    return User.objects.filter(pk=user_id, is_active=True).first()


def links_rotate(*, user: Any) -> None:
    """Reply addresses of this person's digests stop working; the next digest carries a new one."""
    User.objects.filter(pk=user.pk).update(link_key=F("link_key") + 1)


def digests_due() -> list[Any]:
    """People whose digest's hour has come: for the sweep."""
    return list(User.objects.filter(digest_at__lte=timezone.now()).order_by("digest_at")[:200])


def digest_taken(*, user: Any) -> bool:
    """Move to the next day; True for the one scheduler that did it."""
    later = personal.next_digest(user, timezone.now())
    return bool(User.objects.filter(pk=user.pk, digest_at=user.digest_at).update(digest_at=later))


def user_of_stop(*, user_id: int, token: str) -> Any:
    user = User.objects.filter(pk=user_id).first()
    if user is None or not links.same(token, links.stop_token(user)):
        raise GameError("This link is not valid.", code="not-found")
    return user

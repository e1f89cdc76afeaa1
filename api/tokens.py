"""Who sends a request, and what their token lets them do."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import models, transaction
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from api.errors import Problem
from api.models import Token
from games.ledger import selectors
from games.ledger.trip import Look

MOST_TOKENS = 100
ORDER = {Token.Scope.READ: 0, Token.Scope.PLAY: 1, Token.Scope.ADMIN: 2}
USED_EVERY = timedelta(minutes=5)
# Of the person, what no ordinary request asks for.
UNUSED = [
    "created_at", "name",
    *(f"user__{name}" for name in (
        "password", "last_login", "date_joined", "first_name", "last_name", "is_superuser", "zone", "quiet", "days_off",
        "away", "calendar_changes", "digest_hour", "digest_at", "reminders", "acks", "subjects", "link_key",
    )),
]  # fmt: skip
# Looked for anew with every request: a withdrawn token or a closed account ends at once.
TOKENS: Look[Token] = Look(
    lambda digest: Token.objects.select_related("user").filter(digest=digest).defer(*UNUSED),
    "digest",
)


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Token ...` (or `Bearer ...`)."""

    def authenticate(self, request: Request) -> tuple[Any, Token] | None:
        try:
            words = get_authorization_header(request).split()
        except UnicodeError:
            raise AuthenticationFailed("The Authorization header is not ASCII.") from None
        if not words or words[0].lower() not in (b"token", b"bearer"):
            return None
        if len(words) != 2 or not words[1].isalnum() or len(words[1]) > 200:
            raise AuthenticationFailed("The Authorization header should be: Token, a space, and the token.")
        token = next(iter(TOKENS.all(_digest(words[1]))), None)
        now = timezone.now()
        if token is None or (token.expires_at is not None and token.expires_at < now) or not token.user.is_active:
            raise AuthenticationFailed("This token is unknown, withdrawn or past its end.")
        if token.used_at is None or token.used_at < now - USED_EVERY:
            Token.objects.filter(pk=token.pk).update(used_at=now)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Token"


class TokenAllows(BasePermission):
    """Looking needs `read`, changing needs `play`; a view may ask for more. A seat's token stays at its seat."""

    def has_permission(self, request: Request, view: Any) -> bool:
        token = request.auth
        if not isinstance(token, Token):
            return True  # a browser session: the person themself
        needed = getattr(view, "scope", None) or ("read" if request.method in SAFE_METHODS else "play")
        if ORDER[Token.Scope(token.scope)] < ORDER[Token.Scope(needed)]:
            raise Problem("forbidden", f"This token is for {token.scope}; this needs one for {needed}.")
        return token.match is None or self._at_its_seat(token, view)

    def _at_its_seat(self, token: Token, view: Any) -> bool:
        if getattr(view, "whole_person", False):
            raise Problem("forbidden", "The token of a seat plays that seat; this needs a token of the whole person.")
        if getattr(view, "any_seat", False) or view.kwargs.get("match_id") == token.match:
            return True
        raise Problem("forbidden", f"This token is for the seat {token.seat} of match {token.match} only.")


@transaction.atomic
def token_make(
    *,
    user: Any,
    name: str = "",
    scope: str = Token.Scope.ADMIN,
    days: int | None = None,
    match: int | None = None,
    seat: str = "",
) -> tuple[Token, str]:
    """A new token and its secret, which is not kept."""
    mine = Token.objects.filter(user=user)
    mine.filter(expires_at__lt=timezone.now()).delete()
    if mine.count() >= MOST_TOKENS:
        raise Problem("too-many", f"You have {MOST_TOKENS} tokens; withdraw some first.")
    last = mine.aggregate(last=models.Max("number"))["last"] or 0
    secret = secrets.token_hex(32)
    token = Token.objects.create(
        digest=_digest(secret.encode()),
        user=user,
        expires_at=timezone.now() + timedelta(days=days) if days is not None else None,
        name=name,
        scope=scope,
        match=match,
        seat=seat,
        number=last + 1,
    )
    return token, secret


def token_make_for_seat(*, user: Any, match: int | None, **given: Any) -> tuple[Token, str]:
    """As `token_make`; with a match the token is bound to the person's seat there."""
    if match is None:
        return token_make(user=user, **given)
    seat = selectors.seat_of(selectors.match_get(match, user), user)
    if seat is None:
        raise Problem("not-your-seat", f"You have no seat in match {match}.")
    if given["scope"] == Token.Scope.ADMIN:
        given["scope"] = Token.Scope.PLAY
    return token_make(user=user, match=match, seat=seat, **given)


def valid_tokens(digests: Iterable[str]) -> set[str]:
    """Which of these tokens still let somebody in."""
    rows = Token.objects.filter(pk__in=set(digests), user__is_active=True)
    return set(rows.exclude(expires_at__lt=timezone.now()).values_list("pk", flat=True))


def active_people(numbers: Iterable[int]) -> set[int]:
    """Which of these accounts are still open."""
    return set(get_user_model().objects.filter(pk__in=set(numbers), is_active=True).values_list("pk", flat=True))


def _digest(secret: bytes) -> str:
    """256 random bits need no slow hash."""
    return hashlib.sha256(secret).hexdigest()

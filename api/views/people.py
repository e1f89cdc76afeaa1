"""Accounts and signing in."""

from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate, get_user_model
from django.contrib.auth import logout as session_logout
from django.db import transaction
from django.db.models import Q, QuerySet
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api import shapes
from api import shapes_lobby as forms
from api.base import Door
from api.describe import told
from api.errors import Problem
from api.models import Token
from api.person_shapes import DAYS, MeIn, MeOut
from api.tokens import token_make, token_make_for_seat
from games.ledger import mailboxes, people, personal

User = get_user_model()


class Register(Door):
    tag = "people"
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "sign-in"

    @told(
        "register",
        "Make an account",
        shapes.PersonOut,
        request=shapes.RegisterIn,
        status=201,
        problems=(403, 409, 415, 422),
    )
    def post(self, request: Request) -> Response:
        if not settings.OPEN_REGISTRATION:
            raise Problem("registration-closed", "This server makes no new accounts; ask who runs it.")
        given = self.body(request, shapes.RegisterIn)
        return Response(person(_register(given)), status=201)


def _register(given: dict[str, str]) -> Any:
    """Names are one person's in any case; a mail asks to prove the address."""
    if User.objects.filter(Q(username__iexact=given["username"]) | Q(email__iexact=given["email"])).exists():
        raise Problem("taken", "That name or that address is in use; sign in, or choose another.")
    return people.user_register(**given)


def person(user: Any) -> dict[str, Any]:
    return {
        "username": user.username,
        "email": user.email,
        "email_verified": user.email_verified_at is not None,
        "wants_mail": user.wants_mail,
    }


class Login(Door):
    tag = "people"
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "sign-in"

    @told("login", "Get a token", shapes.LoginOut, request=shapes.LoginIn, problems=(401, 409, 415))
    def post(self, request: Request) -> Response:
        given = self.body(request, shapes.LoginIn)
        user = authenticate(request._request, username=given["username"], password=given["password"])
        if user is None:
            raise Problem("not-signed-in", "Name and password do not fit.")
        token, secret = token_make(user=user, name="login")
        return Response(
            {
                "token": secret,
                "number": token.number,
                "scope": token.scope,
                "expires_at": token.expires_at,
                "person": person(user),
            }
        )


class Logout(Door):
    tag = "people"
    scope = "read"
    any_seat = True

    @told("logout", "Make the token that is sent void", status=204, problems=(401,))
    def post(self, request: Request) -> Response:
        if isinstance(request.auth, Token):
            request.auth.delete()
        else:
            session_logout(request._request)
        return Response(status=204)


class Me(Door):
    tag = "people"
    any_seat = True

    @told("me", "Who you are, and your settings", MeOut, problems=(401,))
    def get(self, request: Request) -> Response:
        return Response(me(request.user))

    @told(
        "me_change",
        "Change your settings, all or none of those given",
        MeOut,
        request=MeIn,
        problems=(401, 403, 409, 415, 422),
    )
    def patch(self, request: Request) -> Response:
        needs_admin(request)
        given = self.body(request, MeIn)
        with transaction.atomic():
            user = personal.settings_change(user=request.user, changes=_as_words(given))
            if given.get("vacation") is not None:
                user = personal.vacation_set(user=user, **given["vacation"])
            elif "vacation" in given and personal.vacations(user):
                user = personal.vacation_end(user=user)
        return Response(me(user))


def _as_words(given: dict[str, Any]) -> dict[str, str]:
    """As the service takes them: the way people write them."""
    words = {}
    for key, value in given.items():
        if isinstance(value, bool):
            words[key] = "on" if value else "off"
        elif isinstance(value, list):
            words[key] = " ".join(value) or "none"
        elif key != "vacation":
            words[key] = "none" if value in (None, "") else str(value)
    return words


def me(user: Any) -> dict[str, Any]:
    return person(user) | {
        "settings": {
            "zone": user.zone,
            "quiet": user.quiet or None,
            "days_off": [DAYS[int(day)] for day in user.days_off],
            "digest_hour": user.digest_hour,
            "reminders": user.reminders,
            "acks": user.acks,
            "subjects": user.subjects,
            "vacations": [{"first": first, "last": last} for first, last in personal.vacations(user)],
            "vacation_days_left": personal.days_left(user, personal.today(user).year),
        }
    }


def needs_admin(request: Request) -> None:
    """For an address whose reading is open to lesser tokens."""
    if isinstance(request.auth, Token) and request.auth.scope != Token.Scope.ADMIN:
        raise Problem("forbidden", f"This token is for {request.auth.scope}; this needs one for admin.")


class Password(Door):
    tag = "people"
    scope = "admin"
    throttle_scope = "sign-in"

    @told(
        "password_change",
        "Choose a new password; all other tokens and sessions end",
        status=204,
        request=forms.PasswordIn,
        problems=(401, 403, 409, 415, 422),
    )
    def post(self, request: Request) -> Response:
        people.password_change(user=request.user, **self.body(request, forms.PasswordIn))
        held = request.auth.pk if isinstance(request.auth, Token) else None
        _own(request).exclude(pk=held).delete()
        return Response(status=204)


class Addresses(Door):
    """From where a person may order by mail."""

    tag = "people"
    scope = "admin"

    @told("addresses_list", "Your mail addresses, the main one first", shapes.AddressesOut, problems=(401, 403))
    def get(self, request: Request) -> Response:
        return Response({"addresses": mailboxes.listed(request.user)})

    @told(
        "addresses_add",
        "Add a further address; a mail sent there asks to prove it",
        shapes.AddressesOut,
        request=shapes.AddressIn,
        status=201,
        problems=(401, 403, 409, 415),
    )
    def post(self, request: Request) -> Response:
        given = self.body(request, shapes.AddressIn)
        mailboxes.address_add(user=request.user, email=given["email"])
        return Response({"addresses": mailboxes.listed(request.user)}, status=201)


class OneAddress(Door):
    tag = "people"
    scope = "admin"

    @told("addresses_drop", "Drop an address; the last proved one stays", status=204, problems=(401, 403, 404))
    def delete(self, request: Request, email: str) -> Response:
        if "\0" in email:  # which no database takes
            raise Problem("not-found", "That is not one of your addresses.")
        mailboxes.address_drop(user=request.user, email=email)
        return Response(status=204)


class Tokens(Door):
    """Tokens for programs, made and withdrawn by the person."""

    tag = "people"
    scope = "admin"

    @told("tokens_list", "Your tokens, without their secrets", shapes.TokensOut, problems=(401, 403))
    def get(self, request: Request) -> Response:
        rows = _own(request).order_by("number")
        return Response({"tokens": [token_data(row) for row in rows]})

    @told(
        "tokens_create",
        "Make a token: for looking, for playing, for everything, or for one seat",
        shapes.TokenMadeOut,
        request=shapes.TokenIn,
        status=201,
        problems=(401, 403, 404, 409, 415, 422),
    )
    def post(self, request: Request) -> Response:
        given = self.body(request, shapes.TokenIn)
        token, secret = token_make_for_seat(user=request.user, **given)
        return Response(token_data(token) | {"token": secret}, status=201)


class OneToken(Door):
    tag = "people"
    scope = "admin"

    @told("tokens_withdraw", "Make a token void", status=204, problems=(401, 403, 404, 409, 422))
    def delete(self, request: Request, number: int) -> Response:
        if not _own(request).filter(number=number).delete()[0]:
            raise Problem("not-found", f"You have no token {number}.")
        return Response(status=204)


def _own(request: Request) -> QuerySet[Token]:
    user: Any = request.user
    return Token.objects.filter(user=user)


def token_data(token: Token) -> dict[str, Any]:
    return {
        "number": token.number,
        "name": token.name,
        "scope": token.scope,
        "match": token.match,
        "seat": token.seat or None,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "used_at": token.used_at,
    }

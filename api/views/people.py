"""Accounts and signing in."""

from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate, get_user_model
from django.contrib.auth import logout as session_logout
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api import shapes
from api.base import Door
from api.describe import told
from api.errors import Problem
from api.models import Token
from api.tokens import token_make

User = get_user_model()


class Register(Door):
    tag = "people"
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "sign-in"

    @told("register", "Make an account", shapes.PersonOut, request=shapes.RegisterIn, status=201, problems=(403, 409))
    def post(self, request: Request) -> Response:
        if not settings.OPEN_REGISTRATION:
            raise Problem("registration-closed", "This server makes no new accounts; ask who runs it.")
        given = self.body(request, shapes.RegisterIn)
        return Response(person(_register(**given)), status=201)


def _register(*, username: str, email: str, password: str) -> Any:
    if User.objects.filter(Q(username__iexact=username) | Q(email__iexact=email)).exists():
        raise Problem("taken", "That name or that address is in use; sign in, or choose another.")
    try:
        validate_password(password, User(username=username, email=email))
    except ValidationError as error:
        raise serializers.ValidationError({"password": error.messages}) from None
    try:
        with transaction.atomic():
            return User.objects.create_user(username=username, email=email, password=password)
    except IntegrityError:
        raise Problem("taken", "That name or that address is in use; sign in, or choose another.") from None


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

    @told("login", "Get a token", shapes.LoginOut, request=shapes.LoginIn, problems=(401, 409))
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

    @told("me", "Who you are", shapes.PersonOut, problems=(401,))
    def get(self, request: Request) -> Response:
        return Response(person(request.user))

"""What every view of the API shares: whose match, which seat, versions, and answers that can be repeated."""

import functools
import re
from collections.abc import Callable
from typing import Any, TypeVar

from django.db import transaction
from django.http import HttpResponse, HttpResponseNotModified, QueryDict
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.errors import CONTENT_TYPE, Problem
from api.wire import encode
from games.ledger import selectors, services

Handler = TypeVar("Handler", bound=Callable[..., Any])
SPECTATOR = "spectator"
KEPT_HEADERS = ("ETag", "Location")
_KEY = re.compile(r"[!-~]{1,200}")
_VERSION = re.compile(r'"?(-?[0-9]{1,9})"?')


class Door(APIView):
    """A view that reads its input through a serializer and refuses in one form."""

    def finalize_response(  # type: ignore[override]
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        done: HttpResponseBase = super().finalize_response(request, response, *args, **kwargs)  # type: ignore[arg-type]
        done.headers.setdefault("Cache-Control", "private, no-cache")
        return done

    def body(self, request: Request, shape: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The JSON object that was sent, checked."""
        data = {} if isinstance(request.data, QueryDict) else request.data
        return _checked(shape(data=data))

    def query(self, request: Request, shape: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The query parameters, checked."""
        return _checked(shape(data=request.query_params.dict()))

    def base(self, request: Request) -> int | None:
        """The version named in If-Match; None when there is none or `*`."""
        raw = request.headers.get("If-Match", "").strip()
        if raw in ("", "*"):
            return None
        found = _VERSION.fullmatch(raw)
        if found is None:
            raise Problem("bad-request", 'If-Match should be one version in quotes, such as "12".')
        return int(found[1])


def _checked(serializer: serializers.Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


class MatchDoor(Door):
    """A view of one match, which the person may at least watch."""

    match: Any = None
    seen_id: int | None = None  # a match the person may see, for the version in refusals

    def find(self, request: Request, match_id: int) -> Any:
        self.match = selectors.match_get(match_id, request.user)
        self.seen_id = match_id
        return self.match

    def held_seat(self, request: Request, match_id: int) -> str:
        """As `own_seat`, for what changes the match and needs nothing else of it."""
        seat = selectors.seat_held(match_id, request.user)
        if seat is None:
            return self.own_seat(request, match_id)
        self.seen_id = match_id
        return seat

    def own_seat(self, request: Request, match_id: int) -> str:
        """The person's seat of the match; watching is not enough."""
        seat = selectors.seat_of(self.find(request, match_id), request.user)
        if seat is None:
            raise Problem("not-your-seat", f"You have no seat in match {match_id}.")
        return seat

    def looking_as(self, request: Request, wanted: str) -> str | None:
        """The seat whose eyes are used: one's own, or a spectator's. None is a spectator."""
        own = selectors.seat_of(self.match, request.user)
        if wanted in ("", own):
            return own
        if wanted == SPECTATOR:
            return None
        selectors.seat_get(self.match, wanted)
        raise Problem("not-your-seat", f"The seat {wanted} of match {self.match.pk} is not yours.")

    def shown(self, request: Request, seq: int) -> None:
        """Remember what was looked at: a take-back may no longer be free."""
        own = selectors.seat_of(self.match, request.user)
        if seq > selectors.seen_by(self.match, own):
            services.saw(match_id=self.match.pk, seat=own, seq=seq)


def tagged(version: int, data: Any, status: int = 200) -> Response:
    """An answer that carries the version it belongs to."""
    return Response(data, status=status, headers={"ETag": f'"{version}"'})


def unchanged(request: Request, tag: str) -> HttpResponse | None:
    """304 when the client has this very answer already."""
    held = [part.strip().removeprefix("W/") for part in request.headers.get("If-None-Match", "").split(",")]
    if tag not in held:
        return None
    response = HttpResponseNotModified()
    response.headers["ETag"] = tag
    return response


def once(handler: Handler) -> Handler:
    """With an Idempotency-Key the effect happens once, and a repeated request gets the same bytes.

    The answer is saved in the transaction of the effect: there is never one without the other.
    """

    @functools.wraps(handler)
    def wrapper(self: Door, request: Request, *args: Any, **kwargs: Any) -> Any:
        key = request.headers.get("Idempotency-Key")
        if key is None:
            return handler(self, request, *args, **kwargs)
        if not _KEY.fullmatch(key):
            raise Problem("bad-request", "An Idempotency-Key is 1 to 200 visible ASCII characters.")
        wanted = services.request_hash(
            request.method or "",
            request.get_full_path(),
            request.headers.get("If-Match", ""),
            request.headers.get("Content-Type", ""),
            request.body,
        )
        with transaction.atomic():
            saved = services.answer_claim(user=request.user, key=key, wanted=wanted)
            if saved is not None:
                return _bytes(saved.status, bytes(saved.body), saved.headers)
            response = _run(self, handler, request, *args, **kwargs)
            body = encode(response.data) if response.data is not None else b""
            kind = CONTENT_TYPE if response.status_code >= 400 else "application/json"
            headers = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
            headers["Content-Type"] = kind
            services.answer_save(user=request.user, key=key, status=response.status_code, body=body, headers=headers)
            return _bytes(response.status_code, body, headers)

    return wrapper  # type: ignore[return-value]


def _run(view: Door, handler: Callable[..., Any], request: Request, *args: Any, **kwargs: Any) -> Response:
    """The answer or the refusal; only our own failures undo the claim on the key."""
    try:
        with transaction.atomic():
            response: Response = handler(view, request, *args, **kwargs)
            return response
    except Exception as error:
        refusal: Response = view.handle_exception(error)
        if refusal.status_code >= 500:
            raise
        return refusal


def _bytes(status: int, body: bytes, headers: dict[str, str]) -> HttpResponse:
    return HttpResponse(body, status=status, headers=headers)

"""What every view of the API shares: whose match, which seat, versions, and answers that can be repeated."""

import functools
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import transaction
from django.http import HttpResponse, HttpResponseNotModified, QueryDict
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.errors import CONTENT_TYPE, Problem
from api.strict import must_fit
from api.wire import encode
from games.kernel.errors import GameError
from games.ledger import selectors, services

Handler = TypeVar("Handler", bound=Callable[..., Any])
SPECTATOR = "spectator"
KEPT_HEADERS = ("ETag", "Location")
JSON = "application/json"
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

    def perform_authentication(self, request: Request) -> None:
        if request.method not in SAFE_METHODS:
            _ = request.body  # kept before the check of a session reads the stream
        super().perform_authentication(request)

    def body(self, request: Request, shape: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The JSON object that was sent, checked."""
        data = {} if isinstance(request.data, QueryDict) else request.data
        must_fit(_checker(shape), data)
        return _checked(shape, data)

    def query(self, request: Request, shape: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The query parameters, checked."""
        plain = request.query_params.dict()
        must_fit(_checker(shape), plain, in_words=True)
        return _checked(shape, plain)

    def base(self, request: Request) -> int | None:
        """The version named in If-Match; None when there is none or `*`."""
        raw = request.headers.get("If-Match", "").strip()
        if raw in ("", "*"):
            return None
        found = _VERSION.fullmatch(raw)
        if found is None:
            raise Problem("bad-request", 'If-Match should be one version in quotes, such as "12".')
        return int(found[1])


def _checked(shape: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    if data is None:
        raise serializers.ValidationError({"non_field_errors": ["No data provided"]})
    return dict(_checker(shape).run_validation(data))


@functools.cache
def _checker(shape: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """One serializer for all requests: it holds nothing of any of them, and making its fields is dear."""
    return shape()


class MatchDoor(Door):
    """A view of one match, which the person may at least watch."""

    match: Any = None
    seen_id: int | None = None  # a match the person may see, for the version in refusals

    def find(self, request: Request, match_id: int) -> Any:
        self.match = selectors.match_get(match_id, request.user)
        self.seen_id = match_id
        return self.match

    @contextmanager
    def seated(self, request: Request, match_id: int) -> Iterator[None]:
        """For services that find the person's seat themselves: only a refusal looks who is asking, and what of it
        they may know."""
        try:
            yield
        except (GameError, Problem):
            self.own_seat(request, match_id)
            raise

    def own_seat(self, request: Request, match_id: int) -> str:
        """The person's seat of the match; watching is not enough."""
        seat = selectors.seat_of(self.find(request, match_id), request.user)
        if seat is None:
            raise Problem("not-your-seat", f"You have no seat in match {match_id}.")
        return seat

    def looking_as(self, request: Request, wanted: str) -> str | None:
        """The seat whose eyes are used: one's own, a spectator's, at the end anybody's. None is a spectator."""
        own = selectors.seat_of(self.match, request.user)
        if wanted in ("", own):
            return own
        if wanted == SPECTATOR:
            return None
        selectors.seat_get(self.match, wanted)
        if self.match.status == "over":
            return wanted  # the seed is out: nothing is hidden any more
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
        _must_be_whole(request)
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
        mine: dict[str, Any] = {"user": request.user, "key": key}
        try:
            with services.Whole():
                saved = services.answer_find(**mine)
                if saved is None:
                    given = _kept(handler(self, request, *args, **kwargs))
                    saved = services.answer_save(**mine, wanted=wanted, **given)
        except Exception as error:
            refusal = self.handle_exception(error)
            if refusal.status_code >= 500:
                raise  # our own failure does not use the key up
            with transaction.atomic():
                saved = services.answer_find(**mine) or services.answer_save(**mine, wanted=wanted, **_kept(refusal))
        services.answer_must_fit(saved, wanted)
        return HttpResponse(bytes(saved.body), status=saved.status, headers=saved.headers)

    return wrapper  # type: ignore[return-value]


def _kept(response: Any) -> dict[str, Any]:
    """What is kept of an answer."""
    headers = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
    headers["Content-Type"] = CONTENT_TYPE if response.status_code >= 400 else JSON
    if isinstance(response, Response):
        body = encode(response.data) if response.data is not None else b""
    else:
        body = response.content
    return {"status": response.status_code, "body": body, "headers": headers}


def _must_be_whole(request: Request) -> None:
    """A line that broke in the middle of a request must not use its key up, nor act on half of it."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if length.isascii() and length.isdigit() and len(request.body) < int(length):
        raise Problem("bad-request", "The request broke off before its end.")

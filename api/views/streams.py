"""Events as they happen: server-sent events or JSON lines, taken up again after any event without loss."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from rest_framework.request import Request
from rest_framework.response import Response

from api import shapes
from api.base import MatchDoor
from api.describe import TEXT, told
from api.errors import Problem
from api.hub import hub, in_thread
from api.models import Token
from api.views.play import LOOK_PROBLEMS
from api.wire import encode
from games.kernel.errors import GameError
from games.ledger import selectors, services

BATCH = 200
KINDS = {"sse": "text/event-stream", "ndjson": "application/x-ndjson"}
DONE = ("over", "cancelled")
MOST_STREAMS_WAIT = 3000  # milliseconds after which a browser comes again


class Listener:
    """Who listens, as whom, and what they have already."""

    def __init__(self, request: Request, form: str) -> None:
        self.user: Any = request.user
        self.token = request.auth.pk if isinstance(request.auth, Token) else None
        self.form = form
        self.live = isinstance(request._request, ASGIRequest)  # else what there is, and the client comes again

    def still_welcome(self) -> bool:
        return self.token is None or Token.objects.filter(pk=self.token).exists()

    def event(self, name: str, ident: str, data: Any) -> bytes:
        body = encode(data)
        if self.form == "ndjson":
            return encode({"event": name, "id": ident, "data": data}) + b"\n"
        line = f"id: {ident}\n" if ident else ""  # an empty one would make the client forget where it was
        return f"{line}event: {name}\ndata: ".encode() + body + b"\n\n"

    def at_once(self, events: Iterable[bytes]) -> HttpResponse:
        """For a server without async: what there is now; the client comes again for more."""
        return HttpResponse(self.hello() + b"".join(events), content_type=KINDS[self.form])

    def hello(self) -> bytes:
        return b"\n" if self.form == "ndjson" else b"retry: %d\n\n" % MOST_STREAMS_WAIT

    def heartbeat(self) -> bytes:
        return b"\n" if self.form == "ndjson" else b": still here\n\n"


class MatchStreamDoor(MatchDoor):
    tag = "streams"

    @told(
        "matches_stream",
        "Ledger entries as they are made; the id of an event is the entry's number",
        TEXT,
        query=shapes.StreamQuery,
        media="text/event-stream",
        resumes=True,
        problems=LOOK_PROBLEMS,
    )
    def get(self, request: Request, match_id: int) -> Response | HttpResponse:
        wanted = self.query(request, shapes.StreamQuery)
        match = self.find(request, match_id)
        seat = self.looking_as(request, wanted["seat"])
        last = request.headers.get("Last-Event-ID", "").strip()
        if last and not (last.isascii() and last.isdigit() and len(last) < 10):
            raise Problem("bad-request", "Last-Event-ID should be the number of the last entry you have.")
        after = int(last) if last else wanted["after"]
        if match.status in DONE and after >= match.head_seq:
            return Response(status=204)
        listener = Listener(request, wanted["form"])
        if not listener.live:
            return listener.at_once(_entry_events(listener, match_id, *_entries(listener, match_id, seat, after)))
        request._request.stream = match_events(listener, match_id, seat, after), listener.form  # type: ignore[attr-defined]
        return Response(None)


async def match_events(who: Listener, match_id: int, seat: str | None, after: int) -> AsyncIterator[bytes]:
    yield who.hello()
    with hub().watch(("match", match_id)) as bell:
        while True:
            bell.clear()
            rows, ended = await in_thread(_entries, who, match_id, seat, after)
            after = rows[-1]["seq"] if rows else after
            for part in _entry_events(who, match_id, rows, ended):
                yield part
            if ended:
                return
            if len(rows) == BATCH:
                continue
            try:
                await asyncio.wait_for(bell.wait(), settings.STREAM_HEARTBEAT_SECONDS)
            except TimeoutError:
                yield who.heartbeat()


def _entry_events(who: Listener, match_id: int, rows: list[dict[str, Any]], ended: bool) -> Iterator[bytes]:
    last = -1
    for row in rows:
        last = row["seq"]
        yield who.event("entry", str(last), row)
    if ended:
        yield who.event("end", str(last) if rows else "", {"match": match_id})


def _entries(who: Listener, match_id: int, seat: str | None, after: int) -> tuple[list[dict[str, Any]], bool]:
    """The next entries, and whether there will be no more: the match is over, or one may look no longer."""
    try:
        match = selectors.match_get(match_id, who.user)
    except GameError:
        return [], True
    if not who.still_welcome():
        return [], True
    rows = selectors.entries(match, seat, after=after, most=BATCH)
    if rows:
        own = selectors.seat_of(match, who.user)
        services.saw(match_id=match_id, seat=own, seq=rows[-1]["seq"])
        after = rows[-1]["seq"]
    return rows, match.status in DONE and after >= match.head_seq


class AllStreamDoor(MatchDoor):
    tag = "streams"

    @told(
        "stream",
        "All your matches: an event when one has moved, saying whether you are asked",
        TEXT,
        query=shapes.AllStreamQuery,
        media="text/event-stream",
        resumes=True,
        problems=(401, 403),
    )
    def get(self, request: Request) -> Response | HttpResponse:
        wanted = self.query(request, shapes.AllStreamQuery)
        listener = Listener(request, wanted["form"])
        known = _vector(request.headers.get("Last-Event-ID", "").strip())
        if not listener.live:
            return listener.at_once(_match_events(listener, known, _moved(listener, known)[0]))
        request._request.stream = all_events(listener, known), listener.form  # type: ignore[attr-defined]
        return Response(None)


def _vector(text: str) -> dict[int, tuple[int, str]]:
    """`12.40.p,13.-1.o`: which version and status of each match the client has seen."""
    names = {"o": "open", "p": "playing", "v": "over", "c": "cancelled"}
    try:
        parts = [part.split(".") for part in text.split(",") if part]
        return {int(match): (int(version), names[status]) for match, version, status in parts}
    except (ValueError, KeyError):
        raise Problem("bad-request", "Last-Event-ID should be the id of an event of this stream.") from None


def _ident(known: dict[int, tuple[int, str]]) -> str:
    letters = {"open": "o", "playing": "p", "over": "v", "cancelled": "c"}
    return ",".join(f"{match}.{version}.{letters[status]}" for match, (version, status) in sorted(known.items()))


async def all_events(who: Listener, known: dict[int, tuple[int, str]]) -> AsyncIterator[bytes]:
    yield who.hello()
    with hub().watch(("user", who.user.pk)) as bell:
        while True:
            bell.clear()
            moved, heads = await in_thread(_moved, who, known)
            if heads is None:
                return
            known = {match: head for match, head in known.items() if match in heads}
            for part in _match_events(who, known, moved):
                yield part
            try:
                await asyncio.wait_for(bell.wait(), settings.STREAM_HEARTBEAT_SECONDS)
            except TimeoutError:
                yield who.heartbeat()


def _match_events(who: Listener, known: dict[int, tuple[int, str]], moved: list[dict[str, Any]]) -> Iterator[bytes]:
    for data in moved:
        known[data["match"]] = (data["version"], data["status"])
        yield who.event("match", _ident(known), data)


def _moved(
    who: Listener, known: dict[int, tuple[int, str]]
) -> tuple[list[dict[str, Any]], dict[int, tuple[int, str]] | None]:
    if not who.still_welcome():
        return [], None
    heads = selectors.heads_of([who.user.pk]).get(who.user.pk, {})
    moved = sorted(match for match, head in heads.items() if known.get(match) != head)
    return [selectors.brief(selectors.match_get(match, who.user), who.user) for match in moved], heads


def _stream(door: type[MatchDoor]) -> Any:
    """An async view around the checks of an ordinary one."""
    checked = door.as_view()

    def check(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        answer = checked(request, **kwargs)
        if hasattr(answer, "render"):
            answer.render()
        if hasattr(request, "stream"):
            connections.close_all()  # a stream that waits must not hold a connection
        return answer

    @csrf_exempt
    async def view(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        answer = await sync_to_async(check)(request, **kwargs)
        events, form = getattr(request, "stream", (None, ""))
        if events is None:
            return answer
        response = StreamingHttpResponse(events, content_type=KINDS[form])
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        return response

    view.cls, view.initkwargs = door, {}  # type: ignore[attr-defined]  # for the schema
    return view


match_stream = _stream(MatchStreamDoor)
all_stream = _stream(AllStreamDoor)

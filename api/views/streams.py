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
from api.tokens import active_people, valid_tokens
from api.views.play import LOOK_PROBLEMS
from api.wire import encode
from games.kernel.errors import GameError
from games.ledger import selectors, services, talk

BATCH = 200
LUMP = 16_384  # bytes handed over at once: a reader who does not read holds no more than a page and this
KINDS = {"sse": "text/event-stream", "ndjson": "application/x-ndjson"}
DONE = ("over", "cancelled")
ALL_AT_ONCE = 1000  # tokens checked by one query
BEAT = 0.2  # seconds in which the streams that have just sent a heartbeat gather to be checked
MOST_STREAMS_WAIT = 3000  # milliseconds after which a browser comes again
PageKey = tuple[int, str | None, str | None, int, int]  # match, listener's seat, seat looked as, after, last message


def event(form: str, name: str, ident: str, data: Any) -> bytes:
    if form == "ndjson":
        return encode({"event": name, "id": ident, "data": data}) + b"\n"
    line = f"id: {ident}\n" if ident else ""  # an empty one would make the client forget where it was
    return f"{line}event: {name}\ndata: ".encode() + encode(data) + b"\n\n"


class Listener:
    """Who listens, as whom, and in which form."""

    def __init__(self, request: Request, form: str) -> None:
        self.user: Any = request.user
        self.token: str | None = request.auth.pk if isinstance(request.auth, Token) else None
        self.form = form
        self.live = isinstance(request._request, ASGIRequest)  # else what there is, and the client comes again

    def at_once(self, events: Iterable[bytes]) -> HttpResponse:
        """For a server without async: what there is now; the client comes again for more."""
        return HttpResponse(self.hello() + b"".join(events), content_type=KINDS[self.form])

    async def still_welcome(self, patience: float = 0) -> bool:
        return await hub().ask(_welcome, (self.token, self.user.pk), patience=patience, most=ALL_AT_ONCE)

    def hello(self) -> bytes:
        return b"\n" if self.form == "ndjson" else b"retry: %d\n\n" % MOST_STREAMS_WAIT

    def heartbeat(self) -> bytes:
        return b"\n" if self.form == "ndjson" else b": still here\n\n"


def _welcome(asked: list[tuple[str | None, int]]) -> dict[tuple[str | None, int], bool]:
    """Whose token or account is still good, in one look for all who ask."""
    tokens = valid_tokens(token for token, _ in asked if token is not None)
    people = set(active_people(user for token, user in asked if token is None))
    return {(token, user): token in tokens if token is not None else user in people for token, user in asked}


async def quiet(bell: asyncio.Event) -> bool:
    """Wait for the bell; True when it is time for a heartbeat. All streams beat together, and are checked as one."""
    span = settings.STREAM_HEARTBEAT_SECONDS
    try:
        async with asyncio.timeout(span - asyncio.get_running_loop().time() % span):
            await bell.wait()
    except TimeoutError:
        return True
    return False


class Page:
    """The next entries for all who look with the same eyes from the same place; encoded once for each form."""

    def __init__(
        self,
        match: Any,
        seat: str | None,
        rows: list[dict[str, Any]],
        after: int,
        said: list[dict[str, Any]],
        talk: int,
    ) -> None:
        self.match, self.rows, self.said = match, rows, said
        self.last = rows[-1]["seq"] if rows else after
        self.talk = said[-1]["number"] if said else talk
        self.head = (match.head_seq, match.status)
        self.ended = match.status in DONE and self.last >= match.head_seq
        self.asked = seat if not self.ended and self.last == match.head_seq and seat in match.owed else None
        self._lumps: dict[str, list[bytes]] = {}

    def lumps(self, form: str) -> list[bytes]:
        if form not in self._lumps:
            lumps = [b""]
            for row in self.rows:
                lumps[-1] += event(form, "entry", str(row["seq"]), row)
                if len(lumps[-1]) > LUMP:
                    lumps.append(b"")
            lumps += [event(form, "message", "", row) for row in self.said]
            self._lumps[form] = [lump for lump in lumps if lump]
        return self._lumps[form]

    def decision(self, form: str) -> bytes:
        """`Your decision`: of the present and not of the past, so it has no id and comes again after a cut."""
        number, seat = self.match.pk, self.asked
        data = {"match": number, "seat": seat, "version": self.head[0], "url": f"/api/v1/matches/{number}/decision"}
        return event(form, "decision", "", data)

    def end(self, form: str) -> bytes:
        return event(form, "end", str(self.last) if self.rows else "", {"match": self.match.pk})


def _pages(keys: list[PageKey]) -> dict[PageKey, Page | None]:
    return {key: _page(*key) for key in keys}


def _page(match_id: int, own: str | None, seat: str | None, after: int, said: int) -> Page | None:
    try:
        match = selectors.match_get(match_id)
    except GameError:
        return None
    found = selectors.entries(match, seat, after=after, most=BATCH)
    rows = [row for row in found if row["seq"] <= match.head_seq]  # later ones belong to a later look
    if rows:
        services.saw(match_id=match_id, seat=own, seq=rows[-1]["seq"])
    words = talk.said(match, after=said) if own is not None and own == seat else []
    return Page(match, seat, rows, after, words, said)


class MatchStreamDoor(MatchDoor):
    tag = "streams"

    @told(
        "matches_stream",
        "Ledger entries as they are made, `decision` when you are asked, `message` when somebody speaks",
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
        heard = talk.latest(match_id) if wanted["talk"] is None else wanted["talk"]
        key = (match_id, selectors.seat_of(match, request.user), seat, after, heard)
        if not listener.live:
            return listener.at_once(_parts(_page(*key), listener.form))
        request._request.stream = match_events(listener, *key), listener.form  # type: ignore[attr-defined]
        return Response(None)


def _parts(page: Page | None, form: str, told: int | None = None) -> Iterator[bytes]:
    """All that a page has to say to somebody who was last told of the decision at version `told`."""
    if page is None:
        return
    yield from page.lumps(form)
    if page.asked is not None and page.head[0] != told:
        yield page.decision(form)
    if page.ended:
        yield page.end(form)


async def match_events(
    who: Listener, match_id: int, own: str | None, seat: str | None, after: int, heard: int
) -> AsyncIterator[bytes]:
    yield who.hello()
    told: int | None = None
    with hub().watch(("match", match_id)) as bell:
        while True:
            bell.clear()
            welcome, page = await asyncio.gather(
                who.still_welcome(), hub().ask(_pages, (match_id, own, seat, after, heard))
            )
            if not welcome or page is None or not selectors.may_see(page.match, who.user):
                yield event(who.form, "end", "", {"match": match_id})
                return
            hub().note(("match", match_id), page.head)
            for part in _parts(page, who.form, told):
                yield part
            after, heard, told = page.last, page.talk, page.head[0] if page.asked else told
            if page.ended:
                return
            full = len(page.rows) == BATCH
            page = None  # a stream that waits holds nothing
            while not full and await quiet(bell):
                yield who.heartbeat()
                if not await who.still_welcome(patience=BEAT):
                    break


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
        while await who.still_welcome():
            bell.clear()
            moved, heads = await in_thread(_moved, who, known)
            hub().note(("user", who.user.pk), heads)
            known = {match: head for match, head in known.items() if match in heads}
            for part in _match_events(who, known, moved):
                yield part
            while await quiet(bell):
                yield who.heartbeat()
                if not await who.still_welcome(patience=BEAT):
                    break


def _match_events(who: Listener, known: dict[int, tuple[int, str]], moved: list[dict[str, Any]]) -> Iterator[bytes]:
    for data in moved:
        known[data["match"]] = (data["version"], data["status"])
        yield event(who.form, "match", _ident(known), data)


def _moved(who: Listener, known: dict[int, tuple[int, str]]) -> tuple[list[dict[str, Any]], dict[int, tuple[int, str]]]:
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

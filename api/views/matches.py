"""Opening, finding and joining matches."""

from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from rest_framework.request import Request
from rest_framework.response import Response

from api import shapes
from api.base import Door, MatchDoor, tagged
from api.describe import told
from api.wire import LinesParser
from games.ledger import selectors, services
from games.ledger.export import match_import


class Matches(Door):
    tag = "matches"

    @told(
        "matches_list",
        "Matches: yours, open ones, or all public ones",
        shapes.MatchesOut,
        query=shapes.MatchesQuery,
        problems=(401, 403),
    )
    def get(self, request: Request) -> Response:
        wanted = self.query(request, shapes.MatchesQuery)
        cut = {name: wanted.pop(name) for name in ("limit", "offset", "before", "after")}
        only_asked = wanted.pop("asked")
        rows = selectors.matches_for(request.user, **wanted)
        if only_asked:
            rows = selectors.asking(rows, request.user)
        page, newer, older = selectors.page_of(rows, **cut)
        kept = wanted | {"asked": "true" if only_asked else "", "limit": cut["limit"]}
        return Response(
            {
                "count": rows.count(),
                "next": _page(request, kept, before=page[-1].pk) if older else None,
                "previous": _page(request, kept, after=page[0].pk) if newer else None,
                "results": [selectors.summary(row, request.user) for row in page],
            }
        )

    @told(
        "matches_create",
        "Open a match; it starts when every seat is filled",
        shapes.MatchFullOut,
        request=shapes.MatchIn,
        status=201,
        problems=(401, 403, 409, 415, 422),
    )
    def post(self, request: Request) -> Response:
        match = services.match_create(user=request.user, **self.body(request, shapes.MatchIn))
        return made(request, match.pk)


def _page(request: Request, wanted: dict[str, Any], **cursor: int) -> str:
    """A page next to this one, named by an id: what is opened meanwhile moves nothing."""
    kept = {key: value for key, value in {**wanted, **cursor}.items() if value not in ("", None)}
    dates = {key: value.isoformat() for key, value in kept.items() if isinstance(value, datetime)}
    return f"{request.path}?{urlencode({**kept, **dates})}"


def full(request: Request, match: Any) -> dict[str, Any]:
    """A match as its own page shows it."""
    data = selectors.summary(match, request.user) | {"take_back": selectors.take_back_request(match)}
    if match.private:
        data["invitation"] = services.invitation(match)
    return data


def made(request: Request, match_id: int) -> Response:
    match = selectors.match_get(match_id, request.user)
    response = tagged(match.head_seq, full(request, match), 201)
    response.headers["Location"] = f"/api/v1/matches/{match_id}"
    return response


class Import(Door):
    tag = "matches"
    parser_classes = (LinesParser,)

    @told(
        "matches_import",
        "Bring in a finished match from its file, checked line by line",
        shapes.MatchFullOut,
        request={"application/x-ndjson": str},
        status=201,
        problems=(401, 403, 413, 415, 422),
    )
    def post(self, request: Request) -> Response:
        text = request.data if isinstance(request.data, str) else ""
        return made(request, match_import(user=request.user, text=text).pk)


class OneMatch(MatchDoor):
    tag = "matches"

    @told("matches_get", "One match", shapes.MatchFullOut, problems=(401, 403, 404))
    def get(self, request: Request, match_id: int) -> Response:
        match = self.find(request, match_id)
        return tagged(match.head_seq, full(request, match))


class Join(MatchDoor):
    tag = "matches"

    @told(
        "matches_join",
        "Take an empty seat",
        shapes.MatchFullOut,
        request=shapes.JoinIn,
        versioned=True,
        problems=(401, 403, 404, 409, 412, 415, 422),
    )
    def post(self, request: Request, match_id: int) -> Response:
        given = self.body(request, shapes.JoinIn)
        if not services.invitation_fits(match_id, given.pop("invitation")):
            self.find(request, match_id)
        services.match_join(user=request.user, match_id=match_id, base=self.base(request), **given)
        match = self.find(request, match_id)
        return tagged(match.head_seq, full(request, match))


class Cancel(MatchDoor):
    tag = "matches"
    whole_person = True

    @told(
        "matches_cancel",
        "Withdraw a match that has not started",
        shapes.MatchFullOut,
        versioned=True,
        problems=(401, 403, 404, 409, 412, 422),
    )
    def post(self, request: Request, match_id: int) -> Response:
        self.find(request, match_id)
        services.match_cancel(user=request.user, match_id=match_id, base=self.base(request))
        match = self.find(request, match_id)
        return tagged(match.head_seq, full(request, match))


class Resign(MatchDoor):
    tag = "play"

    @told(
        "matches_resign",
        "Give the match up",
        shapes.MatchFullOut,
        versioned=True,
        problems=(401, 403, 404, 409, 412, 422),
    )
    def post(self, request: Request, match_id: int) -> Response:
        seat = self.own_seat(request, match_id)
        services.seat_resign(match_id=match_id, seat=seat, user=request.user, base=self.base(request))
        match = self.find(request, match_id)
        return tagged(match.head_seq, full(request, match))

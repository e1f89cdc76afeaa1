"""Opening, finding and joining matches."""

from typing import Any
from urllib.parse import urlencode

from rest_framework.request import Request
from rest_framework.response import Response

from api import shapes
from api.base import Door, MatchDoor, once, tagged
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
        rows = selectors.matches_for(
            request.user, scope=wanted["scope"], status=wanted["status"], ruleset=wanted["ruleset"]
        )
        start, most = wanted["offset"], wanted["limit"]
        count = rows.count()
        return Response(
            {
                "count": count,
                "next": _page(request, wanted, start + most) if start + most < count else None,
                "previous": _page(request, wanted, max(0, start - most)) if start else None,
                "results": [selectors.summary(row, request.user) for row in rows[start : start + most]],
            }
        )

    @told(
        "matches_create",
        "Open a match; it starts when every seat is filled",
        shapes.MatchFullOut,
        request=shapes.MatchIn,
        status=201,
        write=True,
        problems=(401, 403, 409, 415, 422),
    )
    @once
    def post(self, request: Request) -> Response:
        match = services.match_create(user=request.user, **self.body(request, shapes.MatchIn))
        return _made(request, match.pk)


def _page(request: Request, wanted: dict[str, Any], offset: int) -> str:
    kept = {key: value for key, value in {**wanted, "offset": offset}.items() if value not in ("", None)}
    return f"{request.path}?{urlencode(kept)}"


def full(request: Request, match: Any) -> dict[str, Any]:
    """A match as its own page shows it."""
    data = selectors.summary(match, request.user) | {"take_back": selectors.take_back_request(match)}
    if match.private:
        data["invitation"] = services.invitation(match)
    return data


def _made(request: Request, match_id: int) -> Response:
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
        write=True,
        problems=(401, 403, 413, 415, 422),
    )
    @once
    def post(self, request: Request) -> Response:
        text = request.data if isinstance(request.data, str) else ""
        return _made(request, match_import(user=request.user, text=text).pk)


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
        write=True,
        versioned=True,
        problems=(401, 403, 404, 409, 412, 415, 422),
    )
    @once
    def post(self, request: Request, match_id: int) -> Response:
        given = self.body(request, shapes.JoinIn)
        if not services.invitation_fits(match_id, given.pop("invitation")):
            self.find(request, match_id)
        services.match_join(user=request.user, match_id=match_id, base=self.base(request), **given)
        match = self.find(request, match_id)
        return tagged(match.head_seq, full(request, match))


class Cancel(MatchDoor):
    tag = "matches"

    @told(
        "matches_cancel",
        "Withdraw a match that has not started",
        shapes.MatchFullOut,
        write=True,
        versioned=True,
        problems=(401, 403, 404, 409, 412, 422),
    )
    @once
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
        write=True,
        versioned=True,
        problems=(401, 403, 404, 409, 412, 422),
    )
    @once
    def post(self, request: Request, match_id: int) -> Response:
        seat = self.own_seat(request, match_id)
        services.seat_resign(match_id=match_id, seat=seat, user=request.user, base=self.base(request))
        match = self.find(request, match_id)
        return tagged(match.head_seq, full(request, match))

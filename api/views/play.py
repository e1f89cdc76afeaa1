"""Looking at the table, giving orders, taking back."""

from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from api import shapes
from api.base import MatchDoor, tagged, unchanged
from api.describe import told
from api.errors import problem_response
from games.ledger import selectors, services

WRITE_PROBLEMS = (401, 403, 404, 409, 412, 415, 422)
LOOK_PROBLEMS = (401, 403, 404, 409)


class SeatView(MatchDoor):
    tag = "play"

    @told(
        "matches_view",
        "All that your seat may know, now or after an entry",
        shapes.ViewOut,
        query=shapes.ViewQuery,
        caches=True,
        problems=LOOK_PROBLEMS,
    )
    def get(self, request: Request, match_id: int) -> HttpResponse:
        wanted = self.query(request, shapes.ViewQuery)
        match = self.find(request, match_id)
        seat = self.looking_as(request, wanted["seat"])
        at = match.head_seq if wanted["at"] is None else wanted["at"]
        view = selectors.view(match, seat, at)
        self.shown(request, at)
        same = unchanged(request, f'"{match.head_seq}"')
        data = {"match": match.pk, "version": match.head_seq, "at": at, "seat": seat, "view": view}
        return same or tagged(match.head_seq, data)


class Decision(MatchDoor):
    tag = "play"

    @told(
        "matches_decision",
        "What you are asked, with every legal action",
        shapes.DecisionOut,
        query=shapes.DecisionQuery,
        caches=True,
        problems=LOOK_PROBLEMS,
    )
    def get(self, request: Request, match_id: int) -> HttpResponse:
        wanted = self.query(request, shapes.DecisionQuery)
        seat = self.own_seat(request, match_id)
        match = self.match
        self.shown(request, match.head_seq)
        same = unchanged(request, f'"{match.head_seq}"')
        if same is not None:
            return same
        asked = selectors.asked(
            match, seat, verb=wanted["verb"], prefix=wanted["prefix"], start=wanted["offset"], most=wanted["limit"],
            group=wanted["group"],
        )  # fmt: skip
        return tagged(asked.version, asked)


class Orders(MatchDoor):
    tag = "play"

    @told(
        "matches_orders",
        "Give orders: a text, or a list of texts and actions, applied in turn",
        shapes.OrdersOut,
        request=shapes.OrdersIn,
        versioned=True,
        problems=WRITE_PROBLEMS,
    )
    def post(self, request: Request, match_id: int) -> Response:
        given = self.body(request, shapes.OrdersIn)
        with self.seated(request, match_id):
            result = services.orders_submit(match_id=match_id, user=request.user, base=self.base(request), **given)
        if result.refused and result.applied == 0 and not given["dry_run"]:
            line = result.refused
            return problem_response(
                line.get("code") or "illegal-action",
                line["why"],
                rule=line.get("rule"),
                nearest=line.get("nearest"),
                version=result.version,
                lines=result.lines,
            )
        return tagged(result.version, result)


class Entries(MatchDoor):
    tag = "play"

    @told(
        "matches_entries",
        "The ledger, as your seat may read it",
        shapes.EntriesOut,
        query=shapes.EntriesQuery,
        caches=True,
        problems=LOOK_PROBLEMS,
    )
    def get(self, request: Request, match_id: int) -> HttpResponse:
        wanted = self.query(request, shapes.EntriesQuery)
        match = self.find(request, match_id)
        seat = self.looking_as(request, wanted["seat"])
        rows = selectors.entries(match, seat, after=wanted["after"], most=wanted["limit"])
        if rows:
            self.shown(request, rows[-1]["seq"])
        same = unchanged(request, f'"{match.head_seq}"')
        return same or tagged(match.head_seq, {"version": match.head_seq, "entries": rows})


class TakeBack(MatchDoor):
    tag = "play"

    @told(
        "matches_take_back",
        "Take back your last entries: at once if nobody learned anything, else by asking",
        shapes.TakeBackOut,
        request=shapes.TakeBackIn,
        versioned=True,
        problems=WRITE_PROBLEMS,
    )
    def post(self, request: Request, match_id: int) -> Response:
        given = self.body(request, shapes.TakeBackIn)
        seat = self.own_seat(request, match_id)
        result = services.take_back(match_id=match_id, seat=seat, user=request.user, base=self.base(request), **given)
        return tagged(result["version"], result)


class TakeBackAnswer(MatchDoor):
    tag = "play"

    @told(
        "matches_take_back_answer",
        "Agree to a take-back that another seat asks for, or not",
        shapes.TakeBackOut,
        request=shapes.TakeBackAnswerIn,
        versioned=True,
        problems=WRITE_PROBLEMS,
    )
    def post(self, request: Request, match_id: int) -> Response:
        given = self.body(request, shapes.TakeBackAnswerIn)
        seat = self.own_seat(request, match_id)
        result = services.take_back_answer(
            match_id=match_id, seat=seat, user=request.user, base=self.base(request), **given
        )
        return tagged(result["version"], result)


class StandingOrders(MatchDoor):
    tag = "play"

    @told("standing_orders_list", "Your standing orders", shapes.StandingListOut, problems=LOOK_PROBLEMS)
    def get(self, request: Request, match_id: int) -> Response:
        seat = self.own_seat(request, match_id)
        return self._listed(match_id, seat)

    @told(
        "standing_orders_set",
        "Arm an order that answers for you while you are away",
        shapes.StandingListOut,
        request=shapes.StandingIn,
        status=201,
        versioned=True,
        problems=WRITE_PROBLEMS,
    )
    def post(self, request: Request, match_id: int) -> Response:
        given = self.body(request, shapes.StandingIn)
        seat = self.own_seat(request, match_id)
        services.standing_set(match_id=match_id, seat=seat, user=request.user, base=self.base(request), **given)
        self.find(request, match_id)
        return self._listed(match_id, seat, 201)

    def _listed(self, match_id: int, seat: str, status: int = 200) -> Response:
        match = self.match
        data: dict[str, Any] = {
            "version": match.head_seq,
            "standing_orders": selectors.standing_orders(match, seat),
        }
        return tagged(match.head_seq, data, status)


class Rehearsal(MatchDoor):
    tag = "play"

    @told(
        "standing_orders_rehearse",
        "What a standing order would have done in this match so far; nothing is armed",
        shapes.RehearsalOut,
        query=shapes.RehearsalQuery,
        problems=(*LOOK_PROBLEMS, 422),
    )
    def get(self, request: Request, match_id: int) -> Response:
        wanted = self.query(request, shapes.RehearsalQuery)
        seat = self.own_seat(request, match_id)
        return tagged(self.match.head_seq, selectors.standing_rehearsal(self.match, seat, wanted["text"]))


class OneStandingOrder(MatchDoor):
    tag = "play"

    @told(
        "standing_orders_withdraw",
        "Withdraw a standing order",
        status=204,
        versioned=True,
        problems=(401, 403, 404, 409, 412, 422),
    )
    def delete(self, request: Request, match_id: int, number: int) -> Response:
        seat = self.own_seat(request, match_id)
        services.standing_withdraw(
            match_id=match_id, seat=seat, user=request.user, number=number, base=self.base(request)
        )
        return Response(status=204)

"""Around a match: who is invited, who sits where, when it starts, and the next one."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from api import shapes
from api import shapes_lobby as forms
from api.base import Door, MatchDoor, tagged
from api.describe import told
from api.views.matches import full, made
from games.ledger import invitations, lobby, selectors

LOBBY_PROBLEMS = (401, 403, 404, 409, 412, 415, 422)


class Invite(MatchDoor):
    tag = "matches"
    whole_person = True

    @told(
        "matches_invite",
        "Invite somebody to a seat, by name or by mail address",
        forms.InvitationOut,
        request=forms.InviteIn,
        status=201,
        versioned=True,
        problems=LOBBY_PROBLEMS,
    )
    def post(self, request: Request, match_id: int) -> Response:
        given = self.body(request, forms.InviteIn)
        self.find(request, match_id)
        row = invitations.invite(user=request.user, match_id=match_id, base=self.base(request), **given)
        return Response(invitations.told(row, request.user), status=201)


class Invitations(Door):
    tag = "matches"

    @told("invitations_list", "Invitations you sent and received", forms.InvitationsOut, problems=(401, 403))
    def get(self, request: Request) -> Response:
        rows = invitations.for_user(request.user)[:200]
        return Response({"invitations": [invitations.told(row, request.user) for row in rows]})


class OneInvitation(Door):
    tag = "matches"

    @told("invitations_get", "One invitation", forms.InvitationOut, problems=(401, 403, 404))
    def get(self, request: Request, number: int) -> Response:
        return Response(invitations.told(invitations.found(request.user, number), request.user))

    @told(
        "invitations_cancel",
        "Withdraw an invitation that you sent",
        forms.InvitationOut,
        problems=(401, 403, 404, 409, 422),
    )
    def delete(self, request: Request, number: int) -> Response:
        row = invitations.invitation_cancel(user=request.user, number=number)
        return Response(invitations.told(row, request.user))


class Accept(Door):
    tag = "matches"

    @told(
        "invitations_accept",
        "Accept an invitation and take the seat",
        forms.InvitationOut,
        problems=(401, 403, 404, 409, 422),
    )
    def post(self, request: Request, number: int) -> Response:
        row = invitations.invitation_answer(user=request.user, number=number, accept=True)
        return Response(invitations.told(row, request.user))


class Decline(Door):
    tag = "matches"

    @told(
        "invitations_decline",
        "Decline an invitation",
        forms.InvitationOut,
        problems=(401, 403, 404, 409, 422),
    )
    def post(self, request: Request, number: int) -> Response:
        row = invitations.invitation_answer(user=request.user, number=number, accept=False)
        return Response(invitations.told(row, request.user))


class Leave(MatchDoor):
    tag = "matches"

    @told(
        "matches_leave",
        "Give your seat back before the start",
        shapes.MatchFullOut,
        versioned=True,
        problems=LOBBY_PROBLEMS,
    )
    def post(self, request: Request, match_id: int) -> Response:
        seat = self.own_seat(request, match_id)
        before = full(request, self.match)
        match = lobby.match_leave(match_id=match_id, seat=seat, user=request.user, base=self.base(request))
        if match.private and match.owner_id != request.user.pk:
            return tagged(match.head_seq, left(before, seat))  # one may not look at it any more
        return tagged(match.head_seq, full(request, self.find(request, match_id)))


def left(before: dict[str, Any], seat: str) -> dict[str, Any]:
    """The match as it was a moment ago, without the one who has gone."""
    for row in before["seats"]:
        if row["key"] == seat:
            row.update(player=None, you=False, due_at=None)
    before.pop("invitation", None)
    return before


class Start(MatchDoor):
    tag = "matches"
    whole_person = True

    @told(
        "matches_start",
        "Start now: bots take the seats that are still empty",
        shapes.MatchFullOut,
        request=forms.StartIn,
        versioned=True,
        problems=LOBBY_PROBLEMS,
    )
    def post(self, request: Request, match_id: int) -> Response:
        given = self.body(request, forms.StartIn)
        self.find(request, match_id)
        lobby.match_start(match_id=match_id, user=request.user, base=self.base(request), **given)
        match = self.find(request, match_id)
        return tagged(match.head_seq, full(request, match))


class Rematch(MatchDoor):
    tag = "matches"
    whole_person = True

    @told(
        "matches_rematch",
        "The same again with the sides changed; people are invited, bots sit down at once",
        shapes.MatchFullOut,
        status=201,
        versioned=True,
        problems=LOBBY_PROBLEMS,
    )
    def post(self, request: Request, match_id: int) -> Response:
        seat = self.own_seat(request, match_id)
        match = lobby.match_rematch(match_id=match_id, seat=seat, user=request.user, base=self.base(request))
        return made(request, match.pk)


class Seats(MatchDoor):
    tag = "matches"

    @told("seats_list", "Who sits where, and which bots could", forms.SeatsOut, problems=(401, 403, 404))
    def get(self, request: Request, match_id: int) -> Response:
        match = self.find(request, match_id)
        data = {"version": match.head_seq, "seats": selectors.seats(match, request.user)}
        return tagged(match.head_seq, data)


class OneSeat(MatchDoor):
    tag = "matches"
    whole_person = True

    @told(
        "seats_set",
        "Put a bot into an empty seat of your match, or take it out again",
        forms.SeatsOut,
        request=forms.SeatIn,
        versioned=True,
        problems=LOBBY_PROBLEMS,
    )
    def put(self, request: Request, match_id: int, seat: str) -> Response:
        given = self.body(request, forms.SeatIn)
        self.find(request, match_id)
        lobby.seat_bot(match_id=match_id, seat=seat, user=request.user, base=self.base(request), **given)
        match = self.find(request, match_id)
        data = {"version": match.head_seq, "seats": selectors.seats(match, request.user)}
        return tagged(match.head_seq, data)

"""Words between players, and the note a player keeps."""

from rest_framework.request import Request
from rest_framework.response import Response

from api import shapes_lobby as forms
from api.base import MatchDoor, tagged
from api.describe import told
from api.views.play import WRITE_PROBLEMS
from games.ledger import services, talk


class Messages(MatchDoor):
    tag = "talk"

    @told(
        "messages_list",
        "What the players of the match have said to each other",
        forms.TalkOut,
        query=forms.TalkQuery,
        problems=(401, 403, 404),
    )
    def get(self, request: Request, match_id: int) -> Response:
        wanted = self.query(request, forms.TalkQuery)
        self.own_seat(request, match_id)
        return Response({"messages": talk.said(self.match, after=wanted["after"], most=wanted["limit"])})

    @told(
        "messages_say",
        "Say something to the other players",
        forms.SayingOut,
        request=forms.SayIn,
        status=201,
        versioned=True,
        problems=WRITE_PROBLEMS,
    )
    def post(self, request: Request, match_id: int) -> Response:
        given = self.body(request, forms.SayIn)
        seat = self.own_seat(request, match_id)
        row = talk.say(match_id=match_id, seat=seat, user=request.user, base=self.base(request), **given)
        return Response(talk.said(self.match, after=row.pk - 1, most=1)[0], status=201)


class Note(MatchDoor):
    tag = "talk"

    @told("note_get", "Your own note of the match", forms.NoteOut, problems=(401, 403, 404))
    def get(self, request: Request, match_id: int) -> Response:
        seat = self.own_seat(request, match_id)
        return self._told(seat)

    @told(
        "note_set",
        "Write your own note anew; nobody else sees it",
        forms.NoteOut,
        request=forms.NoteIn,
        versioned=True,
        problems=WRITE_PROBLEMS,
    )
    def put(self, request: Request, match_id: int) -> Response:
        given = self.body(request, forms.NoteIn)
        seat = self.own_seat(request, match_id)
        services.note_set(match_id=match_id, seat=seat, user=request.user, base=self.base(request), **given)
        return self._told(seat)

    def _told(self, seat: str) -> Response:
        version = self.match.head_seq
        return tagged(version, {"version": version, "text": talk.note(self.match, seat)})

"""Addresses of the API."""

from typing import Any

from django.urls import path, re_path, register_converter
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView
from rest_framework.permissions import AllowAny

from api.views import lobby, matches, papers, people, play, server, streams, talk, webhooks


class Number:
    """An id: at most eighteen digits, so that it fits every database."""

    regex = "[0-9]{1,18}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


register_converter(Number, "number")

OPEN: dict[str, Any] = {"permission_classes": [AllowAny], "authentication_classes": [], "throttle_classes": []}
MATCH = "v1/matches/<number:match_id>"
urlpatterns = [
    # First what programs ask for again and again: addresses are tried in turn.
    path(f"{MATCH}/orders", play.Orders.as_view()),
    path(f"{MATCH}/decision", play.Decision.as_view()),
    path(f"{MATCH}/view", play.SeatView.as_view()),
    path("v1/health", server.Health.as_view()),
    path("v1/version", server.Version.as_view()),
    path("v1/register", people.Register.as_view()),
    path("v1/login", people.Login.as_view()),
    path("v1/logout", people.Logout.as_view()),
    path("v1/me", people.Me.as_view()),
    path("v1/me/password", people.Password.as_view()),
    path("v1/me/addresses", people.Addresses.as_view()),
    path("v1/me/addresses/<str:email>", people.OneAddress.as_view()),
    path("v1/tokens", people.Tokens.as_view()),
    path("v1/tokens/<number:number>", people.OneToken.as_view()),
    path("v1/rulesets", server.Rulesets.as_view()),
    path("v1/rulesets/<slug:key>", server.OneRuleset.as_view()),
    path("v1/rulesets/<slug:key>/rules", server.Rules.as_view()),
    path("v1/rulesets/<slug:key>/board", server.BoardData.as_view()),
    path("v1/rulesets/<slug:key>/notation", server.Notation.as_view()),
    path("v1/invitations", lobby.Invitations.as_view()),
    path("v1/invitations/<number:number>", lobby.OneInvitation.as_view()),
    path("v1/invitations/<number:number>/accept", lobby.Accept.as_view()),
    path("v1/invitations/<number:number>/decline", lobby.Decline.as_view()),
    path("v1/webhooks", webhooks.Webhooks.as_view()),
    path("v1/webhooks/<number:number>", webhooks.OneWebhook.as_view()),
    path("v1/webhooks/<number:number>/rotate", webhooks.Rotate.as_view()),
    path("v1/webhooks/<number:number>/enable", webhooks.Enable.as_view()),
    path("v1/webhooks/<number:number>/test", webhooks.Test.as_view()),
    path("v1/webhooks/<number:number>/calls", webhooks.Calls.as_view()),
    path("v1/webhooks/<number:number>/calls/<number:call>/replay", webhooks.Replay.as_view()),
    path("v1/stream", streams.all_stream),
    path("v1/matches", matches.Matches.as_view()),
    path("v1/matches/import", matches.Import.as_view()),
    path(MATCH, matches.OneMatch.as_view()),
    path(f"{MATCH}/join", matches.Join.as_view()),
    path(f"{MATCH}/invite", lobby.Invite.as_view()),
    path(f"{MATCH}/leave", lobby.Leave.as_view()),
    path(f"{MATCH}/start", lobby.Start.as_view()),
    path(f"{MATCH}/rematch", lobby.Rematch.as_view()),
    path(f"{MATCH}/seats", lobby.Seats.as_view()),
    path(f"{MATCH}/seats/<slug:seat>", lobby.OneSeat.as_view()),
    path(f"{MATCH}/messages", talk.Messages.as_view()),
    path(f"{MATCH}/note", talk.Note.as_view()),
    path(f"{MATCH}/cancel", matches.Cancel.as_view()),
    path(f"{MATCH}/resign", matches.Resign.as_view()),
    path(f"{MATCH}/entries", play.Entries.as_view()),
    path(f"{MATCH}/stream", streams.match_stream),
    path(f"{MATCH}/take-back", play.TakeBack.as_view()),
    path(f"{MATCH}/take-back/answer", play.TakeBackAnswer.as_view()),
    path(f"{MATCH}/standing-orders", play.StandingOrders.as_view()),
    path(f"{MATCH}/standing-orders/rehearsal", play.Rehearsal.as_view()),
    path(f"{MATCH}/standing-orders/<number:number>", play.OneStandingOrder.as_view()),
    path(f"{MATCH}/board.svg", papers.BoardSvg.as_view()),
    path(f"{MATCH}/board.png", papers.BoardPng.as_view()),
    path(f"{MATCH}/board.txt", papers.BoardText.as_view()),
    path(f"{MATCH}/dice", papers.Dice.as_view()),
    path(f"{MATCH}/export", papers.Export.as_view()),
    path(f"{MATCH}/deliveries", papers.Deliveries.as_view()),
    path("problems/<slug:code>", server.ProblemPage.as_view()),
    path("schema/", SpectacularAPIView.as_view(renderer_classes=[OpenApiJsonRenderer], **OPEN), name="schema"),
    path("docs/", SpectacularSwaggerView.as_view(url_name="schema", **OPEN)),
    re_path(r"^[\s\S]*$", server.Nothing.as_view()),
]

"""Boards, dice, files: what is looked at and kept rather than played."""

import hashlib
from collections.abc import Callable
from typing import Any

from django.core.cache import cache
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api import shapes
from api.base import MatchDoor, tagged, unchanged
from api.describe import BYTES, TEXT, told
from api.views.play import LOOK_PROBLEMS
from games.ledger import selectors
from games.ledger.export import export_lines


class Board(MatchDoor):
    """The position as a picture or text, for the seat that looks."""

    tag = "boards"

    def drawn(
        self,
        request: Request,
        match_id: int,
        shape: type[serializers.Serializer[Any]],
        kind: str,
        draw: Callable[..., str | bytes | None],
    ) -> HttpResponse:
        wanted = self.query(request, shape)
        match = self.find(request, match_id)
        seat = self.looking_as(request, wanted.pop("seat"))
        seq = wanted.pop("at")
        selectors.text_board(match, seat, seq)  # refuses what has not started or was never an entry
        content = draw(match, seat, seq=seq, **wanted)
        self.shown(request, match.head_seq if seq is None else seq)
        tag = f'"{match.head_seq}"'
        return unchanged(request, tag) or HttpResponse(content, content_type=kind, headers={"ETag": tag})


def _png(match: Any, seat: str | None, **how: Any) -> bytes | None:
    """Kept a while: drawing takes a third of a second, and an entry never changes."""
    sides = [match.pk, match.head_seq, match.status, seat, *sorted(how.items())]
    name = "png:" + hashlib.sha256(repr(sides).encode()).hexdigest()
    found: bytes | None = cache.get(name)
    if found is None:
        found = selectors.picture_png(match, seat, **how)
        cache.set(name, found)
    return found


class BoardSvg(Board):
    @told(
        "matches_board_svg",
        "The board as SVG",
        TEXT,
        query=shapes.BoardQuery,
        caches=True,
        media="image/svg+xml",
        problems=LOOK_PROBLEMS,
    )
    def get(self, request: Request, match_id: int) -> HttpResponse:
        return self.drawn(request, match_id, shapes.BoardQuery, "image/svg+xml", selectors.picture_or_none)


class BoardPng(Board):
    @told(
        "matches_board_png",
        "The board as PNG",
        BYTES,
        query=shapes.PngQuery,
        caches=True,
        media="image/png",
        problems=LOOK_PROBLEMS,
    )
    def get(self, request: Request, match_id: int) -> HttpResponse:
        return self.drawn(request, match_id, shapes.PngQuery, "image/png", _png)


class BoardText(Board):
    @told(
        "matches_board_txt",
        "The board as plain text of 72 columns",
        TEXT,
        query=shapes.ViewQuery,
        caches=True,
        media="text/plain",
        problems=LOOK_PROBLEMS,
    )
    def get(self, request: Request, match_id: int) -> HttpResponse:
        return self.drawn(request, match_id, shapes.ViewQuery, "text/plain; charset=utf-8", selectors.text_board)


class Dice(MatchDoor):
    tag = "papers"

    @told("matches_dice", "Every face that was rolled, counted", shapes.DiceOut, problems=(401, 403, 404))
    def get(self, request: Request, match_id: int) -> Response:
        match = self.find(request, match_id)
        report = selectors.dice_report(match)
        self.shown(request, match.head_seq)
        return tagged(match.head_seq, report)


class Export(MatchDoor):
    tag = "papers"

    @told(
        "matches_export",
        "The match as one file that proves itself (JSON lines)",
        TEXT,
        media="application/x-ndjson",
        problems=(401, 403, 404),
    )
    def get(self, request: Request, match_id: int) -> HttpResponse:
        match = self.find(request, match_id)
        content = "".join(export_lines(match))
        self.shown(request, match.head_seq)
        name = f'attachment; filename="match-{match.pk}.jsonl"'
        headers = {"Content-Disposition": name, "ETag": f'"{match.head_seq}"'}
        return HttpResponse(content, content_type="application/x-ndjson", headers=headers)


class Deliveries(MatchDoor):
    tag = "papers"

    @told("matches_deliveries", "What became of each notice to you", shapes.DeliveriesOut, problems=(401, 403, 404))
    def get(self, request: Request, match_id: int) -> Response:
        match = self.find(request, match_id)
        return Response({"deliveries": selectors.deliveries(match, request.user)})

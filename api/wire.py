"""How bytes become values and values bytes: one JSON reader that refuses what no database keeps, one writer."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import IO, Any

import msgspec
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

DEEPEST = 40


class JsonParser(BaseParser):
    """Strict JSON in UTF-8: no NaN, no NUL, no lone surrogates, not nested without end."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            value = json.loads(_read(stream), parse_float=_float, parse_constant=_float)
        except RecursionError:
            raise ParseError("The JSON is nested too deeply.") from None
        except ValueError as error:
            raise ParseError(f"That is not JSON: {error}.") from None
        check_text(value)
        return value


class LinesParser(BaseParser):
    """A whole file as text: the export of a match."""

    media_type = "application/x-ndjson"

    def parse(  # type: ignore[override]
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> str:
        try:
            text: str = _read(stream).decode("utf-8")
        except UnicodeDecodeError:
            raise ParseError("The file is not UTF-8 text.") from None
        check_text(text)
        return text


def _read(stream: IO[Any]) -> bytes:
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    raw: bytes = stream.read(most + 1)
    if len(raw) > most:
        raise RequestDataTooBig
    return raw


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]} is not a number")
    return value


def check_text(value: Any, depth: int = 0) -> None:
    """Raise if any string holds what cannot be stored or sent back."""
    if depth > DEEPEST:
        raise ParseError("The JSON is nested too deeply.")
    if isinstance(value, str):
        if "\0" in value or (not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value)):
            raise ParseError("Texts must not hold NUL characters or lone surrogates.")
    elif isinstance(value, list):
        for item in value:
            check_text(item, depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            check_text(key)
            check_text(item, depth + 1)


def encode(value: Any) -> bytes:
    """The bytes of an answer: the same value always gives the same bytes."""
    return msgspec.json.encode(value, enc_hook=str)


class JsonRenderer(BaseRenderer):
    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        return b"" if data is None else encode(data)


class OneForm(BaseContentNegotiation):
    """Each address has one form of answer, so the Accept header changes nothing and is never refused."""

    def select_parser(self, request: Request, parsers: Sequence[BaseParser]) -> BaseParser | None:  # type: ignore[override]
        wanted = (request.content_type or "").split(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == wanted), None)

    def select_renderer(  # type: ignore[override]
        self, request: HttpRequest, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], str(renderers[0].media_type)

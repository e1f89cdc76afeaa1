"""What the schema says of an operation, in one line at each handler."""

from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from api import shapes
from api.errors import CONTENT_TYPE

F = TypeVar("F", bound=Callable[..., Any])
IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description='The version you were looking at, such as "12"; stale: 412.'
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="The ETag you hold; unchanged: 304."
)
LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID", str, OpenApiParameter.HEADER, description="The id of the last event you have; goes on after it."
)
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="1 to 200 visible ASCII characters. The same key and request give the same answer, byte for byte.",
)


class Schema(AutoSchema):
    """Operations named by hand, so that clients keep their method names."""

    def get_tags(self) -> list[str]:
        return [getattr(self.view, "tag", "server")]


def told(
    name: str,
    summary: str,
    answer: Any = None,
    *,
    request: Any = None,
    query: type[serializers.Serializer[Any]] | None = None,
    status: int = 200,
    write: bool = False,
    versioned: bool = False,
    caches: bool = False,
    resumes: bool = False,
    media: str = "application/json",
    problems: tuple[int, ...] = (),
) -> Callable[[F], F]:
    """One operation: its name, what goes in, what comes out, and how it may be refused."""
    responses: dict[Any, Any] = {}
    if answer is None:
        responses[status] = OpenApiResponse(description="Done; nothing to say.")
    elif media != "application/json":
        responses[(status, media)] = OpenApiResponse(answer, description=summary)
    else:
        responses[status] = OpenApiResponse(answer, description=summary)
    if caches:
        responses[304] = OpenApiResponse(description="You hold the present answer.")
    if resumes:
        responses[204] = OpenApiResponse(description="It is over and you have everything; do not come again.")
    for code in sorted({400, 429, *problems}):
        responses[(code, CONTENT_TYPE)] = OpenApiResponse(shapes.ProblemOut, description="Refused.")
    parameters: list[Any] = [query] if query else []
    parameters += [IF_MATCH] if versioned else []
    parameters += [IDEMPOTENCY_KEY] if write else []
    parameters += [IF_NONE_MATCH] if caches else []
    parameters += [LAST_EVENT_ID] if resumes else []
    return extend_schema(
        operation_id=name, summary=summary, request=request, responses=responses, parameters=parameters
    )


BYTES = OpenApiTypes.BINARY
TEXT = OpenApiTypes.STR


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """`Authorization: Token ...` in the schema."""

    target_class = "api.tokens.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        words = "`Token ` and the token that POST /api/v1/login gives."
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": words}

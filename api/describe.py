"""What the schema says of an operation, in one line at each handler."""

from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from api import shapes
from api.base import once
from api.errors import CONTENT_TYPE
from api.sealed import once_sealed
from api.shapes_lobby import EventOut

WRITES = frozenset({"post", "put", "patch", "delete"})
# Nobody is known yet, or no longer: there is no one to keep an answer for.
NOT_REPEATED = frozenset({"register", "login", "logout"})
F = TypeVar("F", bound=Callable[..., Any])
IF_MATCH = OpenApiParameter(
    "If-Match",
    {"type": "string", "pattern": r"^(\"?-?[0-9]{1,9}\"?|[*])?$"},
    OpenApiParameter.HEADER,
    description='The version you were looking at, such as "12"; stale: 412.',
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="The ETag you hold; unchanged: 304."
)
_ONE = "[0-9]{1,18}[.]-?[0-9]{1,9}[.][opvc]"  # of all matches: which version and status of each has been told
EVENT_IDS = {"matches_stream": "^[0-9]{0,9}$", "stream": f"^({_ONE}(,{_ONE})*)?$"}
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[!-~]{1,200}$"},
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
    versioned: bool = False,
    caches: bool = False,
    resumes: bool = False,
    media: str = "application/json",
    problems: tuple[int, ...] = (),
) -> Callable[[F], F]:
    """One operation: its name, what goes in, what comes out, and how it may be refused.

    Whatever changes something can be repeated safely: the handler of every write is wrapped here, so that none
    can be forgotten. An answer with a secret in it is kept sealed.
    """
    responses: dict[Any, Any] = {}
    if answer is None:
        responses[status] = OpenApiResponse(description="Done; nothing to say.")
    elif media != "application/json":
        shape = EventOut if media == "text/event-stream" else answer
        responses[(status, media)] = OpenApiResponse(shape, description=summary)
    else:
        responses[status] = OpenApiResponse(answer, description=summary)
    if caches:
        responses[304] = OpenApiResponse(description="You hold the present answer.")
    if resumes:
        responses[(status, "application/x-ndjson")] = OpenApiResponse(answer, description=summary)
        responses[204] = OpenApiResponse(description="It is over and you have everything; do not come again.")

    def decorate(handler: F) -> F:
        write = handler.__name__ in WRITES and name not in NOT_REPEATED
        parameters: list[Any] = [query] if query else []
        parameters += [IF_MATCH] if versioned else []
        parameters += [IDEMPOTENCY_KEY] if write else []
        parameters += [IF_NONE_MATCH] if caches else []
        parameters += [_last_event_id(name)] if resumes else []
        statuses = {400, 429, *problems, *((409, 422) if write else ())}
        for code in sorted(statuses):
            responses[(code, CONTENT_TYPE)] = OpenApiResponse(shapes.ProblemOut, description="Refused.")
        described = extend_schema(
            operation_id=name, summary=summary, request=request, responses=responses, parameters=parameters
        )
        return described(_repeatable(handler, answer) if write else handler)

    return decorate


def _last_event_id(name: str) -> OpenApiParameter:
    shape = {"type": "string", "pattern": EVENT_IDS.get(name, "^[!-~]{1,200}$")}
    words = "The id of the last event you have; goes on after it."
    return OpenApiParameter("Last-Event-ID", shape, OpenApiParameter.HEADER, description=words)


def _repeatable(handler: F, answer: Any) -> F:
    if hasattr(handler, "__wrapped__"):
        return handler
    fields = getattr(answer, "_declared_fields", {})
    return once_sealed(handler) if {"token", "secret"} & set(fields) else once(handler)


BYTES = OpenApiTypes.BINARY
TEXT = OpenApiTypes.STR


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """`Authorization: Token ...` in the schema."""

    target_class = "api.tokens.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        words = "`Token ` and the token that POST /api/v1/login gives."
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": words}

"""Every refusal in one form: application/problem+json of RFC 9457, with a code that programs can rely on."""

import logging
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, UnreadablePostError
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from games.kernel.errors import GameError
from games.ledger import selectors

logger = logging.getLogger(__name__)
CONTENT_TYPE = "application/problem+json"

# code: (status, title). GET /api/problems/<code> serves the same with the explanation.
CODES: dict[str, tuple[int, str, str]] = {
    "bad-request": (400, "Bad request", "The request could not be read: not JSON, or not the JSON asked for."),
    "invalid": (400, "Invalid values", "Some fields are missing or wrong; `errors` names each with its reason."),
    "not-signed-in": (401, "Not signed in", "Send `Authorization: Token ...`; POST /api/v1/login gives one."),
    "forbidden": (403, "Forbidden", "The token or the person may not do this."),
    "registration-closed": (403, "Registration closed", "This server makes no new accounts by itself."),
    "not-your-seat": (403, "Not your seat", "The seat belongs to somebody else."),
    "not-yours": (403, "Not yours", "Only the owner may do this."),
    "not-found": (404, "Not found", "There is nothing here, or nothing that you may see."),
    "no-such-seat": (404, "No such seat", "The match has no seat of that name."),
    "method-not-allowed": (405, "Method not allowed", "The address knows other methods; see the Allow header."),
    "game-error": (409, "Not possible", "The match does not allow this now."),
    "illegal-action": (409, "Not a legal action", "The order is not among the legal actions; `nearest` has some."),
    "not-your-decision": (409, "Not your decision", "Another seat must answer first."),
    "match-over": (409, "Match over", "The match has ended."),
    "not-started": (409, "Not started", "Seats are still empty."),
    "not-open": (409, "Not open", "The match can no longer be joined or cancelled."),
    "already-seated": (409, "Already seated", "One person holds one seat of a match."),
    "seat-taken": (409, "Seat taken", "The seat is not free."),
    "nothing-to-take-back": (409, "Nothing to take back", "The last entry of the match is not yours."),
    "learned": (409, "Too late to take back", "Something has been seen since, such as a roll or a card."),
    "not-over": (409, "Not over", "The match still goes on."),
    "not-asked": (409, "Not asked", "The seat owes no answer at the moment."),
    "no-clock": (409, "No clock", "The match has no clock."),
    "not-absent": (409, "Not absent", "The others can be reached, or nobody else plays."),
    "too-early": (409, "Too early", "It becomes possible later; the detail says when."),
    "stopped": (409, "Stopped for repair", "The match has been halted by its own checks."),
    "too-many": (409, "Too many", "A limit on how many of these one may have is reached."),
    "taken": (409, "Taken", "The name or the address is in use."),
    "in-progress": (409, "Being answered", "The same request is being answered right now; repeat it."),
    "stale": (412, "Stale version", "The match has moved on since the version named in If-Match."),
    "too-large": (413, "Too large", "The body is larger than this server reads."),
    "wrong-content-type": (415, "Wrong content type", "Send the content type that the operation names."),
    "unreadable": (422, "Not readable as an order", "The words do not say an order of this game."),
    "ambiguous": (422, "Ambiguous order", "The words fit two things that differ; `nearest` names them."),
    "bad-account": (422, "Not a possible account", "The name, address or password cannot be used."),
    "bad-setup": (422, "Not a possible set-up", "No game can start from these options, seats or this file."),
    "nobody": (422, "Nobody of that name", "There is no person of that name; a mail address would do."),
    "bad-setting": (422, "Not a possible setting", "The value cannot be kept; the detail says what can."),
    "bad-webhook": (422, "Not a possible webhook", "The address or the topics cannot be used."),
    "idempotency-mismatch": (422, "Key used before", "The Idempotency-Key was used for another request."),
    "too-fast": (429, "Too many requests", "Wait as many seconds as the Retry-After header says."),
    "server-error": (500, "Server error", "Our fault; it has been logged."),
    "busy": (503, "Busy", "The database did not answer in time; repeat the request."),
}


class Problem(exceptions.APIException):
    """A refusal of the door itself, by code."""

    def __init__(self, code: str, text: str, **extra: Any) -> None:
        self.status_code = CODES[code][0]
        super().__init__(text, code)
        self.problem_code, self.text, self.extra = code, text, extra


def problem(code: str, text: str, **extra: Any) -> dict[str, Any]:
    """The body of a refusal; empty members are left out."""
    status, title, _ = CODES.get(code, CODES["game-error"])
    body = {"type": f"/api/problems/{code}", "title": title, "status": status, "code": code, "detail": text}
    return body | {key: value for key, value in extra.items() if value not in ("", None, [], (), {})}


def problem_response(code: str, text: str, headers: Mapping[str, str] | None = None, **extra: Any) -> Response:
    body = problem(code, text, **extra)
    response = Response(body, status=body["status"], headers=dict(headers or {}), content_type=CONTENT_TYPE)
    if isinstance(body.get("version"), int):
        response.headers["ETag"] = f'"{body["version"]}"'
    return response


def problem_handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """The one place where exceptions of the API become answers."""
    view = context.get("view")
    if isinstance(error, GameError):
        extra: dict[str, Any] = {"rule": error.rule, "nearest": list(error.nearest), **error.facts}
        extra.setdefault("version", _version(view))
        return problem_response(error.code, error.text, **extra)
    if isinstance(error, Problem):
        error.extra.setdefault("version", _version(view))
        return problem_response(error.problem_code, error.text, **error.extra)
    if isinstance(error, exceptions.ValidationError):
        return _invalid(error)
    code, text, headers = _plain(error, context.get("request"))
    return problem_response(code, text, headers)


def _version(view: Any) -> int | None:
    """The present version of the match that the view is about, once it has been found that one may see it."""
    match_id = getattr(view, "seen_id", None)
    return selectors.version_of(match_id) if match_id is not None else None


def _plain(error: Exception, request: Request | None) -> tuple[str, str, dict[str, str]]:
    if isinstance(error, exceptions.NotAuthenticated | exceptions.AuthenticationFailed):
        return "not-signed-in", str(error.detail), {"WWW-Authenticate": "Token"}
    if isinstance(error, exceptions.PermissionDenied | PermissionDenied):
        return "forbidden", str(error) or "You may not do this.", {}
    if isinstance(error, exceptions.NotFound | Http404):
        return "not-found", f"There is nothing at {_path(request)}.", {}
    if isinstance(error, exceptions.MethodNotAllowed):
        return "method-not-allowed", f"{_path(request)} does not know this method.", {}
    if isinstance(error, exceptions.UnsupportedMediaType):
        return "wrong-content-type", "Send Content-Type: application/json, or what the operation names.", {}
    if isinstance(error, exceptions.Throttled):
        wait = max(1, int(getattr(error, "wait", None) or 1) + 1)
        return "too-fast", f"Too many requests; try again in {wait} seconds.", {"Retry-After": str(wait)}
    if isinstance(error, RequestDataTooBig):
        return "too-large", "The body is larger than 8 MB.", {}
    if isinstance(error, exceptions.ParseError | SuspiciousOperation | UnreadablePostError | UnicodeError):
        return "bad-request", f"The request could not be read: {_first_line(error)}", {}
    if isinstance(error, OperationalError):
        logger.exception("database did not answer")
        return "busy", "The database is busy; repeat the request.", {"Retry-After": "1"}
    logger.error("unexpected error in the API", exc_info=error)
    return "server-error", "Something broke on our side and has been logged.", {}


def _path(request: Request | None) -> str:
    return request.path[:200] if request is not None else "this address"


def _first_line(error: Exception) -> str:
    detail = getattr(error, "detail", error)
    text = str(detail).splitlines()[0][:300] if str(detail) else "malformed."
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _invalid(error: exceptions.ValidationError) -> Response:
    found = list(_fields("", error.detail))
    text = "; ".join(f"{item['field']}: {item['detail']}" if item["field"] else item["detail"] for item in found[:3])
    return problem_response("invalid", text or "Some values are wrong.", errors=found[:50])


def _fields(path: str, detail: Any) -> Any:
    if isinstance(detail, dict):
        for key, value in detail.items():
            name = "" if key == "non_field_errors" else str(key)
            yield from _fields(".".join(part for part in (path, name) if part), value)
    elif isinstance(detail, list):
        for value in detail:
            yield from _fields(path, value)
    else:
        yield {"field": path, "detail": str(detail)}

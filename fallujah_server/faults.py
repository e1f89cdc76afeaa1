"""What Django itself refuses, before any view: in the form of the API where a program asked, else its own page."""

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from api.errors import CONTENT_TYPE, problem
from api.wire import encode


def _asked_by_a_program(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")


def _told(code: str, text: str) -> HttpResponse:
    body = problem(code, text)
    return HttpResponse(encode(body), status=body["status"], content_type=CONTENT_TYPE)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A host that is not ours, a malformed or a suspicious request."""
    if _asked_by_a_program(request):
        return _told("bad-request", "The request cannot be served: its host, address or headers are not possible here.")
    return defaults.bad_request(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _asked_by_a_program(request):
        return _told("not-found", "There is nothing at this address.")
    return defaults.page_not_found(request, exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _asked_by_a_program(request):
        return _told("forbidden", "You may not do this.")
    return defaults.permission_denied(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    if _asked_by_a_program(request):
        return _told("server-error", "Something broke on our side and has been logged.")
    return defaults.server_error(request)

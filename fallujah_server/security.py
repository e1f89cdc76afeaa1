"""Headers that hold for every answer."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

_COMMON = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
STRICT = f"{_COMMON}; script-src 'none'; form-action 'self'"
# The interactive API pages are the only ones with script, all of it served from here.
DOCS = f"{_COMMON}; script-src 'self' 'unsafe-inline'; worker-src 'self' blob:"


class ContentSecurityMiddleware:
    """Pages need no script and load nothing from elsewhere."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        policy = DOCS if request.path.startswith("/api/docs") else STRICT
        response.headers.setdefault("Content-Security-Policy", policy)
        return response

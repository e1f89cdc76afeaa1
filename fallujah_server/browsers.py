"""Sessions, cookies, CSRF and static files are for browsers; programs that send a token go straight to the API."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string

Handler = Callable[[HttpRequest], Any]


class BrowserMiddleware:
    """The chain of settings.BROWSER_MIDDLEWARE, passed by requests of programs."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response
        self.view_hooks: list[Callable[..., HttpResponse | None]] = []
        chain = get_response
        for name in reversed(settings.BROWSER_MIDDLEWARE):
            link = import_string(name)(chain)
            if hasattr(link, "process_view"):
                self.view_hooks.insert(0, link.process_view)
            chain = convert_exception_to_response(link)
        self.chain = chain

    def __call__(self, request: HttpRequest) -> Any:
        if not of_program(request):
            return self.chain(request)
        request.get_host()  # a foreign Host header is refused, as CommonMiddleware does for browsers
        response = self.get_response(request)
        response.headers.setdefault("X-Frame-Options", settings.X_FRAME_OPTIONS)
        if not response.streaming and "Content-Length" not in response.headers:
            response.headers["Content-Length"] = str(len(response.content))
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if not of_program(request):
            for hook in self.view_hooks:
                answer = hook(request, view, args, kwargs)
                if answer is not None:
                    return answer
        return None


def of_program(request: HttpRequest) -> bool:
    """Whether a request of the API carries a token, which then alone says who sends it."""
    return request.path_info.startswith("/api/") and request.META.get("HTTP_AUTHORIZATION", "")[:7].lower().startswith(
        ("token ", "bearer ")
    )

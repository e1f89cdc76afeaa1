"""Webhooks on a page: add one, try it, see every attempt, send a call again."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from games.kernel.errors import GameError
from games.ledger import webhooks

SHOWN_CALLS = 20


@login_required
def index(request: HttpRequest) -> HttpResponse:
    """All webhooks of the person; posting an address adds one and shows its secret, this once."""
    fresh, status = None, 200
    if request.method == "POST":
        try:
            hook = webhooks.webhook_create(
                user=request.user, url=request.POST.get("url", "").strip(), topics=request.POST.getlist("topics")
            )
            fresh = {"number": hook.number, "secret": webhooks.secret(hook)}
        except GameError as error:
            messages.error(request, error.text)
            status = 400
    return _page(request, fresh, status)


def _page(request: HttpRequest, fresh: dict[str, Any] | None = None, status: int = 200) -> HttpResponse:
    hooks = [{"hook": hook, "calls": webhooks.log(hook, SHOWN_CALLS)} for hook in webhooks.listed(request.user)]
    context = {
        "hooks": hooks,
        "topics": webhooks.TOPICS,
        "fresh": fresh,
        "posted": request.POST if status > 200 else {},
    }
    response = render(request, "web/webhooks.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"  # it may hold a secret
    return response


def _changing(change: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A button of one webhook: a refusal is said on the page, somebody else's webhook is not there."""

    @login_required
    @require_POST
    def view(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            return change(request, **kwargs)
        except GameError as error:
            if error.code == "not-found":
                raise Http404(error.text) from None
            messages.error(request, error.text)
            return redirect("web:webhooks")

    return view


@_changing
def rotate(request: HttpRequest, number: int) -> HttpResponse:
    hook = webhooks.webhook_rotate(user=request.user, number=number)
    return _page(request, {"number": hook.number, "secret": webhooks.secret(hook)})


@_changing
def test(request: HttpRequest, number: int) -> HttpResponse:
    webhooks.webhook_test(user=request.user, number=number)
    messages.success(request, f"A test call of webhook {number} is on its way; look again in a moment.")
    return redirect("web:webhooks")


@_changing
def replay(request: HttpRequest, number: int, call: int) -> HttpResponse:
    webhooks.webhook_replay(user=request.user, number=number, call=call)
    messages.success(request, f"Call {call} is sent again under its old id.")
    return redirect("web:webhooks")


@_changing
def enable(request: HttpRequest, number: int) -> HttpResponse:
    webhooks.webhook_enable(user=request.user, number=number)
    messages.success(request, f"Webhook {number} is called again.")
    return redirect("web:webhooks")


@_changing
def remove(request: HttpRequest, number: int) -> HttpResponse:
    webhooks.webhook_remove(user=request.user, number=number)
    messages.success(request, f"Webhook {number} is gone.")
    return redirect("web:webhooks")

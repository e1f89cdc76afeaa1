"""Signing in and out, registering, proving an address, stopping notices."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from games.kernel.errors import GameError
from games.ledger import people


def sign_in(request: HttpRequest) -> HttpResponse:
    after = request.POST.get("next") or request.GET.get("next") or ""
    if request.method == "POST":
        user: Any = authenticate(request, username=request.POST.get("name"), password=request.POST.get("password"))
        if user is not None:
            login(request, user)
            ours = url_has_allowed_host_and_scheme(after, {request.get_host()}, request.is_secure())
            return redirect(after if ours else "web:home")
        messages.error(request, "That name and password do not fit. Names are written as you registered them.")
    status = 403 if request.method == "POST" else 200
    return render(request, "web/sign_in.html", {"next": after, "name": request.POST.get("name", "")}, status=status)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("web:home")


def register(request: HttpRequest) -> HttpResponse:
    if not settings.OPEN_REGISTRATION:
        return render(request, "web/plain.html", {"title": "Registration is closed on this server."}, status=403)
    status = 200
    if request.method == "POST":
        try:
            user = people.user_register(
                username=request.POST.get("name", ""),
                email=request.POST.get("email", ""),
                password=request.POST.get("password", ""),
            )
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            messages.success(request, "Welcome. A mail is on its way to prove your address; you can play meanwhile.")
            return redirect("web:home")
        except GameError as error:
            messages.error(request, error.text)
            status = 400
    return render(request, "web/register.html", {"posted": request.POST}, status=status)


def verify(request: HttpRequest, user_id: int, token: str) -> HttpResponse:
    """A page with a button: programs that open every link in a mail change nothing."""
    if request.method != "POST":
        return _ask(request, "Is this address yours?", "Yes, send my matches to it")
    try:
        people.user_verify(user_id=user_id, token=token)
    except GameError as error:
        return render(request, "web/plain.html", {"title": error.text}, status=404)
    return render(request, "web/plain.html", {"title": "Thank you. Your matches now come by mail."})


@csrf_exempt  # mail programs post here by themselves (RFC 8058); the token in the address is the proof
def stop(request: HttpRequest, user_id: int, token: str) -> HttpResponse:
    try:
        if request.method != "POST":
            people.user_of_stop(user_id=user_id, token=token)
            return _ask(request, "Stop all notices by mail?", "Stop them")
        people.notices_stop(user_id=user_id, token=token)
    except GameError as error:
        return render(request, "web/plain.html", {"title": error.text}, status=404)
    words = "Your matches go on: look at this page now and then, or switch notices on again on the first page."
    return render(request, "web/plain.html", {"title": "You get no more notices.", "words": words})


@login_required
@require_POST
def notices(request: HttpRequest) -> HttpResponse:
    people.notices_start(user=request.user)
    messages.success(request, "Notices come by mail again.")
    return redirect("web:home")


def _ask(request: HttpRequest, title: str, button: str) -> HttpResponse:
    return render(request, "web/plain.html", {"title": title, "button": button})

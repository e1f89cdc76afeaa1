"""The first page: my matches, open matches, and a new one."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from games.kernel.errors import GameError
from games.ledger import selectors, services


def home(request: HttpRequest) -> HttpResponse:
    user = request.user if request.user.is_authenticated else None
    mine = [_card(row, user) for row in selectors.matches_for(user, scope="mine")[:100]] if user else []
    opened = [_card(row, user) for row in selectors.matches_for(user, scope="open")[:50]]
    return render(
        request,
        "web/home.html",
        {
            "waiting": [row for row in mine if row["my_turn"]],
            "others": [row for row in mine if not row["my_turn"] and row["status"] in ("open", "playing")],
            "ended": [row for row in mine if row["status"] in ("over", "cancelled")][:20],
            "opened": [row for row in opened if not any(seat["you"] for seat in row["seats"])],
            "games": selectors.rulesets(),
        },
    )


def _card(match: Any, user: Any) -> dict[str, Any]:
    row = selectors.summary(match, user)
    row["my_turn"] = any(seat["you"] and seat["key"] in row["owed"] for seat in row["seats"])
    return row


@login_required
def new_match(request: HttpRequest, ruleset: str) -> HttpResponse:
    try:
        game = selectors.ruleset(ruleset)
    except GameError as error:
        raise Http404(error.text) from None
    if request.method == "POST":
        try:
            match = services.match_create(user=request.user, **_choices(game, request))
            return redirect("web:match", match.pk)
        except GameError as error:
            messages.error(request, error.text)
    for option in game["options"]:
        given = request.POST.get(f"option.{option['key']}")
        option["chosen"] = given if given is not None else str(option["default"])
        option["offered"] = [str(choice) for choice in option["choices"]]
    return render(request, "web/new.html", {"game": game, "posted": request.POST})


def _choices(game: dict[str, Any], request: HttpRequest) -> dict[str, Any]:
    """The form as match_create wants it: option values in their own types, bots by seat."""
    options = {
        option["key"]: choice
        for option in game["options"]
        for choice in option["choices"]
        if str(choice) == request.POST.get(f"option.{option['key']}")
    }
    bots, own = {}, None
    for seat in game["seats"]:
        holder = request.POST.get(f"seat.{seat['key']}", "")
        if holder == "me":
            own = seat["key"]
        elif holder.startswith("bot:"):
            bots[seat["key"]] = holder[4:]
    if own is None and len(bots) < len(game["seats"]):
        raise GameError("Choose a seat for yourself, or a bot for each.", code="bad-setup")
    return {
        "ruleset": game["key"],
        "options": options,
        "seat": own,
        "bots": bots,
        "title": request.POST.get("title", ""),
        "private": bool(request.POST.get("private")),
        "clock_hours": _hours(request.POST.get("clock_hours", "")),
        "bank_hours": _hours(request.POST.get("bank_hours", "")) or 0,
        "salt": request.POST.get("salt", ""),
    }


def _hours(text: str) -> int | None:
    """The clock a form gives: empty for none, and what is no number for what the service refuses in words."""
    text = text.strip()
    if not text:
        return None
    return int(text) if text.isdecimal() and len(text) < 6 else 0

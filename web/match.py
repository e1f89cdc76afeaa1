"""The page of a match: for a player who may act, for a spectator, and for a link that only shows."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from games.kernel.errors import GameError
from games.ledger import export as ledger_export
from games.ledger import links, selectors, services

LOG_LINES = 60
SHOWN_MAILS = 30
THEMES = ("light", "dark")


def _get(request: HttpRequest, match_id: int) -> Any:
    try:
        return selectors.match_get(match_id, request.user)
    except GameError as error:
        raise Http404(error.text) from None


def _theme(request: HttpRequest) -> str:
    """The board's colours: chosen on the page, else what the browser says it prefers."""
    wanted = request.GET.get("theme") or request.COOKIES.get("theme") or ""
    hint = request.headers.get("Sec-CH-Prefers-Color-Scheme", "").strip('"')
    return next((theme for theme in (wanted, hint) if theme in THEMES), "light")


def page(request: HttpRequest, match_id: int) -> HttpResponse:
    match = _get(request, match_id)
    return _page(request, match, selectors.seat_of(match, request.user), may_act=True)


def linked_page(request: HttpRequest, match_id: int, token: str) -> HttpResponse:
    """The page of a seat for whoever holds the link from its mail. Nothing on it can act."""
    match, seat = _linked(match_id, token)
    response = _page(request, match, seat.key, may_act=False, token=token)
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _linked(match_id: int, token: str) -> tuple[Any, Any]:
    try:
        match = selectors.match_get(match_id)
    except GameError:
        raise Http404("This link is not valid.") from None
    seat = links.page_seat(match, token)
    if seat is None:
        raise Http404("This link is not valid any more; the newest mail has a fresh one.")
    return match, seat


def _page(
    request: HttpRequest,
    match: Any,
    seat: str | None,
    *,
    may_act: bool,
    token: str = "",
    status: int = 200,
    typed: str = "",
) -> HttpResponse:
    theme = _theme(request)
    about = selectors.summary(match, request.user if request.user.is_authenticated else None)
    seat_row = selectors.seat_get(match, seat) if seat else None
    asked = selectors.asked(match, seat) if seat else None
    request_back = selectors.take_back_request(match) if match.status == "playing" else None
    started = match.head_seq >= 0
    if started and match.status != "cancelled":
        services.saw(match_id=match.pk, seat=seat, seq=match.head_seq)
    log = selectors.entries(match, seat, match.head_seq - LOG_LINES)
    context = {
        "match": about,
        "game": selectors.ruleset(match.ruleset),
        "seat": next((row for row in about["seats"] if row["key"] == seat), None),
        "asked": asked,
        "many": asked is not None and len(asked.actions) > 12,
        "may_act": may_act and seat is not None and match.status == "playing",
        "may_join": may_act and match.status == "open" and request.user.is_authenticated and seat is None,
        "may_cancel": may_act and match.status == "open" and match.owner_id == request.user.pk,
        "free": [row for row in about["seats"] if not row["player"] and not row["bot"]],
        "turn": [row["name"] for row in about["seats"] if row["key"] in about["owed"]],
        "picture": selectors.picture_or_none(match, seat, theme=theme) if started else None,
        "board": selectors.text_board(match, seat) if started else "",
        "log": list(reversed(log)),
        "note": seat_row.note if seat_row else "",
        "standing": selectors.standing_orders(match, seat) if seat and may_act else [],
        "kept": seat_row.kept if seat_row else [],
        "back": request_back,
        "back_mine": bool(request_back and request_back["seat"] == seat),
        "mails": selectors.deliveries(match, seat_row.user)[:SHOWN_MAILS] if seat_row and seat_row.user else [],
        "typed": typed,
        "theme": theme,
        "token": token,
    }
    response = render(request, "web/match.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Accept-CH"] = "Sec-CH-Prefers-Color-Scheme"
    response.headers["Vary"] = "Cookie, Sec-CH-Prefers-Color-Scheme"
    if request.GET.get("theme") in THEMES:
        response.set_cookie("theme", theme, max_age=31_536_000, samesite="Lax")
    return response


# --- pictures and files ------------------------------------------------------------------------------------


def board_png(request: HttpRequest, match_id: int) -> HttpResponse:
    match = _get(request, match_id)
    return _png(match, selectors.seat_of(match, request.user), _theme(request))


def linked_png(request: HttpRequest, match_id: int, token: str) -> HttpResponse:
    match, seat = _linked(match_id, token)
    return _png(match, seat.key, _theme(request))


def _png(match: Any, seat: str | None, theme: str) -> HttpResponse:
    """The area of action for phones, drawn once for each entry, seat and theme."""
    key = f"png:{match.pk}:{match.head_hash}:{match.status}:{seat}:{theme}"
    png = cache.get(key)
    if png is None:
        png = selectors.picture_png(match, seat, 720, crop=True, theme=theme)
        if png is None:
            raise Http404("This match has no picture.")
        cache.set(key, png, 3600)
    return HttpResponse(png, content_type="image/png", headers={"Cache-Control": "private, max-age=60"})


def export(request: HttpRequest, match_id: int) -> HttpResponse | StreamingHttpResponse:
    match = _get(request, match_id)
    text = "".join(ledger_export.export_lines(match))
    name = f"match-{match_id}.jsonl"
    return HttpResponse(
        text, content_type="application/jsonl", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


# --- acting ------------------------------------------------------------------------------------------------


def _number(request: HttpRequest, name: str) -> int | None:
    given = request.POST.get(name, "")
    return int(given) if given.lstrip("-").isdigit() and len(given) < 10 else None


def _acting(request: HttpRequest, match_id: int, act: Callable[[str], str | None], typed: str = "") -> HttpResponse:
    """One service call for the user's own seat, then the page again; a refusal is said on the page."""
    match = _get(request, match_id)
    seat = selectors.seat_of(match, request.user)
    try:
        if seat is None:
            raise GameError("You have no seat in this match; you are looking on.", code="not-your-seat")
        said = act(seat)
        if said:
            messages.success(request, said)
    except GameError as error:
        messages.error(request, error.text)
        match = _get(request, match_id)
        status = 403 if error.code == "not-your-seat" else 409
        return _page(request, match, selectors.seat_of(match, request.user), may_act=True, status=status, typed=typed)
    return redirect("web:match", match_id)


@login_required
@require_POST
def orders(request: HttpRequest, match_id: int) -> HttpResponse:
    typed = request.POST.get("line", "").strip()
    chosen = request.POST.get("order", "")

    def act(seat: str) -> str:
        if not typed and not chosen:
            raise GameError("Choose an option or write an order.", code="unreadable")
        result = services.orders_submit(
            match_id=match_id, seat=seat, user=request.user, orders=typed or chosen, base=_number(request, "base")
        )
        for line in result.lines:
            why = f": {line['why']}" if line.get("why") else ""
            level = messages.ERROR if line["status"] in ("refused", "not read") else messages.INFO
            if why or level == messages.ERROR or line["status"] != "ok":
                messages.add_message(request, level, f"{line['text']}: {line['status']}{why}")
        if result.refused and result.applied == 0:
            raise GameError("Nothing was done.", code="refused")
        return "" if result.refused else f"Done: {'; '.join(line['text'] for line in result.lines)}"[:300]

    return _acting(request, match_id, act, typed)


@login_required
@require_POST
def join(request: HttpRequest, match_id: int) -> HttpResponse:
    _get(request, match_id)
    try:
        services.match_join(
            user=request.user,
            match_id=match_id,
            seat=request.POST.get("seat") or None,
            salt=request.POST.get("salt", ""),
        )
    except GameError as error:
        messages.error(request, error.text)
    return redirect("web:match", match_id)


@login_required
@require_POST
def cancel(request: HttpRequest, match_id: int) -> HttpResponse:
    _get(request, match_id)
    try:
        services.match_cancel(user=request.user, match_id=match_id)
    except GameError as error:
        messages.error(request, error.text)
        return redirect("web:match", match_id)
    return redirect("web:home")


@login_required
@require_POST
def take_back(request: HttpRequest, match_id: int) -> HttpResponse:
    def act(seat: str) -> str:
        done = services.take_back(
            match_id=match_id,
            seat=seat,
            user=request.user,
            count=_number(request, "count") or 1,
            reason=request.POST.get("reason", ""),
            base=_number(request, "base"),
        )
        return "Taken back." if done["granted"] else "The others have learned something since; they are asked by mail."

    return _acting(request, match_id, act)


@login_required
@require_POST
def take_back_answer(request: HttpRequest, match_id: int) -> HttpResponse:
    def act(seat: str) -> str:
        agree = request.POST.get("agree") == "yes"
        done = services.take_back_answer(match_id=match_id, seat=seat, user=request.user, agree=agree)
        return "It is taken back." if done["granted"] else "Your answer is noted."

    return _acting(request, match_id, act)


@login_required
def resign(request: HttpRequest, match_id: int) -> HttpResponse:
    match = _get(request, match_id)
    if request.method != "POST":
        title = f"Give up match {match_id}? The others win, and it cannot be taken back."
        back = {"title": title, "button": "Resign", "back": match_id}
        return render(request, "web/plain.html", back)

    def act(seat: str) -> str:
        services.seat_resign(match_id=match.pk, seat=seat, user=request.user)
        return "You have resigned."

    return _acting(request, match_id, act)


@login_required
@require_POST
def note(request: HttpRequest, match_id: int) -> HttpResponse:
    def act(seat: str) -> str:
        services.note_set(match_id=match_id, seat=seat, user=request.user, text=request.POST.get("note", ""))
        return "Noted. Only you see it, here and in your mails."

    return _acting(request, match_id, act)


@login_required
@require_POST
def standing(request: HttpRequest, match_id: int) -> HttpResponse:
    def act(seat: str) -> str:
        number = _number(request, "withdraw")
        if number is not None:
            services.standing_withdraw(match_id=match_id, seat=seat, user=request.user, number=number)
            return f"Standing order {number} is withdrawn."
        text = request.POST.get("text", "")
        order = services.standing_set(match_id=match_id, seat=seat, user=request.user, text=text)
        return f"Standing order {order.number} is armed."

    return _acting(request, match_id, act)

"""The page of a person's settings: their time, their mails, their vacation."""

from datetime import date

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from games.kernel.errors import GameError
from games.ledger import personal
from games.ledger.datewords import DAYS, read_dates

FIELDS = ("zone", "quiet", "digest_hour", "acks", "subjects")


@login_required
def page(request: HttpRequest) -> HttpResponse:
    user = request.user
    status = 200
    if request.method == "POST":
        try:
            messages.success(request, _change(request))
            return redirect("web:settings")
        except GameError as error:
            messages.error(request, error.text)
            status = 400
    context = {
        "said": personal.settings_said(user),
        "days": [(day, str(number) in user.days_off) for number, day in enumerate(DAYS)],  # type: ignore[union-attr]
        "hours": [f"{hour:02}:00" for hour in range(24)],
        "vacations": personal.vacations(user),
        "days_left": personal.days_left(user, _today(request).year),
        "days_a_year": personal.VACATION_DAYS,
    }
    return render(request, "web/settings.html", context, status=status)


def _today(request: HttpRequest) -> date:
    return personal.today(request.user)


def _change(request: HttpRequest) -> str:
    """What the button pressed asks for, and what to say about it."""
    given, user = request.POST, request.user
    if "back" in given:
        personal.vacation_end(user=user)
        return "Welcome back: your clocks run again."
    if "away" in given:
        first, last = read_dates(f"{given.get('first', '')} - {given.get('last', '')}", _today(request))
        personal.vacation_set(user=user, first=first, last=last)
        return "Your clocks stand still on these days; the others are told."
    changes = {field: given.get(field, "") for field in FIELDS}
    changes["days_off"] = " ".join(given.getlist("days_off")) or "none"
    changes["reminders"] = "on" if given.get("reminders") else "off"
    changes["wants_mail"] = "on" if given.get("wants_mail") else "off"
    personal.settings_change(user=user, changes=changes)
    return "Your settings are kept."

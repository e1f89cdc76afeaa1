"""The mails of a server without a mail host, to be read in the browser: for trying out on one's own machine."""

import email
import email.policy
import ipaddress
import re
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_sameorigin

MOST = 100
_NAME = re.compile(r"^[\w.,=:+-]{1,200}$")


def _guard(request: HttpRequest) -> None:
    """Only where it is switched on, and only from this machine; a signed-in person elsewhere sees their own."""
    if not settings.LOCAL_MAILBOX_PAGE or not getattr(settings, "MAILDIR", ""):
        raise Http404("This server has no mailbox page.")
    if not _is_local(request) and not request.user.is_authenticated:
        raise Http404("Sign in first.")


def _is_local(request: HttpRequest) -> bool:
    """From this machine itself. Behind a proxy everybody looks local, so nobody is."""
    if settings.SECURE_PROXY_SSL_HEADER or settings.SECURE_SSL or "X-Forwarded-For" in request.headers:
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def _may_read(request: HttpRequest, mail: EmailMessage) -> bool:
    if _is_local(request):
        return True
    own = getattr(request.user, "email", "").lower()
    return bool(own) and own in str(mail["To"] or "").lower()


def _files() -> list[Path]:
    folder = Path(settings.MAILDIR)  # type: ignore[misc]
    files = [path for part in ("new", "cur") for path in (folder / part).glob("*") if path.is_file()]
    return sorted(files, key=lambda path: path.name, reverse=True)


def _read(path: Path) -> EmailMessage:
    mail: Any = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    return mail  # type: ignore[no-any-return]


def _find(request: HttpRequest, name: str) -> EmailMessage:
    _guard(request)
    if not _NAME.match(name):
        raise Http404("There is no such mail.")
    for path in _files():
        if path.name == name:
            mail = _read(path)
            if _may_read(request, mail):
                return mail
    raise Http404("There is no such mail.")


def index(request: HttpRequest) -> HttpResponse:
    _guard(request)
    rows = []
    for path in _files()[:MOST]:
        mail = _read(path)
        if _may_read(request, mail):
            rows.append({"name": path.name, "subject": mail["Subject"], "to": mail["To"], "date": mail["Date"]})
    play = str(settings.DEFAULT_FROM_EMAIL).rpartition("<")[2].strip("> ")
    return render(request, "web/mailbox.html", {"mails": rows, "play": play})


def show(request: HttpRequest, name: str) -> HttpResponse:
    mail = _find(request, name)
    text = mail.get_body(("plain",))
    shown = ("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References")
    return render(
        request,
        "web/mail.html",
        {
            "name": name,
            "subject": mail["Subject"],
            "headers": [(key, mail[key]) for key in shown if mail[key]],
            "text": text.get_content() if text else "",
            "html": mail.get_body(("html",)) is not None,
            "to": mail["To"],
            "reply_to": mail["Reply-To"] or "",
        },
    )


@xframe_options_sameorigin
def html_part(request: HttpRequest, name: str) -> HttpResponse:
    """The HTML part for a sandboxed frame: no script, nothing loaded, pictures from inside the mail only."""
    mail = _find(request, name)
    part = mail.get_body(("html",))
    if part is None:
        raise Http404("This mail has no HTML part.")
    html = part.get_content()
    for piece in mail.walk():
        ident = str(piece.get("Content-ID") or "").strip("<> ")
        if ident and piece.get_content_maintype() == "image":
            data = "".join(str(piece.get_payload()).split())
            html = html.replace(f"cid:{ident}", f"data:{piece.get_content_type()};base64,{data}")
    response = HttpResponse(html)
    response.headers["Content-Security-Policy"] = (
        "sandbox allow-popups; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'"
    )
    return response

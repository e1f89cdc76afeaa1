"""A webhook that takes raw mail, the answer form of the local mailbox, and a page with one button."""

import hmac
import ipaddress
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from games.kernel.errors import GameError
from games.ledger import mailboxes
from notifications.addresses import NumberedDoor
from notifications.inbound import handle, services
from notifications.inbound.message import MOST_BYTES
from notifications.inbound.proof import Origin
from notifications.inbound.receive import receive
from notifications.models import InboundMail


@csrf_exempt  # programs post here; the shared secret is the proof
@require_POST
def inbound(request: HttpRequest) -> HttpResponse:
    """Raw RFC 5322 as the body; `Authorization: Bearer <secret>`; recipients in `X-Recipient`, if known."""
    secret = settings.MAIL_SECRET
    given = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    if not secret or not hmac.compare_digest(given.encode(), secret.encode()):
        return HttpResponse("Not allowed.\n", status=403, content_type="text/plain")
    if int(request.headers.get("Content-Length") or 0) > MOST_BYTES:
        return HttpResponse("Too large.\n", status=413, content_type="text/plain")
    recipients = [word for word in request.headers.get("X-Recipient", "").replace(",", " ").split() if "@" in word]
    row = receive(request.body, recipients[:50], Origin("inbound"))
    return HttpResponse(f"stored {row.pk}\n", status=202, content_type="text/plain")


@csrf_exempt  # programs post here; the shared secret and the service's signature are the proof
def service(request: HttpRequest, service: str) -> HttpResponse:
    """The inbound webhook of a mail service. Some ask with HEAD first whether it is there."""
    return services.take(request, service)


def confirm(request: HttpRequest, number: int, seal: str) -> HttpResponse:
    """Opening the page changes nothing; the button plays the mail that waited."""
    door = NumberedDoor("confirm", number, seal)
    first = InboundMail.objects.select_related("user").filter(pk=number, state="doubtful").first()
    if not door.fits() or first is None:
        return render(request, "notifications/page.html", {"title": "There is nothing to confirm here."}, status=404)
    if request.method != "POST":
        return render(
            request, "notifications/page.html", {"title": "Was this mail from you?", "button": "Yes, play it"}
        )
    with transaction.atomic():
        handle.confirm(first)
    return render(request, "notifications/page.html", {"title": "Thank you. The answer comes by mail."})


def address(request: HttpRequest, number: int, seal: str) -> HttpResponse:
    """Opening the page changes nothing; the button proves a further address."""
    row = mailboxes.found(number, seal)
    if row is None or row.verified_at:
        return render(request, "notifications/page.html", {"title": "There is nothing to prove here."}, status=404)
    if request.method != "POST":
        title = f"Is this address yours, {row.user.username}?"
        return render(request, "notifications/page.html", {"title": title, "button": "Yes, I play from it too"})
    try:
        mailboxes.address_prove(number=number, token=seal)
    except GameError as error:
        return render(request, "notifications/page.html", {"title": error.text}, status=404)
    return render(request, "notifications/page.html", {"title": "Thank you. Orders count from this address now."})


@require_POST
def reply(request: HttpRequest) -> HttpResponse:
    """The answer form of the local mailbox page: what is written there goes the way of any mail."""
    own = getattr(request.user, "email", "") if request.user.is_authenticated else ""
    sender, to = request.POST.get("from", "").strip(), request.POST.get("to", "").strip()
    if not settings.LOCAL_MAILBOX_PAGE or not (is_local(request) or own.lower() == sender.lower() != ""):
        return HttpResponse("Not allowed.\n", status=403, content_type="text/plain")
    mail = EmailMessage(policy=SMTP)
    try:
        mail["From"], mail["To"] = Address(addr_spec=sender), Address(addr_spec=to)
        mail["Subject"] = " ".join(request.POST.get("subject", "").split())[:200]
    except (HeaderParseError, ValueError, IndexError):
        return HttpResponse("Those are not addresses.\n", status=400, content_type="text/plain")
    mail["Message-ID"] = make_msgid(domain="mailbox.local")
    mail.set_content(request.POST.get("text", "")[:20_000])
    receive(mail.as_bytes(), [to], Origin("page"))
    return redirect("/mailbox/")


def is_local(request: HttpRequest) -> bool:
    """From this machine itself. Behind a proxy everybody looks local, so nobody is."""
    if settings.SECURE_PROXY_SSL_HEADER or settings.SECURE_SSL or "X-Forwarded-For" in request.headers:
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False

"""Inbound webhooks of mail services, by django-anymail: all of them end in `receive`.

What a service says it checked (SPF, DKIM, DMARC) is taken only where it comes beside the mail, never from the
mail's own headers, and counts only if the host names the service in FALLUJAH_MAIL_AUTHSERV.
"""

import json
import logging
import warnings
from email.generator import BytesGenerator
from email.policy import compat32, default
from importlib import import_module
from io import BytesIO
from typing import Any

from anymail.exceptions import AnymailError, AnymailNotSupportedWarning, AnymailWebhookValidationFailure
from anymail.signals import inbound
from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse

from notifications.inbound.message import MOST_BYTES, MOST_HEAD
from notifications.inbound.proof import Origin
from notifications.inbound.receive import receive

logger = logging.getLogger(__name__)
VIEWS = {
    "amazon_ses": "AmazonSESInboundWebhookView",
    "brevo": "BrevoInboundWebhookView",
    "mailersend": "MailerSendInboundWebhookView",
    "mailgun": "MailgunInboundWebhookView",
    "mailjet": "MailjetInboundWebhookView",
    "mailtrap": "MailtrapInboundWebhookView",
    "mandrill": "MandrillCombinedWebhookView",
    "postal": "PostalInboundWebhookView",
    "postmark": "PostmarkInboundWebhookView",
    "resend": "ResendInboundWebhookView",
    "sendgrid": "SendGridInboundWebhookView",
    "sparkpost": "SparkPostInboundWebhookView",
}
warnings.filterwarnings("ignore", category=AnymailNotSupportedWarning)  # nobody there can try SendGrid any more
_WIRE = default.clone(linesep="\r\n", refold_source="none", cte_type="8bit")


def take(request: HttpRequest, service: str) -> HttpResponse:
    """Hand the call to the service's reader. 4xx: do not repeat it; 5xx: try again later."""
    if service not in VIEWS or service not in settings.MAIL_SERVICES or not settings.MAIL_SECRET:
        return _says(404, "No such service here.")
    if int(request.headers.get("Content-Length") or 0) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        return _says(413, "Too large.")
    try:
        view = getattr(import_module(f"anymail.webhooks.{service}"), VIEWS[service]).as_view()
        response: HttpResponse = view(request)
        return response
    except AnymailWebhookValidationFailure:
        return _says(403, "Not allowed.")
    except Error as error:
        logger.warning("mail from %s deferred, the database is away: %s", service, error)
        return _says(503, "Try again later.")
    except ImportError as error:
        logger.error("%s cannot be used: %s", service, error)
        return _says(501, "Something this service needs is not installed.")
    except (AnymailError, KeyError, ValueError, TypeError, LookupError, AttributeError, AssertionError) as error:
        logger.warning("a call of %s could not be read: %s", service, type(error).__name__)
        return _says(400, "That is no mail.")
    except OSError as error:  # some services send only a note, and their own host is then asked for the mail
        logger.warning("%s could not be asked for a mail: %s", service, type(error).__name__)
        return _says(503, "Try again later.")


def _says(status: int, words: str) -> HttpResponse:
    return HttpResponse(f"{words}\n", status=status, content_type="text/plain")


def _arrived(event: Any, esp_name: str, **_: Any) -> None:
    if event is None or event.message is None or "@" not in str(event.message.get("From", "")):
        return  # a call that only asks whether we are there
    service = esp_name.lower().replace(" ", "_")
    raw, recipients = _raw(service, event), _recipients(service, event)
    cut = ""
    if len(raw) > MOST_BYTES:
        raw, cut = raw.partition(b"\r\n\r\n")[0][:MOST_HEAD] + b"\r\n\r\n", "it is too large"
    sent_by = event.message.envelope_sender
    origin = Origin(service, sender=None if sent_by is None else str(sent_by).strip("<> ")[:260], cut=cut)
    origin.results = _results(service, event, origin.sender or "")
    for recipient in recipients or [""]:
        receive(raw, [recipient] if recipient else [], origin)


inbound.connect(_arrived, dispatch_uid="fallujah-inbound")


def _raw(service: str, event: Any) -> bytes:
    """The bytes as they were sent, where the service gives them: signatures hold for no others."""
    told = event.esp_event
    match service:
        case "mailgun":
            given = told.POST.get("body-mime")
        case "sendgrid":
            given = told.POST.get("email")
        case "postmark":
            given = told.get("RawEmail")
        case "mailersend":
            given = told.get("data", {}).get("raw")
        case "mandrill":
            given = told.get("msg", {}).get("raw_msg")
        case _:
            given = None
    if given:
        return str(given).replace("\r\n", "\n").replace("\n", "\r\n").encode("utf-8", "surrogateescape")
    try:
        return bytes(event.message.as_bytes(policy=_WIRE))
    except Exception:  # headers that the newer policy stumbles over
        out = BytesIO()
        BytesGenerator(out, policy=compat32.clone(linesep="\r\n", cte_type="8bit")).flatten(event.message)
        return out.getvalue()


def _recipients(service: str, event: Any) -> list[str]:
    told, first = event.esp_event, event.message.envelope_recipient
    given: Any = [first] if first else []
    if service == "sendgrid":
        given = json.loads(told.POST.get("envelope") or "{}").get("to") or given
    elif service == "amazon_ses":
        given = told.get("receipt", {}).get("recipients") or given
    elif service == "mailersend":
        given = [row.get("email") for row in told.get("data", {}).get("recipients", {}).get("rcptTo", [])] or given
    elif service == "mailgun" and first:
        given = str(first).split(",")
    return [str(address).strip("<> ") for address in given if address and "@" in str(address)][:50]


def _results(service: str, event: Any, sender: str) -> str:
    """What the service checked, in the form of Authentication-Results under the service's own name."""
    told, checks = event.esp_event, []
    if service == "sendgrid":
        checks.append(_spf(told.POST.get("SPF"), sender))
        pairs = str(told.POST.get("dkim") or "").strip("{} ").split(",")
        checks += [_dkim(*pair.split(":")[:2]) for pair in pairs if pair.count(":") == 1]
    elif service == "amazon_ses":
        verdicts = {
            name: str(told.get("receipt", {}).get(f"{name}Verdict", {}).get("status", "")) for name in ("spf", "dmarc")
        }
        host = (event.message.from_email.domain or "") if hasattr(event.message.from_email, "domain") else ""
        checks.append(_spf(verdicts["spf"], sender))
        if verdicts["dmarc"].upper() == "PASS" and host:
            checks.append(f"dmarc=pass header.from={_bare(host)}")
    elif service == "mandrill":
        checks.append(_spf(told.get("msg", {}).get("spf", {}).get("result"), sender))
    kept = [check for check in checks if check]
    return "; ".join([service, *kept]) if kept else ""


def _spf(word: Any, sender: str) -> str:
    return f"spf=pass smtp.mailfrom={_bare(sender)}" if str(word or "").strip().lower() == "pass" and sender else ""


def _dkim(domain: str, word: str) -> str:
    return f"dkim=pass header.d={_bare(domain.strip(' @'))}" if word.strip().lower() == "pass" else ""


def _bare(value: str) -> str:
    return "".join(letter for letter in value if letter.isalnum() or letter in "@.-_+=")

"""Who wrote a mail, and how sure that is."""

import re
from typing import Any

from django.conf import settings

from notifications.inbound.message import Mail

SURE, DOUBTFUL, STRANGER = "sure", "doubtful", "stranger"


def judge(mail: Mail, user: Any) -> tuple[str, str]:
    """Whether this is the person's own mail, and why we think so.

    The sealed reply address was sent to that person alone; the sender must be their proved address; and where
    a receiver in front of us checks SPF, DKIM or DMARC, its verdict must be a pass for that domain.
    """
    if user is None or not mail.sender or mail.sender != user.email.lower():
        if mail.odd_sender and user is not None and user.email.lower() in mail.sender:
            return DOUBTFUL, "more than one sender"
        return STRANGER, "not the address of this seat"
    if user.email_verified_at is None:
        return STRANGER, "the address is not proved"
    if mail.odd_sender:
        return DOUBTFUL, "a sender that looks like two"
    if not settings.MAIL_AUTHSERV:
        return SURE, "sealed address and proved sender"
    return _passed(mail)


def _passed(mail: Mail) -> tuple[str, str]:
    """The topmost Authentication-Results counts, and only if our own receiver wrote it."""
    if not mail.authentication:
        return DOUBTFUL, "no authentication results"
    verdict = " ".join(mail.authentication[0].split())
    server = verdict.partition(";")[0].strip().split(" ")[0].lower()
    if server not in {name.lower() for name in settings.MAIL_AUTHSERV}:
        return DOUBTFUL, "authentication results of a server we do not know"
    domain = mail.sender.rpartition("@")[2]
    for part in verdict.split(";")[1:]:
        part = part.strip().lower()
        if part.startswith("dmarc=pass") and _aligned(part, r"header\.from=", domain):
            return SURE, "dmarc pass"
        if part.startswith("dkim=pass") and _aligned(part, r"header\.(?:d|i)=", domain):
            return SURE, "dkim pass"
        if part.startswith("spf=pass") and _aligned(part, r"(?:smtp\.mailfrom|envelope-from)=", domain):
            return SURE, "spf pass"
    return DOUBTFUL, "neither dmarc, dkim nor spf passed for this domain"


def _aligned(part: str, field: str, domain: str) -> bool:
    """The checked domain is the sender's or a parent or child of it."""
    found = re.search(field + r"\"?<?([^\s;<>\"]+)", part)
    checked = found[1].rpartition("@")[2].strip(".") if found else ""
    if checked.count(".") < 1:
        return False
    return checked == domain or domain.endswith("." + checked) or checked.endswith("." + domain)

"""Fetching mail from an IMAP mailbox: each is stored here before it is marked as seen there."""

import imaplib
import logging
import re
from urllib.parse import unquote, urlsplit

from django.conf import settings

from notifications.inbound.message import MOST_BYTES
from notifications.inbound.proof import Origin
from notifications.inbound.receive import receive

logger = logging.getLogger(__name__)
MOST_AT_ONCE = 50
TIMEOUT = 30


def poll(url: str | None = None) -> int:
    """How many mails were fetched. A mailbox that is away is tried again at the next poll."""
    url = settings.MAIL_IMAP_URL if url is None else url
    if not url:
        return 0
    parts = urlsplit(url)
    try:
        kind = imaplib.IMAP4_SSL if parts.scheme == "imaps" else imaplib.IMAP4
        port = parts.port or (993 if parts.scheme == "imaps" else 143)
        with kind(parts.hostname or "localhost", port, timeout=TIMEOUT) as box:
            box.login(unquote(parts.username or ""), unquote(parts.password or ""))
            box.select(f'"{unquote(parts.path.strip("/")) or "INBOX"}"')
            return _fetch(box)
    except (OSError, imaplib.IMAP4.error) as error:
        logger.warning("the IMAP mailbox could not be read: %s", error)
        return 0


def _fetch(box: imaplib.IMAP4) -> int:
    _, found = box.uid("SEARCH", "UNSEEN")
    numbers = (found[0] or b"").split()[:MOST_AT_ONCE]
    for number in numbers:
        uid = number.decode()
        _, sizes = box.uid("FETCH", uid, "(RFC822.SIZE)")
        size = re.search(rb"RFC822\.SIZE (\d+)", b" ".join(part for part in sizes if isinstance(part, bytes)))
        too_large = size is not None and int(size[1]) > MOST_BYTES
        _, data = box.uid("FETCH", uid, "(BODY.PEEK[HEADER])" if too_large else "(BODY.PEEK[])")
        raw = next((part[1] for part in data if isinstance(part, tuple)), b"")
        if raw:  # stored before it is marked: killed in between, it is fetched again and known again
            receive(raw, origin=Origin("imap", cut="it is too large" if too_large else ""))
        box.uid("STORE", uid, "+FLAGS", r"(\Seen)")
    return len(numbers)

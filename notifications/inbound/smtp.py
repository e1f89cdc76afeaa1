"""The built-in receiver: takes mail over SMTP and says 250 only when it is stored."""

import asyncio
import logging
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import Error, close_old_connections, transaction

from notifications import addresses
from notifications.inbound.message import MOST_BYTES
from notifications.inbound.proof import Origin
from notifications.inbound.receive import receive

logger = logging.getLogger(__name__)
MOST_RECIPIENTS = 50


class Receiver:
    """Accepts mail to our own host only: it relays nothing."""

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: Any) -> str:
        if address.rpartition("@")[2].lower() != addresses.host().lower():
            return "550 5.7.1 this server takes mail for itself only"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        origin = _origin(session, envelope)
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(None, _store, content, list(envelope.rcpt_tos), origin)
        except Error as error:
            logger.warning("mail deferred, the database is away: %s", error)
            return "451 4.3.0 try again later"
        except Exception:
            logger.exception("mail deferred by a mistake of ours")
            return "451 4.3.0 try again later"
        return "250 2.0.0 stored"


def _origin(session: Session, envelope: Envelope) -> Origin:
    """Who handed the mail in, kept beside it: nothing written in the mail can pretend to be this."""
    peer = session.peer[0] if isinstance(session.peer, tuple) else ""
    sender = "" if envelope.mail_from in (None, "", "<>") else str(envelope.mail_from)
    return Origin("smtp", str(peer)[:60], str(session.host_name or "")[:255], sender[:260])


def _store(raw: bytes, recipients: list[str], origin: Origin) -> None:
    close_old_connections()
    try:
        with transaction.atomic():  # all recipients or none: a sender that was not told 250 tries all again
            for recipient in recipients:
                receive(raw, [recipient], origin)
    finally:
        close_old_connections()


def controller(host: str, port: int) -> Controller:
    logging.getLogger("mail.log").setLevel(logging.WARNING)  # it would name every address
    return Controller(Receiver(), hostname=host, port=port, data_size_limit=MOST_BYTES, ident="Fallujah")

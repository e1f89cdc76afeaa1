"""The built-in receiver: takes mail over SMTP and says 250 only when it is stored."""

import asyncio
import logging
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import DatabaseError, close_old_connections

from notifications import addresses
from notifications.inbound.message import MOST_BYTES
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
        bounce = b"Return-Path: <>\r\n" if envelope.mail_from in (None, "", "<>") else b""
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(None, _store, bounce + content, list(envelope.rcpt_tos))
        except DatabaseError as error:
            logger.warning("mail deferred, the database is away: %s", error)
            return "451 4.3.0 try again later"
        return "250 2.0.0 stored"


def _store(raw: bytes, recipients: list[str]) -> None:
    close_old_connections()
    try:
        for recipient in recipients:
            receive(raw, [recipient])
    finally:
        close_old_connections()


def controller(host: str, port: int) -> Controller:
    logging.getLogger("mail.log").setLevel(logging.WARNING)  # it would name every address
    return Controller(Receiver(), hostname=host, port=port, data_size_limit=MOST_BYTES, ident="Fallujah")

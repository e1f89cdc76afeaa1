"""A person with a mail program: reads what the server sent, answers it."""

import itertools
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from typing import Any

from django.utils import timezone

from games.ledger.models import Outbox
from notifications.delivery import deliver
from notifications.inbound.handle import handle
from notifications.inbound.receive import receive
from notifications.models import InboundMail
from tests.notifications.conftest import Sink
from tests.notifications.helpers import text_of

_COUNT = itertools.count(1)


def letter(to: str, text: str, sender: str = "tom@example.org", **headers: str) -> bytes:
    mail = EmailMessage()
    mail["From"] = headers.pop("From", f"Somebody <{sender}>")
    mail["To"] = to
    mail["Subject"] = headers.pop("Subject", "Re: your move")
    mail["Message-ID"] = headers.pop("Message_ID", make_msgid(idstring=str(next(_COUNT)), domain="example.org"))
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    return mail.as_bytes(policy=SMTP)


def post(to: str, text: str, sender: str = "tom@example.org", **headers: str) -> InboundMail:
    """Hand a mail in and have it read, as a worker would."""
    row = receive(letter(to, text, sender, **headers), [to])
    handle(row.pk)
    row.refresh_from_db()
    return row


class Mailbox:
    """One person's mails."""

    def __init__(self, sink: Sink, address: str) -> None:
        self.sink, self.address = sink, address

    @property
    def mails(self) -> list[Any]:
        return [mail for mail in self.sink.mails if mail["To"] == self.address]

    @property
    def last(self) -> Any:
        return self.mails[-1]

    @property
    def text(self) -> str:
        return text_of(self.last)

    def reply(self, text: str, to: Any = None, *, quote: bool = True, **headers: str) -> InboundMail:
        """Answer a mail (the last one) above its quote."""
        mail = to if to is not None else self.last
        quoted = "".join(f"> {line}\n" for line in text_of(mail).splitlines()) if quote else ""
        body = f"{text}\n\nOn Tue, Mar 3, 2026 at 7:40 AM, Fallujah <play@localhost> wrote:\n{quoted}"
        row = post(
            str(mail["Reply-To"]), body, self.address,
            Subject=f"Re: {mail['Subject']}", In_Reply_To=str(mail["Message-ID"]), **headers,
        )  # fmt: skip
        deliver_waiting()
        return row


def deliver_waiting() -> None:
    """What is due, and what that brings about; what is to go later stays."""
    tried: set[int] = set()
    while True:
        due = Outbox.objects.filter(kind="mail", state="waiting", due_at__lte=timezone.now())
        rows = [pk for pk in due.order_by("pk").values_list("pk", flat=True) if pk not in tried]
        if not rows:
            return
        for row in rows:
            deliver(row)
        tried.update(rows)

"""A mail backend that keeps mails as files: a server without a mail host loses nothing and sends nothing away."""

import os
import secrets
import socket
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class MaildirBackend(BaseEmailBackend):
    """Writes to `tmp/`, then renames into `new/`: a reader never sees half a mail, writers never meet."""

    def __init__(self, fail_silently: bool = False, folder: str | Path | None = None, **kwargs: Any) -> None:
        super().__init__(fail_silently=fail_silently, **kwargs)
        self.folder = Path(folder or getattr(settings, "MAILDIR", "") or "mail")

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for name in ("tmp", "new", "cur"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        sent = 0
        for message in email_messages:
            if message.recipients():
                self._keep(message.message().as_bytes(linesep="\r\n"))  # type: ignore[call-arg]
                sent += 1
        return sent

    def _keep(self, raw: bytes) -> None:
        name = f"{time.time():.6f}.{os.getpid()}_{secrets.token_hex(8)}.{socket.gethostname().replace('/', '_')}"
        draft = self.folder / "tmp" / name
        with draft.open("xb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(self.folder / "new" / name)

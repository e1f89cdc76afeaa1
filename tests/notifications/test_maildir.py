"""Mails kept as files."""

import email
import email.policy
import multiprocessing
from pathlib import Path
from typing import Any

from django.core.mail import EmailMessage

from notifications.channels.maildir import MaildirBackend


def test_a_mail_lands_whole_in_new(tmp_path: Path) -> None:
    sent = MaildirBackend(folder=tmp_path).send_messages(
        [EmailMessage("Hello", "Text\n", "a@example.org", ["b@example.org"])]
    )
    (path,) = (tmp_path / "new").iterdir()
    mail: Any = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    assert sent == 1 and mail["Subject"] == "Hello" and mail["To"] == "b@example.org"
    assert b"\r\n" in path.read_bytes()
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_mail_to_nobody_is_not_written(tmp_path: Path) -> None:
    assert MaildirBackend(folder=tmp_path).send_messages([EmailMessage("Hello", "Text", "a@example.org", [])]) == 0


def _write(folder: str) -> None:
    backend = MaildirBackend(folder=folder)
    for number in range(50):
        backend.send_messages([EmailMessage(f"Mail {number}", "x", "a@example.org", ["b@example.org"])])


def test_several_processes_never_meet(tmp_path: Path) -> None:
    workers = [multiprocessing.get_context("fork").Process(target=_write, args=(str(tmp_path),)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    files = list((tmp_path / "new").iterdir())
    assert len(files) == 150
    assert all(b"Subject: Mail" in path.read_bytes() for path in files)

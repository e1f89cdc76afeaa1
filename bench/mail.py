"""Mail in, mail out: how fast replies are read, and how long an order waits for its acknowledgement.

    python bench/mail.py [--mails 100] [--rate 5] [--check]

Reading is measured on the corpus of replies. Then the same mails go to a bare SMTP sink that stores nothing: the
floor. Then players write orders over SMTP on loopback, at a steady rate and at last as fast as they can; two
workers read them, play them and answer over SMTP. The figures are the time from sending a mail to the arrival of
its acknowledgement, board picture included, and mails a second, each as a ratio to the sink of the same run.
Everything lives in a throw-away SQLite file.
"""

import argparse
import multiprocessing
import os
import re
import smtplib
import socket
import sys
import tempfile
import time
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import SMTP as WIRE
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
CEILING = 5.0  # seconds, 95th percentile


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def setup(port: int) -> None:
    os.environ["FALLUJAH_VAR"] = tempfile.mkdtemp(prefix="fallujah-bench-")
    os.environ["FALLUJAH_MAIL_URL"] = f"smtp://127.0.0.1:{port}"
    os.environ["FALLUJAH_MAIL_DELAY_SECONDS"] = "0"
    os.environ["FALLUJAH_LOG_LEVEL"] = "ERROR"
    os.environ["DJANGO_SETTINGS_MODULE"] = "fallujah_server.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


class Sink:
    """The players' mail host: keeps of each mail what the players need, and when it came."""

    def __init__(self) -> None:
        self.count = 0
        self.asked: dict[str, tuple[str, str]] = {}  # player -> reply address and a number printed in the mail
        self.answered: dict[str, float] = {}

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        raw = bytes(envelope.content)
        headers = BytesHeaderParser().parsebytes(raw[:4000])
        if str(headers["In-Reply-To"]).startswith("<bench."):
            self.answered[str(headers["In-Reply-To"])] = time.monotonic()
        numbers = re.findall(rb"^ \[ \] (\d+) ", raw[:20_000], re.MULTILINE)
        if numbers:
            self.asked[str(headers["To"])] = (str(headers["Reply-To"]), numbers[-1].decode())
        self.count += 1
        return "250 OK"


def reading_rate() -> float:
    from notifications.inbound import quotes
    from notifications.inbound.language import Words, WordsOf, read_blocks
    from notifications.inbound.message import read_message
    from tests.mails.corpus import VERBS, corpus, the_ballot

    words = WordsOf({None: Words(VERBS, tuple(the_ballot()))})
    raw = [mail for _, mail, _ in corpus()]
    start = time.perf_counter()
    for mail in raw:
        read_blocks(quotes.new_text(read_message(mail).text), words)
    return len(raw) / (time.perf_counter() - start)


def worker(stop: Any) -> None:
    """What a Celery worker process does, without the queue between."""
    from games.ledger import outbox
    from notifications.delivery import deliver
    from notifications.inbound import receive
    from notifications.inbound.handle import handle

    while not stop.is_set():
        rows, mails = receive.due(), outbox.due(["mail"])
        for row in rows[:4]:
            handle(row)
        for row in mails[:4]:
            deliver(row)
        if not rows and not mails:
            time.sleep(0.02)


def players(count: int) -> None:
    from django.contrib.auth import get_user_model
    from django.utils import timezone

    from games.ledger import services

    for number in range(count):
        user = get_user_model().objects.create(
            username=f"p{number}", email=f"p{number}@example.org", email_verified_at=timezone.now()
        )
        services.match_create(user=user, ruleset="card_assault")


class Bare:
    """A mail host that takes everything and keeps nothing."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        return "250 OK"


def floor(count: int) -> list[float]:
    """Seconds of each of so many mails to the bare sink, a connection each."""
    port = free_port()
    host = Controller(Bare(), hostname="127.0.0.1", port=port)
    host.start()
    spent = []
    try:
        for number in range(count):
            start = time.perf_counter()
            post(port, f"p{number}@example.org", f"x{number}@localhost", "4", number)
            spent.append(time.perf_counter() - start)
    finally:
        host.stop()
    return sorted(spent)


def at(spent: list[float], part: float) -> float:
    """The value below which that part of the sorted values lies."""
    return spent[max(0, int(len(spent) * part) - 1)] if spent else float("inf")


def order(sink: Sink, port: int, address: str, number: int) -> tuple[str, float]:
    to, text = sink.asked[address]
    return post(port, address, to, text, number)


def post(port: int, address: str, to: str, text: str, number: int) -> tuple[str, float]:
    mail = EmailMessage(policy=WIRE)
    mail["From"], mail["To"], mail["Subject"] = address, to, "Re: your move"
    mail["Message-ID"] = ident = f"<bench.{number}@example.org>"
    mail.set_content(f"{text}\n")
    with smtplib.SMTP("127.0.0.1", port) as client:
        client.sendmail(address, [to], mail.as_bytes())
    return ident, time.monotonic()


def _all_answered(sink: Sink, count: int) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until and len(sink.answered) < count:
        time.sleep(0.05)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mails", type=int, default=100)
    parser.add_argument("--rate", type=float, default=5.0)
    parser.add_argument("--burst", type=int, default=60, help="mails sent as fast as they go, after the steady ones")
    parser.add_argument("--check", action="store_true", help="fail when the 95th percentile is over 5 s")
    given = parser.parse_args()
    out_port, in_port = free_port(), free_port()
    setup(out_port)
    from django.db import connections

    from notifications.inbound import handle, smtp

    handle.AN_HOUR = 100_000
    stop = multiprocessing.Event()
    workers = [multiprocessing.get_context("fork").Process(target=worker, args=(stop,)) for _ in range(2)]
    connections.close_all()
    for process in workers:
        process.start()
    print(f"reading: {reading_rate():.0f} mails/s, one process")
    sink = Sink()
    host, door = Controller(sink, hostname="127.0.0.1", port=out_port), smtp.controller("127.0.0.1", in_port)
    host.start()
    door.start()
    try:
        count = given.mails + given.burst  # each writes once
        players(count)
        while sink.count < count:
            time.sleep(0.1)
        bare = floor(200)
        sent = {}
        start = time.monotonic()
        for number in range(given.mails):
            time.sleep(max(0.0, start + number / given.rate - time.monotonic()))
            ident, when = order(sink, in_port, f"p{number}@example.org", number)
            sent[ident] = when
        _all_answered(sink, len(sent))
        burst_start = time.monotonic()
        for number in range(given.mails, count):
            order(sink, in_port, f"p{number}@example.org", number)
        taken = time.monotonic() - burst_start
        _all_answered(sink, count)
        played = time.monotonic() - burst_start
    finally:
        stop.set()
        for process in workers:
            process.join()
        door.stop()
        host.stop()
    arrived = sink.answered
    waits = sorted(arrived[ident] - when for ident, when in sent.items() if ident in arrived)
    middle, tail, lost = at(waits, 0.5), at(waits, 0.95), count - len(arrived)
    floor_rate = len(bare) / sum(bare)
    low, high = at(bare, 0.5), at(bare, 0.95)
    print(f"bare sink: p50 {low * 1000:.1f} ms, p95 {high * 1000:.1f} ms, {floor_rate:.0f} mails/s")
    print(
        f"order to acknowledgement at {given.rate:g} mails/s: p50 {middle:.2f} s ({middle / low:.0f} x bare), "
        f"p95 {tail:.2f} s ({tail / high:.0f} x bare)"
    )
    stored, answered = given.burst / taken, given.burst / played
    print(
        f"at full speed: {stored:.0f} mails/s stored ({stored / floor_rate:.2f} of bare), "
        f"{answered:.1f} mails/s read, played and acknowledged ({answered / floor_rate:.3f} of bare)"
    )
    print(f"{count} sent, {lost} without an acknowledgement")
    return 1 if given.check and (tail > CEILING or lost) else 0


if __name__ == "__main__":
    sys.exit(main())

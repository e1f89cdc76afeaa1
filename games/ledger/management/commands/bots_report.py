"""manage.py bots_report [--hours 24] [--match N] [--last 20]: what bots did, how they failed, who waits."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Count, Q
from django.utils import timezone

from games.ledger.models import BotFault, Entry, Outbox


class Command(BaseCommand):
    help = "Tell how bots fared: decisions, failures by kind, the last failures, and jobs that wait or are held."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--hours", type=float, default=24, help="how far to look back")
        parser.add_argument("--match", type=int, help="this match only")
        parser.add_argument("--last", type=int, default=20, help="how many failures to list")

    def handle(self, *args: Any, hours: float, match: int | None, last: int, **options: Any) -> None:
        since = timezone.now() - timedelta(hours=hours)
        here = Q(match_id=match) if match else Q()
        faults = BotFault.objects.filter(here, at__gte=since)
        made = Entry.objects.filter(here, at__gte=since, by__startswith="bot:").count()
        given_up = faults.filter(answered=True).count()
        self.stdout.write(f"{made} decisions of bots in {hours:g} hours, {given_up} of them by the simple bot instead.")
        for row in faults.values("bot", "kind").annotate(count=Count("pk")).order_by("-count", "bot", "kind"):
            self.stdout.write(f"  {row['count']:6d}  {row['bot'] or 'worker'}: {row['kind']}")
        for fault in faults.order_by("-pk")[:last]:
            self.stdout.write(
                f"{fault.at:%Y-%m-%d %H:%M:%S} match {fault.match_id} entry {fault.seq} {fault.seat} "
                f"{fault.bot or '-'} on {fault.holder or '-'}: {fault.kind}, {fault.detail}"
                + ("; the simple bot answered" if fault.answered else "")
            )
        self._jobs(here)

    def _jobs(self, here: Q) -> None:
        now = timezone.now()
        jobs = Outbox.objects.filter(here, kind=Outbox.Kind.BOT, state="waiting")
        held = jobs.filter(claimed_until__gte=now)
        self.stdout.write(f"{jobs.count()} jobs open, {held.count()} of them held by a worker.")
        for job in held.order_by("beat_at")[:20]:
            assert job.beat_at is not None
            self.stdout.write(f"  match {job.match_id}: {job.holder}, heard {(now - job.beat_at).seconds} s ago")
        oldest = jobs.exclude(claimed_until__gte=now).order_by("due_at").first()
        if oldest is not None:
            self.stdout.write(f"  the longest waits {max(0, (now - oldest.due_at).seconds)} s: match {oldest.match_id}")

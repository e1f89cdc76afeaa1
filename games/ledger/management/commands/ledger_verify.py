"""manage.py ledger_verify [ID ...] [--all]: replay matches from their first entry."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.ledger.models import Match
from games.ledger.verify import match_problem


class Command(BaseCommand):
    help = "Replay matches from their first entry; check chain, dice, actions and states."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("matches", nargs="*", type=int, help="match numbers")
        parser.add_argument("--all", action="store_true", help="every match of this server")

    def handle(self, *args: Any, matches: list[int], all: bool, **options: Any) -> None:
        if not matches and not all:
            raise CommandError("Name match numbers, or --all.")
        rows = Match.objects.order_by("pk") if all else Match.objects.filter(pk__in=matches).order_by("pk")
        missing = set(matches) - set(rows.values_list("pk", flat=True))
        if missing:
            raise CommandError(f"There is no match {', '.join(map(str, sorted(missing)))}.")
        bad = 0
        for match in rows.iterator(100):
            problem = match_problem(match)
            bad += bool(problem)
            self.stdout.write(f"match {match.pk} ({match.ruleset}, {match.head_seq + 1} entries): {problem or 'good'}")
        if bad:
            raise CommandError(f"{bad} of {rows.count()} matches are not right.")
        self.stdout.write(f"{rows.count()} matches verified.")

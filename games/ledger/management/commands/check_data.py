"""manage.py check_data: whether the boards and counters of every game hold together."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import catalogue


class Command(BaseCommand):
    help = "Check the data files of every ruleset."

    def handle(self, *args: Any, **options: Any) -> None:
        bad = 0
        for rules in catalogue.every():
            problems = rules.check_data()
            bad += len(problems)
            self.stdout.write(f"{rules.key}: {'good' if not problems else f'{len(problems)} problems'}")
            for problem in problems:
                self.stdout.write(f"  {problem}")
        if bad:
            raise CommandError(f"{bad} problems in data files.")

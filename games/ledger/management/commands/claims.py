"""manage.py claims: rules disputes that wait for the host, and rulings."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.kernel.errors import GameError
from games.ledger import claims


class Command(BaseCommand):
    help = "List open claims; --answer N 'words' rules on one; --position N FILE writes its frozen position."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--answer", nargs=2, metavar=("CLAIM", "WORDS"))
        parser.add_argument("--position", nargs=2, metavar=("CLAIM", "FILE"))

    def handle(self, *args: Any, **options: Any) -> None:
        if options["answer"]:
            number, words = options["answer"]
            try:
                claims.claim_answer(claim_id=_number(number), answer=words)
            except GameError as error:
                raise CommandError(error.text) from None
            self.stdout.write(f"Claim {number} is answered; both sides are told.")
        elif options["position"]:
            number, file = options["position"]
            claim = claims.claim_get(_number(number))
            if claim is None:
                raise CommandError(f"There is no claim {number}.")
            Path(file).write_bytes(bytes(claim.before))
            self.stdout.write(f"The state before entry {claim.entry} of match {claim.match_id} is in {file}.")
        else:
            found = claims.open_claims()
            for claim in found:
                self.stdout.write(
                    f"{claim.pk}: match {claim.match_id} ({claim.match.ruleset} {claim.ruleset_version}), "
                    f"entry {claim.entry}, by {claim.seat}, {claim.created_at:%d %b %H:%M}: {claim.text}"
                )
            self.stdout.write(f"{len(found)} open." if found else "No claim waits.")


def _number(text: str) -> int:
    if not text.isdigit():
        raise CommandError(f"{text!r} is not the number of a claim.")
    return int(text)

"""manage.py position FILE.json: set up any position, apply orders with scripted chance, print the outcome."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import catalogue
from games.kernel.errors import GameError
from games.kernel.position import run_position


class Command(BaseCommand):
    help = "Set up a position of any ruleset, apply orders with scripted chance, and print what comes of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a position file, or - for standard input")
        parser.add_argument("--json", action="store_true", help="print one JSON object instead of words")

    def handle(self, *args: Any, file: str, json: bool, **options: Any) -> None:
        try:
            report = run_position(catalogue.find, _read(file))
        except GameError as error:
            raise CommandError(f"{error.text} ({error.code})") from None
        self.stdout.write(_as_json(report) if json else _as_words(report))


def _read(file: str) -> Any:
    try:
        raw = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        return json.loads(raw)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read: {error}.") from None
    except ValueError as error:
        raise CommandError(f"{file} is not JSON: {error}.") from None


def _as_json(report: dict[str, Any]) -> str:
    return json.dumps(report, indent=2, sort_keys=True)


def _as_words(report: dict[str, Any]) -> str:
    lines = [*report["news"], "", f"{report['applied']} orders applied."]
    if report["refused"]:
        lines.append(f"Refused: {report['refused']['order']}: {report['refused']['text']}")
    for seat, notations in report["legal"].items():
        shown = ", ".join(notations[:20]) + (f" and {len(notations) - 20} more" if len(notations) > 20 else "")
        lines.append(f"{seat} may: {shown}")
    if report["chance_left"]:
        lines.append(f"Chance not used: {report['chance_left']}")
    if report["outcome"]:
        lines.append(f"Over: {report['outcome']['words']}")
    return "\n".join(lines)

"""manage.py playout RULESET: whole games between bots in the kernel."""

import json
from argparse import ArgumentParser
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from games import catalogue
from games.kernel.errors import GameError
from games.kernel.ruleset import Outcome, Ruleset
from games.playout import Playout, play_out


class Command(BaseCommand):
    help = "Play whole games between bots and print games, actions, speed, hand-offs and outcomes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ruleset", choices=catalogue.all_keys())
        parser.add_argument("--games", type=int, default=100)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--bots", default="random", help="a bot for each seat in order, comma between them")
        parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
        parser.add_argument("--standing", action="store_true", help="arm the standing orders the game proposes")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(
        self, *args: Any, ruleset: str, games: int, seed: int, bots: str, option: list[str], **options: Any
    ) -> None:
        rules = catalogue.find(ruleset)
        try:
            chosen = read_options(rules, option)
            names, switched = seat_bots(rules, bots.split(","), chosen)
            with _bar(quiet=options["json"]) as bar:
                task = bar.add_task(ruleset, total=games)

                def progress(done: int, _outcome: Outcome) -> None:
                    bar.update(task, completed=done)

                result = play_out(
                    rules, games, names, options=switched, seed=seed, progress=progress, standing=options["standing"]
                )
        except GameError as error:
            raise CommandError(error.text) from None
        self.stdout.write(_as_json(result) if options["json"] else as_words(result))


def read_options(rules: Ruleset, words: list[str]) -> dict[str, Any]:
    """`KEY=VALUE` words as options, each value in the type of that option's choices."""
    known = {option.key: option for option in rules.options}
    chosen: dict[str, Any] = {}
    for word in words:
        key, _, text = word.partition("=")
        choices = known[key].choices if key in known else ()
        chosen[key] = next((choice for choice in choices if str(choice).lower() == text.lower()), text)
    return chosen


def seat_bots(rules: Ruleset, bots: list[str], options: dict[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    """A bot for each seat. A bot that the rules play themselves switches its options on and takes no seat."""
    switched = dict(options)
    rest = []
    for bot in bots:
        info = next((info for info in rules.bots if info.key == bot), None)
        if info is not None and info.in_rules:
            switched.update(info.options)
        else:
            rest.append(bot)
    seats = rules.seats(rules.setup(switched))
    rest = rest * len(seats) if len(rest) == 1 else rest
    if len(rest) != len(seats):
        raise CommandError(f"{rules.title} has the seats {', '.join(seats)} here: name one bot, or one for each.")
    return _seated(rules, seats, rest), switched


def _seated(rules: Ruleset, seats: tuple[str, ...], bots: list[str]) -> dict[str, str]:
    """In the order given, unless a bot plays only certain seats: then it gets one of those."""
    home = {info.key: info.seats for info in rules.bots}
    free = list(seats)
    placed: dict[str, str] = {}
    for bot in sorted(bots, key=lambda bot: not home.get(bot)):
        seat = next((seat for seat in free if not home.get(bot) or seat in home[bot]), None)
        if seat is None:
            raise CommandError(f"The bot {bot} plays {' or '.join(home[bot])} only.")
        free.remove(seat)
        placed[seat] = bot
    return {seat: placed[seat] for seat in seats}


def _bar(*, quiet: bool) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet)


def _as_json(result: Playout) -> str:
    plain = msgspec.to_builtins(result)
    return json.dumps({**plain, "actions_per_second": round(result.actions_per_second)}, sort_keys=True)


def as_words(result: Playout) -> str:
    games = result.games
    lines = [
        f"{games} games of {result.ruleset}: {', '.join(f'{seat} {bot}' for seat, bot in result.bots.items())}",
        f"{result.actions} actions, {result.actions / games:.0f} a game, {result.actions_per_second:,.0f} a second",
        f"{result.handoffs / games:.1f} hand-offs between seats a game, {result.windows / games:.1f} of them windows",
        "",
    ]
    lines += [f"  {count:6} {100 * count / games:5.1f} %  {name}" for name, count in result.outcomes.items()]
    for seat in result.scores:
        marks = ", ".join(f"{label} {result.quantile(seat, part)}" for label, part in QUANTILES)
        lines.append(f"  {seat}: {marks}")
    return "\n".join(lines)


QUANTILES = (("10 %", 0.1), ("median", 0.5), ("90 %", 0.9))

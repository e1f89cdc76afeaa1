"""manage.py play GAME: play in the terminal against the rules themselves, without server or account."""

import random
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import catalogue
from games.bots.registry import find_bot
from games.kernel.errors import GameError
from games.kernel.orders import play_orders, read_orders
from games.kernel.ruleset import Ruleset, State
from games.kernel.steps import apply, legal, notation, owed
from games.kernel.table import News, SeededTable

HELP = """Type the number of an option, or orders in words (several with ; between them).
  options   all of them again        board   the position again
  undo      take back (not after a die or a card)
  quit      leave"""
SHOWN = 20


class Command(BaseCommand):
    help = "Play a game in the terminal."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ruleset", choices=catalogue.all_keys())
        parser.add_argument("--seed", type=int, default=None)
        parser.add_argument("--bot", action="append", default=[], metavar="SEAT=BOT", help="let a bot play a seat")

    def handle(self, *args: Any, ruleset: str, seed: int | None, bot: list[str], **options: Any) -> None:
        rules = catalogue.find(ruleset)
        bots = dict(word.split("=", 1) for word in bot if "=" in word)
        try:
            game = Terminal(rules, random.Random(seed), bots, self.stdout.write)
            for key in bots.values():
                find_bot(ruleset, key)
        except GameError as error:
            raise CommandError(error.text) from None
        game.run()


class Terminal:
    """One sitting."""

    def __init__(self, rules: Ruleset, rng: random.Random, bots: dict[str, str], write: Any) -> None:
        self.rules, self.rng, self.bots, self.write = rules, rng, bots, write
        self.table = SeededTable(rng)
        options: dict[str, Any] = {}
        for info in rules.bots:
            if info.key in bots.values():
                options.update(info.options)
        self.g: State = rules.start(rules.setup(options), self.table)
        self.history: list[State] = []

    def run(self) -> None:
        self.write(f"{self.rules.title}. Type help for help.\n")
        self._news()
        while owed(self.g):
            seat = owed(self.g)[0]
            if seat in self.bots:
                choice = find_bot(self.rules.key, self.bots[seat]).choose(self.rules, self.g, seat, self.rng)
                self.write(f"{self.rules.seat_name(seat)}: {notation(choice.action)}. {choice.why}")
                apply(self.g, seat, choice.action, self.table)
                self._news()
            elif not self._ask(seat):
                return
        outcome = self.rules.outcome(self.g)
        self._board(None)
        self.write(outcome.words if outcome else "Over.")

    def _ask(self, seat: str) -> bool:
        """One prompt; False to leave."""
        self._board(seat)
        self._options(seat, SHOWN)
        while True:
            try:
                line = input(f"{self.rules.seat_name(seat)}> ").strip()
            except (EOFError, KeyboardInterrupt):
                return False
            if line in ("quit", "exit"):
                return False
            if self._answer(seat, line):
                return True

    def _answer(self, seat: str, line: str) -> bool:
        """True when the position has changed."""
        if line in ("help", "?"):
            self.write(HELP)
        elif line == "options":
            self._options(seat, 10_000)
        elif line == "board":
            self._board(seat)
        elif line == "undo":
            return self._undo()
        elif line:
            return self._order(seat, line)
        return False

    def _order(self, seat: str, line: str) -> bool:
        before = self.g.clone()
        choices = legal(self.g, seat)
        if line.isdigit() and 1 <= int(line) <= len(choices):
            line = self.rules.say(self.g, choices[int(line) - 1])
        try:
            played = play_orders(self.rules, self.g, seat, read_orders(self.rules, line), self._act)
        except GameError as error:
            self.write(error.text)
            return False
        for item in played.lines:
            if item.status != "ok":
                self.write(f"{item.text}: {item.status}. {item.why}")
        if not played.taken:
            return False
        if self.table.rolls:
            self.history.clear()
        else:
            self.history.append(before)
        self._news()
        return True

    def _act(self, g: State, seat: str, action: Any) -> list[News]:
        start = len(self.table.news)
        apply(g, seat, action, self.table)
        return self.table.news[start:]

    def _undo(self) -> bool:
        if not self.history:
            self.write("Nothing can be taken back: a die has fallen or a card was seen.")
            return False
        self.g = self.history.pop()
        return True

    def _news(self) -> None:
        for item in self.table.news:
            self.write(f"  {self.rules.narrate(item)}")
        self.table.news.clear()
        self.table.rolls.clear()

    def _board(self, seat: str | None) -> None:
        self.write("\n" + self.rules.text_board(self.rules.view(self.g, seat), seat) + "\n")

    def _options(self, seat: str, most: int) -> None:
        choices = legal(self.g, seat)
        self.write(self.rules.prompt(self.g, seat))
        for number, action in enumerate(choices[:most], 1):
            odds = self.rules.odds(self.g, seat, action)
            words = self.rules.describe(self.g, seat, action)
            self.write(f" {number:3} {self.rules.say(self.g, action):28} {words}{f'  ({odds})' if odds else ''}")
        if len(choices) > most:
            self.write(f"     .. and {len(choices) - most} more: options shows all.")

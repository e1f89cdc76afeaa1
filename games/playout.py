"""Whole games between bots in the kernel, without a ledger: for measuring and for sound sleep."""

import math
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from games.bots.base import Bot
from games.bots.registry import find_bot
from games.kernel.errors import BadSetup
from games.kernel.orders import StandingOrder, parse_standing, standing_answer
from games.kernel.ruleset import Outcome, Ruleset, Setup
from games.kernel.steps import apply, owed, question
from games.kernel.table import SearchTable, Seat


class Playout(msgspec.Struct):
    """What a run of whole games came to."""

    ruleset: str
    bots: dict[Seat, str]
    games: int = 0
    actions: int = 0
    seconds: float = 0.0
    handoffs: int = 0  # times the seat to act changed
    windows: int = 0  # how many of those were interrupts of somebody else's turn
    outcomes: dict[str, int] = {}  # result -> games
    winners: dict[str, int] = {}  # seat or "none" -> games
    scores: dict[Seat, list[int]] = {}  # one figure a game, sorted

    @property
    def actions_per_second(self) -> float:
        return self.actions / self.seconds if self.seconds else 0.0

    def quantile(self, seat: Seat, part: float) -> int:
        """The score of a seat below which that part of its games lies."""
        scores = self.scores[seat]
        return scores[min(len(scores) - 1, int(part * len(scores)))]

    def mean(self, seat: Seat) -> tuple[float, float]:
        """The mean score of a seat and half the width of its 95 % interval."""
        scores = self.scores[seat]
        spread = statistics.stdev(scores) if len(scores) > 1 else 0.0
        return statistics.fmean(scores), 1.96 * spread / math.sqrt(len(scores))

    def median_interval(self, seat: Seat) -> tuple[int, int]:
        """The scores between which the median lies with 95 % confidence, by rank alone."""
        scores = self.scores[seat]
        half, reach = len(scores) / 2, 0.98 * math.sqrt(len(scores))
        return scores[max(0, int(half - reach))], scores[min(len(scores) - 1, math.ceil(half + reach))]


def play_out(
    rules: Ruleset,
    games: int,
    bots: Mapping[Seat, str] | str = "random",
    *,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
    progress: Callable[[int, Outcome], None] | None = None,
    standing: bool = False,
    most_actions: int = 100_000,
) -> Playout:
    """Play whole games. `bots` names a bot for each seat, or one for all; each game has its own seed.

    With `standing` the orders a game proposes answer first, and what they answer is no hand-off.
    """
    if games < 1:
        raise BadSetup("Play at least one game.")
    setup = rules.setup(options)
    seats = rules.seats(setup)
    names = dict.fromkeys(seats, bots) if isinstance(bots, str) else dict(bots)
    if set(names) != set(seats):
        raise BadSetup(f"Name a bot for each of {', '.join(seats)}.")
    for info in rules.bots:
        wrong = [seat for seat, key in names.items() if key == info.key and info.seats and seat not in info.seats]
        if wrong:
            raise BadSetup(f"The bot {info.key} plays {' or '.join(info.seats)}, not {wrong[0]}.")
    players = {seat: find_bot(rules.key, key) for seat, key in names.items()}
    armed = {seat: default_orders(rules, seat) if standing else [] for seat in seats}
    result = Playout(rules.key, names)
    tally, winners = Counter[str](), Counter[str]()
    start = time.perf_counter()
    for number in range(games):
        outcome = _one_game(rules, setup, players, armed, random.Random(f"{seed}/{number}"), result, most_actions)
        result.games += 1
        tally[outcome.result] += 1
        winners[outcome.winner or "none"] += 1
        for seat, score in outcome.score.items():
            result.scores.setdefault(seat, []).append(score)
        if progress is not None:
            progress(number + 1, outcome)
    result.seconds = time.perf_counter() - start
    result.outcomes, result.winners = dict(tally.most_common()), dict(winners.most_common())
    for scores in result.scores.values():
        scores.sort()
    return result


def default_orders(rules: Ruleset, seat: Seat) -> list[StandingOrder]:
    """The standing orders a game proposes to a seat."""
    return [order for text in rules.standing_defaults.get(seat, ()) for order in parse_standing(rules, text)]


def _one_game(
    rules: Ruleset,
    setup: Setup,
    players: Mapping[Seat, Bot],
    armed: Mapping[Seat, list[StandingOrder]],
    rng: random.Random,
    result: Playout,
    most_actions: int,
) -> Outcome:
    table = SearchTable(rng)
    g = rules.start(setup, table)
    last: Seat | None = None
    for _ in range(most_actions):
        seats = owed(g)
        if not seats:
            break
        seat = seats[0]
        answered = standing_answer(rules, g, seat, armed[seat]) if armed[seat] else None
        if answered is not None:
            apply(g, seat, answered[1], table, trusted=True)
            result.actions += 1
            continue
        if seat != last:
            result.handoffs += last is not None
            decision = question(g)
            result.windows += last is not None and decision is not None and decision.window
            last = seat
        bot = players[seat]
        seen = g if bot.key == "random" else rules.imagine(g, seat, table)
        choice = bot.choose(rules, seen, seat, rng)
        apply(g, seat, choice.action, table, trusted=True)
        result.actions += 1
    outcome = rules.outcome(g)
    if outcome is None:
        raise AssertionError(f"no end after {most_actions} actions")
    return outcome

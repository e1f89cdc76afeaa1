"""How often the pen changes hands in a match by mail, and how much of that is windows."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping

from games.bots.registry import find_bot
from games.kernel.orders import StandingOrder, parse_standing, standing_answer
from games.kernel.steps import apply, owed, question
from games.kernel.table import SearchTable
from games.second_fallujah import RULES


def default_orders() -> dict[str, list[StandingOrder]]:
    return {
        seat: [order for text in texts for order in parse_standing(RULES, text)]
        for seat, texts in RULES.standing_defaults.items()
    }


def runs(seats: Iterable[str]) -> int:
    """How many times in a row one seat is asked."""
    count, last = 0, ""
    for seat in seats:
        count += seat != last
        last = seat
    return count


def play(seed: int, bots: Mapping[str, str]) -> tuple[int, int, Counter[str]]:
    """Hand-offs with windows and without, and which windows were asked, in one game."""
    rng = random.Random(seed)
    table = SearchTable(rng)
    g = RULES.start(RULES.setup(), table)
    orders = default_orders()
    asked: list[tuple[str, bool]] = []
    windows: Counter[str] = Counter()
    while owed(g):
        seat = owed(g)[0]
        decision = question(g)
        standing = standing_answer(RULES, g, seat, orders[seat])
        if standing is not None:
            action = standing[1]
        else:
            action = find_bot(RULES.key, bots[seat]).choose(RULES, g, seat, rng).action
            assert decision is not None
            asked.append((seat, decision.window))
            windows[type(decision).__name__] += decision.window
        apply(g, seat, action, table, trusted=True)
    return runs(seat for seat, _ in asked), runs(seat for seat, window in asked if not window), windows

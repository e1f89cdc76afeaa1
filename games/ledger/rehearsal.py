"""What a standing order would have done in this match so far."""

from typing import Any

import msgspec

from games.kernel.orders import StandingOrder, parse_standing, standing_answer
from games.kernel.record import LEDGER_VERBS, live, replay_on
from games.kernel.ruleset import Ruleset
from games.kernel.steps import State, question
from games.kernel.table import ReplayTable
from games.ledger import replay
from games.ledger.models import Match


class Rehearsal(msgspec.Struct):
    """Windows of the kind the order speaks of, and what it would have made of them."""

    asked: int = 0  # questions of that kind put to the seat
    answered: int = 0  # how many of them the order would have answered
    same: int = 0  # how many of those as the seat did itself
    examples: list[dict[str, Any]] = []

    @property
    def words(self) -> str:
        left = self.asked - self.answered
        if not self.asked:
            return "No question of that kind has come up in this match so far."
        return f"Would have answered {self.answered} ({self.same} as you did), asked you {left} in this match so far."


def rehearse(rules: Ruleset, match: Match, seat: str, text: str) -> Rehearsal:
    """Replay the match and try the order at each question it speaks of."""
    orders = parse_standing(rules, text)
    kinds = {order.decision for order in orders}
    lines = [line for line in live(replay.lines(match.pk)) if line.action[0] not in LEDGER_VERBS]
    table = ReplayTable([value for _, value in lines[0].rolls])
    g = rules.start(rules.setup(match.options), table)
    result = Rehearsal()
    for line in lines[1:]:
        if line.seat == seat:
            _try(rules, g, seat, orders, kinds, line.seq, line.action, result)
        replay_on(g, [line])
    return result


def _try(
    rules: Ruleset, g: State, seat: str, orders: list[StandingOrder], kinds: set[str], seq: int, did: Any, result: Any
) -> None:
    names = {cls.__name__ for cls in type(question(g)).__mro__}
    if not names & kinds:
        return
    result.asked += 1
    found = standing_answer(rules, g, seat, orders)
    if found is None:
        return
    result.answered += 1
    result.same += found[1] == did
    if len(result.examples) < 20:
        result.examples.append({"entry": seq, "would": rules.say(g, found[1]), "did": rules.say(g, did)})

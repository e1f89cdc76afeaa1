"""What a bot is, and the simplest one."""

import random
from typing import ClassVar, Protocol

import msgspec

from games.kernel.ruleset import Ruleset
from games.kernel.steps import Action, State, legal
from games.kernel.table import Seat


class Choice(msgspec.Struct, frozen=True):
    """What a bot does and, in a short sentence, why."""

    action: Action
    why: str = ""


class Bot(Protocol):
    """A player. `g` is already imagined for the seat, so it holds no secret of the real game.

    A bot may clone `g` and try things on a SearchTable; it must not keep anything between calls, since
    every decision may be made by another worker. It thinks in a process of its own (thinker.py) with limits on time
    and memory, takes all chance from `rng`, and gives the same answer to the same question.
    """

    key: ClassVar[str]

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice: ...


class RandomBot:
    """Any legal action, all alike; never one that only takes something back."""

    key: ClassVar[str] = "random"
    undo_verbs: ClassVar[frozenset[str]] = frozenset({"takeback", "drop", "unput", "unjoin"})

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        options = legal(g, seat)
        forward = [action for action in options if action[0] not in self.undo_verbs]
        return Choice(rng.choice(forward or options))

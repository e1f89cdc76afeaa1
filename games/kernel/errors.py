"""One family of errors. Rules raise them, services let them through, each door renders them once."""

from collections.abc import Sequence

Fact = int | str | bool


class GameError(Exception):
    """Something a person did that cannot be done, said in a sentence that helps."""

    code = "game-error"

    def __init__(
        self,
        text: str,
        *,
        code: str | None = None,
        rule: str = "",
        nearest: Sequence[str] = (),
        **facts: Fact,
    ) -> None:
        super().__init__(text)
        self.text = text
        self.rule = rule
        self.nearest = tuple(nearest)
        self.facts = facts
        if code is not None:
            self.code = code


class Unreadable(GameError):
    """The words do not say an order of this game."""

    code = "unreadable"


class Ambiguous(Unreadable):
    """The words fit two things that differ."""

    code = "ambiguous"


class IllegalAction(GameError):
    """A readable order that is not among the legal actions."""

    code = "illegal-action"


class NotYourDecision(GameError):
    """The seat owes nothing at the moment."""

    code = "not-your-decision"


class StaleOrders(GameError):
    """The match has moved on since the player looked."""

    code = "stale"


class MatchOver(GameError):
    """The match has ended."""

    code = "match-over"


class BadSetup(GameError):
    """Options, seats or a position that no game can start from."""

    code = "bad-setup"


class ChanceRanOut(GameError):
    """A scripted or recorded table was asked for more chance than it holds."""

    code = "chance-ran-out"

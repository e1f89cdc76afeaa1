"""6 and 7. Score, rank, and how a game ends."""

from games.card_assault.board import AMERICAN_SEAT, Board, is_cleared, score
from games.card_assault.tables import rank
from games.kernel.ruleset import Outcome
from games.kernel.table import Table

ENDINGS = {
    "cleared": "The insurgent deck is empty and every front is cleared.",
    "ended": "The Americans called the operation off.",
    "deadlock": "Nothing can be drawn and nothing was played for a whole turn.",
}


def finish(g: Board, table: Table, how: str) -> None:
    """The game is over: nothing more is to do."""
    g.over = how
    g.idle = False
    g.todo.clear()
    table.tell("over", how=how, score=score(g))


def finish_if_cleared(g: Board, table: Table) -> None:
    """7.1. Tested at the end of a turn and whenever the last card has left a front."""
    if is_cleared(g) and not g.over:
        finish(g, table, "cleared")


def outcome(g: Board) -> Outcome | None:
    """6. The victory table; there is no winner to name in a solitaire game, only a rank."""
    if not g.over:
        return None
    points = score(g)
    level = rank(points)
    return Outcome(
        winner=AMERICAN_SEAT if points >= 21 else None,
        result=level,
        score={AMERICAN_SEAT: points},
        words=f"{ENDINGS[g.over]} {points} victory points: {level}.",
    )

"""1. Victory points and levels of victory."""

from games.kernel.ruleset import Outcome
from games.second_fallujah.board import Board, victory_points
from games.second_fallujah.tables import C0, COALITION, F0, FEDAYEEN, INS, INSURGENT, PLACES, SCORING_AREAS

# 1.2: the least total of each level, from the top.
LEVELS: tuple[tuple[int, str, str | None], ...] = (
    (36, "Major Insurgent Victory", INSURGENT),
    (26, "Minor Insurgent Victory", INSURGENT),
    (25, "Draw", None),
    (15, "Minor Coalition Victory", COALITION),
    (0, "Major Coalition Victory", COALITION),
)


def level(points: int) -> tuple[str, str | None]:
    """The level of victory of an insurgent total, and who won."""
    return next((words, winner) for least, words, winner in LEVELS if points >= least)


def score(g: Board) -> dict[str, int]:
    """1.1, by source."""
    return {
        "fedayeen": sum(1 for unit in FEDAYEEN if g.where[unit] < PLACES),
        "cadres": 2 * sum(1 for unit in range(C0, F0) if g.where[unit] < PLACES),
        "areas": sum(1 for area in SCORING_AREAS if g.control[area] == INS),
        "backlash": g.backlash,
        "total": victory_points(g),
    }


def outcome(g: Board) -> Outcome | None:
    if g.todo or g.phase != "over":
        return None
    parts = score(g)
    result, winner = level(parts["total"])
    words = (
        f"{result}: {parts['total']} points ({parts['fedayeen']} for Fedayeen, {parts['cadres']} for Cadres, "
        f"{parts['areas']} for areas, {parts['backlash']} for Political Backlash)."
    )
    return Outcome(winner, result, parts, words)

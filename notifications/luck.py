"""What the dice of a finished match came to, in words."""

from typing import Any

from games.ledger import selectors

# Even dice exceed this chi-square once in twenty matches, by degrees of freedom.
ONCE_IN_TWENTY = {5: 11.07, 9: 16.92}
ENOUGH = 5  # throws for each face, below which chi-square says nothing


def lines(match: Any, seat: Any) -> list[str]:
    names = {row["key"]: _whose(row, seat.key) for row in selectors.summary(match, seat.user)["seats"]}
    return words(selectors.dice_report(match)["dice"], names)


def words(report: dict[str, Any], names: dict[str, str]) -> list[str]:
    """A sentence on each kind of dice by seat, and one on whether its faces came evenly.

    The dice of a fight count to the order that brought it about, also those of the other side.
    """
    said = []
    for kind, part in report.items():
        shown = [
            f"the {faces['rolls']} {kind} on {names.get(key, 'the orders of nobody')} averaged {_mean(faces):.2f}"
            for key, faces in part.items()
            if key != "all"
        ]
        said.append(f"Luck: {', '.join(shown)} ({_even(part['all']):.1f} is even).")
        said.append(_evenly(kind, part["all"]))
    return said


def _whose(row: dict[str, Any], own: str) -> str:
    if row["key"] == own:
        return "your orders"
    return f"the orders of {row['player'] or row['bot'] or row['name']}"


def _first(faces: dict[str, Any]) -> int:
    return 0 if len(faces["faces"]) == 10 else 1  # a ten-sided die has a 0


def _mean(faces: dict[str, Any]) -> float:
    total: int = sum(value * count for value, count in enumerate(faces["faces"], _first(faces)))
    return total / int(faces["rolls"])


def _even(faces: dict[str, Any]) -> float:
    return _first(faces) + (len(faces["faces"]) - 1) / 2


def _evenly(kind: str, faces: dict[str, Any]) -> str:
    square, degrees, rolls = faces["chi_square"], faces["degrees"], faces["rolls"]
    told = f"{kind}: {rolls} rolls, chi-square {square} with {degrees} degrees of freedom"
    if rolls < ENOUGH * len(faces["faces"]):
        return f"{told}; too few rolls to judge by."
    most = ONCE_IN_TWENTY[degrees]
    if square <= most:
        return f"{told}: fine."
    return f"{told}: unusual, even dice exceed {most:.1f} once in twenty matches."

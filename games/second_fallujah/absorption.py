"""8.2. How many Casualty Points insurgents can absorb, and in which ways."""

from collections.abc import Iterable, Iterator, Sequence

from games.second_fallujah.board import Board
from games.second_fallujah.tables import DUG, FRESH, LETTER, M0

DUG_PRICE = 3


def capacity_of(unit: int, mode: int) -> int:
    """The most one unit absorbs: Militia 1, Fresh or Dug In 3, Spent 2."""
    return 1 if unit >= M0 else 3 if mode else 2


def capacity(g: Board, units: Iterable[int]) -> int:
    return sum(capacity_of(unit, g.mode[unit]) for unit in units)


def best_total(loose: int, dug: int, low: int, points: int) -> int:
    """The greatest total not above `points`: Dug In units by threes, at least `low` from the others."""
    best = 0
    for killed in range(dug + 1):
        rest = points - DUG_PRICE * killed
        if rest >= low:
            best = max(best, DUG_PRICE * killed + min(loose, rest))
    return best


def most_absorbed(g: Board, units: Sequence[int], lead: int, points: int) -> int:
    """R22: what a legal allocation of `points` absorbs in all."""
    if points > capacity(g, units):
        return points
    dug = sum(1 for unit in units if g.mode[unit] == DUG)
    loose = sum(capacity_of(unit, g.mode[unit]) for unit in units if g.mode[unit] != DUG)
    if g.mode[lead] == DUG:
        return 0 if points < DUG_PRICE else DUG_PRICE + best_total(loose, dug - 1, 0, points - DUG_PRICE)
    return best_total(loose, dug, 1, points)


def can_absorb(g: Board, open_units: Sequence[int], lead: int, left: int) -> bool:
    """Whether the units not yet named can absorb exactly `left`; the lead, if among them, at least 1."""
    loose = dug = 0
    for unit in open_units:
        if g.mode[unit] == DUG:
            dug += 1
        else:
            loose += capacity_of(unit, g.mode[unit])
    low = 1 if lead in open_units else 0
    return any(low <= left - DUG_PRICE * killed <= loose for killed in range(dug + 1))


def prices(unit: int, mode: int) -> tuple[tuple[str, int], ...]:
    """Outcomes of one unit and what they absorb (R7: each unit gets one of them)."""
    if unit >= M0:
        return (("kill", 1),)
    if mode == DUG:
        return (("kill", 3),)
    if mode == FRESH:
        return (("spent", 1), ("retreat", 2), ("kill", 3))
    return (("retreat", 1), ("kill", 2))


def allocations(g: Board, open_units: Sequence[int], lead: int, left: int) -> Iterator[tuple[int, ...]]:
    """Every way to absorb exactly `left`, points a unit; equal units only in falling order."""
    units = sorted(open_units, key=lambda unit: (unit != lead, LETTER[unit], g.mode[unit], unit))
    rooms = [capacity_of(unit, g.mode[unit]) for unit in units]
    tails = [sum(rooms[at:]) for at in range(len(units) + 1)]
    order = [open_units.index(unit) for unit in units]

    def go(at: int, rest: int, chosen: list[int]) -> Iterator[tuple[int, ...]]:
        if at == len(units):
            if rest == 0:
                points = [0] * len(units)
                for place, value in zip(order, chosen, strict=True):
                    points[place] = value
                yield tuple(points)
            return
        unit = units[at]
        mode = g.mode[unit]
        top = rooms[at]
        if at and units[at - 1] != lead and (LETTER[unit], mode) == (LETTER[units[at - 1]], g.mode[units[at - 1]]):
            top = min(top, chosen[-1])
        low = 1 if unit == lead and mode != DUG else 0
        for share in range(min(top, rest), low - 1, -1):
            if mode == DUG and share not in (0, DUG_PRICE):
                continue
            if rest - share <= tails[at + 1]:
                yield from go(at + 1, rest - share, [*chosen, share])

    yield from go(0, left, [])

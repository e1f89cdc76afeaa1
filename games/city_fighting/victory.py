"""6, 8.1, 10.4. Victory points, degrees of victory, and how OPs come and go."""

from games.city_fighting import tables as t
from games.city_fighting.board import NOWHERE, TAKEN, Board, battle_place, controls, occupied, placed
from games.kernel.table import Table


def points(g: Board) -> dict[str, int]:
    """6.1, 6.2. Every item of the account; their sum is the result."""
    contested = battle_place(g)
    chopper = t.CHOPPER_VP if g.chopper == TAKEN else 0 if g.chopper == NOWHERE else -t.CHOPPER_VP
    return {
        "occupied": len(occupied(g, contested)),
        "captured": sum(t.NODE_VP[node] for node in g.captured),
        "kia": g.kia,
        "msr": t.MSR_VP if all(controls(g, place, contested) for place in t.MSR) else 0,
        "helicopter": chopper,
        "hvt": sum(t.OPFOR_CONTACT[unit] for unit in g.hvt_dead),
        "nodes left": -len(placed(g.down)) - len(placed(g.shown)),
    }


def total(g: Board) -> int:
    return sum(points(g).values())


def degree(vp: int) -> str:
    """6.3."""
    for least, name in t.DEGREES:
        if vp >= least:
            return name
    return "Debacle"


def is_cleared(g: Board) -> bool:
    """8.1 (b), R6. No node and no Downed Helicopter is left on the map."""
    return g.chopper < 0 and max(g.down) < 0 and max(g.shown) < 0


def gain_ops(g: Board, table: Table, count: int, why: str) -> None:
    if count:
        g.ops += count
        table.tell("ops-gained", count=count, why=why, ops=g.ops)


def lose_ops(g: Board, table: Table, count: int, why: str) -> bool:
    """10.4, R5. An involuntary loss; True if it has ended the scenario, there and then."""
    if not count:
        return False
    g.ops -= count
    table.tell("ops-lost", count=count, why=why, ops=g.ops)
    if g.ops > 0:
        return False
    end_scenario(g, "ops")
    return True


def end_scenario(g: Board, why: str) -> None:
    """Everything pending is dropped; the bottom of the stack is the end of the scenario."""
    g.over = why
    del g.todo[1:]

"""8.4, 10. What each seat may know: everything except concealed nodes and the Node bin."""

from collections import Counter
from typing import Any

from games.city_fighting import tables as t
from games.city_fighting.board import NOWHERE, TAKEN, Board, Fight, placed
from games.city_fighting.fight import coalition_edge, opfor_edge, side
from games.city_fighting.victory import degree, points
from games.kernel.steps import question
from games.kernel.table import Table


def view(g: Board) -> dict[str, Any]:
    """All Coalition seats see the same."""
    account = points(g)
    vp = sum(account.values())
    units = {}
    for unit, at in enumerate(g.loc):
        if at == t.RECRUIT:
            continue
        entry: dict[str, Any] = {"at": t.BOX_IDS[at], "reduced": bool(g.reduced[unit])}
        if g.seats > 1 and at < t.PLACES:
            entry["owner"] = t.SEATS[g.owner[unit]]
        if unit in g.leader:
            entry["leader"] = t.LEADER_IDS[g.leader.index(unit)]
        units[t.UNIT_IDS[unit]] = entry
    nodes: dict[str, Any] = {t.PLACE_IDS[place]: {"up": False} for place, _ in placed(g.down)}
    nodes.update({t.PLACE_IDS[p]: {"up": True, "id": t.NODE_IDS[node]} for p, node in placed(g.shown)})
    unseen = Counter(t.NODE_TYPE[node] for node in (*g.node_bin, *(node for _, node in placed(g.down))))
    return {
        "scenario": g.scenario,
        "campaign": g.campaign,
        "first_battle": {"vp": g.first_vp, "kia": g.first_kia} if g.campaign == 2 else None,
        "options": {
            "joint": g.joint,
            "networked": g.networked,
            "interdiction": g.interdiction,
            "historical": g.historical,
            "seats": g.seats,
            "mode": g.mode,
            "individual": g.individual,
        },
        "turn": t.SEATS[g.turn],
        "operation": g.operation,
        "ops": g.ops,
        "kia": g.kia,
        "morale": t.LEVELS[g.morale],
        "picks": t.PICKS[g.morale],
        "vp": vp,
        "degree": degree(vp),
        "points": account,
        "negotiated": g.negotiated,
        "units": units,
        "recruits": [t.UNIT_IDS[unit] for unit, at in enumerate(g.loc) if at == t.RECRUIT],
        "leaders": {t.LEADER_IDS[n]: t.UNIT_IDS[h] if h >= 0 else "recruit" for n, h in enumerate(g.leader)},
        "strikes": {t.STRIKE_IDS[n]: t.MARKER_BOXES[box] for n, box in enumerate(g.strike)},
        "netwars": {t.NETWAR_IDS[n]: t.MARKER_BOXES[box] for n, box in enumerate(g.netwar)},
        "intel": [t.COUNTER_IDS[counter] for counter in g.intel],
        "nodes": nodes,
        "helicopter": helicopter(g),
        "node_bin": len(g.node_bin),
        "unseen_nodes": dict(sorted(unseen.items())),
        "reaction_bin": dict(sorted(Counter(t.COUNTER_TYPE[counter] for counter in g.bin).items())),
        "captured": [t.NODE_IDS[node] for node in g.captured],
        "nodes_gone": [t.NODE_IDS[node] for node in g.gone],
        "hvt_dead": [t.COUNTER_IDS[unit] for unit in g.hvt_dead],
        "events_in_play": [t.COUNTER_IDS[counter] for counter in g.in_play],
        "removed": [t.COUNTER_IDS[counter] for counter in g.removed],
        "blown": [t.BRIDGE_IDS[n] for n, gone in enumerate(g.blown) if gone],
        "opfor": [t.COUNTER_IDS[unit] for unit in g.opfor],
        "credit": {t.SEATS[n]: {"nodes": g.credit_nodes[n], "kia": g.credit_kia[n]} for n in range(g.seats)},
        "battle": battle(g),
        "move": movement(g),
        "over": g.over if not g.todo else "",
    }


def helicopter(g: Board) -> str:
    if g.chopper == TAKEN:
        return "captured"
    return "" if g.chopper == NOWHERE else t.PLACE_IDS[g.chopper]


def battle(g: Board) -> dict[str, Any] | None:
    """The battle in progress, if any: both sides, sums, hits to allot."""
    decision = question(g)
    fight: Fight | None = getattr(decision, "fight", None)
    if fight is None:
        return None
    units = side(g, fight)
    return {
        "space": t.PLACE_IDS[fight.place],
        "round": fight.round,
        "units": [t.UNIT_IDS[unit] for unit in units],
        "opfor": [t.COUNTER_IDS[unit] for unit in g.opfor],
        "civilians": fight.civilians,
        "martyrs": fight.martyrs,
        "ambush": fight.ambush if fight.round == 1 else 0,
        "hits": getattr(decision, "hits", 0),
        "best": max((coalition_edge(g, fight, unit, False) for unit in units), default=0),
        "against": opfor_edge(g, fight),
        "stands": fight.martyrs or t.STAND[g.morale][t.TERRAIN[fight.place]],
        "question": type(decision).__name__,
    }


def movement(g: Board) -> dict[str, Any] | None:
    """The force being formed or moved, if any."""
    decision = question(g)
    force = getattr(decision, "force", None)
    if getattr(decision, "fight", None) is not None or not hasattr(decision, "place"):
        return None
    units = force.units if force is not None and hasattr(force, "units") else getattr(decision, "units", ())
    return {
        "space": t.PLACE_IDS[decision.place],  # type: ignore[union-attr]
        "units": [t.UNIT_IDS[unit] for unit in units],
        "left": force.allowance - force.spent if force is not None and hasattr(force, "units") else 0,
    }


def imagine(g: Board, table: Table) -> Board:
    """Concealed nodes and the Node bin dealt afresh from the nodes nobody has seen."""
    twin = g.clone()
    hidden = placed(g.down)
    pool = sorted((*g.node_bin, *(node for _, node in hidden)))
    for place, _ in hidden:
        twin.down[place] = pool.pop(table.draw(len(pool)))
    twin.node_bin = pool
    return twin

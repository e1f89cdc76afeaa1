"""15, 16.1. Questions about the battle in progress."""

from games.city_fighting import tables as t
from games.city_fighting.board import NOWHERE, Board, Fight, node_type, put_back, steps_of
from games.kernel.errors import Fact


def side(g: Board, fight: Fight) -> list[int]:
    """The Coalition units still in the battle."""
    loc, place = g.loc, fight.place
    return [unit for unit in fight.units if loc[unit] == place]


def battle_facts(g: Board, fight: Fight) -> dict[str, Fact]:
    place = t.PLACE_IDS[fight.place].lower()
    return {
        "area": place,
        "space": place,
        "terrain": t.TERRAINS[t.TERRAIN[fight.place]],
        "round": fight.round,
        "steps": steps_of(g, side(g, fight)),
        "enemies": len(g.opfor),
        "best_contact": best_contact(g),
        "strongpoint": node_type(g, fight.place) == "strongpoint",
        "civilians": fight.civilians,
        "ops": g.ops,
        "morale": t.LEVELS[g.morale],
        "netwars": g.netwar.count(t.AVAILABLE) + len(g.intel),
    }


def best_contact(g: Board) -> int:
    return max((t.OPFOR_CONTACT[unit] for unit in g.opfor), default=0)


def near_fob(g: Board, place: int) -> bool:
    """28.2. A FOB in the space or next to it."""
    near = t.NEIGHBOURS[place]
    return any(g.loc[fob] == place or g.loc[fob] in near for fob in t.FOBS)


def coalition_edge(g: Board, fight: Fight, lead: int, networked: bool) -> int:
    """16.1 (2), R19. The sum before the die."""
    total = t.CONTACT[g.reduced[lead]][lead] + networked + near_fob(g, fight.place)
    return total + any(holder >= 0 and holder in fight.units and g.loc[holder] == fight.place for holder in g.leader)


def opfor_edge(g: Board, fight: Fight) -> int:
    """16.1 (2), R42. The sum before the die."""
    total = best_contact(g) + (node_type(g, fight.place) in ("al_qaeda", "c2"))
    return total + (fight.ambush if fight.round == 1 else 0)


def clear_opfor(g: Board) -> None:
    for unit in g.opfor:
        put_back(g, unit)
    g.opfor.clear()
    g.contested = NOWHERE

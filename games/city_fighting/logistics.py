"""18. J-4: refit, bridge repair, Forward Operations Bases."""

from collections.abc import Iterator

from games.city_fighting import tables as t
from games.city_fighting.board import Board
from games.kernel.steps import Action
from games.kernel.table import Table


def logistics(g: Board) -> Iterator[Action]:
    """Every J-4 operation that would do something."""
    if 1 in g.reduced:
        hurt = {at for unit, at in enumerate(g.loc) if g.reduced[unit] and at < t.PLACES}
        depots = {g.loc[unit] for unit in (*t.FOBS, *t.AMTRACS)}
        for place in sorted(hurt):
            if place >= t.SPACES or place in depots:
                yield t.REFIT[place]
    for bridge in range(len(t.BRIDGE_IDS)):
        if g.blown[bridge] and any(g.loc[unit] == t.BRIDGE_SPACES[bridge] for unit in t.ENGINEERS):
            yield t.REPAIR[bridge]
    if g.ops >= t.FOB_PRICE and any(g.loc[fob] == t.RECRUIT for fob in t.FOBS):
        built = {g.loc[fob] for fob in t.FOBS}
        sites = {g.loc[unit] for unit in t.ENGINEERS if g.loc[unit] < t.SPACES}
        for place in sorted(sites - built):
            yield t.BUILD[place]


def refit(g: Board, table: Table, place: int) -> None:
    """18.1 to 18.3. Every reduced unit in the place is whole again; KIA stays."""
    for unit, at in enumerate(g.loc):
        if at == place and g.reduced[unit]:
            g.reduced[unit] = 0
            table.tell("refitted", unit=t.UNIT_IDS[unit], place=t.PLACE_IDS[place])


def repair(g: Board, table: Table, bridge: str) -> None:
    """18.4. The bridge stands again."""
    g.blown[t.BRIDGE_IDS.index(bridge)] = 0
    table.tell("bridge-repaired", bridge=bridge)


def build(g: Board, table: Table, place: int) -> None:
    """18.5, R28. Three OPs in all; the menu has taken the first."""
    g.ops -= t.FOB_PRICE - 1
    fob = next(fob for fob in t.FOBS if g.loc[fob] == t.RECRUIT)
    g.loc[fob] = place
    g.owner[fob] = g.turn
    table.tell("fob-built", unit=t.UNIT_IDS[fob], place=t.PLACE_IDS[place])

"""7.1 (2), 11. Buying at set-up and in a J-1 operation."""

from collections.abc import Iterator
from itertools import chain

from games.city_fighting import tables as t
from games.city_fighting.board import Board, may_use, room
from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision
from games.kernel.table import Seat, Table


def rounded(quarters: int) -> int:
    """11.1, R9. One running sum, rounded up."""
    return -(-quarters // 4)


def price(g: Board, unit: int) -> int:
    """11.1 in quarter OPs; doubled by Uprising Elsewhere."""
    return t.COST[unit] * 2 if g.in_play else t.COST[unit]


def may_recruit(g: Board, unit: int) -> bool:
    """11.2, 34. In the recruit box, not a FOB, of the period if the historical order of battle is used."""
    return (
        g.loc[unit] == t.RECRUIT
        and not t.FOB[unit]
        and (not g.historical or t.SCENARIO_TAG[g.scenario] in t.OOB[unit])
        and may_use(g, unit)
    )


def wares(g: Board, most: int) -> Iterator[tuple[Action, ...]]:
    """`done`, and everything in the recruit box that costs at most so many quarters; a row of actions a thing."""
    yield (t.DONE,)
    if most < 1:
        return
    fobs = [g.loc[fob] for fob in t.FOBS if g.loc[fob] < t.SPACES]
    factor = 2 if g.in_play else 1
    simple = not g.historical and g.seats == 1
    for unit in t.MOVERS:
        if g.loc[unit] == t.RECRUIT and t.COST[unit] * factor <= most and (simple or may_recruit(g, unit)):
            yield t.BUY_AT_BASES[unit]
            if fobs:
                yield tuple(t.BUY[unit][place] for place in fobs if room(g, place, (unit,)))
    for strike, box in enumerate(g.strike):
        if box == t.IN_RECRUIT and t.STRIKE_COST[strike] <= most:
            yield (t.BUY_STRIKE[strike],)
    if most >= t.NETWAR_COST:
        for marker, box in enumerate(g.netwar):
            if box == t.IN_RECRUIT:
                yield (t.BUY_NETWAR[marker],)


def acquire(g: Board, table: Table, item: str, place: str) -> int:
    """Move one thing out of the recruit box; its price in quarters."""
    unit = t.UNIT.get(item)
    if unit is not None:
        g.loc[unit] = t.PLACE[place]
        g.owner[unit] = g.turn
        table.tell("bought", item=item, place=place)
        return price(g, unit)
    table.tell("bought", item=item)
    strike = t.STRIKE.get(item)
    if strike is not None:
        g.strike[strike] = t.AVAILABLE
        return t.STRIKE_COST[strike]
    g.netwar[t.NETWAR[item]] = t.AVAILABLE
    return t.NETWAR_COST


class SetUp(Decision, frozen=True):
    """7.1 (2), R3, R49. Buy the opening force; one OP at least must remain."""

    seat: int
    ceiling: int
    quarters: int = 0

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[self.seat],)

    def purse(self, g: Board) -> int:
        """Quarter OPs that may still be spent."""
        paid = rounded(self.quarters)
        return 4 * (paid + min(g.ops - 1, self.ceiling - paid)) - self.quarters

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        return chain.from_iterable(wares(g, self.purse(g)))

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"ops": g.ops, "left": self.purse(g)}

    def buy(self, g: Board, table: Table, item: str, place: str = "") -> None:
        quarters = self.quarters + acquire(g, table, item, place)
        g.ops -= rounded(quarters) - rounded(self.quarters)
        g.do(SetUp(self.seat, self.ceiling, quarters))

    def done(self, g: Board, table: Table) -> None:
        table.tell("set-up", seat=t.SEATS[self.seat], ops=g.ops)
        g.turn = self.seat + 1 if self.seat + 1 < g.seats else 0


class Recruit(Decision, frozen=True):
    """11. J-1: any number of purchases, to bases or to a FOB within stacking."""

    quarters: int = 0

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def purse(self, g: Board) -> int:
        return 4 * (rounded(self.quarters) + g.ops) - self.quarters

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        return chain.from_iterable(wares(g, self.purse(g)))

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"ops": g.ops, "left": self.purse(g)}

    def buy(self, g: Board, table: Table, item: str, place: str = "") -> None:
        quarters = self.quarters + acquire(g, table, item, place)
        g.ops -= rounded(quarters) - rounded(self.quarters)
        g.do(Recruit(quarters))

    def done(self, g: Board, table: Table) -> None:
        table.tell("recruited", price=rounded(self.quarters), ops=g.ops)

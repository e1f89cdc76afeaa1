"""12, 19, 22. NetWar markers: J-2 reconnaissance and J-5 information warfare."""

from collections.abc import Iterator

from games.city_fighting import tables as t
from games.city_fighting.board import Board, barred, has_network, put_back, spend_network, turn_up
from games.city_fighting.victory import gain_ops, lose_ops
from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision
from games.kernel.table import Seat, Table


def isr_targets(g: Board) -> Iterator[int]:
    """12.1. Spaces with a concealed node."""
    for place, node in enumerate(g.down):
        if node >= 0 and not barred(g, place):
            yield place


class PlaceIsr(Decision, frozen=True):
    """12. J-2: all markers are placed before any die is rolled."""

    always_ask = True  # a first marker placed by itself would make a typed one the second

    placed: tuple[int, ...] = ()

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        if self.placed:
            yield t.DONE
        if has_network(g):
            for place in isr_targets(g):
                yield t.ISR[place]

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"ops": g.ops, "placed": len(self.placed), "netwars": g.netwar.count(t.AVAILABLE) + len(g.intel)}

    def isr(self, g: Board, table: Table, place: str) -> None:
        spend_network(g)
        step = PlaceIsr((*self.placed, t.PLACE[place]))
        if has_network(g):
            g.do(step)
        else:
            step.done(g, table)

    def done(self, g: Board, table: Table) -> None:
        for place, die in zip(self.placed, table.d6(len(self.placed)), strict=True):
            if die >= t.ISR_FINDS and g.down[place] >= 0:
                node = turn_up(g, place)
                table.tell("isr-found", place=t.PLACE_IDS[place], die=die, node=t.NODE_IDS[node])
            else:
                table.tell("isr-nothing", place=t.PLACE_IDS[place], die=die)


class CommitInfoWar(Decision, frozen=True):
    """19. J-5: markers are committed, then all dice fall at once, and the net result counts."""

    always_ask = True

    count: int = 0

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        if self.count:
            yield t.DONE
        for counter in g.intel:
            yield t.COMMIT_INTEL[counter]
        for marker, box in enumerate(g.netwar):
            if box == t.AVAILABLE:
                yield t.COMMIT_NETWAR[marker]

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"ops": g.ops, "committed": self.count}

    def commit(self, g: Board, table: Table, marker: str) -> None:
        if marker in t.NETWAR:
            g.netwar[t.NETWAR[marker]] = t.ASIDE
        else:
            g.intel.remove(t.COUNTER[marker])
            put_back(g, t.COUNTER[marker])  # R29
        step = CommitInfoWar(self.count + 1)
        if has_network(g):
            g.do(step)
        else:
            step.done(g, table)

    def done(self, g: Board, table: Table) -> None:
        dice = table.d6(self.count)
        net = sum(t.INFOWAR[die] for die in dice)
        table.tell("infowar", dice=" ".join(map(str, dice)), net=net)
        if net < 0:
            lose_ops(g, table, -net, "infowar")
        else:
            gain_ops(g, table, net, "infowar")

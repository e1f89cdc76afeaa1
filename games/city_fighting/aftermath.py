"""17, 20.3, 29. What follows a battle: defeat, victory, a leader, the capture."""

from collections.abc import Iterator

from games.city_fighting import tables as t
from games.city_fighting.board import NOWHERE, TAKEN, Board, Fight, Force
from games.city_fighting.fight import battle_facts, clear_opfor, side
from games.city_fighting.victory import gain_ops, lose_ops
from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision, Step
from games.kernel.table import Seat, Table


class Lost(Step, frozen=True):
    """17. OPFOR goes back to the bin, the node stays face up and costs OPs."""

    fight: Fight

    def run(self, g: Board, table: Table) -> None:
        place = self.fight.place
        clear_opfor(g)
        table.tell("lost", place=t.PLACE_IDS[place])
        node = g.shown[place]
        cost = (t.NODE_OPS[node] if node >= 0 else 0) + (t.CHOPPER_OPS if g.chopper == place else 0)
        lose_ops(g, table, cost, "defeat")


class Won(Step, frozen=True):
    """17, 29.1. Perhaps a leader; then the capture, or on with the move."""

    fight: Fight

    def run(self, g: Board, table: Table) -> None:
        fight = self.fight
        table.tell("won", place=t.PLACE_IDS[fight.place])
        g.won = True
        g.contested = NOWHERE
        g.do(Capture(fight.place, fight.force))
        dice = table.d6(2)
        if sum(dice) in (2, 12) and NOWHERE in g.leader and leaderless(g, fight):
            table.tell("leader-found", dice=sum(dice))
            g.do(AwardLeader(fight))


def leaderless(g: Board, fight: Fight) -> list[int]:
    return [unit for unit in side(g, fight) if unit not in g.leader]


class AwardLeader(Decision, frozen=True):
    """29.1, R25. One leader of the recruit box joins a winning unit that has none."""

    fight: Fight

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        for leader, holder in enumerate(g.leader):
            if holder == NOWHERE:
                for unit in leaderless(g, self.fight):
                    yield t.AWARD[leader][unit]

    def facts(self, g: Board) -> dict[str, Fact]:
        return battle_facts(g, self.fight)

    def leader(self, g: Board, table: Table, leader: str, unit: str) -> None:
        g.leader[t.LEADER[leader]] = t.UNIT[unit]
        table.tell("leader", leader=leader, unit=unit)


class Capture(Step, frozen=True):
    """17, 20.3, R26, R27. Boots on the ground take the node and the Downed Helicopter."""

    place: int
    force: Force
    fought: bool = True

    def run(self, g: Board, table: Table) -> None:
        place = self.place
        units = [unit for unit in self.force.units if g.loc[unit] == place and t.GROUND[unit]]
        node = g.shown[place]
        if not units or (node < 0 and g.chopper != place):
            return
        g.won = False
        gain = 0
        if node >= 0:
            g.shown[place] = NOWHERE
            g.captured.append(node)
            g.captured.sort()
            g.credit_nodes[g.turn] += 1
            table.tell("captured", place=t.PLACE_IDS[place], node=t.NODE_IDS[node])
            gain = t.NODE_OPS[node]
            if t.NODE_TYPE[node] == "hostage" and any(t.SOF[unit] for unit in units):
                gain += t.HOSTAGE_OPS
        if g.chopper == place:
            g.chopper = TAKEN
            g.credit_nodes[g.turn] += 1
            table.tell("helicopter-secured", place=t.PLACE_IDS[place])
            gain += t.CHOPPER_OPS
        gain_ops(g, table, gain, "capture")

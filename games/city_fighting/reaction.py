"""7.2, 9, 14, 20. OPFOR reaction: the node, the picks, the events; then the battle."""

from games.city_fighting import tables as t
from games.city_fighting.aftermath import Capture
from games.city_fighting.board import (
    Board,
    Fight,
    Force,
    ground_in,
    hit,
    leave_map,
    node_type,
    occupied,
    put_back,
    turn_up,
    units_in,
)
from games.city_fighting.combat import ChooseLead
from games.city_fighting.victory import gain_ops, lose_ops
from games.kernel.steps import Step
from games.kernel.table import Table


def check_morale(g: Board, table: Table) -> None:
    """9.2. Three dice against the occupied objective and mosque spaces."""
    total, held = sum(table.d6(3)), len(occupied(g))
    g.morale = max(g.morale - 1, 0) if total <= held else min(g.morale + 1, len(t.LEVELS) - 1)
    table.tell("morale-check", total=total, held=held, morale=t.LEVELS[g.morale])


def strike_revealed(g: Board, table: Table, place: int) -> None:
    """20.1, node chart. What a node does at the instant Coalition presence turns it face up."""
    kind = node_type(g, place)
    if kind == "al_qaeda":
        check_morale(g, table)
    elif kind == "ied":
        ground = ground_in(g, place)
        if any(t.ENGINEER[unit] for unit in ground):
            table.tell("ied-cleared", place=t.PLACE_IDS[place])
            return
        for unit, die in zip(ground, table.d6(len(ground)), strict=True):
            table.tell("ied-die", place=t.PLACE_IDS[place], unit=t.UNIT_IDS[unit], die=die)
            if die == 6:
                hit(g, table, unit)


def random_place(table: Table) -> int:
    """7.2. One die for the route, two for the phase line."""
    route, first, second = table.d6(3)
    return t.PLACE[f"{route}-{first + second}"]


def pick(g: Board, table: Table, count: int) -> list[int]:
    """Counters out of the Reaction bin, as long as there are any."""
    found = []
    for _ in range(min(count, len(g.bin))):
        counter = g.bin.pop(table.draw(len(g.bin)))
        table.tell("picked", counter=t.COUNTER_IDS[counter])
        g.drawn.append(counter)
        found.append(counter)
    return found


class React(Step, frozen=True):
    """14.1 to 14.3. Turn the node up, apply it, and pick."""

    place: int
    force: Force
    fresh: bool = False

    def run(self, g: Board, table: Table) -> None:
        fresh = self.fresh
        if g.down[self.place] >= 0:
            node = turn_up(g, self.place)
            table.tell("node-shown", place=t.PLACE_IDS[self.place], node=t.NODE_IDS[node])
            fresh = True
        if fresh:
            strike_revealed(g, table, self.place)
            if all(g.loc[unit] != self.place for unit in self.force.units):
                return  # R17
        count = t.PICKS[g.morale] + (node_type(g, self.place) == "arms_cache")
        pick(g, table, count)
        Events(g, table, self.place, self.force).execute()


class Events:
    """14.3, 14.5, 14.7. One reaction: events in the order picked, then the units."""

    def __init__(self, g: Board, table: Table, place: int, force: Force) -> None:
        self.g, self.table, self.place, self.force = g, table, place, force
        self.ambush = 0
        self.civilians = self.martyrs = False
        self.mobs: list[int] = []

    def execute(self) -> None:
        g, table = self.g, self.table
        done = 0
        while done < len(g.drawn):
            counter = g.drawn[done]
            done += 1
            if counter >= t.OPFOR_UNITS:
                getattr(self, "on_" + t.COUNTER_TYPE[counter])(counter)
                if g.over:
                    return
        self.clear_away()
        here = units_in(g, self.place)
        force_left = any(unit in here for unit in self.force.units)
        helos = [unit for unit in here if t.HELO[unit]]
        if not force_left and not helos:  # R17, R46
            self.stand_down()
        elif g.opfor:
            g.contested = self.place
            table.tell("battle", place=t.PLACE_IDS[self.place], units=" ".join(t.COUNTER_IDS[unit] for unit in g.opfor))
            units = tuple(unit for unit in (*self.force.units, *helos) if g.loc[unit] == self.place)
            fight = Fight(
                self.place,
                tuple(dict.fromkeys(units)),
                self.force,
                1,
                self.ambush,
                self.civilians,
                self.martyrs,
            )
            g.do(ChooseLead(fight))
        else:
            g.do(Capture(self.place, self.force, fought=False))

    def clear_away(self) -> None:
        """R18. Markers to return go back together; units and Mobs are placed in the space."""
        g = self.g
        for counter in g.drawn:
            if counter < t.OPFOR_UNITS or counter in self.mobs:
                g.opfor.append(counter)
            elif t.DISPOSITION[counter] == "return":
                put_back(g, counter)
        g.drawn.clear()

    def stand_down(self) -> None:
        for counter in self.g.opfor:
            put_back(self.g, counter)
        self.g.opfor.clear()

    # --- the event chart, in its order -----------------------------------------------------------------

    def extra(self) -> None:
        pick(self.g, self.table, 1)

    def on_ambush(self, counter: int) -> None:
        self.ambush += 1
        self.extra()

    def on_blow_bridges(self, counter: int) -> None:
        """R37. Not a bridge whose named space holds ground units."""
        g, table = self.g, self.table
        g.removed.append(counter)
        for bridge, place in enumerate(t.BRIDGE_SPACES):
            if not g.blown[bridge] and not ground_in(g, place):
                die = table.d6()[0]
                g.blown[bridge] = int(die >= t.BLOW)
                key = "bridge-blown" if g.blown[bridge] else "bridge-held"
                table.tell(key, bridge=t.BRIDGE_IDS[bridge], die=die)

    def on_civilians(self, counter: int) -> None:
        self.civilians = True

    def on_deception(self, counter: int) -> None:
        pass

    def on_downed_helicopter(self, counter: int) -> None:
        """R4, R45. It may share a space with a node."""
        self.g.chopper = random_place(self.table)
        self.table.tell("helicopter-down", place=t.PLACE_IDS[self.g.chopper])

    def on_intel(self, counter: int) -> None:
        self.g.intel.append(counter)
        self.g.intel.sort()

    def on_iraqis_balk(self, counter: int) -> None:
        g, table = self.g, self.table
        g.removed.append(counter)
        units = [unit for unit in t.BALKERS if g.loc[unit] < t.PLACES]
        for unit, die in zip(units, table.d6(len(units)), strict=True):
            if die >= t.BALK:
                leave_map(g, unit, t.DESERTED)
                table.tell("deserted", unit=t.UNIT_IDS[unit], die=die)
            else:
                table.tell("loyal", unit=t.UNIT_IDS[unit], die=die)

    def on_martyrs(self, counter: int) -> None:
        self.martyrs = True
        self.extra()

    def on_media_wars(self, counter: int) -> None:
        die = self.table.d6()[0]
        if die % 2:
            gain_ops(self.g, self.table, die, "media")
        else:
            lose_ops(self.g, self.table, die, "media")

    def on_mob_attack(self, counter: int) -> None:
        self.mobs.append(counter)

    def on_morale_check(self, counter: int) -> None:
        check_morale(self.g, self.table)

    def on_negotiations(self, counter: int) -> None:
        """R48. Paid when the operation is complete; with no OPs left, another counter instead."""
        g = self.g
        g.removed.append(counter)
        if g.scenario != "vigilant":
            return
        if g.ops > 0:
            die = self.table.d6()[0]
            g.negotiated += die
            self.table.tell("negotiations", die=die)
        else:
            self.extra()

    def on_rear_area_raid(self, counter: int) -> None:
        """14.7, R36, R45. A new node; among Coalition units it is face up at once."""
        g, table = self.g, self.table
        if not g.node_bin:
            return
        place = random_place(table)
        while g.down[place] >= 0 or g.shown[place] >= 0:
            place = random_place(table)
        seen = place in g.loc
        node = g.node_bin.pop(table.draw(len(g.node_bin), secret=not seen))
        if not seen:
            g.down[place] = node
            table.tell("raid", place=t.PLACE_IDS[place])
            return
        g.shown[place] = node
        table.tell("raid-seen", place=t.PLACE_IDS[place], node=t.NODE_IDS[node])
        strike_revealed(g, table, place)
        if place == self.place and t.NODE_TYPE[node] == "arms_cache":
            self.extra()

    def on_uprising(self, counter: int) -> None:
        self.g.in_play.append(counter)

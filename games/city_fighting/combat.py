"""15, 16. Battles: edge, support, fire, losses, stand or break off, withdrawal."""

from collections.abc import Iterator

from games.city_fighting import tables as t
from games.city_fighting.aftermath import Lost, Won
from games.city_fighting.board import Board, Fight, barred, count_kia, has_network, hit, node_type, put_back, steps_of
from games.city_fighting.fight import battle_facts, clear_opfor, coalition_edge, opfor_edge, side
from games.city_fighting.victory import lose_ops
from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision, Step
from games.kernel.table import Seat, Table

Mobs = tuple[tuple[int, int], ...]  # each Mob Attack and its strength this round


class ChooseLead(Decision, frozen=True):
    """16.1 (2a). One unit leads this round."""

    fight: Fight

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        for unit in side(g, self.fight):
            yield t.LEAD[unit]

    def facts(self, g: Board) -> dict[str, Fact]:
        return battle_facts(g, self.fight)

    def lead(self, g: Board, table: Table, unit: str) -> None:
        g.lead = t.UNIT[unit]
        if has_network(g) and not barred(g, self.fight.place):
            g.do(ChooseNetwar(self.fight, g.lead))
        else:
            g.do(RollEdge(self.fight, g.lead))


class ChooseNetwar(Decision, frozen=True):
    """12.3, 16.1 (2c). One NetWar or Intel for the edge, or none."""

    fight: Fight
    lead: int

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        yield t.NO
        for counter in g.intel:
            yield t.INTEL_WITH[counter]
        for marker, box in enumerate(g.netwar):
            if box == t.AVAILABLE:
                yield t.NETWAR_WITH[marker]

    def facts(self, g: Board) -> dict[str, Fact]:
        return battle_facts(g, self.fight)

    def no(self, g: Board, table: Table) -> None:
        g.do(RollEdge(self.fight, self.lead))

    def netwar(self, g: Board, table: Table, marker: str) -> None:
        if marker in t.NETWAR:
            g.netwar[t.NETWAR[marker]] = t.IN_RECRUIT
        else:
            g.intel.remove(t.COUNTER[marker])
            put_back(g, t.COUNTER[marker])
        g.do(RollEdge(self.fight, self.lead, True))


class RollEdge(Step, frozen=True):
    """16.1 (2). Higher total has the Tactical Edge; ties go to the Coalition in the open, else to OPFOR."""

    fight: Fight
    lead: int
    networked: bool = False

    def run(self, g: Board, table: Table) -> None:
        fight = self.fight
        ours, theirs = table.d6(2)
        our_sum = coalition_edge(g, fight, self.lead, self.networked)
        their_sum = opfor_edge(g, fight)
        margin = our_sum + ours - their_sum - theirs
        first = margin > 0 or (margin == 0 and t.TERRAIN[fight.place] == t.OPEN)
        table.tell(
            "edge",
            place=t.PLACE_IDS[fight.place],
            round=fight.round,
            lead=t.UNIT_IDS[self.lead],
            ours=our_sum,
            our_die=ours,
            theirs=their_sum,
            their_die=theirs,
            edge="coalition" if first else "opfor",
        )
        if t.AVAILABLE in g.strike and not barred(g, fight.place):
            g.do(ChooseStrikes(fight, first))
        else:
            g.do(Battle(fight, first))


class ChooseStrikes(Decision, frozen=True):
    """16.1 (3a), 23.2. Any number of available strikes."""

    fight: Fight
    edge: bool

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        yield t.DONE
        for strike, box in enumerate(g.strike):
            if box == t.AVAILABLE:
                yield t.STRIKE_WITH[strike]

    def facts(self, g: Board) -> dict[str, Fact]:
        return {**battle_facts(g, self.fight), "edge": "coalition" if self.edge else "opfor"}

    def strike(self, g: Board, table: Table, strike: str) -> None:
        g.strike[t.STRIKE[strike]] = t.COMMITTED
        g.do(self)

    def done(self, g: Board, table: Table) -> None:
        g.do(Battle(self.fight, self.edge))


class Battle(Step, frozen=True):
    """16.1 (3). Mobs find their strength; the side with the edge fires first, the survivors of the other answer."""

    fight: Fight
    edge: bool

    def run(self, g: Board, table: Table) -> None:
        crowd = [unit for unit in g.opfor if unit >= t.OPFOR_UNITS]
        mobs: Mobs = (
            tuple((mob, die % 6) for mob, die in zip(crowd, table.d6(len(crowd)), strict=True)) if crowd else ()
        )
        for mob, strength in mobs:
            table.tell("mob", counter=t.COUNTER_IDS[mob], strength=strength)
        if self.edge:
            g.do(CoalitionFire(self.fight, mobs), OpforFire(self.fight, mobs), RoundEnd(self.fight))
        else:
            g.do(OpforFire(self.fight, mobs), CoalitionFire(self.fight, mobs), RoundEnd(self.fight))


class CoalitionFire(Step, frozen=True):
    """16.2, 16.5, 16.8, 23.5. All dice, then OPFOR losses, weakest first, then collateral damage."""

    fight: Fight
    mobs: Mobs = ()

    def run(self, g: Board, table: Table) -> None:
        place = self.fight.place
        units = side(g, self.fight)
        if not units:
            return
        strikes = [strike for strike, box in enumerate(g.strike) if box == t.COMMITTED]
        dice = table.d6(len(units) + len(strikes))
        hits = sixes = 0
        shots = []
        for unit, die in zip(units, dice, strict=False):
            power = t.FIREPOWER[g.reduced[unit]][unit]
            hits += die <= power
            sixes += die == 6 and self.fight.civilians
            shots.append(f"{t.UNIT_IDS[unit]}:{power}:{die}")
        for strike, die in zip(strikes, dice[len(units) :], strict=True):
            hits += die <= t.STRIKE_FIREPOWER[strike]
            sixes += die == 6 and t.STRIKE_TYPE[strike] != "soa"  # 23.4
            shots.append(f"{t.STRIKE_IDS[strike]}:{t.STRIKE_FIREPOWER[strike]}:{die}")
        losses = hits
        if node_type(g, place) == "strongpoint" and not any(t.ENGINEER[unit] for unit in units):
            losses = max(hits - 1, 0)
        if t.TERRAIN[place] == t.OPEN:
            losses *= 2
        table.tell("fire", place=t.PLACE_IDS[place], shots=" ".join(shots), hits=hits, losses=losses)
        kill_weakest(g, table, losses, dict(self.mobs))
        if sixes and t.COLLATERAL[g.scenario][t.TERRAIN[place]]:
            lose_ops(g, table, sixes, "collateral")


def kill_weakest(g: Board, table: Table, count: int, mobs: dict[int, int]) -> None:
    """16.3, R20. Lowest firepower, then lowest contact, then id; a Mob counts this round's strength."""
    order = sorted(g.opfor, key=lambda unit: (mobs.get(unit, t.OPFOR_FIREPOWER[unit]), t.OPFOR_CONTACT[unit], unit))
    for unit in order[:count]:
        g.opfor.remove(unit)
        count_kia(g, 1)
        if unit in t.HVTS:
            g.hvt_dead.append(unit)
            g.hvt_dead.sort()
        else:
            put_back(g, unit)
        table.tell("killed", counter=t.COUNTER_IDS[unit])


class OpforFire(Step, frozen=True):
    """16.2, 16.3. OPFOR survivors fire; the seat chooses who is hit."""

    fight: Fight
    mobs: Mobs = ()

    def run(self, g: Board, table: Table) -> None:
        if not g.opfor:
            return
        mobs = dict(self.mobs)
        hits = 0
        shots = []
        for unit, die in zip(g.opfor, table.d6(len(g.opfor)), strict=True):
            power = mobs.get(unit, t.OPFOR_FIREPOWER[unit])
            hits += die <= power
            shots.append(f"{t.COUNTER_IDS[unit]}:{power}:{die}")
        table.tell("opfor-fire", place=t.PLACE_IDS[self.fight.place], shots=" ".join(shots), hits=hits)
        if hits:
            g.do(AllotHits(self.fight, hits))


class AllotHits(Step, frozen=True):
    """16.6. Hits beyond the last step are lost; when all die there is nothing to choose."""

    fight: Fight
    hits: int

    def run(self, g: Board, table: Table) -> None:
        units = side(g, self.fight)
        if self.hits < steps_of(g, units):
            g.do(TakeHits(self.fight, self.hits))
            return
        for unit in units:
            for _ in range(t.STEPS[unit] - g.reduced[unit]):
                hit(g, table, unit)


class TakeHits(Decision, frozen=True):
    """16.3. One unit for each hit; a two-step unit may take both."""

    fight: Fight
    hits: int

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        for unit in side(g, self.fight):
            yield t.HIT[unit]

    def facts(self, g: Board) -> dict[str, Fact]:
        return {**battle_facts(g, self.fight), "hits": self.hits}

    def hit(self, g: Board, table: Table, unit: str) -> None:
        hit(g, table, t.UNIT[unit])
        if self.hits > 1:
            g.do(TakeHits(self.fight, self.hits - 1))


class RoundEnd(Step, frozen=True):
    """16.1 (3d, 4). Support goes back; then the battle is won, lost, broken off or goes on."""

    fight: Fight

    def run(self, g: Board, table: Table) -> None:
        fight = self.fight
        if t.COMMITTED in g.strike:
            g.strike[:] = [t.IN_RECRUIT if box == t.COMMITTED else box for box in g.strike]
        if not g.opfor:
            g.do(Won(fight))
        elif not side(g, fight):
            g.do(Lost(fight))
        elif fight.martyrs or t.STAND[g.morale][t.TERRAIN[fight.place]]:
            g.do(StandOrWithdraw(fight))
        else:
            table.tell("broke-off", place=t.PLACE_IDS[fight.place], count=len(g.opfor))
            clear_opfor(g)
            g.do(Won(fight))


# --- withdrawal ----------------------------------------------------------------------------------------


def is_wet(g: Board, here: int, there: int) -> bool:
    """Whether the way is a river or a blown bridge."""
    for other, kind in t.LINKS[here]:
        if other == there:
            return kind == t.RIVER or (kind >= t.BRIDGE and bool(g.blown[kind - t.BRIDGE]))
    return False


def may_cross(unit: int, taken: tuple[int, ...]) -> bool:
    """25, 27.3. Over water go helicopters, Amtracs, SOF, and a light unit for each Amtrac that has gone."""
    if t.HELO[unit] or t.AMTRAC[unit] or t.SOF[unit]:
        return True
    berths = sum(t.AMTRAC[other] for other in taken)
    riders = sum(t.LIGHT[other] and not t.SOF[other] for other in taken)
    return t.LIGHT[unit] and riders < berths


def ways_out(g: Board, fight: Fight) -> Iterator[int]:
    """16.7. An adjacent space with a Coalition unit, or a base the space is linked to."""
    here = fight.place
    for there, _ in t.LINKS[here]:
        if there in g.loc and (not is_wet(g, here, there) or any(may_cross(unit, ()) for unit in side(g, fight))):
            yield there
    yield from t.GATES[here]


class StandOrWithdraw(Decision, frozen=True):
    """16.1 (4c). OPFOR stands: fight on, or go."""

    fight: Fight

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        yield t.CONTINUE
        for there in ways_out(g, self.fight):
            yield t.WITHDRAW[there]

    def facts(self, g: Board) -> dict[str, Fact]:
        return battle_facts(g, self.fight)

    def continue_(self, g: Board, table: Table) -> None:
        g.do(ChooseLead(next_round(self.fight)))

    def withdraw(self, g: Board, table: Table, place: str) -> None:
        g.do(Withdraw(self.fight, t.PLACE[place]))


def next_round(fight: Fight) -> Fight:
    return Fight(fight.place, fight.units, fight.force, fight.round + 1, fight.ambush, fight.civilians, fight.martyrs)


class Withdraw(Decision, frozen=True):
    """16.7, 16.9, R24, R43. Some or all go to one place; transports may fly a unit to a base."""

    fight: Fight
    to: int
    units: tuple[int, ...] = ()  # gone so far
    flown: int = 0

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        if self.units or self.flown:
            yield t.DONE
        units = side(g, self.fight)
        wet = is_wet(g, self.fight.place, self.to)
        for unit in units:
            if not wet or may_cross(unit, self.units):
                yield t.TAKE[unit]
        for helo in units:
            if t.LIFT[helo]:
                for unit in units:
                    if t.LIFTABLE[unit]:
                        yield from t.EVAC[helo, unit]

    def facts(self, g: Board) -> dict[str, Fact]:
        return {**battle_facts(g, self.fight), "to": t.PLACE_IDS[self.to].lower()}

    def take(self, g: Board, table: Table, unit: str) -> None:
        self.send(g, t.UNIT[unit], self.to)
        table.tell("withdrew", unit=unit, origin=t.PLACE_IDS[self.fight.place], place=t.PLACE_IDS[self.to])
        g.do(Withdraw(self.fight, self.to, (*self.units, t.UNIT[unit]), self.flown))

    def evac(self, g: Board, table: Table, helo: str, unit: str, base: str) -> None:
        self.send(g, t.UNIT[helo], t.PLACE[base])
        self.send(g, t.UNIT[unit], t.PLACE[base])
        table.tell("evacuated", helo=helo, unit=unit, origin=t.PLACE_IDS[self.fight.place], place=base)
        g.do(Withdraw(self.fight, self.to, self.units, self.flown + 1))

    def done(self, g: Board, table: Table) -> None:
        if side(g, self.fight):
            g.do(ChooseLead(next_round(self.fight)))
        else:
            g.do(Lost(self.fight))

    @staticmethod
    def send(g: Board, unit: int, there: int) -> None:
        g.loc[unit] = there
        if there >= t.SPACES:
            g.owner[unit] = g.turn

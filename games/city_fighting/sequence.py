"""7, 8, 10, 30 to 35. Opening a scenario, the menu of operations, and the end."""

from collections.abc import Iterator

from games.city_fighting import tables as t
from games.city_fighting.board import NOWHERE, Board, barred, has_network, spend_network
from games.city_fighting.intelligence import CommitInfoWar, PlaceIsr, isr_targets
from games.city_fighting.logistics import build, logistics, refit, repair
from games.city_fighting.movement import FormForce, MoreForces, origins
from games.city_fighting.recruiting import Recruit, SetUp
from games.city_fighting.victory import degree, end_scenario, is_cleared, lose_ops, total
from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision, Step
from games.kernel.table import Seat, Table

# --- opening -------------------------------------------------------------------------------------------


def deploy(g: Board, table: Table) -> None:
    """7.1. OPFOR into the bins, a concealed node on every objective and mosque, Coalition into the recruit box."""
    g.bin = [counter for counter in t.REACTION if counter not in g.removed]
    g.node_bin = list(range(t.NODES))
    for place in sorted(t.PRIZES):
        g.down[place] = g.node_bin.pop(table.draw(len(g.node_bin), secret=True))
    share = (g.ops - 1) // g.seats
    steps: list[Step] = [SetUp(seat, share) for seat in range(g.seats)]
    if any(holder != NOWHERE for holder in g.leader):
        steps.append(AssignLeader())
    g.do(*steps, OpMenu())


def second_battle(g: Board, table: Table) -> None:
    """30.2, R8. Phantom Fury after a Vigilant Resolve that was not won."""
    survivors = [holder != NOWHERE for holder in g.leader]
    fresh = opening(
        "phantom",
        campaign=2,
        joint=g.joint,
        networked=g.networked,
        interdiction=g.interdiction,
        historical=g.historical,
        seats=g.seats,
        mode=g.mode,
        individual=g.individual,
    )
    fresh.first_vp, fresh.first_kia = total(g), g.kia
    fresh.ops = max(1, t.CAMPAIGN_OPS + g.kia)
    fresh.leader = [WAITING if alive else NOWHERE for alive in survivors]
    fresh.credit_nodes, fresh.credit_kia = g.credit_nodes, g.credit_kia
    fresh.removed = sorted(g.hvt_dead)
    todo = g.todo
    for field in Board.__struct_fields__:
        setattr(g, field, getattr(fresh, field))
    g.todo = todo  # settle holds this very list
    todo[:] = [EndOfScenario()]
    deploy(g, table)


WAITING = -3  # a leader kept from the first battle, not yet given to a unit


def opening(scenario: str, **options: object) -> Board:
    """A board with everything in its box, before deployment."""
    seats = int(str(options["seats"]))
    return Board(
        todo=[EndOfScenario()],
        scenario=scenario,
        campaign=int(str(options["campaign"])),
        joint=bool(options["joint"]),
        networked=bool(options["networked"]),
        interdiction=bool(options["interdiction"]),
        historical=bool(options["historical"]),
        seats=seats,
        mode=str(options["mode"]),
        individual=bool(options["individual"]),
        first_vp=0,
        first_kia=0,
        turn=0,
        passes=0,
        operation=0,
        ops=t.START_OPS[scenario],
        kia=0,
        morale=t.START_MORALE[scenario],
        negotiated=0,
        won=False,
        lead=NOWHERE,
        chopper=NOWHERE,
        contested=NOWHERE,
        over="",
        loc=[t.RECRUIT] * t.UNITS,
        reduced=[0] * t.UNITS,
        owner=[0] * t.UNITS,
        leader=[NOWHERE] * t.LEADERS,
        strike=[t.IN_RECRUIT] * t.STRIKES,
        netwar=[t.IN_RECRUIT] * t.NETWARS,
        intel=[],
        down=[NOWHERE] * t.SPACES,
        shown=[NOWHERE] * t.SPACES,
        node_bin=[],
        bin=[],
        drawn=[],
        opfor=[],
        captured=[],
        gone=[],
        hvt_dead=[],
        in_play=[],
        removed=[],
        blown=[0] * len(t.BRIDGE_IDS),
        credit_nodes=[0] * seats,
        credit_kia=[0] * seats,
    )


class AssignLeader(Decision, frozen=True):
    """30.2 (1). Each leader kept from the first battle joins a recruited ground unit, or none."""

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[0],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        leader = g.leader.index(WAITING)
        yield t.AWARD_NONE[leader]
        for unit, at in enumerate(g.loc):
            if at < t.PLACES and t.GROUND[unit] and unit not in g.leader:
                yield t.AWARD[leader][unit]

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"ops": g.ops}

    def leader(self, g: Board, table: Table, leader: str, unit: str) -> None:
        g.leader[t.LEADER[leader]] = t.UNIT.get(unit, NOWHERE)
        table.tell("leader" if unit in t.UNIT else "leader-rests", leader=leader, unit=unit)
        if WAITING in g.leader:
            g.do(self)


# --- the menu ------------------------------------------------------------------------------------------


class OpMenu(Decision, frozen=True):
    """8.1, 10. One operation for one OP; J-1 and an idle J-3 are always possible."""

    always_ask = True  # there are always two answers at least, so settling need not look

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        yield t.J1
        network = has_network(g)
        if network:
            if next(isr_targets(g), None) is not None:
                yield t.J2
            yield t.J5
        for place in origins(g):
            yield t.ATTACK_FROM[place]
        yield from logistics(g)
        yield t.IDLE
        if g.networked and network:
            for goal in range(t.SPACES):
                if next(origins(g, goal), None) is not None:
                    yield t.NETOPS[goal]
        if g.interdiction and any(g.strike[strike] == t.AVAILABLE for strike in t.AIRCRAFT):
            for place, node in enumerate(g.shown):
                if node >= 0 and not barred(g, place):
                    yield t.INTERDICT[place]
        if is_cleared(g):
            yield t.END
        if g.passes < g.seats - 1:
            yield t.PASS

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"ops": g.ops, "kia": g.kia, "morale": t.LEVELS[g.morale], "vp": total(g)}

    @staticmethod
    def begin(g: Board, *steps: Step) -> None:
        """10.0. Every operation pays one OP at once."""
        g.ops -= 1
        g.passes = 0
        g.operation += 1
        g.lead = NOWHERE
        g.do(*steps, EndOperation())

    def j1(self, g: Board, table: Table) -> None:
        self.begin(g, Recruit())

    def j2(self, g: Board, table: Table) -> None:
        self.begin(g, PlaceIsr())

    def j3(self, g: Board, table: Table, place: str) -> None:
        self.begin(g, FormForce(t.PLACE[place]))

    def j4(self, g: Board, table: Table, work: str, where: str) -> None:
        self.begin(g)
        if work == "refit":
            refit(g, table, t.PLACE[where])
        elif work == "bridge":
            repair(g, table, where)
        else:
            build(g, table, t.PLACE[where])

    def j5(self, g: Board, table: Table) -> None:
        self.begin(g, CommitInfoWar())

    def idle(self, g: Board, table: Table) -> None:
        """13.0, 14.2. A J-3 in which nobody moves."""
        self.begin(g)
        table.tell("idle", ops=g.ops)

    def netops(self, g: Board, table: Table, place: str) -> None:
        """32, R30. One NetWar is expended, then forces set out for one space."""
        spend_network(g)
        self.begin(g, MoreForces(t.PLACE[place]))

    def interdict(self, g: Board, table: Table, place: str) -> None:
        self.begin(g, Interdict(t.PLACE[place]))

    def end(self, g: Board, table: Table) -> None:
        end_scenario(g, "end")

    def pass_(self, g: Board, table: Table) -> None:
        """35, R34. Free, but not for all in a row."""
        table.tell("passed", seat=t.SEATS[g.turn])
        g.passes += 1
        g.turn = (g.turn + 1) % g.seats
        g.do(OpMenu())


class Interdict(Decision, frozen=True):
    """33. Air strikes at a face-up node: any hit removes it, and nothing is gained."""

    always_ask = True

    place: int

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (t.SEATS[g.turn],)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        if t.COMMITTED in g.strike:
            yield t.DONE
        for strike in t.AIRCRAFT:
            if g.strike[strike] == t.AVAILABLE:
                yield t.STRIKE_WITH[strike]

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"area": t.PLACE_IDS[self.place].lower(), "space": t.PLACE_IDS[self.place].lower(), "ops": g.ops}

    def strike(self, g: Board, table: Table, strike: str) -> None:
        g.strike[t.STRIKE[strike]] = t.COMMITTED
        if any(g.strike[other] == t.AVAILABLE for other in t.AIRCRAFT):
            g.do(self)
        else:
            self.done(g, table)

    def done(self, g: Board, table: Table) -> None:
        strikes = [strike for strike, box in enumerate(g.strike) if box == t.COMMITTED]
        dice = table.d6(len(strikes))
        shots = zip(strikes, dice, strict=True)
        hits = sum(die <= t.STRIKE_FIREPOWER[strike] for strike, die in zip(strikes, dice, strict=True))
        sixes = sum(die == 6 and t.STRIKE_TYPE[strike] != "soa" for strike, die in zip(strikes, dice, strict=True))
        words = " ".join(f"{t.STRIKE_IDS[strike]}:{t.STRIKE_FIREPOWER[strike]}:{die}" for strike, die in shots)
        for strike in strikes:
            g.strike[strike] = t.IN_RECRUIT
        table.tell("interdiction", place=t.PLACE_IDS[self.place], shots=words, hits=hits)
        if hits:
            node = g.shown[self.place]
            g.shown[self.place] = NOWHERE
            g.gone.append(node)
            g.gone.sort()
            table.tell("node-destroyed", place=t.PLACE_IDS[self.place], node=t.NODE_IDS[node])
        if sixes and t.COLLATERAL[g.scenario][t.TERRAIN[self.place]]:
            lose_ops(g, table, sixes, "collateral")


class EndOperation(Step, frozen=True):
    """8.1, 10.4, R5. Negotiations are paid; with no OPs left the scenario ends; else the next seat."""

    def run(self, g: Board, table: Table) -> None:
        if g.negotiated:
            count, g.negotiated = g.negotiated, 0
            if lose_ops(g, table, count, "negotiations"):
                return
        if g.ops <= 0:
            end_scenario(g, "ops")
            return
        g.turn = (g.turn + 1) % g.seats
        g.do(OpMenu())


class EndOfScenario(Step, frozen=True):
    """6, 8.1, 30.2. Points are counted; a campaign may go on with its second battle."""

    def run(self, g: Board, table: Table) -> None:
        vp = total(g)
        table.tell("scenario-over", scenario=g.scenario, vp=vp, degree=degree(vp), kia=g.kia, why=g.over)
        if g.campaign == 1 and vp < t.WIN:
            second_battle(g, table)
            table.tell("second-battle", ops=g.ops)

"""The `operator`: a balanced force, information warfare first, then combined arms against node after node."""

import math
import random
import statistics
import sys
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, cast

from games.bots.base import Bot, Choice, RandomBot
from games.city_fighting import RULES
from games.city_fighting import tables as t
from games.city_fighting.board import Board, Fight, is_node_space, may_use, room, steps_of, units_in
from games.city_fighting.combat import ChooseNetwar, ChooseStrikes, TakeHits, Withdraw
from games.city_fighting.fight import coalition_edge, opfor_edge, side
from games.city_fighting.movement import FormForce, Move, allowance, crosses, is_water
from games.city_fighting.victory import degree, total
from games.kernel.ruleset import Ruleset
from games.kernel.steps import Action, State, apply, legal, owed, question
from games.kernel.table import SearchTable, Seat

# What is bought first, and where it gathers: three combat groups with an engineer, armour and a good lead each.
SHOPPING: tuple[tuple[str, str], ...] = (
    *((marker, "") for marker in t.NETWAR_IDS),
    ("usmc.inf.3-5", "N"),
    ("usmc.eng.C", "N"),
    ("usa.tank.C3-8", "N"),
    ("ig.sof.CTF", "N"),
    *((strike, "") for strike in t.STRIKE_IDS if strike.startswith("arty")),
    ("air.4", ""),
    ("air.5", ""),
    ("air.6", ""),
    ("usmc.inf.1-3", "E"),
    ("usmc.eng.2", "E"),
    ("usmc.tank.A2", "E"),
    ("ig.sof.TRT", "E"),
    ("usa.mech.2-7", "N"),
    ("usa.aeng.82", "N"),
    ("usmc.tank.C2", "N"),
    ("ig.sof.Cdo", "N"),
    ("air.1", ""),
    ("air.2", ""),
    ("air.3", ""),
    ("soa.1", ""),
    ("usmc.inf.3-4", "W"),
    ("usn.eng.CB", "W"),
    ("usmc.tank.C1", "W"),
    ("ig.sof.ERT", "W"),
    ("usmc.inf.2-2", "E"),
    ("usa.mech.2-2", "N"),
    ("usmc.inf.2-1", "N"),
    ("usmc.inf.3-1", "E"),
    ("usmc.lar.C1", "N"),
    ("usa.recon.F4", "E"),
)
STRIKES_FIRST = tuple(pair for pair in SHOPPING if pair[0] in t.STRIKE)
SET_UP_SHARE = 0.62  # of the opening OPs is spent before the first operation
SCOUTING = 12  # OPs above which an operation is spent on looking
RESERVE = 6  # OPs below which nothing more is bought
FAR = 99
NODE_WORTH = {"al_qaeda": 8.4, "arms_cache": 3.7, "c2": 7.1, "hostage": 3.0, "ied": 3.4, "strongpoint": 1.0}
UNKNOWN_WORTH = 3.3


class Operator:
    """Answers each question by a rule of thumb; the thumb is in the method of that name."""

    key: ClassVar[str] = "operator"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        options = legal(g, seat)
        decision = question(g)
        answer: Callable[..., Choice | None] | None = getattr(self, type(decision).__name__, None)
        choice = answer(g, decision, options) if answer is not None else None
        if choice is None or choice.action not in options:
            return Choice(options[0], "nothing better")
        return choice

    # --- buying ----------------------------------------------------------------------------------------

    def SetUp(self, g: Board, decision: Any, options: Sequence[Action]) -> Choice:
        if g.ops - 1 > (1 - SET_UP_SHARE) * t.START_OPS[g.scenario]:
            return self.shop(options, SHOPPING) or Choice(t.DONE, "nothing left to buy")
        return Choice(t.DONE, "the rest is for operations")

    def Recruit(self, g: Board, decision: Any, options: Sequence[Action]) -> Choice:
        if g.ops > RESERVE:
            found = self.shop(options, STRIKES_FIRST if g.ops < 25 else (*STRIKES_FIRST, *SHOPPING[6:]))
            if found:
                return found
        return Choice(t.DONE, "keeping a reserve")

    @staticmethod
    def shop(options: Sequence[Action], wanted: Sequence[tuple[str, str]]) -> Choice | None:
        offered = set(options)
        for item, place in wanted:
            action: Action = ("buy", item, place) if place else ("buy", item)
            if action in offered:
                return Choice(action, "on the list")
        return None

    def AssignLeader(self, g: Board, decision: Any, options: Sequence[Action]) -> Choice:
        return Choice(max(options, key=lambda option: _power(g, str(option[2])) if option[2] != "none" else -1))

    AwardLeader = AssignLeader

    # --- the menu --------------------------------------------------------------------------------------

    def OpMenu(self, g: Board, decision: Any, options: Sequence[Action]) -> Choice:
        offered = set(options)
        if t.J5 in offered and g.netwar.count(t.AVAILABLE) >= 4:
            return Choice(t.J5, "information warfare pays for itself")
        if t.J2 in offered and g.intel and g.ops >= SCOUTING:
            return Choice(t.J2, "what Intel shows need not be guessed")
        if t.END in offered and g.ops <= 1:
            return Choice(t.END, "all nodes are gone")
        worn = max((option for option in options if option[:2] == ("j4", "refit")), key=_worn(g), default=None)
        if worn is not None and _worn(g)(worn) >= 2:
            return Choice(worn, "worn units must be whole before they attack")
        ready = g.strike.count(t.AVAILABLE)
        if ready < 4 and g.ops >= 14:
            return Choice(t.J1, "no attack without fire support")
        best, score = t.IDLE, 0.0
        for option in options:
            if option[0] == "j3":
                merit = self.prospect(g, t.PLACE[str(option[1])])
                if merit > score:
                    best, score = option, merit
        if score > 0:
            return Choice(best, "the best prospect")
        if g.ops >= 8:
            return Choice(t.J1, "more troops are needed")
        return Choice(worn or t.IDLE, "waiting")

    def prospect(self, g: Board, place: int) -> float:
        units = self.team(g, place)
        if not units:
            return 0.0
        power = sum(_fire(g, unit) for unit in units) + 0.5 * g.strike.count(t.AVAILABLE)
        if steps_of(g, units) < 3 or power < 7:
            return 0.0
        targets = self.targets(g, units, place)
        if not targets:
            return 0.0
        loss = 1.0 if place in t.PRIZES and len(units) == len(units_in(g, place)) else 0.0
        return max(targets.values()) + min(power, 18) / 9 - loss

    # --- moving ----------------------------------------------------------------------------------------

    def team(self, g: Board, place: int) -> list[int]:
        """The best two battalions and two companies that can march; an engineer among them if possible."""
        here = [unit for unit in units_in(g, place) if t.GROUND[unit] and not t.FOB[unit] and may_use(g, unit)]
        here.sort(key=lambda unit: _fire(g, unit) + 0.3 * t.CONTACT[g.reduced[unit]][unit], reverse=True)
        battalions = [unit for unit in here if t.BATTALION[unit]]
        companies = [unit for unit in here if t.COMPANY[unit]]
        sappers = [unit for unit in battalions if t.ENGINEER[unit]]
        others = [unit for unit in battalions if not t.ENGINEER[unit]]
        chosen = (others[:1] + sappers[:1] + others[1:] + sappers[1:])[:2]
        scouts = sorted(companies, key=lambda unit: -t.CONTACT[g.reduced[unit]][unit])
        tanks = [unit for unit in companies if unit not in scouts[:1]]
        chosen += (scouts[:1] + tanks)[:2]
        if g.joint and g.scenario == "vigilant":
            chosen = [unit for unit in chosen if not t.IRAQI[unit]]
        return chosen

    def FormForce(self, g: Board, decision: FormForce, options: Sequence[Action]) -> Choice:
        offered = set(options)
        for unit in self.team(g, decision.place):
            if unit not in decision.units and t.TAKE[unit] in offered:
                return Choice(t.TAKE[unit], "combined arms")
        if t.FORM in offered:
            return Choice(t.FORM, "the team is complete")
        return Choice(options[0])

    def targets(self, g: Board, units: Sequence[int], place: int) -> dict[int, float]:
        """Every space worth having, with what it is worth from here."""
        far = _distances(g, units, place)
        pace = max(allowance(g, units), 1)
        worth: dict[int, float] = {}
        sapper = any(t.ENGINEER[unit] for unit in units)
        held = set(g.loc)
        for there, steps in far.items():
            if there == place or there >= t.SPACES:
                continue
            if is_node_space(g, there):
                kind = t.NODE_TYPE[g.shown[there]] if g.shown[there] >= 0 else ""
                value = NODE_WORTH.get(kind, UNKNOWN_WORTH)
                if kind == "strongpoint" and not sapper:
                    value = 0.2
            elif there in t.PRIZES and there not in held:
                value = 0.9
            else:
                continue
            moves = 1 + (steps - 1) // pace if place < t.SPACES else 1 + (steps - 2) // pace + (steps > 1)
            worth[there] = value - 1.1 * (moves - 1) - 0.05 * steps
        return worth

    def Move(self, g: Board, decision: Move, options: Sequence[Action]) -> Choice:
        units, place = decision.force.units, decision.place
        if decision.won and steps_of(g, list(units)) < 4:
            return Choice(t.STOP, "enough for one operation")
        targets = self.targets(g, units, place)
        if targets:
            goal = max(targets, key=lambda there: (targets[there], -there))
            best = None
            for option in options:
                if option[0] == "go":
                    there = t.PLACE[str(option[1])]
                    left = 0 if there == goal else _distances(g, units, there).get(goal, FAR)
                    if is_node_space(g, there) and there != goal:
                        left = FAR
                    key = (left, -targets.get(there, 0.0), there)
                    if best is None or key < best[0]:
                        best = (key, option)
            if best is not None and best[0][0] < FAR:
                return Choice(best[1], f"towards {t.PLACE_IDS[goal]}")
        if t.STOP in options:
            return Choice(t.STOP, "no better place in reach")
        return Choice(options[0], "on the way")

    # --- fighting --------------------------------------------------------------------------------------

    def ChooseLead(self, g: Board, decision: Any, options: Sequence[Action]) -> Choice:
        best = max(options, key=lambda option: t.CONTACT[g.reduced[t.UNIT[str(option[1])]]][t.UNIT[str(option[1])]])
        return Choice(best, "the best eyes lead")

    def ChooseNetwar(self, g: Board, decision: ChooseNetwar, options: Sequence[Action]) -> Choice:
        gap = coalition_edge(g, decision.fight, decision.lead, False) - opfor_edge(g, decision.fight)
        if len(g.opfor) > 1 and gap < 3:
            return Choice(options[1], "the edge matters against several")
        return Choice(t.NO, "the edge is likely enough")

    def ChooseStrikes(self, g: Board, decision: ChooseStrikes, options: Sequence[Action]) -> Choice:
        """Commit until the expected hits pass the enemy's number; the cheapest first."""
        fight = decision.fight
        hits = sum(_fire(g, unit) for unit in side(g, fight)) / 6
        hits += sum(t.STRIKE_FIREPOWER[n] for n, box in enumerate(g.strike) if box == t.COMMITTED) / 6
        needed = len(g.opfor) * (0.5 if t.TERRAIN[fight.place] == t.OPEN else 1.0)
        if g.shown[fight.place] >= 0 and t.NODE_TYPE[g.shown[fight.place]] == "strongpoint":
            needed += not any(t.ENGINEER[unit] for unit in side(g, fight))
        strikes = [option for option in options if option[0] == "strike"]
        if hits >= needed * 1.25 or not strikes or g.ops <= 1:
            return Choice(t.DONE, "that should do")
        return Choice(min(strikes, key=_cheapness), "more fire")

    def TakeHits(self, g: Board, decision: TakeHits, options: Sequence[Action]) -> Choice:
        return Choice(min(options, key=lambda option: _grief(g, t.UNIT[str(option[1])])), "the least loss")

    def StandOrWithdraw(self, g: Board, decision: Any, options: Sequence[Action]) -> Choice:
        fight: Fight = decision.fight
        units = side(g, fight)
        ours = sum(_fire(g, unit) for unit in units) / 6
        theirs = sum(t.OPFOR_FIREPOWER[unit] or 2.5 for unit in g.opfor) / 6
        ours += 0.4 * min(g.strike.count(t.AVAILABLE), 4)
        rounds = len(g.opfor) / max(ours, 0.1)
        if theirs * rounds < steps_of(g, units) or len(options) == 1:
            return Choice(t.CONTINUE, "the odds are good")
        bases = [option for option in options[1:] if option[1] in t.BASE_IDS]
        return Choice((bases or list(options[1:]))[0], "outgunned")

    def Withdraw(self, g: Board, decision: Withdraw, options: Sequence[Action]) -> Choice:
        for option in options:
            if option[0] == "take":
                return Choice(option, "everybody out")
        return Choice(options[0])

    # --- markers ---------------------------------------------------------------------------------------

    def CommitInfoWar(self, g: Board, decision: Any, options: Sequence[Action]) -> Choice:
        commits = [option for option in options if option[0] == "commit"]
        return Choice(commits[0] if commits else t.DONE, "all that is at hand")

    def PlaceIsr(self, g: Board, decision: Any, options: Sequence[Action]) -> Choice:
        """One look a node, at those nearest to our troops; markers beyond the Intel are kept."""
        spaces = [option for option in options if option[0] == "isr" and t.PLACE[str(option[1])] not in decision.placed]
        if not spaces or (decision.placed and not g.intel):
            return Choice(t.DONE if t.DONE in options else options[0], "seen enough")
        return Choice(min(spaces, key=lambda option: _nearness(g, t.PLACE[str(option[1])])), "the next target")


def _fire(g: Board, unit: int) -> int:
    return t.FIREPOWER[g.reduced[unit]][unit]


def _power(g: Board, word: str) -> int:
    return _fire(g, t.UNIT[word])


def _nearness(g: Board, place: int) -> tuple[int, int]:
    """How far a space is from the next ground unit, as the crow flies."""
    x, y = divmod(place, 11)
    near = [divmod(at, 11) for unit, at in enumerate(g.loc) if at < t.SPACES and t.GROUND[unit]]
    return min((abs(x - a) + abs(y - b) for a, b in near), default=0), place


def _worn(g: Board) -> Callable[[Action], int]:
    return lambda option: sum(g.reduced[unit] for unit in units_in(g, t.PLACE[str(option[2])]))


def _cheapness(option: Action) -> tuple[int, int]:
    strike = t.STRIKE[str(option[1])]
    return t.STRIKE_COST[strike], -t.STRIKE_FIREPOWER[strike]


def _grief(g: Board, unit: int) -> tuple[float, int]:
    """How much a step of this unit is missed."""
    fire, contact = _fire(g, unit), t.CONTACT[g.reduced[unit]][unit]
    if t.STEPS[unit] == 2 and not g.reduced[unit]:
        return 0.5 + fire - t.FIREPOWER[1][unit] + (0.4 if t.ENGINEER[unit] else 0.0) - t.IRAQI[unit], unit
    return 1.5 + fire + 0.3 * contact + (2.0 if t.ENGINEER[unit] else 0.0) - t.IRAQI[unit], unit


def _distances(g: Board, units: Sequence[int], place: int) -> dict[int, int]:
    """Steps to each space for these units; nodes end a way, full spaces are no end."""
    far = {place: 0}
    wave = [place]
    wet = crosses(g, units)
    team = tuple(units)
    while wave:
        following = []
        for here in wave:
            if here != place and here < t.SPACES and is_node_space(g, here):
                continue
            ways = (
                t.GATES[here] if here >= t.SPACES else [w for w, kind in t.LINKS[here] if wet or not is_water(g, kind)]
            )
            for there in ways:
                if there not in far:
                    far[there] = far[here] + 1
                    following.append(there)
        wave = following
    return {there: steps for there, steps in far.items() if there not in g.loc or room(g, there, team)}


BOTS: tuple[Bot, ...] = (cast(Bot, Operator()),)


# --- figures -------------------------------------------------------------------------------------------


def play_alone(key: str, scenario: str, seed: int) -> int:
    """The victory points of one game by one bot in the only seat."""
    rng = random.Random(f"{scenario} {seed}")
    bot: Bot = RandomBot() if key == RandomBot.key else cast(Bot, Operator())
    table = SearchTable(rng)
    g = RULES.start(RULES.setup({"scenario": scenario}), table)
    while g.todo:
        seat = owed(g)[0]
        seen = RULES.imagine(g, seat, SearchTable(rng))
        apply(g, seat, bot.choose(RULES, seen, seat, rng).action, table, trusted=True)
    return total(cast(Board, g))


def share(count: int, games: int) -> str:
    """A share in per cent with its 95 % interval (Wilson)."""
    z, p = 1.96, count / games
    middle = (p + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(p * (1 - p) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return f"{100 * p:.0f} ({100 * max(middle - half, 0):.0f}-{100 * min(middle + half, 1):.0f})"


def figures(games: int) -> str:
    """A table of results for each scenario and bot; run `python -m games.bots.city_fighting 200`."""
    degrees = ["Debacle", *(name for _, name in reversed(t.DEGREES))]
    lines = [f"| Scenario | Bot | VP mean | 10 % / median / 90 % | {' | '.join(degrees)} |"]
    lines.append("|---" * (len(degrees) + 4) + "|")
    for scenario in t.SCENARIOS:
        for key in ("random", Operator.key):
            points = sorted(play_alone(key, scenario, seed) for seed in range(games))
            mean = statistics.fmean(points)
            half = 1.96 * statistics.stdev(points) / math.sqrt(games)
            spread = f"{points[games // 10]} / {points[games // 2]} / {points[games * 9 // 10]}"
            shares = [share(sum(degree(vp) == name for vp in points), games) for name in degrees]
            row = [t.SCENARIO_NAMES[scenario], key, f"{mean:.1f} ± {half:.1f}", spread, *shares]
            lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(figures(int(sys.argv[1]) if len(sys.argv) > 1 else 20) + "\n")

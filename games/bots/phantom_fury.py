"""A squad leader for Phantom Fury: clear with fire, enter what is clear, assault from the roof down.

Every decision is scored afresh from the position; nothing is remembered between calls.
"""

import random
from typing import Any, ClassVar

from games.bots.base import Choice
from games.bots.phantom_fury_plan import (
    WEIGHTS,
    Plan,
    assault_value,
    assigned,
    cobra_value,
    cobra_zones,
    distances,
    eye_pairs,
    fire_value,
    kill_chance,
    routes_of,
    tank_reach,
    tank_value,
    thing_value,
)
from games.kernel.ruleset import Ruleset
from games.kernel.steps import Action, legal, question
from games.kernel.table import Seat
from games.phantom_fury.assault import ExplosivesChoice
from games.phantom_fury.board import (
    Board,
    cf_of,
    count_in,
    is_martyrs,
    strength,
    things_in,
    zone_of,
)
from games.phantom_fury.movement import DetachChoice, Moving, TankMoving
from games.phantom_fury.routes import may_end
from games.phantom_fury.suspects import LossChoice
from games.phantom_fury.tables import (
    ALL_ZONES,
    ENTRY,
    FRONT,
    MOSQUE,
    NEAR,
    PLACE,
    TANKS,
    UNIT,
    ZONE,
)


class SquadLeader:
    """Fire clears, squads enter what is clear, and assault the rest from above where they can."""

    key: ClassVar[str] = "squad_leader"

    def choose(self, rules: Ruleset, g: Any, seat: Seat, rng: random.Random) -> Choice:
        options = legal(g, seat)
        if len(options) == 1:
            return Choice(options[0])
        handler = getattr(self, f"on_{type(question(g)).__name__}", None)
        if handler is None:
            return Choice(rng.choice(options))
        action = handler(g, options)
        return Choice(action if action in options else rng.choice(options), _WHY.get(str(action[0]), ""))

    # --- set-up -------------------------------------------------------------------------------------------

    def on_StrongPoints(self, g: Board, options: list[Action]) -> Action:
        return ("strongpoints", 2)

    def on_PlaceSquads(self, g: Board, options: list[Action]) -> Action:
        """The strongest squads where most is to be fought."""

        def danger(zone: int) -> int:
            return sum(strength(g.things[place]) + 1 for place in things_in(g, zone))

        best = max(options, key=lambda action: FRONT[UNIT[str(action[1])]])
        return max((a for a in options if a[1] == best[1]), key=lambda a: danger(int(a[2])))

    def on_AttachCaats(self, g: Board, options: list[Action]) -> Action:
        return max(options, key=lambda action: FRONT[UNIT[str(action[1])]])

    def on_Assign(self, g: Board, options: list[Action]) -> Action:
        return options[0]

    # --- support and reinforcements -----------------------------------------------------------------------

    def on_SupportPhase(self, g: Board, options: list[Action]) -> Action:
        if ("call", "uav") in options:
            seen = max((self.pair_value(g, pair) for pair in eye_pairs(g)), default=0.0)
            if seen >= WEIGHTS["eye"]:
                return ("call", "uav")
        if ("call", "cobra") in options:
            struck = max((cobra_value(g, zone) for zone in cobra_zones(g)), default=0.0)
            if struck >= WEIGHTS["cobra"]:
                return ("call", "cobra")
        return ("pass",)

    @staticmethod
    def pair_value(g: Board, pair: tuple[int, int]) -> float:
        value = 0.0
        for zone in pair:
            if g.fortified >> zone & 1 or not g.activated >> zone & 1:
                continue
            value += count_in(g, 1 << zone)[1] * (1.0 if NEAR[zone] & g.held else 0.3)
        return value

    def on_DragonEye(self, g: Board, options: list[Action]) -> Action:
        return max(options, key=lambda action: self.pair_value(g, (int(action[1]), int(action[2]))))

    def on_Cobra(self, g: Board, options: list[Action]) -> Action:
        hits = [action for action in options if action[0] == "hit"]

        def value(action: Action) -> float:
            place = PLACE[str(action[1])]
            return cobra_value(g, ZONE[place]) * 10 + thing_value(g, place)

        return max(hits, key=value) if hits else ("done",)

    def on_ReinforcePhase(self, g: Board, options: list[Action]) -> Action:
        far = distances(ALL_ZONES & ~g.usmc & ~g.held & ~(1 << MOSQUE))
        best: Action = ("pass",)
        best_value = -99.0
        for action in options:
            if action[0] == "commit" and action[1] in TANKS:
                value = 50.0 + float(tank_value(g, PLACE[str(action[2])]))
            elif action[0] == "commit":
                zone = int(action[2])
                value = 20.0 - 3 * far[zone] - 10 * g.where.count(ENTRY[zone]) + FRONT[UNIT[str(action[1])]]
            elif action[0] == "iif":
                value = 10.0 - distances(1 << MOSQUE)[int(action[1])] - 10 * g.where.count(ENTRY[int(action[1])])
            else:
                value = -5.0
            if value > best_value:
                best, best_value = action, value
        return best

    def on_Iraqis(self, g: Board, options: list[Action]) -> Action:
        far = distances(1 << MOSQUE)
        return max(options, key=lambda a: -far[int(a[1])] - 10 * g.where.count(ENTRY[int(a[1])]))

    # --- fire, movement, assault ----------------------------------------------------------------------------

    def on_FirePhase(self, g: Board, options: list[Action]) -> Action:
        plan = assigned(Plan(g))
        best: Action = ("pass",)
        best_value = 0.0
        for action in options:
            if action[0] != "fire":
                continue
            value = fire_value(g, action)
            if action[1] not in TANKS:
                value -= plan.get(UNIT[str(action[1])], (0.0, 0, 0))[0]
            if value > best_value:
                best, best_value = action, value
        return best

    def on_MovePhase(self, g: Board, options: list[Action]) -> Action:
        for action in options:
            if action[0] == "move" and action[1] in TANKS:
                return action
        chosen = assigned(Plan(g))
        for unit in sorted(chosen, key=lambda unit: -chosen[unit][0]):
            action = ("move", _name(unit), _place(chosen[unit][2]))
            if action in options:
                return action
        for action in options:
            if action[0] == "withdraw" and g.reduced[UNIT[str(action[1])]] and cf_of(g, UNIT[str(action[1])]) < 3:
                return action
        return ("pass",) if ("pass",) in options else options[0]

    def on_Moving(self, g: Board, options: list[Action]) -> Action:
        """Go on to the best end still in reach, or stop."""
        decision = question(g)
        assert isinstance(decision, Moving)
        unit, start = decision.unit, g.where[decision.unit]
        plan = Plan(g)
        stop = ("stop", _name(unit))
        best: Action = stop
        best_value = -99.0
        if stop in options:
            best_value = plan.place_value(unit, start) + 0.1
        for end, (risk, first, _) in routes_of(g, unit, start, decision.came, decision.mp).items():
            value = plan.place_value(unit, end) - risk if may_end(g, unit, end) else -99.0
            action = ("move", _name(unit), _place(first))
            if value > best_value and action in options:
                best, best_value = action, value
        return best

    def on_TankMoving(self, g: Board, options: list[Action]) -> Action:
        decision = question(g)
        assert isinstance(decision, TankMoving)
        name = TANKS[decision.tank]
        stop = ("stop", name)
        start = g.tanks[decision.tank]
        best: Action = stop
        best_value = tank_value(g, start) + 0.1 if stop in options else -99.0
        for action in options:
            if action[0] == "move":
                value = tank_reach(g, PLACE[str(action[2])], decision.mp - 1)
                if value > best_value:
                    best, best_value = action, value
        return best

    def on_DetachChoice(self, g: Board, options: list[Action]) -> Action:
        """Known Guerillas in the zone and strength to spare: hold the gate."""
        decision = question(g)
        assert isinstance(decision, DetachChoice)
        units = [g.things[place] for place in things_in(g, zone_of(g, decision.unit)) if g.things[place] > 0]
        power = sum(strength(code) for code in units)
        if power >= 2 and cf_of(g, decision.unit) >= 6 and decision.mp >= 1:
            return options[0]
        return ("nodetach",)

    def on_AssaultPhase(self, g: Board, options: list[Action]) -> Action:
        best: Action = ("pass",)
        best_value = WEIGHTS["bold"]
        for action in options:
            if action[0] == "assault":
                unit, place = UNIT[str(action[1])], PLACE[str(action[2])]
                value = assault_value(g, unit, g.where[unit], place)
                if value > best_value:
                    best, best_value = action, value
        return best

    def on_ExplosivesChoice(self, g: Board, options: list[Action]) -> Action:
        decision = question(g)
        assert isinstance(decision, ExplosivesChoice)
        win, _ = kill_chance(g, decision.unit, decision.place, g.where[decision.unit])
        worth = is_martyrs(g.things[decision.place]) or strength(g.things[decision.place]) >= 2
        return ("explosives", "yes" if win <= 60 and worth else "no")

    def on_FloodChoice(self, g: Board, options: list[Action]) -> Action:
        return ("flood", "yes")

    def on_LossChoice(self, g: Board, options: list[Action]) -> Action:
        decision = question(g)
        assert isinstance(decision, LossChoice)
        return ("loss", "caat")


def _name(unit: int) -> str:
    return _NAMES[unit]


def _place(place: int) -> str:
    return _PLACES[place]


_NAMES = {number: name for name, number in UNIT.items()}
_PLACES = {number: name for name, number in PLACE.items()}
_WHY = {
    "fire": "best chance on a target that matters",
    "move": "towards a zone that can be taken",
    "assault": "the Assault is worth its risk",
    "call": "many Suspects in sight of the squads",
    "commit": "every squad counts",
    "pass": "nothing better to do",
}
BOTS = (SquadLeader(),)

"""Questions and actions as a person would say them, chances, rule numbers."""

from collections.abc import Callable

from games.kernel.ruleset import Decision
from games.kernel.steps import Action, question
from games.phantom_fury.assault import (
    AssaultPhase,
    ExplosivesChoice,
    FloodChoice,
    assault_modifiers,
    assault_type,
)
from games.phantom_fury.board import Board, cf_of, count_in, strength, unit_words, zone_of
from games.phantom_fury.fire import FirePhase, fire_modifiers
from games.phantom_fury.movement import DetachChoice, MovePhase, Moving, TankMoving
from games.phantom_fury.news import count, signed, squad
from games.phantom_fury.reinforce import Iraqis, ReinforcePhase
from games.phantom_fury.setting_up import Assign, AttachCaats, PlaceSquads, StrongPoints
from games.phantom_fury.support import Cobra, DragonEye, Hornet, SupportPhase, success_of
from games.phantom_fury.suspects import LossChoice
from games.phantom_fury.tables import (
    CAAT_BONUS,
    CAATS,
    COUNT,
    ENTRY,
    FIRST_SECTION,
    KIND,
    LAST_TURN,
    MISSION_NAMES,
    MISSIONS,
    NAMES,
    PLACE,
    SECTION_FIRE,
    TANK_CF,
    TANKS,
    UNIT,
    UNITS,
    ZONE,
)

_FLOORS = {
    "OG": "the open ground",
    "C": "the courtyard",
    "1": "the first storey",
    "2": "the second storey",
    "R": "the roof",
}


def spot_words(name: str) -> str:
    """`14.2'` is `the second storey of zone 14 (14.2')`."""
    place = PLACE[name]
    if place >= FIRST_SECTION:
        return f"street section {name}"
    return f"{_FLOORS[KIND[place]]} of zone {ZONE[place]} ({name})"


_PHASE_NAMES = {
    "support": "Support Phase",
    "reinforce": "Reinforcements Phase",
    "fire": "Fire Combat Phase",
    "move": "Movement Phase",
    "assault": "Assault Phase",
}


def prompt(g: Board) -> str:
    """What is asked, in one sentence."""
    decision = question(g)
    if decision is None:
        return "The game is over."
    turn = f"Turn {g.turn} of {LAST_TURN[g.variant]}"
    texts = {
        StrongPoints: "How many strong points (1 to 4) go into the draw?",
        SupportPhase: f"{turn}, Support: call a mission, or pass.",
        DragonEye: "Dragon Eye: which two zones next to each other does it look at?",
        Hornet: "Hornet: which zone is bombed?",
        ReinforcePhase: f"{turn}, Reinforcements: bring on squads or the Abrams, or pass.",
        FirePhase: f"{turn}, Fire: fire with fresh squads and the Abrams, or pass.",
        MovePhase: f"{turn}, Movement: move squads and the Abrams, or pass.",
        AssaultPhase: f"{turn}, Assault: assault Adjacent Locations, or pass.",
    }
    return texts.get(type(decision)) or _longer_prompt(g, decision)


def _longer_prompt(g: Board, decision: Decision) -> str:
    match decision:
        case PlaceSquads():
            return f"Place the squads, one in each start zone: {len(decision.drawn)} to go."
        case AttachCaats():
            return f"Which squad gets CAAT {CAATS[decision.number - 1]}?"
        case Assign():
            return f"Which seat commands {', '.join(UNITS[unit] for unit in decision.units)}?"
        case Cobra():
            where = f" in zone {decision.zone}, or done" if decision.zone else ""
            return f"Super Cobra: which enemy is hit{where}?"
        case Iraqis():
            return f"In which start zone does IIF squad {UNITS[decision.unit]} come in?"
        case LossChoice():
            unit = UNITS[decision.unit]
            return f"{squad(unit)} takes a step loss: the squad, or CAAT {CAATS[g.caat[decision.unit] - 1]}?"
        case DetachChoice():
            zone = zone_of(g, decision.unit)
            return f"{squad(UNITS[decision.unit])} is in the courtyard of zone {zone}: detach its Security Element?"
        case ExplosivesChoice():
            return (
                f"{squad(UNITS[decision.unit])} meets {unit_words(g.things[decision.place])} in "
                f"{NAMES[decision.place]}: use the explosives?"
            )
        case FloodChoice():
            return f"{squad(UNITS[decision.unit])} is reduced: does it flood zone {zone_of(g, decision.unit)}?"
        case Moving():
            return (
                f"{squad(UNITS[decision.unit])} is moving, in {NAMES[g.where[decision.unit]]} "
                f"with {decision.mp} MP left: where next?"
            )
        case TankMoving():
            return f"Abrams {TANKS[decision.tank]} has {decision.mp} MP in {NAMES[g.tanks[decision.tank]]}: where next?"
    raise AssertionError(f"no words for {type(decision).__name__}")


def describe(g: Board, action: Action) -> str:
    """The action in words, as a person would say it."""
    verb, *rest = action
    args = [str(word) for word in rest]
    return _DESCRIBE[str(verb)](g, args)


def _place_of(g: Board, name: str) -> str:
    if name in TANKS:
        return NAMES[g.tanks[TANKS.index(name)]]
    return NAMES[g.where[UNIT[name]]]


def _fire(g: Board, args: list[str]) -> str:
    caat = ", with its CAAT" if len(args) > 2 else ""
    what = unit_words(g.things[PLACE[args[1]]])
    return f"{squad(args[0])} fires from {_place_of(g, args[0])} at the {what} in {args[1]}{caat}"


def _move(g: Board, args: list[str]) -> str:
    if len(args) == 1:
        return f"Abrams {args[0]} starts moving from {_place_of(g, args[0])} (a die gives its MP)"
    return f"{squad(args[0])} moves from {_place_of(g, args[0])} to {spot_words(args[1])}"


def _assault(g: Board, args: list[str]) -> str:
    place = PLACE[args[1]]
    kind = {"top": "Top-Down", "bottom": "Bottom-Up", "normal": "Normal"}[assault_type(g.where[UNIT[args[0]]], place)]
    start = _place_of(g, args[0])
    return f"{squad(args[0])} assaults the {unit_words(g.things[place])} in {args[1]} from {start} ({kind})"


def _commit(_g: Board, args: list[str]) -> str:
    if args[0] in TANKS:
        return f"Abrams {args[0]} comes on in {args[1]}"
    return f"{squad(args[0])} comes on in {NAMES[ENTRY[int(args[1])]]}"


_DESCRIBE: dict[str, Callable[[Board, list[str]], str]] = {
    "strongpoints": lambda _g, a: f"{a[0]} strong point{'s' if a[0] != '1' else ''} in the draw",
    "place": lambda _g, a: f"{squad(a[0])} starts in zone {a[1]}",
    "caat": lambda g, a: f"The CAAT joins {squad(a[0])} in {_place_of(g, a[0])}",
    "assign": lambda _g, a: f"{squad(a[0])} goes to {a[1]}",
    "call": lambda _g, a: f"Call a {MISSION_NAMES[MISSIONS.index(a[0])]}",
    "target": lambda _g, a: f"Dragon Eye looks at zones {a[0]} and {a[1]}",
    "hit": lambda g, a: f"The Super Cobra hits the {unit_words(g.things[PLACE[a[0]]])} in {a[0]}",
    "done": lambda _g, _a: "The Super Cobra turns away",
    "bomb": lambda _g, a: f"The Hornet bombs zone {a[0]}",
    "commit": _commit,
    "iif": lambda _g, a: f"The IIF squad comes on in zone {a[0]}",
    "fire": _fire,
    "move": _move,
    "detach": lambda g, a: f"{squad(a[0])} detaches its Security Element in {_place_of(g, a[0])}",
    "nodetach": lambda _g, _a: "The squad stays together",
    "regroup": lambda _g, a: f"{squad(a[0])} picks up its Security Element",
    "withdraw": lambda g, a: f"{squad(a[0])} leaves the game from {_place_of(g, a[0])} (-2 VP)",
    "stop": lambda g, a: f"{squad(a[0])} stops in {_place_of(g, a[0])}",
    "assault": _assault,
    "explosives": lambda _g, a: "Use the explosives" if a[0] == "yes" else "Keep the explosives",
    "flood": lambda _g, a: "Flood the zone" if a[0] == "yes" else "Do not flood",
    "loss": lambda _g, a: f"The {'squad' if a[0] == 'squad' else 'CAAT'} takes the loss",
    "pass": lambda g, _a: f"Pass: end the {_PHASE_NAMES[g.phase]}",
}
_RULES = {
    "strongpoints": "6.1.2",
    "place": "6.3",
    "caat": "6.3.1",
    "assign": "R53",
    "call": "9.1",
    "target": "9.3",
    "hit": "9.3",
    "done": "9.3",
    "bomb": "9.3",
    "commit": "10",
    "iif": "10.4",
    "fire": "11.1",
    "move": "12.1",
    "detach": "12.3.2",
    "nodetach": "12.3.2",
    "regroup": "12.3.2.3",
    "withdraw": "12.4.3",
    "stop": "12.1",
    "assault": "13",
    "explosives": "13.7",
    "flood": "13.4.7.2",
    "loss": "5.1.1.2",
    "pass": "8",
}


def cite(action: Action) -> str:
    verb = str(action[0])
    if verb == "move" and str(action[1]) in TANKS:
        return "12.6"
    if verb == "move" and str(action[2]).startswith("S"):
        return "12.5"
    return _RULES.get(verb, "")


# --- chances ------------------------------------------------------------------------------------------------------


def at_most(cf: int, drm: int) -> int:
    """In percent: an unmodified die of 0 to 8 that with its modifier is at most CF."""
    return 10 * sum(1 for die in range(9) if die + drm <= cf)


def _parts(parts: list[tuple[int, str]]) -> str:
    return "".join(f" {signed(value)} {reason}" for value, reason in parts)


def odds(g: Board, action: Action) -> str:
    """The chance of an action in percent with its parts, where one die decides it."""
    verb = action[0]
    if verb == "fire":
        return _fire_odds(g, action)
    if verb == "assault":
        return _assault_odds(g, action)
    if verb == "call":
        needs = success_of(g, MISSIONS.index(str(action[1])))
        return f"{10 * (needs + 1)} %: die at most {needs}"
    if verb == "move" and len(action) == 3 and str(action[2]).startswith("S") and action[1] not in TANKS:
        return _crossing_odds(g, action)
    if verb == "explosives":
        decision = question(g)
        if isinstance(decision, ExplosivesChoice):
            if action[1] == "yes":
                return f"{at_most(8, 0)} %: die at most CF 8"
            return _fight_odds(g, decision.unit, decision.place, decision.kind, decision.shown)
    return ""


def _fire_odds(g: Board, action: Action) -> str:
    name, place = str(action[1]), PLACE[str(action[2])]
    unit = COUNT + TANKS.index(name) if name in TANKS else UNIT[name]
    cf = TANK_CF if name in TANKS else cf_of(g, unit)
    parts = fire_modifiers(g, unit, place)
    chance = at_most(cf + (CAAT_BONUS if len(action) > 3 else 0), sum(value for value, _ in parts))
    with_caat = f" +{CAAT_BONUS} CAAT" if len(action) > 3 else ""
    return f"{chance} %: die{_parts(parts)} at most CF {cf}{with_caat}"


def _fight_odds(g: Board, unit: int, place: int, kind: str, shown: bool) -> str:
    parts = assault_modifiers(g, unit, place, kind, shown)
    chance = at_most(cf_of(g, unit), sum(value for value, _ in parts))
    drm = {"top": -1, "bottom": 1}.get(kind, 0) - (g.fanatic >> ZONE[place] & 1)
    risk = at_most(strength(g.things[place]), drm)
    return f"{chance} %: die{_parts(parts)} at most CF {cf_of(g, unit)}; {risk} % to be hit if it fails"


def _assault_odds(g: Board, action: Action) -> str:
    unit, place = UNIT[str(action[1])], PLACE[str(action[2])]
    kind = assault_type(g.where[unit], place)
    if g.things[place] > 0:
        return _fight_odds(g, unit, place, kind, False)
    traps, dummies = (20, 10) if g.fortified >> ZONE[place] & 1 else (10, 50)
    return f"{dummies} % dummy, {100 - dummies - traps} % a unit (then die +1), {traps} % an explosive device"


def _crossing_odds(g: Board, action: Action) -> str:
    section = PLACE[str(action[2])]
    units, suspects = count_in(g, SECTION_FIRE[section])
    wound, pinned = min(100, 10 * (units + 1)) if units else 0, min(100, 10 * (suspects + 1)) if suspects else 0
    if section in g.tanks:
        wound, pinned = 0, wound
    if not wound and not pinned:
        return "safe: nobody sees the street"
    return f"{wound} % step loss ({count(units, 'unit')}), {pinned} % Pinned ({count(suspects, 'Suspect')})"


__all__ = ["cite", "describe", "odds", "prompt"]

"""Sentences: prompts, actions in words, news, rule numbers."""

from collections.abc import Callable
from typing import Any

from games.kernel.steps import Action, Decision
from games.kernel.table import News, Seat
from games.second_fallujah.advantage import AdvantageWindow
from games.second_fallujah.board import Board, mp_left, place_word
from games.second_fallujah.casualties import CasualtiesChoice, RetreatChoice
from games.second_fallujah.coalition import Activation, entry_cost
from games.second_fallujah.combat import LeadDefenderChoice, PlanAttack, offensive_value
from games.second_fallujah.insurgent import InsurgentActivation, insurgent_entry_cost
from games.second_fallujah.reaction import ReactionWindow, ReconWindow
from games.second_fallujah.sequence import Friction, KeepSpent, Regroup
from games.second_fallujah.strike import CoalitionLeadChoice
from games.second_fallujah.tables import (
    AREA_NAME,
    COALITION,
    DUG,
    HAND,
    ID,
    INSURGENT,
    LAST_TURN,
    MOSQUE,
    SPENT,
    UNIT,
    UNIT_NAME,
)

DAYS = tuple(f"{7 + turn} November" for turn in range(LAST_TURN + 1))
SIDE = {COALITION: "the Coalition", INSURGENT: "the insurgents"}


def area_words(area: object) -> str:
    """`24 Askari West`; zones by name."""
    text = str(area)
    if text.isdigit() and int(text) < len(AREA_NAME) and AREA_NAME[int(text)]:
        return f"{text} {AREA_NAME[int(text)]}"
    return {"NW": "the NW Entry Zone", "NE": "the NE Entry Zone"}.get(text, text)


def side_words(side: object) -> str:
    return SIDE.get(str(side), str(side))


def first_up(words: str) -> str:
    return words[0].upper() + words[1:]


def and_list(names: str) -> str:
    words = names.split()
    return names if len(words) < 2 else f"{', '.join(words[:-1])} and {words[-1]}"


def counted(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


# --- prompts -----------------------------------------------------------------------------------------


def prompt(g: Board, decision: Decision | None) -> str:
    """What is asked, in one sentence."""
    if decision is None:
        return "The game is over."
    name = type(decision).__name__
    if isinstance(decision, Activation | InsurgentActivation):
        picked = " ".join(ID[unit] for unit in decision.picked)
        here = area_words(place_word(g.origin))
        verbs = "step, attack or done" if isinstance(decision, Activation) else "step, strike, dig, undig or done"
        return f"{here} is activated: {f'{and_list(picked)} picked; ' if picked else ''}pick, {verbs}."
    if isinstance(decision, PlanAttack):
        return f"Attack on {area_words(decision.area)}: {_plan(g, decision)}."
    if isinstance(decision, AdvantageWindow):
        return _advantage_prompt(g, decision)
    if isinstance(decision, ReactionWindow):
        came = and_list(" ".join(ID[unit] for unit in decision.group))
        return f"{came} entered {area_words(decision.area)} (cost {decision.before}): how do your units react?"
    if isinstance(decision, ReconWindow):
        return f"The Reaction put a unit into {area_words(decision.area)}: withdraw reconnaissance units, or stay?"
    if isinstance(decision, CasualtiesChoice):
        return f"Take {counted(decision.left, 'Casualty Point')} in {area_words(decision.area)}: who suffers what?"
    if isinstance(decision, RetreatChoice):
        return f"{ID[decision.units[0]]} must retreat from {area_words(decision.area)}: where to?"
    if isinstance(decision, LeadDefenderChoice):
        return f"OV {decision.ov} against {area_words(decision.area)}: which unit leads the defence?"
    if isinstance(decision, CoalitionLeadChoice):
        return f"{ID[decision.unit]} attacks in {area_words(decision.area)}: which unit leads the defence?"
    if isinstance(decision, KeepSpent | Friction):
        return f"Only five Fresh Fedayeen and Cadres may be in {area_words(decision.area)}: who is Spent?"
    if isinstance(decision, Regroup):
        return f"Regroup: each unit may move once to an adjacent Free area ({len(decision.moved)} moved); done ends it."
    left = g.where.count(HAND)
    day = f"{DAYS[g.turn]}, impulse {g.impulse}"
    return {
        "SetUp": f"Place {counted(left, 'Fedayeen')[: None if left == 1 else -1]}, at most two in an area."
        if left
        else "All Fedayeen are down: done, or take one back.",
        "CoalitionImpulse": f"{day}: activate an area or zone, call a fire mission, or pass.",
        "InsurgentImpulse": f"{day}: activate an area, organise resistance, or pass.",
    }[name]


def _plan(g: Board, plan: PlanAttack) -> str:
    force = and_list(" ".join(ID[unit] for unit in plan.force)) or "nobody yet"
    boats = ", riverine in support" if plan.boats else ""
    if plan.leader < 0:
        return f"{force}{boats}; choose the lead"
    ov = offensive_value(g, plan.area, plan.force, plan.leader, plan.boats)
    return f"{force}{boats}, led by {ID[plan.leader]}, OV {ov}; roll?"


def _advantage_prompt(g: Board, window: AdvantageWindow) -> str:
    ends = ", and the phase would end" if window.sets_phase(g) and g.att < g.impulse else ""
    if window.kind == "phase":
        how = "ends" if g.att < g.impulse else "goes on"
        return f"Phase roll {g.att} at impulse {g.impulse}: the Action Phase {how}. Use the Advantage?"
    ot, dt = window.ov + g.att, window.dv + g.dfn
    return (
        f"{area_words(window.area)}: {window.ov}+{g.att} = {ot} against {window.dv}+{g.dfn} = {dt}, "
        f"{_result_words(window.kind, ot - dt)}{ends}. Use the Advantage?"
    )


def _result_words(kind: str, margin: int) -> str:
    if kind == "strike":
        return "the attack succeeds" if margin > 0 else "the attack fails"
    if margin > 0:
        return f"{counted(margin, 'Casualty Point')} for the insurgents"
    if kind == "fire":
        return "no effect"
    return "the attack stalls (1 Casualty Point)" if margin == 0 else "the attack is repulsed (2 Casualty Points)"


# --- actions -----------------------------------------------------------------------------------------

FACE = {SPENT: "Spent", DUG: "Dug In"}


def unit_words(g: Board, name: str) -> str:
    unit = UNIT[name]
    face = f" ({FACE[g.mode[unit]]})" if g.mode[unit] in FACE else ""
    return f"{name}{face}" if unit >= len(AREA_NAME) or name[0] in "FCM" else f"{name}, {UNIT_NAME[unit]}{face}"


def describe(g: Board, seat: Seat, action: Action) -> str:
    """An action as a person would say it."""
    verb = str(action[0])
    args = action[1:]
    if verb in ("area", "fire", "attack", "zone"):
        place = area_words(args[0])
        return {
            "area": f"activate {place}",
            "zone": f"activate {place}",
            "fire": f"fire mission on {place}" + (" (a mosque)" if verb == "fire" and MOSQUE[int(args[0])] else ""),
            "attack": f"attack in {place}",
        }[verb]
    if verb == "step":
        cost = (entry_cost if seat == COALITION else insurgent_entry_cost)(g, int(args[0]))
        return f"step into {area_words(args[0])} for {cost} MP"
    if verb in _BY_UNIT:
        return _BY_UNIT[verb].format(unit=unit_words(g, str(args[0])), mp=mp_left(g, UNIT[str(args[0])]))
    if verb == "put" or verb == "unput":
        return f"{'place' if verb == 'put' else 'take back'} a Fedayeen in {area_words(args[1])}"
    if verb == "org":
        return f"organise {args[1]} Militia in {area_words(args[0])}"
    if verb == "rg":
        return f"regroup {args[0]} from {area_words(place_word(g.where[UNIT[str(args[0])]]))} to {area_words(args[1])}"
    if verb == "r":
        return _react_words(args)
    if verb == "cp":
        return _loss_words(args)
    if verb == "adv":
        return _adv_words(args)
    return _PLAIN[verb]


_BY_UNIT = {
    "pick": "pick {unit} ({mp} MP)",
    "join": "{unit} joins the attack",
    "unjoin": "{unit} stays out of the attack",
    "lead": "{unit} leads the attack",
    "withdraw": "{unit} withdraws and is Spent",
    "strike": "{unit} strikes here",
    "dig": "{unit} digs in",
    "undig": "{unit} leaves its position, staying Fresh",
    "deflead": "{unit} leads the defence",
    "keep": "{unit} stays Spent",
    "flip": "{unit} becomes Spent",
}
_PLAIN = {
    "pass": "pass",
    "done": "done",
    "drop": "drop the picked units",
    "stay": "stay and fight",
    "river": "call the riverine unit in support",
    "roll": "roll the dice",
}


def _react_words(args: tuple[Any, ...]) -> str:
    if args[0] == "done":
        return "no more reactions"
    if args[0] == "dig":
        return f"{args[1]} digs in"
    if args[0] == "retreat":
        return f"{args[1]} retreats to {area_words(args[2])} and is Spent"
    return f"{args[1]} brings a Militia to {area_words(args[2])}"


def _loss_words(args: tuple[Any, ...]) -> str:
    if args[0] == "done":
        return "all points are taken"
    if args[1] != "retreat":
        return f"{args[0]} becomes Spent" if args[1] == "spent" else f"{args[0]} is eliminated"
    if args[2] == "none":
        return f"{args[0]} has nowhere to retreat and is eliminated"
    return f"{args[0]} retreats to {area_words(args[2])}"


def _adv_words(args: tuple[Any, ...]) -> str:
    if args[0] == "no":
        return "keep the Advantage"
    if args[0] == "reroll":
        return "use the Advantage: roll all four dice again"
    roll = {"att": "attack", "def": "defence", "end": "phase"}[args[1]]
    return f"use the Advantage: {roll} roll {args[0]}"


# --- news ---------------------------------------------------------------------------------------------

_BOT = {
    "passes": "the insurgents have nothing to do",
    "slips-in": "a Militia slips into ungarrisoned {area}",
    "attacks": "the insurgents attack in {area}",
    "organises": "the insurgents organise resistance in {area}",
    "absorbs": "the insurgents in {area} take their losses in the printed order",
    "sets-up": "the insurgents set up by terrain and dice",
    "falls-back": "the best place to fall back to is {area}",
    "leads": "of equal defenders in {area} a Dug In one leads, then a Fedayeen",
    "rerolls-combat": "the insurgents use the Advantage to roll again in {area}",
}
_ATTACK = {"attack": "attack", "fire": "fire mission"}


def _roll(f: dict[str, Any]) -> str:
    attack, defence = f["a1"] + f["a2"], f["d1"] + f["d2"]
    return (
        f"{f['ov']} + {attack} ({f['a1']}, {f['a2']}) = {f['ov'] + attack} against "
        f"{f['dv']} + {defence} ({f['d1']}, {f['d2']}) = {f['dv'] + defence}"
    )


def _backlash(f: dict[str, Any]) -> str:
    why = {"mosque": "no Iraqi unit at the mosque of", "repulsed": "losses in", "strike": "losses in"}[f["why"]]
    return f"Political Backlash +{f['by']} ({why} {area_words(f['area'])}): now {f['total']}."


def _result(f: dict[str, Any]) -> str:
    return f"{f['ot']} against {f['dt']} in {area_words(f['area'])}: {_result_words(f['kind'], f['points'])}."


def _adv_news(f: dict[str, Any]) -> str:
    who = first_up(side_words(f["seat"]))
    if f["use"] == "reroll":
        return f"{who} use the Advantage to roll all dice again.".replace("Coalition use", "Coalition uses")
    roll = {"att": "attack", "def": "defence", "end": "phase"}[f["roll"]]
    return f"{who}: Advantage, {roll} roll {f['use']}, now {f['now']}."


_NEWS: dict[str, Callable[[dict[str, Any]], str]] = {
    "setup": lambda f: f"{f['unit']} is placed in {area_words(f['area'])}.",
    "setup-back": lambda f: f"{f['unit']} is taken back from {area_words(f['area'])}.",
    "setup-done": lambda f: f"The insurgents are set up; the city is worth {f['vp']} points.",
    "turn": lambda f: f"{DAYS[f['turn']]} begins (turn {f['turn']} of {LAST_TURN}).",
    "activate": lambda f: f"{first_up(side_words(f['side']))}: {area_words(f['place'])} is activated.",
    "pass": lambda f: f"{first_up(side_words(f['side']))}: pass.",
    "enter": lambda f: f"{and_list(f['units'])}: {area_words(f['origin'])} to {area_words(f['area'])}.",
    "move": lambda f: f"{and_list(f['units'])}: {area_words(f['origin'])} to {area_words(f['area'])}.",
    "ambush": lambda f: f"Ambush in {area_words(f['area'])}: entering now costs 4 MP.",
    "withdraw": lambda f: f"{f['unit']} withdraws from {area_words(f['area'])} to {area_words(f['goal'])}.",
    "go-back": lambda f: (
        f"{f['unit']} goes back from {area_words(f['area'])} to {area_words(f['goal'])}: no unit could lead."
    ),
    "control": lambda f: f"{area_words(f['area'])} is now held by {side_words(f['side'])}.",
    "attack": lambda f: (
        f"Attack on {area_words(f['area'])} by {and_list(f['units'])}, led by {f['leader']}: "
        f"OV {f['ov']} ({f['parts']})."
    ),
    "fire-mission": lambda f: f"Fire mission on {area_words(f['area'])}: OV 8.",
    "combat-roll": lambda f: (
        f"{area_words(f['area'])}, {_ATTACK[f['kind']]} against {f['defender']} ({f['face']}): {_roll(f)}."
    ),
    "combat-result": _result,
    "overwhelming": lambda f: f"Overwhelming Force in {area_words(f['area'])}: OV {f['ov']} against DV {f['dv']}.",
    "overrun": lambda f: f"Overrun in {area_words(f['area'])}: {and_list(f['lost'])} eliminated.",
    "losses-ignored": lambda f: (
        f"{f['unit']}, Dug In, shrugs off {counted(f['points'], 'Casualty Point')} in {area_words(f['area'])}."
    ),
    "loss-kill": lambda f: f"{f['unit']} is eliminated in {area_words(f['area'])}.",
    "loss-spent": lambda f: f"{f['unit']} is Spent in {area_words(f['area'])}.",
    "loss-retreat": lambda f: f"{f['unit']} retreats from {area_words(f['area'])} to {area_words(f['goal'])}.",
    "loss-trapped": lambda f: f"{f['unit']} has nowhere to retreat from {area_words(f['area'])} and is eliminated.",
    "security-lapse": lambda f: f"Security lapse in {area_words(f['area'])}: {f['unit']} finds only support units.",
    "strike-roll": lambda f: f"{f['unit']} attacks {f['defender']} in {area_words(f['area'])}: {_roll(f)}.",
    "strike-result": lambda f: (
        f"{f['unit']}'s attack in {area_words(f['area'])} {'succeeds' if f['won'] == 'yes' else 'fails'} "
        f"({f['ot']} against {f['dt']}); {f['unit']} is eliminated."
    ),
    "backlash": _backlash,
    "advantage": _adv_news,
    "reroll": lambda f: f"New dice: {f['a1']}, {f['a2']} against {f['d1']}, {f['d2']}.",
    "dig": lambda f: f"{f['unit']} digs in at {area_words(f['area'])}.",
    "undig": lambda f: f"{f['unit']} leaves its position in {area_words(f['area'])}.",
    "organize": lambda f: f"{f['count']} Militia join the insurgents in {area_words(f['area'])}.",
    "react-retreat": lambda f: (
        f"{f['unit']} slips away from {area_words(f['area'])} to {area_words(f['goal'])}, {f['face'].capitalize()}."
    ),
    "react-militia": lambda f: f"{f['unit']} brings {f['militia']} to {area_words(f['area'])}.",
    "react-fedayeen": lambda f: (
        f"{f['unit']} brings {f['fedayeen']} to {area_words(f['area'])}{', Dug In' if f['dug'] == 'yes' else ''}."
    ),
    "bot": lambda f: f"Rule {f['rule']}: {_BOT[f['words']].format(area=area_words(f['area']))}.",
    "bot-fedayeen": lambda f: (
        f"Rule 17 (1): {f['unit']} in {area_words(f['area'])} rolls {f['roll']} + {f['tem']} = {f['roll'] + f['tem']}."
    ),
    "bot-cadre": lambda f: (
        f"Rule 17: {f['unit']} in {area_words(f['area'])} rolls {f['roll']}"
        f"{' + ' + str(f['tem']) + ' = ' + str(f['roll'] + f['tem']) if f['tem'] else ''}."
    ),
    "phase-roll": lambda f: f"Phase roll {f['a1'] + f['a2']} ({f['a1']}, {f['a2']}) at impulse {f['impulse']}.",
    "phase-passed": lambda _: "Both sides have passed: the Action Phase ends.",
    "phase-ends": lambda f: f"{f['roll']} is below impulse {f['impulse']}: the Action Phase ends.",
    "phase-goes-on": lambda f: f"{f['roll']} is not below impulse {f['impulse']}: the day goes on.",
    "friction": lambda f: f"{f['unit']} in {area_words(f['area'])} becomes Spent: five Fresh is the limit.",
    "regroup-phase": lambda _: "Regroup Phase.",
    "regroup": lambda f: (
        f"{f['unit']} regroups from {area_words(f['origin'])} to {area_words(f['area'])}"
        f"{' and becomes Spent' if f['face'] else ''}."
    ),
    "infiltration": lambda f: f"Infiltration: {area_words(f['area'])} falls to the insurgents.",
    "kept-spent": lambda f: f"{f['unit']} stays Spent in {area_words(f['area'])}: five Fresh is the limit.",
    "game-over": lambda f: f"The battle is over: {f['vp']} points.",
}


def narrate(news: News) -> str:
    return first_up(_NEWS[news.key](dict(news.facts)))


_RULE = {
    "put": "11.1",
    "unput": "11.1",
    "area": "4.1",
    "zone": "4.1.2",
    "fire": "7.4",
    "org": "4.1.1",
    "pass": "4.1.4",
    "pick": "6",
    "drop": "6",
    "step": "6.1",
    "attack": "7.2",
    "join": "6.3",
    "unjoin": "6.3",
    "river": "7.2.3",
    "lead": "7.2.1",
    "roll": "7.1",
    "withdraw": "6.3.1",
    "stay": "6.3.1",
    "strike": "7.3",
    "dig": "4.1.1",
    "undig": "4.1.1",
    "r": "4.1.3",
    "deflead": "7.2.5",
    "adv": "10.1",
    "cp": "8.2",
    "flip": "5.1",
    "keep": "4.4",
    "rg": "4.2",
    "done": "4.1",
}


def cite(action: Action) -> str:
    return _RULE.get(str(action[0]), "")

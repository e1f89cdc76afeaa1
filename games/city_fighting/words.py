"""Prompts, descriptions, odds and news in plain English."""

from collections.abc import Callable, Mapping, Sequence

from games.city_fighting import tables as t
from games.city_fighting.aftermath import AwardLeader
from games.city_fighting.board import Board, steps_of
from games.city_fighting.combat import (
    ChooseLead,
    ChooseNetwar,
    ChooseStrikes,
    StandOrWithdraw,
    TakeHits,
    Withdraw,
)
from games.city_fighting.fight import coalition_edge, opfor_edge, side
from games.city_fighting.intelligence import CommitInfoWar, PlaceIsr
from games.city_fighting.movement import Fly, FormForce, MoreForces, Move
from games.city_fighting.recruiting import Recruit, SetUp
from games.city_fighting.sequence import AssignLeader, Interdict, OpMenu
from games.kernel.steps import Action, question
from games.kernel.table import News


def place_name(word: str) -> str:
    """`2-4 (Jolan)`, `North Base`."""
    place = t.PLACE[word]
    return t.PLACE_NAMES[place] if place >= t.SPACES else f"{word} ({t.PLACE_NAMES[place]})"


def unit_name(word: str) -> str:
    return t.UNIT_NAMES[t.UNIT[word]]


def item_name(word: str) -> str:
    if word in t.UNIT:
        return unit_name(word)
    if word in t.STRIKE:
        return t.STRIKE_NAMES[t.STRIKE[word]]
    if word in t.NETWAR:
        return f"NetWar {word.split('.')[1]}"
    if word in t.LEADER:
        return f"Leader {word.split('.')[1]}"
    if word in t.NODE:
        return t.NODE_NAMES[t.NODE[word]]
    return t.COUNTER_NAMES[t.COUNTER[word]]


def values(g: Board, unit: int) -> str:
    """`3(3)3`: firepower, contact, movement; helicopters have no limit."""
    side_up = g.reduced[unit]
    move = t.MOVEMENT[side_up][unit]
    return f"{t.FIREPOWER[side_up][unit]}({t.CONTACT[side_up][unit]}){'air' if move == t.UNLIMITED else move}"


def many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def force_name(units: Sequence[int]) -> str:
    return joined([t.UNIT_NAMES[unit] for unit in units])


def quarters(count: int) -> str:
    """`2 1/4 OPs`."""
    whole, part = divmod(count, 4)
    words = [str(whole)] if whole or not part else []
    words += [("", "1/4", "1/2", "3/4")[part]] if part else []
    return " ".join(words) + (" OP" if count <= 4 else " OPs")


# --- prompts -------------------------------------------------------------------------------------------


def prompt(g: Board) -> str:
    decision = question(g)
    if decision is None:
        return "The game is over."
    match decision:
        case SetUp():
            return f"Set-up: buy your opening force; {quarters(decision.purse(g))} may still be spent."
        case AssignLeader():
            leader = t.LEADER_IDS[next(n for n, holder in enumerate(g.leader) if holder < -1)]
            return f"{item_name(leader)} survived the first battle: which ground unit does he join?"
        case Recruit():
            return f"J-1: recruit; {quarters(decision.purse(g))} may still be spent."
        case PlaceIsr():
            left = g.netwar.count(t.AVAILABLE) + len(g.intel)
            return f"J-2: which concealed node do you look at? {many(left, 'marker')} left."
        case CommitInfoWar():
            return "J-5: which NetWar markers do you commit to information warfare?"
        case FormForce():
            taken = f" with {force_name(decision.units)}" if decision.units else ""
            return f"Form a force in {place_name(t.PLACE_IDS[decision.place])}{taken}: whom do you take?"
        case Fly():
            return f"Where do {force_name(decision.units)} fly?"
        case MoreForces():
            return f"Networked operation against {place_name(t.PLACE_IDS[decision.goal])}: another force?"
        case Move():
            left = decision.force.allowance - decision.force.spent
            where = place_name(t.PLACE_IDS[decision.place])
            return f"Where do {force_name(decision.force.units)} go from {where}? {many(left, 'point')} left."
        case Interdict():
            return f"Interdiction of {place_name(t.PLACE_IDS[decision.place])}: which air strikes?"
        case OpMenu():
            return f"Choose an operation: {many(g.ops, 'OP')}, KIA {g.kia:+d}, OPFOR morale {t.LEVELS[g.morale]}."
    return _battle_prompt(g, decision)


def _battle_prompt(g: Board, decision: object) -> str:
    fight = decision.fight  # type: ignore[attr-defined]
    where = f"{place_name(t.PLACE_IDS[fight.place])}, round {fight.round}"
    match decision:
        case ChooseLead():
            return f"Battle in {where}, against {many(len(g.opfor), 'unit')}: who leads?"
        case ChooseNetwar():
            return f"Battle in {where}: do you add a NetWar to the edge?"
        case ChooseStrikes():
            edge = "You have" if decision.edge else "OPFOR has"
            return f"Battle in {where}: {edge} the edge. Which strikes do you commit?"
        case TakeHits():
            return f"Battle in {where}: {many(decision.hits, 'hit')} to take. Which unit is hit?"
        case StandOrWithdraw():
            steps = steps_of(g, side(g, fight))
            return f"Battle in {where}: OPFOR stands with {len(g.opfor)} against your {steps} steps. Go on or withdraw?"
        case Withdraw():
            return f"Withdrawal from {where} to {place_name(t.PLACE_IDS[decision.to])}: who goes?"
        case AwardLeader():
            return f"A leader has shown himself in {where}: which unit does he join?"
    raise AssertionError(f"no prompt for {type(decision).__name__}")


# --- actions -------------------------------------------------------------------------------------------

_PLAIN = {
    "done": "That is all",
    "j1": "J-1: recruit reinforcements",
    "j2": "J-2: look for concealed nodes",
    "j5": "J-5: information warfare",
    "idle": "Let an operation pass without moving",
    "end": "End the battle now: every node is gone",
    "pass": "Leave this operation to the next commander",
    "form": "The force is complete; move it",
    "stop": "Stop here",
    "no": "No NetWar",
    "continue": "Fight another round",
}


def describe(g: Board, action: Action) -> str:
    verb, *rest = (str(word) for word in action)
    if verb in _PLAIN:
        return _PLAIN[verb]
    decision = question(g)
    match verb:
        case "buy":
            cost = quarters(_price(g, rest[0]))
            where = f" to {place_name(rest[1])}" if len(rest) > 1 else ""
            stats = f" {values(g, t.UNIT[rest[0]])}" if rest[0] in t.UNIT else ""
            return f"Buy {item_name(rest[0])}{stats}{where} for {cost}"
        case "j3":
            return f"J-3: attack with a force from {place_name(rest[0])}"
        case "j4":
            return _describe_work(*rest)
        case "take":
            unit = t.UNIT[rest[0]]
            if isinstance(decision, Withdraw):
                return f"{unit_name(rest[0])} withdraws to {place_name(t.PLACE_IDS[decision.to])}"
            return f"Take {unit_name(rest[0])} {values(g, unit)}"
        case "lead":
            return f"{unit_name(rest[0])} leads, contact {t.CONTACT[g.reduced[t.UNIT[rest[0]]]][t.UNIT[rest[0]]]}"
        case "hit":
            unit = t.UNIT[rest[0]]
            fate = "is reduced" if t.STEPS[unit] == 2 and not g.reduced[unit] else "is eliminated"
            return f"{unit_name(rest[0])} takes a hit and {fate}"
        case "evac":
            return f"{unit_name(rest[0])} flies {unit_name(rest[1])} out to {place_name(rest[2])}"
        case "leader":
            return f"{item_name(rest[0])} {'rests' if rest[1] == 'none' else 'joins ' + unit_name(rest[1])}"
        case "strike":
            return f"Commit {item_name(rest[0])}, firepower {t.STRIKE_FIREPOWER[t.STRIKE[rest[0]]]}"
        case "netwar" | "commit":
            return f"{'Use' if verb == 'netwar' else 'Commit'} {item_name(rest[0])}"
    return _describe_place(decision, verb, rest[0])


def _price(g: Board, item: str) -> int:
    if item in t.UNIT:
        return t.COST[t.UNIT[item]] * (2 if g.in_play else 1)
    return t.STRIKE_COST[t.STRIKE[item]] if item in t.STRIKE else t.NETWAR_COST


def _describe_work(work: str, where: str) -> str:
    if work == "bridge":
        return f"J-4: repair the {t.BRIDGE_NAMES[t.BRIDGE_IDS.index(where)]}"
    return f"J-4: {'refit units in' if work == 'refit' else 'build a FOB in'} {place_name(where)}"


def _describe_place(decision: object, verb: str, word: str) -> str:
    where = place_name(word)
    units: Sequence[int] = ()
    if isinstance(decision, Move):
        units = decision.force.units
    elif isinstance(decision, Fly):
        units = decision.units
    who = force_name(units)
    s = "s" if len(units) == 1 and not who.endswith("s") else ""
    return {
        "go": f"{who} move{s} to {where}",
        "base": f"{who} move{s} to {where}",
        "infil": f"{who} slip{s} through the node in {where}",
        "water": f"{who} go{'es' if s else ''} by water to {where}",
        "air": f"{who} fl{'ies' if s else 'y'} to {where}",
        "isr": f"Look at the node in {where}",
        "force": f"Another force from {where}",
        "netops": f"Networked operation against {where}",
        "interdict": f"Interdiction of {where}",
        "withdraw": f"Withdraw to {where}",
    }[verb]


_RULES = {
    "SetUp": "7.1",
    "AssignLeader": "30.2",
    "OpMenu": "10.1",
    "Recruit": "11.1",
    "PlaceIsr": "12.1",
    "CommitInfoWar": "19.0",
    "FormForce": "8.3",
    "Move": "13.0",
    "Fly": "24.1",
    "MoreForces": "32.0",
    "Interdict": "33.0",
    "ChooseLead": "16.1(2)",
    "ChooseNetwar": "12.3",
    "ChooseStrikes": "23.2",
    "TakeHits": "16.3",
    "StandOrWithdraw": "16.1(4)",
    "Withdraw": "16.7",
    "AwardLeader": "29.1",
}
_VERB_RULES = {
    "j1": "11.0",
    "j2": "12.0",
    "j3": "10.1",
    "j5": "19.0",
    "idle": "14.2",
    "end": "8.1",
    "pass": "35.0",
    "infil": "27.1",
    "water": "25.1",
    "base": "13.4",
    "evac": "16.9",
    "netops": "32.0",
    "interdict": "33.0",
    "withdraw": "16.7",
}
_WORK_RULES = {"refit": "18.1", "bridge": "18.4", "fob": "18.5"}


def cite(g: Board, action: Action) -> str:
    if action[0] == "j4":
        return _WORK_RULES[str(action[1])]
    return _VERB_RULES.get(str(action[0])) or _RULES[type(question(g)).__name__]


def odds(g: Board, action: Action) -> str:
    decision = question(g)
    match decision:
        case ChooseLead():
            lead = t.UNIT[str(action[1])]
            return _edge_odds(g, decision, lead, False)
        case ChooseNetwar():
            return _edge_odds(g, decision, decision.lead, action[0] == "netwar")
        case Move() if action[0] == "infil":
            contact = min(t.CONTACT[g.reduced[unit]][unit] for unit in decision.force.units)
            return f"{round(100 * min(contact, 6) / 6)} %"
        case PlaceIsr() if action[0] == "isr":
            misses = decision.placed.count(t.PLACE[str(action[1])]) + 1
            return f"{round(100 * (1 - (1 / 3) ** misses))} %"
    return ""


def _edge_odds(g: Board, decision: ChooseLead | ChooseNetwar, lead: int, networked: bool) -> str:
    """The chance of the Tactical Edge: 36 pairs of dice."""
    fight = decision.fight
    gap = coalition_edge(g, fight, lead, networked) - opfor_edge(g, fight)
    tie_wins = t.TERRAIN[fight.place] == t.OPEN
    wins = sum(
        gap + ours - theirs > 0 or (gap + ours == theirs and tie_wins) for ours in range(1, 7) for theirs in range(1, 7)
    )
    return f"{round(100 * wins / 36)} %"


# --- news ----------------------------------------------------------------------------------------------

Facts = Mapping[str, int | str]
_WHY = {
    "infowar": "information warfare",
    "media": "Media Wars",
    "collateral": "collateral damage",
    "defeat": "the lost battle",
    "negotiations": "Negotiations",
    "capture": "the capture",
}


def _names(words: int | str) -> str:
    return joined([item_name(word) for word in str(words).split()])


def _at(facts: Facts, key: str = "place") -> str:
    return place_name(str(facts[key]))


def _who(facts: Facts, key: str = "unit") -> str:
    return item_name(str(facts[key]))


def _shots(facts: Facts) -> str:
    parts = []
    for shot in str(facts["shots"]).split():
        word, power, die = shot.rsplit(":", 2)
        parts.append(f"{item_name(word)} ({power}) rolls {die}{', a hit' if int(die) <= int(power) else ''}")
    return "; ".join(parts)


def _bridge(facts: Facts) -> str:
    return t.BRIDGE_NAMES[t.BRIDGE_IDS.index(str(facts["bridge"]))]


def _edge(f: Facts) -> str:
    ours, theirs = int(f["ours"]) + int(f["our_die"]), int(f["theirs"]) + int(f["their_die"])
    winner = "the Coalition has" if f["edge"] == "coalition" else "OPFOR has"
    return (
        f"Round {f['round']} in {_at(f)}, {_who(f, 'lead')} leading: {f['ours']} + {f['our_die']} = {ours} against "
        f"{f['theirs']} + {f['their_die']} = {theirs}; {winner} the edge."
    )


def _fire(f: Facts) -> str:
    hits, losses = int(f["hits"]), int(f["losses"])
    after = "" if hits == losses else f", which count as {losses}"
    return f"The Coalition fires in {_at(f)} ({_shots(f)}): {many(hits, 'hit')}{after}."


_NEWS: dict[str, Callable[[Facts], str]] = {
    "bought": lambda f: f"{_who(f, 'item')} recruited" + (f", to {_at(f)}." if "place" in f else "."),
    "set-up": lambda f: f"Coalition {str(f['seat']).upper()} is set up; {many(int(f['ops']), 'OP')} left.",
    "recruited": lambda f: f"Recruiting cost {many(int(f['price']), 'OP')}; {many(int(f['ops']), 'OP')} left.",
    "isr-found": lambda f: f"Reconnaissance of {_at(f)} ({f['die']}): it is {_a(_who(f, 'node'))}.",
    "isr-nothing": lambda f: f"Reconnaissance of {_at(f)} ({f['die']}): nothing.",
    "infowar": lambda f: f"Information warfare: {f['dice']}, net {int(f['net']):+d}.",
    "ops-gained": lambda f: f"{many(int(f['count']), 'OP')} gained by {_WHY[str(f['why'])]}; now {f['ops']}.",
    "ops-lost": lambda f: f"{many(int(f['count']), 'OP')} lost to {_WHY[str(f['why'])]}; now {f['ops']}.",
    "refitted": lambda f: f"{_who(f)} is at full strength again in {_at(f)}.",
    "bridge-repaired": lambda f: f"The {_bridge(f)} stands again.",
    "fob-built": lambda f: f"{_who(f)} is built in {_at(f)}.",
    "moved": lambda f: f"{_names(f['units'])}: from {_at(f, 'origin')} to {_at(f)}.",
    "flown": lambda f: f"{_names(f['units'])}: flown from {_at(f, 'origin')} to {_at(f)}.",
    "sailed": lambda f: f"{_names(f['units'])}: by water from {_at(f, 'origin')} to {_at(f)}.",
    "boots": lambda f: f"{_at(f)} was already held; no reaction.",
    "infiltrated": lambda f: f"{_names(f['units'])} slipped through {_at(f)} ({f['die']} against {f['contact']}).",
    "infiltration-failed": lambda f: f"{_names(f['units'])}: seen in {_at(f)} ({f['die']} against {f['contact']}).",
    "node-shown": lambda f: f"The node in {_at(f)} is {_a(_who(f, 'node'))}.",
    "morale-check": lambda f: (
        f"OPFOR morale check: {f['total']} against {f['held']} occupied spaces; morale is {f['morale']}."
    ),
    "ied-cleared": lambda f: f"Engineers clear the IEDs in {_at(f)}.",
    "ied-die": lambda f: f"IED at {_who(f)} in {_at(f)}: {f['die']}{', a hit' if f['die'] == 6 else ''}.",
    "picked": lambda f: f"OPFOR reaction: {_who(f, 'counter')}.",
    "battle": lambda f: f"Battle in {_at(f)} against {_names(f['units'])}.",
    "bridge-blown": lambda f: f"The {_bridge(f)} is blown ({f['die']}).",
    "bridge-held": lambda f: f"The {_bridge(f)} stays whole ({f['die']}).",
    "helicopter-down": lambda f: f"A helicopter is down in {_at(f)}.",
    "deserted": lambda f: f"{_who(f)} deserts ({f['die']}).",
    "loyal": lambda f: f"{_who(f)} stays ({f['die']}).",
    "negotiations": lambda f: f"Negotiations will cost {many(int(f['die']), 'OP')} when this operation is over.",
    "raid": lambda f: f"Rear Area Raid: a concealed node appears in {_at(f)}.",
    "raid-seen": lambda f: f"Rear Area Raid: {_a(_who(f, 'node'))} appears in {_at(f)}, in plain sight.",
    "edge": _edge,
    "mob": lambda f: f"The mob has strength {f['strength']} this round.",
    "fire": _fire,
    "opfor-fire": lambda f: f"OPFOR fires in {_at(f)} ({_shots(f)}): {many(int(f['hits']), 'hit')}.",
    "killed": lambda f: f"{_who(f, 'counter')}: eliminated.",
    "reduced": lambda f: f"{_who(f)} is reduced.",
    "eliminated": lambda f: f"{_who(f)} is eliminated.",
    "broke-off": lambda f: f"OPFOR breaks off in {_at(f)}; {many(int(f['count']), 'unit')} slip away.",
    "withdrew": lambda f: f"{_who(f)} withdraws from {_at(f, 'origin')} to {_at(f)}.",
    "evacuated": lambda f: f"{_who(f, 'helo')} flies {_who(f)} out of {_at(f, 'origin')} to {_at(f)}.",
    "lost": lambda f: f"The battle in {_at(f)} is lost.",
    "won": lambda f: f"The battle in {_at(f)} is won.",
    "leader-found": lambda f: f"A leader shows himself (dice {f['dice']}).",
    "leader": lambda f: f"{_who(f, 'leader')} joins {_who(f)}.",
    "leader-rests": lambda f: f"{_who(f, 'leader')} goes back to the recruit box.",
    "captured": lambda f: f"{_who(f, 'node')} captured in {_at(f)}.",
    "helicopter-secured": lambda f: f"The downed helicopter in {_at(f)} is secured.",
    "idle": lambda f: f"An operation passes without a move; {many(int(f['ops']), 'OP')} left.",
    "passed": lambda f: f"Coalition {str(f['seat']).upper()} passes.",
    "interdiction": lambda f: f"Interdiction of {_at(f)} ({_shots(f)}): {many(int(f['hits']), 'hit')}.",
    "node-destroyed": lambda f: f"{_who(f, 'node')} in {_at(f)} is destroyed.",
    "scenario-over": lambda f: (
        f"{t.SCENARIO_NAMES[str(f['scenario'])]} is over: {f['vp']} victory points, a {f['degree']} "
        f"(KIA {int(f['kia']):+d})."
    ),
    "second-battle": lambda f: f"The campaign goes on with Phantom Fury: {many(int(f['ops']), 'OP')}.",
}


def _a(name: str) -> str:
    return f"an {name}" if name[0] in "AEIOU" else f"a {name}"


def narrate(news: News) -> str:
    return _NEWS[news.key](news.facts)

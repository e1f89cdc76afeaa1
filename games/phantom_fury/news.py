"""What happened, as sentences: one for each kind of news, from its facts alone."""

from collections.abc import Callable
from typing import Any

from games.kernel.table import News
from games.phantom_fury.tables import MISSION_NAMES, MISSIONS

Facts = dict[str, Any]


def squad(name: str) -> str:
    return f"{'IIF squad' if name[0] == 'I' else 'Abrams' if name[0] == 'T' else 'Squad'} {name}"


def signed(value: int) -> str:
    return f"+{value}" if value >= 0 else str(value)


def count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def dice(die: int, drm: int) -> str:
    return f"die {die} {signed(drm)} = {die + drm}" if drm else f"die {die}"


def points(facts: Facts) -> str:
    vp = facts.get("vp", 0)
    return f" ({signed(vp)} VP)" if vp else ""


_BY = {
    "cobra": "the Super Cobra",
    "hornet": "the Hornet",
    "fire": "fire",
    "assault": "assault",
    "usmc sniper": "a Marine sniper",
    "suicide bomber": "its own bomb",
}
_FROM = {
    "sniper": "a sniper",
    "street sniper": "a sniper in the street",
    "ied": "an explosive device",
    "defensive fire": "Defensive Fire",
    "assault": "the Assault",
    "hbied": "a booby-trapped house",
    "suicide bomber": "a suicide bomber",
}
_EVENTS = {
    "phantom-fury": "Phantom Fury: the squads around zone {area} fight with -1 until the end of next turn",
    "hero": "a hero stands up in {who}",
    "sniper": "a Marine sniper supports the Assault",
    "flight": "the Guerillas waver",
    "fanaticism": "Fanaticism seizes zone {area} and its block",
    "confusion": "Confusion: the Assault is called off",
    "suicide": "a suicide bomber, if they are Martyrs",
    "drugged": "drugged fighters do not feel a first wound",
    "al-fajr": "Al Fajr: the IIF squad has CF +2 in this Assault",
    "fallujah": "Fallujah! The IIF squad has CF +1 in this Assault",
}
_REACTIONS = {
    "none": "the insurgents are caught off guard",
    "reinforcements": "Guerillas are reinforced",
    "retreat": "Guerillas next to squads slip away",
    "eagle": "the Eagle of Fallujah hunts squads in insurgent zones",
    "counter-attack": "the Guerillas counter-attack",
    "hbied": "a house is booby-trapped",
}
_KINDS = {"top": "Top-Down", "bottom": "Bottom-Up", "normal": "Normal"}


def _fire(f: Facts) -> str:
    caat = " with its CAAT" if f["caat"] else ""
    hit = "hit" if f["hit"] else "no effect"
    roll = f"{dice(f['die'], f['drm'])}, CF {f['cf']}"
    return f"{squad(f['unit'])} fires{caat} at the {f['what']} in {f['at']}: {roll}: {hit}."


def _crossing(f: Facts) -> str:
    parts = []
    if f["units"]:
        parts.append(f"{count(f['units'], 'unit')}, die {f['first']}")
    if f["suspects"]:
        parts.append(f"{count(f['suspects'], 'Suspect')}, die {f['second']}")
    result = (
        " and ".join(word for word, yes in (("a step loss", f["wounded"]), ("Pinned", f["pinned"])) if yes)
        or "it gets across untouched"
    )
    shield = "; the Abrams shields it" if f["shielded"] else ""
    return f"{squad(f['unit'])} is shot at in {f['at']} ({'; '.join(parts) or 'only Suspects'}{shield}): {result}."


def _defence(f: Facts) -> str:
    effect = {"loss": "a step loss", "pinned": "Pinned", "none": "no effect"}[f["effect"]]
    return (
        f"Defensive Fire of the {f['what']} in {f['at']} on {squad(f['unit'])}: "
        f"{dice(f['die'], f['drm'])} against CF {f['cf']}: {effect}."
    )


def _clash(f: Facts) -> str:
    ours = f"{dice(f['ours'], f['drm'])}, CF {f['cf']}: {'hit' if f['hit'] else 'miss'}"
    theirs = f"{dice(f['theirs'], f['their_drm'])}, CF {f['their_cf']}: {'hit' if f['lost'] else 'miss'}"
    return f"{squad(f['unit'])} {ours}; {f['what']} in {f['at']} {theirs}."


def _recovered(f: Facts) -> str:
    if f["die"] < 0:
        return f"{squad(f['unit'])} recovers: no enemy is near."
    return f"{squad(f['unit'])} recovers ({dice(f['die'], f['drm'])}, CF {f['cf']})."


def _mission(f: Facts, result: str) -> str:
    name = MISSION_NAMES[MISSIONS.index(f["mission"])]
    return f"{name}: die {f['die']}, needs 0-{f['needs']}: {result}."


def _control(f: Facts) -> str:
    return f"Zone {f['area']} is under USMC control."


_SENTENCES: dict[str, Callable[[Facts], str]] = {
    "strong-points": lambda f: f"The draw holds {f['number']} strong point{'s' if f['number'] != 1 else ''}.",
    "squads-drawn": lambda f: f"Squads {f['squads']} start on the map.",
    "placed": lambda f: f"{squad(f['unit'])} starts in {f['at']}.",
    "reserves": lambda f: f"Squads {f['company']} are the Company reserve; the other three wait with the Battalion.",
    "caat": lambda f: f"CAAT {f['caat']} joins {squad(f['unit'])}.",
    "assigned": lambda f: f"{squad(f['unit'])} is given to {f['seat']}.",
    "turn": lambda f: f"Turn {f['turn']} begins.",
    "activated": lambda f: f"Zone {f['area']} is Activated: {f['nature'].capitalize()}.",
    "suspect": lambda f: f"A Suspect is placed in {f['at']}.",
    "no-room": lambda f: f"Zone {f['area']} has no room for another Suspect.",
    "dummy": lambda f: f"The Suspect in {f['at']} is a dummy (die {f['die']}).",
    "unclear": lambda f: f"The Suspect in {f['at']} stays unclear (die {f['die']}).",
    "trap": lambda f: (
        f"The Suspect in {f['at']} is {'a sniper' if f['kind'] == 'sniper' else 'an explosive device'} "
        f"(die {f['die']})."
    ),
    "revealed": lambda f: f"The Suspect in {f['at']} turns out to be {f['what']} (die {f['die']}).",
    "refill": lambda f: f"The container of {f['what']} was empty; a full set is added.",
    "mission": lambda f: _mission(f, "it comes"),
    "mission-failed": lambda f: _mission(f, "postponed"),
    "reaction": lambda f: f"Insurgent reaction (die {f['die']}): {_REACTIONS[f['kind']]}.",
    "stronger": lambda f: f"In {f['at']} there are now {f['what']}.",
    "counter-idle": lambda f: f"The Guerillas in {f['at']} find no place to attack from.",
    "counter-move": lambda f: f"Guerillas move from {f['at']} to {f['goal']}.",
    "counter": lambda f: f"The {f['what']} in {f['at']} attack {squad(f['unit'])}.",
    "hbied-nowhere": lambda _: "No house could be booby-trapped.",
    "hbied": lambda f: f"A booby-trapped house blows up in zone {f['area']}, which is Ruins now.",
    "ruins": lambda f: f"Zone {f['area']} is Ruins.",
    "removed": lambda f: f"The Suspect in {f['at']} is removed by {_BY[f['why']]}.",
    "killed": lambda f: f"The {f['what']} in {f['at']} are eliminated by {_BY[f['why']]}{points(f)}.",
    "came": lambda f: f"{squad(f['unit'])} comes into {f['at']}{points(f)}.",
    "tank-came": lambda f: f"{squad(f['unit'])} comes into {f['at']}.",
    "fire": _fire,
    "sniper": lambda f: (
        f"A sniper aims at {squad(f['unit'])} ({f['enemies']} enemies near, die {f['die']}): "
        f"{'hit' if f['hit'] else 'missed'}."
    ),
    "pinned": lambda f: f"{squad(f['unit'])} is Pinned in {f['at']} by {_FROM[f['why']]}.",
    "ied": lambda f: f"The device goes off beside {squad(f['unit'])}: die {f['die']} against CF {f['cf']}.",
    "reduced": lambda f: f"{squad(f['unit'])} is reduced by {_FROM[f['why']]}{points(f)}.",
    "eliminated": lambda f: f"{squad(f['unit'])} is eliminated by {_FROM[f['why']]}{points(f)}.",
    "caat-lost": lambda f: f"CAAT {f['caat']} of {squad(f['unit'])} is lost to {_FROM[f['why']]}{points(f)}.",
    "caat-spent": lambda f: f"CAAT {f['caat']} has nothing left and leaves {squad(f['unit'])}.",
    "withdrawn": lambda f: f"{squad(f['unit'])} is withdrawn from zone {f['area']}{points(f)}.",
    "moved": lambda f: f"{squad(f['unit'])} moves from {f['at']} to {f['goal']}.",
    "tank-mc": lambda f: f"{squad(f['unit'])} in {f['at']} may move {f['mc']} (die {f['die']}).",
    "detached": lambda f: f"{squad(f['unit'])} leaves its Security Element in {f['at']} and has CF {f['cf']}.",
    "regrouped": lambda f: f"{squad(f['unit'])} picks up its Security Element.",
    "crossing": _crossing,
    "thrown-back": lambda f: f"{squad(f['unit'])} brings its casualties back to {f['goal']}.",
    "ambush": lambda f: (
        f"The Suspect in {f['at']} {'opens fire on' if f['shows'] else 'stays hidden from'} {squad(f['unit'])} "
        f"(die {f['die']}, CF {f['cf']})."
    ),
    "defence": _defence,
    "assault": lambda f: f"{squad(f['unit'])} assaults {f['at']} from {f['start']} ({_KINDS[f['kind']]}).",
    "explosives": lambda f: f"{squad(f['unit'])} blows its way into {f['at']} (CF 8).",
    "dice": lambda f: (
        f"Dice in {f['at']}: Marines {f['ours']}, insurgents {f['theirs']}."
        if f["unit"][0] != "I"
        else f"Dice in {f['at']}: IIF {f['ours']}, insurgents {f['theirs']}."
    ),
    "event": lambda f: f"Event (die {f['die']}): {_EVENTS[f['event']].format(area=f['area'], who=squad(f['unit']))}.",
    "event-void": lambda f: f"No insurgent Event can happen in zone {f['area']}.",
    "clash": _clash,
    "drugged": lambda f: f"The unit in {f['at']} fights on as {f['what']}.",
    "held": lambda f: f"The {f['what']} in {f['at']} cannot leave past the Security Element; now {f['now']}.",
    "left-map": lambda f: f"The {f['what']} in {f['at']} leave the map.",
    "fled": lambda f: f"The {f['what']} flee from {f['at']} to {f['goal']}.",
    "cornered": lambda f: f"The {f['what']} in {f['at']} have nowhere to go and stay.",
    "lost-zone": lambda f: (
        f"Zone {f['area']} goes back to the insurgents "
        f"({'they fled into it' if f['why'] == 'retreat' else 'infiltration'})."
    ),
    "entered": lambda f: f"{squad(f['unit'])} enters {f['at']}.",
    "flooding": lambda f: f"{squad(f['unit'])} floods zone {f['area']} from above.",
    "flood-move": lambda f: f"{squad(f['unit'])} comes down to {f['goal']}.",
    "flood": lambda f: f"{squad(f['unit'])} goes for {f['at']}.",
    "control": _control,
    "iif-ready": lambda f: f"The Iraqi squads may come from turn {f['turn']}.",
    "recovered": _recovered,
    "still-pinned": lambda f: f"{squad(f['unit'])} stays Pinned ({dice(f['die'], f['drm'])}, CF {f['cf']}).",
    "pass-withdrawn": lambda f: f"Your pass in the {f['phase']} phase is withdrawn: something new is possible.",
    "over": lambda f: f"The game is over on turn {f['turn']}: {f['result']}, {f['zones']} of 60 zones, {f['vp']} VP.",
}


def narrate(news: News) -> str:
    """One piece of news as a sentence."""
    return _SENTENCES[news.key](news.facts)


KEYS = frozenset(_SENTENCES)

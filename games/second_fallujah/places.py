"""Places in words, and what an order reads: both from the view alone."""

import re
from typing import Any

from games.kernel.errors import Unreadable
from games.kernel.notation import find
from games.kernel.ruleset import View
from games.kernel.steps import Action
from games.second_fallujah.tables import ADJ, AREA_NAME, AREAS, COALITION, MOSQUE, NE, NW, SCORES, TEM, ZONES_AT

ZONE_NUMBER = {"NW": NW, "NE": NE}
_FACES = {"spent": "Spent", "dug": "Dug In"}
_INSURGENT = re.compile(r"^[FCM]\d+$")


def find_place(word: str) -> str:
    """`24`, `askari w`, `jolan park` or `NE` as the board prints it."""
    text = word.strip().rstrip(".")
    if text.upper() in ZONE_NUMBER:
        return text.upper()
    number = re.match(r"^(?:area\s+)?(\d{1,2})\b", text.lower())
    if number:
        if int(number[1]) not in AREAS:
            raise Unreadable(f"There is no area {number[1]}; areas are {AREAS[0]} to {AREAS[-1]}.")
        return str(int(number[1]))
    return str(find(text, AREAS, lambda area: (AREA_NAME[area],), "area"))


def look(view: View, place: str) -> list[str]:
    """Name, ground, who holds it, what borders it, who stands there."""
    name = find_place(place)
    stands = view["units"].get(name, [])
    ours = [unit for unit in stands if not _INSURGENT.match(unit.split()[0])]
    theirs = [unit for unit in stands if _INSURGENT.match(unit.split()[0])]
    if name in ZONE_NUMBER:
        near = " ".join(map(str, ADJ[ZONE_NUMBER[name]]))
        return [f"{name} Entry Zone. Leads to {near}.", _side("Coalition", ours)]
    area = int(name)
    held = "Coalition" if area in view["control"][COALITION] else "insurgents"
    ground = ["mosque"] if MOSQUE[area] else ["objective"] if SCORES[area] else []
    ground += [f"TEM {TEM[area]}", *(["contested"] if ours and theirs else []), f"held by the {held}"]
    near = " ".join(map(str, ADJ[area])) + "".join(
        f" and the {word} zone" for word, zone in ZONE_NUMBER.items() if zone in ZONES_AT[area]
    )
    return [
        f"{area} {AREA_NAME[area]}: {', '.join(ground)}.",
        f"Next to {near}.",
        _side("Coalition", ours),
        _side("Insurgents", theirs),
    ]


def _side(words: str, units: list[str]) -> str:
    """`Coalition, all Spent: 1/8-A TK-A.`"""
    if not units:
        return f"{words}: nobody."
    faces = {unit.partition(" ")[2] for unit in units}
    if len(faces) == 1 and len(units) > 1 and (face := faces.pop()):
        return f"{words}, all {_FACES[face]}: {' '.join(unit.split()[0] for unit in units)}."
    named = [f"{unit.split()[0]} {_FACES[unit.split()[1]]}" if " " in unit else unit for unit in units]
    return f"{words}: {', '.join(named)}."


def relies(view: View, action: Action) -> Any:
    """The places an action names, those of its units, and all that border them; the day and the tracks."""
    at = {unit.split()[0].lower(): place for place, units in view["units"].items() for unit in units}
    named = {place for word in action[1:] for place in _places_of(str(word), at)}
    if not named:
        return view
    near = named | {str(area) for place in named for area in ADJ[ZONE_NUMBER.get(place) or int(place)]}
    return {
        "units": {place: sorted(view["units"].get(place, [])) for place in sorted(near)},
        "held": sorted(area for area in view["control"][COALITION] if str(area) in near),
        "militia": bool(view["militia_pool"]),
        **{key: view[key] for key in ("turn", "phase", "side", "advantage", "riverine", "running")},
    }


def _places_of(word: str, at: dict[str, str]) -> list[str]:
    """What a word of an order names: a place, a unit's place, or units of a kind (`F@45`)."""
    found = []
    for part in re.split(r"[+,>]", word):
        name = part.rpartition("@")[2]
        place = at.get(part.lower(), "")
        if name.upper() in ZONE_NUMBER or (name.isdigit() and int(name) in AREAS):
            found.append(name.upper())
        elif place in ZONE_NUMBER or place.isdigit():
            found.append(place)
    return found


def alike(view: View) -> dict[str, str]:
    """Insurgents of one kind and face in one area are worth the same."""
    return {
        unit.split()[0]: f"{unit[0]} {unit.partition(' ')[2]} {place}"
        for place, units in view["units"].items()
        for unit in units
        if _INSURGENT.match(unit.split()[0])
    }


TEMPLATES = {
    "SetUp": "put 2F ____ ____; put F ____ ____; done",
    "CoalitionImpulse": "zone __; go ____ __; then attack __ lead ____; then done",
    "InsurgentImpulse": "area __; go ____ __; done",
    "ReactionWindow": "r dig ____; r militia ____ __; r done",
    "CasualtiesChoice": "cp ____ kill; cp ____ retreat __",
    "AdvantageWindow": "adv __ ___",
}
# 11.1: a set-up for those who want none of their own; the squares around Jolan, the centre and the edges.
SUGGESTED = ("put 2 f 40 45 39 46 47 2 3 9 51", "put f 42 33", "done")
SUGGESTED_WORDS = "suggested: 2 in 40 45 39 46 47 2 3 9 51, 1 in 42 33"

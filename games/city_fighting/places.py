"""Spaces in words, and what an order reads: both from the view alone."""

import re
from collections.abc import Mapping
from typing import Any

from games.city_fighting import tables as t
from games.city_fighting.text import enemy_words, unit_words
from games.kernel.notation import find
from games.kernel.steps import Action

View = Mapping[str, Any]


def find_place(word: str) -> str:
    """`2-4`, `jolan`, `N` or `north base` as the board prints it."""
    text = word.strip()
    if text.upper() in t.PLACE:
        return text.upper()
    number = re.match(r"^(\d)\s*-\s*(\d{1,2})\b", text)
    if number and f"{number[1]}-{number[2]}" in t.PLACE:
        return f"{number[1]}-{number[2]}"
    return t.PLACE_IDS[find(text, range(t.PLACES), lambda place: (t.PLACE_NAMES[place], t.PLACE_IDS[place]), "space")]


def look(view: View, place: str) -> list[str]:
    """Terrain, node, neighbours, units, and the battle if there is one."""
    name = find_place(place)
    number = t.PLACE[name]
    kind = "" if number >= t.SPACES else f", {t.TERRAINS[t.TERRAIN[number]]}"
    near = [t.PLACE_IDS[other] for other in (*sorted(t.NEIGHBOURS[number]), *t.GATES[number])]
    lines = [f"{name} {t.PLACE_NAMES[number]}{kind}. Next to {' '.join(near)}."]
    node = view["nodes"].get(name)
    if node is not None:
        lines.append(f"Node: {t.NODE_NAMES[t.NODE[node['id']]] if node['up'] else 'concealed'}.")
    if view["helicopter"] == name:
        lines.append("A helicopter is down here.")
    here = [unit_words(view, unit) for unit, entry in view["units"].items() if entry["at"] == name]
    lines.append(f"Coalition: {', '.join(here) or 'nobody'}.")
    fight = view["battle"]
    if fight and fight["space"] == name:
        lines.append(
            f"Battle, round {fight['round']}, against {', '.join(enemy_words(word) for word in fight['opfor'])}."
        )
    return lines


def relies(view: View, action: Action) -> Any:
    """The spaces an action names, those of its units, their neighbours; OPs, morale, battle and markers."""
    known = {unit.lower(): unit for unit in view["units"]}
    places: set[str] = set()
    units: set[str] = set()
    items: set[str] = set()
    for word in (part for whole in action[1:] for part in re.split(r"[+,>]", str(whole))):
        if word.upper() in t.PLACE:
            places.add(word.upper())
        elif word.lower() in known:
            units.add(known[word.lower()])
            places.add(view["units"][known[word.lower()]]["at"])
        elif word in view["recruits"] or word in view["strikes"] or word in view["netwars"] or word in view["leaders"]:
            items.add(word)
    if not places and not units and not items:
        return view
    near = {t.PLACE_IDS[other] for place in places if place in t.PLACE for other in t.NEIGHBOURS[t.PLACE[place]]}
    near |= places
    return {
        "units": {unit: entry for unit, entry in view["units"].items() if unit in units or entry["at"] in near},
        "nodes": {place: view["nodes"].get(place) for place in sorted(near)},
        "items": {
            word: (word in view["recruits"], view["strikes"].get(word), view["netwars"].get(word))
            for word in sorted(items)
        },
        "helicopter": view["helicopter"] in near,
        **{
            key: view[key] for key in ("scenario", "turn", "ops", "morale", "battle", "move", "opfor", "blown", "intel")
        },
        "events": view["events_in_play"],
    }


TEMPLATES = {
    "SetUp": "buy ____ ____ at __; done",
    "Recruit": "buy ____ ____ at __; done",
    "OpMenu": "j3 __ take ____ form go __",
    "ChooseLead": "lead ____; netwar; strike ____ ____; done",
    "FormForce": "take ____ ____; form; go __",
    "TakeHits": "hit ____; hit ____",
    "PlaceIsr": "isr __ __",
}

"""Zones in words, and what an order reads: both from the view alone."""

import re
from typing import Any

from games.kernel.errors import Unreadable
from games.kernel.ruleset import View
from games.kernel.steps import Action
from games.kernel.table import News
from games.phantom_fury.reading import place_name, unit_name
from games.phantom_fury.tables import FIRES_ON, NAMES, PLACE, SECTION_MASK, SECTION_NEXT, ZONES
from games.phantom_fury.text_board import ORDER, busy_places, squad_words, zone_marks


def place_of(news: News) -> str:
    """The zone, or the street section where there is none."""
    area = news.facts.get("area") or str(news.facts.get("at", "")).partition(".")[0]
    return str(area) if area else str(news.facts.get("goal", "")).partition(".")[0]


def _zones(bits: int) -> list[int]:
    return [zone for zone in ZONES if bits >> zone & 1]


def look(view: View, place: str) -> list[str]:
    """A zone with all its Locations, or a street section."""
    text = place.strip().lower().removeprefix("zone ").strip()
    name = place_name(text)
    if name and name.startswith("S"):
        return _street(view, name)
    number = re.match(r"^(\d{1,2})", text)
    zone = int(number[1]) if number else 0
    if zone not in ZONES:
        raise Unreadable(f"There is no zone {place}; zones are {min(ZONES)} to {max(ZONES)}, streets S01 and on.")
    facts = view["zones"].get(str(zone))
    if facts is None:
        return [f"Zone {zone}: open ground."]
    state = "USMC" if facts["control"] == "usmc" else "insurgent" if facts["activated"] else "not yet Activated"
    marks = zone_marks(facts)
    lines = [f"Zone {zone}, {state}{f' ({marks})' if marks else ''}."]
    places = busy_places(view).get(str(zone), {})
    for location in ORDER:
        if location in places:
            lines.append(f"{zone}.{location}: {', '.join(places[location])}.")
    if not places:
        lines.append("Nothing is seen in it.")
    lines.append("Fire reaches " + " ".join(map(str, _zones(FIRES_ON[zone]))) + ".")
    return lines


def _street(view: View, name: str) -> list[str]:
    here = [squad_words(view, unit) for unit, squad in view["squads"].items() if squad["where"] == name]
    here += [f"Abrams {tank}" for tank, facts in view["abrams"].items() if facts["where"] == name]
    beside = " ".join(map(str, _zones(SECTION_MASK[PLACE[name]])))
    on = " ".join(NAMES[other] for other in SECTION_NEXT[PLACE[name]])
    return [
        f"Street section {name}, between zones {beside}; goes on to {on}.",
        f"In it: {', '.join(here) or 'nobody'}.",
    ]


def relies(view: View, action: Action) -> Any:
    """The zones of the places and squads an action names and all in reach of their fire; phase and missions."""
    names: set[str] = set()
    places: set[str] = set()
    for word in (part for whole in action[1:] for part in re.split(r"[+,>]", str(whole))):
        if (unit := unit_name(word)) and (word.startswith("#") or not word.isdigit()):
            names.add(unit)
            places.add(str((view["squads"].get(unit) or view["abrams"].get(unit) or {"where": ""})["where"]))
        elif found := place_name(word):
            places.add(found)
        elif word.isdigit() and int(word) in ZONES:
            places.add(f"{word}.")
    if not names and not places:
        return view
    near = 0
    for place in places:
        zone = int(place.partition(".")[0]) if place.partition(".")[0].isdigit() else 0
        near |= (1 << zone | FIRES_ON[zone]) if zone else SECTION_MASK[PLACE[place]] if place in PLACE else 0
    zones = {str(zone) for zone in _zones(near)}
    units = {**view["squads"], **view["abrams"]}
    return {
        "zones": {zone: view["zones"].get(zone) for zone in sorted(zones)},
        "units": {
            name: facts
            for name, facts in units.items()
            if name in names or facts["where"] in places or facts["where"].partition(".")[0] in zones
        },
        "caat": view["caat"],
        **{key: view[key] for key in ("turn", "phase", "missions")},
    }


# By the name of the open phase, else by the class of the question.
TEMPLATES = {
    "support": "call ____; pass",
    "fire": "fire #____ ____; fire #____ ____; pass",
    "move": "move #____ ____ ____; move #____ ____; pass",
    "assault": "assault #____ ____; pass",
    "PlaceSquads": "place #____ ____ #____ ____",
}

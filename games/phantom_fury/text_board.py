"""The table as plain text, from the view alone: at most 72 columns of ASCII."""

import textwrap
from typing import Any

View = dict[str, Any]
WIDTH = 72
GLUE = "_"  # holds a label together while lines are filled
_PHASES = {
    "setup": "set-up",
    "support": "Support",
    "reinforce": "Reinforcements",
    "fire": "Fire Combat",
    "move": "Movement",
    "assault": "Assault",
    "reorg": "Reorganisation",
    "over": "over",
}


def text_board(view: View) -> str:
    """What stands where first, then the zones in which nothing does."""
    lines = [
        f"Phantom Fury  turn {view['turn']} of {view['last_turn']}, {_PHASES[view['phase']]}"
        f"  VP {view['vp']}  zones {view['controlled']}/60"
    ]
    lines += _wrap("Missions", _missions(view))
    lines += _reserves(view)
    lines += ["", "Zones with something in them (+ USMC, * insurgent):"]
    busy = busy_places(view)
    for zone in sorted(busy, key=int):
        lines += _zone_lines(view, zone, busy[zone])
    lines += _streets(view)
    lines += _rest(view, busy)
    if view["result"]:
        lines += ["", f"Result: {view['result']}"]
    return "\n".join(lines)


def _wrap(head: str, text: str) -> list[str]:
    if not text:
        return []
    lines = textwrap.wrap(f"{head}: {text}", WIDTH, subsequent_indent="    ", break_long_words=False)
    return [line.replace(GLUE, " ") for line in lines]


def _missions(view: View) -> str:
    most = {"uav": 4, "cobra": 2, "hornet": 1}
    return ", ".join(f"{name} {view['missions'][name]}/{limit}" for name, limit in most.items())


def _reserves(view: View) -> list[str]:
    lines = []
    for box, words in (("pool", "To place"), ("company", "Company"), ("battalion", "Battalion"), ("iif_box", "Iraqi")):
        names = [f"{name} CF {squad['cf']}" for name, squad in view["squads"].items() if squad["where"] == box]
        names += [name for name, tank in view["abrams"].items() if tank["where"] == "box" and box == "company"]
        lines += _wrap(words, ", ".join(names))
    return lines


def squad_words(view: View, name: str) -> str:
    squad = view["squads"][name]
    words = [f"{name} CF {squad['cf']}"]
    if squad["reduced"]:
        words.append("reduced")
    if squad["status"] != "fresh":
        words.append(squad["status"].capitalize())
    if squad["caat"]:
        caat = view["caat"][squad["caat"]]
        words.append(f"CAAT {squad['caat']}/{caat['ammo']}{'x' if caat['explosives'] else ''}")
    if squad["hero"]:
        words.append("hero" if squad["hero"] == 1 else "hero+2")
    return " ".join(words)


def thing_words(thing: View) -> str:
    if thing["k"] == "suspect":
        return "Suspect"
    return f"{'Martyrs' if thing['side'] == 'M' else 'Guerillas'} {thing['cf']}"


def busy_places(view: View) -> dict[str, dict[str, list[str]]]:
    """Zone -> Location -> what stands there."""
    found: dict[str, dict[str, list[str]]] = {}

    def add(place: str, words: str) -> None:
        if "." in place:
            zone, location = place.split(".", 1)
            found.setdefault(zone, {}).setdefault(location, []).append(words)

    for zone, facts in view["zones"].items():
        for location, thing in facts["things"].items():
            add(f"{zone}.{location}", thing_words(thing))
    for name, squad in view["squads"].items():
        add(squad["where"], squad_words(view, name))
        if squad["se"]:
            add(squad["se"], f"SE of {name}")
    for place in view["orphan_se"]:
        add(place, "SE")
    for name, tank in view["abrams"].items():
        add(tank["where"], f"Abrams {name}")
    return found


ORDER = ("R", "2'", "2", '1"', "1'", "1", "C", "OG")


def zone_marks(facts: View) -> str:
    marks = []
    if facts["nature"] == "fortified":
        marks.append("Fortified")
    if facts["ruins"]:
        marks.append("Ruins")
    if facts["fanaticism"]:
        marks.append("Fanaticism")
    if facts["no_event"]:
        marks.append("no Event")
    if facts["phantom_fury"]:
        marks.append(f"Phantom Fury {facts['phantom_fury']:04}")
    return ", ".join(marks)


def _zone_lines(view: View, zone: str, places: dict[str, list[str]]) -> list[str]:
    facts = view["zones"][zone]
    sign = "+" if facts["control"] == "usmc" else "*"
    parts = [f"{location}: {', '.join(places[location])}" for location in ORDER if location in places]
    if marks := zone_marks(facts):
        parts.append(f"[{marks}]")
    return textwrap.wrap(
        f"{zone:>3} {sign} {'; '.join(parts)}", WIDTH, subsequent_indent="      ", drop_whitespace=True
    )


def _streets(view: View) -> list[str]:
    words = [
        squad_words(view, name) + f" in {squad['where']}" for name, squad in view["squads"].items() if _street(squad)
    ]
    words += [f"Abrams {name} in {tank['where']}" for name, tank in view["abrams"].items() if _street(tank)]
    return _wrap("Streets", "; ".join(words))


def _street(unit: View) -> bool:
    return bool(unit["where"][:1] == "S" and unit["where"][1:].isdigit())


def _rest(view: View, busy: dict[str, Any]) -> list[str]:
    groups: dict[str, list[str]] = {"USMC, empty": [], "Insurgent, empty": [], "Not yet Activated": []}
    for zone, facts in view["zones"].items():
        if zone in busy or zone == "27":
            continue
        marks = zone_marks(facts)
        label = f"{zone} ({marks})".replace(" ", GLUE) if marks and facts["activated"] else zone
        if facts["control"] == "usmc":
            groups["USMC, empty"].append(label)
        elif facts["activated"]:
            groups["Insurgent, empty"].append(label)
        else:
            groups["Not yet Activated"].append(label)
    return [line for head, zones in groups.items() for line in _wrap(head, " ".join(zones))]

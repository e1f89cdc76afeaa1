"""A game in words: the position vocabulary, which is also what every seat may see.

Nothing on the map is hidden and the containers' contents are public (R43); only what will be drawn next is
unknown, and that is not in the state at all. So the view is the position without its `todo`.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from games.kernel.errors import BadSetup
from games.phantom_fury.board import (
    BATTALION,
    BOX,
    COMPANY,
    IIF_BOX,
    OUT,
    POOL,
    SEATS,
    Board,
    cf_of,
    empty_board,
    go,
    put,
    unit_code,
)
from games.phantom_fury.phases import PHASES
from games.phantom_fury.tables import (
    ALL_ZONES,
    CAATS,
    COUNT,
    FIRST_SECTION,
    GUERILLAS,
    INSURGENTS,
    LAST_TURN,
    LOCATIONS,
    MARTYRS,
    MISSIONS,
    MOSQUE,
    NAMES,
    OPEN_GROUND,
    PLACE,
    START_ZONES,
    SUSPECTS,
    TANKS,
    UNITS,
    ZONE_MARKERS,
    ZONES,
)

STATUS = ("fresh", "fired", "pinned")
BOXES = {POOL: "pool", COMPANY: "company", BATTALION: "battalion", IIF_BOX: "iif_box", OUT: "out", BOX: "box"}
_BOX_NUMBERS = {name: number for number, name in BOXES.items()}


def place_name(place: int) -> str:
    return NAMES[place] if place >= 0 else BOXES[place]


def thing_json(code: int) -> dict[str, Any]:
    if code < 0:
        return {"k": "suspect", "id": f"Q{-code:02}"}
    return {"k": "unit", "id": f"E{code >> 4:02}", "side": "M" if code & 8 else "G", "cf": code & 7}


def zone_json(g: Board, zone: int) -> dict[str, Any]:
    bit = 1 << zone
    active = bool(g.activated & bit)
    nature: str | None = None
    if active or zone == MOSQUE:
        nature = "fortified" if g.fortified & bit else "normal"
    marker = None
    if active and zone != MOSQUE:
        marker = "start" if zone in START_ZONES else "strong" if g.fortified & bit else "zone"
    return {
        "control": "usmc" if g.usmc & bit else "ins",
        "activated": active,
        "nature": nature,
        "marker": marker,
        "ruins": bool(g.ruins & bit),
        "fanaticism": bool(g.fanatic & bit),
        "no_event": bool(g.no_event & bit),
        "phantom_fury": g.fury.get(zone),
        "things": {
            NAMES[place].split(".", 1)[1]: thing_json(g.things[place]) for place in LOCATIONS[zone] if place in g.things
        },
    }


def squad_json(g: Board, unit: int) -> dict[str, Any]:
    return {
        "where": place_name(g.where[unit]),
        "cf": cf_of(g, unit),
        "reduced": bool(g.reduced[unit]),
        "status": STATUS[g.status[unit]],
        "hero": g.hero[unit],
        "caat": CAATS[g.caat[unit] - 1] if g.caat[unit] else None,
        "se": NAMES[g.se[unit]] if g.se[unit] >= 0 else None,
        "owner": owner_name(g, unit),
        "moved": bool(g.moved[unit]),
        "assaulted": bool(g.assaulted[unit]),
        "search": bool(g.search[unit]),
    }


def owner_name(g: Board, unit: int) -> str | None:
    if not g.platoons:
        return "usmc"
    return SEATS[g.owner[unit]] if g.owner[unit] >= 0 else None


def view(g: Board) -> dict[str, Any]:
    """The whole table, as everybody sees it."""
    return {
        "variant": bool(g.variant),
        "uav_success": g.uav_success,
        "platoons": g.platoons,
        "strong_points": g.strong_points,
        "turn": g.turn,
        "last_turn": LAST_TURN[g.variant],
        "phase": g.phase,
        "vp": g.vp,
        "vp_log": [list(entry) for entry in g.vp_log],
        "controlled": (g.usmc & ALL_ZONES).bit_count(),
        "missions": dict(zip(MISSIONS, g.missions, strict=True)),
        "zones": {str(zone): zone_json(g, zone) for zone in ZONES},
        "squads": {UNITS[unit]: squad_json(g, unit) for unit in range(COUNT)},
        "caat": {
            name: {
                "squad": next((UNITS[unit] for unit in range(COUNT) if g.caat[unit] == number), None),
                "ammo": g.ammo[number],
                "explosives": g.charge[number],
            }
            for number, name in enumerate(CAATS, 1)
        },
        "abrams": {
            name: {
                "where": place_name(g.tanks[tank]),
                "status": STATUS[g.tank_status[tank]],
                "moved": bool(g.tank_moved[tank]),
            }
            for tank, name in enumerate(TANKS)
        },
        "orphan_se": [NAMES[place] for place in g.orphans],
        "iif_from_turn": g.iif_from or None,
        "bags": {
            "zone": g.zone_bag,
            "strong": g.strong_bag,
            "suspect": [f"Q{number:02}" for number in g.suspects],
            "insurgent": [f"E{number:02}" for number in g.insurgents],
            "gone": [f"E{number:02}" for number in g.gone],
            "refills": list(g.refills),
        },
        "result": g.result or None,
    }


def position(g: Board) -> dict[str, Any]:
    """The view, less what is empty or follows from the rest, and what is pending."""
    told = view(g)
    blank = zone_json(empty_board(), 1)
    told["zones"] = {
        zone: {key: value for key, value in facts.items() if key in ("control", "activated") or value != blank[key]}
        for zone, facts in told["zones"].items()
        if facts != blank and int(zone) != OPEN_GROUND
    }
    del told["last_turn"], told["controlled"]
    for squad in told["squads"].values():
        del squad["cf"]
    told["todo"] = msgspec.to_builtins(g.todo)
    return told


# --- and back ----------------------------------------------------------------------------------------------------

_KEYS = {
    "rules", "variant", "uav_success", "platoons", "strong_points", "turn", "phase", "vp", "vp_log", "missions",
    "zones", "squads", "caat", "abrams", "orphan_se", "iif_from_turn", "bags", "result", "todo",
}  # fmt: skip
_ZONE_KEYS = set(zone_json(empty_board(), 1))
_SQUAD_KEYS = {
    "where", "reduced", "status", "hero", "caat", "se", "owner", "moved", "assaulted", "search",
}  # fmt: skip


def refuse(text: str) -> BadSetup:
    return BadSetup(f"That is not a position of Phantom Fury: {text}.")


def _known(told: Mapping[str, Any], keys: set[str], what: str) -> None:
    if not isinstance(told, Mapping):
        raise refuse(f"{what} must be an object")
    for key in told:
        if key not in keys:
            raise refuse(f"{what} has no {key!r}; it has {', '.join(sorted(keys))}")


def read_place(name: Any, *, boxes: bool = True) -> int:
    if name in PLACE:
        return PLACE[name]
    if boxes and name in _BOX_NUMBERS:
        return _BOX_NUMBERS[name]
    raise refuse(f"there is no place {name!r}")


def read_thing(told: Any) -> int:
    """`S`, `G2`, `M1`, or the long form with a counter's id."""
    if isinstance(told, str):
        if told == "S":
            return -1
        if len(told) == 2 and told[0] in "GM" and told[1] in "1234":
            martyrs, cf = told[0] == "M", int(told[1])
            values = MARTYRS if martyrs else GUERILLAS
            counter = next((number for number in range(1, INSURGENTS + 1) if values[number] == cf), 1)
            return unit_code(counter, martyrs, cf)
        raise refuse(f"{told!r} is neither S nor a unit such as G2 or M1")
    _known(told, {"k", "id", "side", "cf"}, "a Suspect or unit")
    kind, name = told.get("k"), str(told.get("id", ""))
    if kind == "suspect" and name[:1] == "Q" and name[1:].isdigit() and 1 <= int(name[1:]) <= SUSPECTS:
        return -int(name[1:])
    if kind == "unit" and name[:1] == "E" and name[1:].isdigit() and 1 <= int(name[1:]) <= INSURGENTS:
        counter, martyrs = int(name[1:]), told.get("side") == "M"
        cf = told.get("cf", (MARTYRS if martyrs else GUERILLAS)[counter])
        if told.get("side") in ("G", "M") and cf in (1, 2, 3, 4):
            return unit_code(counter, martyrs, cf)
    raise refuse(f"{dict(told)} is no Suspect Q01 to Q{SUSPECTS} and no unit E01 to E{INSURGENTS} of side G or M")


def from_position(told: Mapping[str, Any], options: Mapping[str, Any]) -> Board:
    """The state a position describes; missing keys take the values of an empty table."""
    _known(told, _KEYS, "a position")
    g = empty_board()
    g.variant = int(told.get("variant", options.get("variant", False)))
    g.uav_success = told.get("uav_success", options.get("uav_success", 8))
    g.platoons = told.get("platoons", options.get("platoons", 0))
    g.strong_points = told.get("strong_points", 1)
    g.turn, g.phase = told.get("turn", 1), told.get("phase", "support")
    g.vp_log = [_log_entry(entry) for entry in told.get("vp_log", [])]
    g.vp = told.get("vp", sum(entry[1] for entry in g.vp_log))
    missions = told.get("missions", {})
    _known(missions, set(MISSIONS), "missions")
    g.missions = (missions.get("uav", 0), missions.get("cobra", 0), missions.get("hornet", 0))
    _check_numbers(g)
    g.where = [OUT] * COUNT
    for name, facts in told.get("zones", {}).items():
        _read_zone(g, str(name), facts)
    for name, facts in told.get("squads", {}).items():
        _read_squad(g, name, facts)
    _read_support(g, told)
    g.iif_from = told.get("iif_from_turn") or 0
    _read_bags(g, told.get("bags", {}))
    g.result = told.get("result") or ""
    g.todo = _read_todo(g, told)
    return g


def _log_entry(entry: Any) -> tuple[int, int, str, str]:
    try:
        turn, points, reason, subject = entry
        return int(turn), int(points), str(reason), str(subject)
    except (TypeError, ValueError) as error:
        raise refuse(f"{entry!r} is not a line of the VP log: turn, points, reason, subject") from error


def _check_numbers(g: Board) -> None:
    for what, value, low, high in (
        ("uav_success", g.uav_success, 0, 9),
        ("platoons", g.platoons, 0, 3),
        ("strong_points", g.strong_points, 0, 4),
        ("turn", g.turn, 0, LAST_TURN[g.variant]),
        ("vp", g.vp, -999, 999),
        *((f"missions {name}", count, 0, 4) for name, count in zip(MISSIONS, g.missions, strict=True)),
    ):
        if type(value) is not int or not low <= value <= high:
            raise refuse(f"{what} must be a number from {low} to {high}, not {value!r}")


def _read_zone(g: Board, name: str, facts: Mapping[str, Any]) -> None:
    if not name.isdigit() or int(name) not in ZONES or int(name) == OPEN_GROUND:
        raise refuse(f"there is no zone {name!r}")
    _known(facts, _ZONE_KEYS, f"zone {name}")
    zone = int(name)
    bit = 1 << zone
    control = facts.get("control", "ins")
    if control not in ("ins", "usmc"):
        raise refuse(f"zone {name} is controlled by ins or usmc, not {control!r}")
    if control == "usmc":
        g.usmc |= bit
    if facts.get("activated", control == "usmc" or bool(facts.get("nature") and zone != MOSQUE)):
        g.activated |= bit
    if facts.get("nature") == "fortified":
        g.fortified |= bit
    if facts.get("ruins"):
        g.ruins |= bit
    if facts.get("fanaticism"):
        g.fanatic |= bit
    if facts.get("no_event"):
        g.no_event |= bit
    if facts.get("phantom_fury"):
        g.fury[zone] = facts["phantom_fury"]
    for location, thing in facts.get("things", {}).items():
        if f"{zone}.{location}" not in PLACE:
            raise refuse(f"zone {zone} has no Location {location!r}")
        put(g, PLACE[f"{zone}.{location}"], read_thing(thing))
        if "activated" not in facts:
            g.activated |= bit


def _read_squad(g: Board, name: str, facts: Any) -> None:
    if name not in UNITS:
        raise refuse(f"there is no squad {name!r}")
    if isinstance(facts, str):
        facts = {"where": facts}
    _known(facts, _SQUAD_KEYS, f"squad {name}")
    unit = UNITS.index(name)
    go(g, unit, read_place(facts.get("where", "out")))
    status = facts.get("status", "fresh")
    if status not in STATUS:
        raise refuse(f"squad {name} is fresh, fired or pinned, not {status!r}")
    g.status[unit] = STATUS.index(status)
    g.reduced[unit] = int(facts.get("reduced", False))
    g.hero[unit] = facts.get("hero", 0)
    if facts.get("caat"):
        if facts["caat"] not in CAATS:
            raise refuse(f"there is no CAAT {facts['caat']!r}")
        g.caat[unit] = CAATS.index(facts["caat"]) + 1
        g.ammo[g.caat[unit]], g.charge[g.caat[unit]] = 4, 1
    if facts.get("se"):
        g.se[unit] = read_place(facts["se"], boxes=False)
    for key, column in (("moved", g.moved), ("assaulted", g.assaulted), ("search", g.search)):
        column[unit] = int(facts.get(key, False))
    owner = facts.get("owner", "usmc")
    g.owner[unit] = -1 if owner is None else SEATS.index(owner) if owner in SEATS else 0


def _read_support(g: Board, told: Mapping[str, Any]) -> None:
    for name, facts in told.get("caat", {}).items():
        if name not in CAATS:
            raise refuse(f"there is no CAAT {name!r}")
        _known(facts, {"squad", "ammo", "explosives"}, f"CAAT {name}")
        number = CAATS.index(name) + 1
        g.ammo[number] = facts.get("ammo", g.ammo[number])
        g.charge[number] = facts.get("explosives", g.charge[number])
    g.tanks = [OUT, OUT] if "abrams" in told else [BOX, BOX if g.variant else OUT]
    for name, facts in told.get("abrams", {}).items():
        if name not in TANKS:
            raise refuse(f"there is no Abrams {name!r}")
        if isinstance(facts, str):
            facts = {"where": facts}
        _known(facts, {"where", "status", "moved"}, f"Abrams {name}")
        tank = TANKS.index(name)
        place = read_place(facts.get("where", "box"))
        if 0 <= place < FIRST_SECTION and not NAMES[place].endswith(".OG"):
            raise refuse(f"Abrams {name} stands in a street section or in OG, not in {NAMES[place]}")
        g.tanks[tank] = place
        g.tank_status[tank] = STATUS.index(facts.get("status", "fresh"))
        g.tank_moved[tank] = int(facts.get("moved", False))
    g.orphans = [read_place(name, boxes=False) for name in told.get("orphan_se", [])]


def _read_bags(g: Board, told: Mapping[str, Any]) -> None:
    _known(told, {"zone", "strong", "suspect", "insurgent", "gone", "refills"}, "bags")
    g.zone_bag = told.get("zone", ZONE_MARKERS - g.strong_points)
    g.strong_bag = told.get("strong", g.strong_points)
    used = list(g.things.values())
    if "suspect" in told:
        g.suspects = sorted(_numbers(told["suspect"], "Q", SUSPECTS))
    else:
        g.suspects = [number for number in range(1, SUSPECTS + 1) if -number not in used]
    if "insurgent" in told:
        g.insurgents = sorted(_numbers(told["insurgent"], "E", INSURGENTS))
    else:
        taken = {code >> 4 for code in used if code > 0}
        g.insurgents = [number for number in range(1, INSURGENTS + 1) if number not in taken]
    g.gone = _numbers(told.get("gone", []), "E", INSURGENTS)
    refills = told.get("refills", [0, 0])
    g.refills = (refills[0], refills[1])


def _numbers(names: Any, letter: str, most: int) -> list[int]:
    found = []
    for name in names:
        if not (isinstance(name, str) and name[:1] == letter and name[1:].isdigit() and 1 <= int(name[1:]) <= most):
            raise refuse(f"there is no counter {name!r} for this bag; ids run from {letter}01 to {letter}{most}")
        found.append(int(name[1:]))
    return found


def _read_todo(g: Board, told: Mapping[str, Any]) -> list[Any]:
    from games.phantom_fury.steps import TODO

    if "todo" in told:
        try:
            return msgspec.convert(told["todo"], TODO)  # type: ignore[no-any-return]
        except (msgspec.ValidationError, TypeError) as error:
            raise refuse(f"todo: {error}") from error
    if g.phase in PHASES:
        return [PHASES[g.phase](())]
    if g.phase == "over":
        return []
    raise refuse(f"phase must be one of {', '.join(PHASES)} or over, or todo must say what is pending")

"""Printed facts: the map of the Jolan District, the counters, the charts.

Figures come from `data/board.json` and `data/counters.json`, which say of each whether it is printed or
reconstructed. Everything is turned into small integers once, at import: a *place* is the number of a
Location or of a street section, a zone is its printed number, and sets of zones are bit masks.
"""

import json
from importlib.resources import files
from typing import Any, Final

from games.kernel.steps import Action


def _load(name: str) -> dict[str, Any]:
    text = files("games.phantom_fury").joinpath("data", name).read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]


BOARD: Final = _load("board.json")
COUNTERS: Final = _load("counters.json")

# --- zones and Locations [4.1, 4.2] ----------------------------------------------------------------------

ZONES: Final[tuple[int, ...]] = tuple(zone["id"] for zone in BOARD["zones"])
MOSQUE: Final[int] = BOARD["mosque"]
OPEN_GROUND: Final[int] = BOARD["open_ground"]
START_ZONES: Final[tuple[int, ...]] = tuple(BOARD["start_zones"])
PLAYED_ZONES: Final = tuple(zone for zone in ZONES if zone != OPEN_GROUND)
ORDER: Final[tuple[str, ...]] = tuple(BOARD["location_order"])

_PRIMES: Final = ("", "'", '"')


def mask(zones: Any) -> int:
    """A set of zones as bits."""
    bits = 0
    for zone in zones:
        bits |= 1 << zone
    return bits


PLACE: Final[dict[str, int]] = {}  # "14.C" or "S08" -> number
NAMES: Final[list[str]] = []  # number -> "14.C" or "S08"
ZONE: Final[list[int]] = []  # number -> zone, 0 for a street section
KIND: Final[list[str]] = []  # number -> OG, C, 1, 2, R, or "street"
DOOR: Final[list[bool]] = []
ROOF: Final[list[bool]] = []
LOCATIONS: Final[list[tuple[int, ...]]] = [()] * (max(ZONES) + 1)  # zone -> its Locations in Location order
ENTRY: Final[list[int]] = [-1] * (max(ZONES) + 1)
BLOCK: Final[list[str]] = [""] * (max(ZONES) + 1)


def _lay_locations() -> None:
    for zone in BOARD["zones"]:
        number = zone["id"]
        BLOCK[number] = zone["block"]
        found = sorted(zone["locations"], key=lambda location: ORDER.index(location["id"]))
        for location in found:
            PLACE[f"{number}.{location['id']}"] = len(NAMES)
            NAMES.append(f"{number}.{location['id']}")
            ZONE.append(number)
            KIND.append(location["type"])
            DOOR.append(location["door"])
            ROOF.append(location["roof"])
        LOCATIONS[number] = tuple(PLACE[f"{number}.{location['id']}"] for location in found)
        if zone["entry"]:
            ENTRY[number] = PLACE[f"{number}.{zone['entry']}"]


_lay_locations()
FIRST_SECTION: Final = len(NAMES)
for _section in BOARD["sections"]:
    PLACE[_section["id"]] = len(NAMES)
    NAMES.append(_section["id"])
    ZONE.append(0)
    KIND.append("street")
    DOOR.append(False)
    ROOF.append(False)
PLACES: Final = len(NAMES)
SECTIONS: Final = tuple(range(FIRST_SECTION, PLACES))

UPPER: Final = tuple(kind in ("2", "R") for kind in KIND)  # gone in Ruins [4.1.6]
OPEN: Final = tuple(kind in ("C", "OG") for kind in KIND)  # where Defensive Fire falls [12.7.1]
CAAT_FIRES: Final = tuple(kind in ("C", "OG", "R") for kind in KIND)  # [11.1.2]
DETACHES: Final = tuple(kind in ("C", "R") for kind in KIND)  # [12.3.2.1]

# --- who touches whom [4.1.1, 4.1.2, 4.2.2, 4.3] ------------------------------------------------------------

_DATA: Final[dict[int, dict[str, Any]]] = {zone["id"]: zone for zone in BOARD["zones"]}
ADJACENT: Final[list[int]] = [0] * (max(ZONES) + 1)  # mask of Adjacent zones
NEIGHBOURS: Final[list[int]] = [0] * (max(ZONES) + 1)  # mask of Neighbouring zones
NEAR: Final[list[int]] = [0] * (max(ZONES) + 1)  # both
FIRES_ON: Final[list[int]] = [0] * (max(ZONES) + 1)  # NEAR and lines of fire
VIA: Final[dict[tuple[int, int], tuple[int, ...]]] = {}  # the sections between two Neighbouring zones
EGRESS: Final[dict[int, tuple[int, ...]]] = {}  # 0 stands for EXIT
for _number, _zone in _DATA.items():
    ADJACENT[_number] = mask(_zone["adjacent"])
    NEIGHBOURS[_number] = mask(near["zone"] for near in _zone["neighbours"])
    NEAR[_number] = ADJACENT[_number] | NEIGHBOURS[_number]
    FIRES_ON[_number] = NEAR[_number] | mask(_zone["line_of_fire"])
    for _near in _zone["neighbours"]:
        VIA[_number, _near["zone"]] = tuple(PLACE[name] for name in _near["via"])
    EGRESS[_number] = tuple(0 if way == "EXIT" else way for way in _zone["egress"])

SECTION_ZONES: Final[dict[int, tuple[int, ...]]] = {}  # zones with a side on the section
SECTION_MASK: Final[list[int]] = [0] * PLACES
SECTION_FIRE: Final[list[int]] = [0] * PLACES  # and those in its line of fire
SECTION_NEXT: Final[dict[int, tuple[int, ...]]] = {}
NORTH_EDGE: Final[list[int]] = []
for _section in BOARD["sections"]:
    _place = PLACE[_section["id"]]
    SECTION_ZONES[_place] = tuple(_section["adjacent_zones"])
    SECTION_MASK[_place] = mask(_section["adjacent_zones"])
    SECTION_FIRE[_place] = SECTION_MASK[_place] | mask(_section["line_of_fire"])
    SECTION_NEXT[_place] = tuple(PLACE[name] for name in _section["adjacent_sections"])
    if "north" in _section["edge"]:
        NORTH_EDGE.append(_place)


def _ways() -> tuple[list[tuple[int, ...]], list[tuple[int, ...]], list[tuple[int, ...]]]:
    """For each place: Adjacent Locations inside its zone, in other zones, and doors or sections."""
    inside: list[list[int]] = [[] for _ in range(PLACES)]
    across: list[list[int]] = [[] for _ in range(PLACES)]
    street: list[list[int]] = [[] for _ in range(PLACES)]
    for number, zone in _DATA.items():
        for one, other in zone["arrows"]:
            a, b = PLACE[f"{number}.{one}"], PLACE[f"{number}.{other}"]
            inside[a].append(b)
            inside[b].append(a)
        for next_zone in zone["adjacent"]:
            for a in LOCATIONS[number]:
                across[a].extend(b for b in LOCATIONS[next_zone] if (DOOR[a] and DOOR[b]) or (ROOF[a] and ROOF[b]))
    for section, zones in SECTION_ZONES.items():
        for number in zones:
            for a in LOCATIONS[number]:
                if DOOR[a]:
                    street[a].append(section)
                    street[section].append(a)
    return (
        [tuple(sorted(way)) for way in inside],
        [tuple(sorted(way)) for way in across],
        [tuple(sorted(way)) for way in street],
    )


INSIDE, ACROSS, STREET = _ways()
TOUCHING: Final = tuple(tuple(sorted(INSIDE[place] + ACROSS[place])) for place in range(PLACES))


def _tank_ways() -> list[tuple[int, ...]]:
    """[12.6.2] Section to section, and between a section and an OG Location beside it; never zone 27."""
    ways: list[list[int]] = [[] for _ in range(PLACES)]
    for section in SECTIONS:
        ways[section].extend(SECTION_NEXT[section])
        for number in SECTION_ZONES[section]:
            for a in LOCATIONS[number]:
                if KIND[a] == "OG":
                    ways[section].append(a)
                    ways[a].append(section)
    return [tuple(sorted(way, key=lambda place: (place < FIRST_SECTION, place))) for way in ways]


TANK_WAYS: Final = _tank_ways()
TANK_STOPS: Final = tuple(  # the zones whose control lets an Abrams finish here [12.6.3]
    SECTION_MASK[place] if place >= FIRST_SECTION else NEIGHBOURS[ZONE[place]] if KIND[place] == "OG" else 0
    for place in range(PLACES)
)
PAIRS: Final = tuple(  # what one Dragon Eye can look at
    (one, other, 1 << one | 1 << other)
    for one in PLAYED_ZONES
    for other in PLAYED_ZONES
    if one < other and NEAR[one] >> other & 1
)
ALL_ZONES: Final = mask(PLAYED_ZONES)

# --- counters [5] -------------------------------------------------------------------------------------------

UNITS: Final[tuple[str, ...]] = tuple(squad["id"] for squad in (*COUNTERS["usmc_squads"], *COUNTERS["iif_squads"]))
SQUADS: Final = len(COUNTERS["usmc_squads"])  # numbers from here on are Iraqi
COUNT: Final = len(UNITS)
UNIT: Final[dict[str, int]] = {name: number for number, name in enumerate(UNITS)}
FRONT: Final[tuple[int, ...]] = tuple(squad["cf"] for squad in (*COUNTERS["usmc_squads"], *COUNTERS["iif_squads"]))
TANKS: Final[tuple[str, ...]] = tuple(tank["id"] for tank in COUNTERS["abrams"])
TANK_CF: Final[int] = COUNTERS["abrams"][0]["cf"]
CAATS: Final[tuple[str, ...]] = tuple(caat["id"] for caat in COUNTERS["caat"])
FULL_AMMO: Final[int] = COUNTERS["caat"][0]["ammo"]
CAAT_BONUS: Final = 2
EXPLOSIVES_CF: Final = 8
MOVEMENT: Final[int] = COUNTERS["usmc_squads"][0]["mc"]
GUERILLAS: Final[tuple[int, ...]] = (0, *(counter["guerillas"] for counter in COUNTERS["insurgents"]))
MARTYRS: Final[tuple[int, ...]] = (0, *(counter["martyrs"] for counter in COUNTERS["insurgents"]))
INSURGENTS: Final = len(COUNTERS["insurgents"])
SUSPECTS: Final = len(COUNTERS["suspects"])
ZONE_MARKERS: Final[int] = COUNTERS["zone_markers"]["activated_zone"]


def _wishes() -> list[dict[int, tuple[int, ...]]]:
    """[5.3.2.2] For each Suspect marker and zone: the Locations it asks for, best first."""
    cache: dict[str, dict[int, tuple[int, ...]]] = {}
    wishes: list[dict[int, tuple[int, ...]]] = [{}]
    for marker in COUNTERS["suspects"]:
        string = marker["string"]
        if string not in cache:
            ids = [entry + prime for entry in string.split("/") for prime in _PRIMES]
            cache[string] = {
                zone: tuple(PLACE[f"{zone}.{name}"] for name in ids if f"{zone}.{name}" in PLACE) for zone in ZONES
            }
        wishes.append(cache[string])
    return wishes


WISHES: Final = _wishes()
SUSPECT_STRINGS: Final = ("", *(marker["string"] for marker in COUNTERS["suspects"]))

# --- charts -------------------------------------------------------------------------------------------------

MISSIONS: Final = ("uav", "cobra", "hornet")
MISSION_MAX: Final = (4, 2, 1)  # [9.3]
MISSION_SUCCESS: Final = (8, 6, 4)  # the first is R3, and an option
MISSION_NAMES: Final = ("Dragon Eye", "Super Cobra", "Hornet")
DUMMY, GUERILLA, MARTYR, TRAP = 0, 1, 2, 3
NORMAL_SUSPECT: Final = (TRAP, DUMMY, DUMMY, DUMMY, DUMMY, DUMMY, GUERILLA, GUERILLA, GUERILLA, MARTYR)  # [5.3.3]
FORTIFIED_SUSPECT: Final = (DUMMY, *(MARTYR,) * 7, TRAP, TRAP)  # [5.3.4]
ABRAMS_MC: Final = (4, 4, 3, 3, 3, 3, 2, 2, 2, 1)  # [12.6.1]
REACTIONS: Final = (  # [9.4]
    "none",
    "none",
    "reinforcements",
    "reinforcements",
    "retreat",
    "retreat",
    "eagle",
    "counter-attack",
    "counter-attack",
    "hbied",
)
USMC_EVENTS: Final = (  # [13.4.3]
    "phantom-fury",
    "phantom-fury",
    "hero",
    "hero",
    "hero",
    "sniper",
    "sniper",
    "sniper",
    "flight",
    "flight",
)
INSURGENT_EVENTS: Final = (
    "fanaticism",
    "fanaticism",
    "confusion",
    "confusion",
    "suicide",
    "suicide",
    "drugged",
    "drugged",
    "drugged",
    "drugged",
)
IIF_EVENTS: Final = (  # [13.4.3.4]
    "al-fajr",
    "al-fajr",
    "fallujah",
    "fallujah",
    "fallujah",
    "confusion",
    "confusion",
    "confusion",
    "drugged",
    "drugged",
)
LAST_TURN: Final = (16, 13)  # standard, historical variant [7, 15]
BATTALION_TURN: Final = (9, 7)  # [10.3, 15]
COMPANY_TURN: Final = 2  # [10.1, 10.2]

# --- action tuples, made once ---------------------------------------------------------------------------------

PASS: Final[Action] = ("pass",)
PASS_ONLY: Final[tuple[Action, ...]] = (PASS,)
MOVERS: Final = (*UNITS, *TANKS)  # an Abrams is unit COUNT or COUNT + 1 here
MOVE: Final[tuple[tuple[Action, ...], ...]] = tuple(tuple(("move", unit, name) for name in NAMES) for unit in MOVERS)
FIRE: Final[tuple[tuple[Action, ...], ...]] = tuple(
    tuple(("fire", unit, name) for name in NAMES[:FIRST_SECTION]) for unit in MOVERS
)
FIRE_CAAT: Final[tuple[tuple[Action, ...], ...]] = tuple(
    tuple(("fire", unit, name, "caat") for name in NAMES[:FIRST_SECTION]) for unit in UNITS
)
ASSAULT: Final[tuple[tuple[Action, ...], ...]] = tuple(
    tuple(("assault", unit, name) for name in NAMES[:FIRST_SECTION]) for unit in UNITS
)
START_TANK: Final[tuple[Action, ...]] = tuple(("move", tank) for tank in TANKS)
DETACH: Final[tuple[Action, ...]] = tuple(("detach", unit) for unit in UNITS)
NODETACH: Final[Action] = ("nodetach",)
REGROUP: Final[tuple[Action, ...]] = tuple(("regroup", unit) for unit in UNITS)
WITHDRAW: Final[tuple[Action, ...]] = tuple(("withdraw", unit) for unit in UNITS)
STOP: Final[tuple[Action, ...]] = tuple(("stop", unit) for unit in MOVERS)

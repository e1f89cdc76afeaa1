"""1 to 7. The printed facts: map, counters, charts. Everything is numbered once, at import.

Places are numbered: 66 spaces, then the four bases, then the boxes a unit can be in. Units, strikes,
NetWar, leaders, nodes and reaction counters are numbered in the order of the data file. The data files say
which figures are printed and which are reconstructed; no rule depends on a particular value.
"""

import json
from importlib import resources
from typing import Any

from games.kernel.steps import Action


def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(resources.files(__package__).joinpath("data", name).read_text("utf-8"))
    return found


BOARD = _read("board.json")
COUNTERS = _read("counters.json")

# --- places --------------------------------------------------------------------------------------------

SPACE_IDS: tuple[str, ...] = tuple(space["id"] for space in BOARD["spaces"])
BASE_IDS: tuple[str, ...] = tuple(base["id"] for base in BOARD["bases"])
PLACE_IDS = SPACE_IDS + BASE_IDS
SPACES = len(SPACE_IDS)
PLACES = len(PLACE_IDS)
RECRUIT, ELIMINATED, DESERTED = PLACES, PLACES + 1, PLACES + 2
BOX_IDS = (*PLACE_IDS, "recruit", "eliminated", "deserted")
PLACE: dict[str, int] = {word: number for number, word in enumerate(PLACE_IDS)}
BOX: dict[str, int] = {word: number for number, word in enumerate(BOX_IDS)}
PLACE_NAMES: tuple[str, ...] = tuple(space["name"] for space in BOARD["spaces"]) + tuple(
    base["name"] for base in BOARD["bases"]
)
BASES = tuple(range(SPACES, PLACES))
ROUTE: tuple[int, ...] = tuple(space["route"] for space in BOARD["spaces"])

TERRAINS = ("open", "urban", "objective", "mosque")
OPEN, URBAN, OBJECTIVE, MOSQUE = range(4)
TERRAIN: tuple[int, ...] = tuple(TERRAINS.index(space["terrain"]) for space in BOARD["spaces"])
PRIZES = frozenset(place for place in range(SPACES) if TERRAIN[place] >= OBJECTIVE)  # objective and mosque spaces
WATER: tuple[int, ...] = tuple(PLACE[word] for word in BOARD["water_spaces"])
MSR: tuple[int, ...] = tuple(PLACE[word] for word in BOARD["msr_path"])

LAND, HIGHWAY, RIVER, BRIDGE = range(4)  # a bridge link is BRIDGE + its number
BRIDGE_IDS: tuple[str, ...] = tuple(BOARD["bridges"])
BRIDGE_SPACES: tuple[int, ...] = tuple(PLACE[bridge["space"]] for bridge in BOARD["bridges"].values())
BRIDGE_NAMES: tuple[str, ...] = tuple(bridge["name"] for bridge in BOARD["bridges"].values())
_KINDS = {"route": LAND, "phase": LAND, "msr": HIGHWAY, "msr-diagonal": HIGHWAY, "river": RIVER}

Links = tuple[tuple[int, int], ...]


def _links() -> tuple[tuple[Links, ...], tuple[tuple[int, ...], ...]]:
    roads: list[list[tuple[int, int]]] = [[] for _ in range(PLACES)]
    gates: list[list[int]] = [[] for _ in range(PLACES)]
    for link in BOARD["links"]:
        ends = PLACE[link["a"]], PLACE[link["b"]]
        for here, there in (ends, ends[::-1]):
            if link["kind"] == "base":
                gates[here].append(there)
            elif link["kind"] == "bridge":
                roads[here].append((there, BRIDGE + BRIDGE_IDS.index(link["bridge"])))
            else:
                roads[here].append((there, _KINDS[link["kind"]]))
    return tuple(tuple(sorted(found)) for found in roads), tuple(tuple(sorted(found)) for found in gates)


# LINKS[space]: (neighbour, kind); GATES[space]: its bases; GATES[base]: its entry spaces (13.4)
LINKS, GATES = _links()
NEIGHBOURS: tuple[frozenset[int], ...] = tuple(frozenset(there for there, _ in links) for links in LINKS)

# --- Coalition -----------------------------------------------------------------------------------------

_UNITS = [counter for counter in COUNTERS["coalition"] if counter["kind"] == "unit"]
UNIT_IDS: tuple[str, ...] = tuple(unit["id"] for unit in _UNITS)
UNITS = len(UNIT_IDS)
UNIT: dict[str, int] = {word: number for number, word in enumerate(UNIT_IDS)}
UNIT_NAMES: tuple[str, ...] = tuple(unit["name"] for unit in _UNITS)
SIDE: tuple[str, ...] = tuple(unit["side"] for unit in _UNITS)
TYPE: tuple[str, ...] = tuple(unit["type"] for unit in _UNITS)
SIZE: tuple[str, ...] = tuple(unit["size"] for unit in _UNITS)
STEPS: tuple[int, ...] = tuple(unit["steps"] for unit in _UNITS)
OOB: tuple[frozenset[str], ...] = tuple(frozenset(unit["oob"] or ()) for unit in _UNITS)
COST: tuple[int, ...] = tuple(round(unit["cost"] * 4) for unit in _UNITS)  # in quarter OPs
HELO: tuple[bool, ...] = tuple(unit["class"] == "helicopter" for unit in _UNITS)
GROUND: tuple[bool, ...] = tuple(not helo for helo in HELO)
LIGHT: tuple[bool, ...] = tuple(unit["class"] == "light" for unit in _UNITS)
ENGINEER: tuple[bool, ...] = tuple(bool(unit["engineer"]) for unit in _UNITS)
SOF: tuple[bool, ...] = tuple(word == "sof" for word in TYPE)
AMTRAC: tuple[bool, ...] = tuple(word == "amtrac" for word in TYPE)
FOB: tuple[bool, ...] = tuple(word == "fob" for word in TYPE)
LIFT: tuple[bool, ...] = tuple(word == "helo_transport" for word in TYPE)
SOAR: tuple[bool, ...] = tuple(word == "helo_special" for word in TYPE)
IRAQI: tuple[bool, ...] = tuple(side == "IG" for side in SIDE)
JOINT: tuple[bool, ...] = tuple(side == "JOINT" for side in SIDE)
LIFTABLE: tuple[bool, ...] = tuple(LIGHT[unit] and not IRAQI[unit] for unit in range(UNITS))  # 24.5
# 8.2: a helicopter or a FOB counts in its own row only, whatever its size
BATTALION: tuple[int, ...] = tuple(
    int(SIZE[unit] == "battalion" and not HELO[unit] and not FOB[unit]) for unit in range(UNITS)
)
COMPANY: tuple[int, ...] = tuple(
    int(SIZE[unit] != "battalion" and not HELO[unit] and not FOB[unit]) for unit in range(UNITS)
)
MOVERS = tuple(unit for unit in range(UNITS) if not FOB[unit])
FOBS = tuple(unit for unit in range(UNITS) if FOB[unit])
AMTRACS = tuple(unit for unit in range(UNITS) if AMTRAC[unit])
ENGINEERS = tuple(unit for unit in range(UNITS) if ENGINEER[unit])
IRAQIS = tuple(unit for unit in range(UNITS) if IRAQI[unit])
BALKERS = tuple(unit for unit in IRAQIS if TYPE[unit] == "infantry")
UNLIMITED = 99


def _values(key: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    def one(unit: dict[str, Any], reduced: bool) -> int:
        value = (unit["reduced"] if reduced and unit["reduced"] else unit)[key]
        return UNLIMITED if value == "unlimited" else int(value)

    return tuple(one(unit, False) for unit in _UNITS), tuple(one(unit, True) for unit in _UNITS)


# indexed [reduced][unit]
FIREPOWER = _values("firepower")
CONTACT = _values("contact")
MOVEMENT = _values("movement")

STACK_BATTALIONS, STACK_COMPANIES, STACK_HELOS = 2, 2, 2  # 8.2

_STRIKES = [counter for counter in COUNTERS["coalition"] if counter["kind"] == "strike"]
STRIKE_IDS: tuple[str, ...] = tuple(strike["id"] for strike in _STRIKES)
STRIKE: dict[str, int] = {word: number for number, word in enumerate(STRIKE_IDS)}
STRIKE_NAMES: tuple[str, ...] = tuple(strike["name"] for strike in _STRIKES)
STRIKE_TYPE: tuple[str, ...] = tuple(strike["type"] for strike in _STRIKES)
STRIKE_FIREPOWER: tuple[int, ...] = tuple(strike["firepower"] for strike in _STRIKES)
STRIKE_COST: tuple[int, ...] = tuple(round(strike["cost"] * 4) for strike in _STRIKES)
STRIKES = len(STRIKE_IDS)
AIRCRAFT = tuple(strike for strike in range(STRIKES) if STRIKE_TYPE[strike] != "artillery")

NETWAR_IDS: tuple[str, ...] = tuple(c["id"] for c in COUNTERS["coalition"] if c["kind"] == "netwar")
NETWARS = len(NETWAR_IDS)
NETWAR: dict[str, int] = {word: number for number, word in enumerate(NETWAR_IDS)}
NETWAR_COST: int = round(next(c["cost"] for c in COUNTERS["coalition"] if c["kind"] == "netwar") * 4)
LEADER_IDS: tuple[str, ...] = tuple(c["id"] for c in COUNTERS["coalition"] if c["kind"] == "leader")
LEADERS = len(LEADER_IDS)
LEADER: dict[str, int] = {word: number for number, word in enumerate(LEADER_IDS)}

IN_RECRUIT, AVAILABLE, COMMITTED, ASIDE = range(4)  # where a strike or NetWar marker is
MARKER_BOXES = ("recruit", "available", "committed", "aside")

# --- OPFOR ---------------------------------------------------------------------------------------------

_OPFOR = COUNTERS["opfor_units"]
_EVENTS = COUNTERS["events"]
OPFOR_UNITS = len(_OPFOR)
COUNTER_IDS: tuple[str, ...] = tuple(counter["id"] for counter in (*_OPFOR, *_EVENTS))
COUNTER: dict[str, int] = {word: number for number, word in enumerate(COUNTER_IDS)}
COUNTER_NAMES: tuple[str, ...] = tuple(counter["name"] for counter in (*_OPFOR, *_EVENTS))
COUNTER_TYPE: tuple[str, ...] = tuple(counter["type"] for counter in (*_OPFOR, *_EVENTS))
REACTION = tuple(range(len(COUNTER_IDS)))
OPFOR_FIREPOWER: tuple[int, ...] = tuple(unit["firepower"] for unit in _OPFOR) + (0,) * len(_EVENTS)
OPFOR_CONTACT: tuple[int, ...] = tuple(unit["contact"] for unit in _OPFOR) + (0,) * len(_EVENTS)
HVTS = frozenset(number for number, unit in enumerate(_OPFOR) if unit["type"] == "hvt")
INTELS = tuple(number for number in REACTION if COUNTER_TYPE[number] == "intel")
DISPOSITION: tuple[str, ...] = ("return",) * OPFOR_UNITS + tuple(event["disposition"] for event in _EVENTS)

_NODES = COUNTERS["nodes"]
NODE_IDS: tuple[str, ...] = tuple(node["id"] for node in _NODES)
NODES = len(NODE_IDS)
NODE: dict[str, int] = {word: number for number, word in enumerate(NODE_IDS)}
NODE_TYPE: tuple[str, ...] = tuple(node["type"] for node in _NODES)
NODE_NAMES: tuple[str, ...] = tuple(node["name"] for node in _NODES)
NODE_OPS: tuple[int, ...] = tuple(node["ops"] for node in _NODES)
NODE_VP: tuple[int, ...] = tuple(node["vp"] for node in _NODES)
TYPE_NAMES: dict[str, str] = {node["type"]: node["name"] for node in _NODES}
HOSTAGE_OPS, CHOPPER_OPS, CHOPPER_VP = 2, 1, 2

LEVELS: tuple[str, ...] = tuple(COUNTERS["morale_chart"]["levels"])
PICKS: tuple[int, ...] = tuple(COUNTERS["morale_chart"]["picks"][level] for level in LEVELS)
STAND: tuple[tuple[bool, ...], ...] = tuple(
    tuple(COUNTERS["morale_chart"]["stand"][level][terrain] for terrain in TERRAINS) for level in LEVELS
)

# --- scenarios, charts ---------------------------------------------------------------------------------

SCENARIOS = ("vigilant", "phantom")
SCENARIO_NAMES = {"vigilant": "Vigilant Resolve", "phantom": "Phantom Fury"}
START_OPS = {"vigilant": 65, "phantom": 90}
START_MORALE = {"vigilant": LEVELS.index("medium"), "phantom": LEVELS.index("high")}
SCENARIO_TAG = {"vigilant": "apr", "phantom": "nov"}
# 23.5: where a 6 costs an OP, by terrain
COLLATERAL = {"vigilant": (False, True, True, True), "phantom": (False, False, True, True)}
CAMPAIGN_OPS = 80
FOB_PRICE = 3
INFOWAR = (0, -1, 0, 1, 2, 3, 4)  # by die
ISR_FINDS = 3  # this or more turns the node
BALK, BLOW = 5, 5  # these or more: a unit deserts, a bridge goes
MSR_VP = 5
WIN = 51
DEGREES = (
    (101, "Decisive Victory"),
    (76, "Operational Victory"),
    (51, "Tactical Victory"),
    (26, "Stalemate"),
    (1, "Tactical Defeat"),
)
SEATS = "abcd"
SERVICES: dict[int, tuple[frozenset[str], ...]] = {
    2: (frozenset({"USMC", "USN"}), frozenset({"USA", "UK", "IG"})),
    3: (frozenset({"USMC", "USN"}), frozenset({"USA", "UK"}), frozenset({"IG"})),
    4: (frozenset({"USMC", "USN"}), frozenset({"USA"}), frozenset({"UK"}), frozenset({"IG"})),
}
SECTORS: dict[int, tuple[int, ...]] = {  # route - 1 -> seat
    2: (0, 0, 0, 1, 1, 1),
    3: (0, 0, 1, 1, 2, 2),
    4: (0, 0, 1, 2, 3, 3),
}

# --- actions, made once --------------------------------------------------------------------------------


def _each(verb: str, words: tuple[str, ...]) -> tuple[Action, ...]:
    return tuple((verb, word) for word in words)


GO = _each("go", PLACE_IDS)
INFIL = _each("infil", PLACE_IDS)
SAIL = _each("water", PLACE_IDS)
FLY = _each("air", PLACE_IDS)
TO_BASE = _each("base", PLACE_IDS)
ATTACK_FROM = _each("j3", PLACE_IDS)
FORCE_FROM = _each("force", PLACE_IDS)
ISR = _each("isr", PLACE_IDS)
NETOPS = _each("netops", PLACE_IDS)
INTERDICT = _each("interdict", PLACE_IDS)
WITHDRAW = _each("withdraw", PLACE_IDS)
TAKE = _each("take", UNIT_IDS)
LEAD = _each("lead", UNIT_IDS)
HIT = _each("hit", UNIT_IDS)
STRIKE_WITH = _each("strike", STRIKE_IDS)
NETWAR_WITH = _each("netwar", NETWAR_IDS)
INTEL_WITH = _each("netwar", COUNTER_IDS)
COMMIT_NETWAR = _each("commit", NETWAR_IDS)
COMMIT_INTEL = _each("commit", COUNTER_IDS)
BUY_STRIKE = _each("buy", STRIKE_IDS)
BUY_NETWAR = _each("buy", NETWAR_IDS)
BUY: tuple[tuple[Action, ...], ...] = tuple(tuple(("buy", unit, place) for place in PLACE_IDS) for unit in UNIT_IDS)
BUY_AT_BASES: tuple[tuple[Action, ...], ...] = tuple(tuple(row[base] for base in BASES) for row in BUY)
REFIT: tuple[Action, ...] = tuple(("j4", "refit", word) for word in PLACE_IDS)
REPAIR: tuple[Action, ...] = tuple(("j4", "bridge", word) for word in BRIDGE_IDS)
BUILD: tuple[Action, ...] = tuple(("j4", "fob", word) for word in PLACE_IDS)
AWARD: tuple[tuple[Action, ...], ...] = tuple(
    tuple(("leader", leader, unit) for unit in UNIT_IDS) for leader in LEADER_IDS
)
AWARD_NONE: tuple[Action, ...] = tuple(("leader", leader, "none") for leader in LEADER_IDS)
EVAC: dict[tuple[int, int], tuple[Action, ...]] = {
    (helo, unit): tuple(("evac", UNIT_IDS[helo], UNIT_IDS[unit], base) for base in BASE_IDS)
    for helo in range(UNITS)
    if LIFT[helo]
    for unit in range(UNITS)
    if LIFTABLE[unit]
}
J1: Action = ("j1",)
J2: Action = ("j2",)
J5: Action = ("j5",)
IDLE: Action = ("idle",)
END: Action = ("end",)
PASS: Action = ("pass",)
DONE: Action = ("done",)
FORM: Action = ("form",)
STOP: Action = ("stop",)
NO: Action = ("no",)
CONTINUE: Action = ("continue",)

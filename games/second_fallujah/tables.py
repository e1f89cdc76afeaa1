"""The printed facts, read once from the two data files: areas, borders, counters, the bot's tables.

Areas are their printed numbers; the Entry Zones and the boxes beside the map follow them. Units are
numbered in counter order: Coalition units of the map, then Cadres, Fedayeen and Militia.
"""

from importlib.resources import files
from typing import Any

import msgspec

from games.kernel.steps import Action

DATA = files(__package__) / "data"
BOARD: dict[str, Any] = msgspec.json.decode((DATA / "board.json").read_bytes())
COUNTERS: dict[str, Any] = msgspec.json.decode((DATA / "units.json").read_bytes())

COALITION, INSURGENT = "coalition", "insurgent"
SPENT, FRESH, DUG = 0, 1, 2  # the faces of a counter; Dug In is Fresh under a marker
INS, COA = 0, 1  # who controls an area

# --- places ------------------------------------------------------------------------------------------

AREAS: tuple[int, ...] = tuple(area["id"] for area in BOARD["areas"])
LAST = max(AREAS)
NW, NE, POOL, HAND, UNUSED, DEAD = range(LAST + 1, LAST + 7)
PLACES = NE + 1  # areas and zones: everything that holds a stack
ZONES = (NW, NE)
PLACE_WORDS: dict[int, str] = {NW: "NW", NE: "NE", POOL: "pool", HAND: "hand", UNUSED: "unused", DEAD: "dead"}
PLACE_OF: dict[str, int] = {word.lower(): place for place, word in PLACE_WORDS.items()}

STACK_LIMIT: int = BOARD["constants"]["stack_limit"]
FRESH_LIMIT: int = BOARD["constants"]["fresh_limit"]

_BY_AREA: dict[int, dict[str, Any]] = {area["id"]: area for area in BOARD["areas"]}


def _each(figure: str) -> tuple[Any, ...]:
    return tuple(_BY_AREA[area][figure] if area in _BY_AREA else None for area in range(PLACES))


def _flag(name: str) -> tuple[bool, ...]:
    return tuple(area in _BY_AREA and bool(_BY_AREA[area]["flags"][name]) for area in range(PLACES))


AREA_NAME: tuple[str, ...] = tuple(name or "" for name in _each("name"))
TEM: tuple[int, ...] = tuple(tem or 0 for tem in _each("tem"))
MOSQUE, RIVER = _flag("mosque"), _flag("river")
SCORES: tuple[int, ...] = tuple(
    int(any(flags)) for flags in zip(MOSQUE, _flag("route10"), _flag("jolan"), _flag("government_center"), strict=True)
)
SCORING_AREAS = tuple(area for area in AREAS if SCORES[area])
CADRE_AREAS = tuple(area for area in AREAS if MOSQUE[area] or _flag("jolan")[area])
ZONE_AREAS: dict[int, tuple[int, ...]] = {
    (NW if zone["id"] == "NW" else NE): tuple(zone["adjacent"]) for zone in BOARD["zones"]
}
ADJ: tuple[tuple[int, ...], ...] = tuple(
    ZONE_AREAS[place] if place in ZONE_AREAS else tuple(_BY_AREA[place]["adjacent"]) if place in _BY_AREA else ()
    for place in range(PLACES)
)
ZONES_AT: tuple[tuple[int, ...], ...] = tuple(
    tuple(zone for zone in ZONES if place in ZONE_AREAS[zone]) for place in range(PLACES)
)
PIZZA_SLICE = 51


def _steps_to(goal: int) -> tuple[int, ...]:
    """How many borders lie between each area and `goal`."""
    far = {goal: 0}
    edge = [goal]
    while edge:
        edge = [b for a in edge for b in ADJ[a] if b not in far and not far.update({b: far[a] + 1})]  # type: ignore[func-returns-value]
    return tuple(far.get(place, 99) for place in range(PLACES))


TO_PIZZA_SLICE = _steps_to(PIZZA_SLICE)

# --- counters ----------------------------------------------------------------------------------------

_ON_MAP = [unit for unit in COUNTERS["coalition"] if unit["type"] != "riverine"]
RIVERINE_ID: str = next(unit["id"] for unit in COUNTERS["coalition"] if unit["type"] == "riverine")
_CADRE, _FEDAYEEN, _MILITIA = (COUNTERS["insurgent"][name] for name in ("cadre", "fedayeen", "militia"))
N_CADRES: int = _CADRE["count"]
N_FEDAYEEN: int = _FEDAYEEN["count_two_player"]
N_ALL_FEDAYEEN: int = _FEDAYEEN["count_total"]
N_MILITIA: int = _MILITIA["count"]

N_COA = len(_ON_MAP)
C0 = N_COA
F0 = C0 + N_CADRES
M0 = F0 + N_ALL_FEDAYEEN
N_UNITS = M0 + N_MILITIA
COA_UNITS, CADRES, FEDAYEEN, MILITIA = range(N_COA), range(C0, F0), range(F0, M0), range(M0, N_UNITS)

ID: tuple[str, ...] = (
    *(unit["id"] for unit in _ON_MAP),
    *(f"C{n + 1}" for n in range(N_CADRES)),
    *(f"F{n + 1}" for n in range(N_ALL_FEDAYEEN)),
    *(f"M{n + 1}" for n in range(N_MILITIA)),
)
UNIT: dict[str, int] = {name: unit for unit, name in enumerate(ID)}
_INSURGENTS = [(_CADRE, N_CADRES), (_FEDAYEEN, N_ALL_FEDAYEEN), (_MILITIA, N_MILITIA)]


def _figures(side: str, figure: str, missing: int) -> tuple[int, ...]:
    ours = [unit[side].get(figure) for unit in _ON_MAP]
    theirs = [kind[side].get(figure) for kind, count in _INSURGENTS for _ in range(count)]
    return tuple(missing if value is None else value for value in [*ours, *theirs])


NO_CF = -99  # Support units have no Combat Factor
CF: tuple[tuple[int, ...], ...] = (
    _figures("spent", "cf", NO_CF),
    _figures("fresh", "cf", NO_CF),
    _figures("fresh", "cf", NO_CF),
)
MF = _figures("fresh", "mf", 0)
KIND: tuple[str, ...] = (
    *(unit["type"] for unit in _ON_MAP),
    *("cadre" for _ in CADRES),
    *("fedayeen" for _ in FEDAYEEN),
    *("militia" for _ in MILITIA),
)
LETTER: tuple[str, ...] = (*("" for _ in COA_UNITS), *(kind[0].upper() for kind in KIND[N_COA:]))
SAME: tuple[tuple[int, ...], ...] = tuple(  # by face: one bit for each type and face of insurgents, no bit for others
    tuple(0 if unit < N_COA else 1 << 3 * "CFM".index(LETTER[unit]) + face for unit in range(N_UNITS))
    for face in (SPENT, FRESH, DUG)
)
ALL_DUG = sum(set(SAME[DUG]))
NATION: tuple[str, ...] = (*(unit["nationality"] for unit in _ON_MAP), *("" for _ in range(N_UNITS - N_COA)))
UNIT_NAME: tuple[str, ...] = (
    *(unit["name"] for unit in _ON_MAP),
    *(f"{kind.capitalize()} {name[1:]}" for kind, name in zip(KIND[N_COA:], ID[N_COA:], strict=True)),
)
HOME: tuple[int, ...] = tuple(NW if unit["entry_zone"] == "NW" else NE for unit in _ON_MAP)
PAREN: tuple[bool, ...] = tuple(unit["fresh"]["paren"] for unit in _ON_MAP)

SUPPORT_KINDS = frozenset({"tank", "weapons", "anti_tank", "armored_amphibious"})
LEAD_KINDS = frozenset({"infantry", "mech_infantry", "engineer", "recon"})
MILITIA_LEAD_KINDS = frozenset({"lar", "cavalry"})
RECON_KINDS = frozenset({"lar", "cavalry", "recon"})
NEVER, MILITIA_ONLY, ANY = 0, 1, 2


def _lead_class(unit: int) -> int:
    """7.2.1: US, no parentheses; LAR and cavalry against Militia alone."""
    if NATION[unit] == "iraqi" or PAREN[unit]:
        return NEVER
    return ANY if KIND[unit] in LEAD_KINDS else MILITIA_ONLY if KIND[unit] in MILITIA_LEAD_KINDS else NEVER


LEAD: tuple[int, ...] = tuple(_lead_class(unit) for unit in COA_UNITS)
SUPPORT: tuple[bool, ...] = tuple(KIND[unit] in SUPPORT_KINDS for unit in COA_UNITS)
RECON: tuple[bool, ...] = tuple(KIND[unit] in RECON_KINDS for unit in COA_UNITS)
IRAQI: tuple[bool, ...] = tuple(NATION[unit] == "iraqi" for unit in COA_UNITS)
MEDEVAC: tuple[bool, ...] = tuple(KIND[unit] == "armored_amphibious" for unit in COA_UNITS)
BATTALIONS: tuple[frozenset[int], ...] = tuple(
    frozenset(UNIT[name] for name in names) for names in COUNTERS["marine_battalions"].values()
)

# --- fixed numbers of the rulebook ---------------------------------------------------------------------

LAST_TURN = 7
FIRE_MISSION_OV = 8  # 7.4
OVERWHELMING = 5  # 8.5
MOST_SUPPORTING_INFANTRY = 2  # 7.2.4
MOST_UNDOS = 32
MOST_FEDAYEEN_AT_START = 2  # 11.1
INSURGENT_OV: tuple[int, ...] = (-1, -1, 0, 0, 1)  # 7.3.1, by TEM

# 17. The Cadre Reaction Table: retreat word, units placed in the entered area, units beside the Cadre.
HERE, BESIDE = 0, 1
CADRE_REACTION: tuple[dict[int, tuple[str, str, str]], dict[int, tuple[str, str, str]]] = (
    {
        2: ("R", "", ""),
        3: ("R", "", ""),
        4: ("R", "", ""),
        5: ("R", "", ""),
        6: ("R", "M", ""),
        7: ("R", "M", ""),
        8: ("", "F", ""),
        9: ("r", "M", ""),
        10: ("r", "MM", ""),
        11: ("r", "F", ""),
        12: ("", "F", ""),
        13: ("", "F", ""),
        14: ("", "F", ""),
        15: ("", "FF", ""),
        16: ("", "DD", ""),
    },
    {
        2: ("", "F", ""),
        3: ("", "M", ""),
        4: ("", "M", "M"),
        5: ("", "M", ""),
        6: ("", "", "M"),
        7: ("", "F", ""),
        8: ("", "M", ""),
        9: ("", "M", "M"),
        10: ("", "M", ""),
        11: ("", "", "M"),
        12: ("", "F", "F"),
    },
)

# --- actions, made once --------------------------------------------------------------------------------


def _by_unit(verb: str) -> tuple[Action, ...]:
    return tuple((verb, name) for name in ID)


def _by_place(verb: str) -> tuple[Action, ...]:
    return tuple((verb, area) for area in range(PLACES))


PICK, JOIN, UNJOIN, WITHDRAW = map(_by_unit, ("pick", "join", "unjoin", "withdraw"))
LEADS, STRIKE, DIG, UNDIG = map(_by_unit, ("lead", "strike", "dig", "undig"))
DEFLEAD, KEEP, FLIP = map(_by_unit, ("deflead", "keep", "flip"))
AREA, STEP, ATTACK, FIRE = map(_by_place, ("area", "step", "attack", "fire"))
ZONE: dict[int, Action] = {zone: ("zone", PLACE_WORDS[zone]) for zone in ZONES}
ORG: tuple[tuple[Action, ...], ...] = tuple(
    tuple(("org", area, count) for count in range(1, STACK_LIMIT + 1)) for area in range(PLACES)
)
PUT: tuple[Action, ...] = tuple(("put", "F", area) for area in range(PLACES))
UNPUT: tuple[Action, ...] = tuple(("unput", "F", area) for area in range(PLACES))
R_DIG: tuple[Action, ...] = tuple(("r", "dig", name) for name in ID)
PASS: Action = ("pass",)
DONE: Action = ("done",)
DROP: Action = ("drop",)
STAY: Action = ("stay",)
RIVER_ACTION: Action = ("river",)
ROLL: Action = ("roll",)
R_DONE: Action = ("r", "done")
CP_DONE: Action = ("cp", "done")
ADV_NO: Action = ("adv", "no")
ADV_REROLL: Action = ("adv", "reroll")
ADV_COMBAT: tuple[Action, ...] = tuple(("adv", by, roll) for roll in ("att", "def") for by in ("+1", "-1"))
ADV_END: tuple[Action, ...] = (("adv", "+1", "end"), ("adv", "-1", "end"))

BIT: tuple[int, ...] = tuple(1 << place for place in range(PLACES))
ADJ_BITS: tuple[int, ...] = tuple(sum(BIT[b] for b in ADJ[place]) for place in range(PLACES))

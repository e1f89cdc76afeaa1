"""What is wrong with the two data files, one sentence each, for whoever corrects them from a printed copy."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

Points = list[list[int]]

MOSQUES = frozenset({7, 9, 13, 18, 19, 21, 24, 27, 28, 31, 33, 35, 42, 46, 47})
ROUTE_10 = frozenset({11, 12, 14, 15, 16, 17, 22, 48, 49, 50, 51})
JOLAN, CENTER = frozenset({40, 45}), frozenset({36})
RIVERBANK = frozenset({1, 11, 43, 44, 47, 48})
CONTACTS = {"NW": [31, 33, 41, 42, 43], "NE": [18, 19, 24, 25]}
ZONE_UNITS = {"NW": 29, "NE": 23}
KINDS = frozenset(
    {"infantry", "mech_infantry", "engineer", "recon", "lar", "cavalry", "mp", "special_forces", "tank", "weapons"}
    | {"anti_tank", "armored_amphibious", "riverine"}
)
SUPPORT = frozenset({"tank", "weapons", "anti_tank", "armored_amphibious", "riverine"})


def check(board: Mapping[str, Any], units: Mapping[str, Any]) -> list[str]:
    """Every fault of a map and a set of counters; empty when all is well."""
    return [*_areas(board), *_borders(board), *_shapes(board), *_zones(board), *_counters(units), *_insurgents(units)]


def _areas(board: Mapping[str, Any]) -> Iterator[str]:
    ids = [area["id"] for area in board["areas"]]
    if ids != list(range(1, 52)):
        yield f"board.json has areas {ids}; the map has 1 to 51, in this order."
    printed = {"mosque": MOSQUES, "jolan": JOLAN, "government_center": CENTER, "river": RIVERBANK}
    for flag, wanted in printed.items():
        found = {area["id"] for area in board["areas"] if area["flags"][flag]}
        if found != wanted:
            yield f"board.json: the rulebook prints {flag} for {sorted(wanted)}, the file says {sorted(found)}."
    route = {area["id"] for area in board["areas"] if area["flags"]["route10"] and not area["flags"]["mosque"]}
    if route != ROUTE_10:
        yield f"board.json: Route 10 is {sorted(ROUTE_10)} besides mosque areas, the file says {sorted(route)}."
    for area in board["areas"]:
        if area["tem"] not in range(5):
            yield f"Area {area['id']} has TEM {area['tem']}; it is 0 to 4."
        worth = int(any(area["flags"][flag] for flag in ("mosque", "route10", "jolan", "government_center")))
        if area["vp"] != worth:
            yield f"Area {area['id']} is worth {worth} by its flags, its vp says {area['vp']}."


def _borders(board: Mapping[str, Any]) -> Iterator[str]:
    adjacent = {area["id"]: area["adjacent"] for area in board["areas"]}
    for a, others in adjacent.items():
        for b in others:
            if b not in adjacent:
                yield f"Area {a} is adjacent to {b}, which is no area."
            elif a not in adjacent[b]:
                yield f"Area {a} names {b} as adjacent, but {b} does not name {a}."
        if a in others:
            yield f"Area {a} is adjacent to itself."
    if 30 in adjacent.get(25, ()):
        yield "25 and 30 meet in a point only; the rulebook says they are not adjacent."
    borders = sum(len(others) for others in adjacent.values()) // 2
    if borders > 3 * len(adjacent) - 6:
        yield f"{borders} borders between {len(adjacent)} areas cannot be drawn on a plane."
    reached = _reach(adjacent)
    if reached != set(adjacent):
        yield f"Areas {sorted(set(adjacent) - reached)} cannot be reached from area 1."


def _reach(adjacent: Mapping[int, list[int]]) -> set[int]:
    reached, edge = {1}, [1]
    while edge:
        for b in adjacent.get(edge.pop(), ()):
            if b not in reached and b in adjacent:
                reached.add(b)
                edge.append(b)
    return reached


def _shapes(board: Mapping[str, Any]) -> Iterator[str]:
    """Adjacent exactly where polygons share an edge: planar by construction."""
    edges: dict[tuple[tuple[int, int], tuple[int, int]], list[int]] = {}
    for area in board["areas"]:
        ring: Points = area["polygon"]
        if ring[0] != ring[-1] or len(ring) < 4:
            yield f"The polygon of area {area['id']} is not closed."
        for start, end in pairwise(ring):
            one, two = sorted(((start[0], start[1]), (end[0], end[1])))
            edges.setdefault((one, two), []).append(area["id"])
    drawn: set[tuple[int, int]] = set()
    for shared in edges.values():
        if len(shared) > 2:
            yield f"Areas {shared} share one edge; a border has two sides."
        elif len(shared) == 2:
            drawn.add((min(shared), max(shared)))
    said = {(min(a["id"], b), max(a["id"], b)) for a in board["areas"] for b in a["adjacent"]}
    for a, b in sorted(drawn - said):
        yield f"The polygons of {a} and {b} share a border, but they are not adjacent."
    for a, b in sorted(said - drawn):
        yield f"Areas {a} and {b} are adjacent, but their polygons share no border."


def _zones(board: Mapping[str, Any]) -> Iterator[str]:
    for zone in board["zones"]:
        if sorted(zone["adjacent"]) != CONTACTS.get(zone["id"]):
            yield f"The {zone['id']} zone touches {CONTACTS.get(zone['id'])}, the file says {zone['adjacent']}."
    for area in board["areas"]:
        wanted = next((name for name, areas in CONTACTS.items() if area["id"] in areas), None)
        if area["entry_zone"] != wanted:
            yield f"Area {area['id']} touches {wanted or 'no zone'}, the file says {area['entry_zone']}."


def _counters(units: Mapping[str, Any]) -> Iterator[str]:
    names = Counter(unit["id"] for unit in units["coalition"])
    for name, count in names.items():
        if count > 1:
            yield f"There are {count} counters {name}."
    for zone, count in ZONE_UNITS.items():
        found = sum(1 for unit in units["coalition"] if unit["entry_zone"] == zone)
        if found != count:
            yield f"{count} units start in {zone}, the file has {found}."
    for unit in units["coalition"]:
        yield from _counter(unit)
    for battalion, members in units["marine_battalions"].items():
        for name in members:
            if name not in names:
                yield f"Battalion {battalion} names {name}, which is no counter."


def _counter(unit: Mapping[str, Any]) -> Iterator[str]:
    name, kind = unit["id"], unit["type"]
    if kind not in KINDS:
        yield f"{name} is a {kind}, which is no type of unit."
    if unit["nationality"] not in ("marine", "army", "iraqi"):
        yield f"{name} is {unit['nationality']}; units are marine, army or iraqi."
    if kind in SUPPORT:
        if unit["fresh"]["cf"] is not None or unit["spent"]["cf"] is not None:
            yield f"{name} is a Support unit and has no Combat Factor."
    else:
        fresh, spent = unit["fresh"]["cf"], unit["spent"]["cf"]
        if not (isinstance(fresh, int) and isinstance(spent, int) and spent < fresh):
            yield f"{name} needs a Spent Combat Factor below its Fresh one; the file has {spent} and {fresh}."
    if kind != "riverine" and not isinstance(unit["fresh"]["mf"], int):
        yield f"{name} has no Movement Factor."


def _insurgents(units: Mapping[str, Any]) -> Iterator[str]:
    cadre, fedayeen, militia = (units["insurgent"][name] for name in ("cadre", "fedayeen", "militia"))
    if cadre["count"] != len(MOSQUES) + len(JOLAN):
        yield f"One Cadre starts in each of {len(MOSQUES) + len(JOLAN)} areas, the file has {cadre['count']}."
    if fedayeen["count_two_player"] != 20:
        yield f"Twenty Fedayeen are placed, the file has {fedayeen['count_two_player']}."
    if fedayeen["count_total"] < fedayeen["count_two_player"]:
        yield "There are fewer Fedayeen in all than the two-player game uses."
    if militia["count"] < 1:
        yield "There are no Militia."
    for name, kind in (("Cadre", cadre), ("Fedayeen", fedayeen), ("Militia", militia)):
        if not kind["spent"]["cf"] < kind["fresh"]["cf"]:
            yield f"{name} needs a Spent Combat Factor below its Fresh one."
        if not isinstance(kind["fresh"]["mf"], int):
            yield f"{name} has no Movement Factor."

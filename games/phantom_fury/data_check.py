"""Whether the data files hold together: one plain sentence for each thing that is wrong."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from games.phantom_fury.tables import BOARD, COUNTERS


def check_data(board: Mapping[str, Any] | None = None, counters: Mapping[str, Any] | None = None) -> list[str]:
    """Empty when all is well."""
    board = BOARD if board is None else board
    counters = COUNTERS if counters is None else counters
    return [*_zones(board), *_links(board), *_sections(board), *_neighbours(board), *_counters(counters)]


def _zones(board: Mapping[str, Any]) -> list[str]:
    wrong = []
    ids = [zone["id"] for zone in board["zones"]]
    if ids != list(range(1, 62)):
        wrong.append("The zones must be numbered 1 to 61, each once, in order.")
    if len(board["sections"]) != 78 or len({section["id"] for section in board["sections"]}) != 78:
        wrong.append("There must be 78 street sections, each with its own id.")
    in_blocks = Counter(zone for block in board["blocks"] for zone in block["zones"])
    if in_blocks != Counter(ids):
        wrong.append("Every zone must be in exactly one block.")
    if len(board["start_zones"]) != 9:
        wrong.append("There must be nine start zones.")
    for zone in board["zones"]:
        wrong += _locations(board, zone)
    return wrong


def _locations(board: Mapping[str, Any], zone: Mapping[str, Any]) -> list[str]:
    number = zone["id"]
    names = [location["id"] for location in zone["locations"]]
    if number == board["open_ground"]:
        return [f"Zone {number} is open ground and must have no Locations."] if names else []
    wrong = []
    if len(set(names)) != len(names) or any(name not in board["location_order"] for name in names):
        wrong.append(f"Zone {number} has a Location twice or one with an unknown name.")
    if zone["entry"] not in names:
        wrong.append(f"Zone {number} has no entry Location {zone['entry']}.")
    if not any(location["door"] for location in zone["locations"]):
        wrong.append(f"Zone {number} has no Location with a door.")
    joined = {name for arrow in zone["arrows"] for name in arrow}
    if joined - set(names):
        wrong.append(f"Zone {number} has an arrow to a Location it does not have.")
    if len(names) > 1 and not _connected(names, zone["arrows"]):
        wrong.append(f"The Locations of zone {number} are not all joined by arrows.")
    if not zone["egress"]:
        wrong.append(f"Zone {number} has no egress.")
    return wrong


def _connected(names: list[str], arrows: list[list[str]]) -> bool:
    seen, edge = {names[0]}, [names[0]]
    while edge:
        here = edge.pop()
        for arrow in arrows:
            if here in arrow:
                other = arrow[0] if arrow[1] == here else arrow[1]
                if other not in seen:
                    seen.add(other)
                    edge.append(other)
    return seen >= set(names)


def _links(board: Mapping[str, Any]) -> list[str]:
    wrong = []
    zones = {zone["id"]: zone for zone in board["zones"]}
    for number, zone in zones.items():
        for other in zone["adjacent"]:
            if other not in zones or number not in zones[other]["adjacent"]:
                wrong.append(f"Zone {number} is Adjacent to {other}, but not the other way round.")
            elif zones[other]["block"] != zone["block"]:
                wrong.append(f"Zones {number} and {other} are Adjacent but in different blocks.")
        for other in zone["line_of_fire"]:
            if other not in zones or number not in zones[other]["line_of_fire"]:
                wrong.append(f"Zone {number} has a line of fire to {other}, but not the other way round.")
        near = {*zone["adjacent"], *(neighbour["zone"] for neighbour in zone["neighbours"])}
        for way in zone["egress"]:
            if way != "EXIT" and way not in near:
                wrong.append(f"Zone {number} has an egress to {way}, which is neither Adjacent nor Neighbouring.")
    return wrong


def _sections(board: Mapping[str, Any]) -> list[str]:
    wrong = []
    zones = {zone["id"]: zone for zone in board["zones"]}
    sections = {section["id"]: section for section in board["sections"]}
    for name, section in sections.items():
        for other in section["adjacent_sections"]:
            if other not in sections or name not in sections[other]["adjacent_sections"]:
                wrong.append(f"Section {name} is Adjacent to {other}, but not the other way round.")
        for number in section["adjacent_zones"]:
            if number not in zones or name not in zones[number]["sections"]:
                wrong.append(f"Section {name} touches zone {number}, but the zone does not say so.")
    for number, zone in zones.items():
        for name in zone["sections"]:
            if name not in sections or number not in sections[name]["adjacent_zones"]:
                wrong.append(f"Zone {number} touches section {name}, but the section does not say so.")
    return wrong


def _neighbours(board: Mapping[str, Any]) -> list[str]:
    """4.1.2, R1: zones of different blocks with a side on one section, no more and no fewer."""
    wrong = []
    blocks = {zone["id"]: zone["block"] for zone in board["zones"]}
    expected: dict[tuple[int, int], list[str]] = {}
    for section in board["sections"]:
        for one in section["adjacent_zones"]:
            for other in section["adjacent_zones"]:
                if blocks.get(one) != blocks.get(other) and board["open_ground"] not in (one, other):
                    expected.setdefault((one, other), []).append(section["id"])
    told = {(zone["id"], near["zone"]): near["via"] for zone in board["zones"] for near in zone["neighbours"]}
    for pair in sorted(expected.keys() | told.keys()):
        if sorted(expected.get(pair, [])) != sorted(told.get(pair, [])):
            wrong.append(f"Zones {pair[0]} and {pair[1]}: the sections between them do not match their neighbours.")
    return wrong


def _counters(counters: Mapping[str, Any]) -> list[str]:
    wrong = []
    for key, number in (("usmc_squads", 15), ("iif_squads", 3), ("caat", 4), ("abrams", 2), ("insurgents", 24)):
        if len(counters[key]) != number or len({item["id"] for item in counters[key]}) != number:
            wrong.append(f"There must be {number} counters in {key}, each with its own id.")
    if len(counters["suspects"]) != 40:
        wrong.append("There must be 40 Suspect markers.")
    for squad in counters["usmc_squads"]:
        if not 4 <= squad["cf"] <= 6 or squad["cf_reduced"] != squad["cf"] - 1:
            wrong.append(f"Squad {squad['id']} must have CF 4 to 6 and one less when reduced.")
    for unit in counters["insurgents"]:
        if not (1 <= unit["guerillas"] <= 3 and 1 <= unit["martyrs"] <= 4):
            wrong.append(f"Counter {unit['id']} must have Guerillas 1 to 3 and Martyrs 1 to 4.")
    for marker in counters["suspects"]:
        if sorted(marker["string"].split("/")) != ["1", "2", "R"]:
            wrong.append(f"Suspect {marker['id']} must name 1, 2 and R in some order.")
    return wrong

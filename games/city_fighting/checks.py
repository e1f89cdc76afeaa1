"""What is wrong with the data files, in sentences. The engine plays with any files that pass."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

SPACES, PRIZES, COUNTERS_IN_ALL, OPFOR_UNITS, EVENTS, NODES = 66, 20, 176, 38, 26, 28
TERRAINS = {"open", "urban", "objective", "mosque"}
KINDS = {"route", "phase", "msr", "msr-diagonal", "bridge", "river", "base"}
ENTRIES = {  # 13.4
    "N": [f"{route}-2" for route in range(1, 7)],
    "S": [f"{route}-12" for route in range(1, 7)],
    "E": [f"6-{line}" for line in range(2, 13)],
    "W": ["1-6", "1-8", "1-10", "1-11", "1-12"],
}
COSTS: dict[tuple[bool, bool], dict[str, float]] = {  # 11.1: (Iraqi or not, battalion or not, type) -> OPs
    (False, True): {
        "stryker": 3,
        "fob": 3,
        "helo_special": 3,
        "mechanized": 2,
        "armored_recon": 2,
        "armored_engineer": 2,
        "amtrac": 2,
        "helo_transport": 2,
        "helo_gunship": 2,
        "infantry": 1,
        "engineer": 1,
    },
    (False, False): {"armor": 2, "sof": 2, "armored_recon": 1, "military_police": 0.5, "sniper": 0.5},
    (True, True): {"infantry": 0.5},
    (True, False): {"sof": 1},
}
MARKER_COSTS: dict[str, float | None] = {"soa": 1, "air": 0.5, "netwar": 0.5, "artillery": 0.25, "leader": None}


def check(board: Mapping[str, Any], counters: Mapping[str, Any]) -> list[str]:
    return [*_check_board(board), *_check_counters(counters)]


def _check_board(board: Mapping[str, Any]) -> list[str]:
    wrong = []
    spaces = {space["id"]: space for space in board["spaces"]}
    wanted = {f"{route}-{line}" for route in range(1, 7) for line in range(2, 13)}
    if len(board["spaces"]) != SPACES or set(spaces) != wanted:
        odd = sorted(set(spaces) ^ wanted)
        wrong.append(f"The map has {len(board['spaces'])} spaces, not the {SPACES} of six routes; look at {odd[:3]}.")
    for space in board["spaces"]:
        if space["terrain"] not in TERRAINS:
            wrong.append(f"Space {space['id']} has the unknown terrain {space['terrain']!r}.")
    prizes = sum(space["terrain"] in ("objective", "mosque") for space in board["spaces"])
    if prizes != PRIZES:
        wrong.append(f"There are {prizes} objective and mosque spaces, not {PRIZES}.")
    places = {*spaces, *(base["id"] for base in board["bases"])}
    seen: Counter[frozenset[str]] = Counter()
    for link in board["links"]:
        ends = frozenset((link["a"], link["b"]))
        seen[ends] += 1
        if link["kind"] not in KINDS:
            wrong.append(f"The link {link['a']} to {link['b']} has the unknown kind {link['kind']!r}.")
        if len(ends) < 2 or not ends <= places:
            wrong.append(f"The link {link['a']} to {link['b']} does not join two places of the map.")
        if link["kind"] == "bridge" and link.get("bridge") not in board["bridges"]:
            wrong.append(f"The bridge link {link['a']} to {link['b']} names no bridge of the list.")
    wrong += [
        f"The link {' to '.join(sorted(ends))} is given {count} times." for ends, count in seen.items() if count > 1
    ]
    wrong += _check_bases(board, seen)
    for word, bridge in board["bridges"].items():
        if bridge["space"] not in bridge["crossing"] or frozenset(bridge["crossing"]) not in seen:
            wrong.append(f"The bridge {word} does not cross from its own space along a link.")
    for here, there in zip(board["msr_path"], board["msr_path"][1:], strict=False):
        kinds = {link["kind"] for link in board["links"] if {link["a"], link["b"]} == {here, there}}
        if not kinds & {"msr", "msr-diagonal"}:
            wrong.append(f"The MSR has no MSR link from {here} to {there}.")
    if sorted(board["water_spaces"]) != sorted(word for word, space in spaces.items() if space["water"]):
        wrong.append("The list of water spaces differs from the water symbols of the spaces.")
    return wrong


def _check_bases(board: Mapping[str, Any], seen: Mapping[frozenset[str], int]) -> list[str]:
    wrong = []
    entries = {base["id"]: base["entries"] for base in board["bases"]}
    for base, wanted in ENTRIES.items():
        if sorted(entries.get(base, [])) != sorted(wanted):
            wrong.append(f"Base {base} must have the entries {', '.join(wanted)}.")
        wrong += [
            f"Base {base} lists the entry {entry} but no link leads there."
            for entry in entries.get(base, [])
            if frozenset((base, entry)) not in seen
        ]
    return wrong


def _check_counters(counters: Mapping[str, Any]) -> list[str]:
    wrong = []
    groups = ("coalition", "opfor_units", "nodes", "events", "admin")
    everything = [counter for group in groups for counter in counters[group]]
    if len(everything) != COUNTERS_IN_ALL or counters["total"] != COUNTERS_IN_ALL:
        wrong.append(f"There are {len(everything)} counters, not {COUNTERS_IN_ALL}.")
    for group, count in (("opfor_units", OPFOR_UNITS), ("events", EVENTS), ("nodes", NODES)):
        if len(counters[group]) != count:
            wrong.append(f"There are {len(counters[group])} {group.replace('_', ' ')}, not {count}.")
    twice = [word for word, count in Counter(counter["id"] for counter in everything).items() if count > 1]
    wrong += [f"The counter {word} is given twice." for word in twice]
    for counter in counters["coalition"]:
        if counter["kind"] == "unit":
            iraqi, battalion = counter["side"] == "IG", counter["size"] == "battalion"
            cost = COSTS[iraqi, battalion].get(counter["type"])
            if (counter["steps"] == 2) is not bool(counter["reduced"]):
                wrong.append(f"{counter['id']} has {counter['steps']} steps and the wrong kind of reverse side.")
        else:
            cost = MARKER_COSTS[counter["type"]]
        if counter.get("cost") != cost:
            wrong.append(f"{counter['id']} costs {counter.get('cost')}, but the cost chart says {cost}.")
    levels = counters["morale_chart"]["levels"]
    if levels != ["low", "medium", "high", "fanatic"]:
        wrong.append("The morale levels must be low, medium, high and fanatic.")
    picks = [counters["morale_chart"]["picks"][level] for level in levels]
    if picks != sorted(picks):
        wrong.append("The reaction picks must not fall as morale rises.")
    return wrong

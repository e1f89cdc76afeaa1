"""The position as plain text of at most 72 columns, from the view alone."""

import textwrap
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from games.city_fighting import tables as t

_MARKS = {"open": ".", "urban": ":", "objective": "#", "mosque": "^"}
_LETTERS = {
    "abandoned": "ab",
    "al_qaeda": "AQ",
    "arms_cache": "AC",
    "c2": "C2",
    "hostage": "HO",
    "ied": "IE",
    "strongpoint": "SP",
}
_TERRAIN_WORDS = {"open": "open", "urban": "urban", "objective": "objective", "mosque": "mosque"}


def board(view: Mapping[str, Any]) -> str:
    lines = [
        f"{t.SCENARIO_NAMES[view['scenario']]}, operation {view['operation']}",
        f"OPs {view['ops']}  KIA {view['kia']:+d}  morale {view['morale']} (picks {view['picks']})"
        f"  VP {view['vp']} ({view['degree']})",
        "",
        *_map(view),
        "",
        *_places(view),
        *_nodes(view),
        *_markers(view),
        *_battle(view),
    ]
    return "\n".join(lines)


def _wrap(text: str, indent: str = "      ") -> list[str]:
    return textwrap.wrap(text, 72, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _stacks(view: Mapping[str, Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for word, entry in view["units"].items():
        found[entry["at"]].append(word)
    return found


def _map(view: Mapping[str, Any]) -> list[str]:
    """Each space in ten columns: terrain, node, how many ground units (helicopters with h)."""
    stacks = _stacks(view)
    lines = ["PL   Rt 1      Rt 2      Rt 3      Rt 4      Rt 5      Rt 6"]
    for line in range(2, 13):
        cells = [_cell(view, stacks, f"{route}-{line}") for route in range(1, 7)]
        lines.append((f"{line:>2}  " + " ".join(cells)).rstrip())
    lines += _wrap(
        ". open : urban # objective ^ mosque; ?? concealed node, two letters a known one, DH helicopter; "
        "3+1h three ground units and a helicopter; !n OPFOR units",
        "",
    )
    return lines


def _cell(view: Mapping[str, Any], stacks: Mapping[str, Sequence[str]], word: str) -> str:
    mark = _MARKS[t.TERRAINS[t.TERRAIN[t.PLACE[word]]]]
    node = view["nodes"].get(word)
    label = "  " if node is None else "??" if not node["up"] else _LETTERS[t.NODE_TYPE[t.NODE[node["id"]]]]
    if view["helicopter"] == word:
        label = "DH" if node is None else label[0] + "+"
    ground = sum(not t.HELO[t.UNIT[unit]] for unit in stacks.get(word, ()))
    helos = len(stacks.get(word, ())) - ground
    force = (str(ground) if ground else "") + (f"+{helos}h" if helos else "")
    if view["battle"] and view["battle"]["space"] == word and view["opfor"]:
        force += f"!{len(view['opfor'])}"
    return f"{mark}{label}{force}".ljust(9)[:9]


def unit_words(view: Mapping[str, Any], word: str) -> str:
    unit = t.UNIT[word]
    entry = view["units"][word]
    side = int(entry["reduced"])
    move = t.MOVEMENT[side][unit]
    marks = (" reduced" if side else "") + (" leader" if "leader" in entry else "")
    figures = f"{t.FIREPOWER[side][unit]}({t.CONTACT[side][unit]}){'air' if move == t.UNLIMITED else move}"
    return f"{word} {figures}{marks}"


def _places(view: Mapping[str, Any]) -> list[str]:
    lines = []
    stacks = _stacks(view)
    for word in t.BOX_IDS:
        if stacks.get(word):
            units = ", ".join(unit_words(view, unit) for unit in stacks[word])
            if word in t.PLACE:
                place = t.PLACE[word]
                name = t.PLACE_NAMES[place]
                kind = "" if place >= t.SPACES else f", {_TERRAIN_WORDS[t.TERRAINS[t.TERRAIN[place]]]}"
                lines += _wrap(f"{word:<5} {name}{kind}: {units}")
            else:
                lines += _wrap(f"{word.capitalize()}: {', '.join(stacks[word])}")
    return lines or ["No Coalition unit is in play yet."]


def _nodes(view: Mapping[str, Any]) -> list[str]:
    hidden = [word for word, node in view["nodes"].items() if not node["up"]]
    known = [f"{word} {t.NODE_NAMES[t.NODE[node['id']]]}" for word, node in view["nodes"].items() if node["up"]]
    lines = []
    if hidden:
        lines += _wrap(f"Concealed nodes: {', '.join(hidden)}")
    if known:
        lines += _wrap(f"Known nodes: {', '.join(known)}")
    unseen = ", ".join(f"{count} {t.TYPE_NAMES[kind]}" for kind, count in view["unseen_nodes"].items())
    if unseen:
        lines += _wrap(f"Not seen yet, {view['node_bin']} of them in the bin: {unseen}")
    if view["captured"]:
        tally = Counter(t.NODE_NAMES[t.NODE[word]] for word in view["captured"])
        lines += _wrap("Captured: " + ", ".join(f"{count} {name}" for name, count in sorted(tally.items())))
    if view["helicopter"]:
        lines.append(f"Downed helicopter: {view['helicopter']}")
    if view["blown"]:
        lines.append("Blown: " + ", ".join(t.BRIDGE_NAMES[t.BRIDGE_IDS.index(word)] for word in view["blown"]))
    return lines


def _markers(view: Mapping[str, Any]) -> list[str]:
    ready = [word for word, box in {**view["strikes"], **view["netwars"]}.items() if box == "available"]
    ready += view["intel"]
    lines = _wrap(f"Available: {', '.join(ready) or 'no strikes or NetWar'}")
    committed = [word for word, box in view["strikes"].items() if box == "committed"]
    if committed:
        lines += _wrap(f"Committed: {', '.join(committed)}")
    bin_words = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in view["reaction_bin"].items())
    lines += _wrap(f"Reaction bin: {bin_words}")
    if view["hvt_dead"]:
        lines.append("High value targets eliminated: " + ", ".join(view["hvt_dead"]))
    return lines


def _battle(view: Mapping[str, Any]) -> list[str]:
    fight = view["battle"]
    if fight is None:
        return []
    name = t.PLACE_NAMES[t.PLACE[fight["space"]]]
    ours = ", ".join(unit_words(view, word) for word in fight["units"])
    theirs = ", ".join(enemy_words(word) for word in fight["opfor"])
    lines = ["", f"BATTLE in {fight['space']} {name}, round {fight['round']}"]
    lines += _wrap(f"Ours: {ours}") if ours else []
    lines += _wrap(f"OPFOR: {theirs}") if theirs else []
    if fight["hits"]:
        lines.append(f"Hits to take: {fight['hits']}")
    return lines


def enemy_words(word: str) -> str:
    unit = t.COUNTER[word]
    if unit >= t.OPFOR_UNITS:
        return t.COUNTER_NAMES[unit]
    return f"{t.COUNTER_NAMES[unit]} {t.OPFOR_FIREPOWER[unit]}({t.OPFOR_CONTACT[unit]})"

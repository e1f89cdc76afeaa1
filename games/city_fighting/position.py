"""Positions in words: what `write` prints can be fed back to `read`, and a person can write one by hand.

Missing keys take their defaults: units in the recruit box, counters in their bins, the menu of operations as
the next question. `todo` lists what happens next, first things first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from games.city_fighting import tables as t
from games.city_fighting.board import NOWHERE, TAKEN, Board, Fight, Force, placed
from games.city_fighting.sequence import WAITING, EndOfScenario, OpMenu
from games.kernel.errors import BadSetup
from games.kernel.steps import Step

NODE_LISTS = {"captured": "captured", "nodes_gone": "gone", "node_bin": "node_bin"}
COUNTER_LISTS = {
    "reaction_bin": "bin",
    "drawn": "drawn",
    "opfor": "opfor",
    "hvt_dead": "hvt_dead",
    "events_in_play": "in_play",
    "removed": "removed",
    "intel": "intel",
}
SCALARS = ("ops", "kia", "passes", "operation", "negotiated", "won", "over", "campaign")
KEYS = {
    "scenario",
    "options",
    "first_battle",
    "turn",
    "morale",
    "lead",
    "helicopter",
    "contested",
    "units",
    "waiting_leaders",
    "strikes",
    "netwars",
    "nodes",
    "blown",
    "credit",
    "todo",
    *NODE_LISTS,
    *COUNTER_LISTS,
    *SCALARS,
}

# --- writing -------------------------------------------------------------------------------------------


def write(g: Board) -> dict[str, Any]:
    units: dict[str, Any] = {}
    for unit, at in enumerate(g.loc):
        if at == t.RECRUIT and not g.owner[unit]:
            continue
        entry: dict[str, Any] = {"at": t.BOX_IDS[at]}
        if g.reduced[unit]:
            entry["reduced"] = True
        if g.owner[unit]:
            entry["owner"] = t.SEATS[g.owner[unit]]
        if unit in g.leader:
            entry["leader"] = t.LEADER_IDS[g.leader.index(unit)]
        units[t.UNIT_IDS[unit]] = entry
    nodes = {t.PLACE_IDS[p]: {"id": t.NODE_IDS[node], "up": False} for p, node in placed(g.down)}
    nodes.update({t.PLACE_IDS[p]: {"id": t.NODE_IDS[node], "up": True} for p, node in placed(g.shown)})
    written: dict[str, Any] = {
        "scenario": g.scenario,
        "options": {
            "joint": g.joint,
            "networked": g.networked,
            "interdiction": g.interdiction,
            "oob": "historical" if g.historical else "free",
            "seats": g.seats,
            "mode": g.mode,
            "victory": "individual" if g.individual else "mutual",
        },
        "first_battle": {"vp": g.first_vp, "kia": g.first_kia},
        "turn": t.SEATS[g.turn],
        "morale": t.LEVELS[g.morale],
        "lead": t.UNIT_IDS[g.lead] if g.lead >= 0 else "",
        "helicopter": "captured" if g.chopper == TAKEN else _place_word(g.chopper),
        "contested": _place_word(g.contested),
        "units": units,
        "waiting_leaders": [t.LEADER_IDS[n] for n, holder in enumerate(g.leader) if holder == WAITING],
        "strikes": {t.STRIKE_IDS[n]: t.MARKER_BOXES[box] for n, box in enumerate(g.strike) if box},
        "netwars": {t.NETWAR_IDS[n]: t.MARKER_BOXES[box] for n, box in enumerate(g.netwar) if box},
        "nodes": nodes,
        "blown": [t.BRIDGE_IDS[n] for n, gone in enumerate(g.blown) if gone],
        "credit": {t.SEATS[n]: {"nodes": g.credit_nodes[n], "kia": g.credit_kia[n]} for n in range(g.seats)},
        "todo": [_step_words(step) for step in reversed(g.todo)],
    }
    written.update({key: getattr(g, key) for key in SCALARS})
    written.update({key: [t.NODE_IDS[n] for n in getattr(g, name)] for key, name in NODE_LISTS.items()})
    written.update({key: [t.COUNTER_IDS[n] for n in getattr(g, name)] for key, name in COUNTER_LISTS.items()})
    return written


def _place_word(place: int) -> str:
    return "" if place == NOWHERE else t.PLACE_IDS[place]


_TO_WORDS: dict[str, Callable[[Any], Any]] = {
    "place": _place_word,
    "to": _place_word,
    "goal": _place_word,
    "lead": lambda unit: t.UNIT_IDS[unit],
    "seat": lambda seat: t.SEATS[seat],
    "units": lambda units: [t.UNIT_IDS[unit] for unit in units],
    "arrived": lambda units: [t.UNIT_IDS[unit] for unit in units],
    "placed": lambda places: [t.PLACE_IDS[place] for place in places],
    "mobs": lambda mobs: {t.COUNTER_IDS[mob]: strength for mob, strength in mobs},
    "force": lambda force: _struct_words(force),
    "fight": lambda fight: _struct_words(fight),
}


def _struct_words(struct: msgspec.Struct) -> dict[str, Any]:
    found = {}
    for field in msgspec.structs.fields(struct):
        value = getattr(struct, field.name)
        if value != field.default:
            found[field.name] = _TO_WORDS.get(field.name, lambda plain: plain)(value)
    return found


def _step_words(step: Step) -> dict[str, Any]:
    return {"step": type(step).__name__, **_struct_words(step)}


# --- reading -------------------------------------------------------------------------------------------


def read(position: Mapping[str, Any], g: Board, steps: Sequence[type[Step]]) -> Board:
    """The board a position describes, on the given empty one."""
    _known(position, KEYS, "A position")
    _options(g, position.get("options", {}))
    if "scenario" in position:
        g.scenario = _one_of(position["scenario"], t.SCENARIOS, "scenario")
        g.ops, g.morale = t.START_OPS[g.scenario], t.START_MORALE[g.scenario]
    for key in SCALARS:
        if key in position:
            if type(position[key]) is not type(getattr(g, key)):
                raise BadSetup(f"{key} cannot be {position[key]!r}.")
            setattr(g, key, position[key])
    if "morale" in position:
        g.morale = t.LEVELS.index(_one_of(position["morale"], t.LEVELS, "morale"))
    if "turn" in position:
        g.turn = t.SEATS.index(_one_of(position["turn"], t.SEATS[: g.seats], "seat"))
    first = position.get("first_battle", {})
    g.first_vp, g.first_kia = int(first.get("vp", 0)), int(first.get("kia", 0))
    g.lead = _number(position.get("lead", ""), t.UNIT, "unit") if position.get("lead") else NOWHERE
    chopper = position.get("helicopter", "")
    g.chopper = TAKEN if chopper == "captured" else _place(chopper)
    g.contested = _place(position.get("contested", ""))
    _units(g, position.get("units", {}))
    for leader in position.get("waiting_leaders", ()):
        g.leader[_number(leader, t.LEADER, "leader")] = WAITING
    for key, names, boxes in (("strikes", t.STRIKE, g.strike), ("netwars", t.NETWAR, g.netwar)):
        for word, box in position.get(key, {}).items():
            boxes[_number(word, names, key[:-1])] = t.MARKER_BOXES.index(_one_of(box, t.MARKER_BOXES, "box"))
    for word in position.get("blown", ()):
        g.blown[t.BRIDGE_IDS.index(_one_of(word, t.BRIDGE_IDS, "bridge"))] = 1
    for seat, credit in position.get("credit", {}).items():
        number = t.SEATS.index(_one_of(seat, t.SEATS[: g.seats], "seat"))
        g.credit_nodes[number], g.credit_kia[number] = int(credit.get("nodes", 0)), int(credit.get("kia", 0))
    _nodes(g, position)
    _counters(g, position)
    _todo(g, position, steps)
    return g


def _known(given: Iterable[str], known: Iterable[str], what: str) -> None:
    for key in given:
        if key not in set(known):
            raise BadSetup(f"{what} has no key {key!r}; it has {', '.join(sorted(known))}.")


def _one_of(word: Any, words: Sequence[str], what: str) -> str:
    if not isinstance(word, str) or word not in tuple(words):
        raise BadSetup(f"There is no {what} {word!r}; there are {', '.join(words)}.")
    return word


def _number(word: Any, names: Mapping[str, int], what: str) -> int:
    if word not in names:
        raise BadSetup(f"There is no {what} {word!r} in City Fighting.")
    return names[word]


def _place(word: Any) -> int:
    return NOWHERE if word == "" else _number(word, t.PLACE, "place")


def _options(g: Board, options: Mapping[str, Any]) -> None:
    _known(options, {"joint", "networked", "interdiction", "oob", "seats", "mode", "victory"}, "The options")
    for key in ("joint", "networked", "interdiction"):
        setattr(g, key, bool(options.get(key, getattr(g, key))))
    if "oob" in options:
        g.historical = _one_of(options["oob"], ("free", "historical"), "order of battle") == "historical"
    if "mode" in options:
        g.mode = _one_of(options["mode"], ("services", "sectors"), "mode")
    if "victory" in options:
        g.individual = _one_of(options["victory"], ("mutual", "individual"), "victory") == "individual"
    if "seats" in options:
        if options["seats"] not in (1, 2, 3, 4):
            raise BadSetup("There are one to four seats.")
        g.seats = options["seats"]
        g.credit_nodes, g.credit_kia = [0] * g.seats, [0] * g.seats


def _units(g: Board, units: Mapping[str, Any]) -> None:
    for word, entry in units.items():
        unit = _number(word, t.UNIT, "unit")
        facts = {"at": entry} if isinstance(entry, str) else entry
        _known(facts, {"at", "reduced", "owner", "leader"}, word)
        g.loc[unit] = _number(facts.get("at", "recruit"), t.BOX, "place or box")
        g.reduced[unit] = int(bool(facts.get("reduced", False)))
        if g.reduced[unit] and t.STEPS[unit] < 2:
            raise BadSetup(f"{word} has one step and cannot be reduced.")
        g.owner[unit] = t.SEATS.index(_one_of(facts.get("owner", "a"), t.SEATS, "seat"))
        if "leader" in facts:
            leader = _number(facts["leader"], t.LEADER, "leader")
            if g.leader[leader] != NOWHERE:
                raise BadSetup(f"{facts['leader']} is with two units.")
            g.leader[leader] = unit


def _nodes(g: Board, position: Mapping[str, Any]) -> None:
    used: set[int] = set()
    for word, entry in position.get("nodes", {}).items():
        place = _number(word, {name: PLACE for name, PLACE in t.PLACE.items() if PLACE < t.SPACES}, "space")
        facts = {"id": entry} if isinstance(entry, str) else entry
        _known(facts, {"id", "up"}, word)
        node = _number(facts.get("id"), t.NODE, "node")
        _once(node, used, t.NODE_IDS)
        (g.shown if facts.get("up", False) else g.down)[place] = node
    for key, name in NODE_LISTS.items():
        numbers = [_number(word, t.NODE, "node") for word in position.get(key, ())]
        for node in numbers:
            _once(node, used, t.NODE_IDS)
        setattr(g, name, sorted(numbers))
    rest = [node for node in range(t.NODES) if node not in used]
    if "node_bin" not in position:
        g.node_bin = rest
    elif rest:
        raise BadSetup(f"{t.NODE_IDS[rest[0]]} is nowhere.")


def _counters(g: Board, position: Mapping[str, Any]) -> None:
    used: set[int] = set()
    if g.chopper != NOWHERE:
        used.add(t.COUNTER["ev.downed_helicopter.1"])
    for key, name in COUNTER_LISTS.items():
        numbers = [_number(word, t.COUNTER, "counter") for word in position.get(key, ())]
        for counter in numbers:
            _once(counter, used, t.COUNTER_IDS)
        setattr(g, name, numbers if key in ("drawn", "opfor", "removed") else sorted(numbers))
    rest = [counter for counter in t.REACTION if counter not in used]
    if "reaction_bin" not in position:
        g.bin = rest
    elif rest:
        raise BadSetup(f"{t.COUNTER_IDS[rest[0]]} is nowhere.")


def _once(number: int, used: set[int], ids: Sequence[str]) -> None:
    if number in used:
        raise BadSetup(f"{ids[number]} is in two places.")
    used.add(number)


def _todo(g: Board, position: Mapping[str, Any], steps: Sequence[type[Step]]) -> None:
    known = {step.__name__: step for step in steps}
    if "todo" not in position:
        g.todo[:] = [EndOfScenario(), OpMenu()]
        return
    todo = []
    for entry in position["todo"]:
        if not isinstance(entry, Mapping) or entry.get("step") not in known:
            raise BadSetup(f"{entry!r} is not a step; steps are {', '.join(known)}.")
        fields = {key: value for key, value in entry.items() if key != "step"}
        todo.append(_struct(known[entry["step"]], fields))
    if todo and not g.over and not isinstance(todo[-1], EndOfScenario):
        todo.append(EndOfScenario())
    g.todo[:] = reversed(todo)


_FROM_WORDS: dict[str, Callable[[Any], Any]] = {
    "place": _place,
    "to": _place,
    "goal": _place,
    "lead": lambda word: _number(word, t.UNIT, "unit"),
    "seat": lambda word: t.SEATS.index(_one_of(word, t.SEATS, "seat")),
    "units": lambda words: tuple(_number(word, t.UNIT, "unit") for word in words),
    "arrived": lambda words: tuple(_number(word, t.UNIT, "unit") for word in words),
    "placed": lambda words: tuple(_number(word, t.PLACE, "place") for word in words),
    "mobs": lambda words: tuple((_number(word, t.COUNTER, "counter"), int(n)) for word, n in words.items()),
    "force": lambda words: _struct(Force, words),
    "fight": lambda words: _fight(words),
}


def _fight(words: Mapping[str, Any]) -> Any:
    """A battle whose force is not told is fought by all its units."""
    return _struct(Fight, {"force": {"units": words.get("units", ()), "final": True}, **words})


def _struct(kind: type[msgspec.Struct], words: Mapping[str, Any]) -> Any:
    _known(words, {field.name for field in msgspec.structs.fields(kind)}, kind.__name__)
    values = {key: _FROM_WORDS.get(key, lambda plain: plain)(value) for key, value in words.items()}
    try:
        return msgspec.convert(msgspec.to_builtins(kind(**values)), kind, str_keys=True)
    except (TypeError, msgspec.ValidationError) as error:
        raise BadSetup(f"{kind.__name__} is not complete: {error}.") from error

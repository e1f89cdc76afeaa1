"""Opening states, and positions in the game's own words, both ways.

A position names counters by place (`"24": ["1/8-A", "TK-A spent", "F3 dug"]`), areas under Coalition
control, the tracks, the record of a running impulse, and what is pending (`todo`), each step as its name
and fields. Missing keys take the opening's values; Coalition units not named wait in their Entry Zone,
Militia in the pool, Cadres and Fedayeen are dead.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from games.kernel.errors import BadSetup
from games.kernel.ruleset import Setup, Value
from games.kernel.steps import Step
from games.second_fallujah.board import Board, place_word, relocate
from games.second_fallujah.tables import (
    AREAS,
    CADRE_AREAS,
    CADRES,
    COA,
    COA_UNITS,
    COALITION,
    DEAD,
    DUG,
    F0,
    FRESH,
    HAND,
    HOME,
    ID,
    INS,
    INSURGENT,
    M0,
    N_COA,
    N_FEDAYEEN,
    N_UNITS,
    PLACE_OF,
    PLACES,
    POOL,
    SPENT,
    UNIT,
    UNUSED,
)

FACES = {"spent": SPENT, "fresh": FRESH, "dug": DUG}
FACE_WORDS = {face: word for word, face in FACES.items()}
PLAIN = (
    "turn",
    "impulse",
    "side",
    "phase",
    "backlash",
    "last_pass",
    "resistance",
    "solitaire",
    "iraqi_infantry_supports",
    "att",
    "dfn",
    "phase_roll",
    "riverine_used",
    "acted",
)
# What is pending when a position does not say: the impulse of the side to act.
PENDING = {
    COALITION: ("AfterActionPhase", "EndCoalitionImpulse", "CoalitionImpulse"),
    INSURGENT: ("AfterActionPhase", "EndInsurgentImpulse", "InsurgentImpulse"),
}
_IDS = {name.lower(): unit for name, unit in UNIT.items()}


def empty_board(options: Mapping[str, Value]) -> Board:
    """The map with nothing on it, all of it under insurgent control."""
    return Board(
        todo=[],
        where=[DEAD] * N_UNITS,
        mode=[FRESH] * N_UNITS,
        coa=[()] * PLACES,
        ins=[()] * PLACES,
        control=[INS] * (AREAS[-1] + 1),
        solitaire=bool(options.get("solitaire", False)),
        iraqi_infantry_supports=bool(options.get("iraqi_infantry_supports", False)),
    )


def opening(setup: Setup) -> Board:
    """11.1, before the Fedayeen are placed."""
    g = empty_board(setup.options)
    for unit in COA_UNITS:
        relocate(g, unit, HOME[unit])
    for unit, area in zip(CADRES, CADRE_AREAS, strict=True):
        relocate(g, unit, area)
    for unit in range(F0, M0):
        g.where[unit] = HAND if not g.solitaire and unit < F0 + N_FEDAYEEN else UNUSED
    for unit in range(M0, N_UNITS):
        g.where[unit] = POOL
    return g


# --- out ---------------------------------------------------------------------------------------------


def describe_position(g: Board) -> dict[str, Any]:
    units: dict[str, list[str]] = {}
    for unit in range(N_UNITS):
        if unit >= M0 and g.where[unit] == POOL:
            continue
        face = "" if g.mode[unit] == FRESH else f" {FACE_WORDS[g.mode[unit]]}"
        units.setdefault(place_word(g.where[unit]), []).append(ID[unit] + face)
    position: dict[str, Any] = {name: getattr(g, name) for name in PLAIN}
    position |= {
        "control": {COALITION: [area for area in AREAS if g.control[area] == COA]},
        "units": units,
        "riverine": FACE_WORDS[g.riverine],
        "advantage": {"owner": g.owner, "available": g.available},
        "running": _running(g),
        "todo": [_describe_step(step) for step in g.todo],
    }
    return position


def _running(g: Board) -> dict[str, Any]:
    """The record of the impulse, with nothing in it between impulses."""
    record: dict[str, Any] = {}
    if g.origin:
        record["origin"] = place_word(g.origin)
    if g.mp:
        record["mp"] = {ID[unit]: points for unit, points in g.mp.items()}
    if g.entered:
        record["entered"] = {
            ID[unit]: {"area": area, "from": place_word(origin), "mp": points}
            for unit, (area, origin, points) in g.entered.items()
        }
    if g.entry:
        record["entry"] = {
            str(area): {"before": before, "cost": cost, "ambush": ambush}
            for area, (before, cost, ambush) in g.entry.items()
        }
    if g.fought:
        record["fought"] = {
            str(area): {"overrun": overrun, "cost": cost, "by": [ID[unit] for unit in force]}
            for area, (overrun, cost, force) in g.fought.items()
        }
    for name in ("reacted", "contested"):
        if getattr(g, name):
            record[name] = list(getattr(g, name))
    for name in ("finished", "zone_used"):
        if getattr(g, name):
            record[name] = [ID[unit] for unit in getattr(g, name)]
    if g.first_area:
        record["first_area"] = g.first_area
    return record


def _describe_step(step: Step) -> dict[str, Any]:
    said: dict[str, Any] = {"step": type(step).__name__}
    units = getattr(step, "unit_fields", ())
    for field in msgspec.structs.fields(step):
        value = getattr(step, field.name)
        if field.name in units:
            value = [ID[unit] for unit in value] if isinstance(value, tuple) else ID[value] if value >= 0 else None
        said[field.name] = value
    return said


# --- in ----------------------------------------------------------------------------------------------


class PositionReader:
    """Builds a board from a position; every mistake is a sentence."""

    def __init__(self, position: Mapping[str, Any], setup: Setup, steps: Iterable[type[Step]]) -> None:
        self.position = dict(position)
        self.setup = setup
        self.steps = {step.__name__: step for step in steps}

    def board(self) -> Board:
        position = self.position
        known = {*PLAIN, "control", "units", "riverine", "advantage", "running", "todo"}
        for key in position:
            if key not in known:
                raise BadSetup(f"A position has no {key!r}; it has {', '.join(sorted(known))}.")
        g = empty_board(self.setup.options)
        self._plain(g)
        self._units(g)
        for area in self._mapping(position.get("control", {})).get(COALITION, ()):
            g.control[self._area(area)] = COA
        g.riverine = self._one_of(position.get("riverine", "fresh"), FACES, "riverine")
        advantage = self._mapping(position.get("advantage", {}))
        g.owner = str(advantage.get("owner", COALITION))
        g.available = bool(advantage.get("available", True))
        self._run(g, self._mapping(position.get("running", {})))
        pending = position["todo"] if "todo" in position else PENDING[g.side]
        g.todo = [self._step(raw) for raw in pending]
        return g

    def _plain(self, g: Board) -> None:
        types = {field.name: field.type for field in msgspec.structs.fields(Board)}
        g.phase = "action"
        for name in PLAIN:
            if name in self.position:
                value = self.position[name]
                if type(value) is not types[name]:
                    raise BadSetup(f"{name} cannot be {value!r}.")
                setattr(g, name, value)
        if g.side not in (COALITION, INSURGENT):
            raise BadSetup(f"side is {COALITION} or {INSURGENT}, not {g.side!r}.")

    def _units(self, g: Board) -> None:
        named: set[int] = set()
        for where, counters in self._mapping(self.position.get("units", {})).items():
            place = self._place(where)
            for words in counters:
                name, _, face = str(words).partition(" ")
                unit = self._unit(name)
                if unit in named:
                    raise BadSetup(f"{ID[unit]} is in two places.")
                named.add(unit)
                g.mode[unit] = self._one_of(face or "fresh", FACES, f"the face of {ID[unit]}")
                relocate(g, unit, place)
        for unit in range(N_UNITS):
            if unit not in named:
                relocate(g, unit, HOME[unit] if unit < N_COA else POOL if unit >= M0 else DEAD)

    def _run(self, g: Board, running: Mapping[str, Any]) -> None:
        g.origin = self._place(running["origin"]) if "origin" in running else 0
        g.mp = {self._unit(name): int(points) for name, points in running.get("mp", {}).items()}
        g.entered = {
            self._unit(name): (self._area(said["area"]), self._place(said["from"]), int(said["mp"]))
            for name, said in running.get("entered", {}).items()
        }
        g.entry = {
            self._area(area): (int(said["before"]), int(said["cost"]), bool(said["ambush"]))
            for area, said in running.get("entry", {}).items()
        }
        g.fought = {
            self._area(area): (bool(said["overrun"]), int(said["cost"]), self._group(said["by"]))
            for area, said in running.get("fought", {}).items()
        }
        g.reacted = tuple(self._area(area) for area in running.get("reacted", ()))
        g.contested = tuple(self._area(area) for area in running.get("contested", ()))
        g.finished = self._group(running.get("finished", ()))
        g.zone_used = self._group(running.get("zone_used", ()))
        g.first_area = self._area(running["first_area"]) if "first_area" in running else 0

    def _step(self, raw: Any) -> Step:
        said: dict[str, Any] = {"step": raw} if isinstance(raw, str) else dict(self._mapping(raw))
        name = str(said.pop("step", ""))
        step = self.steps.get(name)
        if step is None:
            raise BadSetup(f"There is no step {name!r}; there are {', '.join(sorted(self.steps))}.")
        for field in getattr(step, "unit_fields", ()):
            if field in said:
                said[field] = self._units_of(said[field])
        try:
            values = []
            for known in msgspec.structs.fields(step):
                value = said.pop(known.name) if known.name in said else known.default
                values.append(msgspec.convert(value, known.type))
        except msgspec.ValidationError as error:
            raise BadSetup(f"{name} lacks or mistakes {known.name}: {error}.") from error
        if said:
            raise BadSetup(f"{name} has no {next(iter(said))}.")
        return step(*values)

    def _units_of(self, value: Any) -> int | tuple[int, ...]:
        if value is None:
            return -1
        return self._unit(value) if isinstance(value, str) else self._group(value)

    def _group(self, names: Iterable[str]) -> tuple[int, ...]:
        return tuple(self._unit(name) for name in names)

    def _unit(self, name: object) -> int:
        return self._one_of(name, _IDS, "a unit")

    def _area(self, word: object) -> int:
        place = self._place(word)
        if place > AREAS[-1]:
            raise BadSetup(f"{word} is not an area.")
        return place

    def _place(self, word: object) -> int:
        text = str(word).lower()
        if text.isdigit() and int(text) in AREAS:
            return int(text)
        return self._one_of(text, PLACE_OF, "a place")

    @staticmethod
    def _one_of(word: object, known: Mapping[str, int], what: str) -> int:
        found = known.get(str(word).lower())
        if found is None:
            raise BadSetup(f"{word!r} is not {what}.")
        return found

    @staticmethod
    def _mapping(value: Any) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise BadSetup(f"{value!r} should be an object.")
        return value

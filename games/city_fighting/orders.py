"""Orders as people type them: canonical notation, names, shorthands, guards and standing orders."""

import fnmatch
import operator
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from games.city_fighting import tables as t
from games.city_fighting.board import Board, controls, ground_in, is_node_space, units_in
from games.city_fighting.movement import Fly, Move
from games.kernel.errors import Ambiguous, IllegalAction, Unreadable
from games.kernel.notation import listed, plain_key
from games.kernel.ruleset import Read
from games.kernel.steps import Action, legal, nearest, question
from games.kernel.table import News, Seat

VERBS = (
    *("buy", "done", "j1", "j2", "j3", "j4", "j5", "idle", "end", "pass", "isr", "take", "form", "go", "infil"),
    *("water", "air", "base", "stop", "lead", "netwar", "no", "strike", "hit", "continue", "withdraw", "evac"),
    *("leader", "commit", "netops", "force", "interdict", "battle", "recruit", "move", "fly", "attack", "refit"),
    *("bridge", "fob", "strikes"),
)
DECISIONS = {
    "lead": "ChooseLead",
    "netwar": "ChooseNetwar",
    "strikes": "ChooseStrikes",
    "hit": "TakeHits",
    "round": "StandOrWithdraw",
    "withdrawal": "Withdraw",
    "leader": "AwardLeader",
}
_FACTS = frozenset(
    {"area", "space", "terrain", "round", "steps", "enemies", "best_contact", "strongpoint", "civilians", "ops"}
    | {"morale", "netwars"}
)
FACTS = {
    "lead": _FACTS,
    "netwar": _FACTS,
    "strikes": _FACTS | {"edge"},
    "hit": _FACTS | {"hits"},
    "round": _FACTS,
}
_SYNONYMS = {"recruit": "buy", "move": "go", "fly": "air", "attack": "j3", "sail": "water", "infiltrate": "infil"}
_JOIN = {"buy": "at", "leader": "to"}
_FILLERS = frozenset({"at", "to", "with", "into", "from", "by"})


def say(action: Action) -> str:
    """`buy usmc.inf.2-1 at N`, `leader leader.A to usmc.inf.2-1`; the rest is the words in order."""
    words = [str(word) for word in action]
    if len(words) == 3 and words[0] in _JOIN and words[2] != "none":
        words.insert(2, _JOIN[words[0]])
    return " ".join(words)


# --- one typed order as atomic ones --------------------------------------------------------------------

_INNER = frozenset(
    {"buy", "take", "form", "go", "infil", "water", "stop", "lead", "netwar", "no", "strike", "hit", "continue"}
    | {"done", "isr", "commit", "withdraw", "force", "evac", "move", "fly", "sail"}
)
_IDISH = re.compile(r".*[\d.*].*")
_PLACE_WORD = re.compile(r"^(?:\d-\d{1,2}|[nsew])$", re.IGNORECASE)
_MARKER_WORDS = frozenset({"air", "arty", "soa", "netwar", "intel"})


def expand(text: str) -> list[str]:
    words = [word for word in re.split(r"[\s,+]+", text.strip()) if word and word.lower() != "and"]
    if not words:
        return [text]
    segments: list[list[str]] = [[words[0]]]
    for number, word in enumerate(words[1:], 1):
        low = word.lower()
        verb = segments[-1][0].lower()
        following = words[number + 1] if number + 1 < len(words) else ""
        starts = low in _INNER and not (low == "netwar" and verb in ("buy", "commit", "recruit"))
        if low in ("air", "base") and _PLACE_WORD.match(following) and verb not in ("buy", "recruit"):
            starts = True
        if starts:
            segments.append([word])
        else:
            segments[-1].append(word)
    if segments[0][0].lower() == "battle":
        return _battle(segments[1:])
    return [line for segment in segments for line in _spread(segment)]


def _battle(segments: list[list[str]]) -> list[str]:
    """The whole first half of a round: lead, NetWar or none, strikes, done."""
    found = {segment[0].lower(): segment for segment in segments}
    lines = _spread(found["lead"]) if "lead" in found else []
    lines.append(" ".join(found["netwar"]) if "netwar" in found else "no")
    lines += _spread(found["strike"]) if "strike" in found else []
    return [*lines, "done"]


def _spread(segment: list[str]) -> list[str]:
    """`buy a b at N` is two orders, `go 2-3>2-4` two steps, `withdraw 2-3 all` a whole withdrawal."""
    verb, rest = segment[0].lower(), segment[1:]
    if verb == "end" and [word.lower() for word in rest] == ["game"]:
        return ["end"]
    if verb in ("strike", "strikes") and [word.lower() for word in rest] == ["none"]:
        return ["done"]
    if verb in ("buy", "recruit"):
        return _spread_purchase(segment[0], rest)
    if verb in ("go", "move"):
        places = [place for word in rest for place in word.split(">") if place]
        if places and (len(places) > len(rest) or all(_PLACE_WORD.match(place) for place in places)):
            return [f"go {place}" for place in places]
    if verb == "withdraw" and len(rest) > 1 and _PLACE_WORD.match(rest[0]):
        return [f"withdraw {rest[0]}", *(f"take {word}" for word in rest[1:]), "done"]
    if verb in ("take", "hit", "strike", "isr", "commit") and len(rest) > 1 and _is_list(rest):
        return [f"{verb} {word}" for word in rest]
    return [" ".join(segment)]


def _spread_purchase(verb: str, rest: list[str]) -> list[str]:
    low = [word.lower() for word in rest]
    if "at" in low:
        split = low.index("at")
        items, place = rest[:split], " at " + " ".join(rest[split + 1 :])
    else:
        items, place = rest, ""
        if len(rest) > 1 and rest[-1].lower() in "nsew":
            items, place = rest[:-1], f" at {rest[-1]}"
    if len(items) > 1 and _is_list(items):
        return [f"{verb} {item}{place}" for item in items]
    return [f"{verb} {' '.join(items)}{place}".strip()]


def _is_list(words: Sequence[str]) -> bool:
    return all(_IDISH.match(word) or word.lower() in _MARKER_WORDS for word in words)


# --- one atomic order in the present position ----------------------------------------------------------

_CANONICAL: dict[Action, tuple[str, ...]] = {}


def read(g: Board, seat: Seat, text: str) -> Read:
    options = legal(g, seat)
    words = text.split()
    folded = tuple(word.lower() for word in words if word.lower() not in _FILLERS)
    for option in options:
        line = _CANONICAL.get(option)
        if line is None:
            line = _CANONICAL[option] = tuple(str(word).lower() for word in option)
        if line == folded:
            return Read(option)
    if not folded:
        raise Unreadable("There is no order in this text.")
    verb = _SYNONYMS.get(folded[0], folded[0])
    verb, folded = _shortcuts(verb, folded)
    if verb not in VERBS:
        near = nearest(text, [say(option) for option in options])
        raise Unreadable(f"{text!r} is not an order of City Fighting; try {', '.join(near)}.", nearest=near)
    fitting = [option for option in options if option[0] == verb]
    if not fitting:
        note = _passed_over(g, verb, folded[1:])
        if note:
            return Read(None, note=note)
        raise _refusal(text, options)
    return _choose(g, text, verb, list(folded[1:]), fitting, options)


def _shortcuts(verb: str, folded: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """`refit N` is `j4 refit N`; `end game` is `end`."""
    if verb in ("refit", "bridge", "fob"):
        return "j4", ("j4", *folded)
    if folded == ("end", "game"):
        return "end", ("end",)
    return verb, folded


def _refusal(text: str, options: Sequence[Action]) -> IllegalAction:
    near = nearest(text, [say(option) for option in options])
    return IllegalAction(f"{text}: not possible now; try {', '.join(near)}.", nearest=near)


def _passed_over(g: Board, verb: str, rest: Sequence[str]) -> str:
    """An order that only repeats what has already happened by itself."""
    if verb in ("done", "stop", "continue"):
        return "nothing was left to choose"
    if verb == "no" and g.lead >= 0:
        return "no NetWar could be used"
    if verb == "lead" and g.lead >= 0 and (list(rest) == ["best"] or _names_unit(" ".join(rest), g.lead)):
        return "it led without being asked"
    if verb == "take" and list(rest) == ["all"]:
        return "nobody is left to take"
    force = _force(g) if g.lead < 0 else range(t.UNITS)  # after a battle: a withdrawal that closed by itself
    if verb == "form" and force:
        return "the force was complete"
    if verb == "take" and any(_names_unit(" ".join(rest), unit) for unit in force):
        return "it was taken without being asked"
    if verb in ("go", "air", "water", "force") and " ".join(rest) in _here(g):
        return "it went there without being asked"
    if verb == "hit":
        hurt = [u for u in range(t.UNITS) if g.loc[u] == t.ELIMINATED or g.reduced[u]]
        if g.lead >= 0 and any(_names_unit(" ".join(rest), unit) for unit in hurt):
            return "it was hit without being asked"
    return ""


def _force(g: Board) -> tuple[int, ...]:
    """The units that are on the move, once the force is complete."""
    decision = question(g)
    if isinstance(decision, Move):
        return decision.force.units
    return decision.units if isinstance(decision, Fly) else ()


def _here(g: Board) -> set[str]:
    """Where the force of a battle or of a networked operation is: orders that lead there were carried out."""
    decision = question(g)
    fight = getattr(decision, "fight", None)
    places = [fight.place] if fight is not None else [getattr(decision, name, -1) for name in ("place", "goal")]
    return {word.lower() for place in places if place >= 0 for word in (t.PLACE_IDS[place], t.PLACE_NAMES[place])}


def _names_unit(word: str, unit: int) -> bool:
    return any(_match(word, [t.UNIT_IDS[unit]], test) for test in _TESTS)


def _choose(g: Board, text: str, verb: str, rest: list[str], fitting: list[Action], options: list[Action]) -> Read:
    if rest == ["all"] and verb == "take":
        return Read(fitting[0], again=True)
    if rest == ["best"] and verb == "lead":
        return Read(max(fitting, key=lambda option: _merit(g, str(option[1]))))
    if not rest:
        if verb in ("netwar", "withdraw") or len(fitting) == 1:
            return Read(_likely(fitting))
        raise Unreadable(f"{text}: say which; there are {listed([say(option) for option in fitting])}.")
    width = max(len(option) for option in fitting) - 1
    parts = _parts(rest, width, verb)
    for place, part in enumerate(parts, 1):
        values = list(dict.fromkeys(str(option[place]) for option in fitting if len(option) > place))
        value = _find(part, values, text, options)
        fitting = [option for option in fitting if len(option) > place and str(option[place]) == value]
    fitting = [option for option in fitting if len(option) == len(parts) + 1]
    if len(fitting) != 1:
        raise _refusal(text, options)
    return Read(fitting[0])


def _merit(g: Board, word: str) -> tuple[int, int]:
    unit = t.UNIT[word]
    return t.CONTACT[g.reduced[unit]][unit], -unit


def _likely(fitting: list[Action]) -> Action:
    """For a bare `netwar` the first marker; for a bare `withdraw` a base if there is one, else the first place."""
    bases = [option for option in fitting if option[0] == "withdraw" and option[1] in t.BASE_IDS]
    return bases[0] if bases else fitting[0]


def _parts(rest: list[str], width: int, verb: str) -> list[str]:
    """Words to arguments: a name may have several words where only one thing is named."""
    if width == 1:
        return [" ".join(rest)]
    if verb == "buy" and len(rest) > 2:
        return [" ".join(rest[:-1]), rest[-1]]
    if verb == "j4" and len(rest) > 2:
        return [rest[0], " ".join(rest[1:])]
    return rest[:width]


# --- names ---------------------------------------------------------------------------------------------

_NAMES: dict[str, tuple[str, ...]] = {}
for _ids, _names in (
    (t.PLACE_IDS, t.PLACE_NAMES),
    (t.UNIT_IDS, t.UNIT_NAMES),
    (t.STRIKE_IDS, t.STRIKE_NAMES),
    (t.COUNTER_IDS, t.COUNTER_NAMES),
):
    _NAMES.update({word.lower(): (word, name) for word, name in zip(_ids, _names, strict=True)})


def _same(name: str, word: str) -> bool:
    return name.lower() == word or plain_key(name) == plain_key(word) != ""


def _suffix(name: str, word: str) -> bool:
    return name.lower().endswith("." + word)


def _pattern(name: str, word: str) -> bool:
    return "*" in word and fnmatch.fnmatchcase(name.lower(), word)


def _prefix(name: str, word: str) -> bool:
    return len(word) > 1 and not word.isdigit() and name.lower().startswith(word)


def _inside(name: str, word: str) -> bool:
    return len(word) > 2 and plain_key(word) in plain_key(name)


_TESTS: tuple[Callable[[str, str], bool], ...] = (_same, _suffix, _pattern, _prefix, _inside)


def _match(word: str, values: Iterable[str], test: Callable[[str, str], bool]) -> list[str]:
    return [value for value in values if any(test(name, word.lower()) for name in _NAMES.get(value.lower(), (value,)))]


def _find(word: str, values: list[str], text: str, options: list[Action]) -> str:
    """Exact id or name, then a unique suffix, a pattern, a beginning, a part; among what can be chosen now."""
    for test in _TESTS:
        hits = _match(word, values, test)
        if hits and (len({_kind(hit) for hit in hits}) == 1 or test is _pattern):
            return hits[0]
        if hits:
            raise Ambiguous(f"{text}: {word} could be {listed(hits)}; which do you mean?", nearest=hits[:9])
    known = [name for test in _TESTS for name in _match(word, _NAMES, test)]
    if not known and word not in t.NETWAR and word not in ("refit", "bridge", "fob", "none"):
        raise Unreadable(f"{text}: there is nothing called {word}; there are {listed(values)}.", nearest=values[:9])
    raise _refusal(text, options)


def _kind(word: str) -> str:
    """Markers of one kind and strength are alike; everything else has a name of its own."""
    if word in t.STRIKE:
        strike = t.STRIKE[word]
        return f"{t.STRIKE_TYPE[strike]} {t.STRIKE_FIREPOWER[strike]}"
    return word.split(".")[0] if word in t.NETWAR or word in t.LEADER else word


# --- guards --------------------------------------------------------------------------------------------

_RESULTS: dict[str, tuple[str, ...]] = {
    "won": ("won",),
    "lost": ("lost",),
    "captured": ("captured", "helicopter-secured"),
    "reduced": ("reduced",),
    "dead": ("eliminated",),
    "placed": ("raid", "raid-seen"),
    "battle": ("battle",),
    "infiltrated": ("infiltrated",),
}
_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
_COMPARISON = re.compile(r"^([\w-]+)\s*(<=|>=|!=|<|>|=)\s*(-?\w+)$")
_FUNCTION = re.compile(r"^([\w-]+)\(([^)]*)\)$")


def holds(g: Board, condition: str, news: Sequence[News]) -> bool:
    """Whether a guard is true: words of the last result, functions of units and places, facts of the question."""
    condition = condition.strip().lower()
    keys = {item.key for item in news}
    if condition in _RESULTS:
        return any(key in keys for key in _RESULTS[condition])
    if condition == "edge":
        return any(item.key == "edge" and item.facts["edge"] == "coalition" for item in news)
    if condition in ("hit", "miss"):
        struck = any(item.key == "fire" and item.facts["hits"] for item in news)
        return struck is (condition == "hit")
    if condition == "empty":
        return "battle" not in keys
    if found := _COMPARISON.match(condition):
        return _compare(g, found)
    if found := _FUNCTION.match(condition):
        return _ask(g, found[1], found[2].strip())
    raise Unreadable(
        f"City Fighting knows no condition {condition!r}; it knows won, lost, captured, edge, hit, miss, reduced, "
        "dead, battle, empty, alive(unit), empty(space), unit(space), control(space), node(space) and facts "
        "such as ops>=5."
    )


def _compare(g: Board, found: re.Match[str]) -> bool:
    decision = question(g)
    facts: dict[str, Any] = {"ops": g.ops, "kia": g.kia, "morale": t.LEVELS[g.morale]}
    if decision is not None:
        facts.update(decision.facts(g))
    if found[1] not in facts:
        raise Unreadable(f"There is no fact {found[1]!r} to compare here; there are {', '.join(sorted(facts))}.")
    fact, wanted = facts[found[1]], found[3]
    value: Any = wanted if isinstance(fact, str) else int(wanted) if re.fullmatch(r"-?\d+", wanted) else None
    if value is None:
        raise Unreadable(f"{found[1]} is a number; {wanted} is not.")
    return _RELATIONS[found[2]](fact, value)


def _ask(g: Board, name: str, word: str) -> bool:
    if name == "alive":
        unit = t.UNIT[_find(word, list(t.UNIT_IDS), f"alive({word})", [])]
        return g.loc[unit] < t.PLACES
    place = t.PLACE[_find(word, list(t.PLACE_IDS), f"{name}({word})", [])]
    if name == "empty":
        return not units_in(g, place)
    if name == "unit":
        return bool(ground_in(g, place))
    if name == "control":
        return controls(g, place, g.contested if g.opfor else -1)
    if name == "node":
        return is_node_space(g, place)
    raise Unreadable(f"There is no question {name}(..); there are alive, empty, unit, control and node.")


# --- standing orders -----------------------------------------------------------------------------------

_WHILE = re.compile(r"^continue while (.+?)(?: else (withdraw.*|ask))?$")


def standing_sugar(text: str) -> list[str] | None:
    """`lead best`, `strikes none`, `hit order ig*, *eng*, *`, `continue while steps>=4 else withdraw`."""
    line = " ".join(text.lower().split())
    fixed = {
        "lead best": ["on lead do lead best"],
        "netwar never": ["on netwar do no"],
        "netwar always": ["on netwar do netwar"],
        "strikes none": ["on strikes do done"],
        "commit no strikes": ["on strikes do done"],
        "continue always": ["on round do continue"],
    }
    if line in fixed:
        return fixed[line]
    if line.startswith("hit order "):
        patterns = [part.strip() for part in line[10:].split(",") if part.strip()]
        return ["on hit do " + "; ".join(f"hit {pattern}" for pattern in patterns)]
    if found := _WHILE.match(line):
        lines = [f"on round if {found[1]} do continue"]
        if found[2] and found[2] != "ask":
            lines += [f"on round do {found[2].removesuffix(' all')}", "on withdrawal do take *; done"]
        return lines
    return None

"""What a person types, as actions: names of squads and places, whole paths, answers given in advance."""

import re
from collections.abc import Sequence

from games.kernel.errors import Ambiguous, IllegalAction, Unreadable
from games.kernel.notation import listed, tidy
from games.kernel.ruleset import Before, Read
from games.kernel.steps import Action, legal, nearest, notation, question
from games.kernel.table import News, Seat
from games.phantom_fury.assault import ExplosivesChoice, FloodChoice
from games.phantom_fury.board import FRESH, OUT, PINNED, Board, unit_words
from games.phantom_fury.movement import DetachChoice, Moving, TankMoving
from games.phantom_fury.phases import PHASES, SEQUENCE, Phase
from games.phantom_fury.suspects import LossChoice
from games.phantom_fury.tables import CAATS, PLACE, PLAYED_ZONES, TANKS, UNIT, UNITS, ZONE

VERBS = (
    "strongpoints", "place", "caat", "assign", "call", "target", "hit", "done", "bomb", "commit", "iif", "fire",
    "move", "detach", "nodetach", "regroup", "withdraw", "stop", "assault", "explosives", "flood", "loss", "pass",
)  # fmt: skip
OTHER_WORDS = {
    "shoot": "fire",
    "attack": "assault",
    "uav": "call uav",
    "cobra": "call cobra",
    "hornet": "call hornet",
    "difficulty": "strongpoints",
    "bring": "commit",
}
_FILLERS = {
    "at",
    "from",
    "to",
    "the",
    "in",
    "into",
    "with",
    "on",
    "squad",
    "zone",
    "zones",
    "and",
    "a",
    "its",
    "street",
    "section",
}
_ANSWERS = {"loss": LossChoice, "explosives": ExplosivesChoice, "flood": FloodChoice, "nodetach": DetachChoice}
_SOFT = "~"  # in front of what an expanded order may leave out when the die has gone against it
_PLACE = re.compile(r"^(\d{1,2})[.\-: ]?(og|c|r|[12](?:''|'|\")?)$", re.IGNORECASE)
_SECTION = re.compile(r"^s-?(\d{1,2})$", re.IGNORECASE)
_MISSIONS = {
    "dragon": "uav", "dragoneye": "uav", "eye": "uav", "drone": "uav", "supercobra": "cobra", "ah-1w": "cobra",
    "helicopter": "cobra", "f/a-18": "hornet", "jet": "hornet", "airstrike": "hornet",
}  # fmt: skip


def unit_name(word: str) -> str | None:
    """`4`, `#4`, `squad4`, `3rd` are `#4`, `#3`; `I2`, `T1`, `tank`, `abrams` as they stand."""
    text = word.lower().lstrip("#")
    if text in ("tank", "abrams", "m1a1"):
        return TANKS[0]
    text = re.sub(r"^(?:squad|sq)", "", text)
    if found := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", text):
        name = f"#{int(found[1])}"
        return name if name in UNIT else None
    if found := re.fullmatch(r"(?:iif)?i?-?(\d)", text):
        text = f"i{found[1]}"
    upper = text.upper()
    return upper if upper in UNIT or upper in TANKS else None


def place_name(word: str) -> str | None:
    """`14.c`, `14-C`, `14C`, `14.1''` and `s8` as the board prints them."""
    if found := _SECTION.match(word):
        name = f"S{int(found[1]):02}"
        return name if name in PLACE else None
    if found := _PLACE.match(word):
        name = f"{int(found[1])}.{found[2].upper()}".replace("''", '"')
        return name if name in PLACE else None
    return None


def _words(text: str) -> list[str]:
    """The words of an order, `14 c` and `squad 4` joined, fillers dropped, verb in its printed form."""
    text = tidy(text).lower().replace(">", " ").replace(",", " ").strip().rstrip(".!")
    raw = text.split()
    if not raw:
        return []
    first = OTHER_WORDS.get(raw[0], raw[0])
    words = first.split()
    for word in raw[1:]:
        storey = len(words) > 2 and words[0] in ("fire", "assault") and re.fullmatch(r"[12](?:''|'|\")?", word)
        if (word in ("og", "c", "r") or storey) and re.fullmatch(r"\d{1,2}", words[-1]) and words[0] != "pass":
            words[-1] = f"{words[-1]}.{word}"
        elif word not in _FILLERS or words[0] in ("loss", "pass", "explosives"):
            words.append(word)
    if words[0] == "no" and words[1:] == ["detach"]:
        return ["nodetach"]
    return words


def expand(text: str) -> list[str]:
    """One typed order as atomic ones: a path as its steps, `iif 3 3 4` as three arrivals."""
    words = _words(text)
    if len(words) > 3 and words[0] == "move":
        return _expand_path(words)
    if words[:1] == ["iif"] and len(words) > 2:
        return [f"iif {zone}" for zone in words[1:]]
    if words[:1] == ["hit"] and len(words) > 2:
        return [f"hit {place}" for place in words[1:]]
    if words[:1] == ["caat"] and len(words) > 2:
        return [f"caat {unit}" for unit in words[1:]]
    if words[:1] == ["place"] and len(words) > 3 and len(words) % 2 == 1:
        return [f"place {words[i]} {words[i + 1]}" for i in range(1, len(words), 2)]
    if words[:2] == ["call", "uav"] and len(words) == 4:
        return ["call uav", f"{_SOFT}target {words[2]} {words[3]}"]
    if words[:2] == ["call", "cobra"] and len(words) > 2:
        return ["call cobra", *(f"{_SOFT}hit {place}" for place in words[2:])]
    if words[:2] == ["call", "hornet"] and len(words) == 3:
        return ["call hornet", f"{_SOFT}bomb {words[2]}"]
    return [text]


def _expand_path(words: list[str]) -> list[str]:
    """`move #12 S08 14.C detach 14.1`: steps, `nodetach` where it is asked, `stop` at the end."""
    unit, *path = words[1:]
    name = unit_name(unit) or unit
    atoms: list[str] = []
    for word in path:
        soft = _SOFT if atoms else ""
        if word in ("detach", "nodetach"):
            atoms.append(f"{soft}{word}{f' {name}' if word == 'detach' else ''}")
        elif word != "stop":
            if atoms and "detach" not in atoms[-1] and name in UNIT:
                atoms.append(f"{_SOFT}nodetach")
            atoms.append(f"{soft}move {name} {word}")
    if name in UNIT and "detach" not in atoms[-1]:
        atoms.append(f"{_SOFT}nodetach")
    return [*atoms, f"{_SOFT}stop {name}"]


def read(g: Board, seat: Seat, text: str) -> Read:
    """One atomic order in the present position."""
    soft = text.startswith(_SOFT)
    text = text.removeprefix(_SOFT)
    options = legal(g, seat)
    words = _words(text)
    if not words:
        raise Unreadable(f"An order is missing; try {listed([notation(option) for option in options[:5]])}.")
    decision = question(g)
    verb = words[0]
    if verb == "pass" and len(words) > 1:
        return _pass_to(g, words, options)
    action = _action(words, options, decision)
    if action is not None and action in options:
        return Read(action)
    if action is not None and (first := _goes_before(action, options, decision)):
        return Read(first, again=True)
    if (guess := _only_target(words, options)) is not None:
        return Read(guess)
    if verb in _ANSWERS and not isinstance(decision, _ANSWERS[verb]):
        return Read(None, note=f"{verb} was not asked")
    if soft and (note := _left_out(words, decision)):
        return Read(None, note=note)
    raise _refusal(g, text, words, options, action)


def read_after(g: Board, seat: Seat, text: str, before: Before | None) -> Read:
    """A `pass` for a phase that has closed by itself is passed over, and never ends the next one."""
    if before is not None and _is_pass(text) and len(text.split()) == 1:
        now = context(g)
        follows = _is_pass(before.text) and now == _after(before.where)
        if now != before.where and not follows:
            return Read(None, note="that phase has closed by itself")
    return read(g, seat, text)


def context(g: Board) -> str:
    return f"{g.turn} {g.phase}"


def _is_pass(text: str) -> bool:
    return text.lower().split()[:1] in (["pass"], ["done"])


def _after(where: str) -> str:
    turn, phase = where.split()
    if phase not in PHASES:
        return ""
    following = SEQUENCE[SEQUENCE.index(phase) + 1]
    return f"{turn} {following}" if following in PHASES else f"{int(turn) + 1} {SEQUENCE[0]}"


def _goes_before(action: Action, options: Sequence[Action], decision: object) -> Action | None:
    """What a person leaves out: the Abrams' die, `nodetach` before going on, `stop` before another unit."""
    if action[0] == "move" and action[:2] in options:
        return action[:2]
    if isinstance(decision, DetachChoice) and action[:2] == ("move", UNITS[decision.unit]):
        return ("nodetach",)
    if isinstance(decision, Moving | TankMoving):
        unit = UNITS[decision.unit] if isinstance(decision, Moving) else TANKS[decision.tank]
        other = action[0] == "pass" or (action[0] in ("move", "detach", "regroup", "withdraw") and action[1] != unit)
        if other and ("stop", unit) in options:
            return ("stop", unit)
    return None


def _only_target(words: list[str], options: Sequence[Action]) -> Action | None:
    """`fire 4 15`: a zone alone will do where it holds one target."""
    if (
        words[0] not in ("fire", "assault")
        or not words[2:3]
        or not words[2].isdigit()
        or words[3:] not in ([], ["caat"])
    ):
        return None
    unit = unit_name(words[1])
    found = [
        option
        for option in options
        if option[:2] == (words[0], unit)
        and str(option[2]).startswith(f"{int(words[2])}.")
        and (len(option) == 4) == (words[3:] == ["caat"])
    ]
    if len(found) > 1:
        lines = [notation(option) for option in found]
        raise Ambiguous(f"{' '.join(words)}: which Location of zone {words[2]}, {listed(lines)}?", nearest=lines[:5])
    return found[0] if found else None


def _pass_to(g: Board, words: list[str], options: Sequence[Action]) -> Read:
    """`pass to assault`: pass until that phase, stopping at any other question."""
    goal = {"reinforcements": "reinforce", "movement": "move", "combat": "fire"}.get(words[-1], words[-1])
    decision = question(g)
    if words[1:-1] not in ([], ["to"], ["the"], ["to", "the"]) or goal not in PHASES:
        raise Unreadable(f"{' '.join(words)!r}: words are left over after pass; write pass, or pass to assault.")
    if isinstance(decision, Moving | TankMoving) and (first := _goes_before(("pass",), options, decision)):
        return Read(first, again=True)
    if not isinstance(decision, Phase):
        raise IllegalAction(f"{' '.join(words)}: another question must be answered first.")
    if g.phase == goal:
        return Read(None, note=f"this is the {goal} phase")
    if ("pass",) not in options:
        raise IllegalAction(f"{' '.join(words)}: a squad must move before the phase can end (12.2); see the list.")
    return Read(("pass",), again=True)


def _left_out(words: list[str], decision: object) -> str:
    """Why a part of an expanded order no longer applies, or nothing if it should."""
    if words[0] in ("target", "hit", "bomb"):
        return "" if type(decision).__name__ in ("DragonEye", "Cobra", "Hornet") else "the mission did not come"
    name = unit_name(words[1]) if len(words) > 1 else None
    if name in TANKS:
        moving = isinstance(decision, TankMoving) and TANKS[decision.tank] == name
    elif name in UNIT:
        moving = isinstance(decision, Moving) and UNITS[decision.unit] == name
        moving = moving or (isinstance(decision, DetachChoice) and UNITS[decision.unit] == name)
    else:
        return ""
    if moving or isinstance(decision, LossChoice):
        return ""
    return f"{name} has ended its move"


def _action(words: list[str], options: Sequence[Action], decision: object) -> Action | None:
    """The action these words mean, legal or not; None if they mean none."""
    verb, args = words[0], words[1:]
    if verb == "done":
        return ("done",) if ("done",) in options else ("pass",) if not args else None
    if verb == "pass":
        return ("pass",) if ("pass",) in options or ("done",) not in options else ("done",)
    if verb in ("explosives", "flood") and len(args) <= 1:
        answer = args[0] if args else "yes"
        return (verb, {"y": "yes", "n": "no"}.get(answer, answer))
    if verb == "loss" and len(args) >= 1:
        word = args[-1]
        return (verb, "caat" if word == "caat" or word.upper() in CAATS else "squad" if word == "squad" else word)
    if verb == "nodetach":
        return ("nodetach",)
    if verb == "detach" and not args and isinstance(decision, DetachChoice | Moving):
        return ("detach", UNITS[decision.unit])
    if verb == "stop" and not args and isinstance(decision, Moving):
        return ("stop", UNITS[decision.unit])
    if verb == "stop" and not args and isinstance(decision, TankMoving):
        return ("stop", TANKS[decision.tank])
    return _with_names(verb, args)


def _with_names(verb: str, args: list[str]) -> Action | None:
    numbers = [int(word) for word in args if word.isdigit()]
    if verb in ("strongpoints", "bomb", "iif") and len(args) == len(numbers) == 1:
        return (verb, numbers[0])
    if verb == "target" and len(args) == len(numbers) == 2:
        return (verb, *sorted(numbers))
    if verb == "call" and len(args) == 1:
        return (verb, _MISSIONS.get(args[0], args[0]))
    if verb == "hit" and len(args) == 1:
        return (verb, place_name(args[0]) or args[0])
    if not args:
        return None
    unit = unit_name(args[0])
    if unit is None:
        return None
    rest = args[1:]
    if verb in ("caat", "detach", "regroup", "withdraw", "stop") or (verb == "move" and not rest):
        return (verb, unit) if not rest else None
    if verb == "place" and len(rest) == 1 and rest[0].isdigit():
        return (verb, unit, int(rest[0]))
    if verb == "assign" and len(rest) == 1:
        return (verb, unit, rest[0] if rest[0].startswith("plt") else f"plt{rest[0].removeprefix('platoon')}")
    if verb == "commit" and len(rest) == 1:
        if rest[0].isdigit():
            return (verb, unit, int(rest[0]))
        return (verb, unit, place_name(rest[0]) or rest[0])
    if verb in ("move", "assault") and len(rest) == 1:
        return (verb, unit, place_name(rest[0]) or rest[0])
    if verb == "fire" and len(rest) in (1, 2):
        place = place_name(rest[0]) or rest[0]
        return (verb, unit, place) if len(rest) == 1 else (verb, unit, place, "caat" if rest[1] == "caat" else rest[1])
    return None


def _refusal(g: Board, text: str, words: list[str], options: Sequence[Action], action: Action | None) -> Exception:
    lines = [notation(option) for option in options]
    verb = words[0]
    near = nearest(notation(action) if action else text, lines)
    if verb not in VERBS:
        return Unreadable(f"{text!r} is not an order of Phantom Fury; try {listed(near)}.", nearest=near)
    if action is None:
        return Unreadable(f"{text!r} does not name what {verb} needs; try {listed(near)}.", nearest=near)
    return IllegalAction(f"{text}: {_why(g, action)}; try {listed(near)}.", nearest=near)


def _why(g: Board, action: Action) -> str:
    """The plainest reason an action is not on the list."""
    decision = question(g)
    if not isinstance(decision, Phase):
        return "another question must be answered first"
    verb = str(action[0])
    if verb in PHASES and verb != g.phase:
        return f"this is the {g.phase} phase"
    if len(action) > 1 and action[1] in UNIT:
        unit = UNIT[str(action[1])]
        if g.where[unit] == OUT:
            return f"{action[1]} is out of the game"
        if g.status[unit] == PINNED and verb in ("fire", "move", "assault"):
            return f"{action[1]} is Pinned (11.5)"
        if g.status[unit] != FRESH and verb in ("fire", "move", "assault"):
            return f"{action[1]} has fired (11.3)"
        if verb == "move" and g.moved[unit]:
            return f"{action[1]} has moved (12.1)"
        if verb == "assault" and g.assaulted[unit]:
            return f"{action[1]} has assaulted (R22)"
        if verb == "fire" and g.where[unit] >= 0 and not g.usmc >> ZONE[g.where[unit]] & 1:
            return f"{action[1]} is not in a zone under USMC control (11.1)"
    return "not possible now"


# --- guards -----------------------------------------------------------------------------------------------------------

_LAST = {
    "pinned": {"pinned"},
    "reduced": {"reduced"},
    "dead": {"eliminated"},
    "lost": {"reduced", "eliminated", "caat-lost"},
    "killed": {"killed"},
    "revealed": {"revealed"},
    "dummy": {"dummy"},
    "sniper": {"sniper"},
    "ied": {"ied"},
    "event": {"event"},
    "fled": {"fled", "left-map"},
    "flooding": {"flooding"},
    "postponed": {"mission-failed"},
}
_SAME = {
    "step lost": "lost", "step loss": "lost", "step-lost": "lost", "step-loss": "lost", "loss": "lost",
    "eliminated": "dead", "failed": "postponed", "wounded": "lost", "found": "revealed",
}  # fmt: skip
_CALL = re.compile(r"^([\w-]+)\s*\(\s*(.+?)\s*\)$")


def holds(g: Board, condition: str, news: Sequence[News]) -> bool:
    """Whether a guard is true: a word of the last result, or a question about a unit or place."""
    text = condition.strip().lower()
    text = _SAME.get(text, text)
    if text in _LAST:
        return any(item.key in _LAST[text] for item in news)
    if text in ("hit", "miss"):
        shots = [item for item in news if "hit" in item.facts]
        return any(bool(item.facts["hit"]) == (text == "hit") for item in shots)
    if found := _CALL.match(text):
        return _true_of(g, found[1], found[2])
    if found := re.fullmatch(r"(vp|turn|zones)\s*(<=|>=|!=|<|>|=)\s*(-?\d+)", text):
        value = {"vp": g.vp, "turn": g.turn, "zones": g.usmc.bit_count()}[found[1]]
        other = int(found[3])
        return {
            "<": value < other,
            "<=": value <= other,
            "=": value == other,
            "!=": value != other,
            ">=": value >= other,
            ">": value > other,
        }[found[2]]
    raise Unreadable(
        f"Phantom Fury knows no condition {condition!r}; it knows {listed(sorted(_LAST)[:8])}, "
        "alive(#4), pinned(#4), suspect(14.1), unit(14.1), empty(14.1), control(14), vp < 0."
    )


def _true_of(g: Board, word: str, name: str) -> bool:
    if word in ("alive", "fresh", "pinned", "reduced", "fired", "moved", "hero", "caat", "dead"):
        unit = unit_name(name)
        if unit not in UNIT:
            raise Unreadable(f"{word}({name}): there is no squad {name}.")
        number = UNIT[unit]
        alive = g.where[number] != OUT
        return {
            "alive": alive,
            "dead": not alive,
            "fresh": alive and g.status[number] == FRESH,
            "fired": g.status[number] == 1,
            "pinned": g.status[number] == PINNED,
            "reduced": alive and bool(g.reduced[number]),
            "moved": bool(g.moved[number]),
            "hero": bool(g.hero[number]),
            "caat": bool(g.caat[number]),
        }[word]
    if word in ("control", "clear", "fortified", "activated") and name.isdigit() and int(name) in PLAYED_ZONES:
        bits = {"control": g.usmc, "clear": ~g.foe, "fortified": g.fortified, "activated": g.activated}[word]
        return bool(bits >> int(name) & 1)
    if word in ("empty", "unit", "suspect", "guerillas", "martyrs"):
        if word == "empty" and name.isdigit() and int(name) in PLAYED_ZONES:
            return not g.foe >> int(name) & 1
        place = place_name(name)
        if place is None:
            raise Unreadable(f"{word}({name}): there is no Location {name}.")
        code = g.things.get(PLACE[place], 0)
        return {
            "empty": code == 0,
            "unit": code > 0,
            "suspect": code < 0,
            "guerillas": code > 0 and unit_words(code)[0] == "G",
            "martyrs": code > 0 and unit_words(code)[0] == "M",
        }[word]
    raise Unreadable(f"Phantom Fury knows no condition {word}({name}).")


# --- standing orders ----------------------------------------------------------------------------------------------

DECISIONS = {
    "phase": "Phase",
    "loss": "LossChoice",
    "detach": "DetachChoice",
    "flood": "FloodChoice",
    "explosives": "ExplosivesChoice",
    "support": "SupportPhase",
    "reinforce": "ReinforcePhase",
    "fire": "FirePhase",
    "move": "MovePhase",
    "assault": "AssaultPhase",
}
_SUGAR = {
    "loss prefer caat": ["on loss do loss caat"],
    "loss prefer squad": ["on loss do loss squad"],
    "detach always": ["on detach do detach"],
    "detach never": ["on detach do nodetach"],
    "flood always": ["on flood do flood yes"],
    "flood never": ["on flood do flood no"],
    "explosives always": ["on explosives do explosives yes"],
    "explosives never": ["on explosives do explosives no"],
    "detach ask": [],
    "flood ask": [],
    "explosives ask": [],
    "loss ask": [],
}


_PHASE_FACTS = frozenset({"name", "acts", "turn", "vp"})
_UNIT_FACTS = frozenset({"unit", "zone", "area", "cf", "reduced", "turn"})
FACTS = {
    **{word: _PHASE_FACTS for word, kind in DECISIONS.items() if word in PHASES or kind == "Phase"},
    "loss": _UNIT_FACTS | {"caat", "ammo", "charge", "vp"},
    "detach": _UNIT_FACTS | {"enemies", "mp"},
    "explosives": _UNIT_FACTS | {"target", "martyrs", "fortified", "kind"},
}


def standing_sugar(text: str) -> list[str] | None:
    """`loss prefer caat`, `detach always`, `autopass`, `autopass support`."""
    words = " ".join(text.lower().split()).replace("auto-pass", "autopass")
    if words in _SUGAR:
        return list(_SUGAR[words])
    if words == "autopass":
        return ["on phase if acts = 0 do pass"]
    if words.startswith("autopass ") and words.split()[1] in PHASES:
        return [f"on {words.split()[1]} do pass"]
    return None


def gone(g: Board, text: str) -> str:
    """A squad of either side that was eliminated, named in full (`#4`): none comes back."""
    named = (name for word in re.split(r"[\s,+]+", text) for name in UNIT if name.lower() == word.lower())
    return next((name for name in named if g.where[UNIT[name]] == OUT), "")


__all__ = ["DECISIONS", "VERBS", "context", "expand", "gone", "holds", "read", "read_after", "standing_sugar"]

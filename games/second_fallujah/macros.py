"""Typed orders taken apart: `go 1/8-A+TK-A 24>26` is two picks and two steps. No look at the game."""

import re
from collections.abc import Callable

from games.kernel.notation import tidy

VERBS: tuple[str, ...] = (
    *("put", "unput", "area", "zone", "fire", "org", "pass", "done", "pick", "drop", "step", "go", "move", "send"),
    *("attack", "join", "unjoin", "river", "lead", "roll", "with", "withdraw", "stay", "strike", "dig", "undig"),
    *("r", "react", "retreat", "militia", "deflead", "adv", "reroll", "no", "cp", "flip", "keep", "rg", "regroup"),
    *("organize", "organise"),
)
_SAME = {"move": "go", "send": "go", "react": "r", "regroup": "rg", "organize": "org", "organise": "org"}
_PHONETIC = {
    "alpha": "A",
    "bravo": "B",
    "charlie": "C",
    "india": "I",
    "kilo": "K",
    "lima": "L",
    "weapons": "W",
    "wpns": "W",
}
_COMPANY = re.compile(rf"\b({'|'.join(_PHONETIC)})\s+(?:company\s+)?(\d+/\d+)\b")
_OPENS = re.compile(r"^(zone|area)\s+(.+?)[\s:]+((?:go|move|send|pick|attack|strike|dig|undig)\b.*)$")
_MANY = re.compile(r"^(\d)([fcm][!-]?@\S+)$")
_ONE_BY_ONE = ("pick", "join", "unjoin", "withdraw", "strike", "dig", "undig", "keep", "flip")


def expand(text: str) -> list[str]:
    """One typed order as atomic order texts."""
    line = " ".join(tidy(text).lower().split())
    line = _COMPANY.sub(lambda found: f"{found[2]}-{_PHONETIC[found[1]].lower()}", line)
    if opens := _OPENS.match(line):
        return [f"{opens[1]} {opens[2]}", *expand(opens[3])]
    verb, _, rest = line.partition(" ")
    verb = {"move": "go", "send": "go", "react": "r", "regroup": "rg", "organize": "org", "organise": "org"}.get(
        verb, verb
    )
    if verb in _ONE_BY_ONE and rest:
        return [f"{verb} {unit}" for unit in units_of(rest)]
    special = _SPECIAL.get(verb)
    return special(rest) if special else [f"{verb} {rest}".strip()]


def units_of(words: str) -> list[str]:
    """`1/8-A+TK-A, 2M@45` -> the single names; `2M@45` counts twice."""
    found: list[str] = []
    for word in re.split(r"[\s,+&]+", words):
        if many := _MANY.match(word):
            found += [many[2]] * int(many[1])
        elif word and word not in ("and", "with", "units"):
            found.append(word)
    return found


def _go(rest: str) -> list[str]:
    rest = re.sub(r"\s*>\s*", ">", rest)
    units, to, path = rest.partition(" to ")
    if not to:
        units, _, path = rest.rpartition(" ")
    return [
        "drop",
        *(f"pick {unit}" for unit in units_of(units)),
        *(f"step {area.strip()}" for area in path.split(">")),
    ]


_ATTACK = re.compile(
    r"^(?P<area>.*?)(?:\s*\blead\s+(?P<lead>\S+))?(?:\s+with\s+(?P<units>.+?))?(?P<river>\s+river(?:ine)?)?(?P<roll>\s+roll)?$"
)


def _attack(rest: str) -> list[str]:
    found = _ATTACK.match(rest)
    assert found is not None
    orders = [f"attack {found['area']}".strip()]
    orders += [f"join {unit}" for unit in units_of(found["units"] or "")]
    if found["river"]:
        orders.append("river")
    if found["lead"]:
        orders += [f"lead {found['lead']}", "roll"]
    elif found["roll"]:
        orders.append("roll")
    return orders


def _put(rest: str, verb: str = "put") -> list[str]:
    found = re.match(r"^(?:(\d)\s*)?f(?:edayeen)?\s+(?:in\s+|each\s+)*(.+)$", rest)
    count, places = (int(found[1] or 1), found[2]) if found else (1, rest)
    words = units_of(places)
    if not all(word.isdigit() for word in words):
        words = [" ".join(words)]
    return [f"{verb} f {area}" for area in words for _ in range(count)]


def _cp(rest: str) -> list[str]:
    words = units_of(rest)
    if words in (["done"], ["bot"], []):
        return [f"cp {rest}".strip()]
    orders: list[str] = []
    at = 0
    while at < len(words):
        unit, at = words[at], at + 1
        outcome = words[at] if at < len(words) else ""
        if outcome == "retreat":
            to = words[at + 1] if at + 1 < len(words) else ""
            place = to if to.isdigit() or to in ("none", "any") else ""
            orders.append(f"cp {unit} retreat {place}".strip())
            at += 2 if place else 1
        elif outcome in ("spent", "flip", "kill", "dies", "die"):
            orders.append(f"cp {unit} {'spent' if outcome in ('spent', 'flip') else 'kill'}")
            at += 1
        else:
            orders.append("cp done" if unit == "done" else f"cp {unit} kill")
    return orders


def _react(rest: str) -> list[str]:
    verb, _, words = rest.partition(" ")
    if verb == "dig" and words:
        return [f"r dig {unit}" for unit in units_of(words)]
    return [f"r {rest}".strip()]


def _regroup(rest: str) -> list[str]:
    if rest in ("none", "nothing"):
        return ["done"]
    words = units_of(rest.replace(" to ", " "))
    if len(words) > 2 and len(words) % 2 == 0 and all(word.isdigit() for word in words[1::2]):
        return [f"rg {unit} {area}" for unit, area in zip(words[::2], words[1::2], strict=True)]
    return [f"rg {rest.replace(' to ', ' ')}"]


_SPECIAL: dict[str, Callable[[str], list[str]]] = {
    "go": _go,
    "attack": _attack,
    "put": _put,
    "unput": lambda rest: _put(rest, "unput"),
    "cp": _cp,
    "r": _react,
    "rg": _regroup,
    "militia": lambda rest: [f"r militia {rest}"],
    "retreat": lambda rest: [f"r retreat {rest}"],
    "reroll": lambda _: ["adv reroll"],
    "no": lambda _: ["adv no"],
}

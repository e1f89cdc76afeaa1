"""Short forms of standing orders, written out as general ones."""

import re

from games.kernel.errors import Unreadable
from games.second_fallujah.board import Board
from games.second_fallujah.tables import COALITION, DEAD, INSURGENT, UNIT

DECISIONS = {
    "reaction": "ReactionWindow",
    "recon": "ReconWindow",
    "advantage": "AdvantageWindow",
    "casualties": "CasualtiesChoice",
    "retreat": "RetreatChoice",
    "deflead": "LeadDefenderChoice",
    "ourlead": "CoalitionLeadChoice",
    "regroup": "Regroup",
    "reset": "KeepSpent",
    "impulse": "CoalitionImpulse",
    "resistance": "InsurgentImpulse",
}

_ALWAYS = frozenset({"turn", "impulse", "vp", "backlash"})
FACTS = {
    "reaction": _ALWAYS | {"area", "tem", "mosque", "entry", "group", "contested", "militia", "defenders", "dug"},
    "recon": _ALWAYS | {"area", "placed", "fresh_enemy", "group"},
    "advantage": _ALWAYS | {"kind", "mine", "area", "ov", "dv", "att", "def", "margin", "cp", "swing", "ends"},
    "casualties": _ALWAYS | {"area", "points", "capacity", "lead", "dug"},
    "retreat": _ALWAYS | {"area", "points", "lead", "dug"},
    "deflead": _ALWAYS | {"area", "kind", "ov", "ties", "dug"},
    "regroup": _ALWAYS | {"moves"},
    "impulse": _ALWAYS,
    "resistance": _ALWAYS,
}

DEFAULTS = {
    COALITION: ("adv ask if swing>=9", "deflead prefer iraqi"),
    INSURGENT: (
        "react *: F dig; C militia here; C adj militia there; C retreat if tem<2",
        "deflead prefer dug",
        "cp bot",
        "adv ask if swing>=3",
        "keep prefer F",
    ),
}

_REACT = re.compile(r"^react\s+(none\s*)?([\d\s,*]*):?\s*(.*)$")
_CLAUSE = re.compile(
    r"^([fc])\s+(adj\s+)?(dig|retreat|militia)(?:\s+(here|there|own|\d+))?(?:\s+if\s+(.+?))?(?:\s+else\s+(.+))?$"
)
_LOSS = re.compile(r"^(?:(flip|retreat|kill)\s+)?([mfc])(!)?(?:\s+to\s+(.+))?$")


def gone(g: Board, text: str) -> str:
    """11.1. Fedayeen and Cadres do not come back; Militia and the Coalition's units do."""
    named = (word.upper() for word in re.findall(r"\b[FfCc]\d+\b", text))
    return next((name for name in named if name in UNIT and g.where[UNIT[name]] == DEAD), "")


def sugar(text: str) -> list[str] | None:
    """The general rules a short form stands for; None when it is not one."""
    line = " ".join(text.lower().split())
    word = line.split(" ", 1)[0]
    reader = {
        "react": _react,
        "recon": _recon,
        "adv": _advantage,
        "deflead": _deflead,
        "cp": _casualties,
        "rg": _regroup,
        "keep": _keep,
    }.get(word)
    return reader(line) if reader else None


def _bad(line: str, forms: str) -> Unreadable:
    return Unreadable(f"{line!r} is not a standing order; write {forms}.")


def _react(line: str) -> list[str]:
    found = _REACT.match(line)
    if found is None or (found[1] and found[3]):
        raise _bad(line, "react 45: F dig; C militia here, or react none 17")
    places = "" if not found[2].strip() or "*" in found[2] else f" in {', '.join(re.findall(r'[0-9]+', found[2]))}"
    rules: list[str] = []
    if not found[1]:
        for clause in found[3].split(";"):
            rules += [f"on reaction{places}{rule}" for rule in _reaction_clause(clause.strip(), line)]
    return [*rules, f"on reaction{places} do r done"]


def _reaction_clause(clause: str, line: str) -> list[str]:
    if not clause:
        return []
    found = _CLAUSE.match(clause)
    if found is None:
        raise _bad(line, "react 45: F dig; C militia here; C adj militia there if entry<4")
    unit, adjacent, act, place, condition, otherwise = found.groups()
    when = f" if {condition}" if condition else ""
    who = f"{unit.upper()}@{'adj' if adjacent else 'here'}"
    goal = {"dig": "", "retreat": f" {place or 'any'}", "militia": f" {place or ('there' if adjacent else 'own')}"}[act]
    rules = [f"{when} do r {act} {who}{goal}"]
    if otherwise:
        rules += _reaction_clause(f"{unit} {adjacent or ''}{otherwise}", line)
    return rules


def _recon(line: str) -> list[str]:
    words = line.split()
    if words[1:] == ["withdraw", "always"]:
        return ["on recon do withdraw all; stay"]
    if words[1:] == ["withdraw", "never"]:
        return ["on recon do stay"]
    if words[1:] == ["withdraw", "if", "f"]:
        return ["on recon if placed=f do withdraw all; stay", "on recon do stay"]
    raise _bad(line, "recon withdraw always, recon withdraw if F, or recon withdraw never")


def _advantage(line: str) -> list[str]:
    words = line.split(" ", 1)[1] if " " in line else ""
    if words == "never":
        return ["on advantage do adv no"]
    if words == "ask":
        return []
    if found := re.match(r"^ask if (\w+)\s*(>=|>)?\s*(\d+)$", words):
        return [f"on advantage if {found[1]}{'<=' if found[2] == '>' else '<'}{found[3]} do adv no"]
    if found := re.match(r"^(?:auto\s+)?(reroll|[+-]1(?: (?:att|def|end))?) if (.+)$", words):
        condition = "margin=0" if found[2] == "tie" else re.sub(r"\bloss\b", "cp", found[2])
        return [f"on advantage if {condition} do adv {found[1]}"]
    raise _bad(line, "adv never, adv ask if swing>=2, or adv reroll if cp>=4")


def _deflead(line: str) -> list[str]:
    wish = line.rsplit(" ", 1)[-1]
    if wish == "dug":
        return ["on deflead do deflead F!@here; deflead F@here"]
    if wish == "iraqi":
        return ["on ourlead do deflead iraqi"]
    raise _bad(line, "deflead prefer dug or deflead prefer iraqi")


def _casualties(line: str) -> list[str]:
    if line == "cp bot":
        return ["on casualties do cp bot", "on retreat do cp bot"]
    if not line.startswith("cp order "):
        raise _bad(line, "cp bot, or cp order M, flip F, retreat F, kill F")
    order, _, general = line.removeprefix("cp order ").partition(";")
    goals = general.strip().removeprefix("retreat to ").split(",") if general.strip() else ["*"]
    answers: list[str] = []
    for part in re.split(r",\s*(?=(?:flip|retreat|kill)?\s*[mfc]\b)", order):
        found = _LOSS.match(part.strip())
        if found is None:
            raise _bad(line, "cp order M, flip F, retreat F to 39,46,*, kill F")
        act = found[1] or "kill"
        if act == "retreat":
            to = [goal.strip() for goal in (found[4].split(",") if found[4] else goals)]
            answers += [f"cp {found[2]} retreat {'any' if goal == '*' else goal}" for goal in to]
        else:
            answers.append(f"cp {found[2]} {'spent' if act == 'flip' else 'kill'}")
    retreats = [f"cp any retreat {'any' if goal.strip() == '*' else goal.strip()}" for goal in goals]
    return [f"on casualties do {'; '.join(answers)}", f"on retreat do {'; '.join(retreats)}"]


def _regroup(line: str) -> list[str]:
    if line in ("rg none", "rg never"):
        return ["on regroup do done"]
    raise _bad(line, "rg none")


def _keep(line: str) -> list[str]:
    wish = line.rsplit(" ", 1)[-1]
    if wish not in ("f", "c"):
        raise _bad(line, "keep prefer F or keep prefer C")
    other = "C" if wish == "f" else "F"
    return [f"on reset do keep {wish.upper()}-@here; keep {other}-@here"]

"""What a seat may know, which here is everything on the table, and the board as text."""

from typing import Any

from games.kernel.ruleset import View
from games.second_fallujah.board import Board, militia_in_pool, place_word
from games.second_fallujah.position import describe_position
from games.second_fallujah.tables import (
    AREA_NAME,
    AREAS,
    COALITION,
    MOSQUE,
    SCORES,
    TEM,
)
from games.second_fallujah.victory import score
from games.second_fallujah.words import DAYS, side_words

WIDTH = 72


def view(g: Board) -> View:
    """The position, the score and what is asked; all information of this game is open (section 1)."""
    seen: dict[str, Any] = describe_position(g)
    seen["score"] = score(g)
    seen["militia_pool"] = militia_in_pool(g)
    seen["asked"] = list(g.todo[-1].seats(g)) if g.todo else []
    seen["activated"] = place_word(g.origin) if g.origin else ""
    return seen


def text_board(seen: View) -> str:
    """The position in plain ASCII of at most 72 columns."""
    lines = [*_tracks(seen), "", "+ Coalition   # insurgent   * contested   m mosque, o objective, TEM"]
    lines.append("units: - Spent, ! Dug In; insurgents by kind and number (F2 is two)")
    held = set(seen["control"][COALITION])
    quiet: dict[str, list[str]] = {"+": [], "#": []}
    for area in AREAS:
        ours, theirs = _split(seen["units"].get(str(area), []))
        sign = "*" if ours and theirs else "+" if area in held else "#"
        if not ours and not theirs:
            quiet[sign].append(str(area))
            continue
        kind = "m" if MOSQUE[area] else "o" if SCORES[area] else " "
        head = f"{area:>2}{kind}{TEM[area]} {sign} {AREA_NAME[area]:<19}"
        lines += _wrapped(head, [*ours, *(["|"] if ours and theirs else []), *theirs])
    for zone in ("NW", "NE"):
        ours, _ = _split(seen["units"].get(zone, []))
        lines += _wrapped(f"{zone} zone:", ours or ["empty"])
    for sign, words in (("+", "Empty, Coalition:"), ("#", "Empty, insurgent:")):
        if quiet[sign]:
            lines += _wrapped(words, quiet[sign])
    return "\n".join(lines)


def _tracks(seen: View) -> list[str]:
    parts = seen["score"]
    advantage = seen["advantage"]
    owner = side_words(advantage["owner"])
    state = "ready" if advantage["available"] else "used"
    when = DAYS[seen["turn"]]
    if seen["phase"] == "action":
        when += f", impulse {seen['impulse']}, {side_words(seen['side'])} to act"
    else:
        when += f", {seen['phase']}"
    return [
        f"Second Fallujah, {when}",
        f"VP {parts['total']}: areas {parts['areas']}, Cadres {parts['cadres']}, "
        f"Fedayeen {parts['fedayeen']}, Backlash {parts['backlash']}",
        f"Advantage: {owner}, {state}   Riverine {seen['riverine']}   Militia pool {seen['militia_pool']}",
    ]


def _split(counters: list[str]) -> tuple[list[str], list[str]]:
    """Coalition units one by one, insurgents counted by kind and face."""
    ours: list[str] = []
    theirs: dict[str, int] = {}
    for words in counters:
        name, _, face = words.partition(" ")
        mark = {"spent": "-", "dug": "!"}.get(face, "")
        if name[0] in "FCM" and name[1:].isdigit():
            theirs[name[0] + mark] = theirs.get(name[0] + mark, 0) + 1
        else:
            ours.append(name + mark)
    return ours, [kind if count == 1 else f"{kind}{count}" for kind, count in sorted(theirs.items())]


def _wrapped(head: str, words: list[str]) -> list[str]:
    lines = [head]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(" " * min(len(head), 26))
        lines[-1] += " " + word
    return lines

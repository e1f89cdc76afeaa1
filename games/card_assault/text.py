"""The position as plain text of at most 72 columns, from the view alone."""

import textwrap
from typing import Any

from games.card_assault.tables import CARD, KIND
from games.kernel.ruleset import View

WIDTH = 72
GLUE = "\x1f"  # stands for a space that must not end a line


def board(view: View) -> str:
    score = view["score"]
    phase = "game over" if view["over"] else f"{view['phase']} phase"
    lines = [f"Turn {view['turn']}, {phase}. VP {score['points']}, {score['rank']}{_next(score)}."]
    for number, front in view["fronts"].items():
        lines.extend(front_lines(number, front, view["phase"]))
    for attack in view["plan"]:
        lines.extend(attack_lines(attack))
    if view["explosion"]:
        lines.append(f"Explosion of {view['explosion']['force']} at front {view['explosion']['front']}.")
    if view["failed"]:
        lines.append("Assaults not won so far: front " + ", ".join(map(str, view["failed"])) + ".")
    lines.extend(_wrap("Hand: ", [_card(card) for card in view["hand"]]))
    piles = view["piles"]
    lines.append(
        f"Decks: yours {piles['a_deck']['count']}, theirs {piles['i_deck']['count']}. "
        f"Discards: yours {piles['a_discard']['count']}, theirs {piles['i_discard']['count']}."
    )
    lines.extend(_wrap("Captured: ", _counted(piles["capture"]["cards"]), f" = {sum(score['captured'])}"))
    lost = sum(item["force"] for item in score["lost"])
    lines.extend(_wrap("Casualties: ", _counted(piles["casualty"]["cards"]), f" = {lost}"))
    lines.extend(_wrap("Your discard: ", _counted(piles["a_discard"]["cards"])))
    lines.extend(_wrap("Their discard: ", _counted(piles["i_discard"]["cards"])))
    lines.extend(_wrap(f"Not yet seen ({len(view['unseen'])}): ", _counted(view["unseen"])))
    return "\n".join(lines)


def _next(score: dict[str, Any]) -> str:
    return f" (next: {score['next']['rank']} from {score['next']['from']})" if score["next"] else ""


def _card(card: dict[str, Any]) -> str:
    if not card["up"]:
        return "face down"
    return card["short"] if card["force"] is None else f"{card['short']} {card['force']}"


def front_lines(number: str, front: dict[str, Any], phase: str) -> list[str]:
    cards = " | ".join(_card(card).replace(" ", GLUE) for card in front["cards"]) or "empty"
    shows = front["sum"] or str(front["shows"])
    hidden = f" and {front['hidden']} hidden" if front["hidden"] else ""
    lines = [line.replace(GLUE, " ") for line in textwrap.wrap(cards, WIDTH - 10, break_on_hyphens=False)]
    text = [f" Front {number}  {lines[0]}", *(f"          {line}" for line in lines[1:])]
    told = [f"shows {shows}{hidden}"] if front["cards"] else []
    reason = front["attack"].get(phase)
    if reason is not None:
        can = {"recon": "be scouted", "disarm": "be disarmed", "strike": "be struck", "artillery": "be shelled"}
        words = can.get(phase, "be assaulted")
        told.append(f"can {words}" if reason["can"] else f"cannot {words}: {reason['why']}")
    if told:
        text.extend(f"          {line}" for line in textwrap.wrap("; ".join(told), WIDTH - 10))
    return text


def attack_lines(attack: dict[str, Any]) -> list[str]:
    target = f"front {attack['front']}"
    if isinstance(attack["target"], str):
        target = f"{KIND[CARD[attack['target']]].short} on {target}"
    hidden = f" and {attack['hidden']} hidden" if attack["hidden"] and isinstance(attack["target"], int) else ""
    cards = [_card(card) for card in attack["cards"]]
    return [*_wrap(f"Put on {target}: ", cards), f"  {attack['sum']} v {attack['against']}{hidden}"]


def _counted(ids: list[str]) -> list[str]:
    """Names with how many there are: `Humvee 1 x2`."""
    counts: dict[str, int] = {}
    for card_id in ids:
        kind = KIND[CARD[card_id]]
        name = kind.short if kind.force is None else f"{kind.short} {kind.force}"
        counts[name] = counts.get(name, 0) + 1
    return [name if count == 1 else f"{name} x{count}" for name, count in counts.items()]


def _wrap(head: str, items: list[str], tail: str = "") -> list[str]:
    """A list in lines; no item is broken in two."""
    whole = ", ".join(item.replace(" ", GLUE) for item in items) + tail if items else "none"
    text = f"{head}{whole}." if not whole.endswith(".") else head + whole
    lines = textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace(GLUE, " ") for line in lines]

"""Fronts in words, and what an order reads: both from the view alone."""

import re
from typing import Any

from games.card_assault.tables import FRONTS
from games.card_assault.text import attack_lines, front_lines
from games.kernel.errors import Unreadable
from games.kernel.ruleset import View
from games.kernel.steps import Action


def look(view: View, place: str) -> list[str]:
    """One front: its cards, what it shows, what can be done to it."""
    number = re.search(r"\d", place)
    if number is None or int(number[0]) not in FRONTS:
        raise Unreadable(f"There is no front {place}; fronts are {FRONTS[0]} to {FRONTS[-1]}.")
    lines = front_lines(number[0], view["fronts"][number[0]], view["phase"])
    for attack in view["plan"]:
        if str(attack["front"]) == number[0]:
            lines += attack_lines(attack)
    return [" ".join(line.split()) for line in lines]


def relies(view: View, action: Action) -> Any:
    """The fronts an action names, the whole hand and what is planned; turn and phase."""
    words = {str(word) for word in action[1:]}
    fronts = {number for number in view["fronts"] if number in words}
    fronts |= {
        number for number, front in view["fronts"].items() if any(card.get("id") in words for card in front["cards"])
    }
    if not words:
        return view
    return {
        "fronts": {number: view["fronts"][number] for number in sorted(fronts)},
        **{key: view[key] for key in ("turn", "phase", "hand", "plan", "failed", "explosion", "options")},
    }


TEMPLATES = {
    "Assault": "put ____ ____ __; fire",
    "Strike": "put ____ __; fire; to assault; put ____ __; fire",
    "Recon": "recon ____ __; to assault; put ____ __; fire",
}

"""Small positions for the tests: every zone Activated and insurgent unless said otherwise."""

from collections.abc import Sequence
from typing import Any

from games.kernel.orders import Played, play_orders, read_orders
from games.kernel.steps import Action, State, apply, legal, settle
from games.kernel.table import News, Scripted
from games.phantom_fury import RULES
from games.phantom_fury.board import Board


def board(
    phase: str,
    squads: dict[str, Any] | None = None,
    *,
    usmc: Sequence[int] = (),
    things: dict[str, Any] | None = None,
    zones: dict[int, dict[str, Any]] | None = None,
    **rest: Any,
) -> Board:
    facts: dict[str, dict[str, Any]] = {str(zone): {"activated": True} for zone in range(1, 62) if zone != 27}
    for zone in usmc:
        facts[str(zone)]["control"] = "usmc"
    for place, thing in (things or {}).items():
        zone_name, location = place.split(".", 1)
        facts[zone_name].setdefault("things", {})[location] = thing
    for number, extra in (zones or {}).items():
        facts[str(number)].update(extra)
    told = {"turn": 3, "phase": phase, "zones": facts, "squads": squads or {}, **rest}
    g = RULES.from_position(told, RULES.setup())
    settle(g, Scripted())
    return g


def lines(g: State, seat: str = "usmc") -> list[str]:
    return [RULES.say(g, action) for action in legal(g, seat)]


def order(g: State, text: str, *chance: int, seat: str = "usmc") -> tuple[Played, list[News]]:
    """Play one message with chance by hand; all of it must be used."""
    table = Scripted(*chance)

    def act(g: State, seat: str, action: Action) -> list[News]:
        start = len(table.news)
        apply(g, seat, action, table)
        return table.news[start:]

    played = play_orders(RULES, g, seat, read_orders(RULES, text), act)
    assert table.left == [], f"chance left: {table.left}"
    return played, table.news


def statuses(played: Played) -> list[str]:
    return [line.status for line in played.lines]

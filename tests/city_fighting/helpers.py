"""Positions by hand, orders as typed, chance as scripted."""

from collections.abc import Mapping
from typing import Any, cast

from games.city_fighting import RULES
from games.city_fighting import tables as t
from games.city_fighting.board import Board
from games.kernel.orders import Played, play_orders, read_orders
from games.kernel.steps import Action, State, apply, legal, owed, settle
from games.kernel.table import News, Scripted

INF, INF_B, INF_C, TANK, ENG = "usmc.inf.2-1", "usmc.inf.3-4", "usmc.inf.1-5", "usmc.tank.A2", "usmc.eng.2"
FORCE_RECON, AMTRAC, LIFT, GUN, SOAR = "usmc.sof.FR", "usmc.aav.2", "joint.lift.1", "joint.gun.1", "joint.soar.1"
IRAQI, IRAQI_SOF = "ig.inf.1-1", "ig.sof.Cdo"
DECEPTION = "ev.deception.1"


def board(options: Mapping[str, Any] | None = None, *, only: tuple[str, ...] | None = None, **position: Any) -> Board:
    """A position; `only` says what is in the Reaction bin, everything else being out of play."""
    if only is not None:
        elsewhere = {word for key in ("opfor", "hvt_dead", "intel") for word in position.get(key, ())}
        if position.get("helicopter"):
            elsewhere.add("ev.downed_helicopter.1")
        position["reaction_bin"] = list(only)
        position["removed"] = [word for word in t.COUNTER_IDS if word not in only and word not in elsewhere]
    g = cast(Board, RULES.from_position(position, RULES.setup(options)))
    settle(g, Scripted())
    return g


def order(g: Board, text: str, *chance: int, seat: str = "") -> Scripted:
    """Play typed orders; all of them must be carried out and all chance used."""
    table, played = attempt(g, text, *chance, seat=seat)
    for line in played.lines:
        assert line.status in ("ok", "passed over"), f"{line.text}: {line.status} {line.why}"
    assert not table.left, f"chance left: {table.left}"
    return table


def attempt(g: Board, text: str, *chance: int, seat: str = "") -> tuple[Scripted, Played]:
    table = Scripted(*chance)

    def act(state: State, who: str, action: Action) -> list[News]:
        start = len(table.news)
        apply(state, who, action, table)
        return table.news[start:]

    played = play_orders(RULES, g, seat or owed(g)[0], read_orders(RULES, text), act)
    return table, played


def can(g: Board) -> list[str]:
    """Everything the asked seat may do, in canonical words."""
    return [RULES.say(g, action) for seat in owed(g) for action in legal(g, seat)]


def at(g: Board, unit: str) -> str:
    return t.BOX_IDS[g.loc[t.UNIT[unit]]]


def told(table: Scripted) -> str:
    return "\n".join(RULES.narrate(news) for news in table.news)


def fight(place: str, *units: str, **more: Any) -> dict[str, Any]:
    return {"place": place, "units": list(units), **more}

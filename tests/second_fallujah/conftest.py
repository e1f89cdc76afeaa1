"""A board from a few words, for every chapter."""

from collections.abc import Callable
from typing import Any

import pytest

from games.kernel.position import run_position
from games.kernel.steps import State
from games.second_fallujah import RULES
from games.second_fallujah.board import Board

USED = {"owner": "coalition", "available": False}
Play = Callable[..., dict[str, Any]]


@pytest.fixture
def board() -> Callable[..., Board]:
    def build(units: dict[str, list[str]], hold: tuple[int, ...] = (), **more: Any) -> Board:
        options = more.pop("options", {})
        position = {"advantage": USED, "impulse": 1, "control": {"coalition": list(hold)}, "units": units, **more}
        g: State = RULES.from_position(position, RULES.setup(options))
        assert isinstance(g, Board)
        return g

    return build


@pytest.fixture
def play() -> Play:
    """Play typed orders, `c: ..` for the Coalition and `i: ..` for the insurgents, with chance by hand."""

    def run(units: dict[str, list[str]], *orders: str, hold: tuple[int, ...] = (), **more: Any) -> dict[str, Any]:
        chance, options = list(more.pop("chance", ())), more.pop("options", {})
        position = {"advantage": USED, "impulse": 1, "control": {"coalition": list(hold)}, "units": units, **more}
        seats = {"c": "coalition", "i": "insurgent"}
        said = [{"seat": seats[order[0]], "text": order[2:].strip()} for order in orders]
        return run_position(
            lambda _: RULES,
            {"ruleset": RULES.key, "options": options, "position": position, "chance": chance, "orders": said},
        )

    return run

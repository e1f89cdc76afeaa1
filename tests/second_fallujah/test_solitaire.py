"""12-17. The printed enemy."""

from collections.abc import Sequence
from typing import Any

import pytest

from games.kernel.steps import settle
from games.kernel.table import Scripted
from games.second_fallujah.board import Board
from games.second_fallujah.priorities import BotLosses, narrow
from games.second_fallujah.tables import UNIT

BOT = {"options": {"solitaire": True}, "solitaire": True}
IMPULSE = ["AfterActionPhase", "EndInsurgentImpulse", "BotImpulse"]


def after(board: Any, units: dict[str, list[str]], hold: tuple[int, ...], chance: Sequence[int], **more: Any) -> Any:
    g = board(units, hold, side="insurgent", todo=IMPULSE, **BOT, **more)
    table = Scripted(*chance)
    settle(g, table)
    assert table.left == []
    return g, table


def at(g: Board, name: str) -> int:
    return g.where[UNIT[name]]


def test_priorities_narrow_and_the_rest_is_drawn() -> None:
    assert narrow(Scripted(), [1, 2, 3], lambda n: n > 1, lambda n: -n) == 2
    assert narrow(Scripted(1), [1, 2, 3], lambda n: n > 1) == 3


def test_a_militia_slips_into_an_ungarrisoned_area(board: Any) -> None:
    """14 (1): on 1 or 2."""
    g, table = after(board, {"26": ["M1"]}, (24,), (2,))
    assert at(g, "M1") == 24 and g.mode[UNIT["M1"]] == 0 and g.control[24] == 0
    assert table.news[0].facts["rule"] == "14 (1)"


def test_of_two_ways_the_shorter_is_taken_and_equal_ones_are_drawn(board: Any) -> None:
    g, _ = after(board, {"26": ["M1"], "27": ["M2"]}, (24,), (1,))
    assert at(g, "M1") == 24
    g, _ = after(board, {"26": ["M1"]}, (24, 25), (1, 1))
    assert at(g, "M1") == 25


def test_on_a_higher_die_the_next_step_is_tried(board: Any) -> None:
    """14 (1) fails, 14 (2) has no target, 14 (3): no Cadre; so it passes."""
    g, table = after(board, {"26": ["M1"]}, (24,), (3,))
    assert at(g, "M1") == 26 and g.last_pass == "insurgent"
    assert any(news.facts.get("rule") == "14 (4)" for news in table.news)


def test_contested_targets_come_before_others_and_low_defences_before_high(board: Any) -> None:
    start = {"24": ["1/8-A spent", "M1"], "31": ["SSF-B spent"], "30": ["M2"]}
    g, _ = after(board, start, (24, 31), (4, 6, 6, 1, 1))
    assert g.backlash == 2 and at(g, "M2") == 30
    start = {"24": ["1/8-A spent"], "31": ["SSF-B spent"], "30": ["M2"], "26": ["M1"]}
    g, _ = after(board, start, (24, 31), (4, 6, 6, 1, 1))
    assert g.backlash == 1 and at(g, "M1") == 26


def test_an_attack_that_is_not_rolled_gives_way_to_organising(board: Any) -> None:
    """14.2: not twice in the same area unless there is no other."""
    start = {"24": ["1/8-A spent"], "26": ["M1", "C1"], "45": ["C2", "C3"]}
    g, _ = after(board, start, (24,), (5,), resistance=26)
    assert g.resistance == 45 and len(g.ins[45]) == 4
    g, _ = after(board, {"26": ["C1"]}, (), (), resistance=26)
    assert g.resistance == 26 and len(g.ins[26]) == 2


def test_organising_prefers_contested_then_tired_neighbours(board: Any) -> None:
    g, _ = after(board, {"26": ["C1", "1/8-A"], "45": ["C2"]}, (), ())
    assert g.resistance == 26
    g, _ = after(board, {"30": ["C1"], "45": ["C2"], "26": ["1/8-A spent"]}, (26,), ())
    assert g.resistance == 30


@pytest.mark.parametrize(
    ("dice", "area", "expected"),
    [
        ((1, 1), 24, {"C1": 23}),  # 2 + 2: R
        ((2, 2), 24, {"C1": 23, "M1": 24}),  # 4 + 2 = 6: R, +M
        ((3, 3), 24, {"C1": 24, "F1": 24}),  # 8: +F
        ((3, 4), 24, {"C1": 23, "M1": 24}),  # 9: r, +M; TEM 2
        ((4, 4), 24, {"C1": 23, "M1": 24, "M2": 24}),  # 10: r, +2M
        ((4, 5), 24, {"C1": 23, "F1": 24}),  # 11: r, +F
        ((5, 5), 24, {"C1": 24, "F1": 24}),  # 12: +F
    ],
)
def test_a_cadre_in_the_entered_area(board: Any, dice: tuple[int, int], area: int, expected: dict[str, int]) -> None:
    step = {"step": "BotReaction", "area": area, "origin": 53, "group": ["1/8-A"]}
    spare = [f"F{n}" for n in range(1, 31)]
    g = board({"24": ["C1", "1/8-A"], "unused": spare}, (19, 25, 26), todo=[step], **BOT)
    settle(g, Scripted(*dice))
    assert {name: at(g, name) for name in expected} == expected


def test_sixteen_brings_two_dug_in(board: Any) -> None:
    step = {"step": "BotReaction", "area": 45, "origin": 53, "group": ["1/8-A"]}
    g = board({"45": ["C1", "1/8-A"], "unused": ["F1", "F2"]}, todo=[step], **BOT)
    settle(g, Scripted(6, 6))
    assert at(g, "F1") == at(g, "F2") == 45 and g.mode[UNIT["F2"]] == 2


def test_placements_without_counters_or_room_are_ignored(board: Any) -> None:
    step = {"step": "BotReaction", "area": 24, "origin": 53, "group": ["1/8-A"]}
    g = board({"24": ["C1", "1/8-A"]}, (19, 23, 25, 26), todo=[step], **BOT)
    settle(g, Scripted(3, 3))
    assert g.ins[24] == (UNIT["C1"],), "no spare Fedayeen left (R42)"
    full = ["C1", *(f"M{n}" for n in range(1, 8))]
    g = board({"24": [*full, "1/8-A"]}, (19, 23, 25, 26), todo=[step], **BOT)
    settle(g, Scripted(3, 4))
    assert len(g.ins[24]) == 8


def test_a_cadre_next_door_and_reconnaissance(board: Any) -> None:
    """17 (3), 6.3.1: 12 is +F and adjF."""
    step = {"step": "BotReaction", "area": 26, "origin": 25, "group": ["LAR-C1"]}
    g = board({"26": ["LAR-C1"], "27": ["C1"], "unused": ["F1", "F2"]}, (25,), todo=[step], **BOT)
    settle(g, Scripted(6, 6))
    assert (at(g, "F1"), at(g, "F2")) == (26, 27)
    assert type(g.todo[-1]).__name__ == "ReconWindow"


def losses(board: Any, units: list[str], points: int, lead: str, hold: tuple[int, ...] = (), *draws: int) -> Any:
    g = board({"45": units}, hold, **BOT)
    killed = BotLosses(g, 45, points, UNIT[lead], Scripted(*draws)).take()
    return g, killed


ALL_BUT_42 = (40, 43, 44, 46, 47)
ALL = (*ALL_BUT_42, 42)


def test_the_bot_takes_points_in_the_printed_order(board: Any) -> None:
    g, killed = losses(board, ["F1", "C1", "M1"], 5, "F1", ALL_BUT_42)
    assert (at(g, "F1"), at(g, "C1"), killed) == (42, 42, [UNIT["M1"]])
    g, killed = losses(board, ["F1", "C1", "M1"], 6, "F1", ALL_BUT_42)
    assert at(g, "C1") == 42 and killed == [UNIT["M1"], UNIT["F1"]], "a retreated unit dies for one more"


def test_the_bot_kills_spent_fedayeen_before_cadres(board: Any) -> None:
    g, killed = losses(board, ["F1 spent", "C1 spent"], 3, "F1", ALL_BUT_42)
    assert killed == [UNIT["F1"]] and at(g, "C1") == 42


def test_a_militia_lead_dies_first_and_a_dug_in_one_ignores_two(board: Any) -> None:
    _, killed = losses(board, ["M1", "M2"], 1, "M1", ALL)
    assert killed == [UNIT["M1"]]
    assert losses(board, ["F1 dug"], 2, "F1", ALL)[1] == []
    _, killed = losses(board, ["F1 dug", "F2 dug", "M1"], 6, "F1", ALL)
    assert killed == [UNIT["F1"], UNIT["F2"]]


def test_a_lone_spent_unit_with_nowhere_to_go_dies_for_one_point(board: Any) -> None:
    _, killed = losses(board, ["C1 spent"], 1, "C1", ALL)
    assert killed == [UNIT["C1"]]


def test_without_room_anywhere_flips_and_kills_still_absorb(board: Any) -> None:
    """15 (2a, b): the wish for an uncrowded retreat is dropped when nothing else is possible."""
    g, killed = losses(board, ["F1", "C1"], 2, "F1", ALL)
    assert not g.mode[UNIT["F1"]] and not g.mode[UNIT["C1"]] and killed == []
    g, killed = losses(board, ["F1", "C1"], 3, "F1", ALL)
    assert killed == [UNIT["F1"]] and g.mode[UNIT["C1"]]

"""Positions in words: defaults, and what is refused."""

from typing import Any

import pytest

from games.city_fighting import RULES
from games.city_fighting import tables as t
from games.city_fighting.board import Board
from games.kernel.errors import BadSetup
from games.kernel.ruleset import dump
from tests.city_fighting.helpers import INF, TANK, board, can


def test_an_empty_position_is_an_empty_board_before_an_operation() -> None:
    g = board()
    assert g.ops == 65 and len(g.bin) == 64 and len(g.node_bin) == 28 and can(g) == ["j1", "idle", "end"]


def test_units_may_be_written_short_or_long() -> None:
    g = board(units={INF: "2-4", TANK: {"at": "N"}}, nodes={"2-4": "node.c2.1"})
    written = RULES.position(g)
    assert written["units"] == {INF: {"at": "2-4"}, TANK: {"at": "N"}}
    assert written["nodes"] == {"2-4": {"id": "node.c2.1", "up": False}}
    again = RULES.from_position(written, RULES.setup())
    assert dump(again) == dump(g)


def test_a_finished_game_is_written_and_read() -> None:
    g = board(ops=0, over="ops", todo=[])
    assert RULES.outcome(g) is not None
    assert dump(RULES.from_position(RULES.position(g), RULES.setup())) == dump(g)


def test_options_of_a_position_count() -> None:
    options = {"seats": 2, "mode": "sectors", "victory": "individual", "oob": "historical", "joint": True}
    g = RULES.from_position({"options": options}, RULES.setup())
    assert isinstance(g, Board)
    assert (g.seats, g.mode, g.individual, g.historical, g.joint) == (2, "sectors", True, True, True)


@pytest.mark.parametrize(
    ("position", "part"),
    [
        ({"weather": 1}, "no key 'weather'"),
        ({"scenario": "third"}, "no scenario 'third'"),
        ({"ops": "many"}, "ops cannot be 'many'"),
        ({"morale": "sad"}, "no morale 'sad'"),
        ({"turn": "b"}, "no seat 'b'"),
        ({"units": {"usmc.inf.9-9": "N"}}, "no unit 'usmc.inf.9-9'"),
        ({"units": {INF: "9-9"}}, "no place or box '9-9'"),
        ({"units": {TANK: {"at": "N", "reduced": True}}}, "cannot be reduced"),
        ({"units": {INF: {"at": "N", "speed": 3}}}, "no key 'speed'"),
        (
            {"units": {INF: {"at": "N", "leader": "leader.A"}, TANK: {"at": "N", "leader": "leader.A"}}},
            "with two units",
        ),
        ({"nodes": {"N": "node.c2.1"}}, "no space 'N'"),
        ({"nodes": {"2-4": "node.x"}}, "no node 'node.x'"),
        ({"nodes": {"2-4": "node.c2.1"}, "captured": ["node.c2.1"]}, "in two places"),
        ({"node_bin": ["node.c2.1"]}, "is nowhere"),
        ({"reaction_bin": ["mil.1"]}, "is nowhere"),
        ({"opfor": ["mil.1", "mil.1"]}, "in two places"),
        ({"opfor": ["mil.99"]}, "no counter 'mil.99'"),
        ({"strikes": {"air.1": "cellar"}}, "no box 'cellar'"),
        ({"blown": ["london"]}, "no bridge 'london'"),
        ({"options": {"seats": 7}}, "one to four"),
        ({"options": {"mode": "chaos"}}, "no mode 'chaos'"),
        ({"todo": [{"step": "Dance"}]}, "is not a step"),
        ({"todo": [{"step": "TakeHits"}]}, "not complete"),
        ({"todo": [{"step": "OpMenu", "tempo": 3}]}, "no key 'tempo'"),
        ({"todo": ["OpMenu"]}, "is not a step"),
        ({"helicopter": "9-9"}, "no place '9-9'"),
    ],
)
def test_wrong_positions_are_refused_in_a_sentence(position: dict[str, Any], part: str) -> None:
    with pytest.raises(BadSetup) as caught:
        RULES.from_position(position, RULES.setup())
    assert part in caught.value.text and caught.value.text.endswith(".")


def test_waiting_leaders_and_credit_survive() -> None:
    g = board(
        {"seats": 2},
        campaign=2,
        first_battle={"vp": 12, "kia": -3},
        waiting_leaders=["leader.B"],
        credit={"b": {"nodes": 2, "kia": 5}},
        units={INF: "N"},
        todo=[{"step": "AssignLeader"}, {"step": "OpMenu"}],
    )
    assert can(g) == ["leader leader.B none", f"leader leader.B to {INF}"]
    assert g.credit_nodes == [0, 2] and g.credit_kia == [0, 5]
    assert "survived the first battle" in RULES.prompt(g, "a")
    assert RULES.view(g, "b")["first_battle"] == {"vp": 12, "kia": -3}
    assert t.LEADER_IDS[1] == "leader.B"

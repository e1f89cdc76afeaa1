"""Whole messages as people write them, kept orders and all."""

from typing import Any

import pytest

from games.kernel.orders import Played, play_orders, read_orders
from games.kernel.steps import Action, State, apply, owed
from games.kernel.table import News, Scripted
from games.second_fallujah import RULES


class Post:
    """A match by mail: messages are played as far as they go, kept orders go on afterwards."""

    def __init__(self, g: Any, *chance: int) -> None:
        self.g, self.table = g, Scripted(*chance)
        self.kept: list[str] = []

    def act(self, g: State, seat: str, action: Action) -> list[News]:
        start = len(self.table.news)
        apply(g, seat, action, self.table)
        return self.table.news[start:]

    def mail(self, seat: str, text: str) -> Played:
        played = play_orders(RULES, self.g, seat, read_orders(RULES, text), self.act)
        self.kept = played.kept or self.kept
        return played

    def go_on(self, seat: str) -> Played:
        kept, self.kept = "; ".join(self.kept), []
        return self.mail(seat, kept)


def test_a_whole_impulse_waits_for_the_reaction_and_goes_on(board: Any) -> None:
    g = board({"24": ["C1", "M1"], "19": ["C2"]}, ())
    post = Post(g, 6, 6, 1, 1)
    units = "1/8-A+1/8-B+1/8-C+1/8-W+TK-A+ENG-C2+ERU+IQ-2/1"
    played = post.mail("coalition", f"ZONE NE; GO {units} 24; THEN ATTACK 24 LEAD 1/8-A; THEN DONE")
    assert not played.stopped and owed(g) == ("insurgent",) and len(post.kept) == 2
    post.mail("insurgent", "R MILITIA C1 24; R MILITIA C2 24; R DONE")
    played = post.go_on("coalition")
    assert not played.stopped and g.control[24] == 1
    assert any("OV 12" in RULES.narrate(news) for news in post.table.news)


def test_reconnaissance_by_guard(board: Any) -> None:
    g = board({"40": ["C1"]})
    post = Post(g, 3, 3)
    post.mail("coalition", "ZONE NW; GO LAR-C3 41; THEN IF PLACED WITHDRAW LAR-C3; THEN DONE")
    post.mail("insurgent", "militia C1 41")
    played = post.go_on("coalition")
    assert not played.stopped and [line.status for line in played.lines] == ["ok", "ok"]
    assert g.impulse == 2


def test_an_overrun_carries_on(board: Any) -> None:
    g = board({"24": ["1/8-A", "TK-A"], "26": ["M1"]}, (24,))
    post = Post(g, 3, 3)
    text = "AREA 24; GO 1/8-A+TK-A 26; THEN ATTACK 26 LEAD 1/8-A; THEN IF OVERRUN GO 1/8-A+TK-A 30; THEN DONE"
    played = post.mail("coalition", text)
    assert not played.stopped and g.control[30] == 1


def test_digging_in_and_moving_in_one_line(board: Any) -> None:
    g = board({"45": ["F1", "M1", "M2"]}, side="insurgent")
    played = Post(g).mail("insurgent", "AREA 45; DIG F@45; GO M@45+M@45 44; DONE")
    assert not played.stopped and len(g.ins[44]) == 2


def test_regrouping_several(board: Any) -> None:
    g = board({"24": ["MP-B", "IQ-2/1"]}, (24, 25), todo=[{"step": "Regroup", "side": "coalition"}], phase="regroup")
    played = Post(g).mail("coalition", "RG MP-B 25; RG IQ-2/1 25; DONE")
    assert not played.stopped and len(g.coa[25]) == 2 and not g.todo


@pytest.mark.parametrize(
    "text",
    [
        "\u2022 area 45\n\u2022 dig F@45 and F@45\n\u2022 done.",
        "Area 45, dig f1, dig f2, done!",
        "area jolan park; dig 2F@45; done // quiet night",
    ],
)
def test_phones_and_habits_do_not_matter(board: Any, text: str) -> None:
    g = board({"45": ["F1", "F2", "M1"]}, side="insurgent")
    played = Post(g).mail("insurgent", text)
    assert not played.stopped, played.lines
    assert [g.mode[unit] for unit in g.ins[45]] == [2, 2, 1]


def test_autocorrected_unit_names_are_read(board: Any) -> None:
    g = board({"42": ["1/4-B", "1/23-B", "F1"]})
    played = Post(g, 1, 1, 6, 6).mail("coalition", "area 42; attack 42 lead \u00bc\u2013B; done")
    assert not played.stopped, played.lines

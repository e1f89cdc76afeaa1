"""Compound orders, guards, orders that wait, standing orders."""

from collections.abc import Sequence
from typing import Any

import pytest

from games.kernel.errors import Unreadable
from games.kernel.orders import Order, parse_order, parse_standing, play_orders, read_orders, standing_answer
from games.kernel.ruleset import Before, Read, fresh
from games.kernel.steps import Action, State, apply
from games.kernel.table import News, Scripted
from tests.kernel.toy import TOY, Toy


def bidding() -> Any:
    g = fresh(TOY)
    apply(g, "blue", ("hide", 1), Scripted())
    apply(g, "red", ("hide", 2), Scripted())
    return g


def play(g: Any, seat: str, text: str, *chance: int, rules: Toy = TOY) -> Any:
    table = Scripted(*chance)

    def act(g: State, seat: str, action: Action) -> Sequence[News]:
        start = len(table.news)
        apply(g, seat, action, table)
        return table.news[start:]

    return play_orders(rules, g, seat, read_orders(rules, text), act)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("bid 1", Order("bid 1")),
        ("then bid 1", Order("bid 1", kept=True)),
        ("then if rich bid 1", Order("bid 1", guard="rich", kept=True)),
        ("unless alive(#4) bid 1", Order("bid 1", guard="alive(#4)", unless=True)),
        ("if coins >= 3 bid 1", Order("bid 1", guard="coins >= 3")),
        ("stop if pinned", Order("stop if pinned", guard="pinned", stop=True)),
    ],
)
def test_an_order_is_taken_apart(text: str, order: Order) -> None:
    assert parse_order(text) == order


def test_orders_are_played_until_another_seat_must_answer() -> None:
    g = bidding()
    played = play(g, "red", "bid 3; then bid 1; pass")
    assert [line.status for line in played.lines] == ["ok", "kept", "not played"]
    assert played.kept == ["then bid 1"] and played.taken == 1 and not played.stopped


def test_a_refused_order_stops_the_rest_and_says_what_is_possible() -> None:
    g = bidding()
    played = play(g, "red", "bid 9; pass")
    assert [line.status for line in played.lines] == ["refused", "not played"]
    assert played.stopped and "try bid 1" in played.lines[0].why and played.lines[0].code == "illegal-action"
    played = play(g, "red", "sing; pass")
    assert played.lines[0].status == "not read" and "not an order of Toy" in played.lines[0].why


def test_guards_skip_one_order_and_stop_drops_the_rest() -> None:
    g = bidding()
    played = play(g, "red", "unless rich pass; if rich bid 1")
    assert [line.status for line in played.lines] == ["skipped", "ok"]
    g = bidding()
    played = play(g, "red", "stop if rich; bid 1")
    assert [line.status for line in played.lines] == ["ok", "not played"]
    assert "dropped" in played.lines[1].why and g.log == []
    g = bidding()
    assert play(g, "red", "stop if rolled; bid 1").lines[1].status == "ok"
    g = bidding()
    assert play(g, "red", "if raining bid 1").lines[0].status == "not read"


def test_an_order_knows_the_one_before_it() -> None:
    seen: list[Before | None] = []

    class Nosy(Toy):
        def context(self, g: Any) -> str:
            return f"round {g.rounds}"

        def read_after(self, g: Any, seat: str, text: str, before: Before | None) -> Read:
            seen.append(before)
            return Read(None, note="seen") if text == "peek" else super().read_after(g, seat, text, before)

    g = bidding()
    played = play(g, "red", "peek; bid 1; hide 1", rules=Nosy())
    assert [line.status for line in played.lines] == ["passed over", "ok", "ok"]
    assert seen == [None, Before("peek", "round 1"), Before("bid 1", "round 1")]


def test_a_macro_goes_on_until_it_has_nothing_more_to_give() -> None:
    class Spender(Toy):
        def expand(self, text: str) -> list[str]:
            return ["spend"] if text == "bid all" else [text]

        def read(self, g: Any, seat: str, text: str) -> Read:
            if text != "spend":
                return super().read(g, seat, text)
            return Read(("bid", 1), again=True) if g.todo[-1].facts(g) else Read(None, note="spent")

    g = bidding()
    played = play(g, "red", "bid all", rules=Spender())
    assert played.lines[0].status == "ok" and played.lines[0].actions == [("bid", 1)]


def test_a_standing_order_answers_its_decision_when_its_facts_hold() -> None:
    g = bidding()
    orders = parse_standing(TOY, "on bid if coins < 6 and seat = red do bid 9; bid 2")
    assert standing_answer(TOY, g, "red", orders) is None
    g.coins["red"] = 5
    assert standing_answer(TOY, g, "red", orders) == (0, ("bid", 2))
    assert standing_answer(TOY, g, "blue", orders) is None
    assert standing_answer(TOY, g, "red", parse_standing(TOY, "on window do peek")) is None
    assert standing_answer(TOY, g, "red", parse_standing(TOY, "on bid if luck = 1 do pass")) is None
    assert standing_answer(TOY, g, "red", parse_standing(TOY, "on bid if coins = red do pass")) is None
    g.todo.clear()
    assert standing_answer(TOY, g, "red", orders) is None


def test_a_standing_order_may_name_a_family_of_decisions() -> None:
    assert standing_answer(TOY, bidding(), "red", parse_standing(TOY, "on ask do pass")) == (0, ("pass",))


def test_places_of_a_standing_order_are_conditions() -> None:
    orders = parse_standing(TOY, "on bid in 24, 17 if coins > 1 do pass")
    assert [order.when[0] for order in orders] == [("area", "=", 24), ("area", "=", 17)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sing", "not a standing order"),
        ("on tea do pass", "no decision 'tea'"),
        ("on bid if warm do pass", "condition"),
    ],
)
def test_a_standing_order_that_cannot_be_read_is_refused(text: str, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        parse_standing(TOY, text)

"""The stack machine."""

from typing import Any

import pytest

from games.kernel.errors import BadSetup, IllegalAction, MatchOver, NotYourDecision
from games.kernel.orders import apply_orders
from games.kernel.ruleset import dump, fresh, load
from games.kernel.steps import Decision, State, Step, apply, legal, nearest, notation, owed, question, settle
from games.kernel.table import Scripted, SearchTable
from tests.kernel.toy import TOY, Bid, Hide, Purse, Round, Window


def hidden() -> Any:
    g = fresh(TOY)
    apply(g, "blue", ("hide", 1), Scripted())
    apply(g, "red", ("hide", 2), Scripted())
    return g


def test_steps_happen_in_the_order_written() -> None:
    g = Purse([], {}, {}, [])
    g.do(Bid("red"), Window("blue"))
    assert g.todo == [Window("blue"), Bid("red")]
    g.do(Hide(("red",)))
    assert question(g) == Hide(("red",))


def test_seats_that_owe_together_answer_in_any_order() -> None:
    g: Any = fresh(TOY)
    assert owed(g) == ("red", "blue")
    apply(g, "blue", ("hide", 2), Scripted())
    assert owed(g) == ("red",) and g.hidden == {"blue": 2}
    assert legal(g, "blue") == []


def test_a_window_with_one_answer_is_closed_and_told() -> None:
    g = hidden()
    apply(g, "red", ("bid", 1), Scripted())
    assert g.log == ["red bid 1", "declined"] and g.rounds == 2
    g = Purse([Window("blue")], {}, {"red": 6}, [])
    assert settle(g, Scripted()) == [("blue", ("decline",))]
    assert owed(g) == () and legal(g, "blue") == [] and question(g) is None


def test_a_window_with_two_answers_is_asked() -> None:
    g = hidden()
    apply(g, "red", ("bid", 3), Scripted())
    assert owed(g) == ("blue",) and legal(g, "blue") == [("decline",), ("peek",)]


def test_always_ask_keeps_a_window_open() -> None:
    class Poker(Window, frozen=True):
        always_ask = True

    g = Purse([Poker("blue")], {}, {"red": 6}, [])
    assert settle(g, Scripted()) == [] and owed(g) == ("blue",)


def test_a_decision_without_options_is_a_broken_invariant() -> None:
    class Nothing(Window, frozen=True):
        def options(self, g: Any, seat: str) -> Any:
            return iter(())

    with pytest.raises(AssertionError, match="offers nothing"):
        settle(Purse([Nothing("blue")], {}, {}, []), Scripted())
    with pytest.raises(AssertionError, match="cannot run"):
        Step().run(None, Scripted())
    for ask in (lambda: Decision().seats(None), lambda: Decision().options(None, "x")):
        with pytest.raises(NotImplementedError):
            ask()
    assert Decision().facts(None) == {}


def test_verbs_that_are_keywords_or_hyphened_find_their_method() -> None:
    g = hidden()
    apply(g, "red", ("pass",), Scripted())
    apply_orders(g, "red", [("hide", 1)], Scripted())
    apply_orders(g, "blue", [("hide", 1)], Scripted())
    apply(g, "red", ("roll-over",), Scripted(4))
    assert "red pass" in g.log and "red rolled 4" in g.log


def test_refusals_say_why_and_change_nothing() -> None:
    g = hidden()
    raw = dump(g)
    with pytest.raises(NotYourDecision, match="red must answer"):
        apply(g, "blue", ("bid", 1), Scripted())
    with pytest.raises(IllegalAction, match="bid 9: not possible now; try bid 1"):
        apply(g, "red", ("bid", 9), Scripted())
    assert dump(g) == raw
    receipt = apply_orders(g, "red", [("bid", 1), ("bid", 1)], Scripted())
    assert receipt.taken == 1 and "not red's" not in receipt.refused and receipt.refused
    over = Purse([], {}, {}, [])
    with pytest.raises(MatchOver):
        apply(over, "red", ("pass",), Scripted())


def test_a_clone_shares_nothing_that_changes() -> None:
    g = hidden()
    raw = dump(g)
    twin = g.clone()
    apply(twin, "red", ("bid", 3), SearchTable(1))
    twin.hidden["red"] = 9
    assert dump(g) == raw and dump(twin) != raw


def test_states_survive_json() -> None:
    g = hidden()
    again = load(TOY, dump(g))
    assert dump(again) == dump(g) and again.todo == g.todo and isinstance(again.todo[0], Round)
    for raw in (b"{}", b"[1]", b"nonsense", b'{"todo": [["Tea"]]}'):
        with pytest.raises(BadSetup, match="not a position of Toy"):
            load(TOY, raw)


def test_notation_and_the_nearest_lines() -> None:
    assert notation(("put", "S.mortars.1", 3)) == "put S.mortars.1 3"
    assert nearest("bid 3 now", ["pass", "bid 1", "bid 3"]) == ["bid 3", "bid 1", "pass"]
    assert isinstance(fresh(TOY), State)

"""Standing orders in words: when they end, `or`, `else`, and conditions nobody can see; ways to answer at once."""

import pytest

from games import catalogue
from games.kernel.errors import Unreadable
from games.kernel.orders import Expiry, parse_order, parse_standing, split_expiry
from games.kernel.steps import apply, legal, question, settle
from games.kernel.table import SeededTable
from games.kernel.ways import ways

SF = catalogue.find("second_fallujah")


@pytest.mark.parametrize(
    ("text", "rest", "expiry"),
    [
        ("adv never", "adv never", Expiry()),
        ("adv never once", "adv never", Expiry(times=1)),
        ("adv never, 3 times", "adv never", Expiry(times=3)),
        ("adv never until turn 3", "adv never", Expiry(turn=3)),
        ("adv never until 14 March.", "adv never", Expiry(date=(14, 3))),
    ],
)
def test_an_order_may_end(text: str, rest: str, expiry: Expiry) -> None:
    assert split_expiry(text) == (rest, expiry)
    assert parse_standing(SF, text) == parse_standing(SF, rest)


@pytest.mark.parametrize("text", ["adv never until 99 Mar", "adv never until 14 Mai", "adv never 0 times"])
def test_an_end_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        split_expiry(text)


def test_or_is_a_second_order_and_else_a_last_one() -> None:
    orders = parse_standing(SF, "on advantage if cp<3 or swing>4 do adv reroll else adv no")
    assert [(order.when, order.do) for order in orders] == [
        ((("cp", "<", 3),), ("adv reroll",)),
        ((("swing", ">", 4),), ("adv reroll",)),
        ((), ("adv no",)),
    ]
    assert len(parse_standing(SF, "on advantage if cp<3 do adv reroll else ask")) == 1


def test_a_condition_must_be_a_fact_of_the_decision() -> None:
    with pytest.raises(Unreadable, match="You cannot see 'hand' at advantage"):
        parse_standing(SF, "on advantage if hand=3 do adv no")


@pytest.mark.parametrize("key", catalogue.all_keys())
def test_every_fact_a_condition_may_read_is_there(key: str) -> None:
    """What is listed for a decision is what its facts give."""
    import random

    from games.kernel.ruleset import fresh
    from games.kernel.steps import owed

    rules = catalogue.find(key)
    rng, g, table = random.Random(5), fresh(rules, 5), SeededTable(5)
    for _ in range(600):
        seats = owed(g)
        if not seats:
            return
        decision = question(g)
        names = {cls.__name__ for cls in type(decision).__mro__}
        for word, kind in rules.decisions.items():
            if kind in names and word in rules.standing_facts:
                assert decision is not None and set(decision.facts(g)) == set(rules.standing_facts[word]), word
        apply(g, seats[0], rng.choice(legal(g, seats[0])), table, trusted=True)


def test_a_guard_may_have_two_conditions() -> None:
    order = parse_order("then if cp<3 and ov>=10 adv reroll")
    assert (order.guard, order.text, order.kept) == ("cp<3 and ov>=10", "adv reroll", True)


def test_all_ways_to_take_losses() -> None:
    position = {
        "turn": 1, "impulse": 1, "side": "coalition", "control": {"coalition": []},
        "units": {"45": ["F1", "C1", "M1", "M2"]},
        "todo": [
            "AfterActionPhase", "EndCoalitionImpulse", {"step": "Casualties", "area": 45, "points": 3, "lead": "F1"},
        ],
    }  # fmt: skip
    g = SF.from_position(position, SF.setup({}))
    settle(g, SeededTable(0))
    found = ways(SF, g, "insurgent")
    assert found and all(len(way) > 1 for way in found)
    for way in found:
        twin = g.clone()
        for action in way:
            assert type(question(twin)).__name__ == "CasualtiesChoice" and action in legal(twin, "insurgent")
            apply(twin, "insurgent", action, SeededTable(0))
        assert type(question(twin)).__name__ != "CasualtiesChoice"

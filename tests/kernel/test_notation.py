"""Reading what people type."""

import pytest

from games.kernel.errors import Ambiguous, Unreadable
from games.kernel.notation import action_from_json, find, listed, split_orders, tidy

VERBS = ("put", "go", "fire", "done", "dig", "area", "strike")
NAMES = {"Jolan Park": 1, "Jolan": 2, "Askari East": 3, "Askari West": 4}


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("lead 1/8\u2013A", "lead 1/8-A"),
        ("adv \u22121", "adv -1"),
        ("lead \u00bc-B", "lead 1/4-B"),
        ("a\u00a0b\u2009c\td", "a b c d"),
        ("2.2\u2019 \u201cx\u201d", '2.2\' "x"'),
        ("24 \u2192 26 -> 30", "24 > 26 > 30"),
        ("fi\u200bre \U0001f600", "fire "),
        ("\uff11\uff12", "12"),
    ],
)
def test_phones_and_mail_programs_are_undone(typed: str, plain: str) -> None:
    assert tidy(typed) == plain


@pytest.mark.parametrize(
    ("typed", "orders"),
    [
        ("put a 1; put b 2\nfire.", ["put a 1", "put b 2", "fire"]),
        ("area 24, strike M2, done", ["area 24", "strike M2", "done"]),
        ("put F 31, 19 and 46", ["put F 31 19 46"]),
        ("dig F@45 and dig F@46", ["dig F@45", "dig F@46"]),
        ("- put a 1\n2) go b\n* fire", ["put a 1", "go b", "fire"]),
        ("go a / go b // a comment; fire", ["go a", "go b"]),
        ("go a then fire", ["go a", "then fire"]),
        ("go a, then if won fire", ["go a", "then if won fire"]),
        ("\n ; \n", []),
    ],
)
def test_a_message_is_split_into_orders(typed: str, orders: list[str]) -> None:
    assert split_orders(typed, VERBS) == orders


def test_an_exact_name_wins_over_a_part() -> None:
    def names(thing: str) -> list[str]:
        return [thing]

    things = list(NAMES)
    assert find("jolan", things, names) == "Jolan"
    assert find("PARK", things, names) == "Jolan Park"
    assert find("askari-w", things, names) == "Askari West"
    with pytest.raises(Ambiguous, match="Askari East or Askari West; which area"):
        find("askari", things, names, "area")
    with pytest.raises(Unreadable, match="no area jolam"):
        find("jolam", things, names, "area")
    with pytest.raises(Unreadable, match="The area is missing"):
        find(" ", things, names, "area")


def test_lists_in_words() -> None:
    assert listed(["a"]) == "a" and listed(["a", "b"]) == "a or b" and listed([]) == "none"
    assert listed([str(n) for n in range(12)]).endswith("8 or 3 more")


def test_actions_from_json() -> None:
    assert action_from_json(["put", "S.mortars.1", 3]) == ("put", "S.mortars.1", 3)
    for wrong in ("put", [], [3], ["put", True], ["put", 1.5], {"a": "put"}, None):
        with pytest.raises(Unreadable):
            action_from_json(wrong)

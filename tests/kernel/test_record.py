"""Ledger lines, replay, undo, and what a seat has learned."""

import random
from typing import Any

import pytest

from games.kernel.errors import ChanceRanOut, IllegalAction
from games.kernel.record import Entry, learned_nothing, live, replay, replay_on
from games.kernel.ruleset import dump, fresh
from games.kernel.steps import apply, legal, owed
from games.kernel.table import ReplayTable, Scripted, SeededTable
from tests.kernel.toy import TOY


def recorded(seed: int) -> tuple[list[Entry], Any]:
    rng = random.Random(seed)
    g = fresh(TOY)
    entries = [Entry(0, "", ("open",), (), "server")]
    while owed(g):
        table = SeededTable(rng)
        seat = owed(g)[-1]
        action = rng.choice(legal(g, seat))
        apply(g, seat, action, table)
        entries.append(Entry(len(entries), seat, action, tuple(table.rolls), "player"))
    return entries, g


@pytest.mark.parametrize("seed", range(5))
def test_a_game_comes_back_from_its_entries(seed: int) -> None:
    entries, g = recorded(seed)
    assert dump(replay(TOY, TOY.setup(), entries)) == dump(g)
    half = replay(TOY, TOY.setup(), entries[:4])
    assert dump(replay_on(half, entries[4:])) == dump(g)


def test_an_undo_voids_the_entries_before_it() -> None:
    entries, _ = recorded(1)
    kept = entries[:4]
    undo = Entry(5, "red", ("undo", 2), (), "player")
    talk = Entry(6, "red", ("resign",), (), "player")
    assert live([*kept, undo, talk]) == kept[:2]
    assert live([*kept, undo, entries[2]]) == [*kept[:2], entries[2]]
    with pytest.raises(IllegalAction, match="only 3 can be"):
        live([*kept, Entry(5, "red", ("undo", 4), (), "player")])


def test_recorded_chance_must_fit() -> None:
    g: Any = fresh(TOY)
    hides = [Entry(1, "red", ("hide", 1), (), "p"), Entry(2, "blue", ("hide", 1), (), "p")]
    replay_on(g, hides)
    for rolls, words in (
        ((), "no chance is left"),
        ((("d6", 9),), "shows 1 to 6"),
        ((("d6", 1), ("d6", 2)), "not used"),
    ):
        with pytest.raises(ChanceRanOut, match=words):
            replay_on(g.clone(), [Entry(3, "red", ("roll-over",), rolls, "p")])


def test_nothing_is_learned_from_what_could_be_foreseen() -> None:
    g = fresh(TOY)
    assert learned_nothing(TOY, g, "red", [("hide", 1)])
    apply(g, "red", ("hide", 1), Scripted())
    apply(g, "blue", ("hide", 2), Scripted())
    assert learned_nothing(TOY, g, "red", [("bid", 2)])
    assert not learned_nothing(TOY, g, "red", [("roll-over",)])


def test_something_is_learned_when_a_hidden_thing_shows() -> None:
    class Open(type(TOY)):  # type: ignore[misc]
        def view(self, g: Any, seat: str | None) -> Any:
            return {"all": g.hidden} if g.log else super().view(g, seat)

    g = fresh(TOY)
    apply(g, "red", ("hide", 1), Scripted())
    apply(g, "blue", ("hide", 2), Scripted())
    assert not learned_nothing(Open(), g, "red", [("bid", 2)])


def test_tables_keep_every_roll_and_its_kind() -> None:
    table = SeededTable(1)
    table.d6(2), table.d10(), table.draw(57), table.draw(5, secret=True)
    assert [kind for kind, _ in table.rolls] == ["d6", "d6", "d10", "of57", "of5?"]
    again = ReplayTable([value for _, value in table.rolls])
    assert [*again.d6(2), again.d10(), again.draw(57), again.draw(5)] == [value for _, value in table.rolls]
    assert again.left == []
    with pytest.raises(ChanceRanOut, match="draw from 5"):
        Scripted(5).draw(5)
    with pytest.raises(ChanceRanOut, match="d10"):
        Scripted().d10()

"""11. Invariants over whole random games."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.card_assault import RULES
from games.card_assault.board import Board, defending, misplaced, score
from games.card_assault.tables import FORCE, HAND_LIMIT, IDS, TYPE
from games.kernel.steps import apply, legal, owed
from games.kernel.table import SeededTable

SEEDS = st.integers(0, 10**9)


def hidden_ids(g: Board) -> set[str]:
    return {IDS[~card] for cards in g.fronts for card in cards if card < 0}


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.booleans())
def test_every_card_stays_in_its_place(seed: int, dice: bool) -> None:
    rng = random.Random(seed)
    table = SeededTable(rng)
    g = RULES.start(RULES.setup({"dice_combat": dice}), table)
    while owed(g):
        assert misplaced(g) == []
        assert score(g) == sum(FORCE[c] for c in g.capture) - sum(FORCE[c] for c in g.casualty)
        assert -166 <= score(g) <= 76
        name = type(g.todo[-1]).__name__
        if name != "Resource":
            assert len(g.hand) + len(g.plan) <= HAND_LIMIT
        check_view(g)
        before = g.clone()
        action = rng.choice(legal(g, "american"))
        apply(g, "american", action, table)
        check_change(before, g, name, str(action[0]))
    assert misplaced(g) == []
    assert not g.plan and g.turn <= 200


def check_view(g: Board) -> None:
    view = RULES.view(g, "american")
    for front in view["fronts"].values():
        assert all(card == {"up": False} for card in front["cards"] if not card["up"])
    assert hidden_ids(g) <= set(view["unseen"])
    assert view["score"]["points"] == score(g)


def check_change(before: Board, g: Board, name: str, verb: str) -> None:
    if name == "Strike" and verb == "fire":
        assert g.capture[: len(before.capture)] == before.capture
        new = g.casualty[len(before.casualty) :]
        assert all(IDS[card].startswith("P.mosque") for card in new)
    if g.turn == before.turn:
        assert len(g.i_deck) in (len(before.i_deck), max(0, len(before.i_deck) - 3))
    if g.turn > 20:
        assert not g.i_deck
    assert all(TYPE[card] not in "TRD" for card in g.casualty)


@given(st.lists(st.integers(57, 115), max_size=6), st.randoms())
def test_a_value_does_not_depend_on_order(cards: list[int], rng: random.Random) -> None:
    shuffled = cards[:]
    rng.shuffle(shuffled)
    assert defending(cards) == defending(shuffled)

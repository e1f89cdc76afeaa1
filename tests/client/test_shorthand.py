"""The terminal reads what people type exactly as mail does, in every game."""

import random
from typing import Any

import msgspec
import pytest

from fallujah_client import shorthand
from fallujah_client.shapes import Offer
from games import catalogue
from games.kernel.steps import apply, legal, owed
from games.kernel.table import SeededTable
from games.ledger.selectors import Asked
from games.ledger.selectors import Offer as ServerOffer
from notifications.ballot import ballot
from notifications.inbound import language
from notifications.inbound.quotes import NewText

LINES = [
    "1", "2.", "3!", "1 2", "1, 2", "1 and 2", "1..3", "1-3", "1 to 3", "#2", "option 2", "nr 2", "no. 2", "1 2 done",
    "1;2;done", "1 done", "99", "0", "1 99", "3..1", "1..400", "1 frobnicate", "12 men came", "1 24", "1 2 3 4",
    "done", "DONE.", "pass", "then done", "if margin < 0 done", "unless won pass", "stop if lost", "- done", "* pass",
    "a) done", "1) done", "end phase", "put rct 1; fire", "I will pass on this", "done // my comment", "// done",
    "why 3", "why", "why is it so that I lose", "look", "look 24", "look at that thing there", "options", "log",
    "log 10-20", "undo", "undo 3", "undo please", "undo that silly thing", "say Hello, old friend!", "say", "note",
    "note watch the bridge; 4", "say: hello", "standing", "standing on reaction do pass", "standing off 1",
    "rehearse 1", "resign", "resign yes", "rematch", "yes", "no", "no thanks", "no idea what to do", "yes please",
    "help", "help me to understand all this", "rules", "new card_assault vs bot", "cancel 3", "", "   ", "...", "?",
    "“done”", "done\u00a0", "—", "1–3", "１", "4 9 done", "Attack!", "move", "hello", "quit the game please",
    "lines 1 to 2", "all 1..2", "why not put rct 9 over there", "undo 2 because I slept", "say! now", "vacation 3 days",
    "mute", "keep", "keep F3", "unless support(8) and margin>2 done", "if won and lost pass", "claim", "ok 2",
    "set style short",
]  # fmt: skip


def _offers(key: str, steps: int) -> tuple[list[ServerOffer], Any]:
    """A question of the game after some random answers."""
    rules, rng = catalogue.find(key), random.Random(steps)
    table = SeededTable(rng)
    g = rules.start(rules.setup(), table)
    for _ in range(steps):
        if len(legal(g, owed(g)[0])) > 0 and owed(g):
            apply(g, owed(g)[0], rng.choice(legal(g, owed(g)[0])), table)
    seat = owed(g)[0]
    actions = legal(g, seat)
    return [
        ServerOffer(number, action, rules.say(g, action), rules.describe(g, seat, action), rules.cite(g, action), "")
        for number, action in enumerate(actions, 1)
    ], rules


@pytest.mark.parametrize("steps", [0, 3, 9])
@pytest.mark.parametrize("key", catalogue.all_keys())
def test_a_line_means_the_same_in_the_terminal_and_in_a_mail(key: str, steps: int) -> None:
    offers, rules = _offers(key, steps)
    asked = Asked(0, "x", True, "", "", {}, False, offers, len(offers), len(offers))
    lines = ballot(asked)
    shown = [msgspec.convert(msgspec.to_builtins(offer), Offer) for offer in offers]
    listed = shorthand.rows(shown)
    assert [(row.number, row.notation, row.words, row.odds, row.rule) for row in listed] == [
        (line.number, line.notation, line.words, line.odds, line.rule) for line in lines
    ]
    verbs = frozenset(verb.lower() for verb in rules.verbs) | {offer.notation.split()[0].lower() for offer in offers}
    words = language.Words(verbs, tuple(lines))
    own = [row.notation.replace("_", row.fills[0]) for row in listed[:5]] + [f"1 {listed[0].fills[-1]}"]
    for typed in [*LINES, *own]:
        ours, theirs = shorthand.read(typed, listed, verbs), _by_mail(typed, words)
        if ours.command in shorthand.HERE:
            continue
        assert (ours.kind, ours.texts, ours.command, ours.argument) == theirs, typed


def _by_mail(line: str, words: language.Words) -> tuple[str, tuple[str, ...], str, str]:
    (block,) = language.read_blocks(NewText([line]), language.WordsOf({None: words}))
    if not block.items:
        return "nothing", (), "", ""
    item = block.items[0]
    return item.kind, item.texts if item.kind == "order" else (), item.command, item.argument


def test_a_number_that_means_nothing_is_said_so() -> None:
    offers = [Offer(1, ["put", "F", 1], "put F 1", "", "", ""), Offer(2, ["put", "F", 2], "put F 2", "", "", "")]
    assert (
        shorthand.read("3", shorthand.rows(offers), frozenset({"put"})).why
        == "There is no line 3; there are lines 1 to 2."
    )
    many = [Offer(n, ["put", "F", n], f"put F {n}", "", "", "") for n in range(1, 30)]
    listed = shorthand.rows(many)
    assert [row.notation for row in listed] == ["put F _"]
    assert shorthand.read("1 24", listed, frozenset({"put"})).texts == ("put F 24",)
    assert "does not fit the blank of line 1" in shorthand.read("1 77", listed, frozenset({"put"})).why

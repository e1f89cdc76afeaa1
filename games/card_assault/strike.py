"""6. The Strike Phase."""

from collections.abc import Iterator
from typing import ClassVar

from games.card_assault.actions import PUT
from games.card_assault.board import (
    Board,
    american_attack,
    defending,
    front,
    ids,
    in_sight,
    may_strike,
    remove_insurgent,
    set_front,
    spend,
    targets,
)
from games.card_assault.combat import Placing, compare
from games.card_assault.tables import CARD, FRONTS, SUPPORT, S, T, X
from games.card_assault.victory import finish_if_cleared
from games.kernel.steps import Action, Step
from games.kernel.table import Seat, Table


class StrikePhase(Step, frozen=True):
    """6. Open while a support card is in hand and a front shows something to strike."""

    def run(self, g: Board, table: Table) -> None:
        if SUPPORT.isdisjoint(g.hand):
            return
        if may_strike(in_sight(g)):
            g.todo.append(STRIKE_DECISION)


class Strike(Placing, frozen=True):
    """6. Support on fronts with a face-up card that is no explosive (R13); tactics join support (R23)."""

    name: ClassVar[str] = "strike"
    needed: ClassVar[frozenset[int]] = SUPPORT

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        struck = [number for number in FRONTS if may_strike(front(g, number))]
        supported = {where for card, where in g.plan if card < S.stop}
        joined = [number for number in struck if number in supported]
        found: list[Action] = []
        for card in g.hand:
            if card >= S.start:
                row = PUT[card]
                for number in joined if card >= T.start else struck:
                    found.append(row[number])
        return iter(self.closed(g, found))

    def put(self, g: Board, table: Table, card_id: str, number: int) -> None:
        self.lay(g, CARD[card_id], number)

    def fire(self, g: Board, table: Table) -> None:
        g.returned.clear()
        g.idle = False
        for number in targets(g):
            strike(g, number, table)
        finish_if_cleared(g, table)


def strike(g: Board, number: int, table: Table) -> None:
    """5.1. Only face-up cards count and are hit; nothing is captured, nobody shoots back."""
    cards, theirs = spend(g, number), front(g, number)
    attack, defence = american_attack(cards), defending(theirs)
    won, dice = compare(g, attack, defence, table, american=True)
    g.a_discard.extend(cards)
    gone: list[int] = []
    if won:
        gone = [card for card in theirs if 0 <= card < X.start]
        set_front(g, number, tuple([card for card in theirs if not 0 <= card < X.start]))
        for card in gone:
            remove_insurgent(g, card)
    if table.hears:
        table.tell(
            "strike", front=number, cards=ids(cards), attack=attack, defence=defence, dice=dice, won=won, gone=ids(gone)
        )


STRIKE_PHASE, STRIKE_DECISION = StrikePhase(), Strike()

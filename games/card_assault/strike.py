"""6. The Strike Phase."""

from collections.abc import Iterator
from typing import ClassVar

from games.card_assault.actions import DONE, FIRE, PUT
from games.card_assault.board import (
    Board,
    american_attack,
    defending,
    front,
    ids,
    may_strike,
    planned,
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
        if may_strike(g.front1) or may_strike(g.front2) or may_strike(g.front3):
            g.todo.append(STRIKE_DECISION)


class Strike(Placing, frozen=True):
    """6. Support on fronts with a face-up card that is no explosive (R13); tactics join support (R23)."""

    name: ClassVar[str] = "strike"

    def is_needed(self, card: int) -> bool:
        return S.start <= card < S.stop

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        struck = [number for number in FRONTS if may_strike(front(g, number))]
        joined = {where for card, where in g.plan if card < S.stop}
        for card in g.hand:
            if card >= T.start:
                for number in struck:
                    if number in joined:
                        yield PUT[card][number]
            elif card >= S.start:
                for number in struck:
                    yield PUT[card][number]
        if g.plan:
            yield from self.takebacks(g)
            yield FIRE
        else:
            yield DONE

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
    attack, defence = american_attack(planned(g, number)), defending(front(g, number))
    won, dice = compare(g, attack, defence, table, american=True)
    cards = spend(g, number)
    g.a_discard.extend(cards)
    gone: list[int] = []
    if won:
        gone = [card for card in front(g, number) if 0 <= card < X.start]
        set_front(g, number, tuple([card for card in front(g, number) if not 0 <= card < X.start]))
        for card in gone:
            remove_insurgent(g, card)
    table.tell(
        "strike", front=number, cards=ids(cards), attack=attack, defence=defence, dice=dice, won=won, gone=ids(gone)
    )


STRIKE_PHASE, STRIKE_DECISION = StrikePhase(), Strike()

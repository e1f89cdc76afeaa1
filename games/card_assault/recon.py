"""4 and 5. The Recon Phase and the Disarm Phase."""

from collections.abc import Iterator
from typing import ClassVar

from games.card_assault.actions import DISARM, DONE, RECON
from games.card_assault.board import Board, front, front_of, has_hidden, ids, in_sight, set_front
from games.card_assault.combat import PhaseDecision
from games.card_assault.tables import CARD, DISARM_CARDS, EXPLOSIVES, FRONTS, IDS, RECON_CARDS, SUCCESS, D, R, X
from games.card_assault.victory import finish_if_cleared
from games.kernel.steps import Action, Step
from games.kernel.table import Seat, Table


class ReconPhase(Step, frozen=True):
    """4. Open while a recon card is in hand and a card lies face down."""

    def run(self, g: Board, table: Table) -> None:
        if RECON_CARDS.isdisjoint(g.hand):
            return
        if has_hidden(in_sight(g)):
            g.todo.append(RECON_DECISION)


class Recon(PhaseDecision, frozen=True):
    """4. One die for each recon card: on 1 to 4 the whole front is turned up (R26)."""

    name: ClassVar[str] = "recon"

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        hidden = [number for number in FRONTS if has_hidden(front(g, number))]
        for card in g.hand:
            if R.start <= card < R.stop:
                for number in hidden:
                    yield RECON[card][number]
        yield DONE

    def recon(self, g: Board, table: Table, card_id: str, number: int) -> None:
        card = CARD[card_id]
        g.hand.remove(card)
        g.a_discard.append(card)
        g.idle = False
        die = table.d6()[0]
        shown: list[int] = []
        if die <= SUCCESS:
            cards = front(g, number)
            shown = [~card for card in cards if card < 0]
            set_front(g, number, tuple([card if card >= 0 else ~card for card in cards]))
        table.tell("recon", card=card_id, front=number, die=die, cards=ids(shown))
        g.todo.append(RECON_PHASE)

    def done(self, g: Board, table: Table) -> None:
        pass


class DisarmPhase(Step, frozen=True):
    """5. Open while a disarm card is in hand and an explosive lies face up."""

    def run(self, g: Board, table: Table) -> None:
        if not DISARM_CARDS.isdisjoint(g.hand) and not EXPLOSIVES.isdisjoint(in_sight(g)):
            g.todo.append(DISARM_DECISION)


class Disarm(PhaseDecision, frozen=True):
    """5. One die for each disarm card: on 1 to 4 the explosive is discarded."""

    name: ClassVar[str] = "disarm"

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        bombs = [card for card in in_sight(g) if card >= X.start]
        for card in g.hand:
            if D.start <= card < D.stop:
                for bomb in bombs:
                    yield DISARM[card, bomb]
        yield DONE

    def disarm(self, g: Board, table: Table, card_id: str, bomb_id: str) -> None:
        card, bomb = CARD[card_id], CARD[bomb_id]
        number = front_of(g, bomb)
        g.hand.remove(card)
        g.a_discard.append(card)
        g.idle = False
        die = table.d6()[0]
        if die <= SUCCESS:
            set_front(g, number, tuple([other for other in front(g, number) if other != bomb]))
            g.i_discard.append(bomb)
        table.tell("disarm", card=card_id, bomb=IDS[bomb], front=number, die=die)
        g.todo.append(DISARM_PHASE)
        finish_if_cleared(g, table)

    def done(self, g: Board, table: Table) -> None:
        pass


RECON_PHASE, RECON_DECISION = ReconPhase(), Recon()
DISARM_PHASE, DISARM_DECISION = DisarmPhase(), Disarm()

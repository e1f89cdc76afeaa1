"""3. The turn and its nine phases, in the order they are printed."""

from collections.abc import Iterator
from typing import ClassVar

from games.card_assault.actions import DISCARD, DONE, END
from games.card_assault.artillery import ARTILLERY_PHASE
from games.card_assault.assault import ASSAULT_PHASE, INSURGENT_FIRE
from games.card_assault.board import Board, has_hidden, ids, in_sight, take_into_hand
from games.card_assault.combat import SEATS
from games.card_assault.recon import DISARM_PHASE, RECON_PHASE
from games.card_assault.strike import STRIKE_PHASE
from games.card_assault.tables import CARD, FORCE, HAND_LIMIT, IDS, REINFORCEMENTS, TYPE
from games.card_assault.victory import finish, finish_if_cleared
from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision, Step
from games.kernel.table import Seat, Table


class Turn(Step, frozen=True):
    """3. Nine phases, then the end test."""

    def run(self, g: Board, table: Table) -> None:
        g.turn += 1
        table.tell("turn", turn=g.turn)
        g.todo.extend(PHASES)


class Reinforcement(Step, frozen=True):
    """1. Draw two American cards; an empty deck is made anew from the discard while that is allowed (R4)."""

    def run(self, g: Board, table: Table) -> None:
        drawn: list[int] = []
        for _ in range(REINFORCEMENTS):
            deck = g.a_deck
            if not deck:
                if g.reshuffles >= g.max_reshuffles or not g.a_discard:
                    break
                g.a_deck = deck = sorted(g.a_discard)
                g.a_discard = []
                g.reshuffles += 1
                table.tell("reshuffled", cards=len(deck))
            card = deck.pop(table.draw(len(deck)))
            take_into_hand(g, card)
            drawn.append(card)
        g.idle = not drawn and not g.i_deck
        if table.hears:
            table.tell("reinforced", cards=ids(drawn), left=len(g.a_deck))


class ResourcePhase(Step, frozen=True):
    """2. Asked only with more than six cards, or where the operation may be called off (R19)."""

    def run(self, g: Board, table: Table) -> None:
        if len(g.hand) > HAND_LIMIT or (g.allow_end and not g.i_deck):
            g.todo.append(RESOURCE_DECISION)


class Resource(Decision, frozen=True):
    """2. Discard down to six; then, once the insurgent deck is empty, go on or end the game."""

    name: ClassVar[str] = "resource"

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return SEATS

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        if len(g.hand) > HAND_LIMIT:
            for card in g.hand:
                yield DISCARD[card]
        else:
            yield DONE
            if g.allow_end and not g.i_deck:
                yield END

    def surely_open(self, g: Board) -> bool:
        return len(g.hand) > HAND_LIMIT

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"hand": len(g.hand), "deck": len(g.i_deck), "turn": g.turn, "over": max(0, len(g.hand) - HAND_LIMIT)}

    def discard(self, g: Board, table: Table, card_id: str) -> None:
        card = CARD[card_id]
        g.hand.remove(card)
        g.a_discard.append(card)
        table.tell("discarded", card=card_id)
        g.todo.append(RESOURCE_PHASE)

    def done(self, g: Board, table: Table) -> None:
        pass

    def end(self, g: Board, table: Table) -> None:
        finish(g, table, "ended")


class InsurgentMovement(Step, frozen=True):
    """3. A card for each front; the second and fourth lie face down.

    While any card lies face down the place of a card in the deck would tell something about it, so the
    draw itself is kept secret then, even where the card is shown.
    """

    def run(self, g: Board, table: Table) -> None:
        deck = g.i_deck
        fronts = [g.front1, g.front2, g.front3]
        hidden = has_hidden(in_sight(g))
        for place, cards in enumerate(fronts):
            if not deck:
                break
            down = len(cards) in (1, 3)
            hidden = hidden or down
            card = deck.pop(table.draw(len(deck), secret=hidden))
            if down:
                fronts[place] = (*cards, ~card)
                table.tell("laid-down", front=place + 1)
                continue
            cards = (*cards, card)
            table.tell("laid-up", front=place + 1, card=IDS[card])
            if len(cards) > 4:
                surplus = overflow(cards)
                if surplus is not None:
                    g.i_discard.append(surplus)
                    cards = tuple([other for other in cards if other != surplus])
                    table.tell("overflow", front=place + 1, card=IDS[surplus])
            fronts[place] = cards
        g.front1, g.front2, g.front3 = fronts


def overflow(cards: tuple[int, ...]) -> int | None:
    """3. The card a fifth or later one pushes out: of its type the lowest face-up one, of objectives the highest.

    Equal force: the one placed last goes, so the new card rather than an old one (R6).
    """
    kind = TYPE[cards[-1]]
    same = [card for card in cards if card >= 0 and TYPE[card] == kind]
    if len(same) < 2:
        return None
    same.reverse()
    if kind == "O":
        return max(same, key=FORCE.__getitem__)
    return min(same, key=FORCE.__getitem__)


class EndOfTurn(Step, frozen=True):
    """7. The end test, then the next turn. A turn in which nothing could move ends the game (R20)."""

    def run(self, g: Board, table: Table) -> None:
        finish_if_cleared(g, table)
        if g.over:
            return
        if g.idle:
            finish(g, table, "deadlock")
        else:
            g.todo.append(TURN)


TURN, END_OF_TURN = Turn(), EndOfTurn()
RESOURCE_PHASE, RESOURCE_DECISION = ResourcePhase(), Resource()
PHASES: tuple[Step, ...] = (
    END_OF_TURN,
    INSURGENT_FIRE,
    ASSAULT_PHASE,
    ARTILLERY_PHASE,
    STRIKE_PHASE,
    DISARM_PHASE,
    RECON_PHASE,
    InsurgentMovement(),
    RESOURCE_PHASE,
    Reinforcement(),
)  # the last is the top of the stack

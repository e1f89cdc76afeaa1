"""7. The Artillery Phase."""

from collections.abc import Iterator
from typing import ClassVar

from games.card_assault.actions import AIM, PUT_ON
from games.card_assault.board import (
    Board,
    american_attack,
    american_defence,
    attacking,
    front,
    front_of,
    ids,
    in_sight,
    planned,
    remove_insurgent,
    set_front,
    spend,
    targets,
)
from games.card_assault.combat import Placing, compare, explosives, turn_up
from games.card_assault.tables import CARD, FORCE, GUNS, IDS, INSURGENTS, POSITIONS, A, G, T
from games.card_assault.victory import finish_if_cleared
from games.kernel.steps import Action, Step
from games.kernel.table import Seat, Table

ARMOR = frozenset(A)
ARMOR_AND_GUNS = ARMOR | GUNS


def artillery(g: Board) -> frozenset[int]:
    """R14. Armor; with the option, the two kinds of guns as well."""
    return ARMOR if g.artillery_types == "armor" else ARMOR_AND_GUNS


def positions_in_sight(g: Board) -> list[int]:
    return [card for card in in_sight(g) if card in POSITIONS]


class ArtilleryPhase(Step, frozen=True):
    """7. Open while armor is in hand and a position lies face up."""

    def run(self, g: Board, table: Table) -> None:
        if artillery(g).isdisjoint(g.hand) or POSITIONS.isdisjoint(in_sight(g)):
            return
        g.todo.append(ARTILLERY_DECISION)


class Artillery(Placing, frozen=True):
    """7. Each armor card aims at one face-up position; tactics join armor."""

    name: ClassVar[str] = "artillery"
    needed: ClassVar[frozenset[int]] = frozenset(range(T.start))  # of what may be put here, all but tactics

    def surely_open(self, g: Board) -> bool:
        return not g.returned or not artillery(g).isdisjoint(g.hand)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        positions, guns = positions_in_sight(g), artillery(g)
        aimed_at = {where for card, where in g.plan if card < T.start}
        joined = [position for position in positions if position in aimed_at]
        found: list[Action] = []
        for card in g.hand:
            if card >= T.start:
                for position in joined:
                    found.append(PUT_ON[card, position])
            elif card in guns:
                for position in positions:
                    found.append(AIM[card, position])
        return iter(self.closed(g, found))

    def aim(self, g: Board, table: Table, card_id: str, position_id: str) -> None:
        self.lay(g, CARD[card_id], CARD[position_id])

    def put(self, g: Board, table: Table, card_id: str, position_id: str) -> None:
        self.lay(g, CARD[card_id], CARD[position_id])

    def fire(self, g: Board, table: Table) -> None:
        g.returned.clear()
        g.idle = False
        g.do(*[Bombard(target) for target in targets(g)])


class Bombard(Step, frozen=True):
    """5.2. One attack on one position: turn up, explosives, then the guns (R28)."""

    target: int

    def run(self, g: Board, table: Table) -> None:
        number = front_of(g, self.target)
        turn_up(g, number, table)
        g.todo.append(BombardResult(self.target))
        explosives(g, self.target, number, table)


class BombardResult(Step, frozen=True):
    """5.2. The guns against the position alone; then the insurgents answer, positions not counted (R15)."""

    target: int

    def run(self, g: Board, table: Table) -> None:
        number = front_of(g, self.target)
        cards = planned(g, self.target)
        if cards and min(cards) < T.start:
            self.shoot(g, table, number, cards)
            if not INSURGENTS.isdisjoint(front(g, number)):
                self.answer(g, table, number, cards)
        g.a_discard.extend(spend(g, self.target))
        finish_if_cleared(g, table)

    def shoot(self, g: Board, table: Table, number: int, cards: list[int]) -> None:
        attack, defence = american_attack(cards), FORCE[self.target]
        won, dice = compare(g, attack, defence, table, american=True)
        if won:
            set_front(g, number, tuple([card for card in front(g, number) if card != self.target]))
            remove_insurgent(g, self.target)
        if table.hears:
            table.tell(
                "artillery",
                front=number,
                target=IDS[self.target],
                cards=ids(cards),
                attack=attack,
                defence=defence,
                dice=dice,
                won=won,
            )

    def answer(self, g: Board, table: Table, number: int, cards: list[int]) -> None:
        attack, defence = attacking(front(g, number)), american_defence(cards)
        won, dice = compare(g, attack, defence, table, american=False)
        if won:
            hit = [card for card in cards if card < A.stop or G.start <= card < G.stop]
            g.plan = [pair for pair in g.plan if pair[0] not in hit]
            g.casualty.extend(hit)
        if table.hears:
            table.tell("answer", front=number, cards=ids(cards), attack=attack, defence=defence, dice=dice, won=won)


ARTILLERY_PHASE, ARTILLERY_DECISION = ArtilleryPhase(), Artillery()

"""8 and 9. The Assault Phase and the Insurgent Fire Phase."""

from collections.abc import Iterator
from typing import ClassVar

from games.card_assault.actions import PUT
from games.card_assault.board import (
    Board,
    american_attack,
    american_defence,
    attacking,
    defending,
    front,
    ids,
    in_sight,
    may_assault,
    planned,
    remove_insurgent,
    set_front,
    spend,
    targets,
)
from games.card_assault.combat import Placing, compare, explosives, turn_up
from games.card_assault.tables import CARD, FRONTS, INSURGENTS, LEADERS, G, N, O, S
from games.card_assault.victory import finish_if_cleared
from games.kernel.steps import Action, Step
from games.kernel.table import Seat, Table


class AssaultPhase(Step, frozen=True):
    """8. Open while infantry or armor is in hand and a front is a legal target."""

    def run(self, g: Board, table: Table) -> None:
        if LEADERS.isdisjoint(g.hand):
            return
        if may_assault(in_sight(g)):
            g.todo.append(ASSAULT_DECISION)


class Assault(Placing, frozen=True):
    """8. Infantry and armor on fronts that show an insurgent or objective (R16); support and tactics join."""

    name: ClassVar[str] = "assault"
    needed: ClassVar[frozenset[int]] = LEADERS

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        open_fronts = [number for number in FRONTS if may_assault(front(g, number))]
        led = {where for card, where in g.plan if card < G.stop}
        joined = [number for number in open_fronts if number in led]
        found: list[Action] = []
        for card in g.hand:
            row = PUT[card]
            if card in LEADERS:
                for number in open_fronts:
                    found.append(row[number])
            elif card >= S.start:
                for number in joined:
                    found.append(row[number])
        return iter(self.closed(g, found))

    def put(self, g: Board, table: Table, card_id: str, number: int) -> None:
        self.lay(g, CARD[card_id], number)

    def fire(self, g: Board, table: Table) -> None:
        g.returned.clear()
        g.idle = False
        g.do(*[STORM[number] for number in targets(g)])


class Storm(Step, frozen=True):
    """5.3. One assault: turn up, explosives, then the comparison."""

    front: int

    def run(self, g: Board, table: Table) -> None:
        turn_up(g, self.front, table)
        g.todo.append(STORM_RESULT[self.front])
        explosives(g, self.front, self.front, table)


class StormResult(Step, frozen=True):
    """5.3. Won: insurgents and objectives are captured. Not won: the cards wait for phase 9 (R17, R18)."""

    front: int

    def run(self, g: Board, table: Table) -> None:
        number = self.front
        cards, theirs = planned(g, number), front(g, number)
        attack, defence = american_attack(cards), defending(theirs)
        won, dice = False, ""
        if not LEADERS.isdisjoint(cards):
            won, dice = compare(g, attack, defence, table, american=True)
        else:
            attack = 0
        captured: list[int] = []
        if won:
            captured = [card for card in theirs if card < N.start or O.start <= card < O.stop]
            g.capture.extend(captured)
            for card in theirs:
                if card not in captured:
                    remove_insurgent(g, card)
            set_front(g, number, ())
            g.a_discard.extend(spend(g, number))
        else:
            g.failed += (number,)
        if table.hears:
            table.tell(
                "assault",
                front=number,
                cards=ids(cards),
                attack=attack,
                defence=defence,
                dice=dice,
                won=won,
                captured=ids(captured),
            )
        finish_if_cleared(g, table)


class InsurgentFire(Step, frozen=True):
    """9. Every front assaulted and not won shoots back, positions not counted."""

    def run(self, g: Board, table: Table) -> None:
        for number in g.failed:
            fire_back(g, number, table)
        g.failed = ()


def fire_back(g: Board, number: int, table: Table) -> None:
    """5.4. Insurgents win: infantry and armor are casualties. A front without insurgents does not fire."""
    cards, theirs = spend(g, number), front(g, number)
    attack, defence = attacking(theirs), american_defence(cards)
    won, dice = False, ""
    if not INSURGENTS.isdisjoint(theirs):
        won, dice = compare(g, attack, defence, table, american=False)
    lost_cards = [card for card in cards if won and card in LEADERS]
    g.casualty.extend(lost_cards)
    g.a_discard.extend([card for card in cards if card not in lost_cards])
    if table.hears:
        lost = ids(lost_cards)
        table.tell(
            "fire", front=number, cards=ids(cards), attack=attack, defence=defence, dice=dice, won=won, lost=lost
        )


ASSAULT_PHASE, ASSAULT_DECISION, INSURGENT_FIRE = AssaultPhase(), Assault(), InsurgentFire()
STORM = {number: Storm(number) for number in FRONTS}
STORM_RESULT = {number: StormResult(number) for number in FRONTS}

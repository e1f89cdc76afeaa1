"""4 and 5. What strikes, artillery and assaults share: placing cards, turning up, explosives, comparing."""

from collections.abc import Iterator
from typing import ClassVar

from games.card_assault.actions import DONE, FIRE, LOSE, TAKEBACK
from games.card_assault.board import AMERICAN_SEAT, Board, front, front_of, ids, set_front, take_into_hand
from games.card_assault.tables import CARD, FORCE, IDS, SUCCESS, TYPE, T, X
from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision
from games.kernel.table import Seat, Table

SEATS = (AMERICAN_SEAT,)
FIRST_EXPLOSIVE = X.start


class PhaseDecision(Decision, frozen=True):
    """A phase that is open to the seat; `done` or `fire` closes it."""

    name: ClassVar[str] = ""

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return SEATS

    def surely_open(self, g: Board) -> bool:
        """The phase step opens it only with something to do; then `done` is the second option."""
        return True

    def facts(self, g: Board) -> dict[str, Fact]:
        acts = sum(1 for action in self.options(g, AMERICAN_SEAT) if action[0] not in ("done", "takeback"))
        return {"name": self.name, "acts": acts, "turn": g.turn, "hand": len(g.hand), "deck": len(g.i_deck)}


class Placing(PhaseDecision, frozen=True):
    """6 to 8. Cards are put one at a time; one `fire` for everything ends the phase (R11, R21)."""

    needed: ClassVar[frozenset[int]]  # units that others may only join: S in a strike, G or A in an assault

    def surely_open(self, g: Board) -> bool:
        """What was put last can be taken back, or a needed unit can be put: a second option beside `fire`."""
        return not g.returned or not self.needed.isdisjoint(g.hand)

    def takebacks(self, g: Board) -> list[Action]:
        """R27. Each card once; never the last needed unit while others lean on it (R23)."""
        found: list[Action] = []
        for card, where in g.plan:
            if card in g.returned:
                continue
            if card in self.needed:
                there = [other for other, place in g.plan if place == where and other != card]
                if there and self.needed.isdisjoint(there):
                    continue
            found.append(TAKEBACK[card])
        return found

    def closed(self, g: Board, found: list[Action]) -> list[Action]:
        """What may be put, and after it what may be taken back and the order that ends the phase."""
        if g.plan:
            found += self.takebacks(g)
            found.append(FIRE)
        else:
            found.append(DONE)
        return found

    def takeback(self, g: Board, table: Table, card_id: str) -> None:
        card = CARD[card_id]
        g.plan = [pair for pair in g.plan if pair[0] != card]
        g.returned.append(card)
        take_into_hand(g, card)
        g.todo.append(self)

    def lay(self, g: Board, card: int, target: int) -> None:
        g.hand.remove(card)
        g.plan.append((card, target))
        g.todo.append(self)

    def done(self, g: Board, table: Table) -> None:
        g.returned.clear()


def turn_up(g: Board, number: int, table: Table) -> tuple[int, ...]:
    """Turn every card of a front face up."""
    cards = front(g, number)
    hidden = [~card for card in cards if card < 0]
    if hidden:
        cards = tuple([card if card >= 0 else ~card for card in cards])
        set_front(g, number, cards)
        if table.hears:
            table.tell("turned-up", front=number, cards=ids(hidden))
    return cards


def explosives(g: Board, target: int, number: int, table: Table) -> None:
    """5. A die for each explosive of the front; the best unit below their sum is lost.

    Where units of different types tie for it the seat must choose: `ChooseLoss` is then pushed (R12).
    """
    cards = front(g, number)
    bombs = [card for card in cards if card >= FIRST_EXPLOSIVE]
    if not bombs:
        return
    dice = table.d6(len(bombs))
    exploded = [bomb for bomb, die in zip(bombs, dice, strict=True) if die <= SUCCESS]
    force = sum([FORCE[bomb] for bomb in exploded])
    if table.hears:
        shown = " ".join(map(str, dice))
        table.tell("explosives", front=number, bombs=ids(bombs), dice=shown, exploded=ids(exploded), force=force)
    if not exploded:
        return
    g.casualty.extend(exploded)
    set_front(g, number, tuple([card for card in cards if card not in exploded]))
    candidates = loss_candidates(g, target, force)
    if len(candidates) > 1:
        g.todo.append(ChooseLoss(target, force))
    elif candidates:
        lose(g, candidates[0], number, table)


def loss_candidates(g: Board, target: int, force: int) -> list[int]:
    """The units that tie as the strongest below `force`, the lowest id of each type (R1, R12)."""
    below = [card for card, where in g.plan if where == target and card < T.start and FORCE[card] < force]
    if not below:
        return []
    best = max([FORCE[card] for card in below])
    found: dict[str, int] = {}
    for card in sorted(below):
        if FORCE[card] == best:
            found.setdefault(TYPE[card], card)
    return list(found.values())


def lose(g: Board, card: int, number: int, table: Table) -> None:
    g.plan = [pair for pair in g.plan if pair[0] != card]
    g.casualty.append(card)
    table.tell("blown-up", front=number, card=IDS[card])


class ChooseLoss(Decision, frozen=True):
    """5. Units of different types tie as the strongest below the explosion: the seat picks (R12)."""

    target: int  # a front, or the position card aimed at
    force: int  # of the explosion

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return SEATS

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        for card in loss_candidates(g, self.target, self.force):
            yield LOSE[card]

    def facts(self, g: Board) -> dict[str, Fact]:
        return {"front": front_of(g, self.target), "e": self.force, "turn": g.turn}

    def lose(self, g: Board, table: Table, card_id: str) -> None:
        lose(g, CARD[card_id], front_of(g, self.target), table)


def compare(g: Board, attack: int, defence: int, table: Table, *, american: bool) -> tuple[bool, str]:
    """4. Whether the attacker wins: more than the defender (R9); with dice, one each on top (R10).

    Also the dice for the news, the American one first, empty without dice.
    """
    dice = ""
    if g.dice_combat:
        ours, theirs = table.d6(2)
        dice = f"{ours} {theirs}"
        attack += ours if american else theirs
        defence += theirs if american else ours
    if attack != defence or g.ties == "defender":
        return attack > defence, dice
    return (g.ties == "american") is american, dice

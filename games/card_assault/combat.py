"""4 and 5. What strikes, artillery and assaults share: placing cards, turning up, explosives, comparing."""

from collections.abc import Iterator
from typing import ClassVar

from games.card_assault.actions import LOSE, TAKEBACK
from games.card_assault.board import AMERICAN_SEAT, Board, front, front_of, ids, set_front, take_into_hand
from games.card_assault.tables import CARD, FORCE, IDS, SUCCESS, TYPE, T, X
from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision
from games.kernel.table import Seat, Table

SEATS = (AMERICAN_SEAT,)


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

    def is_needed(self, card: int) -> bool:
        """Whether this is a unit that others may only join: S in a strike, A in artillery, G or A in an assault."""
        raise NotImplementedError

    def surely_open(self, g: Board) -> bool:
        """While nothing was taken back the card put last can be: a second option beside `fire`."""
        return not g.returned

    def takebacks(self, g: Board) -> Iterator[Action]:
        """R27. Each card once; never the last needed unit while others lean on it (R23)."""
        for card, where in g.plan:
            if card in g.returned:
                continue
            if self.is_needed(card):
                there = [other for other, place in g.plan if place == where and other != card]
                if there and not any(map(self.is_needed, there)):
                    continue
            yield TAKEBACK[card]

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
        table.tell("turned-up", front=number, cards=ids(hidden))
    return cards


def explosives(g: Board, target: int, table: Table) -> bool:
    """5. A die for each explosive of the front; the best unit below their sum is lost.

    True when units of different types tie for it and the seat must choose: `ChooseLoss` is then pushed (R12).
    """
    number = front_of(g, target)
    cards = front(g, number)
    bombs = [card for card in cards if card >= X.start]
    if not bombs:
        return False
    dice = table.d6(len(bombs))
    exploded = [bomb for bomb, die in zip(bombs, dice, strict=True) if die <= SUCCESS]
    force = sum([FORCE[bomb] for bomb in exploded])
    table.tell(
        "explosives", front=number, bombs=ids(bombs), dice=" ".join(map(str, dice)), exploded=ids(exploded), force=force
    )
    if not exploded:
        return False
    g.casualty.extend(exploded)
    set_front(g, number, tuple([card for card in cards if card not in exploded]))
    candidates = loss_candidates(g, target, force)
    if len(candidates) > 1:
        g.todo.append(ChooseLoss(target, force))
        return True
    if candidates:
        lose(g, candidates[0], number, table)
    return False


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

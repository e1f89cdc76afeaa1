"""What lies on the table, and small questions about it.

A front is a tuple of cards, oldest first; a face-down card is stored as its complement (`~card`, negative).
Decks are unordered: they are kept sorted, and a card is drawn by its index.
"""

from bisect import insort
from collections.abc import Iterable

from games.card_assault.tables import AMERICAN, FORCE, FRONTS, IDS, INSURGENT, KIND, MOSQUES, A, I, N, O, P, T
from games.kernel.steps import State

AMERICAN_SEAT = "american"
HIDDEN = frozenset(~card for card in INSURGENT)
STRUCK = frozenset((*I, *N, *O, *P))
CAPTURED = frozenset((*I, *O))


class Board(State):
    """Everything on the table. Options of the match are here too, so that a state is whole."""

    a_deck: list[int]
    a_discard: list[int]
    hand: list[int]  # sorted
    i_deck: list[int]
    i_discard: list[int]
    front1: tuple[int, ...] = ()
    front2: tuple[int, ...] = ()
    front3: tuple[int, ...] = ()
    capture: list[int] = []
    casualty: list[int] = []
    plan: list[tuple[int, int]] = []  # (card, front or position card) in the order they were put
    returned: list[int] = []  # cards taken back in this phase; each may be once (R27)
    failed: tuple[int, ...] = ()  # fronts assaulted and not won
    turn: int = 0
    reshuffles: int = 0
    idle: bool = False  # nothing could be drawn this turn and nothing was played yet (R20)
    over: str = ""
    max_reshuffles: int = 1
    ties: str = "defender"
    dice_combat: bool = False
    artillery_types: str = "armor"
    allow_end: bool = True

    @property
    def fronts(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        return self.front1, self.front2, self.front3


def front(g: Board, number: int) -> tuple[int, ...]:
    return g.front1 if number == 1 else g.front2 if number == 2 else g.front3


def set_front(g: Board, number: int, cards: tuple[int, ...]) -> None:
    if number == 1:
        g.front1 = cards
    elif number == 2:
        g.front2 = cards
    else:
        g.front3 = cards


def front_of(g: Board, target: int) -> int:
    """The front a target is in: a front number is itself, a card is looked for."""
    if target <= 3:
        return target
    return next(number for number in FRONTS if target in front(g, number))


def in_sight(g: Board) -> tuple[int, ...]:
    """All cards at the fronts, hidden ones too, front by front."""
    return g.front1 + g.front2 + g.front3


def has_hidden(cards: Iterable[int]) -> bool:
    return not HIDDEN.isdisjoint(cards)


def may_strike(cards: Iterable[int]) -> bool:
    """5.1. A face-up card that is not an explosive (R13)."""
    return not STRUCK.isdisjoint(cards)


def may_assault(cards: Iterable[int]) -> bool:
    """5.3. A face-up insurgent or objective (R16, R29)."""
    return not CAPTURED.isdisjoint(cards)


def defending(cards: Iterable[int]) -> int:
    """4. Insurgents defending, face-up cards only: insurgents x (1 + tactics) + positions (R7)."""
    force, positions, times = 0, 0, 1
    for card in cards:
        if card < I.start:
            continue
        if card < I.stop:
            force += FORCE[card]
        elif card < N.stop:
            times += 1
        elif P.start <= card < P.stop:
            positions += FORCE[card]
    return force * times + positions


def attacking(cards: Iterable[int]) -> int:
    """4. Insurgents attacking: insurgents x (1 + tactics)."""
    force, times = 0, 1
    for card in cards:
        if I.start <= card < I.stop:
            force += FORCE[card]
        elif N.start <= card < N.stop:
            times += 1
    return force * times


def american_attack(cards: Iterable[int]) -> int:
    """4. Americans attacking: all units x (1 + tactics) (R8)."""
    force, times = 0, 1
    for card in cards:
        if card >= T.start:
            times += 1
        else:
            force += FORCE[card]
    return force * times


def american_defence(cards: Iterable[int]) -> int:
    """4. Americans defending: infantry, support and twice armor, x (1 + tactics)."""
    force, times = 0, 1
    for card in cards:
        if card >= T.start:
            times += 1
        elif card < A.stop:
            force += 2 * FORCE[card]
        else:
            force += FORCE[card]
    return force * times


def planned(g: Board, target: int) -> list[int]:
    return [card for card, where in g.plan if where == target]


def targets(g: Board) -> list[int]:
    """What is attacked, in the order it is resolved: front 1, 2, 3, the oldest position first (R28)."""
    chosen = {where for _, where in g.plan}
    if chosen.issubset(FRONTS):
        return sorted(chosen)
    order: list[int] = []
    for number in FRONTS:
        if number in chosen:
            order.append(number)
        order.extend([card for card in front(g, number) if card in chosen])
    return order


def spend(g: Board, target: int) -> list[int]:
    """Take every card put on a target out of the plan and return them."""
    cards = [card for card, where in g.plan if where == target]
    g.plan = [pair for pair in g.plan if pair[1] != target]
    return cards


def remove_insurgent(g: Board, card: int) -> None:
    """A card removed by American action: to the insurgent discard, a Mosque to casualty (R2)."""
    (g.casualty if card in MOSQUES else g.i_discard).append(card)


def take_into_hand(g: Board, card: int) -> None:
    insort(g.hand, card)


def ids(cards: Iterable[int]) -> str:
    """Cards as one fact for the news: their ids with spaces between."""
    return " ".join([IDS[card] for card in cards])


def score(g: Board) -> int:
    """6. Captured force less casualty force."""
    return sum(FORCE[card] for card in g.capture) - sum(FORCE[card] for card in g.casualty)


def unseen(g: Board) -> list[int]:
    """9. Insurgent cards the seat has not seen: deck and face-down cards together, as a multiset."""
    hidden = [~card for cards in g.fronts for card in cards if card < 0]
    return sorted([*g.i_deck, *hidden])


def can_draw(g: Board) -> bool:
    """Whether any American card can still be drawn, with a reshuffle if one is left (R4)."""
    return bool(g.a_deck) or (g.reshuffles < g.max_reshuffles and bool(g.a_discard))


def is_cleared(g: Board) -> bool:
    """7.1. The insurgent deck is empty and no card is on any front."""
    return not (g.i_deck or g.front1 or g.front2 or g.front3)


def misplaced(g: Board) -> list[str]:
    """Broken invariants 1, 2 and 8 of a position, as sentences; empty when every card is where it may be."""
    wrong: list[str] = []
    american = [*g.a_deck, *g.a_discard, *g.hand, *(card for card, _ in g.plan)]
    insurgent = [*g.i_deck, *g.i_discard, *(card if card >= 0 else ~card for cards in g.fronts for card in cards)]
    for card in g.casualty:
        if KIND[card].type not in "GASX" and card not in MOSQUES:
            wrong.append(f"{IDS[card]} cannot be a casualty")
    for card in g.capture:
        if KIND[card].type not in "IO":
            wrong.append(f"{IDS[card]} cannot be captured")
    everything = [*american, *insurgent, *g.capture, *g.casualty]
    for card in (*AMERICAN, *INSURGENT):
        count = everything.count(card)
        if count != 1:
            wrong.append(f"{IDS[card]} is {'missing' if not count else f'in {count} places'}")
    wrong.extend(f"{IDS[card]} is not an American card" for card in american if card not in AMERICAN)
    wrong.extend(f"{IDS[card]} is not an insurgent card" for card in insurgent if card in AMERICAN)
    return wrong

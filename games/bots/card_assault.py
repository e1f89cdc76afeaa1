"""Players for Card Assault."""

import random
from collections.abc import Sequence
from itertools import combinations
from typing import ClassVar

import msgspec

from games.bots.base import Bot, Choice
from games.card_assault.assault import Assault
from games.card_assault.board import (
    Board,
    american_attack,
    attacking,
    defending,
    front,
    may_assault,
    may_strike,
    unseen,
)
from games.card_assault.strike import Strike
from games.card_assault.tables import CARD, FORCE, FRONTS, IDS, KIND, LEADERS, MOSQUES, SUCCESS, SUPPORT, A, T
from games.kernel.ruleset import Ruleset
from games.kernel.steps import Action, State, legal
from games.kernel.table import Seat

WORLDS = 16  # samples of what a front may hide, for each decision
FORCE_PRICE = 0.05  # what spending a point of force is worth in victory points
TACTICS_PRICE = 0.3
WORTH_IT = 0.3  # an assault must promise more than this


class World(msgspec.Struct, frozen=True):
    """One way the hidden cards and the dice of a front may fall."""

    defence: int
    fire: int
    gain: int
    blast: int


class Plan(msgspec.Struct, frozen=True):
    front: int
    cards: tuple[int, ...]
    worth: float


class CautiousBot:
    """Scouts, disarms, then assaults with the set of cards that promises most for its price.

    What lies face down is sampled from all that is unseen, with the same samples through one turn, so that
    the cards of one plan are put one by one by workers that share nothing.
    """

    key: ClassVar[str] = "cautious"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        assert isinstance(g, Board)
        options = legal(g, seat)
        verbs = {str(action[0]) for action in options}
        if "discard" in verbs:
            return Choice(min(options, key=lambda action: _keep(g, str(action[1]))), "the card I can best do without")
        if "lose" in verbs:
            return Choice(options[-1], "infantry before armor")
        if "recon" in verbs:
            return Choice(max(options, key=lambda action: _recon_worth(g, action)), "the front that hides most")
        if "disarm" in verbs:
            return Choice(max(options, key=_disarm_worth), "the strongest explosive in the way")
        if "end" in verbs and not _anything_to_gain(g):
            return Choice(("end",), "nothing is left to gain")
        if isinstance(g.todo[-1], Strike):
            return _strike(g, options)
        if isinstance(g.todo[-1], Assault):
            return _assault(g, options)
        return Choice(("fire",) if ("fire",) in options else ("done",), "nothing here is worth a card")


def _keep(g: Board, card_id: str) -> float:
    kind = KIND[CARD[card_id]]
    same = sum(1 for card in g.hand if KIND[card].type == kind.type)
    if kind.type == "T":
        return 4.5 if same < 3 else 2.5
    if kind.type == "R":
        return 3.0 if same < 2 else 0.5
    if kind.type == "D":
        return 2.4 if same < 2 else 0.4
    return (kind.force or 0) - (0.6 if kind.type == "S" else 0)


def _recon_worth(g: Board, action: Action) -> float:
    if action[0] == "done":
        return 0.0
    cards = front(g, int(action[2]))
    return sum(1 for card in cards if card < 0) + (0.5 if may_assault(cards) else 0)


def _disarm_worth(action: Action) -> int:
    return 0 if action[0] == "done" else FORCE[CARD[str(action[2])]]


def _anything_to_gain(g: Board) -> bool:
    """Whether an insurgent or objective still lies on a front, seen or not."""
    hidden = any(card < 0 for cards in g.fronts for card in cards)
    return any(may_assault(cards) for cards in g.fronts) or (hidden and may_assault(unseen(g)))


def _strike(g: Board, options: list[Action]) -> Choice:
    """Clear what blocks the sight of a front that cannot be assaulted: tactics and positions, never a Mosque."""
    support = sorted([card for card in [*g.hand, *(card for card, _ in g.plan)] if card in SUPPORT])
    placed = {card for card, _ in g.plan}
    for number in FRONTS:
        cards = front(g, number)
        shown = [card for card in cards if card >= 0]
        if may_assault(cards) or not may_strike(cards) or not MOSQUES.isdisjoint(shown):
            continue
        for card in _cheapest(support, defending(cards)):
            action: Action = ("put", IDS[card], number)
            if card not in placed and action in options:
                return Choice(action, f"front {number} shows nothing to capture, but can be opened")
        support = [card for card in support if card not in _cheapest(support, defending(cards))]
    return Choice(("fire",), "everything is in place") if placed else Choice(("done",), "no strike is worth a card")


def _cheapest(cards: list[int], defence: int) -> tuple[int, ...]:
    """The weakest set of support that beats a defence; empty when none does."""
    sets = [chosen for size in (1, 2, 3) for chosen in combinations(cards, size) if american_attack(chosen) > defence]
    return min(sets, key=american_attack, default=())


def _assault(g: Board, options: list[Action]) -> Choice:
    cards = sorted([*g.hand, *(card for card, _ in g.plan)])
    plans = best_plans(g, cards)
    placed = {card for card, _ in g.plan}
    for plan in plans:
        for card in sorted(plan.cards, key=lambda card: (card not in LEADERS, card)):
            action: Action = ("put", IDS[card], plan.front)
            if card not in placed and action in options:
                return Choice(action, f"front {plan.front} promises {plan.worth:.1f} points")
    if ("fire",) in options:
        return Choice(("fire",), "everything is in place")
    return Choice(("done",), "no assault is worth its price")


def best_plans(g: Board, cards: list[int]) -> list[Plan]:
    """The best assault, then the best with what is left, until none is worth it."""
    rng = random.Random(g.turn * 1009 + len(g.i_discard))
    worlds = {number: sample_worlds(g, number, rng) for number in FRONTS if may_assault(front(g, number))}
    left = [card for card in cards if card in LEADERS or FORCE[card] or card >= T.start]
    plans: list[Plan] = []
    while worlds:
        best = max((best_plan(number, left, worlds[number], g.ties) for number in worlds), key=lambda plan: plan.worth)
        if best.worth <= WORTH_IT:
            break
        plans.append(best)
        del worlds[best.front]
        left = [card for card in left if card not in best.cards]
    return plans


def sample_worlds(g: Board, number: int, rng: random.Random) -> list[World]:
    pool = unseen(g)
    shown = [card for card in front(g, number) if card >= 0]
    hidden = len(front(g, number)) - len(shown)
    bombs = any(KIND[card].type == "X" for card in shown)
    worlds = []
    for _ in range(WORLDS if hidden or bombs else 1):
        cards = [*shown, *rng.sample(pool, hidden)]
        blast = sum(FORCE[c] for c in cards if KIND[c].type == "X" and rng.randrange(6) < SUCCESS)
        gain = sum(FORCE[c] for c in cards if KIND[c].type in "IO")
        gain -= sum(FORCE[c] for c in cards if KIND[c].key == "mosque")
        worlds.append(World(defending(cards), attacking(cards), gain, blast))
    return worlds


def best_plan(number: int, cards: list[int], worlds: list[World], ties: str) -> Plan:
    best = Plan(number, (), 0.0)
    for size in range(1, len(cards) + 1):
        for chosen in combinations(cards, size):
            if LEADERS.isdisjoint(chosen):
                continue
            worth = value(chosen, worlds, ties)
            if worth > best.worth:
                best = Plan(number, chosen, worth)
    return best


def value(chosen: Sequence[int], worlds: list[World], ties: str) -> float:
    """What an assault with these cards brings on average, less the price of the cards."""
    forces = sorted(FORCE[card] for card in chosen if card < T.start)
    times = 1 + sum(1 for card in chosen if card >= T.start)
    attack = american_attack(chosen)
    leading = sum(FORCE[card] for card in chosen if card in LEADERS)
    defence = (sum(forces) + sum(FORCE[card] for card in chosen if card < A.stop)) * times
    total = 0.0
    for world in worlds:
        lost = max((force for force in forces if force < world.blast), default=0) if world.blast else 0
        total -= lost + world.blast
        ours = attack - lost * times
        if ours > world.defence or (ours == world.defence and ties == "american"):
            total += world.gain
        elif world.fire > defence - lost * times:
            total -= leading - lost
    return total / len(worlds) - FORCE_PRICE * sum(forces) - TACTICS_PRICE * (times - 1)


BOTS: tuple[Bot, ...] = (CautiousBot(),)

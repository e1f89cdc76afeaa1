"""9. What the seat may know. A spectator sees the same: there is no opponent to hide the hand from."""

from typing import Any

from games.card_assault.artillery import artillery, positions_in_sight
from games.card_assault.board import (
    AMERICAN_SEAT,
    Board,
    american_attack,
    american_defence,
    defending,
    front,
    front_of,
    has_hidden,
    may_assault,
    may_strike,
    planned,
    score,
    targets,
    unseen,
)
from games.card_assault.tables import FORCE, FRONTS, IDS, KIND, LEADERS, TYPE_WORDS, I, N, P, S, T, next_rank, rank
from games.kernel.steps import question
from games.kernel.table import Table

PHASE_WORDS = ("resource", "recon", "disarm", "strike", "artillery", "assault")


def phase_of(g: Board) -> str:
    """The phase that is open: one of PHASE_WORDS, `over`, or empty between phases."""
    decision = question(g)
    if decision is None:
        return "over"
    name = getattr(decision, "name", "")
    if name:
        return str(name)
    target = getattr(decision, "target", None)
    return "" if target is None else "assault" if target <= 3 else "artillery"


def card_view(card: int) -> dict[str, Any]:
    kind = KIND[card]
    return {
        "id": IDS[card],
        "name": kind.name,
        "short": kind.short,
        "type": kind.type,
        "kind": TYPE_WORDS[kind.type],
        "force": kind.force,
        "note": kind.note,
        "up": True,
    }


def view(g: Board) -> dict[str, Any]:
    points = score(g)
    above = next_rank(points)
    return {
        "turn": g.turn,
        "phase": phase_of(g),
        "over": g.over or None,
        "fronts": {str(number): front_view(g, number) for number in FRONTS},
        "hand": [card_view(card) for card in g.hand],
        "plan": [attack_view(g, target) for target in targets(g)],
        "failed": list(g.failed),
        "piles": {
            "a_deck": {"count": len(g.a_deck)},
            "i_deck": {"count": len(g.i_deck)},
            "a_discard": pile_view(g.a_discard),
            "i_discard": pile_view(g.i_discard),
            "capture": pile_view(g.capture),
            "casualty": pile_view(g.casualty),
        },
        "score": {
            "points": points,
            "captured": [FORCE[card] for card in g.capture],
            "lost": [{"id": IDS[card], "short": KIND[card].short, "force": FORCE[card]} for card in g.casualty],
            "rank": rank(points),
            "next": {"from": above[0], "rank": above[1]} if above else None,
        },
        "unseen": [IDS[card] for card in unseen(g)],
        "explosion": explosion_view(g),
        "reshuffles": g.reshuffles,
        "options": options_of(g),
    }


def explosion_view(g: Board) -> dict[str, Any] | None:
    """The explosion whose victim the seat must choose, if that is the question."""
    decision = question(g)
    if decision is None or getattr(decision, "target", None) is None:
        return None
    return {"front": front_of(g, decision.target), "force": decision.force}  # type: ignore[attr-defined]


def options_of(g: Board) -> dict[str, Any]:
    return {
        "max_reshuffles": g.max_reshuffles,
        "ties": g.ties,
        "dice_combat": g.dice_combat,
        "artillery_types": g.artillery_types,
        "allow_end": g.allow_end,
    }


def pile_view(cards: list[int]) -> dict[str, Any]:
    return {
        "count": len(cards),
        "top": card_view(cards[-1]) if cards else None,
        "cards": [IDS[card] for card in cards],
    }


def front_view(g: Board, number: int) -> dict[str, Any]:
    cards = front(g, number)
    return {
        "cards": [card_view(card) if card >= 0 else {"up": False} for card in cards],
        "hidden": sum(1 for card in cards if card < 0),
        "shows": defending(cards),
        "sum": insurgent_sum(cards),
        "attack": why_attack(g, number),
    }


def insurgent_sum(cards: tuple[int, ...]) -> str:
    """The defence that is seen, as it is worked out: `(5 + 1) x 2 + 3 = 15`."""
    men = [FORCE[card] for card in cards if I.start <= card < I.stop]
    places = [FORCE[card] for card in cards if P.start <= card < P.stop]
    tactics = sum(1 for card in cards if N.start <= card < N.stop)
    return written_sum(men, 1 + tactics, places)


def american_sum(cards: list[int], doubled: bool = False) -> str:
    """The American value as it is worked out: `(5 + 5 + 3) x 2 = 26`; armor doubled on defence."""
    men = [FORCE[card] * (2 if doubled and KIND[card].type == "A" else 1) for card in cards if card < T.start]
    return written_sum(men, 1 + sum(1 for card in cards if card >= T.start), [])


def written_sum(men: list[int], times: int, places: list[int]) -> str:
    total = sum(men) * times + sum(places)
    text = " + ".join(map(str, men))
    if men and times > 1:
        text = f"({text}) x {times}" if len(men) > 1 else f"{text} x {times}"
    text = " + ".join(part for part in (text, *map(str, places)) if part)
    return text if text == str(total) or not text else f"{text} = {total}"


def attack_view(g: Board, target: int) -> dict[str, Any]:
    number = front_of(g, target)
    cards, theirs = planned(g, target), front(g, number)
    return {
        "front": number,
        "target": target if target <= 3 else IDS[target],
        "cards": [card_view(card) for card in cards],
        "value": american_attack(cards),
        "sum": american_sum(cards),
        "defence_value": american_defence(cards),
        "against": defending(theirs) if target <= 3 else FORCE[target],
        "hidden": sum(1 for card in theirs if card < 0),
    }


def why_attack(g: Board, number: int) -> dict[str, dict[str, Any]]:
    """For each phase: whether this front can be a target now, and the reason in a few words."""
    cards = front(g, number)
    hand = [*g.hand, *(card for card, _ in g.plan)]
    has_place = any(card in cards for card in positions_in_sight(g))
    checks = {
        "recon": (has_hidden(cards), "nothing is face down", any(KIND[c].type == "R" for c in hand), "no recon card"),
        "disarm": (
            any(card >= 0 and KIND[card].type == "X" for card in cards),
            "no explosive seen",
            any(KIND[c].type == "D" for c in hand),
            "no disarm card",
        ),
        "strike": (may_strike(cards), "nothing to strike seen", any(c in S for c in hand), "no support card"),
        "artillery": (has_place, "no position seen", not artillery(g).isdisjoint(hand), "no armor card"),
        "assault": (
            may_assault(cards),
            "no insurgent or objective seen",
            not LEADERS.isdisjoint(hand),
            "no infantry or armor card",
        ),
    }
    told: dict[str, dict[str, Any]] = {}
    for phase, (target, no_target, means, no_means) in checks.items():
        why = "no cards there" if not cards else no_target if not target else no_means if not means else ""
        told[phase] = {"can": not why, "why": why}
    return told


def imagine(g: Board, table: Table) -> Board:
    """The face-down cards dealt afresh from all that are unseen."""
    other = g.clone()
    pool = unseen(g)
    for number in FRONTS:
        cards = front(g, number)
        if has_hidden(cards):
            dealt = tuple(card if card >= 0 else ~pool.pop(table.draw(len(pool), secret=True)) for card in cards)
            setattr(other, f"front{number}", dealt)
    other.i_deck = pool
    return other


__all__ = ["AMERICAN_SEAT", "PHASE_WORDS", "imagine", "phase_of", "view"]

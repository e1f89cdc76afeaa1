"""What both forms of the card table share: what is lit, what is new, cards and buttons."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.card_assault import words
from games.card_assault.faces import draw_card, pitch
from games.drawing import Drawing, marks, svg, theme
from games.drawing.type import fitted
from games.kernel.ruleset import Scene
from games.kernel.table import News

COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six")
VERB_WORDS = {"fire": "resolve what is placed", "done": "end this phase", "end": "end the game now"}
BATTLES = ("strike", "artillery", "answer", "assault", "fire", "explosives")


class Lit(NamedTuple):
    """What may be chosen, sorted by where it is shown."""

    fronts: dict[int, list[tuple[int, str]]]  # ballot number (0: none) and card of each order at a front
    cards: dict[str, list[int]]  # ballot numbers on a card, which is a target itself
    hand: frozenset[str]  # cards that may be played
    buttons: list[tuple[str, int]]


def lit(scene: Scene) -> Lit:
    fronts: dict[int, list[tuple[int, str]]] = {}
    cards: dict[str, list[int]] = {}
    hand: set[str] = set()
    buttons: list[tuple[str, int]] = []
    for action in scene.legal:
        number = scene.numbers.get(action, 0)
        if len(action) == 1:
            buttons.append((str(action[0]), number))
            continue
        if len(action) == 2:
            cards.setdefault(str(action[1]), []).append(number)
            continue
        hand.add(str(action[1]))
        if isinstance(action[2], int):
            fronts.setdefault(action[2], []).append((number, str(action[1])))
        else:
            cards.setdefault(action[2], []).append(number)
    return Lit(fronts, cards, frozenset(hand), buttons)


def fresh_cards(recent: Sequence[News]) -> tuple[frozenset[str], dict[int, int]]:
    """Ids of cards that have just come up, and how many came face down at each front."""
    ids: set[str] = set()
    down: dict[int, int] = {}
    for news in recent:
        if news.key in ("turned-up", "recon", "reinforced"):
            ids.update(str(news.facts["cards"]).split())
        elif news.key == "laid-up":
            ids.add(str(news.facts["card"]))
        elif news.key == "laid-down":
            number = int(news.facts["front"])
            down[number] = down.get(number, 0) + 1
    return frozenset(ids), down


def result_of(recent: Sequence[News], number: int) -> str:
    """The last fight at a front in a few words, or nothing."""
    for news in reversed(recent):
        if news.key in BATTLES and news.facts.get("front") == number:
            facts = news.facts
            if news.key == "explosives":
                return f"explosion of {facts['force']}" if facts["exploded"] else "no explosion"
            name = {"answer": "they answer", "fire": "their fire"}.get(news.key, news.key)
            if news.key == "fire":
                end = "loss" if facts["lost"] else "no loss"
            else:
                end = "won" if facts["won"] else "not won"
            return f"{name} {facts['attack']} v {facts['defence']}: {end}"
    return ""


def sentence(news: News) -> str:
    """The news in words, with real minus signs."""
    return re.sub(r"(?<![\w.])-(?=\d)", "−", words.narrate(news))


class CardTable:
    """A picture of the table under way."""

    def __init__(self, scene: Scene, width: float, height: float) -> None:
        self.scene, self.view = scene, scene.view
        self.t = theme(scene.theme)
        self.d = Drawing(width, height, self.t, title="Card Assault")
        self.lit = lit(scene)
        self.fresh, self.down = fresh_cards(scene.recent)
        self.shorts = {str(card["id"]): str(card["short"]) for card in self._all_cards()}

    def _all_cards(self) -> list[Mapping[str, Any]]:
        plan = [card for attack in self.view["plan"] for card in attack["cards"]]
        fronts = [card for front in self.view["fronts"].values() for card in front["cards"] if card["up"]]
        return [*self.view["hand"], *plan, *fronts]

    def ring(self, card: Mapping[str, Any], number: int = 0, newest_down: bool = False) -> str:
        if not card["up"]:
            return "last" if newest_down else ""
        if card["id"] in self.lit.cards or card["id"] in self.lit.hand:
            return "choose"
        return "last" if card["id"] in self.fresh and number else ""

    def ballots(self, card_id: str, right: float, y: float, size: float) -> str:
        """Ballot numbers of a card that is a target, from its upper right corner to the left."""
        numbers = [number for number in self.lit.cards.get(card_id, []) if number]
        return "".join(marks.ballot(n, right - at * size * 1.08, y, size) for at, n in enumerate(reversed(numbers[:4])))

    def front_cards(self, number: int, x: float, y: float, room: float, w: float, gap: float) -> None:
        cards = self.view["fronts"][str(number)]["cards"]
        step = pitch(len(cards), room, w, gap)
        hidden = [at for at, card in enumerate(cards) if not card["up"]]
        new = set(hidden[len(hidden) - self.down.get(number, 0) :]) if self.down.get(number) else set()
        for at, card in enumerate(cards):
            left = x + at * step
            seen = 1.0 if at == len(cards) - 1 else min(1.0, step / w)
            ring = self.ring(card, number, at in new)
            self.d.add(draw_card(self.d, card if card["up"] else None, left, y, w, ring, seen))
            if card["up"]:
                right = left + w * seen - w * 0.1
                self.d.add(self.ballots(str(card["id"]), right, y + w * 0.36, w * 0.27), layer=2)

    def attack_on(self, number: int) -> list[Mapping[str, Any]]:
        return [attack for attack in self.view["plan"] if attack["front"] == number]

    def against(self, attack: Mapping[str, Any]) -> str:
        hidden = int(attack["hidden"])
        if isinstance(attack["target"], str):
            return f"against {attack['against']} of the {self.shorts.get(attack['target'], 'position')}"
        cards = f" and {COUNT_WORDS[min(6, hidden)]} hidden card{'s' if hidden > 1 else ''}" if hidden else ""
        return f"against {attack['against']} seen{cards}"

    def reason(self, number: int) -> tuple[bool, str]:
        """Whether the open phase can touch this front, and why not."""
        told = self.view["fronts"][str(number)]["attack"].get(self.view["phase"])
        return (False, "") if told is None else (bool(told["can"]), str(told["why"]))

    def battle_words(self) -> list[str]:
        return [sentence(news) for news in reversed(self.scene.recent)]

    def heading(self) -> str:
        if self.scene.heading:
            return self.scene.heading
        phase = self.view["phase"]
        return f"turn {self.view['turn']}" + (
            ", the game is over" if phase == "over" else f", {phase} phase" if phase else ""
        )


def dice_of(news: News) -> list[tuple[int, bool]]:
    """Dice a piece of news tells of: value, and whether they are the insurgents'."""
    facts = news.facts
    if news.key in ("recon", "disarm"):
        return [(int(facts["die"]), False)]
    told = [int(part) for part in str(facts.get("dice", "")).split() if part.isdigit()]
    if news.key == "explosives":
        return [(value, True) for value in told[:4]]
    return [(value, at == 1) for at, value in enumerate(told[:2])]


def button(
    table: CardTable, verb: str, number: int, x: float, y: float, w: float, h: float, first: bool, size: float = 17
) -> None:
    """An order that stands alone, as it is typed."""
    t = table.t
    fill, ink, edge = (t.ink, t.paper, t.ink) if first else (t.panel, t.ink, t.ink)
    table.d.add(svg.rect(x, y, w, h, 10, fill, edge, 1.6))
    words_ = VERB_WORDS.get(verb, "")
    middle = x + w / 2
    table.d.add(
        svg.text(middle, y + h / 2 - (2 if words_ else -6), verb.upper(), ink, size, 400, "middle", face="mono")
    )
    (row, *_), small = fitted(words_, w - 20, size * 0.8, 400, 1)
    table.d.add(svg.text(middle, y + h / 2 + size * 0.98, row, ink, small, 400, "middle", opacity=0.8))
    if number:
        table.d.add(marks.ballot(number, x + w - size * 0.95, y + size * 0.95, size * 1.35), layer=3)

"""The card table as SVG, from the view alone: three fronts on the desk, or stacked rows on a phone."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.card_assault import words
from games.card_assault.faces import SHAPE, draw_card, draw_chip, pitch
from games.drawing import Drawing, marks, panels, svg, theme
from games.drawing.palette import BLACK
from games.drawing.type import cut, fitted, width_of
from games.kernel.ruleset import Scene
from games.kernel.table import News

WIDTH, HEIGHT, PHONE = 1200, 856, 720
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


def draw(scene: Scene) -> str:
    """The whole table, or with `scene.crop` the phone form."""
    return Phone(scene).draw() if scene.crop else Desk(scene).draw()


class _Table:
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


CAN_WORDS = {
    "recon": "can be scouted",
    "disarm": "can be disarmed",
    "strike": "can be struck",
    "artillery": "can be shelled",
    "assault": "can be assaulted",
}
CANNOT = {
    "recon": "cannot be scouted",
    "disarm": "nothing to disarm",
    "strike": "cannot be struck",
    "artillery": "cannot be shelled",
    "assault": "cannot be assaulted",
}
ASK = {"recon": "RECON this front", "strike": "PUT a support card here", "assault": "PUT a card here"}


class Desk(_Table):
    """1200 px wide: fronts above, hand, orders and score below, then piles and last events."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene, WIDTH, HEIGHT)

    def draw(self) -> str:
        self.d.add(panels.header(self.t, WIDTH, "Card Assault", self.heading(), self.scene.corner))
        for number in (1, 2, 3):
            self.front(number, 20 + (number - 1) * 390)
        self.hand(20, 468, 700, 196)
        self.orders(732, 468, 190, 196)
        self.score(934, 468, 246, 196)
        self.piles(20, 676, 440, 160)
        self.events(472, 676, 708, 160)
        return self.d.svg()

    def front(self, number: int, x: float) -> None:
        d, t = self.d, self.t
        front = self.view["fronts"][str(number)]
        ground = t.insurgent[1][0]
        d.add(svg.rect(x, 58, 380, 398, 10, ground, t.line, 1))
        d.add(svg.path(f"M{x},244V68a10,10 0 0 1 10,-10H{x + 370}a10,10 0 0 1 10,10V244Z", d.pattern("hatch")))
        title = f"Front {number}"
        d.add(svg.text(x + 14, 84, title, t.ink, 18, 700, halo=ground, halo_width=5))
        told = result_of(self.scene.recent, number)
        can, why = self.reason(number)
        if told:
            told = cut(told, 250, 13, 600)
            d.add(panels.pill(x + 366, 78, told, t.last, t.on_last, 13, anchor="end"))
        elif self.view["phase"] in CAN_WORDS:
            say = CAN_WORDS[self.view["phase"]] if can else why
            ink = t.ink if can else t.quiet if t.name == "dark" else "#4A4C4B"
            d.add(svg.text(x + 366, 84, say, ink, 13.5, 500, "end", halo=ground, halo_width=4))
        if front["cards"]:
            self.front_cards(number, x + 11, 104, 358, 86, 5)
        else:
            d.add(svg.text(x + 190, 168, "no card here", t.quiet, 14, 500, "middle", halo=ground, halo_width=5))
        if front["sum"]:
            say = f"seen {str(front['sum']).replace(' x ', ' × ')}"
            d.add(svg.text(x + 190, 240, say, t.ink, 12, 600, "middle", halo=ground, halo_width=5))
        self.slot(number, x + 8, 252, 364, 196, can, why)

    def slot(self, number: int, x: float, y: float, w: float, h: float, can: bool, why: str) -> None:
        d, t = self.d, self.t
        orders = self.lit.fronts.get(number, [])
        attacks = self.attack_on(number)
        if orders:
            d.add(marks.lit_rect(x, y, w, h, 8, t))
        elif attacks:
            d.add(svg.rect(x, y, w, h, 8, t.panel, t.line, 1.4, fill_opacity=0.6))
        else:
            d.add(svg.rect(x, y, w, h, 8, "none", t.quiet, 1.5, "6 5"))
        if attacks:
            self.placed(attacks, x, y, w)
        middle, top = x + w / 2, y + (172 if attacks else 70)
        if orders and not attacks:
            d.add(
                svg.text(
                    middle,
                    y + 62 if any(n for n, _ in orders) else top,
                    ASK.get(self.view["phase"], "PUT a card here"),
                    t.ink,
                    17,
                    700,
                    "middle",
                )
            )
            if not any(number for number, _ in orders):
                names = ", ".join(dict.fromkeys(self.shorts.get(card, card) for _, card in orders))
                rows, size = fitted(names, w - 40, 13.5, 400, 3, 10)
                d.add(svg.lines(middle, top + 25, rows, t.ink, size, 1.3, 400, "middle"))
        elif not attacks:
            say = CANNOT.get(self.view["phase"], "nothing to do here")
            if any(card["up"] and card["id"] in self.lit.cards for card in self.view["fronts"][str(number)]["cards"]):
                say = "choose a card above"
            elif can:
                say = "no order here now"
            d.add(svg.text(middle, y + 92, say, t.quiet if t.name == "dark" else "#4A4C4B", 17, 600, "middle"))
            if why:
                d.add(svg.text(middle, y + 116, cut(why, w - 30, 13.5, 400), t.ink, 13.5, 400, "middle"))
        self.order_tags(
            [order for order in orders if order[0]], x + 14, y + (168 if attacks else 88), w - 28, 1 if attacks else 3
        )

    def order_tags(self, orders: list[tuple[int, str]], x: float, y: float, w: float, rows: int) -> None:
        """Ballot number and card, as many as there is room for; the rest are in the words of the ballot."""
        size, step = 22.0, 32.0
        left, row = x, 0
        for at, (number, card) in enumerate(orders):
            name = self.shorts.get(card, card)
            wide = size + 10 + width_of(name, 13, 600) + 12
            if left > x and left + wide > x + w:
                left, row = x, row + 1
            if row >= rows:
                self.d.add(
                    svg.text(x + w, y + rows * step + 6, f"and {len(orders) - at} more", self.t.ink, 12, 500, "end")
                )
                return
            self.d.add(marks.ballot(number, left + size / 2 + 2, y + row * step + 6, size), layer=3)
            self.d.add(svg.text(left + size + 10, y + row * step + 10.5, name, self.t.ink, 13, 600))
            left += wide

    def placed(self, attacks: Sequence[Mapping[str, Any]], x: float, y: float, w: float) -> None:
        d, t = self.d, self.t
        cards = [card for attack in attacks for card in attack["cards"]]
        wide = 76
        step = pitch(len(cards), w - 26, wide, 12)
        for at, card in enumerate(cards):
            left = x + 12 + at * step
            seen = 1.0 if at == len(cards) - 1 else min(1.0, step / wide)
            d.add(draw_card(d, card, left, y + 14, wide, self.ring(card), seen))
            d.add(self.ballots(str(card["id"]), left + wide * seen - 9, y + 44, 21), layer=2)
        if len(attacks) == 1 and not any(number for number, _ in self.lit.fronts.get(int(attacks[0]["front"]), [])):
            total = str(attacks[0]["sum"] or 0).replace(" x ", " × ")
            (total, *_), size = fitted(total, w - 30, 20, 700, 1, 11)
            d.add(svg.text(x + w / 2, y + 152, total, t.ink, size, 700, "middle"))
            (say, *_), size = fitted(self.against(attacks[0]), w - 30, 13.5, 400, 1, 10)
            d.add(svg.text(x + w / 2, y + 176, say, t.ink, size, 400, "middle"))
            return
        row = y + 146
        for attack in attacks[:2]:
            total = str(attack["sum"]).replace(" x ", " × ")
            one = len(attacks) == 1
            size = 17.0 if one else 13.5
            words_ = self.against(attack)
            (total, *_), size = fitted(total or "0", w * 0.5, size, 700, 1, 10)
            room = w - 30 - width_of(total, size, 700) - 12
            (words_, *_), small = fitted(words_, room, 13, 400, 1, 10)
            whole = width_of(total, size, 700) + 10 + width_of(words_, small, 400)
            left = x + (w - whole) / 2
            d.add(svg.text(left, row, total, t.ink, size, 700))
            d.add(svg.text(left + width_of(total, size, 700) + 10, row, words_, t.ink, small, 400))
            row += 17

    def hand(self, x: float, y: float, w: float, h: float) -> None:
        hand = self.view["hand"]
        self.d.add(panels.panel(self.t, x, y, w, h, f"your hand · {len(hand)} card{'' if len(hand) == 1 else 's'}"))
        if not hand:
            self.d.add(svg.text(x + w / 2, y + h / 2 + 8, "no cards in hand", self.t.quiet, 15, 400, "middle"))
        wide = 104.0
        step = pitch(len(hand), w - 36, wide, 10)
        for at, card in enumerate(hand):
            left = x + 18 + at * step
            self.d.add(draw_card(self.d, card, left, y + 37, wide, self.ring(card)))
            self.d.add(self.ballots(str(card["id"]), left + wide - 13, y + 78, 25), layer=2)

    def orders(self, x: float, y: float, w: float, h: float) -> None:
        buttons = self.lit.buttons[:3]
        self.d.add(panels.panel(self.t, x, y, w, h, "orders"))
        if not buttons:
            say = "The game is over." if self.view["phase"] == "over" else "No order of its own now."
            rows, size = fitted(say, w - 28, 14, 400, 2)
            self.d.add(svg.lines(x + 14, y + 50, rows, self.t.quiet, size, 1.3, 400))
            return
        step = (h - 34) / max(2, len(buttons))
        for at, (verb, number) in enumerate(buttons):
            button(self, verb, number, x + 12, y + 34 + at * step, w - 24, step - 12, first=at == 0)

    def score(self, x: float, y: float, w: float, h: float) -> None:
        t, d = self.t, self.d
        score = self.view["score"]
        d.add(panels.panel(t, x, y, w, h, "score"))
        points = str(score["points"]).replace("-", "−")
        d.add(svg.text(x + 14, y + 64, points, t.ink, 36, 700))
        left = x + 26 + width_of(points, 36, 700)
        next_ = score["next"]
        say = f"{next_['from']}: {next_['rank']}" if next_ else ""
        room = x + w - 14 - left - (width_of(say, 13, 400) + 8 if say else 0)
        (row, *_), size = fitted(str(score["rank"]), room, 18, 600, 1, 11)
        d.add(svg.text(left, y + 62, row, t.ink, size, 600), svg.text(x + w - 14, y + 62, say, t.quiet, 13, 400, "end"))
        share = max(0, min(51, int(score["points"]))) / 51
        d.add(svg.rect(x + 14, y + 80, w - 28, 9, 4.5, t.line))
        if share:
            d.add(
                svg.rect(
                    x + 14, y + 80, max(9, (w - 28) * share), 9, 4.5, "#0B7A5B" if t.name == "light" else "#35B58D"
                )
            )
        for mark in (6, 11, 16, 21, 26, 31, 36, 41, 46):
            at = x + 14 + (w - 28) * mark / 51
            d.add(svg.line(((at, y + 80), (at, y + 89)), t.panel, 1.4, cap="butt"))
        captured = [int(force) for force in score["captured"]]
        shown = " + ".join(map(str, captured[-8:])) + (f" = {sum(captured)}" if len(captured) > 1 else "")
        told = ["captured " + (("… + " if len(captured) > 8 else "") + shown if captured else "nothing yet")]
        lost = ", ".join(
            f"{card['short']} {card['force']}" if card["force"] else str(card["short"]) for card in score["lost"]
        )
        if width_of(f"lost {lost}", 11.5, 400) > w - 28:
            lost = f"{len(score['lost'])} cards, force {sum(card['force'] or 0 for card in score['lost'])}"
        told.append(f"lost {lost or 'nothing yet'}")
        told.append("Victory from 21, President from 51")
        row_y = y + 116
        for say in told:
            rows, size = fitted(say, w - 28, 13, 400, 1, 10.5)
            d.add(svg.lines(x + 14, row_y, rows, t.quiet, size, 1.2, 400))
            row_y += 23

    def piles(self, x: float, y: float, w: float, h: float) -> None:
        t, d = self.t, self.d
        piles = self.view["piles"]
        d.add(panels.panel(t, x, y, w, h, "piles"))
        shown = (
            ("i_deck", "their deck"),
            ("i_discard", "discard"),
            ("capture", "captured"),
            ("a_deck", "your deck"),
            ("a_discard", "discard"),
            ("casualty", "casualties"),
        )
        for at, (key, label) in enumerate(shown):
            left = x + 18 + at * 69 + (8 if at > 2 else 0)
            pile = piles[key]
            if not pile["count"]:
                d.add(svg.rect(left, y + 34, 52, 52 * SHAPE, 4, "none", t.line, 1.4, "4 3"))
            else:
                for back in range(min(2, pile["count"] - 1), 0, -1):
                    paper = "#2A2723" if "top" not in pile else "#DDD6C4"
                    d.add(svg.rect(left + back * 2, y + 34 - back * 2, 52, 52 * SHAPE, 4, paper, BLACK, 0.9))
                d.add(draw_card(d, pile.get("top"), left, y + 34, 52))
            d.add(svg.text(left + 26, y + 124, label, t.ink, 12, 500, "middle"))
            d.add(svg.text(left + 26, y + 142, str(pile["count"]), t.ink, 15, 700, "middle"))
        d.add(svg.line(((x + 219, y + 30), (x + 219, y + h - 14)), t.line, 1.4))

    def events(self, x: float, y: float, w: float, h: float) -> None:
        d, t = self.d, self.t
        d.add(panels.panel(t, x, y, w, h, "last events"))
        if not self.scene.recent:
            d.add(svg.text(x + 14, y + 50, "nothing yet", t.quiet, 13.5, 400))
        row = y + 47
        for at, news in enumerate(reversed(self.scene.recent[-5:])):
            dice = dice_of(news)
            room = w - 44 - len(dice) * 22
            size = 14.0 if at == 0 else 13.0
            weight = 600 if at == 0 else 400
            say = cut(sentence(news), room, size, weight)
            if at == 0:
                d.add(svg.rect(x + 14, row - 11, 5, 14, 2, t.last))
            d.add(svg.text(x + 28, row, say, t.ink, size, weight))
            for place, (value, dark) in enumerate(reversed(dice)):
                d.add(marks.d6(value, x + w - 24 - place * 22, row - 5, 17, dark))
            row += 23


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
    table: _Table, verb: str, number: int, x: float, y: float, w: float, h: float, first: bool, size: float = 17
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


class Phone(_Table):
    """720 px, for 360 css px: the fronts as rows, placed cards as chips, then hand and orders."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene, PHONE, 100)

    def draw(self) -> str:
        t = self.t
        y = self.bar()
        told = self.battle_words()[:1]
        if told:
            rows, size = fitted(told[0], PHONE - 72, 24, 600, 2, 19)
            high = 24 + len(rows) * size * 1.2
            self.d.add(svg.rect(16, y, PHONE - 32, high, 14, t.last))
            self.d.add(svg.lines(36, y + 12 + size * 0.86, rows, t.on_last, size, 1.2, 600))
            y += high + 16
        for number in (1, 2, 3):
            y = self.front(number, y)
        y = self.hand(y + 8)
        self.d.height = y + 8
        return self.d.svg()

    def bar(self) -> float:
        dark = self.t.name == "dark"
        fill, ink = ("#1D2327", "#EFE9DB") if dark else (BLACK, "#F6F1E6")
        points = f"{self.view['score']['points']} VP".replace("-", "−")
        self.d.add(svg.rect(0, 0, PHONE, 84, 0, fill), svg.text(PHONE - 28, 54, points, ink, 31, 600, "end"))
        phase = "over" if self.view["phase"] == "over" else self.view["phase"] or "turn"
        say = f"{str(phase).capitalize()} · turn {self.view['turn']}"
        self.d.add(svg.text(28, 54, cut(say, PHONE - 90 - width_of(points, 31, 600), 31, 600), ink, 31, 600))
        return 100

    def front(self, number: int, y: float) -> float:
        d, t = self.d, self.t
        front = self.view["fronts"][str(number)]
        attacks = self.attack_on(number)
        orders = self.lit.fronts.get(number, [])
        numbered = [order for order in orders if order[0]]
        placed = [card for attack in attacks for card in attack["cards"]]
        rows = (len(placed) + 1) // 2
        tag_rows = (len(numbered) + 1) // 2
        band = 136 * SHAPE + 26
        high = band + (rows * 92 + 8 if placed else 8) + (tag_rows * 56 + 6 if numbered else 0)
        ground = t.insurgent[1][0]
        d.add(svg.rect(16, y, PHONE - 32, high, 16, ground, t.line, 2))
        d.add(
            svg.path(
                f"M16,{y + band:.1f}V{y + 16:.1f}a16,16 0 0 1 16,-16H{PHONE - 32}a16,16 0 0 1 16,16V{y + band:.1f}Z",
                d.pattern("hatch", 2),
            )
        )
        if orders:
            d.add(marks.lit_rect(16, y, PHONE - 32, high, 16, t, wash=False, width=7))
        d.add(svg.text(48, y + band / 2 + 20, str(number), t.ink, 58, 700, "middle", halo=ground, halo_width=9))
        if front["cards"]:
            self.front_cards(number, 88, y + 13, PHONE - 32 - 88, 136, 12)
        else:
            d.add(
                svg.text(
                    PHONE / 2, y + band / 2 + 8, "no card here", t.ink, 26, 500, "middle", halo=ground, halo_width=9
                )
            )
        at_y = y + band + 6
        if placed:
            self.chips(attacks, placed, at_y)
            at_y += rows * 92
        for at, (label, card) in enumerate(numbered):
            left, top = 36 + (at % 2) * 328, at_y + (at // 2) * 56
            d.add(marks.ballot(label, left + 24, top + 26, 44), layer=3)
            d.add(svg.text(left + 58, top + 35, cut(self.shorts.get(card, card), 260, 25, 600), t.ink, 25, 600))
        return y + high + 14

    def chips(self, attacks: Sequence[Mapping[str, Any]], placed: Sequence[Mapping[str, Any]], y: float) -> None:
        for at, card in enumerate(placed):
            left, top = 36 + (at % 2) * 244, y + (at // 2) * 92
            free = 36 if any(self.lit.cards.get(str(card["id"]), ())) else 0
            self.d.add(draw_chip(card, left, top, 232, 80, self.ring(card), free))
            self.d.add(self.ballots(str(card["id"]), left + 214, top + 16, 34), layer=2)
        value = " / ".join(str(attack["value"]) for attack in attacks[:2])
        attack = attacks[0]
        against = f"vs {attack['against']}" + (f" + {'?' * min(4, int(attack['hidden']))}" if attack["hidden"] else "")
        self.d.add(svg.text(606, y + 46, value, self.t.ink, 54 if len(value) < 4 else 36, 700, "middle"))
        (against, *_), size = fitted(against, 170, 26, 500, 1, 18)
        self.d.add(svg.text(606, y + 82, against, self.t.ink, size, 500, "middle"))

    def hand(self, y: float) -> float:
        d, t = self.d, self.t
        hand = self.view["hand"]
        d.add(svg.text(28, y + 20, "YOUR HAND" if hand else "NO CARDS IN HAND", t.quiet, 22, 600, spacing=1.8))
        y += 44
        wide, gap = 148.0, 24.0
        for at, card in enumerate(hand):
            left, top = 32 + (at % 4) * (wide + gap), y + (at // 4) * (wide * SHAPE + 24)
            d.add(draw_card(d, card, left, top, wide, self.ring(card)))
            d.add(self.ballots(str(card["id"]), left + wide - 22, top + 64, 44), layer=2)
        y += -(-len(hand) // 4) * (wide * SHAPE + 24)
        buttons = self.lit.buttons[:3]
        if buttons:
            w = (PHONE - 32 - 16 * (len(buttons) - 1)) / len(buttons)
            for at, (verb, number) in enumerate(buttons):
                button(self, verb, number, 16 + at * (w + 16), y, w, 96, first=at == 0, size=30)
            y += 108
        return y

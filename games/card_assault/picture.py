"""The card table as SVG, from the view alone: three fronts on the desk, or stacked rows on a phone."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.card_assault.faces import SHAPE, draw_card, pitch
from games.card_assault.phone import Phone
from games.card_assault.staging import CardTable, button, dice_of, result_of, sentence
from games.drawing import marks, panels, svg
from games.drawing.palette import BLACK
from games.drawing.type import cut, fitted, width_of
from games.kernel.ruleset import Scene

WIDTH, HEIGHT = 1200, 856
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


class Desk(CardTable):
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
        numbered = [order for order in orders if order[0]]
        if attacks:
            self.order_tags(numbered, x + 14, y + 151, w - 28, rows=2, size=18)
        else:
            self.order_tags(numbered, x + 14, y + 90, w - 28, rows=3, size=22)

    def order_tags(self, orders: list[tuple[int, str]], x: float, y: float, w: float, rows: int, size: float) -> None:
        """Ballot number and card, as many as there is room for; the rest are in the words of the ballot."""
        step, letters = size * 1.36, 9 + size * 0.18
        left, row = x, 0
        for at, (number, card) in enumerate(orders):
            name = self.shorts.get(card, card)
            wide = size + 8 + width_of(name, letters, 600)
            more = 0 if at == len(orders) - 1 or row < rows - 1 else 46
            if left > x and left + wide > x + w - more:
                if row == rows - 1:
                    rest = f"+ {len(orders) - at} more"
                    self.d.add(svg.text(left, y + row * step + 4 + letters * 0.36, rest, self.t.ink, letters, 500))
                    return
                left, row = x, row + 1
            self.d.add(marks.ballot(number, left + size / 2, y + row * step + 4, size), layer=3)
            self.d.add(svg.text(left + size + 7, y + row * step + 4 + letters * 0.36, name, self.t.ink, letters, 600))
            left += wide + 12

    def placed(self, attacks: Sequence[Mapping[str, Any]], x: float, y: float, w: float) -> None:
        d, t = self.d, self.t
        cards = [card for attack in attacks for card in attack["cards"]]
        wide = 76
        step = pitch(len(cards), w - 26, wide, 12)
        for at, card in enumerate(cards):
            left = x + 12 + at * step
            seen = 1.0 if at == len(cards) - 1 else min(1.0, step / wide)
            d.add(draw_card(d, card, left, y + 12, wide, self.ring(card), seen))
            d.add(self.ballots(str(card["id"]), left + wide * seen - 9, y + 44, 21), layer=2)
        if len(attacks) == 1 and not any(number for number, _ in self.lit.fronts.get(int(attacks[0]["front"]), [])):
            total = str(attacks[0]["sum"] or 0).replace(" x ", " × ")
            (total, *_), size = fitted(total, w - 30, 20, 700, 1, 11)
            d.add(svg.text(x + w / 2, y + 152, total, t.ink, size, 700, "middle"))
            (say, *_), size = fitted(self.against(attacks[0]), w - 30, 13.5, 400, 1, 10)
            d.add(svg.text(x + w / 2, y + 176, say, t.ink, size, 400, "middle"))
            return
        row = y + 138
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
            row += 14

    def hand(self, x: float, y: float, w: float, h: float) -> None:
        hand = self.view["hand"]
        self.d.add(panels.panel(self.t, x, y, w, h, f"your hand · {len(hand)} card{'' if len(hand) == 1 else 's'}"))
        if not hand:
            self.d.add(svg.text(x + w / 2, y + h / 2 + 8, "no cards in hand", self.t.quiet, 15, 400, "middle"))
        wide = 98.0
        step = pitch(len(hand), w - 36, wide, 14)
        for at, card in enumerate(hand):
            left = x + 18 + at * step
            self.d.add(draw_card(self.d, card, left, y + 39, wide, self.ring(card)))
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


def draw(scene: Scene) -> str:
    """The whole table, or with `scene.crop` the phone form."""
    return Phone(scene).draw() if scene.crop else Desk(scene).draw()

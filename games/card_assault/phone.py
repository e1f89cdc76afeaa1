"""The phone form of the card table: 720 px for 360 css px, fronts as rows, placed cards as chips."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.card_assault.faces import SHAPE, draw_card, draw_chip
from games.card_assault.staging import CardTable, button
from games.drawing import marks, svg
from games.drawing.palette import BLACK
from games.drawing.type import cut, fitted, width_of
from games.kernel.ruleset import Scene

PHONE = 720


class Phone(CardTable):
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

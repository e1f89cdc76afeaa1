"""A game of two seats with hidden cards, small enough to see through, for tests of the doors."""

from collections.abc import Iterator
from typing import ClassVar

from games.kernel.ruleset import Option, Outcome, Ruleset, Scene, Setup, View
from games.kernel.steps import Action, Decision, State, Step, settle
from games.kernel.table import News, Seat, Table

SEATS = ("north", "south")
CARDS = 52


class Duel(State):
    hands: dict[str, int]  # one hidden card each
    marks: dict[str, int]
    points: dict[str, int]
    left: int  # turns


class Deal(Step, frozen=True):
    def run(self, g: Duel, table: Table) -> None:
        for seat in SEATS:
            g.hands[seat] = table.draw(CARDS, secret=True)
        g.do(Choice(SEATS[0]))


class Choice(Decision, frozen=True):
    """Mark a place, roll for points, or show the card and end the turn."""

    seat: str

    def seats(self, g: Duel) -> tuple[Seat, ...]:
        return (self.seat,)

    def options(self, g: Duel, seat: Seat) -> Iterator[Action]:
        for place in range(1, 10):
            if g.marks[seat] != place:
                yield ("mark", place)
        yield ("roll",)
        yield ("hold",)

    def facts(self, g: Duel) -> dict[str, int | str]:
        return {"points": g.points[self.seat], "left": g.left}

    def mark(self, g: Duel, table: Table, place: int) -> None:
        g.marks[self.seat] = place
        table.tell("marked", seat=self.seat, place=place)
        g.do(self)

    def roll(self, g: Duel, table: Table) -> None:
        face = table.d6()[0]
        g.points[self.seat] += face
        table.tell("rolled", seat=self.seat, face=face)
        self.next(g)

    def hold(self, g: Duel, table: Table) -> None:
        table.tell("held", seat=self.seat)
        table.tell("own-card", to=self.seat, card=g.hands[self.seat])
        self.next(g)

    def next(self, g: Duel) -> None:
        g.left -= 1
        if g.left > 0:
            g.do(Choice(SEATS[1] if self.seat == SEATS[0] else SEATS[0]))


class DuelRules(Ruleset):
    key: ClassVar[str] = "duel"
    title: ClassVar[str] = "Toy Duel"
    tag: ClassVar[str] = "TD"
    state: ClassVar[type[State]] = Duel
    steps: ClassVar[tuple[type[Step], ...]] = (Deal, Choice)
    options: ClassVar[tuple[Option, ...]] = (Option("turns", "How many turns", (4, 8, 2000, 4000), 8),)
    verbs: ClassVar[tuple[str, ...]] = ("mark", "roll", "hold")
    decisions: ClassVar[dict[str, str]] = {"choice": "Choice"}

    def seats(self, setup: Setup) -> tuple[Seat, ...]:
        return SEATS

    def start(self, setup: Setup, table: Table) -> Duel:
        g = Duel([Deal()], {}, dict.fromkeys(SEATS, 0), dict.fromkeys(SEATS, 0), int(setup.options["turns"]))
        settle(g, table)
        return g

    def view(self, g: Duel, seat: Seat | None) -> View:
        card = None if seat is None else g.hands[seat]
        return {"card": card, "marks": dict(g.marks), "points": dict(g.points), "left": g.left}

    def outcome(self, g: Duel) -> Outcome | None:
        if g.todo:
            return None
        north, south = (g.points[seat] for seat in SEATS)
        winner = None if north == south else SEATS[0] if north > south else SEATS[1]
        return Outcome(winner, "Draw" if winner is None else "Win", dict(g.points), f"{north} to {south}.")

    def narrate(self, news: News) -> str:
        return f"{news.key} {' '.join(map(str, news.facts.values()))}."

    def text_board(self, view: View, seat: Seat | None) -> str:
        return f"{view['points']} {view['marks']}\n"

    def picture(self, scene: Scene) -> str:
        return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20"/></svg>'

    def imagine(self, g: Duel, seat: Seat | None, table: Table) -> Duel:
        world = g.clone()
        world.hands = {key: card if key == seat else table.draw(CARDS) for key, card in g.hands.items()}
        return world


RULES = DuelRules()

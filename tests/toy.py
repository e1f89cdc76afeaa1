"""A very small game for two seats with hidden cards and dice, to try doors on: no rulebook, no board.

Each seat holds three secret cards. In turn a seat plays one face up and rolls a die; the other may
then duck or stand. After three rounds the higher sum wins.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

from games import catalogue
from games.kernel.ruleset import BotInfo, Option, Outcome, Ruleset, Scene, Setup, View
from games.kernel.steps import Action, Decision, State, Step, question, settle
from games.kernel.table import News, Seat, Table

SEATS = ("north", "south")


class Game(State):
    hands: dict[str, tuple[int, ...]]
    score: dict[str, int]
    round: int
    wide: bool


def other(seat: Seat) -> Seat:
    return SEATS[1 - SEATS.index(seat)]


class Deal(Step, frozen=True):
    def run(self, g: Game, table: Table) -> None:
        deck = list(range(10, 40))
        for seat in SEATS:
            g.hands[seat] = tuple(sorted(deck.pop(table.draw(len(deck), secret=True)) for _ in range(3)))
        g.do(Turn("north"))


class Turn(Decision, frozen=True):
    seat: str

    def seats(self, g: Game) -> tuple[Seat, ...]:
        return (self.seat,)

    def options(self, g: Game, seat: Seat) -> Iterator[Action]:
        for card in g.hands[seat]:
            yield ("play", card)
        if g.wide:
            for place in range(1, 41):
                yield ("scout", "A", place)
        yield ("pass",)

    def facts(self, g: Game) -> dict[str, int | str | bool]:
        return {"round": g.round}

    def play(self, g: Game, table: Table, card: int) -> None:
        g.hands[self.seat] = tuple(held for held in g.hands[self.seat] if held != card)
        (die,) = table.d6(1)
        table.tell("played", seat=self.seat, card=card, die=die)
        g.do(Answer(other(self.seat), card + die))

    def scout(self, g: Game, table: Table, side: str, place: int) -> None:
        table.tell("scouted", seat=self.seat, place=place)
        g.do(Turn(self.seat))
        g.wide = False

    def pass_(self, g: Game, table: Table) -> None:
        table.tell("passed", seat=self.seat)
        g.do(Answer(other(self.seat), 0))


class Answer(Decision, frozen=True):
    window: ClassVar[bool] = True
    seat: str
    worth: int

    def seats(self, g: Game) -> tuple[Seat, ...]:
        return (self.seat,)

    def options(self, g: Game, seat: Seat) -> Iterator[Action]:
        yield ("stand",)
        yield ("duck",)

    def stand(self, g: Game, table: Table) -> None:
        self._end(g, table, self.worth)

    def duck(self, g: Game, table: Table) -> None:
        self._end(g, table, self.worth // 2)

    def _end(self, g: Game, table: Table, worth: int) -> None:
        attacker = other(self.seat)
        g.score[attacker] += worth
        table.tell("scored", seat=attacker, worth=worth)
        g.round += 1
        if g.round < 6:
            g.do(Turn(self.seat))


class Toy(Ruleset):
    key: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy Duel"
    tag: ClassVar[str] = "TD"
    state: ClassVar[type[State]] = Game
    steps: ClassVar[tuple[type[Step], ...]] = (Deal, Turn, Answer)
    options: ClassVar[tuple[Option, ...]] = (
        Option("wide", "Many options", (False, True), False),
        Option("level", "A choice of words", ("easy", "hard"), "easy"),
    )
    bots: ClassVar[tuple[BotInfo, ...]] = (BotInfo("random", "Any legal action."),)
    verbs: ClassVar[tuple[str, ...]] = ("play", "scout", "pass", "stand", "duck")
    decisions: ClassVar[dict[str, str]] = {"answer": "Answer", "turn": "Turn"}

    def seats(self, setup: Setup) -> tuple[Seat, ...]:
        return SEATS

    def start(self, setup: Setup, table: Table) -> Game:
        g = Game([Deal()], {}, {"north": 0, "south": 0}, 0, bool(setup.options["wide"]))
        settle(g, table)
        return g

    def view(self, g: Game, seat: Seat | None) -> View:
        hands = {key: list(hand) if key == seat else len(hand) for key, hand in g.hands.items()}
        return {"hands": hands, "score": dict(g.score), "round": g.round}

    def outcome(self, g: Game) -> Outcome | None:
        if g.todo:
            return None
        winner = max(SEATS, key=lambda seat: g.score[seat])
        return Outcome(
            winner, "Win", dict(g.score), f"{winner.capitalize()} wins {g.score[winner]} to {min(g.score.values())}."
        )

    def prompt(self, g: Any, seat: Seat) -> str:
        decision = question(g)
        if isinstance(decision, Answer):
            return f"Round {g.round + 1}: {other(seat)} comes with {decision.worth}. Stand or duck?"
        return f"Round {g.round + 1}: play a card or pass."

    def describe(self, g: Any, seat: Seat, action: Action) -> str:
        return {"play": "Lay the card \u2212 face up", "stand": "Stand where you are", "duck": "Take half"}.get(
            str(action[0]), str(action[0]).capitalize()
        )

    def odds(self, g: Any, seat: Seat, action: Action) -> str:
        return "50 %" if action[0] == "duck" else ""

    def narrate(self, news: News) -> str:
        facts = news.facts
        who = str(facts["seat"]).capitalize()
        return {
            "played": f"{who} plays {facts.get('card')}, die {facts.get('die')}.",
            "passed": f"{who} passes.",
            "scouted": f"{who} scouts {facts.get('place')}.",
            "scored": f"{who} scores {facts.get('worth')}.",
        }[news.key]

    def text_board(self, view: View, seat: Seat | None) -> str:
        return f"Round {view['round'] + 1} of 6. Score {view['score']}.\nHands: {view['hands']}"

    def picture(self, scene: Scene) -> str:
        words = f"round {scene.view['round'] + 1}, {len(scene.numbers)} numbers"
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 120">'
            '<rect width="400" height="120" fill="#EFE6D2"/>'
            f'<text x="20" y="60" font-family="IBM Plex Sans Condensed" font-size="24">{words}</text></svg>'
        )

    def picture_alt(self, scene: Scene) -> str:
        return f"Round {scene.view['round'] + 1}."

    def imagine(self, g: Any, seat: Seat | None, table: Table) -> Game:
        copy: Game = g.clone()
        known = set(g.hands[seat]) if seat else set()
        deck = [card for card in range(10, 40) if card not in known]
        for key in SEATS:
            if key != seat:
                copy.hands[key] = tuple(sorted(deck.pop(table.draw(len(deck))) for _ in g.hands[key]))
        return copy


RULES = Toy()


def install() -> None:
    """Make the toy known beside the real games."""
    catalogue._PACKAGES["toy"] = "tests.toy"


def remove() -> None:
    catalogue._PACKAGES.pop("toy", None)
    catalogue._LOADED.pop("toy", None)

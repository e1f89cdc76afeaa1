"""The ruleset object: where the chapters of the rules meet the contract every game keeps."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar

import msgspec

from games.card_assault import places, positions, reading, reference, text, victory, words
from games.card_assault import view as seen
from games.card_assault.artillery import Artillery, ArtilleryPhase, Bombard, BombardResult
from games.card_assault.assault import Assault, AssaultPhase, InsurgentFire, Storm, StormResult
from games.card_assault.board import AMERICAN_SEAT, Board
from games.card_assault.combat import ChooseLoss
from games.card_assault.recon import Disarm, DisarmPhase, Recon, ReconPhase
from games.card_assault.sequence import (
    TURN,
    EndOfTurn,
    InsurgentMovement,
    Reinforcement,
    Resource,
    ResourcePhase,
    Turn,
)
from games.card_assault.strike import Strike, StrikePhase
from games.card_assault.tables import AMERICAN, INSURGENT, KINDS
from games.kernel.reference import Chart, Form
from games.kernel.ruleset import Before, BotInfo, Option, Outcome, Read, Ruleset, Scene, Setup, View, load
from games.kernel.steps import Action, State, Step, question, settle
from games.kernel.table import News, Seat, Table

TOTALS = {"G": (16, 58), "A": (10, 30), "S": (10, 30), "T": (8, 0), "R": (8, 0), "D": (5, 0)}
TOTALS |= {"I": (17, 46), "N": (8, 0), "P": (12, 38), "X": (12, 40), "O": (10, 30)}


class CardAssault(Ruleset):
    """Operation Phantom Fury, the solo card game."""

    key: ClassVar[str] = "card_assault"
    title: ClassVar[str] = "Card Assault"
    tag: ClassVar[str] = "CA"
    state: ClassVar[type[State]] = Board
    steps: ClassVar[tuple[type[Step], ...]] = (
        Turn,
        Reinforcement,
        ResourcePhase,
        Resource,
        InsurgentMovement,
        ReconPhase,
        Recon,
        DisarmPhase,
        Disarm,
        StrikePhase,
        Strike,
        ArtilleryPhase,
        Artillery,
        Bombard,
        BombardResult,
        AssaultPhase,
        Assault,
        Storm,
        StormResult,
        InsurgentFire,
        EndOfTurn,
        ChooseLoss,
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option("max_reshuffles", "How often the American discard becomes a new deck", (0, 1, 2, 3), 1),
        Option("ties", "Who wins a tied comparison", ("defender", "american", "insurgent"), "defender"),
        Option("dice_combat", "Each side adds a die to its value", (False, True), False),
        Option("artillery_types", "Which cards fire as artillery", ("armor", "armor_and_guns"), "armor"),
        Option("allow_end", "The game may be ended once the insurgent deck is empty", (True, False), True),
    )
    bots: ClassVar[tuple[BotInfo, ...]] = (
        BotInfo("random", "Any legal action, all alike."),
        BotInfo("cautious", "Scouts, disarms and assaults where the odds are good."),
    )
    verbs: ClassVar[tuple[str, ...]] = reading.VERBS
    decisions: ClassVar[dict[str, str]] = {"lose": "ChooseLoss", "resource": "Resource", "phase": "PhaseDecision"}

    standing_facts: ClassVar[dict[str, frozenset[str]]] = {
        "resource": frozenset({"hand", "deck", "over", "turn"}),
        "phase": frozenset({"name", "acts", "hand", "deck", "turn"}),
    }

    # --- opening -----------------------------------------------------------------------------------

    def seats(self, setup: Setup) -> tuple[Seat, ...]:
        return (AMERICAN_SEAT,)

    def start(self, setup: Setup, table: Table) -> Board:
        chosen: dict[str, Any] = dict(setup.options)
        g = Board([TURN], list(AMERICAN), [], [], list(INSURGENT), [], **chosen)
        settle(g, table)
        return g

    # --- looking -----------------------------------------------------------------------------------

    def view(self, g: Board, seat: Seat | None) -> View:
        return seen.view(g)

    def outcome(self, g: Board) -> Outcome | None:
        return victory.outcome(g)

    def prompt(self, g: Board, seat: Seat) -> str:
        return words.prompt(g)

    def describe(self, g: Board, seat: Seat, action: Action) -> str:
        return words.describe(g, action)

    def cite(self, g: Board, action: Action) -> str:
        return words.cite(g, action)

    def narrate(self, news: News) -> str:
        return words.narrate(news)

    def odds(self, g: Board, seat: Seat, action: Action) -> str:
        return words.odds(g, action)

    def text_board(self, view: View, seat: Seat | None) -> str:
        return text.board(view)

    def picture(self, scene: Scene) -> str:
        draw = import_module("games.card_assault.picture").draw
        return str(draw(scene))

    def look(self, view: View, seat: Seat | None, place: str) -> list[str]:
        return places.look(view, place)

    def relies(self, view: View, seat: Seat, action: Action) -> Any:
        return places.relies(view, action)

    def template(self, g: Any, seat: Seat) -> str:
        return places.TEMPLATES.get(type(question(g)).__name__, "")

    def seat_name(self, seat: Seat) -> str:
        return "Americans" if seat == AMERICAN_SEAT else super().seat_name(seat)

    # --- orders ------------------------------------------------------------------------------------

    def chart(self) -> Chart:
        return reference.chart()

    def forms(self) -> tuple[Form, ...]:
        return reference.FORMS

    def expand(self, text: str) -> list[str]:
        return reading.expand(text)

    def read(self, g: Board, seat: Seat, text: str) -> Read:
        return reading.read(g, seat, text, None)

    def read_after(self, g: Board, seat: Seat, text: str, before: Before | None) -> Read:
        return reading.read(g, seat, text, before)

    def context(self, g: Board) -> str:
        return reading.context(g)

    def holds(self, g: Board, seat: Seat, condition: str, news: Sequence[News]) -> bool:
        return reading.holds(g, condition, news)

    def standing_sugar(self, text: str) -> list[str] | None:
        return reading.SUGAR.get(" ".join(text.lower().split()))

    # --- search, positions -------------------------------------------------------------------------

    def imagine(self, g: Board, seat: Seat | None, table: Table) -> Board:
        return seen.imagine(g, table)

    def position(self, g: Board) -> dict[str, Any]:
        return positions.position(g)

    def from_position(self, position: Mapping[str, Any], setup: Setup) -> Board:
        chosen = self.setup({**setup.options, **position.get("options", {})}).options
        g = load(self, msgspec.json.encode(positions.fields(position, chosen)))
        assert isinstance(g, Board)
        positions.check_cards(g)
        return g

    def check_data(self) -> list[str]:
        wrong: list[str] = []
        for letter, (count, force) in TOTALS.items():
            kinds = [kind for kind in KINDS if kind.type == letter]
            if sum(kind.count for kind in kinds) != count:
                wrong.append(f"There should be {count} cards of type {letter}.")
            if sum(kind.count * (kind.force or 0) for kind in kinds) != force:
                wrong.append(f"The cards of type {letter} should have a force of {force} together.")
        return wrong


RULES = CardAssault()

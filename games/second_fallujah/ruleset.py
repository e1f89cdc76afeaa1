"""The ruleset: what the rest of the house asks of Second Fallujah."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from games.kernel.reference import Chart, Form
from games.kernel.ruleset import Before, BotInfo, Bundle, Option, Outcome, Read, Ruleset, Scene, Setup, View
from games.kernel.steps import Action, Step, question, settle
from games.kernel.table import News, Seat, Table
from games.second_fallujah import (
    advantage,
    casualties,
    coalition,
    combat,
    insurgent,
    macros,
    picture,
    places,
    reaction,
    reference,
    sequence,
    solitaire,
    standing,
    strike,
    view,
    words,
)
from games.second_fallujah.board import Board
from games.second_fallujah.data_check import check
from games.second_fallujah.odds import odds
from games.second_fallujah.orders import OrderReader, holds
from games.second_fallujah.position import PositionReader, describe_position, opening
from games.second_fallujah.sequence import FirstTurn, SetUp
from games.second_fallujah.solitaire import BotSetup
from games.second_fallujah.tables import BOARD, COALITION, COUNTERS, HAND, INSURGENT, N_FEDAYEEN
from games.second_fallujah.victory import outcome
from games.second_fallujah.view import text_board


def _steps() -> tuple[type[Step], ...]:
    found: dict[str, type[Step]] = {}
    for chapter in (advantage, casualties, coalition, combat, insurgent, reaction, sequence, solitaire, strike):
        for name, thing in vars(chapter).items():
            if isinstance(thing, type) and issubclass(thing, Step) and thing.__module__ == chapter.__name__:
                found[name] = thing
    return tuple(found.values())


CLOSING = frozenset({"done", "pass", "lead", "roll", "river", "join", "stay", "drop"})


class SecondFallujah(Ruleset):
    """Second Fallujah: seven days in November 2004."""

    key: ClassVar[str] = "second_fallujah"
    title: ClassVar[str] = "Second Fallujah"
    tag: ClassVar[str] = "SF"
    state = Board
    steps = _steps()
    options: ClassVar[tuple[Option, ...]] = (
        Option("solitaire", "The rules play the insurgents (12-17)", (False, True), False),
        Option(
            "iraqi_infantry_supports",
            "Iraqi battalions count as supporting infantry (7.2.4)",
            (False, True),
            False,
        ),
    )
    bots: ClassVar[tuple[BotInfo, ...]] = (
        BotInfo(
            "rulebook",
            "The insurgents of the printed solitaire rules",
            (INSURGENT,),
            {"solitaire": True},
            in_rules=True,
        ),
        BotInfo("planner", "A Coalition commander with combined-arms stacks", (COALITION,)),
        BotInfo("defender", "An insurgent commander for two-player rules", (INSURGENT,), {"solitaire": False}),
        BotInfo("random", "Any legal move", ()),
    )

    # --- opening -----------------------------------------------------------------------------------

    def seats(self, setup: Setup) -> tuple[Seat, ...]:
        return (COALITION,) if setup.options.get("solitaire") else (INSURGENT, COALITION)

    def start(self, setup: Setup, table: Table) -> Board:
        g = opening(setup)
        g.do(BotSetup() if g.solitaire else SetUp(), FirstTurn())
        settle(g, table)
        return g

    # --- looking -----------------------------------------------------------------------------------

    def outcome(self, g: Board) -> Outcome | None:
        return outcome(g)

    def view(self, g: Board, seat: Seat | None) -> View:
        return view.view(g)

    def prompt(self, g: Board, seat: Seat) -> str:
        return words.prompt(g, question(g))

    def describe(self, g: Board, seat: Seat, action: Action) -> str:
        return words.describe(g, seat, action)

    def cite(self, g: Board, action: Action) -> str:
        return words.cite(action)

    def narrate(self, news: News) -> str:
        return words.narrate(news)

    def odds(self, g: Board, seat: Seat, action: Action) -> str:
        return odds(g, action)

    def text_board(self, view: View, seat: Seat | None) -> str:
        return text_board(view)

    def picture(self, scene: Scene) -> str:
        return picture.draw(scene)

    def look(self, view: View, seat: Seat | None, place: str) -> list[str]:
        return places.look(view, place)

    def relies(self, view: View, seat: Seat, action: Action) -> Any:
        return places.relies(view, action)

    def alike(self, view: View) -> dict[str, str]:
        return places.alike(view)

    piecewise: ClassVar[frozenset[str]] = frozenset({"CasualtiesChoice", "RetreatChoice", "KeepSpent"})

    def bundles(self, g: Any, seat: Seat) -> list[Bundle]:
        if isinstance(question(g), SetUp):
            return [Bundle(places.SUGGESTED, places.SUGGESTED_WORDS)] if g.where.count(HAND) == N_FEDAYEEN else []
        return super().bundles(g, seat)

    def template(self, g: Any, seat: Seat) -> str:
        return places.TEMPLATES.get(type(question(g)).__name__, "")

    def picture_alt(self, scene: Scene) -> str:
        return picture.alt_words(scene)

    # --- orders ------------------------------------------------------------------------------------

    verbs: ClassVar[tuple[str, ...]] = tuple(macros.VERBS)
    decisions: ClassVar[dict[str, str]] = standing.DECISIONS
    standing_facts: ClassVar[dict[str, frozenset[str]]] = standing.FACTS
    standing_defaults: ClassVar[dict[Seat, tuple[str, ...]]] = standing.DEFAULTS

    def chart(self) -> Chart:
        return reference.chart()

    def forms(self) -> tuple[Form, ...]:
        return reference.FORMS

    def expand(self, text: str) -> list[str]:
        return macros.expand(text)

    def read(self, g: Board, seat: Seat, text: str) -> Read:
        return OrderReader(g, seat, text).read()

    def context(self, g: Board) -> str:
        return f"{g.turn} {g.phase} {g.impulse} {g.side}"

    def read_after(self, g: Board, seat: Seat, text: str, before: Before | None) -> Read:
        """What closes or completes an impulse that has closed by itself does nothing to the next."""
        verb = text.strip().lower().split(" ", 1)[0]
        if before is not None and verb in CLOSING and before.where != self.context(g):
            return Read(None, note="that has ended already")
        return self.read(g, seat, text)

    def holds(self, g: Board, seat: Seat, condition: str, news: Sequence[News]) -> bool:
        return holds(g, condition, news)

    def standing_sugar(self, text: str) -> list[str] | None:
        return standing.sugar(text)

    def gone(self, g: Board, seat: Seat, text: str) -> str:
        return standing.gone(g, text)

    # --- positions ---------------------------------------------------------------------------------

    def position(self, g: Board) -> dict[str, Any]:
        return describe_position(g)

    def from_position(self, position: Mapping[str, Any], setup: Setup) -> Board:
        return PositionReader(position, setup, self.steps).board()

    def check_data(self) -> list[str]:
        return check(BOARD, COUNTERS)


RULES = SecondFallujah()

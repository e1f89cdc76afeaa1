"""Phantom Fury as the server sees it."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from games.kernel.reference import Chart, Form
from games.kernel.ruleset import Before, BotInfo, Option, Outcome, Read, Ruleset, Scene, Setup, View
from games.kernel.steps import Action, Step, question, settle
from games.kernel.table import News, Seat, Table
from games.phantom_fury import news, picture, places, position, reading, reference, text_board, words
from games.phantom_fury.board import SEATS, Board, commander, empty_board
from games.phantom_fury.data_check import check_data
from games.phantom_fury.setting_up import Prepare, StrongPoints
from games.phantom_fury.steps import STEPS
from games.phantom_fury.tables import ALL_ZONES


class PhantomFury(Ruleset):
    """The tactical solitaire game of the Jolan District, for one player or a shared company."""

    key: ClassVar[str] = "phantom_fury"
    title: ClassVar[str] = "Phantom Fury"
    tag: ClassVar[str] = "PF"
    state: ClassVar[type[Board]] = Board
    steps: ClassVar[tuple[type[Step], ...]] = STEPS
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "strong_points", "Strong points in the draw; 0: the player chooses at set-up (6.1.2)", (0, 1, 2, 3, 4), 0
        ),
        Option("variant", "Historical variant: a second Abrams, 13 turns (15)", (False, True), False),
        Option("uav_success", "Dragon Eye succeeds on a die of at most this", (6, 7, 8, 9), 8),
        Option("platoons", "Platoon seats that share the company with a commander; 0: one player", (0, 1, 2, 3), 0),
    )
    bots: ClassVar[tuple[BotInfo, ...]] = (
        BotInfo("random", "Any legal order, all alike"),
        BotInfo("squad_leader", "Fires and assaults in pairs, from the roof down, and keeps out of bad streets"),
    )

    verbs: ClassVar[tuple[str, ...]] = (*reading.VERBS, *reading.OTHER_WORDS)
    decisions: ClassVar[dict[str, str]] = reading.DECISIONS
    standing_facts: ClassVar[dict[str, frozenset[str]]] = reading.FACTS

    def seats(self, setup: Setup) -> tuple[Seat, ...]:
        platoons = int(setup.options.get("platoons", 0))
        return SEATS[: platoons + 1] if platoons else ("usmc",)

    def start(self, setup: Setup, table: Table) -> Board:
        options = self.setup(setup.options).options
        g = empty_board()
        g.variant = int(options["variant"])
        g.uav_success = int(options["uav_success"])
        g.platoons = int(options["platoons"])
        number = int(options["strong_points"])
        g.do(Prepare(number) if number else StrongPoints())
        settle(g, table)
        return g

    def view(self, g: Any, seat: Seat | None) -> dict[str, Any]:
        return position.view(g)

    def outcome(self, g: Any) -> Outcome | None:
        if not g.result:
            return None
        won = g.result != "defeat"
        zones = (g.usmc & ALL_ZONES).bit_count()
        words = f"{g.result.capitalize()} on turn {g.turn}: {zones} of 60 zones, {g.vp} VP."
        return Outcome(commander(g) if won else None, g.result, {"vp": g.vp, "zones": zones}, words)

    def position(self, g: Any) -> dict[str, Any]:
        return position.position(g)

    def from_position(self, told: Mapping[str, Any], setup: Setup) -> Board:
        return position.from_position(told, setup.options)

    def prompt(self, g: Any, seat: Seat) -> str:
        return words.prompt(g)

    def describe(self, g: Any, seat: Seat, action: Action) -> str:
        return words.describe(g, action)

    def cite(self, g: Any, action: Action) -> str:
        return words.cite(action)

    def odds(self, g: Any, seat: Seat, action: Action) -> str:
        return words.odds(g, action)

    def narrate(self, item: News) -> str:
        return news.narrate(item)

    def text_board(self, view: dict[str, Any], seat: Seat | None) -> str:
        return text_board.text_board(view)

    def picture(self, scene: Scene) -> str:
        return picture.draw(scene)

    def place_of(self, item: News) -> str:
        return places.place_of(item)

    def look(self, view: View, seat: Seat | None, place: str) -> list[str]:
        return places.look(view, place)

    def relies(self, view: View, seat: Seat, action: Action) -> Any:
        return places.relies(view, action)

    def template(self, g: Any, seat: Seat) -> str:
        return places.TEMPLATES.get(getattr(question(g), "name", "") or type(question(g)).__name__, "")

    def seat_name(self, seat: Seat) -> str:
        return _SEAT_NAMES[seat]

    def chart(self) -> Chart:
        return reference.chart()

    def forms(self) -> tuple[Form, ...]:
        return reference.FORMS

    def expand(self, text: str) -> list[str]:
        return reading.expand(text)

    def read(self, g: Any, seat: Seat, text: str) -> Read:
        return reading.read(g, seat, text)

    def read_after(self, g: Any, seat: Seat, text: str, before: Before | None) -> Read:
        return reading.read_after(g, seat, text, before)

    def context(self, g: Any) -> str:
        return reading.context(g)

    def holds(self, g: Any, seat: Seat, condition: str, news: Sequence[News]) -> bool:
        return reading.holds(g, condition, news)

    def standing_sugar(self, text: str) -> list[str] | None:
        return reading.standing_sugar(text)

    def gone(self, g: Board, seat: Seat, text: str) -> str:
        return reading.gone(g, text)

    def imagine(self, g: Any, seat: Seat | None, table: Table) -> Board:
        """A plain clone: every hidden thing is a counter not yet drawn, and what is left is public (R43)."""
        return g.clone()  # type: ignore[no-any-return]

    def check_data(self) -> list[str]:
        return check_data()


_SEAT_NAMES = {
    "usmc": "USMC",
    "co": "Company commander",
    "plt1": "1st Platoon",
    "plt2": "2nd Platoon",
    "plt3": "3rd Platoon",
}

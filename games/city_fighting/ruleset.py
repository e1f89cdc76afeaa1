"""The contract with the rest of the house."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from games.city_fighting import board, checks, orders, picture, places, position, reference, sequence, text, words
from games.city_fighting import tables as t
from games.city_fighting.aftermath import AwardLeader, Capture, Lost, Won
from games.city_fighting.board import Board
from games.city_fighting.combat import (
    AllotHits,
    Battle,
    ChooseLead,
    ChooseNetwar,
    ChooseStrikes,
    CoalitionFire,
    OpforFire,
    RollEdge,
    RoundEnd,
    StandOrWithdraw,
    TakeHits,
    Withdraw,
)
from games.city_fighting.intelligence import CommitInfoWar, PlaceIsr
from games.city_fighting.movement import Arrive, Fly, FormForce, GoOn, MoreForces, Move
from games.city_fighting.reaction import React
from games.city_fighting.recruiting import Recruit, SetUp
from games.city_fighting.sequence import AssignLeader, EndOfScenario, EndOperation, Interdict, OpMenu
from games.city_fighting.victory import degree, total
from games.city_fighting.view import imagine, view
from games.kernel.reference import Chart, Form
from games.kernel.ruleset import BotInfo, Option, Outcome, Read, Ruleset, Scene, Setup, View
from games.kernel.steps import Action, State, question, settle
from games.kernel.table import News, Seat, Table


class CityFighting(Ruleset):
    """Fallujah, 2004: City Fighting in Iraq."""

    key: ClassVar[str] = "city_fighting"
    title: ClassVar[str] = "City Fighting"
    tag: ClassVar[str] = "CF"
    state = Board
    steps = (
        SetUp,
        AssignLeader,
        OpMenu,
        Recruit,
        PlaceIsr,
        CommitInfoWar,
        FormForce,
        Move,
        Fly,
        MoreForces,
        Interdict,
        ChooseLead,
        ChooseNetwar,
        ChooseStrikes,
        TakeHits,
        StandOrWithdraw,
        Withdraw,
        AwardLeader,
        Arrive,
        GoOn,
        React,
        RollEdge,
        Battle,
        CoalitionFire,
        OpforFire,
        AllotHits,
        RoundEnd,
        Won,
        Lost,
        Capture,
        EndOperation,
        EndOfScenario,
    )
    options = (
        Option("scenario", "the battle, or both as a campaign", ("vigilant", "phantom", "campaign"), "vigilant"),
        Option("seats", "how many Coalition seats", (1, 2, 3, 4), 1),
        Option("mode", "how several seats divide the forces", ("services", "sectors"), "services"),
        Option("victory", "several seats win together or apart", ("mutual", "individual"), "mutual"),
        Option("joint", "31: Iraqi units operate apart in April", (False, True), False),
        Option("networked", "32: several forces in one operation for a NetWar", (False, True), False),
        Option("interdiction", "33: air strikes at known nodes", (False, True), False),
        Option("oob", "34: which units can be recruited", ("free", "historical"), "free"),
    )
    bots = (
        BotInfo("random", "any legal action"),
        BotInfo("operator", "buys a balanced force, scouts, and attacks with combined arms"),
    )
    verbs = orders.VERBS
    decisions = orders.DECISIONS
    standing_facts: ClassVar[dict[str, frozenset[str]]] = orders.FACTS
    standing_defaults: ClassVar[dict[Seat, tuple[str, ...]]] = {}

    # --- opening -----------------------------------------------------------------------------------

    def seats(self, setup: Setup) -> tuple[Seat, ...]:
        return tuple(t.SEATS[: int(setup.options["seats"])])

    def start(self, setup: Setup, table: Table) -> State:
        g = self.empty(setup)
        sequence.deploy(g, table)
        settle(g, table)
        return g

    @staticmethod
    def empty(setup: Setup) -> Board:
        """The board of these options with everything in its box."""
        chosen = setup.options
        campaign = chosen["scenario"] == "campaign"
        return sequence.opening(
            "vigilant" if campaign else str(chosen["scenario"]),
            campaign=int(campaign),
            joint=chosen["joint"],
            networked=chosen["networked"],
            interdiction=chosen["interdiction"],
            historical=chosen["oob"] == "historical",
            seats=chosen["seats"],
            mode=chosen["mode"],
            individual=chosen["victory"] == "individual",
        )

    # --- looking -----------------------------------------------------------------------------------

    def view(self, g: Any, seat: Seat | None) -> View:
        return view(g)

    def outcome(self, g: Any) -> Outcome | None:
        if g.todo:
            return None
        vp = total(g)
        result = degree(vp)
        where = "The campaign ends with" if g.campaign == 2 else f"{t.SCENARIO_NAMES[g.scenario]}:"
        text_ = f"{where} {vp} victory points, a {result}."
        score = {"vp": vp}
        winner = t.SEATS[0] if vp >= t.WIN and g.seats == 1 else None
        if g.individual and g.seats > 1:
            credit = {t.SEATS[n]: g.credit_nodes[n] + g.credit_kia[n] for n in range(g.seats)}
            score.update(credit)
            best = [seat for seat, value in credit.items() if value == max(credit.values())]
            winner = best[0] if len(best) == 1 else None
            names = " and ".join(self.seat_name(seat) for seat in best)
            text_ += f" {names} did most, with {max(credit.values())} (nodes captured and KIA)."
        return Outcome(winner, result, score, text_)

    def prompt(self, g: Any, seat: Seat) -> str:
        return words.prompt(g)

    def describe(self, g: Any, seat: Seat, action: Action) -> str:
        return words.describe(g, action)

    def cite(self, g: Any, action: Action) -> str:
        return words.cite(g, action)

    def narrate(self, news: News) -> str:
        return words.narrate(news)

    def odds(self, g: Any, seat: Seat, action: Action) -> str:
        return words.odds(g, action)

    def text_board(self, view: View, seat: Seat | None) -> str:
        return text.board(view)

    def picture(self, scene: Scene) -> str:
        return picture.draw(scene)

    def look(self, view: View, seat: Seat | None, place: str) -> list[str]:
        return places.look(view, place)

    def relies(self, view: View, seat: Seat, action: Action) -> Any:
        return places.relies(view, action)

    piecewise: ClassVar[frozenset[str]] = frozenset({"TakeHits"})

    def template(self, g: Any, seat: Seat) -> str:
        return places.TEMPLATES.get(type(question(g)).__name__, "")

    def seat_name(self, seat: Seat) -> str:
        return f"Coalition {seat.upper()}"

    # --- orders ------------------------------------------------------------------------------------

    def say(self, g: Any, action: Action) -> str:
        return orders.say(action)

    def chart(self) -> Chart:
        return reference.chart()

    def forms(self) -> tuple[Form, ...]:
        return reference.FORMS

    def expand(self, text: str) -> list[str]:
        return orders.expand(text)

    def read(self, g: Any, seat: Seat, text: str) -> Read:
        return orders.read(g, seat, text)

    def holds(self, g: Any, seat: Seat, condition: str, news: Sequence[News]) -> bool:
        return orders.holds(g, condition, news)

    def standing_sugar(self, text: str) -> list[str] | None:
        return orders.standing_sugar(text)

    # --- search, positions -------------------------------------------------------------------------

    def imagine(self, g: Any, seat: Seat | None, table: Table) -> State:
        return imagine(g, table)

    def position(self, g: Any) -> dict[str, Any]:
        return position.write(g)

    def from_position(self, position_: Mapping[str, Any], setup: Setup) -> State:
        return position.read(position_, self.empty(setup), self.steps)

    def check_data(self) -> list[str]:
        return checks.check(t.BOARD, t.COUNTERS)


__all__ = ["CityFighting", "board"]

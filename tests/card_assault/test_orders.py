"""9.1. Orders as people type them."""

from typing import Any

import pytest

from games import catalogue
from games.card_assault import RULES
from games.kernel.errors import Ambiguous, GameError, IllegalAction, Unreadable
from games.kernel.orders import parse_standing, play_orders, read_orders, standing_answer
from games.kernel.position import run_position
from games.kernel.ruleset import Setup
from games.kernel.steps import apply, legal, settle
from games.kernel.table import Scripted

SEAT = "american"


def at(phase: str, hand: list[str], fronts: dict[str, Any], **more: Any) -> Any:
    position = {"phase": phase, "hand": hand, "fronts": fronts, **more}
    g = RULES.from_position(position, RULES.setup())
    settle(g, Scripted())
    return g


def play(g: Any, text: str, *chance: int) -> Any:
    table = Scripted(*chance)

    def act(g: Any, seat: str, action: Any) -> Any:
        start = len(table.news)
        apply(g, seat, action, table)
        return table.news[start:]

    return play_orders(RULES, g, SEAT, read_orders(RULES, text), act)


RCT, RCT2, STRYKER, SMALL = (
    "G.marine_regimental_combat_team.1",
    "G.marine_regimental_combat_team.2",
    "A.m1127_stryker_apc_s.1",
    "T.small_unit_tactics.1",
)
FRONT = {"1": ["I.jihadists.1"]}


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("put rct stryker small 1 fire", ["put rct 1", "put stryker 1", "put small 1", "fire"]),
        ("put marine regimental 1", ["put marine_regimental 1"]),
        ("PUT small unit tactics front 2", ["put small_unit_tactics 2"]),
        ("put abrams 1 1", ["put abrams.1 1"]),
        ("aim abrams humvee pillbox.1", ["aim abrams pillbox.1", "aim humvee pillbox.1"]),
        ("put coordination pillbox", ["put coordination pillbox"]),
        ("assault rct stryker 1, infantry 3", ["to assault", "put rct 1", "put stryker 1", "put infantry 3", "fire"]),
        (
            "artillery abrams coordination pillbox",
            ["to artillery", "aim abrams pillbox", "put coordination pillbox", "fire"],
        ),
        ("strike", ["to strike"]),
        ("turn: recon predators 1", ["recon predators 1"]),
        ("turn:", []),
        ("discard humvee rct", ["discard humvee", "discard rct"]),
    ],
)
def test_one_order_stands_for_several(text: str, expanded: list[str]) -> None:
    assert RULES.expand(text) == expanded


def test_initials_and_parts_name_cards() -> None:
    g = at("assault", [RCT, STRYKER, SMALL], FRONT)
    played = play(g, "put rct stryker 1")
    assert [line.status for line in played.lines] == ["ok"]
    assert ("takeback", RCT) in legal(g, SEAT)


def test_two_copies_are_no_ambiguity_and_the_number_picks() -> None:
    g = at("assault", [RCT, RCT2], FRONT)
    assert RULES.read(g, SEAT, "put rct 1").action == ("put", RCT, 1)
    assert RULES.read(g, SEAT, "put marine.2 1").action == ("put", RCT2, 1)
    assert RULES.read(g, SEAT, "put G.marine.2 1").action == ("put", RCT2, 1)


def test_a_part_of_two_names_is_asked_back() -> None:
    g = at("assault", ["G.iraqi_infantry.1", "G.iraqi_commandos.1", "G.infantry.1"], FRONT)
    with pytest.raises(Ambiguous, match="Iraqi Commandos 3 or Iraqi Infantry 2"):
        RULES.read(g, SEAT, "put iraqi 1")
    assert RULES.read(g, SEAT, "put infantry 1").action == ("put", "G.infantry.1", 1)


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("put zeppelin 1", Unreadable, "There is no card zeppelin"),
        ("put humvee 1", IllegalAction, "cannot be taken here"),
        ("put rct 2", IllegalAction, "not on front 2"),
        ("put rct", Unreadable, "takes a card and a target"),
        ("recon predators 1", IllegalAction, "not possible in the assault phase"),
        ("to nowhere", Unreadable, "no such phase"),
        ("to strike", IllegalAction, "over this turn"),
        ("dance", Unreadable, "not an order"),
        ("end", IllegalAction, "not possible"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(text: str, error: type[GameError], words: str) -> None:
    g = at("assault", [RCT, STRYKER], FRONT)
    with pytest.raises(error, match=words):
        RULES.read(g, SEAT, text)


def test_done_belongs_to_the_phase_of_the_order_before_it() -> None:
    fronts = {"1": ["I.jihadists.1", {"id": "P.pillbox.1", "up": False}]}
    g = at("recon", ["R.predators.1", RCT], fronts)
    played = play(g, "recon predators 1; done", 3)
    assert [line.status for line in played.lines] == ["ok", "passed over"]
    assert RULES.prompt(g, SEAT).startswith("Turn 1, assault phase")


def test_a_second_try_is_passed_over_when_the_first_worked() -> None:
    fronts = {"1": ["I.jihadists.1", {"id": "P.pillbox.1", "up": False}]}
    g = at("recon", ["R.predators.1", "R.surveillance.1", RCT], fronts)
    played = play(g, "RECON predators 1; RECON surveillance 1; DONE", 2)
    assert [line.status for line in played.lines] == ["ok", "passed over", "passed over"]
    g = at("recon", ["R.predators.1", "R.surveillance.1", RCT], fronts)
    played = play(g, "RECON predators 1; RECON surveillance 1; DONE", 6, 6)
    assert [line.status for line in played.lines] == ["ok", "ok", "passed over"]
    fronts = {**fronts, "2": ["I.jihadists.2", {"id": "P.pillbox.2", "up": False}]}
    g = at("recon", ["R.predators.1", "R.surveillance.1", RCT], fronts)
    played = play(g, "RECON predators 1; RECON surveillance 1; DONE", 2)
    assert [line.status for line in played.lines] == ["ok", "passed over", "ok"]


def test_two_dones_close_two_phases() -> None:
    g = at("strike", ["S.mortars.1", STRYKER, RCT], {"1": ["I.jihadists.1", "P.pillbox.1"]})
    assert play(g, "done; done").taken == 2
    assert RULES.context(g) == "1 assault"


def test_to_a_phase_passes_those_before_it() -> None:
    g = at("strike", ["S.mortars.1", STRYKER, RCT, SMALL], {"1": ["I.jihadists.1", "P.pillbox.1"]})
    played = play(g, "to assault; put rct 1; put stryker 1; put small 1")
    assert [len(line.actions) for line in played.lines] == [2, 1, 1, 1]
    assert play(g, "to assault").lines[0].status == "passed over"
    refused = play(g, "to end").lines[0]
    assert refused.status == "refused" and "cannot be passed" in refused.why


def test_to_a_phase_that_will_not_open_is_refused() -> None:
    g = at("strike", ["S.mortars.1"], {"1": ["I.jihadists.1"]})
    line = play(g, "to assault").lines[0]
    assert line.status == "refused" and "no assault phase" in line.why


def test_to_end_lets_one_turn_pass() -> None:
    g = at("strike", ["S.mortars.1", RCT], {"1": ["I.jihadists.1"]})
    played = play(g, "to end; to end", 0, 0, 0, 0, 0)
    assert [line.status for line in played.lines] == ["ok", "passed over"]
    assert g.turn == 2


def test_a_whole_turn_in_one_order() -> None:
    fronts = {"1": ["I.jihadists.1", {"id": "P.courtyard.1", "up": False}], "2": ["N.ambush.1"]}
    g = at("recon", ["R.predators.1", "S.mortars.1", RCT, STRYKER], fronts)
    played = play(g, "turn: recon predators 1; strike mortars 2; assault rct stryker 1", 1, 0, 0, 0, 0, 0)
    assert [line.status for line in played.lines] == ["ok"] * 3
    assert len(g.capture) == 1 and g.turn == 2


def test_guards_read_the_last_result_and_the_view() -> None:
    fronts = {"1": ["I.jihadists.1", {"id": "P.pillbox.1", "up": False}]}
    g = at("recon", ["R.predators.1", "R.surveillance.1", RCT], fronts)
    played = play(g, "recon predators 1; if hit recon surveillance 1; if miss done", 6)
    assert [line.status for line in played.lines] == ["ok", "skipped", "ok"]
    for guard, true in (
        ("won", False),
        ("lost", False),
        ("captured", False),
        ("empty(2)", True),
        ("vp >= 0", True),
        ("deck<9", False),
    ):
        assert RULES.holds(g, SEAT, guard, ()) is true
    with pytest.raises(Unreadable, match="knows no condition"):
        RULES.holds(g, SEAT, "raining", ())


def test_standing_orders_answer_losses_and_idle_phases() -> None:
    fronts = {"1": ["I.hard_core_insurgents.1", "X.car_bomb.1"]}
    g = at("assault", ["G.iraqi_infantry.1", "A.up_armored_humvee.1"], fronts)
    orders = parse_standing(RULES, "lose lowest")
    assert standing_answer(RULES, g, SEAT, orders) is None
    play(g, "put iraqi_infantry up_armored 1 fire", 1)
    assert standing_answer(RULES, g, SEAT, orders) == (0, ("lose", "A.up_armored_humvee.1"))
    [rule] = parse_standing(RULES, "on phase if name = strike do done")
    g = at("strike", ["S.mortars.1"], FRONT)
    assert standing_answer(RULES, g, SEAT, [rule]) == (0, ("done",))
    assert parse_standing(RULES, "autopass")[0].decision == "PhaseDecision"
    assert RULES.standing_sugar("sing") is None


def test_taking_back_once_and_never_the_unit_others_lean_on() -> None:
    g = at("assault", [RCT, STRYKER, SMALL], FRONT)
    play(g, "put rct small 1")
    assert ("takeback", RCT) not in legal(g, SEAT)
    play(g, "takeback small; put small 1")
    assert ("takeback", SMALL) not in legal(g, SEAT)


def test_a_plan_that_can_only_fire_fires() -> None:
    g = at("assault", [RCT], {"1": ["I.part_time_insurgents.1"]})
    play(g, "put rct 1; takeback rct; put rct 1", 0, 0, 0, 0, 0)
    assert len(g.capture) == 1


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"weather": 1}, "has no weather"),
        ({"hand": ["A.zeppelin.1"]}, "no card"),
        ({"hand": "A.humvee.1"}, "list of card ids"),
        ({"hand": ["A.humvee.1"], "a_discard": ["A.humvee.1"]}, "2 places"),
        ({"a_deck": []}, "missing"),
        ({"hand": ["I.jihadists.1"]}, "not an American card"),
        ({"fronts": {"1": ["A.humvee.1"]}}, "not an insurgent card"),
        ({"capture": ["P.pillbox.1"]}, "cannot be captured"),
        ({"casualty": ["T.coordination.1"]}, "cannot be a casualty"),
        ({"fronts": {"4": []}}, "`fronts`"),
        ({"fronts": {"1": [{"card": "P.pillbox.1"}]}}, "A card of a front"),
        ({"plan": [1]}, "`plan`"),
        ({"turn": "one"}, "whole numbers"),
        ({"phase": "tea"}, "no phase"),
        ({"todo": "Turn"}, "`todo`"),
        ({"todo": [[]]}, "A step"),
        ({"todo": ["Tea"]}, "not a position"),
        ({"options": {"luck": 1}}, "no option"),
    ],
)
def test_a_wrong_position_is_refused_in_words(position: dict[str, Any], words: str) -> None:
    with pytest.raises(GameError, match=words):
        RULES.from_position(position, Setup({}))


def test_a_plan_may_be_written_as_a_map() -> None:
    g = at("assault", [], FRONT, plan={RCT: 1}, todo=["EndOfTurn", "InsurgentFire", "Assault"])
    assert ("fire",) in legal(g, SEAT)
    over = RULES.from_position({"over": "ended"}, RULES.setup())
    assert over.todo == []


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "JSON object"),
        ({"ruleset": "card_assault", "weather": 1}, "has no weather"),
        ({}, "`ruleset`"),
        ({"ruleset": "chess"}, "no game"),
        ({"ruleset": "card_assault", "options": []}, "`options`"),
        ({"ruleset": "card_assault", "position": []}, "`position`"),
        ({"ruleset": "card_assault", "chance": ["six"]}, "`chance`"),
        ({"ruleset": "card_assault", "position": {"phase": "assault"}, "orders": 1, "chance": [0] * 40}, "`orders`"),
        ({"ruleset": "card_assault", "chance": [0] * 60, "orders": [{"text": "done"}]}, "Order 1"),
        ({"ruleset": "card_assault", "chance": [0] * 60, "orders": [{"seat": "x", "text": "done"}]}, "no seat"),
        ({"ruleset": "card_assault", "chance": []}, "A roll was wanted"),
    ],
)
def test_a_wrong_position_file_is_refused_in_words(document: Any, words: str) -> None:
    with pytest.raises(GameError, match=words):
        run_position(catalogue.find, document)

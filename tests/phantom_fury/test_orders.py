"""Orders as people type them: loose forms, paths, guards, stops, standing orders, six messages a turn."""

import pytest

from games.kernel.errors import GameError
from games.kernel.orders import never_again, parse_standing, standing_answer
from games.kernel.ruleset import fresh
from games.kernel.table import News
from games.phantom_fury import RULES
from games.phantom_fury.board import OUT, Board
from games.phantom_fury.tables import NAMES, UNIT
from tests.phantom_fury.build import board, lines, order, statuses

FIGHT = {"14.1": "S", "14.R": "S", "15.1": "G1", "16.1": "G2"}


def fire_position() -> Board:
    squads = {"#1": {"where": "3.R", "caat": "K1"}, "#4": "4.R", "#8": "2.R", "#12": "3.C"}
    return board("fire", squads, usmc=[2, 3, 4], things=FIGHT)


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("fire 4 at 15-1", "fire #4 15.1"),
        ("Fire squad 4 at 15.1!", "fire #4 15.1"),
        ("shoot #4 15 1", "fire #4 15.1"),
        ("fire #4 15.1 and 16.1", None),
        ("FIRE  #4  15.1", "fire #4 15.1"),
        ("fire 4th 15.1", "fire #4 15.1"),
        ("fire #1 at 15.1 with caat", "fire #1 15.1 caat"),
        ("fire 1 14 r", "fire #1 14.R"),
        ("fire #4 16", "fire #4 16.1"),
        ("done", "pass"),
        ("pass", "pass"),
    ],
)
def test_loose_words_mean_canonical_orders(typed: str, canonical: str | None) -> None:
    g = fire_position()
    if canonical is None:
        with pytest.raises(GameError):
            RULES.read(g, "usmc", typed)
        return
    action = RULES.read(g, "usmc", typed).action
    assert action is not None
    assert RULES.say(g, action) == canonical


def test_a_zone_with_two_targets_is_asked_back() -> None:
    with pytest.raises(GameError, match="which Location of zone 14"):
        RULES.read(fire_position(), "usmc", "fire 8 14")


def test_refusals_say_why_and_what_would_do() -> None:
    g = fire_position()
    order(g, "fire 4 16.1", 9)
    for text, why in (
        ("fire 4 16.1", "has fired"),
        ("move 12 3.1", "this is the fire phase"),
        ("fire 9 16.1", "out of the game"),
        ("frobnicate", "not an order"),
        ("fire", "does not name"),
        ("fire 8 at the moon", "not possible now"),
    ):
        with pytest.raises(GameError, match=why) as caught:
            RULES.read(g, "usmc", text)
        assert caught.value.text.endswith((".", "?"))


def test_more_reasons() -> None:
    g = board(
        "assault",
        {"#1": {"where": "15.C", "assaulted": True}, "#2": {"where": "14.C", "status": "pinned"}, "#15": "9.C"},
        things={"15.1": "S", "14.1": "S", "9.1": "S"},
    )
    for text, why in (("assault 1 15.1", "has assaulted"), ("assault 2 14.1", "is Pinned")):
        with pytest.raises(GameError, match=why):
            RULES.read(g, "usmc", text)
    h = board("move", {"#1": {"where": "3.C", "moved": True}, "#2": "2.C"}, usmc=[2, 3])
    with pytest.raises(GameError, match="has moved"):
        RULES.read(h, "usmc", "move 1 3.1")
    k = board("fire", {"#1": "15.C", "#2": "2.C"}, usmc=[2], things={"14.1": "S"})
    with pytest.raises(GameError, match="not in a zone under USMC control"):
        RULES.read(k, "usmc", "fire 1 14.1")


def test_a_whole_phase_in_one_message() -> None:
    g = fire_position()
    played, _ = order(g, "fire 1 at 15-1 with caat; fire 4 at 16-1; fire 8 at 14-r; done", 5, 3, 9)
    assert statuses(played) == ["ok"] * 4
    assert g.phase == "move"


def test_a_path_goes_on_where_detach_would_be_asked() -> None:
    g = board("move", {"#1": "3.C", "#15": "9.C"}, usmc=[3], things={"15.2": "S", "9.1": "S"})
    played, _ = order(g, "move 1 s8 > 15.c > 15.1", 9, 1)
    assert statuses(played) == ["ok"]
    assert NAMES[g.where[0]] == "15.1" and g.moved[0] == 1


def test_single_steps_supply_what_people_leave_out() -> None:
    g = board(
        "move",
        {"#1": "3.C", "#4": "4.C", "#15": "9.C"},
        usmc=[3, 4],
        things={"15.2": "S", "9.1": "S"},
        abrams={"T1": "S09"},
    )
    played, _ = order(g, "move T1 S08; move 1 S08; move 1 15.C; move 1 15.1; move 4 4.1; pass", 5, 1)
    assert statuses(played) == ["ok"] * 6
    assert (NAMES[g.where[0]], NAMES[g.where[3]], NAMES[g.tanks[0]]) == ("15.1", "4.1", "S08")
    assert g.phase == "assault"


def test_the_rest_of_a_path_is_passed_over_when_a_sniper_ends_it() -> None:
    g = board("move", {"#1": "3.C", "#4": "4.C", "#15": "9.C"}, usmc=[3, 4], things={"15.2": "S", "9.1": "S"})
    played, _ = order(g, "move 1 S08 15.C 15.1; move 4 4.1 4.2", 1)
    assert statuses(played) == ["ok", "ok"]
    assert NAMES[g.where[0]] == "S08" and NAMES[g.where[3]] == "4.2"


def test_stop_if_pinned_drops_what_follows() -> None:
    g = board("move", {"#1": "3.C", "#4": "4.C", "#15": "9.C"}, usmc=[3, 4], things={"15.2": "S", "9.1": "S"})
    played, _ = order(g, "move 1 S08 15.C; stop if pinned; move 4 4.1 4.2", 1)
    assert statuses(played) == ["ok", "ok", "not played"]
    assert NAMES[g.where[3]] == "4.C"


def test_stop_if_step_lost_sees_the_whole_path() -> None:
    g = board("move", {"#1": "3.C", "#4": "4.C", "#15": "9.C"}, usmc=[3, 4], things={"15.2": "G3", "9.1": "S"})
    played, _ = order(g, "move 1 S08 15.C 15.1; stop if step lost; move 4 4.1 4.2", 9, 0)
    assert g.reduced[0] == 1 and NAMES[g.where[0]] == "15.1"
    assert statuses(played) == ["ok", "ok", "not played"]


@pytest.mark.parametrize(
    ("guard", "true"),
    [
        ("alive(#4)", True),
        ("alive(#9)", False),
        ("dead(9)", True),
        ("fresh(#4)", True),
        ("pinned(4)", False),
        ("fired(4)", False),
        ("reduced(4)", False),
        ("moved(4)", False),
        ("hero(4)", False),
        ("caat(#1)", True),
        ("suspect(14.1)", True),
        ("unit(14.1)", False),
        ("guerillas(15.1)", True),
        ("martyrs(15.1)", False),
        ("empty(15.R)", True),
        ("empty(15)", False),
        ("clear(22)", True),
        ("control(3)", True),
        ("control(14)", False),
        ("fortified(26)", True),
        ("activated(14)", True),
        ("vp < 0", False),
        ("vp >= 0", True),
        ("vp <= 0", True),
        ("vp != 0", False),
        ("turn = 3", True),
        ("zones > 2", True),
    ],
)
def test_guards(guard: str, true: bool) -> None:
    assert RULES.holds(fire_position(), "usmc", guard, ()) is true


def test_guards_about_the_last_result() -> None:
    g = fire_position()
    news = [News("fire", {"hit": 1}), News("pinned", {})]
    for word, true in (("hit", True), ("miss", False), ("pinned", True), ("reduced", False), ("step loss", False)):
        assert RULES.holds(g, "usmc", word, news) is true
    for text in ("wobbly", "alive(#77)", "unit(99.9)", "frob(1)"):
        with pytest.raises(GameError):
            RULES.holds(g, "usmc", text, ())


def test_a_guarded_order_is_skipped() -> None:
    g = fire_position()
    played, _ = order(g, "if suspect(15.1) fire #4 15.1; if unit(16.1) fire #4 16.1; unless alive(#8) pass", 9)
    assert statuses(played) == ["skipped", "ok", "skipped"]


def test_a_pass_for_a_phase_that_closed_by_itself_is_passed_over() -> None:
    squads = {"#1": "3.R", "#12": "company"}
    g = board("reinforce", squads, usmc=[2, 3, 4], things=FIGHT, abrams={"T1": "S02"})
    played, _ = order(g, "commit 12 3; pass")
    assert statuses(played) == ["ok", "passed over"]
    assert g.phase == "fire"
    h = board("support", {"#1": "3.R", "#4": "4.R"}, usmc=[2, 3, 4], things=FIGHT, abrams={"T1": "S02"})
    played, _ = order(h, "pass; pass; fire 1 15.1", 9)
    assert statuses(played) == ["ok", "passed over", "ok"]
    assert h.phase == "fire"


def test_pass_to_a_phase() -> None:
    squads = {"#1": "3.R", "#15": "9.C"}
    g = board("support", squads, usmc=[2, 3, 4], things={**FIGHT, "9.1": "S"}, abrams={"T1": "S02"})
    order(g, "pass to assault")
    assert g.phase == "assault"
    played, _ = order(g, "pass to assault")
    assert statuses(played) == ["passed over"]
    for text in ("pass on this one", "pass for now"):
        with pytest.raises(GameError):
            RULES.read(g, "usmc", text)


def test_pass_to_stops_at_another_question_and_where_a_squad_must_move() -> None:
    g = board("move", {"#5": {"where": "3.C", "status": "fired"}, "#12": "3.C"}, usmc=[3])
    with pytest.raises(GameError, match="must move"):
        RULES.read(g, "usmc", "pass to assault")
    h = fresh(RULES, 1)
    with pytest.raises(GameError, match="another question"):
        RULES.read(h, "usmc", "pass to fire")


def test_pass_to_ends_a_move_first() -> None:
    g = board("move", {"#1": "3.C", "#15": "9.C"}, usmc=[3], things={"9.1": "S"})
    order(g, "move 1 3.1; pass to assault")
    assert (g.phase, NAMES[g.where[0]]) == ("assault", "3.1")


def test_answers_given_in_advance_are_passed_over_when_nothing_asks() -> None:
    g = board("assault", {"#2": "15.C", "#15": "9.C"}, things={"15.1": "G1", "9.1": "S"})
    played, _ = order(g, "assault 2 15.1; explosives no; loss squad; flood no; nodetach", 3, 9)
    assert statuses(played) == ["ok"] + ["passed over"] * 4


def test_missions_with_their_targets_in_one_order() -> None:
    g = board("support", {"#1": "3.C"}, usmc=[3], things={"22.1": "G2", "22.2": "S"})
    played, _ = order(g, "cobra 22.1 22.2; pass", 3)
    assert statuses(played)[0] == "ok" and g.vp == 1
    h = board("support", {"#1": "3.C"}, usmc=[3], things={"22.1": "G2", "22.2": "S"})
    played, _ = order(h, "call uav 22 32; hit 22.1", 9, 0)
    assert h.phase == "move"
    assert played.lines[0].status == "ok" and played.lines[1].status == "refused"


def test_standing_orders_answer_their_questions() -> None:
    g = board("assault", {"#2": {"where": "15.C", "caat": "K1"}, "#15": "9.C"}, things={"15.1": "M2", "9.1": "S"})
    assert standing_answer(RULES, g, "usmc", parse_standing(RULES, "on phase if name = assault do pass")) is not None
    order(g, "assault 2 15.1")
    standing = [
        *parse_standing(RULES, "on explosives if martyrs = 1 and target >= 2 do explosives yes"),
        *parse_standing(RULES, "explosives never"),
    ]
    assert standing_answer(RULES, g, "usmc", standing) == (0, ("explosives", "yes"))
    order(g, "explosives no", 9, 1)
    assert standing_answer(RULES, g, "usmc", parse_standing(RULES, "loss prefer caat")) == (0, ("loss", "caat"))
    assert standing_answer(RULES, g, "usmc", parse_standing(RULES, "on loss in 15 do loss squad")) is not None


def test_a_standing_order_of_an_eliminated_squad_is_over() -> None:
    g = fire_position()
    late = parse_standing(RULES, "on fire do fire #4 15.1; fire #8 15.1")
    soon = parse_standing(RULES, "on fire do fire #4 15.1")
    assert never_again(RULES, g, "usmc", soon) == ""
    g.where[UNIT["#4"]] = OUT
    assert never_again(RULES, g, "usmc", soon) == "#4 is out of the game"
    assert never_again(RULES, g, "usmc", late) == ""  # #8 may still fire
    assert never_again(RULES, g, "usmc", parse_standing(RULES, "on support do iif 4 4 4")) == ""  # no squad is named
    g.where[UNIT["#8"]] = OUT
    assert never_again(RULES, g, "usmc", late) == "#4 and #8 are out of the game"
    assert never_again(RULES, g, "usmc", []) == ""


def test_standing_sugar_for_every_question() -> None:
    for text in ("detach always", "flood never", "autopass", "autopass support", "auto-pass", "loss prefer squad"):
        assert parse_standing(RULES, text), text
    assert parse_standing(RULES, "detach ask") == []
    with pytest.raises(GameError):
        parse_standing(RULES, "autopass lunch")
    h = board("move", {"#1": "3.C", "#15": "9.C"}, usmc=[3], things={"15.2": "G1", "9.1": "S"})
    order(h, "move 1 S08; move 1 15.C", 9)
    assert standing_answer(RULES, h, "usmc", parse_standing(RULES, "detach always")) == (0, ("detach", "#1"))
    k = board(
        "assault",
        {"#1": {"where": "2.R", "reduced": True}, "#15": "9.C"},
        things={"2.2": "G1", "2.1": "G1", "9.1": "S"},
    )
    order(k, "assault #1 2.2", 3, 9)
    assert standing_answer(RULES, k, "usmc", parse_standing(RULES, "flood always")) == (0, ("flood", "yes"))


def test_a_full_turn_takes_six_messages() -> None:
    """One for each of the five phases of the player, and none is left over."""
    squads = {"#1": {"where": "3.R", "caat": "K1"}, "#4": "4.R", "#8": "2.R", "#12": "company"}
    g = board(
        "support",
        squads,
        usmc=[2, 3, 4],
        things={"14.1": "S", "14.R": "S", "15.1": "S", "16.1": "G2"},
        bags={"insurgent": ["E01", "E02"]},
    )
    messages = (
        ("call uav 15 14; pass", (2, 3, 3, 3)),
        ("commit 12 3; commit T1 S02; pass", ()),
        ("fire 4 16.1; pass", (3,)),
        ("move T1 S07 S08; move 12 S08 14.C; move 1 3.2 3.1 3.C; pass", (2,)),
        ("pass", ()),
    )
    sent = 0
    for text, chance in messages:
        if g.turn == 3:
            played, _ = order(g, text, *chance)
            assert "refused" not in statuses(played), played.lines
            sent += 1
    assert g.turn == 4 and sent <= 6
    assert g.usmc >> 14 & 1


def test_a_shared_company_acts_at_once_and_a_pass_is_withdrawn() -> None:
    squads = {
        "#1": {"where": "3.R", "owner": "plt1"},
        "#4": {"where": "4.R", "owner": "plt2"},
        "#8": {"where": "3.C", "owner": "plt2"},
    }
    g = board("fire", squads, usmc=[3, 4], things={"16.1": "S", "15.1": "S"}, platoons=2)
    assert sorted(g.todo[-1].seats(g)) == ["plt1", "plt2"]
    assert all(line.startswith(("fire #1", "pass")) for line in lines(g, "plt1"))
    order(g, "pass", seat="plt1")
    assert g.todo[-1].seats(g) == ("plt2",)
    order(g, "fire 4 16.1", 9, seat="plt2")
    assert g.todo[-1].seats(g) == ("plt2",)


def test_a_withdrawn_pass_is_told() -> None:
    squads = {
        "#1": {"where": "24.1", "owner": "plt1"},
        "#4": {"where": "14.C", "owner": "plt2"},
        "#9": {"where": "8.C", "owner": "plt2"},
    }
    g = board(
        "assault",
        squads,
        things={"14.1": "G1", "24.1'": "M1", "8.1": "S"},
        platoons=2,
        bags={"suspect": ["Q17"]},
    )
    order(g, "pass", seat="plt1")
    _, news = order(g, "assault 4 14.1", 9, 9, 0, seat="plt2")
    assert news[-1].key == "pass-withdrawn"
    assert "assault #1 24.2" in lines(g, "plt1")
    assert RULES.narrate(news[-1]).startswith("Your pass")


def test_assignments_by_platoon_number() -> None:
    g = board(
        "reinforce",
        {"#1": {"where": "3.C", "owner": "plt1"}, "#12": {"where": "company", "owner": None}},
        usmc=[3],
        platoons=2,
        abrams={"T1": "S02"},
    )
    order(g, "commit 12 3", seat="co")
    order(g, "assign 12 2", seat="co")
    assert g.owner[11] == 2
    assert g.phase == "move"

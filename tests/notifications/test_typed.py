"""The twenty typed examples of the order language, each by its number, in real matches of the four games."""

import json
from pathlib import Path
from typing import Any

import pytest

from games.ledger import selectors
from games.ledger.models import Match, Seat
from notifications.inbound import play, quotes
from notifications.inbound.language import WordsOf, read_blocks
from tests.notifications.positions import lines, match_at, played, told, write

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
SET_UP = {
    "24": ["C7", "F9", "F10"], "19": ["C5", "F12"], "42": ["C13", "F5", "F6"], "31": ["C10", "F11"],
    "33": ["C11", "F7", "F8"], "45": ["C17", "F1", "F2"],
}  # fmt: skip


def fallujah(tom: Any, rania: Any, side: str = "coalition", **position: Any) -> Match:
    """Tom is the Coalition, Rania the insurgents."""
    base = {"turn": 1, "impulse": 1, "side": side, "units": SET_UP, "control": {"coalition": []}, **position}
    return match_at(tom, "second_fallujah", base, rania, seat="coalition")


def file(game: str, name: str) -> dict[str, Any]:
    return dict(json.loads((Path("tests/positions") / game / f"{name}.json").read_text())["position"])


def test_01_a_number(tom: Any, rania: Any) -> None:
    match = fallujah(tom, rania)
    fourth = selectors.asked(match, "coalition").actions[3].notation
    write(match, "coalition", "4")
    assert played(match)[0] == fourth


def test_02_numbers_and_a_word(tom: Any, rania: Any) -> None:
    match = fallujah(tom, rania)
    words = play.words_of(match.pk, "coalition", None)
    (block,) = read_blocks(quotes.new_text("2, 4 Done."), WordsOf({None: words}))
    assert block.orders()[0].texts == (words.ballot[1].notation, words.ballot[3].notation, "Done")


def reacting(tom: Any, rania: Any) -> Match:
    match = fallujah(tom, rania)
    write(match, "coalition", "zone NE; go 1/8-A+TK-A 24")
    assert selectors.asked(selectors.match_get(match.pk), "insurgent").kind == "ReactionWindow"
    return match


def test_03_a_number_twice_takes_the_next_equal_unit(tom: Any, rania: Any) -> None:
    match = reacting(tom, rania)
    base = selectors.match_get(match.pk).head_seq
    ballot = play.words_of(match.pk, "insurgent", None).ballot
    dig = next(line for line in ballot if line.notation == "r dig F9")
    militia = [line.number for line in ballot if line.notation in ("r militia C7 24", "r militia C5 24")]
    assert dig.again == ("r dig F10",) and not any(line.notation == "r dig F10" for line in ballot)
    write(match, "insurgent", f"{dig.number} {dig.number} {militia[0]} {militia[1]}")
    assert played(match, base) == ["r dig F9", "r dig F10", "r militia C7 24", "r militia C5 24"]


def test_04_two_in_each(tom: Any, rania: Any) -> None:
    from games.ledger import services

    match = services.match_create(user=tom, ruleset="second_fallujah", seat="coalition")
    services.match_join(user=rania, match_id=match.pk)
    write(match, "insurgent", "put 2 F 45 40, put F 31")
    assert played(match) == ["put F 45", "put F 45", "put F 40", "put F 40", "put F 31"]


def test_05_a_zone_and_a_path(tom: Any, rania: Any) -> None:
    match = fallujah(tom, rania)
    write(match, "coalition", "Zone ne go 1/8-A+TK-A 24")
    assert played(match) == ["zone NE", "pick 1/8-A", "pick TK-A", "step 24"]


def test_06_a_long_dash_and_an_order_that_is_kept(tom: Any, rania: Any) -> None:
    match = fallujah(tom, rania)
    write(match, "coalition", "zone NE; go 1/8-A+TK-A 24\nthen attack 24 lead 1/8\u2013A")
    assert Seat.objects.get(match=match, key="coalition").kept == ["then attack 24 lead 1/8-A"]
    assert lines(match, "coalition")[-1] == ("then attack 24 lead 1/8\u2013A", "kept")


def test_07_a_guard_is_kept_with_its_order(tom: Any, rania: Any) -> None:
    match = fallujah(tom, rania)
    write(match, "coalition", "zone NE; go 1/8-A+TK-A 24; then if overrun go tk-a 26>30")
    assert Seat.objects.get(match=match, key="coalition").kept == ["then if overrun go tk-a 26>30"]


def test_08_a_bullet_and_generic_units(tom: Any, rania: Any) -> None:
    match = fallujah(tom, rania, "insurgent")
    write(match, "insurgent", "area 45\n\u2022 dig F@45 and F@45")
    assert played(match)[:3] == ["area 45", "dig F1", "dig F2"]


def test_09_commas_before_verbs(tom: Any, rania: Any) -> None:
    units = {**SET_UP, "24": ["M2", "F10 dug", "1/8-A spent", "TK-A spent"]}
    match = fallujah(tom, rania, "insurgent", units=units)
    write(match, "insurgent", "area 24, strike m2, done")
    assert played(match)[:2] == ["area 24", "strike M2"]


@pytest.mark.parametrize(
    ("typed", "action"), [("reroll!", "adv reroll"), ("adv \u22121 def", "adv -1 def")], ids=["10", "11"]
)
def test_10_and_11_the_advantage(tom: Any, rania: Any, typed: str, action: str) -> None:
    match = fallujah(tom, rania, advantage={"owner": "coalition", "available": True})
    write(match, "coalition", "fire 24")
    now = selectors.match_get(match.pk)
    if selectors.asked(now, "insurgent").kind == "LeadDefenderChoice":
        write(match, "insurgent", "1")
    base = selectors.match_get(match.pk).head_seq
    assert selectors.asked(selectors.match_get(match.pk), "coalition").kind == "AdvantageWindow"
    write(match, "coalition", typed)
    assert played(match, base)[0] == action


def test_12_a_fraction_in_one_glyph(tom: Any, rania: Any) -> None:
    match = fallujah(tom, rania, units={**SET_UP, "42": ["1/4-B", "C13", "F5"]})
    write(match, "coalition", "area 42; attack 42 lead \u00bc-B")
    assert played(match)[:2] == ["area 42", "attack 42"]
    assert not {"refused", "not read"} & {status for _, status in lines(match, "coalition")}  # one unit can lead


def test_13_a_path_and_a_comment(tom: Any) -> None:
    from games.kernel.notation import split_orders
    from games.phantom_fury.reading import expand

    (order,) = split_orders("move 12 s8 14.c // quiet", ["move"])
    assert expand(order) == ["move #12 s8", "~nodetach", "~move #12 14.c", "~nodetach", "~stop #12"]


def test_14_two_shots_and_stop_if_pinned(tom: Any) -> None:
    from games import catalogue
    from games.kernel.orders import read_orders

    orders = read_orders(catalogue.find("phantom_fury"), "fire #1 15.1 CAAT; stop if pinned; fire #8 14.R")
    assert [(order.text, order.stop) for order in orders] == [
        ("fire #1 15.1 CAAT", False), ("stop if pinned", True), ("fire #8 14.R", False),
    ]  # fmt: skip


def test_15_an_order_of_a_later_phase_is_asked_back_with_the_pass(tom: Any) -> None:
    match = match_at(tom, "phantom_fury", file("phantom_fury", "G02"))
    before = selectors.match_get(match.pk).head_seq
    squad = selectors.asked(match, "usmc").actions[0].notation.split()[1]
    write(match, "usmc", f"assault {squad} 2.2\u2019")
    assert selectors.match_get(match.pk).head_seq == before and "nothing was done" in told(match, "usmc")["headline"]


def test_16_the_first_half_of_a_round(tom: Any) -> None:
    match = match_at(tom, "city_fighting", {
        "units": {"usmc.inf.3-1": "2-4", "usmc.eng.2": "2-4"}, "nodes": {}, "opfor": ["mil.1", "jih.1"],
        "strikes": {"air.1": "available", "arty.5": "available"}, "netwars": {"netwar.1": "available"},
        "contested": "2-4",
        "todo": [{"step": "ChooseLead", "fight": {"place": "2-4", "units": ["usmc.inf.3-1", "usmc.eng.2"]}},
                 {"step": "OpMenu"}],
    })  # fmt: skip
    write(match, "a", "lead inf.3-1; netwar; strike air.1, arty.5; done")
    done = played(match)
    assert done[0] == "lead usmc.inf.3-1" and "strike air.1" in done and "strike arty.5" in done
    assert [status for _, status in lines(match, "a")] == ["ok", "ok", "ok", "passed over"]  # no strike is left


def test_17_a_space_that_could_be_a_range_is_asked(tom: Any) -> None:
    from games.ledger import services

    match = services.match_create(user=tom, ruleset="city_fighting")
    write(match, "a", "2-4")
    assert played(match) == [] and "2-4 could be a place or lines 2 to 4" in told(match, "a")["lines"][0]["why"]


def test_18_a_whole_turn_of_cards(tom: Any) -> None:
    from games import catalogue
    from games.kernel.orders import read_orders

    text = "to assault; put rct 1; put stryker 1; put small 1; fire"
    orders = read_orders(catalogue.find("card_assault"), text)
    assert [order.text for order in orders] == text.split("; ")
    from games.ledger import services

    match = services.match_create(user=tom, ruleset="card_assault")
    hand = {card["id"].split(".")[1]: card["id"] for card in selectors.view(match, "american")["hand"]}
    leader = next((offer for offer in hand if offer), "")
    write(match, "american", f"to assault; put {leader} 1")
    assert set(played(match)) <= {"done", f"put {hand[leader]} 1"}


def test_19_a_quoted_tick(tom: Any, rania: Any) -> None:
    match = fallujah(tom, rania)
    line = play.words_of(match.pk, "coalition", None).ballot[5]
    write(match, "coalition", f"> [x] {line.number}   {line.notation}    win 66 %, clear 16 %")
    assert played(match)[0] == line.notation


def test_20_a_remark(tom: Any, rania: Any) -> None:
    match = fallujah(tom, rania)
    write(match, "coalition", "I think 4 is best but wait")
    assert played(match) == []

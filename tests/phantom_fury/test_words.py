"""Words, chances, rule numbers, the text board, pictures, data, positions."""

import copy
import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from games import phantom_fury
from games.kernel.errors import BadSetup
from games.kernel.ruleset import Scene, fresh
from games.kernel.steps import apply, legal, owed
from games.kernel.table import News, SeededTable
from games.phantom_fury import RULES
from games.phantom_fury.data_check import check_data
from games.phantom_fury.news import KEYS
from games.phantom_fury.tables import BOARD, COUNTERS
from tests.phantom_fury.build import board, lines, order


def test_a_shot_in_words_and_in_percent() -> None:
    g = board(
        "fire",
        {"#4": {"where": "3.R", "caat": "K1"}},
        usmc=[3],
        things={"15.R": "G2", "15.1": "M1", "16.1": "S"},
        abrams={"T1": "S08"},
    )
    told = {RULES.say(g, action): action for action in legal(g, "usmc")}
    action = told["fire #4 15.R"]
    assert RULES.describe(g, "usmc", action) == "Squad #4 fires from 3.R at the Guerillas 2 in 15.R"
    assert RULES.odds(g, "usmc", action) == "70 %: die at most CF 6"
    assert (
        RULES.odds(g, "usmc", told["fire #4 15.1 caat"]) == "70 %: die +1 not on a roof +1 Martyrs at most CF 6 +2 CAAT"
    )
    assert RULES.odds(g, "usmc", told["fire T1 15.1"]) == "70 %: die +1 not on a roof +1 Martyrs at most CF 8"
    assert RULES.odds(g, "usmc", told["fire #4 16.1"]).startswith("60 %: die +1 Suspect")
    assert RULES.odds(g, "usmc", ("pass",)) == ""
    assert RULES.cite(g, action) == "11.1"


def test_chances_of_assaults_missions_and_crossings() -> None:
    g = board(
        "assault",
        {"#2": {"where": "15.C", "caat": "K1"}, "#15": "9.C"},
        things={"15.1": "M2", "9.1": "S"},
        zones={9: {"nature": "fortified"}},
    )
    assert (
        RULES.odds(g, "usmc", ("assault", "#2", "15.1"))
        == "50 %: die +1 Martyrs at most CF 5; 30 % to be hit if it fails"
    )
    assert RULES.odds(g, "usmc", ("assault", "#15", "9.1")).startswith("10 % dummy, 70 % a unit")
    order(g, "assault 2 15.1")
    assert RULES.odds(g, "usmc", ("explosives", "yes")) == "90 %: die at most CF 8"
    assert RULES.odds(g, "usmc", ("explosives", "no")).startswith("50 %")
    s = board("support", {"#1": "3.C"}, usmc=[3])
    assert RULES.odds(s, "usmc", ("call", "uav")) == "90 %: die at most 8"
    m = board("move", {"#1": "3.C"}, usmc=[3], things={"15.1": "G1", "14.1": "S"})
    assert RULES.odds(m, "usmc", ("move", "#1", "S08")) == "20 % step loss (1 unit), 20 % Pinned (1 Suspect)"
    assert RULES.odds(m, "usmc", ("move", "#1", "S09")) == "20 % step loss (1 unit), 0 % Pinned (0 Suspects)"
    t = board("move", {"#1": "3.C"}, usmc=[3], things={"15.1": "G1", "14.1": "S"}, abrams={"T1": "S08"})
    assert RULES.odds(t, "usmc", ("move", "#1", "S08")).startswith("0 % step loss")
    q = board("move", {"#1": "3.C"}, usmc=[3])
    assert RULES.odds(q, "usmc", ("move", "#1", "S08")) == "safe: nobody sees the street"
    assert RULES.cite(q, ("move", "#1", "S08")) == "12.5"
    assert RULES.cite(q, ("move", "T1")) == "12.6"


def test_every_question_and_action_has_words() -> None:
    """Whole random games with seats; every prompt and description is a sentence without internal names."""
    prompts: set[str] = set()
    verbs: set[str] = set()
    for seed in range(6):
        rng = random.Random(seed)
        table = SeededTable(rng)
        g = RULES.start(RULES.setup({"platoons": seed % 3, "variant": bool(seed % 2)}), table)
        while owed(g):
            seat = rng.choice(owed(g))
            prompts.add(RULES.prompt(g, seat).split(":")[0][:12])
            choices = legal(g, seat)
            action = rng.choice(choices)
            verbs.add(str(action[0]))
            assert RULES.describe(g, seat, action)
            assert RULES.cite(g, action)
            apply(g, seat, action, table)
        assert RULES.prompt(g, "usmc") == "The game is over."
    assert len(prompts) > 12
    assert {"fire", "move", "assault", "loss", "detach", "explosives"} <= verbs


def test_every_kind_of_news_is_a_sentence() -> None:
    seen: set[str] = set()
    for seed in range(16):
        rng = random.Random(seed)
        table = SeededTable(rng)
        g = RULES.start(RULES.setup({"strong_points": 4, "platoons": 2 * (seed % 5 == 0)}), table)
        while owed(g):
            seat = rng.choice(owed(g))
            choices = legal(g, seat)
            acts = [action for action in choices if action[0] != "pass"]
            apply(g, seat, rng.choice(acts if acts and rng.random() < 0.9 else choices), table)
        for item in table.news:
            if item.key not in seen:
                words = RULES.narrate(item)
                assert words[0].isupper() and words.endswith("."), words
                seen.add(item.key)
    assert len(seen) > 35
    assert RULES.narrate(News("refill", {"what": "Suspects"})).endswith("a full set is added.")


def test_no_news_goes_without_a_sentence() -> None:
    """Every key the rules tell is one that can be narrated."""
    folder = Path(next(iter(phantom_fury.__path__)))
    told = {key for path in folder.glob("*.py") for key in re.findall(r'tell\(\s*"([\w-]+)"', path.read_text())}
    assert told | {"recovered", "still-pinned"} == KEYS


def test_the_text_board_names_all_that_stands_somewhere() -> None:
    g = board(
        "fire",
        {
            "#4": {"where": "3.R", "caat": "K1", "hero": 2},
            "#5": {"where": "14.1", "se": "14.C", "reduced": True, "status": "pinned"},
            "#6": "S08",
            "#7": "company",
            "I1": "iif_box",
        },
        usmc=[3],
        things={"15.R": "G2", "14.2": "M1"},
        zones={
            15: {"fanaticism": True, "phantom_fury": 15},
            3: {"ruins": False},
            14: {"no_event": True},
            40: {"ruins": True, "nature": "fortified"},
        },
        abrams={"T1": "S02"},
        orphan_se=["16.C"],
    )
    text = RULES.text_board(RULES.view(g, None), None)
    for part in (
        "#4 CF 8 CAAT K1/4x hero+2",
        "SE of #5",
        "#5 CF 3 reduced Pinned",
        "Guerillas 2",
        "Abrams T1 in S02",
        "#6 CF 4 in S08",
        "Company: #7",
        "Fanaticism, Phantom Fury 0015",
        "40 (Fortified, Ruins)",
        "[no Event]",
    ):
        assert part in text, text
    g.result = "defeat"
    assert text != RULES.text_board(RULES.view(g, None), None)


def scene(**rest: Any) -> Scene:
    g = board(
        "fire",
        {
            "#4": {"where": "3.R", "caat": "K1", "hero": 1, "reduced": True},
            "#5": {"where": "3.R", "status": "fired"},
            "#6": {"where": "14.C", "se": "14.C", "moved": True},
            "#7": {"where": "24.1", "se": "24.C"},
            "I1": "3.C",
            "#8": "S07",
        },
        usmc=[3],
        things={"15.R": "G2", "14.2": "M1", "16.1": "S"},
        zones={15: {"fanaticism": True, "phantom_fury": 15}, 3: {"ruins": True}, 14: {"nature": "fortified"}},
        abrams={"T1": {"where": "S02", "status": "fired"}},
        orphan_se=["16.C"],
    )
    told = tuple(legal(g, "usmc"))
    recent = (
        News("moved", {"unit": "#4", "at": "3.C", "goal": "3.R"}),
        News(
            "fire",
            {"unit": "#4", "at": "15.R", "what": "Guerillas 2", "die": 1, "drm": 0, "cf": 5, "caat": 0, "hit": 0},
        ),
        News(
            "fire",
            {"unit": "#9", "at": "15.R", "what": "Guerillas 2", "die": 1, "drm": 0, "cf": 5, "caat": 0, "hit": 0},
        ),
        News("dummy", {"at": "15.1", "die": 3}),
        News(
            "clash",
            {
                "unit": "#6",
                "at": "14.2",
                "what": "Martyrs 1",
                "ours": 3,
                "drm": 0,
                "cf": 5,
                "theirs": 9,
                "their_drm": 0,
                "their_cf": 1,
                "hit": 1,
                "lost": 0,
            },
        ),
    )
    return Scene(RULES.view(g, "usmc"), "usmc", told, {action: n for n, action in enumerate(told, 1)}, recent, **rest)


@pytest.mark.parametrize("rest", [{}, {"theme": "dark"}, {"crop": True}, {"corner": "match 7", "heading": "turn 3"}])
def test_pictures_are_whole_and_steady(rest: dict[str, Any]) -> None:
    picture = RULES.picture(scene(**rest))
    root = ET.fromstring(picture)
    words = "".join(root.itertext())
    assert "#4" in words and "14" in words
    assert picture == RULES.picture(scene(**rest))


def test_pictures_of_an_opening_and_of_a_choice_of_zones() -> None:
    g = fresh(RULES, 3, {"strong_points": 1})
    told = tuple(legal(g, "usmc"))
    numbers = {action: n for n, action in enumerate(told[:20], 1)}
    for crop in (False, True):
        assert RULES.picture(Scene(RULES.view(g, None), None, told, numbers, crop=crop)).startswith("<svg")
    s = board("support", {"#1": "3.C"}, usmc=[3], things={"15.1": "S"})
    order(s, "call uav", 0)
    assert "target 15 16" in lines(s)
    assert RULES.picture(Scene(RULES.view(s, "usmc"), "usmc", tuple(legal(s, "usmc")))).startswith("<svg")
    quiet = RULES.picture(Scene(RULES.view(s, "usmc"), "usmc", crop=True))
    assert "S08" in quiet


def test_the_shipped_data_is_sound() -> None:
    assert RULES.check_data() == []


def broken(change: Any) -> list[str]:
    told_board, told_counters = copy.deepcopy(dict(BOARD)), copy.deepcopy(dict(COUNTERS))
    change(told_board, told_counters)
    return check_data(told_board, told_counters)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda b, c: b["zones"].pop(), "numbered 1 to 61"),
        (lambda b, c: b["sections"].pop(), "78 street sections"),
        (lambda b, c: b["blocks"].pop(), "exactly one block"),
        (lambda b, c: b["start_zones"].pop(), "nine start zones"),
        (lambda b, c: b["zones"][26].update(locations=b["zones"][0]["locations"]), "must have no Locations"),
        (lambda b, c: b["zones"][0]["locations"].append(b["zones"][0]["locations"][0]), "has a Location twice"),
        (lambda b, c: b["zones"][0].update(entry="X"), "no entry Location X"),
        (lambda b, c: b["zones"][0]["locations"][0].update(door=False), "no Location with a door"),
        (lambda b, c: b["zones"][0]["arrows"].append(["C", "2'"]), "an arrow to a Location it does not have"),
        (lambda b, c: b["zones"][0]["arrows"].pop(), "not all joined"),
        (lambda b, c: b["zones"][0].update(egress=[]), "no egress"),
        (lambda b, c: b["zones"][0].update(egress=[50]), "neither Adjacent nor Neighbouring"),
        (lambda b, c: b["zones"][1].update(adjacent=[]), "is Adjacent to 2, but not the other way round"),
        (lambda b, c: b["zones"][1].update(block="B01"), "different blocks"),
        (lambda b, c: b["zones"][16].update(line_of_fire=[]), "line of fire to 17, but not"),
        (lambda b, c: b["sections"][0].update(adjacent_sections=[]), "is Adjacent to S01, but not"),
        (lambda b, c: b["sections"][0].update(adjacent_zones=[1]), "touches section S01, but the section"),
        (lambda b, c: b["zones"][0].update(sections=[]), "touches zone 1, but the zone"),
        (lambda b, c: b["zones"][0]["neighbours"].pop(), "do not match their neighbours"),
        (lambda b, c: c["caat"].pop(), "4 counters in caat"),
        (lambda b, c: c["suspects"].pop(), "40 Suspect markers"),
        (lambda b, c: c["usmc_squads"][0].update(cf=9), "Squad #1 must have CF 4 to 6"),
        (lambda b, c: c["insurgents"][0].update(guerillas=4), "Counter E01"),
        (lambda b, c: c["suspects"][0].update(string="1/1/R"), "Suspect Q01"),
    ],
)
def test_wrong_data_is_named_in_a_sentence(change: Any, words: str) -> None:
    found = broken(change)
    assert any(words in sentence for sentence in found), found
    assert all(sentence.endswith(".") for sentence in found)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"colour": 1}, "has no 'colour'"),
        ({"turn": 99}, "turn must be a number"),
        ({"zones": {"99": {}}}, "no zone '99'"),
        ({"zones": {"27": {}}}, "no zone '27'"),
        ({"zones": {"3": {"control": "us"}}}, "controlled by ins or usmc"),
        ({"zones": {"3": {"things": {"9": "S"}}}}, "no Location '9'"),
        ({"zones": {"3": {"things": {"1": "X"}}}}, "neither S nor a unit"),
        ({"zones": {"3": {"things": {"1": {"k": "unit", "id": "E99"}}}}}, "no Suspect Q01 to Q40"),
        ({"zones": {"3": 5}}, "must be an object"),
        ({"squads": {"#99": "3.C"}}, "no squad '#99'"),
        ({"squads": {"#1": "nowhere"}}, "no place 'nowhere'"),
        ({"squads": {"#1": {"where": "3.C", "status": "tired"}}}, "fresh, fired or pinned"),
        ({"squads": {"#1": {"where": "3.C", "caat": "K9"}}}, "no CAAT 'K9'"),
        ({"caat": {"K9": {}}}, "no CAAT 'K9'"),
        ({"abrams": {"T9": "box"}}, "no Abrams 'T9'"),
        ({"abrams": {"T1": "3.C"}}, "street section or in OG"),
        ({"bags": {"suspect": ["Q99"]}}, "no counter 'Q99'"),
        ({"vp_log": [[1]]}, "line of the VP log"),
        ({"todo": [["Nonsense"]]}, "todo"),
        ({"phase": "lunch"}, "phase must be one of"),
    ],
)
def test_wrong_positions_are_refused_with_a_sentence(told: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSetup, match=words) as caught:
        RULES.from_position(told, RULES.setup())
    assert caught.value.text.endswith(".")


def test_seats_and_outcomes_have_names() -> None:
    assert RULES.seats(RULES.setup()) == ("usmc",)
    assert RULES.seats(RULES.setup({"platoons": 2})) == ("co", "plt1", "plt2")
    assert [RULES.seat_name(seat) for seat in ("usmc", "co", "plt3")] == ["USMC", "Company commander", "3rd Platoon"]
    g = RULES.from_position({"phase": "over", "result": "defeat"}, RULES.setup())
    outcome = RULES.outcome(g)
    assert outcome is not None and outcome.winner is None

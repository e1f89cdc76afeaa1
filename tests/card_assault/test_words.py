"""What is said to the player: prompts, odds, the text board, news, the picture hook."""

import sys
import types
from typing import Any

import pytest

from games.card_assault import RULES, ruleset
from games.card_assault.tables import CARD, FIRST_INSURGENT, KINDS, next_rank, rank
from games.kernel.ruleset import Scene
from games.kernel.steps import legal, settle
from games.kernel.table import News, Scripted
from tests.card_assault.test_orders import FRONT, RCT, SEAT, SMALL, STRYKER, at, play

TRIAD = {"1": ["I.jihadists.1", {"id": "P.courtyard.1", "up": False}, "P.tight_alley.1"]}


def odds(g: Any, text: str) -> str:
    action = RULES.read(g, SEAT, text).action
    assert action is not None
    return RULES.odds(g, SEAT, action)


def test_a_strike_says_how_it_will_end() -> None:
    g = at("strike", ["S.sniper_team.1"], {"1": ["I.jihadists.1"], "2": ["I.part_time_insurgents.1"]})
    assert odds(g, "put sniper 1") == "2 v 5: no"
    assert odds(g, "put sniper 2") == "2 v 1: wins"
    assert odds(g, "done") == ""


def test_an_assault_on_hidden_cards_gives_the_range() -> None:
    g = at("assault", [RCT, STRYKER, SMALL], TRIAD)
    assert odds(g, "put rct 1") == "5 v 8 to 13, 1 hidden"
    explosives = [f"X.{key}.{n}" for key in BOMBS for n in (1, 2)]
    g = at("assault", [RCT, STRYKER, SMALL], TRIAD, i_discard=explosives)
    play(g, "put rct stryker 1")
    assert odds(g, "put small 1") == "16 v at most 13: wins"
    assert odds(g, "fire") == "8 v 8 to 13, 1 hidden"


BOMBS = (
    "suicide_bomber",
    "roadside_bomb",
    "radio_controlled_bomb",
    "car_bomb",
    "improvised_explosive_device",
    "low_tech_bomb",
)


def test_an_open_front_with_a_bomb_says_so() -> None:
    g = at("assault", [RCT], {"1": ["I.part_time_insurgents.1", "X.car_bomb.1"]})
    assert odds(g, "put rct 1") == "5 v 1: wins unless explosives bite"
    g = at("artillery", [STRYKER], {"1": ["P.courtyard.1", "X.car_bomb.1"], "2": ["P.pillbox.1"]})
    assert odds(g, "aim stryker courtyard") == "3 v 1, explosives first"
    assert odds(g, "aim stryker pillbox") == "3 v 5"
    g = at("recon", ["R.predators.1"], TRIAD)
    assert odds(g, "recon predators 1") == "67 %"


def test_every_question_has_a_prompt() -> None:
    g = at("assault", ["G.iraqi_infantry.1", "A.up_armored_humvee.1"], {"1": ["I.jihadists.1", "X.car_bomb.1"]})
    play(g, "put iraqi_infantry up_armored 1")
    assert RULES.prompt(g, SEAT) == "Turn 1, assault phase: put more cards, take one back, or fire."
    play(g, "fire", 2)
    assert "the explosion of 3 at front 1" in RULES.prompt(g, SEAT)
    assert "Explosion of 3 at front 1." in RULES.text_board(RULES.view(g, SEAT), SEAT)
    assert RULES.cite(g, legal(g, SEAT)[0]) == "Standard combat"
    cards = ["G.infantry.1", "G.infantry.2", RCT, STRYKER, SMALL, "A.humvee.1", "A.humvee.2"]
    g = at("resource", cards, FRONT)
    assert RULES.prompt(g, SEAT) == "Turn 1, resource phase: discard 1 card, down to six."
    assert RULES.cite(g, legal(g, SEAT)[0]) == "2"
    assert g.todo[-1].facts(g) == {"hand": 7, "deck": 58, "turn": 1, "over": 1}
    over = RULES.from_position({"over": "ended"}, RULES.setup())
    assert RULES.prompt(over, SEAT) == "The game is over."


def test_the_empty_deck_is_told() -> None:
    assert RULES.narrate(News("reinforced", {"cards": "", "left": 0})) == "No American card is left to draw."


def test_the_board_shows_sums_and_reasons() -> None:
    g = at("assault", [RCT, STRYKER, SMALL], {**TRIAD, "2": ["P.mosque.1"]})
    play(g, "put rct stryker small 1")
    board = RULES.text_board(RULES.view(g, SEAT), SEAT)
    assert "Front 1  Jihadists 5 | face down | Tight Alley 3" in board
    assert "shows 5 + 3 = 8 and 1 hidden; can be assaulted" in board
    assert "cannot be assaulted: no insurgent or objective seen" in board
    assert "(5 + 3) x 2 = 16 v 8 and 1 hidden" in board


def test_artillery_on_the_board_names_its_position() -> None:
    g = at("artillery", [STRYKER, RCT], {"1": ["P.courtyard.1", "I.jihadists.1"]})
    play(g, "aim stryker courtyard")
    assert "Put on Courtyard on front 1: Stryker 3.\n  3 v 1" in RULES.text_board(RULES.view(g, SEAT), SEAT)


def test_failed_assaults_are_on_the_board() -> None:
    fronts = {"1": ["I.jihadists.1"], "2": ["I.jihadists.2", "X.car_bomb.1"]}
    g = at("assault", ["G.iraqi_infantry.1", "G.iraqi_infantry.2", "A.up_armored_humvee.1"], fronts)
    play(g, "put iraqi_infantry.1 1; put iraqi_infantry.2 up_armored 2; fire", 1)
    assert "not won so far: front 1" in RULES.text_board(RULES.view(g, None), None)


@pytest.mark.parametrize(
    ("points", "word"),
    [(-9, "Surrender"), (5, "Surrender"), (6, "Defeat"), (35, "Silver Star"), (36, "General"), (51, "President")],
)
def test_ranks(points: int, word: str) -> None:
    assert rank(points) == word
    assert (next_rank(points) is None) is (points >= 51)


def test_the_picture_is_drawn_from_the_scene(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = types.ModuleType("games.card_assault.picture")
    stand_in.draw = lambda scene: f"<svg>{scene.view['turn']}</svg>"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "games.card_assault.picture", stand_in)
    g = at("assault", [RCT], FRONT)
    assert RULES.picture(Scene(RULES.view(g, SEAT), SEAT)) == "<svg>1</svg>"
    assert RULES.seat_name(SEAT) == "Americans" and RULES.seat_name("bot") == "Bot"


def test_wrong_data_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruleset, "KINDS", KINDS[1:])
    assert len(RULES.check_data()) == 2


def test_a_turn_in_which_nothing_can_move_ends_the_game() -> None:
    """R20. Deck empty, nothing to draw, nothing played."""
    insurgents = [card for card in CARD if CARD[card] >= FIRST_INSURGENT]
    position = {
        "i_deck": [],
        "i_discard": [card for card in insurgents if card != "P.pillbox.1"],
        "fronts": {"1": ["P.pillbox.1"]},
        "a_deck": [],
        "a_discard": [card for card in CARD if CARD[card] < FIRST_INSURGENT],
        "reshuffles": 1,
    }
    g = RULES.from_position(position, RULES.setup({"allow_end": False}))
    settle(g, Scripted())
    outcome = RULES.outcome(g)
    assert g.over == "deadlock" and outcome is not None and outcome.result == "Surrender"


def test_the_last_card_gone_ends_the_game_at_once() -> None:
    insurgents = [card for card in CARD if CARD[card] >= FIRST_INSURGENT]
    rest = [card for card in insurgents if card != "X.car_bomb.1"]
    g = at("disarm", ["D.robot.1", "D.spotters.1"], {"1": ["X.car_bomb.1"]}, i_deck=[], i_discard=rest)
    play(g, "disarm robot car", 1)
    assert g.over == "cleared" and g.todo == []

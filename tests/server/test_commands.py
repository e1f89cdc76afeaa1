"""The command line: position, playout, play, check_data, ledger_verify."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games import catalogue
from games.ledger.models import Match
from tests.ledger.helpers import play_some, solo

POSITIONS = Path(__file__).parents[1] / "positions"


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out, no_color=True)
    return out.getvalue()


def example(ruleset: str = "card_assault") -> Path:
    return next(iter(sorted((POSITIONS / ruleset).glob("*.json"))))


@pytest.mark.parametrize("ruleset", catalogue.all_keys())
def test_a_position_file_is_answered_in_json_and_its_position_can_be_fed_back(ruleset: str, tmp_path: Path) -> None:
    report = json.loads(run("position", str(example(ruleset)), "--json"))
    wanted = {"applied", "refused", "owed", "legal", "position", "news", "chance_left", "outcome"}
    assert set(report) == wanted
    document = json.loads(example(ruleset).read_text())
    again = {"ruleset": ruleset, "options": document.get("options", {}), "position": report["position"]}
    file = tmp_path / "again.json"
    file.write_text(json.dumps(again))
    second = json.loads(run("position", str(file), "--json"))
    assert second["position"] == report["position"]
    assert second["legal"] == report["legal"]


def test_a_position_is_told_in_words_too() -> None:
    assert "orders applied" in run("position", str(example()))


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"ruleset": "chess"}', '{"ruleset": "card_assault", "position": 7}', "not json",
     '{"ruleset": "card_assault", "position": {"turn": "late"}}', '{"ruleset": "card_assault", "orders": "done"}'],
)  # fmt: skip
def test_a_bad_position_file_is_refused_with_a_sentence(text: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text)
    with pytest.raises(CommandError):
        run("position", str(file), "--json")


def test_a_missing_file_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        run("position", str(tmp_path / "nowhere.json"))


def test_playout_counts_games_actions_and_outcomes() -> None:
    report = json.loads(run("playout", "card_assault", "--games", "5", "--seed", "7", "--json"))
    assert report["games"] == 5 and sum(report["outcomes"].values()) == 5
    assert report["actions"] > 50
    same = json.loads(run("playout", "card_assault", "--games", "5", "--seed", "7", "--json"))
    assert (same["actions"], same["outcomes"]) == (report["actions"], report["outcomes"])


def test_playout_refuses_an_unknown_bot() -> None:
    with pytest.raises(CommandError, match="has no bot"):
        run("playout", "card_assault", "--bots", "genius")


def test_bots_that_play_one_side_only_find_their_seat_in_any_order() -> None:
    for bots in ("planner,defender", "defender,planner"):
        report = json.loads(run("playout", "second_fallujah", "--games", "1", "--bots", bots, "--json"))
        assert report["bots"] == {"insurgent": "defender", "coalition": "planner"}
    with pytest.raises(CommandError, match="plays coalition only"):
        run("playout", "second_fallujah", "--games", "1", "--bots", "planner,planner")


def test_standing_orders_spare_hand_offs() -> None:
    asked = json.loads(run("playout", "second_fallujah", "--games", "2", "--bots", "defender,planner", "--json"))
    spared = json.loads(
        run("playout", "second_fallujah", "--games", "2", "--bots", "defender,planner", "--standing", "--json")
    )
    assert spared["windows"] * 100 <= 15 * (spared["handoffs"] - 2 * spared["windows"])
    assert spared["windows"] < asked["windows"]


def test_a_game_can_be_played_to_its_end_in_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["help", "options", "board", "undo", "frobnicate"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(typed, "1"))
    said = run("play", "card_assault", "--seed", "3")
    assert "Type the number of an option" in said
    assert "victory points" in said


def test_a_bot_can_sit_at_the_terminal() -> None:
    assert "victory points" in run("play", "card_assault", "--seed", "3", "--bot", "american=random")


def test_the_data_of_every_game_holds_together() -> None:
    said = run("check_data")
    assert said.count("good") == len(catalogue.all_keys())


@pytest.mark.django_db
def test_ledger_verify_replays_every_match(make_user: Any) -> None:
    first, second = solo(make_user()), solo(make_user("tom"))
    play_some(first, 20)
    assert "2 matches verified" in run("ledger_verify", "--all")
    Match.objects.filter(pk=second.pk).update(head_seq=5)
    with pytest.raises(CommandError, match="1 of 2"):
        run("ledger_verify", "--all")
    with pytest.raises(CommandError, match="no match 999"):
        run("ledger_verify", "999")
    with pytest.raises(CommandError, match="Name match"):
        run("ledger_verify")

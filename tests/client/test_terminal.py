"""The terminal client, driven through a pseudo-terminal against a real server."""

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fallujah_client import Client, shorthand
from games.ledger.models import Entry, Match
from tests.client.conftest import PASSWORD
from tests.client.tty import Tty
from tests.live import ROOT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
ASK = "> "


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "fallujah" / "tokens.json"


def test_sign_in_open_a_match_look_order_and_leave(server: str, make_user: Any, tokens: Path) -> None:
    make_user("rania")
    with Tty("--server", server, tokens=tokens) as tty:
        tty.until("Name: ")
        tty.type("rania")
        tty.until("Password: ")
        tty.type(PASSWORD)
        assert "You have no matches yet" in tty.until("match> ")
        assert PASSWORD not in tty.text, "a password is not shown"
        tty.type("frobnicate")
        tty.until("Type the number of a match")
        tty.type("new card_assault max_reshuffles=0")
        shown = tty.until("\n> ")
        match = Match.objects.get()
        assert match.options["max_reshuffles"] == 0
        assert f"match {match.pk} · Card Assault · Americans · entry 0" in shown
        decision = Client(server, _token(tokens)).decision(match.pk)
        assert decision.prompt[:40] in shown and all(offer.notation in shown for offer in decision.actions)
        assert len(_board_lines(shown, server, tokens, match.pk)) > 10, "the whole board is on the screen"
        _says_things(tty, match.pk, decision.actions)
        tty.type("matches")
        assert "your move" in tty.until("match> ")
        tty.type("quit")
        assert tty.end() == 0
    assert stat.S_IMODE(os.stat(tokens).st_mode) == 0o600


def _token(tokens: Path) -> str:
    import json

    return str(next(iter(json.loads(tokens.read_text()).values())))


def _board_lines(shown: str, server: str, tokens: Path, match_id: int) -> list[str]:
    board = Client(server, _token(tokens)).board(match_id)
    return [line for line in board.splitlines() if line.strip() and line.rstrip() in shown]


def _says_things(tty: Tty, match_id: int, offers: Any) -> None:
    """The shorthands of mail: numbers, words, why, look, log, undo; nonsense does nothing."""
    tty.type("why 1")
    assert offers[0].notation in tty.until("\n> ")
    tty.type("look")
    tty.until("\n> ")
    tty.type("I will think about it")
    assert "nothing was done" in tty.until("\n> ")
    tty.type("99")
    assert "There is no line 99" in tty.until("\n> ")
    tty.type(f"{offers[0].action[0]} frobnicate")
    tty.until("\n> ")
    assert Entry.objects.filter(match=match_id).count() == 1, "none of that was an order"
    tty.type("1")
    assert "entry 1" in tty.until("\n> ")
    assert list(Entry.objects.filter(match=match_id, seq=1).values_list("action", flat=True)) == [offers[0].action]
    tty.type("log")
    assert offers[0].notation in tty.until("\n> ")
    rolled = bool(Entry.objects.get(match=match_id, seq=1).rolls)  # the deck decides what can be done first
    tty.type("undo")
    said = tty.until("\n> ")
    assert ("cannot be taken back: you have seen" if rolled else "Taken back") in said
    assert Entry.objects.filter(match=match_id, seq=2).exists() != rolled
    tty.type("resign")
    assert "resign yes" in tty.until("\n> ")
    tty.type("help")
    assert "You answer as in a mail" in tty.until("\n> ")


def test_the_kept_token_is_used_and_can_be_given_up(server: str, client: Client, tokens: Path) -> None:
    client.open("card_assault")
    tokens.parent.mkdir()
    tokens.write_text(f'{{"{server}": "{client.token}", "http://elsewhere": "x"}}')
    with Tty("--server", server, tokens=tokens) as tty:
        assert "Card Assault" in tty.until("match> ")
        tty.type("quit")
        assert tty.end() == 0
    with Tty("sign-out", "--server", server, tokens=tokens) as tty:
        assert tty.end() == 0
    assert "elsewhere" in tokens.read_text() and client.token not in tokens.read_text()
    with Tty("--server", server, "--user", "rania", tokens=tokens) as tty:
        tty.until("Password: ")
        tty.type("wrong")
        tty.until("do not fit")
        assert tty.end() == 1


def test_several_orders_in_one_line_and_a_whole_match(server: str, client: Client, tokens: Path) -> None:
    """Always the last line of the list; the end is told and the list comes back."""
    match = client.open("card_assault", options={"max_reshuffles": 0})
    with Tty("play", str(match.id), "--server", server, tokens=tokens, FALLUJAH_TOKEN=client.token) as tty:
        while not (shown := tty.until("\n> ", "match> ")).endswith("match> "):
            asked = client.decision(match.id)
            assert f"entry {asked.version} " in shown, "each question is about the position as it is"
            last = shorthand.rows(asked.actions)[-1]  # of many choices those that differ in one word share a line
            number = f"{last.number} {last.fills[-1]}" if last.blank else str(last.number)
            tty.type(number if asked.version % 2 else asked.actions[-1].notation)
        over = client.match(match.id)
        assert over.status == "over" and over.outcome is not None
        assert over.outcome.words.split()[0] in shown
        tty.type("quit")
        assert tty.end() == 0


def test_looking_on_while_others_play(server: str, client: Client, tokens: Path, make_user: Any) -> None:
    """A bot plays; somebody without a seat watches it by the stream, to the end."""
    make_user("vera")
    vera = Client(server)
    vera.login("vera", PASSWORD)
    match = client.open("card_assault", options={"max_reshuffles": 0})
    with Tty("watch", str(match.id), "--server", server, tokens=tokens, FALLUJAH_TOKEN=vera.token) as tty:
        tty.until(f"match {match.id} · Card Assault · entry 0 · playing")
        bot = subprocess.run(
            [sys.executable, "examples/random_bot.py", server, "", "", str(match.id)],
            cwd=ROOT, env={"PYTHONPATH": str(ROOT), "FALLUJAH_TOKEN": client.token}, timeout=120, check=False,
        )  # fmt: skip
        assert bot.returncode == 0
        over = client.match(match.id)
        assert over.outcome is not None
        tty.until(f"entry {over.version} · over")
        assert tty.end() == 0
        assert over.outcome.words.split()[0] in tty.text
    vera.close()


def test_two_people_play_and_hear_of_each_other(server: str, client: Client, tokens: Path, make_user: Any) -> None:
    """Waiting ends by itself when the other has moved."""
    make_user("sam")
    sam = Client(server)
    sam.login("sam", PASSWORD)
    match = client.open("duel", seat="north")
    sam.join(match.id)
    with Tty("play", str(match.id), "--server", server, tokens=tokens, FALLUJAH_TOKEN=sam.token) as tty:
        tty.until("must answer first")
        client.orders(match.id, "mark 3; hold")
        assert "held north" in tty.until("\n> ")
        tty.type("say Good luck!")
        tty.until("Said.")
        tty.type("note watch the bridge")
        tty.until("Your note: watch the bridge")
        assert [said.text for said in client.messages(match.id).messages] == ["Good luck!"]
        tty.type("mark 1; mark 2; hold")
        tty.until("must answer first")
        client.say(match.id, "Your turn soon")
        tty.until("rania: Your turn soon")
        assert [row.action for row in Entry.objects.filter(match=match.id, seat="south")] == [
            ["mark", 1], ["mark", 2], ["hold"],
        ]  # fmt: skip
        tty.interrupt()
        tty.until("match> ")
        tty.type("quit")
        assert tty.end() == 0
    sam.close()


def test_a_server_that_is_not_there_is_said_in_words(tokens: Path) -> None:
    with Tty("--server", "http://127.0.0.1:9", tokens=tokens, FALLUJAH_TOKEN="x" * 64) as tty:
        tty.until("does not answer")
        assert tty.end() == 1

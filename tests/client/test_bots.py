"""Bots of others over the API: in Python, in other languages over pipes, curious ones, all against a real server."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fallujah_client import Client, Refused
from fallujah_client.runner import Quit, run
from games.ledger.models import Match
from games.ledger.verify import match_problem
from tests.client.conftest import PASSWORD
from tests.live import ROOT

pytestmark = pytest.mark.django_db(transaction=True)
OPTIONS = {"max_reshuffles": 0}
GAMES = [pytest.param("card_assault", marks=pytest.mark.services), "city_fighting", "phantom_fury", "second_fallujah"]


def _bot(server: str, name: str, what: str, token: str = "") -> "subprocess.Popen[str]":
    command = [sys.executable, "examples/random_bot.py", server, name, PASSWORD, what]
    environment = {"PYTHONPATH": str(ROOT), "FALLUJAH_TOKEN": token, "PATH": "/usr/bin:/bin"}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("game", GAMES)
def test_the_example_bot_plays_any_game_to_its_end(game: str, client: Client, server: str, make_user: Any) -> None:
    """A game for two is played by two of them; the second has nothing but a token for its seat."""
    assert len((ROOT / "examples" / "random_bot.py").read_text().splitlines()) < 60
    first = _bot(server, "rania", game)
    assert first.stdout is not None
    match_id = int(first.stdout.readline().split()[1])
    bots = [first]
    if client.match(match_id).status == "open":
        make_user("sam")
        second = Client(server)
        second.login("sam", PASSWORD)
        second.join(match_id)
        bots.append(_bot(server, "", str(match_id), second.token_make(match=match_id).token))
        second.close()
    said = [bot.communicate(timeout=240)[0] for bot in bots]
    over = client.match(match_id)
    assert [bot.returncode for bot in bots] == [0] * len(bots)
    assert over.status == "over" and over.outcome is not None
    assert all(text.strip().splitlines()[-1] == over.outcome.words for text in said)
    assert match_problem(Match.objects.get(pk=match_id)) == ""


@pytest.mark.services
def test_a_bot_in_another_language_plays_over_pipes(client: Client, server: str) -> None:
    match = client.open("card_assault", options=OPTIONS)
    token = client.token_make(match=match.id).token
    command = [sys.executable, "-m", "fallujah_client", "bot", str(match.id), "--server", server]
    done = subprocess.run(
        [*command, "--", "perl", "examples/first_bot.pl"], cwd=ROOT, text=True, capture_output=True, check=False,
        timeout=240, env={"PYTHONPATH": str(ROOT), "FALLUJAH_TOKEN": token, "PATH": "/usr/bin:/bin", "HOME": "/tmp"},
    )  # fmt: skip
    over = client.match(match.id)
    assert (done.returncode, over.status) == (0, "over"), done.stderr + done.stdout
    assert over.outcome is not None and " ".join(done.stdout.split()) == " ".join(over.outcome.words.split())


LAST_ACTION = """
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    assert set(question) == {"match", "decision", "view", "refused"}
    print(json.dumps(question["decision"]["actions"][-1]["action"]), flush=True)
"""


def test_a_bot_may_answer_with_actions(client: Client) -> None:
    match = client.open("card_assault", options=OPTIONS)
    outcome = run(client, match.id, [sys.executable, "-c", LAST_ACTION])
    assert outcome is not None and outcome.words


@pytest.mark.services
def test_a_bot_that_answers_nonsense_hears_why_and_is_given_up(client: Client) -> None:
    match = client.open("card_assault")
    silly = "import sys\nfor line in sys.stdin: sys.stderr.write(''); print('frobnicate', flush=True)"
    with pytest.raises(Quit, match="frobnicate"):
        run(client, match.id, [sys.executable, "-c", silly])
    with pytest.raises(Quit, match="there is no action 9999"):
        run(client, match.id, [sys.executable, "-c", silly.replace("frobnicate", "9999")])
    with pytest.raises(Quit, match="ended"):
        run(client, match.id, [sys.executable, "-c", "pass"])
    heard = "import json,sys\nfor line in sys.stdin:\n  print('x', flush=True)\n  if json.loads(line)['refused']: break"
    with pytest.raises(Quit, match="ended"):
        run(client, match.id, [sys.executable, "-c", heard])
    assert client.match(match.id).version == 0, "nothing of it was played"


# --- a curious bot -------------------------------------------------------------------------------------------


@pytest.mark.services
def test_a_curious_bot_finds_nothing_hidden(client: Client, server: str, make_user: Any, tmp_path: Path) -> None:
    """It asks everything for the other seat, at every move; what it gets is its own view or a refusal."""
    make_user("sam")
    sam = Client(server)
    sam.login("sam", PASSWORD)
    match = client.open("duel", seat="north")
    sam.join(match.id)
    other = client.open("duel", seat="north", private=True)
    spy = Client(server, sam.token_make(match=match.id).token)
    hidden = {client.view(match.id).view["card"], sam.view(match.id).view["card"]}
    assert None not in hidden
    for _ in range(3):
        _pries(spy, match.id, other.id)
        client.orders(match.id, "hold")
        _pries(spy, match.id, other.id)
        spy.orders(match.id, "hold")
    client.resign(match.id)
    assert spy.match(match.id).seed, "after the end all lies open"
    for one in (spy, sam):
        one.close()


def _pries(spy: Client, match_id: int, other_id: int) -> None:
    assert spy.match(match_id).seed is None
    for ask in (
        lambda: spy.view(match_id, seat="north"),
        lambda: spy.view(match_id, seat="north", at=0),
        lambda: spy.entries(match_id, seat="north"),
        lambda: spy.board(match_id, seat="north"),
        lambda: spy.board_svg(match_id, seat="north"),
        lambda: spy.board_png(match_id, seat="north"),
        lambda: next(spy.stream(match_id, seat="north")),
        lambda: spy.match(other_id),
        lambda: spy.view(other_id),
        lambda: spy.tokens(),
        lambda: spy.token_make(),
        lambda: spy.webhooks(),
        lambda: spy.matches(),
        lambda: next(spy.stream_all()),
    ):
        with pytest.raises(Refused) as caught:
            ask()
        assert caught.value.status in (403, 404), caught.value
    own = spy.view(match_id)
    assert own.seat == "south" and own.view["card"] is not None
    assert spy.view(match_id, seat="spectator").view["card"] is None
    for entry in spy.entries(match_id).entries:
        assert all(value is None for kind, value in entry.rolls if kind.endswith("?")), "secret draws show no value"
        assert not [words for words in entry.news if words.startswith("own-card") and entry.seat == "north"]
    assert json.loads(spy.export(match_id).splitlines()[-1]).get("seed") is None

"""The Python client fits the schema and plays; the example bot and the bot runner play whole matches."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from django.test import Client as Plain

from fallujah_client import Client, Refused, shapes
from fallujah_client.__main__ import main
from fallujah_client.runner import Quit, run
from games.ledger.models import Match
from games.ledger.verify import match_problem

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "a good pass phrase"
OPTIONS = {"max_reshuffles": 0}


@pytest.fixture
def client(live_server: Any, make_user: Any, settings: Any) -> Iterator[Client]:
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 1_000_000)
    make_user("rania")
    made = Client(live_server.url)
    made.login("rania", PASSWORD)
    yield made
    made.close()


def test_types_have_the_fields_of_the_schema() -> None:
    told = Plain().get("/api/schema/").json()["components"]["schemas"]
    pairs = {
        "Seat": "SeatOut",
        "Match": "MatchFullOut",
        "Matches": "MatchesOut",
        "View": "ViewOut",
        "Offer": "OfferOut",
        "Decision": "DecisionOut",
        "OrdersResult": "OrdersOut",
        "Entry": "EntryOut",
        "Entries": "EntriesOut",
    }
    for name, component in pairs.items():
        fields = {field.name for field in msgspec.structs.fields(getattr(shapes, name))}
        assert fields == set(told[component]["properties"]), name


def test_methods_call_addresses_that_exist(client: Client) -> None:
    paths = Plain().get("/api/schema/").json()["paths"]
    source = (ROOT / "fallujah_client" / "client.py").read_text()
    import re

    called = set(re.findall(r'"(?:GET|POST)", f?"([\w/{}.-]+)"', source)) | set(
        re.findall(r'path = f"([^"]+)"', source)
    )
    assert len(called) >= 12
    for path in called:
        assert f"/api/v1/{path}" in paths, path


def test_refusals_are_exceptions_with_their_code(client: Client) -> None:
    with pytest.raises(Refused) as caught:
        client.match(999)
    assert (caught.value.code, caught.value.status) == ("not-found", 404)
    match = client.open("card_assault", options=OPTIONS)
    with pytest.raises(Refused) as caught:
        client.orders(match.id, [["frobnicate"]])
    assert caught.value.code == "illegal-action" and caught.value.nearest and caught.value.version == 0


def test_a_lost_answer_is_asked_for_again_and_counts_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    match = client.open("card_assault", options=OPTIONS)
    action = client.decision(match.id).actions[0].action
    send = client._http.request
    lost: list[httpx.Response] = []

    def losing(*args: Any, **options: Any) -> httpx.Response:
        answer = send(*args, **options)
        if len(lost) < 2:
            lost.append(answer)
            raise httpx.ReadError("the line went dead")
        return answer

    monkeypatch.setattr(client._http, "request", losing)
    monkeypatch.setattr("fallujah_client.client.time.sleep", lambda seconds: None)
    result = client.orders(match.id, [action], version=0)
    assert len(lost) == 2 and result.entries == [1]
    assert lost[0].content == lost[1].content
    assert Match.objects.get(pk=match.id).head_seq == result.version


def test_the_example_bot_plays_a_whole_match(client: Client, live_server: Any) -> None:
    assert len((ROOT / "examples" / "random_bot.py").read_text().splitlines()) < 60
    match = client.open("card_assault", options=OPTIONS)
    command = [sys.executable, "examples/random_bot.py", live_server.url, "rania", PASSWORD, str(match.id)]
    done = subprocess.run(
        command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    over = client.match(match.id)
    assert over.status == "over" and over.outcome is not None and over.outcome["words"] in done.stdout
    assert match_problem(Match.objects.get(pk=match.id)) == ""


LAST_ACTION = """
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    assert set(question) == {"match", "decision", "view"}
    print(json.dumps(question["decision"]["actions"][-1]["action"]), flush=True)
"""


def test_a_bot_over_pipes_plays_a_whole_match(client: Client) -> None:
    match = client.open("card_assault", options=OPTIONS)
    outcome = run(client, match.id, [sys.executable, "-c", LAST_ACTION])
    assert outcome is not None and outcome["words"]


def test_a_bot_that_answers_nonsense_or_dies_is_given_up(client: Client) -> None:
    match = client.open("card_assault")
    silly = "import sys\nfor line in sys.stdin: print('frobnicate', flush=True)"
    with pytest.raises(Quit, match="frobnicate"):
        run(client, match.id, [sys.executable, "-c", silly])
    with pytest.raises(Quit, match="ended"):
        run(client, match.id, [sys.executable, "-c", "pass"])


def test_the_terminal_client_shows_the_board_and_takes_orders(
    client: Client, live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = client.open("card_assault", options=OPTIONS)
    typed = iter(["frobnicate", "1", "quit"])
    monkeypatch.setenv("FALLUJAH_TOKEN", str(client._http.headers["Authorization"]).split()[1])
    monkeypatch.setattr("rich.console.Console.input", lambda self, *args, **options: next(typed))
    assert main(["play", str(match.id), "--server", live_server.url]) == 0
    shown = capsys.readouterr().out
    offer = client.entries(match.id, after=0).entries[0]
    assert offer.seq == 1 and offer.notation in shown.replace("\n", " ")
    assert "frobnicate" in shown, "what was refused is said"


def test_the_stream_comes_back_after_a_cut(client: Client) -> None:
    match = client.open("card_assault", options=OPTIONS)
    got: list[str] = []

    def listen() -> None:
        got.extend(event.id for event in client.stream(match.id))

    listener = threading.Thread(target=listen)
    listener.start()
    second = Client(str(client._http.base_url).removesuffix("/api/v1/"))
    second.use(str(client._http.headers["Authorization"]).split()[1])
    for _ in range(5):
        decision = second.decision(match.id)
        second.orders(match.id, [decision.actions[-1].action], version=decision.version)
    second.resign(match.id)
    listener.join(timeout=30)
    last = second.match(match.id).version
    assert got == [str(number) for number in range(last + 1)]
    assert json.loads(second.export(match.id).splitlines()[-1])["seed"]
    second.close()

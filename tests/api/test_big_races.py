"""Fifty clients and one decision, again and again; thousands of sends over lines that break.

Against real server processes. The long runs: FALLUJAH_ROUNDS=2000, FALLUJAH_ACTIONS=10000.
"""

import http.client
import json
import os
import random
import socket
import statistics
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection, connections

from games.ledger import services
from games.ledger.models import Entry, Match, Outbox, SavedAnswer
from games.ledger.verify import match_problem
from notifications.addresses import reply_address
from notifications.inbound.handle import handle
from notifications.inbound.receive import receive
from notifications.models import InboundMail
from tests.api.conftest import Person
from tests.live import web_server
from tests.notifications.post import letter

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
CLIENTS = 50
SERVICES = bool(os.environ.get("FALLUJAH_REDIS_URL"))  # on SQLite writers only queue up; a few rounds show it
ROUNDS = int(os.environ.get("FALLUJAH_ROUNDS", "24")) if SERVICES else 6
THREADS = 16
ACTIONS = int(os.environ.get("FALLUJAH_ACTIONS", "1000")) if SERVICES else 200
Said = tuple[int, bytes, str | None]


class Line:
    """A connection that is kept, and made anew when it broke."""

    def __init__(self, root: str, token: str) -> None:
        where = urlsplit(root)
        self.host, self.port = str(where.hostname), int(where.port or 80)
        self.headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
        self.wire = http.client.HTTPConnection(self.host, self.port, timeout=60)

    def post(self, path: str, data: Any, **headers: str) -> Said:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        for attempt in (1, 2):
            try:
                self.wire.request("POST", f"/api/v1/{path}", json.dumps(data), {**self.headers, **named})
                answer = self.wire.getresponse()
                return answer.status, answer.read(), answer.headers.get("ETag")
            except (http.client.HTTPException, OSError):
                self.wire.close()
                assert attempt == 1, "the server hung up twice"
        raise AssertionError("unreachable")

    def cut(self, path: str, data: Any, rng: random.Random, **headers: str) -> None:
        """Send a request and hang up: in the middle of it, after it, or in the middle of the answer."""
        body = json.dumps(data).encode()
        named = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        lines = [f"POST /api/v1/{path} HTTP/1.1", f"Host: {self.host}:{self.port}", f"Content-Length: {len(body)}"]
        raw = "\r\n".join([*lines, *(f"{name}: {value}" for name, value in named.items()), "", ""]).encode() + body
        with socket.create_connection((self.host, self.port), 60) as wire:
            where = rng.randrange(3)
            wire.sendall(raw[: rng.randrange(1, len(raw))] if where == 0 else raw)
            if where == 2:
                wire.recv(rng.randrange(1, 60))


# --- one decision, fifty clients ---------------------------------------------------------------------------


class Round:
    """What the fifty are told before each start, and what became of them."""

    def __init__(self) -> None:
        self.number = self.version = 0
        self.seat = "north"
        self.stop = False
        self.said: list[Said] = []
        self.mails: list[InboundMail] = []
        self.times: list[float] = []
        self.surprises: list[BaseException] = []


def test_fifty_clients_race_and_each_round_has_one_winner(
    rania: Person, sam: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of them over REST, half by mail. The losers learn the present version; nothing locks up."""
    monkeypatch.setattr("notifications.inbound.handle.AN_HOUR", 10**9)
    match = services.match_create(user=rania.user, ruleset="duel", seat="north", options={"turns": 4000})
    services.match_join(user=sam.user, match_id=match.pk)
    people = {"north": rania, "south": sam}
    now, start, end = Round(), threading.Barrier(CLIENTS + 1), threading.Barrier(CLIENTS + 1)
    wins: Counter[str] = Counter()
    with web_server(tmp_path, streams=False) as (root, _):
        lines = {seat: [Line(root, person.token) for _ in range(CLIENTS // 2)] for seat, person in people.items()}

        def by_rest(index: int) -> None:
            headers = {"If_Match": f'"{now.version}"'} if index % 2 else {}
            now.said.append(
                lines[now.seat][index].post(f"matches/{match.pk}/orders", {"orders": [["hold"]]}, **headers)
            )

        def by_mail(index: int) -> None:
            person = people[now.seat]
            to = reply_address(match.pk, now.seat, now.version, 1, person.user.pk)
            row = receive(letter(to, f"hold // {now.number}.{index}", person.user.email), [to])
            handle(row.pk)
            now.mails.append(row)

        def client(index: int) -> None:
            while True:
                start.wait()
                if now.stop:
                    break
                began = time.monotonic()
                try:
                    (by_rest if index % 2 else by_mail)(index // 2)
                except BaseException as error:
                    now.surprises.append(error)
                now.times.append(time.monotonic() - began)
                end.wait()
            connections.close_all()

        threads = [threading.Thread(target=client, args=(index,)) for index in range(CLIENTS)]
        for thread in threads:
            thread.start()
        try:
            for number in range(ROUNDS):
                now.number, now.version = number, Match.objects.get(pk=match.pk).head_seq
                now.seat = "north" if number % 2 == 0 else "south"
                now.said, now.mails = [], []
                start.wait()
                end.wait()
                wins[_judge(now, match.pk)] += 1
        finally:
            now.stop = True
            start.wait()
            for thread in threads:
                thread.join()
    tail = statistics.quantiles(now.times, n=20)[18] * 1000
    print(f"{sum(wins.values())} rounds on {connection.vendor}: won {dict(wins)}, p95 {tail:.0f} ms for a client")
    assert match_problem(Match.objects.get(pk=match.pk)) == ""


def _judge(now: Round, match_id: int) -> str:
    """One winner, 49 who were told why not and where the match stands. Returns by which way it was won."""
    assert now.surprises == []
    assert Match.objects.get(pk=match_id).head_seq == now.version + 1, f"round {now.number}"
    statuses = Counter(status for status, _, _ in now.said)
    assert set(statuses) <= {200, 409, 412} and len(now.said) == CLIENTS // 2, statuses
    for status, body, _ in now.said:
        if status != 200:
            problem = json.loads(body)
            assert problem["version"] == now.version + 1 and problem["code"] in ("stale", "not-your-decision")
    rows = InboundMail.objects.filter(pk__in=[row.pk for row in now.mails])
    assert Counter(rows.values_list("state", "kind")) == {("done", "person"): CLIENTS // 2}
    heads = [row.payload["headline"] for row in Outbox.objects.filter(topic="ack")]
    done = [head for head in heads if head == "All read, all done."]
    late = [head for head in heads if head.endswith("Nothing was done.")]
    assert len(done) + len(late) == CLIENTS // 2, heads
    assert statuses[200] + len(done) == 1, (statuses, heads)
    Outbox.objects.all().delete()
    InboundMail.objects.all().delete()
    return "mail" if done else "rest"


# --- the same action, sent again and again -----------------------------------------------------------------


class Sender:
    """One thread with a match of its own and a list of what it means to do."""

    def __init__(self, root: str, person: Person, match_id: int, count: int, seed: int) -> None:
        self.rng = random.Random(seed)
        self.line, self.match_id, self.seed = Line(root, person.token), match_id, seed
        self.intent = [["mark", 1 + number % 9] for number in range(count)]
        self.sends = self.cuts = self.altered = 0
        self.surprise: BaseException | None = None

    def run(self) -> None:
        try:
            for number, action in enumerate(self.intent):
                self._act(number, action)
        except BaseException as error:
            self.surprise = error

    def _act(self, number: int, action: list[Any]) -> None:
        path, data = f"matches/{self.match_id}/orders", {"orders": [action]}
        headers = {"Idempotency_Key": f"{self.seed}-{number}"}
        if number % 2:
            headers["If_Match"] = f'"{number}"'
        answers: set[Said] = set()
        for left in range(self.rng.randrange(1, 5), 0, -1):
            self.sends += 1
            if left > 1 and self.rng.random() < 0.17:  # a tenth of all
                self.cuts += 1
                self.line.cut(path, data, self.rng, **headers)
            else:
                answers.add(self.line.post(path, data, **headers))
        assert len(answers) == 1, answers
        status, body, tag = answers.pop()
        assert (status, tag) == (200, f'"{number + 1}"') and json.loads(body)["entries"] == [number + 1]
        if number % 5 == 0:
            self.altered += 1
            other, said, _ = self.line.post(path, {"orders": [["mark", 1 + (number + 1) % 9]]}, **headers)
            assert (other, json.loads(said)["code"]) == (422, "idempotency-mismatch")


def test_sends_over_breaking_lines_lose_and_double_nothing(make_user: Any, tmp_path: Path) -> None:
    """Sixteen threads, every action one to four times, a tenth of the sends cut off somewhere."""
    with web_server(tmp_path, streams=False) as (root, _):
        senders = []
        for index in range(THREADS):
            north, south = Person(make_user(f"north{index}")), make_user(f"south{index}")
            match = services.match_create(user=north.user, ruleset="duel", seat="north", options={"turns": 2000})
            services.match_join(user=south, match_id=match.pk)
            senders.append(Sender(root, north, match.pk, max(1, ACTIONS // THREADS), index))
        threads = [threading.Thread(target=sender.run) for sender in senders]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [sender.surprise for sender in senders] == [None] * THREADS
    for sender in senders:
        entries = Entry.objects.filter(match=sender.match_id, seq__gt=0).order_by("seq")
        assert list(entries.values_list("action", flat=True)) == sender.intent
        assert match_problem(Match.objects.get(pk=sender.match_id)) == ""
    total = sum(len(sender.intent) for sender in senders)
    assert SavedAnswer.objects.count() == total, "one answer kept for each"
    sends, cuts, altered = (sum(getattr(one, name) for one in senders) for name in ("sends", "cuts", "altered"))
    assert cuts > sends // 20
    print(f"{total} actions in {sends} sends on {connection.vendor}, {cuts} cut off: none lost, none doubled")
    print(f"{altered} altered ones were refused")

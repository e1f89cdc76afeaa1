"""Looking over HTTP: views and legal lists a second, and a long match against a short one.

    python bench/looks.py [--seconds 2] [--rounds 5] [--clients 8] [--long 5000] [--short 50] [--check]

Views and decisions are measured against a bare Django, DRF and PostgreSQL server that reads one row of two
kilobytes, on the same gunicorn options and in turns. A match of 5,000 entries and one of 50 that stand at the same
position are asked and played in turns: an order (a card put down and taken back), the view, the decision, a page
of entries. The length must not matter.
"""

import argparse
import http.client
import statistics
import sys
import time
from collections.abc import Callable

import common
from common import Figures, Person, Place, Send, request

VIEW_SHARE, LONG_SHARE = 0.5, 1.5  # with --check: of the floor's rate; times the short match's time
GAMES = ("card_assault", "second_fallujah")


def looks(port: int, floor_port: int, given: argparse.Namespace) -> int:
    failed = 0
    floor = [common.always(request("GET", f"/look/{n + 1}")) for n in range(given.clients)]
    for game in GAMES:
        people = [common.person(f"{game[:4]}a"), common.person(f"{game[:4]}b")]
        ids = [common.match_of(game, people) for _ in range(given.clients)]
        paths = {"views": "view", "legal lists": "decision"}
        subjects = {"floor, one row": lambda: common.load(floor_port, floor, given.seconds)}
        for name, word in paths.items():
            sends = [common.always(request("GET", f"/api/v1/matches/{n}/{word}", b"", people[0].headers)) for n in ids]
            common.load(port, sends, 0.5)
            subjects[name] = _run(port, sends, given.seconds)
        print(f"{game}, {given.clients} clients, {given.rounds} rounds", flush=True)
        ratios = common.told(common.rounds(subjects, given.rounds), "floor, one row", "looks/s")
        failed |= int(given.check and min(rate for rate, _ in ratios.values()) < VIEW_SHARE)
    return failed


def _run(port: int, sends: list[Send], seconds: float) -> Callable[[], Figures]:
    return lambda: common.load(port, sends, seconds)


def long_match(someone: Person, entries: int) -> tuple[int, list[object]]:
    """A match with this many entries, and a card that can be put down: putting and taking back makes it long."""
    from games.ledger import selectors, services

    match_id = common.match_of("card_assault", [someone])
    offers = selectors.asked(selectors.match_get(match_id), "american").actions
    put = next(list(offer.action) for offer in offers if offer.action[0] == "put")
    for _ in range(entries // 2):
        services.orders_submit(match_id=match_id, seat="american", orders=[put])
        back(match_id)
    return match_id, put


def back(match_id: int) -> None:
    """Write what taking back the first order writes, without finding out whether it may be."""
    from django.db import transaction

    from games.kernel.ruleset import load
    from games.ledger.models import Snapshot
    from games.ledger.play import locked

    with transaction.atomic():
        hand = locked(match_id)
        hand.g = load(hand.rules, bytes(Snapshot.objects.get(match_id=match_id, seq=0).state))
        hand.note("american", ("undo", 1), "player")
        hand.close(actor="american")


def lengths(port: int, given: argparse.Namespace) -> int:
    someone = common.person("long")
    matches = {size: long_match(someone, size) for size in (given.long, given.short)}
    asks = {"order": "orders", "view": "view", "decision": "decision", "page of entries": "entries?after=0&limit=50"}
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    failed = 0
    for name, path in asks.items():
        times: dict[int, list[float]] = {size: [] for size in matches}
        for _ in range(given.rounds * 10):
            for size, (match_id, put) in matches.items():
                body = common.orders_body(put) if name == "order" else None
                times[size].append(_timed(wire, f"/api/v1/matches/{match_id}/{path}", body, someone.headers))
                if name == "order":
                    back(match_id)
        long, short = (statistics.median(times[size][2:]) * 1000 for size in (given.long, given.short))
        print(f"  {name:16} {long:6.2f} ms at {given.long} entries, {short:6.2f} at {given.short}: {long / short:.2f}x")
        failed |= int(given.check and long / short > LONG_SHARE)
    return failed


def _timed(wire: http.client.HTTPConnection, path: str, body: bytes | None, headers: dict[str, str]) -> float:
    began = time.perf_counter()
    wire.request("POST" if body else "GET", path, body, {**headers, "Content-Type": "application/json"})
    answer = wire.getresponse()
    said = answer.read()
    if answer.status != 200:
        raise common.Refused(f"{path}: {answer.status} {said[:300]!r}")
    return time.perf_counter() - began


def compare(there: Place, given: argparse.Namespace) -> int:
    common.django_ready()
    common.floor_tables(there, given.clients)
    with (
        common.gunicorn("floor_app:application", there.floor, common.ROOT / "bench") as floor_port,
        common.gunicorn("fallujah_server.wsgi:application", there.environment, common.ROOT) as port,
    ):
        return looks(port, floor_port, given) | lengths(port, given)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--long", type=int, default=5000)
    parser.add_argument("--short", type=int, default=50)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    with common.place() as there:
        return compare(there, given) if there else 0


if __name__ == "__main__":
    sys.exit(main())

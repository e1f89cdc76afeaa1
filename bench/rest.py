"""Accepted orders a second over HTTP, against the least a Django, DRF and PostgreSQL server could do.

    python bench/rest.py [--seconds 3] [--rounds 5] [--clients 1 8 32] [--games card_assault ..] [--check]

Both servers run on gunicorn with the same workers and threads on the same throw-away PostgreSQL, in turns. The
floor locks a row and inserts one; ours finds out who is asking, counts, checks rules, rolls fair dice, links
the entry, seals and stores the state, and queues the notices. Each client plays matches of its own. The
figures are medians; a ratio is the median of the ratios of neighbouring rounds.
"""

import argparse
import itertools
import sys

import common
from common import Figures, Person, Place, Send, request

SHARE, TAIL = 0.75, 2.0  # with --check: at least this part of the floor's rate, at most this much of its p99
GAMES = ("card_assault", "second_fallujah")
LONGEST = 400  # orders of one match
_numbers = itertools.count()


class Players:
    """Clients with matches of their own, made before anything is measured."""

    def __init__(self, ruleset: str, people: list[Person], clients: int, orders: int) -> None:
        headers = {someone.user.pk: someone.headers for someone in people}
        self.waiting: list[list[tuple[str, bytes, dict[str, str]]]] = []
        for _ in range(clients):
            mine: list[tuple[str, bytes, dict[str, str]]] = []
            while len(mine) < orders:
                match_id = common.match_of(ruleset, people)
                path = f"/api/v1/matches/{match_id}/orders"
                actions = common.rehearsed(match_id, next(_numbers), LONGEST)
                mine += [(path, common.orders_body(action), headers[who]) for who, action in actions]
            self.waiting.append(mine[::-1])

    def sends(self, *, keyed: bool) -> list[Send]:
        return [self._send(mine, keyed) for mine in self.waiting]

    def _send(self, mine: list[tuple[str, bytes, dict[str, str]]], keyed: bool) -> Send:
        def send(_: int) -> bytes | None:
            if not mine:
                return None
            path, body, headers = mine.pop()
            more = {"Idempotency-Key": f"order-{next(_numbers)}"} if keyed else {}
            return request("POST", path, body, {**headers, **more})

        return send


def compare(there: Place, given: argparse.Namespace) -> int:
    common.django_ready()
    common.floor_tables(there, max(given.clients))
    failed = 0
    with (
        common.gunicorn("floor_app:application", there.floor, common.ROOT / "bench") as floor_port,
        common.gunicorn("fallujah_server.wsgi:application", there.environment, common.ROOT) as port,
    ):
        for game in given.games:
            for clients in given.clients:
                failed |= _one(game, clients, floor_port, port, given)
    return failed


def _one(game: str, clients: int, floor_port: int, port: int, given: argparse.Namespace) -> int:
    name = f"{game[:4]}{clients}"
    people = [common.person(f"{name}a"), common.person(f"{name}b")]
    # Enough for every round at 1.5 times the rate we hope for, and no round runs dry before its end.
    wanted = int(1.5 * 900 * given.seconds * (2 * given.rounds + 1) / clients) + 20
    players = Players(game, people, clients, wanted)
    body = common.orders_body(["attack", 2, 3])
    floor = [common.always(request("POST", f"/append/{n + 1}", body)) for n in range(clients)]

    def ours(keyed: bool) -> Figures:
        return common.load(port, players.sends(keyed=keyed), given.seconds)

    common.load(floor_port, floor, 0.7)
    common.load(port, players.sends(keyed=True), 0.7)
    print(f"{game}, {clients} clients, {given.rounds} rounds", flush=True)
    subjects = {
        "floor": lambda: common.load(floor_port, floor, given.seconds),
        "ours": lambda: ours(False),
        "ours, Idempotency-Key": lambda: ours(True),
    }
    ratios = common.told(common.rounds(subjects, given.rounds), "floor", "orders/s")
    return int(given.check and any(rate < SHARE or tail > TAIL for rate, tail in ratios.values()))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    with common.place() as there:
        return compare(there, given) if there else 0


if __name__ == "__main__":
    sys.exit(main())

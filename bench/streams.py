"""How soon an entry reaches those who wait for it, and what an idle stream costs.

    python bench/streams.py [--streams 100] [--orders 60] [--idle 500] [--check]

A real uvicorn on a throw-away PostgreSQL and Redis. Some streams wait on one match; orders are posted to the same
server, and the time from the answer to each order to the arrival of its entry at every stream is taken. The floor is
a bare ASGI application on uvicorn that pushes the same bytes to as many connections, in turns in the same run. Then
idle streams are opened and the memory of the server's process is compared before and after.
"""

import argparse
import asyncio
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import time
from typing import Any

from bots import ROOT, prepare, services

CEILING = 40.0  # with --check: the median at most so many times the floor's
MOST_KB = 200.0


class Ear:
    """A stream that notes when each entry came."""

    def __init__(self) -> None:
        self.came: dict[int, float] = {}
        self.seen = asyncio.Event()

    async def listen(self, port: int, path: str, token: str) -> None:
        reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        self.writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Token {token}\r\n\r\n".encode())
        while line := await reader.readline():
            if found := re.match(rb"id: (\d+)", line):
                self.came[int(found[1])] = time.perf_counter()
                self.seen.set()


async def waited(ears: list[Ear], number: int) -> list[float]:
    """When the entry of that number came to each; all must have it."""
    for ear in ears:
        while number not in ear.came:
            ear.seen.clear()
            await asyncio.wait_for(ear.seen.wait(), 30)
    return [ear.came[number] for ear in ears]


async def opened(count: int, port: int, path: str, token: str) -> list[Ear]:
    ears = [Ear() for _ in range(count)]
    for start in range(0, count, 25):
        tasks = [asyncio.ensure_future(ear.listen(port, path, token)) for ear in ears[start : start + 25]]
        KEPT.extend(tasks)
        await waited(ears[start : start + 25], 0)
    return ears


KEPT: list[Any] = []


def uvicorn(app: str, port: int, folder: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "uvicorn", app, "--host", "127.0.0.1", "--port", str(port), "--app-dir", folder]
    return subprocess.Popen([*command, "--log-level", "error", "--lifespan", "off"], cwd=ROOT)


async def measure(given: argparse.Namespace, ours: int, floor: int, match_id: int, token: str, pid: int) -> int:
    import psutil

    loop = asyncio.get_running_loop()
    path = f"/api/v1/matches/{match_id}/stream"
    ears = await opened(given.streams, ours, path, token)
    bare = await opened(given.streams, floor, "/stream", token)
    wires = {port: http.client.HTTPConnection("127.0.0.1", port, timeout=30) for port in (ours, floor)}
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}

    def post(port: int, where: str, body: bytes) -> float:
        wires[port].request("POST", where, body, headers)
        answer = wires[port].getresponse()
        said = answer.read()
        assert answer.status in (200, 204), (answer.status, said)
        return time.perf_counter()

    late: dict[str, list[float]] = {"ours": [], "floor": []}
    for number in range(1, given.orders + 1):
        order = json.dumps({"orders": [["mark", 1 + number % 9]]}).encode()
        at = await loop.run_in_executor(None, post, ours, f"/api/v1/matches/{match_id}/orders", order)
        late["ours"] += [max(0.0, came - at) for came in await waited(ears, number)]
        part = b"id: %d\nevent: entry\ndata: %s\n\n" % (number, b"x" * 400)
        at = await loop.run_in_executor(None, post, floor, "/push", part)
        late["floor"] += [max(0.0, came - at) for came in await waited(bare, number)]
    print(
        f"{given.streams} streams on one match, {given.orders} orders, from the order's answer to the entry's arrival:"
    )
    figures = {}
    for name, times in late.items():
        figures[name] = statistics.median(times) * 1000
        print(f"  {name:5} median {figures[name]:7.2f} ms, p99 {statistics.quantiles(times, n=100)[98] * 1000:7.2f} ms")
    ratio = figures["ours"] / max(figures["floor"], 0.1)
    print(f"ours is {ratio:.1f} times the floor")
    server = psutil.Process(pid)
    before = server.memory_info().rss
    await opened(given.idle, ours, path, token)
    each = (server.memory_info().rss - before) / given.idle / 1000
    print(f"{given.idle} idle streams: {each:.0f} kB each")
    return int(given.check and (ratio > CEILING or each > MOST_KB))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, default=100)
    parser.add_argument("--orders", type=int, default=60)
    parser.add_argument("--idle", type=int, default=500)
    parser.add_argument("--check", action="store_true")
    given, _ = parser.parse_known_args()
    with services() as found:
        if found is None:
            print("NOT RUN: no PostgreSQL or no Redis could be reached or started.")
            return 0
        prepare(*found, 1)
        os.environ.update({f"FALLUJAH_LIMIT_{name}": "100000000" for name in ("ADDRESS", "TOKEN", "SEAT")})
        match_id, token = a_match()
        from tests.run import free_port

        ports = free_port(), free_port()
        servers = [
            uvicorn("tests.live_app:application", ports[0], "."),
            uvicorn("stream_floor:application", ports[1], str(ROOT / "bench")),
        ]
        try:
            from tests.live import listens, wait_until

            assert all(wait_until(lambda port=port: listens(port)) for port in ports)
            return asyncio.run(measure(given, ports[0], ports[1], match_id, token, servers[0].pid))
        finally:
            for server in servers:
                server.kill()
                server.wait()


def a_match() -> tuple[int, str]:
    from django.contrib.auth import get_user_model
    from django.core.management import call_command

    import tests.live_app

    assert tests.live_app.application
    call_command("migrate", verbosity=0)
    from api.tokens import token_make
    from games.ledger import services as ledger

    people: Any = [
        get_user_model().objects.create_user(name, f"{name}@example.org", "x" * 12) for name in ("ann", "bo")
    ]
    match = ledger.match_create(user=people[0], ruleset="duel", seat="north", options={"turns": 4000})
    ledger.match_join(user=people[1], match_id=match.pk)
    return int(match.pk), token_make(user=people[0])[1]


if __name__ == "__main__":
    sys.exit(main())

"""Calls of webhooks a second, against the least a queue of calls in PostgreSQL could do.

    python bench/webhooks.py [--calls 600] [--threads 16] [--rounds 3] [--check]

On a throw-away PostgreSQL, to a receiver in a process of its own on loopback. Ours takes a row of the outbox, signs
with both schemes, looks the address up and checks it, posts, notes the attempt and closes the row. The floor takes a
row by one UPDATE, posts a body of the same size, closes the row and inserts a line, all with bare psycopg. In turns,
ratio of the medians; what nothing but posting gives is told beside them.
"""

import argparse
import http.client
import multiprocessing
import os
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bots import prepare, services

FLOOR_SHARE = 0.10  # with --check: at least this part of the floor's rate


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        return


class Server(ThreadingHTTPServer):
    request_queue_size = 256


def receive(port: Any) -> None:
    server = Server(("127.0.0.1", 0), Handler)
    port.value = server.server_port
    server.serve_forever()


def bare(port: int) -> None:
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    wire.request("POST", "/hook", b"x" * 150, {"Content-Type": "application/json"})
    wire.getresponse().read()
    wire.close()


def floor_job(pool: Any, port: int, row: int) -> None:
    """Claim, post, close, note: two transactions."""
    with pool.connection() as link:
        link.execute(
            "UPDATE floor_call SET state = 'claimed' WHERE id = %s AND state = 'waiting' RETURNING body", (row,)
        )
    bare(port)
    with pool.connection() as link:
        link.execute("UPDATE floor_call SET state = 'sent' WHERE id = %s", (row,))
        link.execute("INSERT INTO floor_note (call_id) VALUES (%s)", (row,))


def rate(work: Any, jobs: list[Any], threads: int) -> float:
    began = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, jobs))
    return len(jobs) / (time.perf_counter() - began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=600)
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    given, _ = parser.parse_known_args()
    port = multiprocessing.Value("i", 0)
    receiver = multiprocessing.Process(target=receive, args=(port,), daemon=True)
    receiver.start()
    while not port.value:
        time.sleep(0.05)
    os.environ["FALLUJAH_WEBHOOK_INSECURE"] = "yes"
    try:
        with services() as found:
            if found is None:
                print("NOT RUN: no PostgreSQL or no Redis could be reached or started.")
                return 0
            prepare(*found, 1)
            return compare(given, port.value)
    finally:
        receiver.kill()


def compare(given: argparse.Namespace, port: int) -> int:
    from django.contrib.auth import get_user_model
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from django.db import connection
    from psycopg_pool import ConnectionPool

    from games.ledger import outbox, webhooks
    from games.ledger.models import Outbox
    from notifications.webhooks.tasks import webhook_call_task

    hooks = []
    for number in range(given.threads):
        user = get_user_model().objects.create_user(f"hook{number}", f"h{number}@example.org", "x" * 12)
        hooks.append(webhooks.webhook_create(user=user, url=f"http://127.0.0.1:{port}/hook", topics=[]))
    rates: dict[str, list[float]] = {"posts": [], "floor": [], "ours": []}
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE floor_call (id bigserial PRIMARY KEY, state text NOT NULL, body text NOT NULL)")
        cursor.execute("CREATE TABLE floor_note (id bigserial PRIMARY KEY, call_id bigint NOT NULL)")
    database = os.environ["FALLUJAH_DATABASE_URL"]
    with ConnectionPool(database, min_size=1, max_size=10, open=True) as pool:
        for _ in range(given.rounds):
            rates["posts"].append(rate(bare, [port] * given.calls, given.threads))
            with connection.cursor() as cursor:
                made = (
                    f"INSERT INTO floor_call (state, body) SELECT 'waiting', 'x' FROM generate_series(1, {given.calls})"
                )
                cursor.execute(f"{made} RETURNING id")
                numbers = [row[0] for row in cursor.fetchall()]
            rates["floor"].append(rate(lambda row: floor_job(pool, port, row), numbers, given.threads))
            rows = [outbox.call(hooks[number % len(hooks)], "test").pk for number in range(given.calls)]
            rates["ours"].append(rate(webhook_call_task, rows, given.threads))
            assert Outbox.objects.filter(pk__in=rows, state="sent").count() == given.calls
    connection.close()
    ours, floor, posts = (statistics.median(rates[name]) for name in ("ours", "floor", "posts"))
    print(f"bare posts {posts:6.0f}/s   floor {floor:6.0f}/s   webhook calls {ours:6.0f}/s   ({given.threads} threads)")
    print(f"ours is {ours / floor:.2f} of the floor")
    return int(given.check and ours / floor < FLOOR_SHARE)


if __name__ == "__main__":
    sys.exit(main())

"""Loading a long match against a short one: snapshots must make them cost about the same.

    python bench/ledger.py [--long 5000] [--short 50] [--check]

Both matches are real rows in a throw-away SQLite file. Runs alternate; the figure is the median ratio.
"""

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
CEILING = 1.5


def setup() -> None:
    os.environ["FALLUJAH_VAR"] = tempfile.mkdtemp(prefix="fallujah-bench-")
    os.environ["DJANGO_SETTINGS_MODULE"] = "fallujah_server.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def long_match(user: Any, entries: int, seed: int) -> int:
    """A match with this many entries: a card put down and taken back makes it as long as one likes."""
    from games.ledger import selectors, services
    from games.ledger.models import Match

    rng = random.Random(seed)
    match = services.match_create(user=user, ruleset="card_assault")
    while True:
        fresh = Match.objects.get(pk=match.pk)
        if fresh.head_seq >= entries or fresh.status != "playing":
            return int(match.pk) if fresh.head_seq >= entries else long_match(user, entries, seed + 1)
        offers = [offer.action for offer in selectors.asked(fresh, "american").actions]
        put = next((action for action in offers if action[0] == "put"), None)
        if put is not None and fresh.head_seq < entries - 10:
            batch = min(200, (entries - fresh.head_seq) // 2)
            for _ in range(batch):
                services.orders_submit(match_id=match.pk, seat="american", orders=[list(put)])
                services.take_back(match_id=match.pk, seat="american")
            continue
        services.orders_submit(match_id=match.pk, seat="american", orders=[list(rng.choice(offers))])


def load_once(match_id: int) -> float:
    """Seconds to fetch a match and give its view and legal actions."""
    from games.ledger import selectors

    start = time.perf_counter()
    match = selectors.match_get(match_id)
    selectors.view(match, "american")
    selectors.asked(match, "american")
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", type=int, default=5000)
    parser.add_argument("--short", type=int, default=50)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    setup()
    from django.contrib.auth import get_user_model

    user = get_user_model().objects.create_user("bench", "bench@localhost", "bench")
    many, few = long_match(user, given.long, 1), long_match(user, given.short, 1)
    ratios, times = [], []
    for _ in range(5):
        slow = statistics.median(load_once(many) for _ in range(60))
        quick = statistics.median(load_once(few) for _ in range(60))
        ratios.append(slow / quick)
        times.append((slow, quick))
    ratio = statistics.median(ratios)
    slow, quick = times[ratios.index(ratio)]
    print(
        f"load a match of {given.long} entries {slow * 1000:.2f} ms, of {given.short} entries {quick * 1000:.2f} ms: "
        f"{ratio:.2f}x (at most {CEILING}x)"
    )
    return int(given.check and ratio > CEILING)


if __name__ == "__main__":
    sys.exit(main())

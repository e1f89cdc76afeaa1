"""Random whole games in bulk, on every core: does each end, with a legal answer at every question?

    python bench/soak.py second_fallujah --games 20000 [--options '{"solitaire": true}'] [--jobs 2] [--check-every 50]

Every game is played fast; every n-th is played again with all the checks of the conformance tests (round trips,
refusals, leaks, exact replay). The first failing seed is printed with its trace and the run fails.
"""

import argparse
import json
import multiprocessing
import os
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games import catalogue
from tests.conformance import check_game, play_quickly

Job = tuple[str, int, dict[str, Any], bool]


def play(job: Job) -> tuple[int, int, str, str]:
    """Seed, actions, result and trace (empty when all went well) of one game."""
    key, seed, options, checked = job
    rules = catalogue.find(key)
    try:
        g, count = play_quickly(rules, seed, options)
        outcome = rules.outcome(g)
        if checked:
            check_game(rules, seed, options, every=25)
        return seed, count, outcome.result if outcome else "", ""
    except Exception:
        return seed, 0, "", traceback.format_exc()


def main() -> int:
    parser = argparse.ArgumentParser(description="Play random games in bulk.")
    parser.add_argument("ruleset", choices=catalogue.all_keys())
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--check-every", type=int, default=100, help="check every n-th game fully; 0: none")
    wanted = parser.parse_args()
    seeds = range(wanted.first, wanted.first + wanted.games)
    every = wanted.check_every
    jobs = [(wanted.ruleset, seed, wanted.options, bool(every) and seed % every == 0) for seed in seeds]
    results: Counter[str] = Counter()
    actions, longest, start = 0, 0, time.perf_counter()
    with multiprocessing.Pool(wanted.jobs) as pool:
        for seed, count, result, trace in pool.imap_unordered(play, jobs, chunksize=8):
            if trace:
                print(f"seed {seed} failed:\n{trace}", flush=True)
                return 1
            actions, longest = actions + count, max(longest, count)
            results[result] += 1
    spent = time.perf_counter() - start
    print(f"{wanted.games} games of {wanted.ruleset}, {actions} actions, longest {longest}, {spent:.0f} s: all ended")
    for result, count in results.most_common():
        print(f"  {count:6d}  {result}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

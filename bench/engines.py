"""Our kernel against a pure-Python peer, catanatron, on this machine in one command.

    python bench/engines.py [ruleset ..] [--seconds 1.5] [--pairs 3] [--check]

Peer and own runs alternate; the figure is the median of the ratios of each pair. The peer is installed into
var/bench-venv by this script and is no dependency of the project. `--check` fails below the floors.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from games import catalogue  # noqa: E402
from games.kernel.record import Entry, replay  # noqa: E402
from games.kernel.ruleset import Ruleset  # noqa: E402
from games.kernel.steps import State, apply, legal, owed  # noqa: E402
from games.kernel.table import SearchTable, SeededTable  # noqa: E402

PEER = "catanatron==3.2.1"
VENV = ROOT / "var" / "bench-venv"
# times the peer's rate, times the peer's rate, part of the peer's time
FLOORS = {"card_assault": (3.0, 4.0, 0.1)}
BOARD_GAME = (1.5, 3.0, 0.1)


def peer_python() -> Path:
    python = VENV / "bin" / "python"
    ready = VENV / PEER  # left behind by an install that went through
    if not ready.exists():
        venv.create(VENV, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", PEER], check=True)
        ready.touch()
    return python


def peer_figures(seconds: float) -> dict[str, float]:
    script = Path(__file__).with_name("peer_catanatron.py")
    done = subprocess.run([str(peer_python()), str(script), str(seconds)], check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout))


def rate(work: Callable[[], int], seconds: float) -> float:
    count, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        count += work()
    return count / spent


def random_game(rules: Ruleset, rng: random.Random) -> int:
    """One game of uniformly random play: the whole legal list, a choice, apply."""
    table, count, below = SearchTable(rng), 0, rng.random
    g = rules.start(rules.setup(), table)
    while seats := owed(g):
        options = legal(g, seats[0])
        apply(g, seats[0], options[int(below() * len(options))], table, trusted=True)
        count += 1
    return count


def recorded_game(rules: Ruleset, seed: int) -> tuple[list[Entry], list[State]]:
    """The ledger of a random game, and copies of its states along the way."""
    rng = random.Random(seed)
    table = SeededTable(rng)
    g = rules.start(rules.setup(), table)
    entries = [Entry(0, "", ("open",), tuple(table.rolls), "server")]
    states: list[State] = []
    while seats := owed(g):
        if len(entries) % 8 == 0:
            states.append(g.clone())
        action = rng.choice(legal(g, seats[0]))
        table = SeededTable(rng)
        apply(g, seats[0], action, table)
        entries.append(Entry(len(entries), seats[0], action, tuple(table.rolls), "bot"))
    return entries, states


def own_figures(rules: Ruleset, seconds: float) -> dict[str, float]:
    rng = random.Random(5)
    random_game(rules, rng)
    random_rate = rate(lambda: random_game(rules, rng), seconds)
    entries, states = recorded_game(rules, 77)
    setup = rules.setup()

    def replayed() -> int:
        replay(rules, setup, entries)
        return len(entries)

    def copies() -> int:
        for state in states:
            state.clone()
        return len(states)

    return {
        "random": random_rate,
        "replay": rate(replayed, seconds),
        "clone": 1e6 / rate(copies, seconds / 2),
    }


def compare(rules: Ruleset, seconds: float, pairs: int) -> dict[str, float]:
    """Ratios own / peer, the median over the pairs; printed as they come."""
    ratios: dict[str, list[float]] = {"random": [], "replay": [], "clone": []}
    for pair in range(1, pairs + 1):
        peer, own = peer_figures(seconds), own_figures(rules, seconds)
        for metric, runs in ratios.items():
            runs.append(own[metric] / peer[metric])
        print(json.dumps({"ruleset": rules.key, "pair": pair, "own": rounded(own), "peer": rounded(peer)}), flush=True)
    return {metric: statistics.median(runs) for metric, runs in ratios.items()}


def rounded(figures: dict[str, float]) -> dict[str, float]:
    return {metric: round(figure, 2) for metric, figure in figures.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare our kernel with catanatron.")
    parser.add_argument("rulesets", nargs="*", default=list(catalogue.all_keys()))
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--check", action="store_true", help="fail below the floors")
    wanted = parser.parse_args()
    missed = 0
    for key in wanted.rulesets:
        found = compare(catalogue.find(key), wanted.seconds, wanted.pairs)
        random_floor, replay_floor, clone_floor = FLOORS.get(key, BOARD_GAME)
        met = found["random"] >= random_floor and found["replay"] >= replay_floor and found["clone"] <= clone_floor
        missed += not met
        print(
            f"{key}: random play x{found['random']:.2f} (floor {random_floor}), replay x{found['replay']:.2f} "
            f"(floor {replay_floor}), clone {found['clone']:.3f} of the peer's time (at most {clone_floor}): "
            f"{'met' if met else 'MISSED'}",
            flush=True,
        )
    return 1 if missed and wanted.check else 0


if __name__ == "__main__":
    sys.exit(main())

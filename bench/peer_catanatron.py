"""The peer's side of the comparison: run by bench/engines.py in its own virtual environment.

Prints one JSON line: random actions a second, replayed actions a second, microseconds a copy.
"""

import json
import random
import sys
import time

from catanatron.game import Game
from catanatron.models.player import Color, RandomPlayer

COLORS = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)


def new_game(seed):
    return Game([RandomPlayer(color) for color in COLORS], seed=seed)


def play(seed, record=None):
    game, count = new_game(seed), 0
    while game.winning_color() is None and game.state.num_turns < 1000:
        step = game.play_tick()
        if record is not None:
            record.append(step)
        count += 1
    return count


def rate(work, seconds):
    count, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        count += work()
    return count / spent


def execute(game, step):
    if hasattr(game.state, "playable_actions"):
        game.execute(step, validate_action=False)
    else:
        game.execute(step.action, validate_action=False, action_record=step)


def main(seconds):
    seeds = random.Random(3)
    play(1)
    random_rate = rate(lambda: play(seeds.randrange(1, 2**31)), seconds)
    steps = []
    play(77, steps)

    def replay():
        game = new_game(77)
        for step in steps:
            execute(game, step)
        return len(steps)

    replay_rate = rate(replay, seconds)
    game = new_game(77)
    states = []
    for number, step in enumerate(steps):
        if number % 8 == 0:
            states.append(game.copy())
        execute(game, step)

    def copies():
        for state in states:
            state.copy()
        return len(states)

    print(json.dumps({"random": random_rate, "replay": replay_rate, "clone": 1e6 / rate(copies, seconds / 2)}))


main(float(sys.argv[1]))

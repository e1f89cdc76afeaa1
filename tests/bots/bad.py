"""Bots that do everything a bot must not do."""

import os
import random
import sys
import time
from typing import Any, ClassVar

from games.bots.base import Choice, RandomBot
from games.kernel.ruleset import Ruleset
from games.kernel.steps import State
from games.kernel.table import Seat


class Loops:
    key: ClassVar[str] = "loops"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        while True:
            pass


class Sleeps:
    key: ClassVar[str] = "sleeps"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        time.sleep(10_000)
        raise AssertionError("nobody waits for this")


class Hogs:
    key: ClassVar[str] = "hogs"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        hoard = []
        while True:
            hoard.append(bytearray(16 << 20))


class Garbles:
    """Prints, and answers with something that is no choice."""

    key: ClassVar[str] = "garbles"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Any:
        print("\x00\x00\x00\x05hello", flush=True)
        os.write(1, b"\xff" * 100)
        return rng.choice([None, "pass", Choice((1.5, object())), Choice(("pass",) * 9000)])  # type: ignore[arg-type]


class Cheats:
    key: ClassVar[str] = "cheats"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        return Choice(("frobnicate", 7), "to win")


class Raises:
    key: ClassVar[str] = "raises"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        raise KeyError("the plan")


class Exits:
    key: ClassVar[str] = "exits"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        os._exit(0)


class Forks:
    """Leaves a sleeper behind and lets two processes answer; otherwise it plays well enough."""

    key: ClassVar[str] = "forks"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        if os.fork() == 0:
            if os.fork() == 0:
                time.sleep(10_000)
            return RandomBot().choose(rules, g, seat, rng)
        return RandomBot().choose(rules, g, seat, rng)


class Flaky:
    """Plays at random, and now and then does one of the above."""

    key: ClassVar[str] = "flaky"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        mischief = (Cheats, Raises, Exits, Garbles, Hogs)
        if rng.random() < 0.05:
            bot: Any = rng.choice(mischief)()
            return bot.choose(rules, g, seat, rng)  # type: ignore[no-any-return]
        return RandomBot().choose(rules, g, seat, rng)


class Slow:
    """Takes its time, so that a test can come in between."""

    key: ClassVar[str] = "slow"

    def choose(self, rules: Ruleset, g: State, seat: Seat, rng: random.Random) -> Choice:
        time.sleep(0.15)
        return RandomBot().choose(rules, g, seat, rng)


def known_secrets() -> list[str]:
    """What a bot could find of the server in its own process."""
    return [name for name in os.environ if name.startswith("FALLUJAH_")] + [m for m in sys.modules if m == "django"]

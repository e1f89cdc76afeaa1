"""Guessing reply addresses: a million seals of one seat, and what the limits leave of trying them by mail.

python bench/guesses.py [--guesses 1000000]
"""

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--guesses", type=int, default=1_000_000)
    given = parser.parse_args()
    os.environ["FALLUJAH_VAR"] = tempfile.mkdtemp(prefix="fallujah-guesses-")
    os.environ["DJANGO_SETTINGS_MODULE"] = "fallujah_server.settings"
    import django

    django.setup()
    from notifications.addresses import MatchDoor, read_door, reply_address
    from notifications.inbound.handle import AN_HOUR
    from notifications.inbound.letterbox import DOUBTS_AN_HOUR

    rng, hits, start = random.Random(), 0, time.perf_counter()
    right = reply_address(412, "coalition", 31, 2, 88).partition("@")[0]
    door = read_door(right)
    assert isinstance(door, MatchDoor)
    assert door.fits(88)
    for _ in range(given.guesses):
        guess = read_door(f"m412.coalition.d31.k2.{''.join(rng.choices(LETTERS, k=16))}")
        assert isinstance(guess, MatchDoor)
        hits += guess.fits(88)
    spent = time.perf_counter() - start
    years = 2**80 / 2 / (DOUBTS_AN_HOUR * 24 * 365)
    print(f"{given.guesses} guesses, {hits} hits, {given.guesses / spent:.0f} a second in this process")
    print(
        f"by mail: {AN_HOUR} an hour of a person are read, {DOUBTS_AN_HOUR} an hour that only bear the address are "
        f"asked back, strangers are not heard; half of all seals would take {years:.0e} years"
    )
    return 1 if hits else 0


if __name__ == "__main__":
    sys.exit(main())

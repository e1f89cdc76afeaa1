"""Dice: recomputable from the seed, uniform, and unknowable before."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ledger import dice


def test_the_commitment_is_plain_sha256_of_the_seed() -> None:
    assert dice.commitment("00" * 32) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


@given(st.integers(1, 1 << 40), st.integers(0, 1000))
def test_every_result_is_below_its_size(size: int, salt: int) -> None:
    stream = dice.Chance("ab" * 32, f"{salt:064x}")
    assert all(0 <= stream.below(size) < size for _ in range(5))


@pytest.mark.parametrize("size", [6, 10, 57])
def test_faces_come_equally_often(size: int) -> None:
    rng = random.Random(size)
    counts: Counter[int] = Counter()
    for _ in range(3000):
        stream = dice.Chance(rng.randbytes(32).hex(), rng.randbytes(32).hex())
        counts.update(stream.below(size) for _ in range(10))
    expected = 30_000 / size
    square = sum((counts[face] - expected) ** 2 / expected for face in range(size))
    assert square < 1.9 * (size - 1) + 15, f"chi-square {square}"


def test_a_hash_tells_nothing_of_a_secret_draw() -> None:
    links = {dice.entry_hash("0" * 64, 1, "american", ("done",), [("of57?", value)], "player") for value in range(57)}
    assert len(links) == 1


def test_a_hash_holds_every_open_roll() -> None:
    links = {dice.entry_hash("0" * 64, 1, "american", ("done",), [("d6", value)], "player") for value in range(1, 7)}
    assert len(links) == 6


def test_statistics_count_faces_by_seat_and_leave_out_draws() -> None:
    report = dice.statistics([("american", [["d6", 1], ["d6", 6], ["of57?", None]]), ("", [["d6", 6]])])
    assert report["d6"]["all"]["faces"] == [1, 0, 0, 0, 0, 2]
    assert report["d6"]["american"]["rolls"] == 2 and report["d6"]["server"]["rolls"] == 1

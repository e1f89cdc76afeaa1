"""The judge of histories must find what is wrong, or its silence means nothing."""

from tests.history import Op, anomalies


def test_overlapping_reads_and_appends_in_order_are_fine() -> None:
    assert anomalies([
        Op("read", 1, 0, 0.0, 1.0), Op("append", 1, 1, 0.5, 2.0), Op("read", 1, 1, 0.6, 0.9),
        Op("read", 1, 1, 3.0, 4.0), Op("append", 1, 2, 3.5, 5.0), Op("unknown", 1, 3, 5.0, 6.0),
        Op("read", 1, 3, 7.0, 8.0), Op("read", 2, 0, 9.0, 9.5),
    ]) == []  # fmt: skip


def test_a_read_of_the_past_is_found() -> None:
    assert anomalies([Op("append", 1, 1, 0.0, 1.0), Op("read", 1, 0, 1.5, 2.0)]) != []
    assert anomalies([Op("read", 1, 4, 0.0, 1.0), Op("read", 1, 3, 1.5, 2.0)]) != []


def test_a_read_of_the_future_is_found() -> None:
    assert anomalies([Op("read", 1, 1, 0.0, 0.5), Op("append", 1, 1, 1.0, 2.0)]) != []


def test_a_version_made_twice_or_too_late_is_found() -> None:
    assert anomalies([Op("append", 1, 1, 0.0, 1.0), Op("append", 1, 1, 0.5, 2.0)]) != []
    assert anomalies([Op("read", 1, 2, 0.0, 1.0), Op("append", 1, 2, 1.5, 2.0)]) != []

"""Dates and times as people write them."""

from datetime import date, timedelta

import pytest

from games.kernel.errors import GameError
from games.ledger.datewords import (
    days_said,
    quiet_said,
    read_dates,
    read_days,
    read_hour,
    read_quiet,
    read_zone,
    span_said,
)  # fmt: skip

TODAY = date(2026, 11, 18)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("3 Mar - 9 Mar", date(2027, 3, 3), date(2027, 3, 9)),
        ("3-9 March", date(2027, 3, 3), date(2027, 3, 9)),
        ("March 3 to March 9", date(2027, 3, 3), date(2027, 3, 9)),
        ("28 Dec - 3 Jan", date(2026, 12, 28), date(2027, 1, 3)),
        ("28 Dec - 3 Jan 2027", date(2026, 12, 28), date(2027, 1, 3)),
        ("2026-12-24 - 2026-12-26", date(2026, 12, 24), date(2026, 12, 26)),
        ("24th dec", date(2026, 12, 24), date(2026, 12, 24)),
        ("until 20 Nov", TODAY, date(2026, 11, 20)),
        ("7 days", TODAY, date(2026, 11, 24)),
    ],
)
def test_days_are_read(text: str, first: date, last: date) -> None:
    assert read_dates(text, TODAY) == (first, last)


@pytest.mark.parametrize("text", ["", "soon", "31 Feb - 3 Mar", "5 Foo", "9 Mar 2026 - 3 Mar 2026", "3 - 9", "99 Mar"])
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(GameError):
        read_dates(text, TODAY)


def test_settings_in_words() -> None:
    assert read_quiet("22-07") == "22:00-07:00" and quiet_said("22:00-07:00") == "22-07"
    assert read_quiet("22:30 to 6") == "22:30-06:00" and read_quiet("none") == ""
    assert read_days("Saturday and sun") == "56" and read_days("weekend") == "56" and days_said("56") == "sat sun"
    assert read_hour("8") == read_hour("08:00") == 8 and read_hour("off") is None
    assert read_zone("europe/berlin") == read_zone("Berlin") == "Europe/Berlin" and read_zone("new york")
    for read, text in (
        (read_quiet, "22"),
        (read_quiet, "25-7"),
        (read_days, "someday"),
        (read_hour, "8:30"),
        (read_zone, "Mars"),
    ):
        with pytest.raises(GameError):
            read(text)  # type: ignore[operator]


def test_spans_are_told_rounded_down() -> None:
    told = [span_said(timedelta(hours=hours)) for hours in (116, 24, 15, 3.9, 1.5, 1, 0.75, -2)]
    assert told == ["4 d 20 h", "1 d", "15 h", "3 h", "1 h 30 min", "1 h", "45 min", "0 min"]

"""Times and dates as people write and read them. Plain Python."""

import re
from datetime import date, timedelta
from functools import cache
from zoneinfo import available_timezones

from games.kernel.errors import GameError

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NOTHING = frozenset({"", "off", "none", "no", "never", "-"})
_TIME = re.compile(r"^(\d{1,2})(?:[:.h](\d{2}))?\s*(?:h|uhr|o'clock)?$", re.IGNORECASE)
_DATE = (
    r"(?:(?P<y{n}>\d{{4}})-(?P<m{n}>\d{{1,2}})-(?P<d{n}>\d{{1,2}})"
    r"|(?P<b{n}>\d{{1,2}})\.?(?:st|nd|rd|th)?(?:\s*(?P<c{n}>[a-z]{{3,9}})\.?)?(?:,?\s*(?P<e{n}>\d{{4}}))?"
    r"|(?P<c{n}x>[a-z]{{3,9}})\.?\s*(?P<b{n}x>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s*(?P<e{n}x>\d{{4}}))?)"
)
_DATES = re.compile(
    r"^(?:from\s+)?" + _DATE.format(n=1) + r"(?:\s*(?:-|to|until|till|through)\s*" + _DATE.format(n=2) + r")?$",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"^(?:until|till|to)\s+(.+)$", re.IGNORECASE)
_FOR = re.compile(r"^(?:for\s+)?(\d{1,3})\s*(?:d|days?)$", re.IGNORECASE)


def bad(text: str) -> GameError:
    return GameError(text, code="bad-setting")


def read_zone(text: str) -> str:
    """An IANA zone by its name, or by the city in it."""
    wanted = text.strip().lower().replace(" ", "_")
    zones = _zones()
    if wanted in zones:
        return zones[wanted]
    found = sorted({name for key, name in zones.items() if key.rpartition("/")[2] == wanted})
    if len(found) == 1:
        return found[0]
    if found:
        raise bad(f"{text} could be {', '.join(found)}. Which?")
    raise bad(f"I know no time zone {text!r}; write a name such as Europe/Berlin or America/New_York.")


@cache
def _zones() -> dict[str, str]:
    return {name.lower(): name for name in available_timezones()}


def read_quiet(text: str) -> str:
    """`22-07`, `22:30 - 6`; empty for none."""
    if text.strip().lower() in NOTHING:
        return ""
    parts = re.split(r"\s*(?:-|to|until)\s*", text.strip().lower())
    if len(parts) != 2:
        raise bad("Quiet hours are two times, such as 22-07, or none.")
    return "-".join(_clock_time(part) for part in parts)


def _clock_time(text: str) -> str:
    found = _TIME.match(text.strip())
    hour, minute = (int(found[1]), int(found[2] or 0)) if found else (99, 0)
    if hour == 24 and not minute:
        hour = 0
    if hour > 23 or minute > 59:
        raise bad(f"{text!r} is not a time of the day; write one such as 22 or 22:30.")
    return f"{hour:02}:{minute:02}"


def read_hour(text: str) -> int | None:
    """A full hour of the day; None for none."""
    if text.strip().lower() in NOTHING:
        return None
    hour, minute = _clock_time(text).split(":")
    if minute != "00":
        raise bad("The digest comes at a full hour, such as 8 or 18:00.")
    return int(hour)


def read_days(text: str) -> str:
    """Weekdays as digits, Monday 0."""
    words = re.findall(r"[a-z]+", text.lower())
    if not words or (len(words) == 1 and words[0] in NOTHING):
        return ""
    days: set[int] = set()
    for word in words:
        if word.startswith("weekend"):
            days |= {5, 6}
        elif word != "and":
            if word[:3] not in DAYS:
                raise bad(f"{word!r} is no day of the week; write days such as sat sun, or none.")
            days.add(DAYS.index(word[:3]))
    return "".join(map(str, sorted(days)))


def read_switch(text: str) -> bool:
    word = text.strip().lower()
    if word in ("on", "yes", "true", "1"):
        return True
    if word in ("off", "no", "none", "false", "0"):
        return False
    raise bad(f"{text!r} is neither on nor off.")


def read_dates(text: str, today: date) -> tuple[date, date]:
    """`3 Mar - 9 Mar`, `3-9 Mar`, `2026-03-03 - 2026-03-09`, `until 9 Mar`, `7 days`: first and last day."""
    text = " ".join(text.strip().rstrip(".!").split())
    if found := _FOR.match(text):
        return today, today + timedelta(days=max(1, int(found[1])) - 1)
    if found := _UNTIL.match(text):
        return today, read_dates(found[1], today)[1]
    found = _DATES.match(text)
    if found is None:
        raise bad("Write the days, such as: vacation 3 Mar - 9 Mar")
    first, last = _parts(found, 1), _parts(found, 2)
    if last == (None, None, None):
        last = first
    year, month, day = first
    if year is None and last[0]:  # `28 Dec - 3 Jan 2027`: the year of the last day, or the one before
        year = last[0] - (1 if month and last[1] and month > last[1] else 0)
    first_day = _day(year, month or last[1], day, today)
    # Without a year the last day is the next such day after the first.
    last_day = _day(last[0], last[1] or month, last[2], first_day)
    if last_day < first_day:
        raise bad(f"{said(last_day)} lies before {said(first_day)}.")
    return first_day, last_day


def _parts(found: re.Match[str], n: int) -> tuple[int | None, int | None, int | None]:
    get = found.groupdict().get
    if get(f"y{n}"):
        return int(found[f"y{n}"]), int(found[f"m{n}"]), int(found[f"d{n}"])
    day, month, year = (get(f"{letter}{n}") or get(f"{letter}{n}x") for letter in "bce")
    if month and month[:3].lower() not in MONTHS:
        raise bad(f"{month!r} is no month.")
    return (
        int(year) if year else None,
        MONTHS.index(month[:3].lower()) + 1 if month else None,
        int(day) if day else None,
    )


def _day(year: int | None, month: int | None, day: int | None, since: date) -> date:
    if not month or not day:
        raise bad("Write day and month, such as: 3 Mar - 9 Mar")
    try:
        found = date(year or since.year, month, day)
        return found if year or found >= since else date(since.year + 1, month, day)
    except ValueError:
        raise bad(f"There is no {day} {MONTHS[month - 1].title() if 1 <= month <= 12 else month}.") from None


# --- telling -----------------------------------------------------------------------------------------------


def said(day: date) -> str:
    """`3 Mar`"""
    return f"{day.day} {MONTHS[day.month - 1].title()}"


def days_said(digits: str) -> str:
    return " ".join(DAYS[int(digit)] for digit in digits) or "none"


def quiet_said(quiet: str) -> str:
    """`22-07`"""
    return quiet.replace(":00", "") or "none"


def span_said(span: timedelta) -> str:
    """`4 d 20 h`, `3 h`, `45 min`: rounded down, so that nobody counts on more."""
    minutes = max(0, int(span.total_seconds() // 60))
    days, hours = divmod(minutes // 60, 24)
    if days and hours:
        return f"{days} d {hours} h"
    if days:
        return f"{days} d"
    if hours >= 3 or (hours and not minutes % 60):
        return f"{hours} h"
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min"

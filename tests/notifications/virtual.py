"""A clock that tests turn by hand: a week passes in a minute."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone


class Clock:
    """Stands in for django.utils.timezone.now, which everything here asks."""

    def __init__(self, monkeypatch: Any) -> None:
        self.time: datetime = timezone.now()
        monkeypatch.setattr(timezone, "now", lambda: self.time)

    def pass_(self, **span: float) -> None:
        self.time += timedelta(**span)

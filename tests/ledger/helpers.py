"""Short ways to a match in the middle of play, and a clock that goes when it is told to."""

import random
import time
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games.kernel.steps import Action
from games.ledger import selectors, services
from games.ledger.models import Match


def solo(user: Any, **options: Any) -> Match:
    """A match of card_assault with one person in its only seat."""
    return services.match_create(user=user, ruleset="card_assault", **options)


class Time:
    """Time as the server sees it; it stands until it is moved."""

    def __init__(self, monkeypatch: Any, at: datetime) -> None:
        self.at = at
        monkeypatch.setattr(timezone, "now", lambda: self.at)

    def passes(self, **span: float) -> None:
        self.at += timedelta(**span)


def now(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def choices(match: Match, seat: str = "american") -> list[Action]:
    return [offer.action for offer in selectors.asked(now(match), seat).actions]


def act(match: Match, action: Action, seat: str = "american") -> services.Result:
    return services.orders_submit(match_id=match.pk, seat=seat, orders=[list(action)])


def play_some(match: Match, count: int, seed: int = 1, seat: str = "american") -> Match:
    """Random answers, a few at a time, until `count` entries or the end."""
    rng = random.Random(seed)
    while True:
        fresh = now(match)
        if fresh.status == Match.Status.OVER or fresh.head_seq >= count:
            return fresh
        forward = [action for action in choices(match, seat) if action[0] != "takeback"]
        act(match, rng.choice(forward), seat)


def wait_until(condition: Any, seconds: float) -> bool:
    """Whether it came true in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.05)
    return False

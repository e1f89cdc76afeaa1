"""Attempts by a virtual clock: ten over three days as Standard Webhooks proposes, pauses wished for are kept."""

from datetime import datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise

import pytest
from django.utils import timezone

from games.ledger import webhooks
from games.ledger.models import Delivery, Outbox, Webhook
from notifications.webhooks import delivery, tasks
from tests.webhooks.receivers import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.services]
PLANNED = [timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30)] + [
    timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)
]


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.at = timezone.now()

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(timezone, "now", made)
    return made


def _attempts(row_id: int, clock: Clock, most: int = 20) -> list[datetime]:
    """When the sweep would call, until it is over. Nothing is called before its time."""
    times = []
    for _ in range(most):
        row = Outbox.objects.get(pk=row_id)
        if row.state != "waiting":
            break
        clock.at = row.due_at - timedelta(seconds=1)
        assert row_id not in webhooks.due(), "not a second early"
        clock.at = max(row.due_at, clock.at)
        assert row_id in webhooks.due()
        times.append(clock.at)
        tasks.webhook_call_task(row_id)
    return times


def _test_call(hook: Webhook) -> int:
    return webhooks.webhook_test(user=hook.user, number=hook.number)


def test_ten_attempts_in_75_hours_then_it_is_switched_off(receiver: Receiver, hook: Webhook, clock: Clock) -> None:
    receiver.status = 500
    row_id = _test_call(hook)
    times = _attempts(row_id, clock)
    assert len(times) == 10 == len(receiver.got) == Delivery.objects.filter(outbox=row_id).count()
    for (before, after), planned in zip(pairwise(times), PLANNED, strict=True):
        assert 0.9 * planned <= after - before <= 1.1 * planned, planned
    assert sum(PLANNED, timedelta()) == timedelta(hours=75, minutes=35, seconds=5)
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1
    assert len({body for _, body in receiver.got}) == 1
    assert Outbox.objects.get(pk=row_id).state == "failed"
    hook.refresh_from_db()
    assert hook.disabled_at is not None and "10 attempts failed" in hook.disabled_why
    assert Outbox.objects.filter(kind="mail", topic="webhook-off", user=hook.user).count() == 1


def test_attempts_of_many_calls_are_spread(receiver: Receiver, hook: Webhook, clock: Clock) -> None:
    receiver.status = 500
    rows = [_test_call(hook) for _ in range(20)]
    for row in rows:
        tasks.webhook_call_task(row)
    assert len(set(Outbox.objects.filter(pk__in=rows).values_list("due_at", flat=True))) > 15


@pytest.mark.parametrize("status", [100 + 99, 301, 302, 307, 308, 400, 401, 404, 418, 500, 502, 503])
def test_whatever_is_not_2xx_is_tried_again(receiver: Receiver, hook: Webhook, clock: Clock, status: int) -> None:
    receiver.status = status
    if 300 <= status < 400:
        receiver.headers = {"Location": f"{receiver.url}/elsewhere"}
    row_id = _test_call(hook)
    assert len(_attempts(row_id, clock, most=2)) == 2
    receiver.status = 200
    assert len(_attempts(row_id, clock)) == 1 and len(receiver.got) == 3, "and it is over when it arrives"
    assert Outbox.objects.get(pk=row_id).state == "sent"


@pytest.mark.parametrize("status", [429, 503, 500])
@pytest.mark.parametrize("form", ["seconds", "date"])
def test_a_pause_that_is_wished_for_is_kept(
    receiver: Receiver, hook: Webhook, clock: Clock, status: int, form: str
) -> None:
    wished = format_datetime(clock.at + timedelta(hours=1)) if form == "date" else "3600"
    receiver.status, receiver.headers = status, {"Retry-After": wished}
    first, second = _attempts(_test_call(hook), clock, most=2)
    assert timedelta(minutes=59, seconds=58) <= second - first <= timedelta(hours=1, minutes=7)


@pytest.mark.parametrize("wished", ["", "soon", "-5", "1e9", "999999999999", "Mon, 01 Jan 1990 00:00:00 GMT"])
def test_a_pause_that_makes_no_sense_is_not(receiver: Receiver, hook: Webhook, clock: Clock, wished: str) -> None:
    receiver.status, receiver.headers = 429, {"Retry-After": wished}
    first, second = _attempts(_test_call(hook), clock, most=2)
    assert second - first <= timedelta(seconds=6)


def test_a_day_is_the_longest_pause(receiver: Receiver, hook: Webhook, clock: Clock) -> None:
    receiver.status, receiver.headers = 429, {"Retry-After": "99999999"}
    first, second = _attempts(_test_call(hook), clock, most=2)
    assert second - first == timedelta(days=1)


def test_410_ends_it_at_once(receiver: Receiver, hook: Webhook, clock: Clock) -> None:
    receiver.status = 410
    row_id = _test_call(hook)
    assert len(_attempts(row_id, clock)) == 1
    assert Webhook.objects.get(pk=hook.pk).disabled_at is not None
    assert Outbox.objects.filter(kind="mail", topic="webhook-off", user=hook.user).count() == 1


def test_one_long_line_does_not_hide_the_others_from_the_sweep(hook: Webhook, receiver: Receiver) -> None:
    for _ in range(150):
        _test_call(hook)
    other = webhooks.webhook_create(user=hook.user, url=receiver.url, topics=[])
    late = _test_call(other)
    assert late in webhooks.due()
    assert delivery.ATTEMPTS == 10

"""A receiver, a person with a webhook, and a match that concerns them."""

from collections.abc import Iterator
from typing import Any

import pytest

from games.ledger import services, webhooks
from games.ledger.models import Match, Webhook
from tests import toy
from tests.webhooks.receivers import Receiver


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_INSECURE = True
    toy.install()
    made = Receiver()
    yield made
    made.close()
    toy.remove()


@pytest.fixture
def user(make_user: Any) -> Any:
    return make_user("rania")


@pytest.fixture
def hook(user: Any, receiver: Receiver) -> Webhook:
    return webhooks.webhook_create(user=user, url=receiver.url, topics=[])


@pytest.fixture
def match(user: Any, hook: Webhook, make_user: Any) -> Match:
    opened = services.match_create(user=user, ruleset="toy")
    return services.match_join(user=make_user("sam"), match_id=opened.pk)

"""The Celery app. Its settings are read on first use; the queue is files in var/ or Redis."""

import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_after_setup

from fallujah_server import file_queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fallujah_server.settings")
BOTS_STEP_BACK = 5  # behind web and mail, before the processes that think (FALLUJAH_BOT_NICE)

file_queue.install()
app = Celery("fallujah_server")
app.config_from_object("fallujah_server.celery_settings")
app.autodiscover_tasks(["games.ledger", "notifications", "notifications.webhooks"])


@celeryd_after_setup.connect
def bots_step_back(instance: Any, **_: Any) -> None:
    """A worker for bots alone runs behind whatever people wait for."""
    if set(instance.app.amqp.queues.consume_from) == {"bots"}:
        os.nice(BOTS_STEP_BACK)

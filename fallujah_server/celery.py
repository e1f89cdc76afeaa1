"""The Celery app. Its settings are read on first use; the queue is files in var/ or Redis."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fallujah_server.settings")

app = Celery("fallujah_server")
app.config_from_object("fallujah_server.celery_settings")
app.autodiscover_tasks(["games.ledger", "notifications", "notifications.webhooks"])

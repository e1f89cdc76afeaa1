"""The Celery app. Settings come from Django; the queue is files in var/ or Redis."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fallujah_server.settings")

app = Celery("fallujah_server")


def configure() -> None:
    from django.conf import settings

    app.conf.update(
        broker_url=settings.CELERY_BROKER_ADDRESS,
        broker_transport_options=settings.CELERY_TRANSPORT,
        broker_connection_retry_on_startup=True,
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        task_serializer="json",
        accept_content=["json"],
        task_default_queue="people",
        task_routes={"games.ledger.tasks.seat_play_task": {"queue": "bots"}},
        beat_schedule=settings.WORK_SCHEDULE,
        timezone="UTC",
    )
    app.autodiscover_tasks(["games.ledger", "notifications"])


configure()

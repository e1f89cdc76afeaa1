"""What Celery is told, from Django's settings."""

from django.conf import settings

broker_url = settings.CELERY_BROKER_ADDRESS
broker_transport_options = settings.CELERY_TRANSPORT
broker_connection_retry_on_startup = True
task_ignore_result = True
task_acks_late = True
task_reject_on_worker_lost = True
worker_prefetch_multiplier = 1
worker_hijack_root_logger = False
task_serializer = "json"
accept_content = ["json"]
task_default_queue = "people"
# Bots have a queue and workers of their own: whatever they do, mail and sweeps go on.
task_routes = {
    "games.ledger.tasks.seat_play_task": {"queue": "bots"},
    "notifications.webhooks.tasks.webhook_call_task": {"queue": "webhooks"},
}
beat_schedule = settings.WORK_SCHEDULE
# In memory: a file that a killed scheduler left half written would keep the next one from starting.
beat_scheduler = "celery.beat:Scheduler"
timezone = "UTC"

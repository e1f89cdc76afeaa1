"""Calls of webhooks by workers, in a queue of their own: a slow receiver delays no mail and no bot."""

from celery import shared_task

from games.ledger import outbox
from notifications.webhooks.delivery import call


@shared_task
def webhook_call_task(row_id: int) -> None:
    """One call; a second run finds nothing to do."""
    call(row_id)


@shared_task
def webhook_sweep_task() -> None:
    """Call what is due and not claimed."""
    for row_id in outbox.due(["webhook"]):
        webhook_call_task.delay(row_id)

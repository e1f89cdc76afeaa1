"""Calls of webhooks by workers, in a queue and on threads of their own: a slow receiver delays nobody else."""

from celery import shared_task

from games.ledger import webhooks
from notifications.webhooks.delivery import call, release
from notifications.webhooks.lanes import Lanes

lanes = Lanes(call)


@shared_task
def webhook_call_task(row_id: int) -> None:
    """One call; a second run finds nothing to do."""
    hook = webhooks.hook_number(row_id)
    try:
        if hook is not None:
            lanes.run(hook, row_id)
    finally:
        release()


@shared_task
def webhook_sweep_task() -> None:
    """Call what is due and not claimed."""
    for row_id in webhooks.due():
        webhook_call_task.delay(row_id)

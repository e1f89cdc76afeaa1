"""Delivery of the outbox by workers."""

from celery import shared_task

from games.ledger import outbox
from notifications.delivery import deliver


@shared_task
def outbox_deliver_task(row_id: int) -> None:
    """Deliver one row; a second run finds nothing to do."""
    deliver(row_id)


@shared_task
def outbox_sweep_task() -> None:
    """Deliver what is due and not claimed: whatever a lost message or a killed worker left behind."""
    for row_id in outbox.due(["mail"]):
        outbox_deliver_task.delay(row_id)

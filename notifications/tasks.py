"""Delivery of the outbox: mail now, webhooks later."""

from celery import shared_task


@shared_task
def outbox_deliver_task(row_id: int) -> None:
    """Deliver one row; a second run finds nothing to do."""


@shared_task
def outbox_sweep_task() -> None:
    """Deliver what is due and not claimed."""

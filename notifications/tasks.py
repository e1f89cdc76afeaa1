"""Mail by workers: delivering what waits in the outbox, reading what came in."""

from celery import shared_task

from games.ledger import outbox
from notifications import digest
from notifications.delivery import deliver
from notifications.inbound import imap, receive
from notifications.inbound.handle import handle


@shared_task
def outbox_deliver_task(row_id: int) -> None:
    """Deliver one row; a second run finds nothing to do."""
    deliver(row_id)


@shared_task
def outbox_sweep_task() -> None:
    """Deliver what is due and not claimed: whatever a lost message or a killed worker left behind."""
    digest.sweep()
    for row_id in outbox.due(["mail"]):
        outbox_deliver_task.delay(row_id)


@shared_task
def inbound_read_task(row_id: int) -> None:
    """Read one mail that came in; a second run finds nothing to do."""
    handle(row_id)


@shared_task
def inbound_sweep_task() -> None:
    """Read what a lost message or a killed worker left behind."""
    for row_id in receive.due():
        inbound_read_task.delay(row_id)
    receive.forget()


@shared_task
def imap_poll_task() -> None:
    """Fetch new mail from a mailbox elsewhere, where one is set."""
    imap.poll()

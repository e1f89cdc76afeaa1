"""Short words for the tests of mail."""

from typing import Any

from games.ledger import selectors, services
from games.ledger.models import Delivery, Match, Outbox
from notifications.delivery import deliver


def fresh(match: Match) -> Match:
    return selectors.match_get(match.pk)


def act(match: Match, seat: str, order: str) -> Any:
    return services.orders_submit(match_id=match.pk, seat=seat, orders=order)


def mails(match: Match | None = None, **where: Any) -> list[Outbox]:
    rows = Outbox.objects.filter(kind="mail", **where)
    return list(rows.filter(match=match).order_by("pk") if match else rows.order_by("pk"))


def deliver_all() -> None:
    for row in Outbox.objects.filter(kind="mail", state="waiting").order_by("pk"):
        deliver(row.pk)


def log(row: Outbox) -> list[str]:
    return [delivery.detail for delivery in Delivery.objects.filter(outbox=row).order_by("pk")]


def text_of(mail: Any) -> str:
    return str(mail.get_body(("plain",)).get_content()).replace("\r\n", "\n")


def html_of(mail: Any) -> str:
    return str(mail.get_body(("html",)).get_content())

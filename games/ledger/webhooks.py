"""Services about webhooks: whom to call, with which secret, and what became of it."""

import base64
import hashlib
import hmac
import ipaddress
import secrets
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from games.kernel.errors import GameError
from games.ledger import outbox
from games.ledger.models import Delivery, Outbox, Webhook

TOPICS = outbox.CALLED_FOR
MOST = 10
BOTH_SECRETS = timedelta(days=1)
NAT64 = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))
CLOSED_6 = tuple(ipaddress.ip_network(text) for text in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
CLOSED = tuple(
    ipaddress.ip_network(text)
    for text in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16",
        "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    )
)  # fmt: skip


def public_address(text: str) -> bool:
    """Whether an address belongs to the open internet, also when it is one address dressed as another."""
    try:
        address = ipaddress.ip_address(text.split("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not any(address in net for net in CLOSED)
    inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
    if inner is not None:
        return False  # nobody is reached by these today but through a gateway of ours
    if any(address in net for net in (*NAT64, *CLOSED_6)) or int(address) >> 32 == 0:
        return False
    return address.is_global and not address.is_multicast and address in ipaddress.ip_network("2000::/3")


def url_problem(url: str) -> str:
    """What is wrong with the address of a webhook as it is written; empty when nothing is."""
    if not url.isascii() or any(char <= " " or char in '\\"<>`{}|^\x7f' for char in url):
        return "The address holds characters that do not belong there."
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "That is not an address."
    if parts.scheme not in (("https", "http") if settings.WEBHOOK_INSECURE else ("https",)):
        return "A webhook's address begins with https://."
    if not parts.hostname or "@" in parts.netloc or parts.netloc.endswith(":") or "%" in parts.netloc:
        return "The address should be https://, a host name and a path, with no name or password in it."
    if settings.WEBHOOK_PORTS and not settings.WEBHOOK_INSECURE and (port or 443) not in settings.WEBHOOK_PORTS:
        return f"Webhooks are called on port {' or '.join(map(str, settings.WEBHOOK_PORTS))}."
    return "" if settings.WEBHOOK_INSECURE else _host_problem(parts.hostname)


def _host_problem(host: str) -> str:
    numeric = host.replace(".", "").removesuffix("").lower()
    if ":" in host or numeric.isdigit() or any(part.startswith("0x") for part in host.split(".")):
        return "" if public_address(host) else "Webhooks are called on public addresses only."
    if "." not in host.rstrip(".") or host.rstrip(".").endswith((".localhost", ".local", ".internal", ".onion")):
        return "Webhooks are called on public addresses only."
    return ""


# --- making and changing ---------------------------------------------------------------------------------


@transaction.atomic
def webhook_create(*, user: Any, url: str, topics: list[str]) -> Webhook:
    problem = url_problem(url)
    if problem:
        raise GameError(problem, code="bad-webhook")
    unknown = [topic for topic in topics if topic not in TOPICS]
    if unknown:
        raise GameError(f"There is no topic {unknown[0]!r}; there are {', '.join(TOPICS)}.", code="bad-webhook")
    mine = Webhook.objects.filter(user=user)
    if mine.count() >= MOST:
        raise GameError(f"You have {MOST} webhooks; withdraw some first.", code="too-many")
    last = mine.aggregate(last=models.Max("number"))["last"] or 0
    return Webhook.objects.create(user=user, number=last + 1, url=url, topics=topics, nonce=secrets.token_hex(16))


def webhook_get(*, user: Any, number: int) -> Webhook:
    hook = Webhook.objects.filter(user=user, number=number).first()
    if hook is None:
        raise GameError(f"You have no webhook {number}.", code="not-found")
    return hook


def webhook_rotate(*, user: Any, number: int) -> Webhook:
    """A new secret; for a day calls are signed with both."""
    hook = webhook_get(user=user, number=number)
    hook.generation, hook.rotated_at = hook.generation + 1, timezone.now()
    hook.save(update_fields=["generation", "rotated_at"])
    return hook


def webhook_enable(*, user: Any, number: int) -> Webhook:
    hook = webhook_get(user=user, number=number)
    hook.disabled_at, hook.disabled_why = None, ""
    hook.save(update_fields=["disabled_at", "disabled_why"])
    return hook


def webhook_remove(*, user: Any, number: int) -> None:
    webhook_get(user=user, number=number).delete()


@transaction.atomic
def webhook_test(*, user: Any, number: int) -> int:
    """A call that says nothing but `test`."""
    row = outbox.call(webhook_get(user=user, number=number), "test")
    _soon(row.pk)
    return row.pk


@transaction.atomic
def webhook_replay(*, user: Any, number: int, call: int) -> int:
    """Send an old call again under its own id: receivers know it by that."""
    hook = webhook_get(user=user, number=number)
    row = calls_of(hook).filter(pk=call).first()
    if row is None:
        raise GameError(f"Webhook {number} has no call {call}.", code="not-found")
    Outbox.objects.filter(pk=row.pk).update(
        state="waiting", attempts=0, due_at=timezone.now(), done_at=None, claimed_until=None
    )
    _soon(row.pk)
    return row.pk


def _soon(row_id: int) -> None:
    from games.ledger.tasks import enqueue_call

    transaction.on_commit(lambda: enqueue_call(row_id))


def disable(hook: Webhook, why: str) -> None:
    """No more calls; its owner is told by mail."""
    changed = Webhook.objects.filter(pk=hook.pk, disabled_at__isnull=True).update(
        disabled_at=timezone.now(), disabled_why=why[:200]
    )
    if changed:
        outbox.tell_user(hook.user, "webhook-off", {"url": hook.url, "why": why})


# --- looking ---------------------------------------------------------------------------------------------


def calls_of(hook: Webhook) -> models.QuerySet[Outbox]:
    return Outbox.objects.filter(kind=Outbox.Kind.WEBHOOK, user=hook.user, payload__webhook=hook.pk)


def hook_number(row_id: int) -> int | None:
    """Which webhook a row is for, without taking it."""
    return Outbox.objects.filter(pk=row_id).values_list("payload__webhook", flat=True).first()


def due(most: int = 500, each: int = 20) -> list[int]:
    """Calls that wait for a worker, oldest first; a webhook with a long line does not hide the others."""
    taken: dict[int, int] = {}
    rows: list[int] = []
    for row_id, hook in outbox.due_rows([Outbox.Kind.WEBHOOK]).values_list("pk", "payload__webhook")[: most * 20]:
        taken[hook] = taken.get(hook, 0) + 1
        if taken[hook] <= each:
            rows.append(row_id)
    return rows[:most]


def webhook_of(row: Outbox) -> Webhook | None:
    return Webhook.objects.select_related("user").filter(pk=row.payload.get("webhook")).first()


def listed(user: Any) -> list[Webhook]:
    return list(Webhook.objects.filter(user=user))


def log(hook: Webhook, most: int = 50) -> list[dict[str, Any]]:
    """The last calls with every attempt."""
    rows = list(calls_of(hook).order_by("-pk")[:most])
    attempts: dict[int, list[dict[str, Any]]] = {}
    for item in Delivery.objects.filter(outbox__in=rows).order_by("pk"):
        attempts.setdefault(item.outbox_id, []).append({"at": item.at, "ok": item.ok, "detail": item.detail})
    return [
        {
            "call": row.pk,
            "id": row.message_id,
            "topic": row.topic,
            "match": row.match_id,
            "state": row.state,
            "next_attempt_at": row.due_at if row.state == "waiting" else None,
            "attempts": attempts.get(row.pk, []),
        }
        for row in rows
    ]


# --- secrets ---------------------------------------------------------------------------------------------


def secret(hook: Webhook, generation: int | None = None) -> str:
    """`whsec_...`: made from the server's key, so that no secret lies in the database."""
    words = f"webhook:{hook.nonce}:{generation or hook.generation}"
    key = hmac.new(settings.SECRET_KEY.encode(), words.encode(), hashlib.sha256).digest()
    return "whsec_" + base64.b64encode(key).decode()


def private_key(hook: Webhook, generation: int | None = None) -> Ed25519PrivateKey:
    """For receivers who would rather hold no secret: they check with the public key."""
    words = f"webhook-key:{hook.nonce}:{generation or hook.generation}"
    seed = hmac.new(settings.SECRET_KEY.encode(), words.encode(), hashlib.sha256).digest()
    return Ed25519PrivateKey.from_private_bytes(seed)


def public_key(hook: Webhook) -> str:
    return "whpk_" + base64.b64encode(private_key(hook).public_key().public_bytes_raw()).decode()


def signing_keys(hook: Webhook) -> list[tuple[str, Ed25519PrivateKey]]:
    """The present secret and key, and for a day after a rotation those before."""
    held = [hook.generation]
    if hook.rotated_at is not None and timezone.now() - hook.rotated_at < BOTH_SECRETS:
        held.append(hook.generation - 1)
    return [(secret(hook, generation), private_key(hook, generation)) for generation in held]

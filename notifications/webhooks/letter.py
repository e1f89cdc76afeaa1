"""The mail that says a webhook was switched off."""

from typing import Any

from notifications.letters import Letter


def switched_off(payload: dict[str, Any]) -> Letter:
    return Letter(
        kind="webhook-off",
        subject="A webhook of yours was switched off. Fallujah Server",
        headline=f"Your webhook {payload.get('url', '')} is called no more.",
        lead=[str(payload.get("why", "")), "Your matches go on. Switch it on again when the receiver is ready:"],
        foot=["POST /api/v1/webhooks/{number}/enable"],
    )

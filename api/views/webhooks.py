"""Webhooks of a person: made, tried, rotated, looked after."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from api import shapes
from api.base import Door
from api.describe import told
from games.ledger import webhooks


class WebhookDoor(Door):
    tag = "webhooks"
    scope = "admin"


def _data(hook: Any) -> dict[str, Any]:
    return {
        "number": hook.number,
        "url": hook.url,
        "topics": hook.topics,
        "public_key": webhooks.public_key(hook),
        "created_at": hook.created_at,
        "disabled_at": hook.disabled_at,
        "disabled_why": hook.disabled_why,
    }


class Webhooks(WebhookDoor):
    @told("webhooks_list", "Your webhooks, and what they can be about", shapes.WebhooksOut, problems=(401, 403))
    def get(self, request: Request) -> Response:
        hooks = [_data(hook) for hook in webhooks.listed(request.user)]
        return Response({"webhooks": hooks, "topics": list(webhooks.TOPICS)})

    @told(
        "webhooks_create",
        "Have an address of yours called when something happens",
        shapes.WebhookSecretOut,
        request=shapes.WebhookIn,
        status=201,
        problems=(401, 403, 409, 415, 422),
    )
    def post(self, request: Request) -> Response:
        hook = webhooks.webhook_create(user=request.user, **self.body(request, shapes.WebhookIn))
        return Response(_data(hook) | {"secret": webhooks.secret(hook)}, status=201)


class OneWebhook(WebhookDoor):
    @told("webhooks_get", "One webhook", shapes.WebhookOut, problems=(401, 403, 404))
    def get(self, request: Request, number: int) -> Response:
        return Response(_data(webhooks.webhook_get(user=request.user, number=number)))

    @told("webhooks_remove", "Remove a webhook", status=204, problems=(401, 403, 404))
    def delete(self, request: Request, number: int) -> Response:
        webhooks.webhook_remove(user=request.user, number=number)
        return Response(status=204)


class Rotate(WebhookDoor):
    @told(
        "webhooks_rotate",
        "A new secret; for a day calls carry both signatures",
        shapes.WebhookSecretOut,
        problems=(401, 403, 404),
    )
    def post(self, request: Request, number: int) -> Response:
        hook = webhooks.webhook_rotate(user=request.user, number=number)
        return Response(_data(hook) | {"secret": webhooks.secret(hook)})


class Enable(WebhookDoor):
    @told("webhooks_enable", "Switch a webhook on again", shapes.WebhookOut, problems=(401, 403, 404))
    def post(self, request: Request, number: int) -> Response:
        return Response(_data(webhooks.webhook_enable(user=request.user, number=number)))


class Test(WebhookDoor):
    @told("webhooks_test", "Call it now, to try it", shapes.CallMadeOut, status=202, problems=(401, 403, 404))
    def post(self, request: Request, number: int) -> Response:
        return Response({"call": webhooks.webhook_test(user=request.user, number=number)}, status=202)


class Calls(WebhookDoor):
    @told("webhooks_calls", "The last calls with every attempt", shapes.CallsOut, problems=(401, 403, 404))
    def get(self, request: Request, number: int) -> Response:
        hook = webhooks.webhook_get(user=request.user, number=number)
        return Response({"calls": webhooks.log(hook)})


class Replay(WebhookDoor):
    @told(
        "webhooks_replay",
        "Send an old call again, under its id",
        shapes.CallMadeOut,
        status=202,
        problems=(401, 403, 404),
    )
    def post(self, request: Request, number: int, call: int) -> Response:
        return Response({"call": webhooks.webhook_replay(user=request.user, number=number, call=call)}, status=202)

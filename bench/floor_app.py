"""The least a Django, DRF and PostgreSQL server can do.

POST /append/<game> accepts one order: lock a row, insert a row, count. GET /look/<game> reads one row.
No rules, no people, no state, no hashes. What our server is measured against.
"""

import os
import sys
from typing import Any

import django
from django.conf import settings

NAME = os.environ["FLOOR_DATABASE"]
settings.configure(
    SECRET_KEY="floor",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF="floor_app",
    INSTALLED_APPS=["rest_framework"],
    USE_TZ=True,
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "HOST": "127.0.0.1",
            "PORT": os.environ["FLOOR_PORT"],
            "USER": "postgres",
            "NAME": NAME,
            "OPTIONS": {"pool": {"min_size": 2, "max_size": 16}},
        }
    },
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_PERMISSION_CLASSES": [],
        "UNAUTHENTICATED_USER": None,
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    },
    LOGGING_CONFIG=None,
)
django.setup()
sys.modules.setdefault("floor_app", sys.modules[__name__])

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models, transaction  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework.request import Request  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402


class Game(models.Model):
    seq = models.IntegerField(default=0)
    state = models.JSONField(default=dict)

    class Meta:
        app_label = "floor"


class Line(models.Model):
    game = models.ForeignKey(Game, on_delete=models.CASCADE, db_index=False)
    seq = models.IntegerField()
    body = models.JSONField()

    class Meta:
        app_label = "floor"
        constraints = [models.UniqueConstraint(fields=["game", "seq"], name="floor_line_once")]


class Append(APIView):
    def post(self, request: Request, game: int) -> Response:
        with transaction.atomic():
            row = Game.objects.select_for_update().only("seq").get(pk=game)
            row.seq += 1
            Line.objects.create(game=row, seq=row.seq, body=request.data)
            row.save(update_fields=["seq"])
        return Response({"seq": row.seq}, status=201)


class Look(APIView):
    def get(self, request: Request, game: int) -> Response:
        row = Game.objects.get(pk=game)
        return Response({"seq": row.seq, "state": row.state})


urlpatterns: list[Any] = [path("append/<int:game>", Append.as_view()), path("look/<int:game>", Look.as_view())]
application = get_wsgi_application()


def create(games: int) -> None:
    with connection.schema_editor() as editor:
        editor.create_model(Game)
        editor.create_model(Line)
    Game.objects.bulk_create(Game(state=some_state()) for _ in range(games))


def some_state() -> dict[str, Any]:
    """Two kilobytes, as our states are."""
    return {"turn": 1, "units": {f"u{n:03d}": [n % 51, 2, n & 1] for n in range(120)}}


if __name__ == "__main__":
    create(int(sys.argv[1]))

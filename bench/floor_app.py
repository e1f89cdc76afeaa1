"""The least a Django, DRF and PostgreSQL server can do to accept one order: lock a row, insert a row, count.

No rules, no people, no state, no hashes. What bench/rest.py measures our server against.
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
            "OPTIONS": {"pool": {"min_size": 1, "max_size": 10}},
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

    class Meta:
        app_label = "floor"


class Line(models.Model):
    game = models.ForeignKey(Game, on_delete=models.CASCADE)
    seq = models.IntegerField()
    body = models.JSONField()

    class Meta:
        app_label = "floor"


class Append(APIView):
    def post(self, request: Request, game: int) -> Response:
        with transaction.atomic():
            row = Game.objects.select_for_update().get(pk=game)
            row.seq += 1
            Line.objects.create(game=row, seq=row.seq, body=request.data)
            row.save(update_fields=["seq"])
        return Response({"seq": row.seq}, status=201)


urlpatterns: list[Any] = [path("append/<int:game>", Append.as_view())]
application = get_wsgi_application()


def create(games: int) -> None:
    with connection.schema_editor() as editor:
        editor.create_model(Game)
        editor.create_model(Line)
    Game.objects.bulk_create(Game() for _ in range(games))


if __name__ == "__main__":
    create(int(sys.argv[1]))

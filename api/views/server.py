"""The server about itself: health, version, games, problems, and addresses that do not exist."""

from collections.abc import Callable
from typing import Any

from django.db import connection
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api import shapes
from api import shapes_lobby as forms
from api.base import Door
from api.describe import told
from api.errors import CODES, Problem
from games.ledger import reference, selectors

SERVER = "0.1.0"


class Open(Door):
    """For everybody, signed in or not."""

    authentication_classes = ()
    permission_classes = (AllowAny,)


class Health(Open):
    throttle_classes = ()

    @told("health", "Whether the server and its database answer", shapes.HealthOut)
    def get(self, request: Request) -> Response:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return Response({"status": "ok", "database": connection.vendor})


class Version(Open):
    @told("version", "Versions of server, API and rulesets", shapes.VersionOut)
    def get(self, request: Request) -> Response:
        versions = {item["key"]: item["version"] for item in selectors.rulesets()}
        return Response({"server": SERVER, "api": "1", "rulesets": versions})


class Rulesets(Open):
    tag = "games"

    @told("rulesets_list", "Every game with its options, seats and bots", shapes.RulesetOut(many=True))
    def get(self, request: Request) -> Response:
        return Response(selectors.rulesets())


class OneRuleset(Open):
    tag = "games"

    @told("rulesets_get", "One game", shapes.RulesetOut, problems=(404,))
    def get(self, request: Request, key: str) -> Response:
        found = next((item for item in selectors.rulesets() if item["key"] == key), None)
        if found is None:
            raise Problem("not-found", f"There is no game {key!r} here.")
        return Response(found)


class Reference(Open):
    """What is known of a game without a match."""

    tag = "games"

    def of(self, key: str, look: Callable[[str], dict[str, Any]]) -> Response:
        if key not in {item["key"] for item in selectors.rulesets()}:
            raise Problem("not-found", f"There is no game {key!r} here.")
        return Response(look(key))


class Rules(Reference):
    @told("rulesets_rules", "The rules of a game: its page, and every rule by number", forms.RulesOut, problems=(404,))
    def get(self, request: Request, key: str) -> Response:
        return self.of(key, reference.rules_page)


class BoardData(Reference):
    @told("rulesets_board", "Places, what touches what, and every piece", forms.BoardDataOut, problems=(404,))
    def get(self, request: Request, key: str) -> Response:
        return self.of(key, reference.board)


class Notation(Reference):
    @told("rulesets_notation", "How orders are written, verb by verb", forms.NotationOut, problems=(404,))
    def get(self, request: Request, key: str) -> Response:
        return self.of(key, reference.notation)


class ProblemPage(Open):
    """What a `type` of a refusal means."""

    schema = None

    def get(self, request: Request, code: str) -> Response:
        if code not in CODES:
            raise NotFound
        status, title, words = CODES[code]
        return Response({"code": code, "status": status, "title": title, "detail": words})


class Nothing(Open):
    """Any other address under /api/."""

    schema = None
    http_method_names = ["get", "post", "put", "patch", "delete", "head", "options", "trace"]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        hint = " Leave out the slash at the end." if request.path.endswith("/") else ""
        raise Problem("not-found", f"There is nothing at {request.path[:200]}.{hint}")

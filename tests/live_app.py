"""The application with a small game of the tests among the real ones, for server processes."""

from games import catalogue
from tests.api import duel_game

catalogue._PACKAGES["duel"] = "tests.api.duel_game"
catalogue._LOADED["duel"] = duel_game.RULES

from fallujah_server.asgi import application  # noqa: E402
from fallujah_server.wsgi import application as wsgi  # noqa: E402

__all__ = ["application", "wsgi"]

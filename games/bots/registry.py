"""Which bot plays which game: `find_bot("card_assault", "cautious")`."""

from importlib import import_module
from importlib.util import find_spec

from games.bots.base import Bot, RandomBot
from games.kernel.errors import BadSetup


def bots_of(ruleset: str) -> dict[str, Bot]:
    """Every bot of a game by key; `random` always exists."""
    bots: dict[str, Bot] = {"random": RandomBot()}
    module = f"games.bots.{ruleset}"  # offers BOTS, a tuple of bot instances for one game
    if find_spec(module):
        bots.update({bot.key: bot for bot in import_module(module).BOTS})
    return bots


def find_bot(ruleset: str, key: str) -> Bot:
    bots = bots_of(ruleset)
    if key not in bots:
        raise BadSetup(f"{ruleset} has no bot {key!r}; it has {', '.join(sorted(bots))}.")
    return bots[key]

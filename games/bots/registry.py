"""Which bot plays which game: `find_bot("card_assault", "cautious")`.

A host may add bots of its own by name; they are imported only where they think.
"""

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec

from games.bots.base import Bot, RandomBot
from games.kernel.errors import BadSetup

SIMPLE = RandomBot()  # answers where another bot cannot: it needs nothing but the list of legal actions
_ADDED: dict[tuple[str, str], str] = {}  # (ruleset, key) -> module:Class


def add_bots(specs: Iterable[str]) -> None:
    """Make bots known by `ruleset.key=module:Class`, without importing them."""
    for spec in specs:
        name, _, place = spec.partition("=")
        ruleset, _, key = name.partition(".")
        if not (ruleset and key and all(place.partition(":"))):
            raise ValueError(f"A bot is named ruleset.key=module:Class, not {spec!r}.")
        _ADDED[ruleset, key] = place


def bots_of(ruleset: str) -> dict[str, Bot]:
    """Every bot of a game that comes with it, by key; `random` always exists."""
    bots: dict[str, Bot] = {SIMPLE.key: SIMPLE}
    module = f"games.bots.{ruleset}"  # offers BOTS, a tuple of bot instances for one game
    if find_spec(module):
        bots.update({bot.key: bot for bot in import_module(module).BOTS})
    return bots


def check_bot(ruleset: str, key: str) -> None:
    """Raise when the game has no such bot. A host's own bot is not imported for this."""
    if (ruleset, key) not in _ADDED:
        find_bot(ruleset, key)


def find_bot(ruleset: str, key: str) -> Bot:
    place = _ADDED.get((ruleset, key))
    if place is not None:
        module, _, name = place.partition(":")
        bot: Bot = getattr(import_module(module), name)()
        return bot
    bots = bots_of(ruleset)
    if key not in bots:
        added = [name for game, name in _ADDED if game == ruleset]
        raise BadSetup(f"{ruleset} has no bot {key!r}; it has {', '.join(sorted([*bots, *added]))}.")
    return bots[key]

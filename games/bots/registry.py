"""Which bot plays which game: `find_bot("card_assault", "cautious")`."""

from importlib import import_module

from games.bots.base import Bot, RandomBot
from games.kernel.errors import BadSetup

# Each module offers BOTS, a tuple of bot instances for one game.
_MODULES = {
    "card_assault": "games.bots.card_assault",
    "second_fallujah": "games.bots.second_fallujah",
    "city_fighting": "games.bots.city_fighting",
    "phantom_fury": "games.bots.phantom_fury",
}


def bots_of(ruleset: str) -> dict[str, Bot]:
    """Every bot of a game by key; `random` always exists."""
    bots: dict[str, Bot] = {"random": RandomBot()}
    if ruleset in _MODULES:
        bots.update({bot.key: bot for bot in import_module(_MODULES[ruleset]).BOTS})
    return bots


def find_bot(ruleset: str, key: str) -> Bot:
    bots = bots_of(ruleset)
    if key not in bots:
        raise BadSetup(f"{ruleset} has no bot {key!r}; it has {', '.join(sorted(bots))}.")
    return bots[key]

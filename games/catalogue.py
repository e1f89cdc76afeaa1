"""Key -> Ruleset, for everyone who needs to look one up."""

from importlib import import_module

from games.kernel.errors import BadSetup
from games.kernel.ruleset import Ruleset

_PACKAGES = {
    "card_assault": "games.card_assault",
    "second_fallujah": "games.second_fallujah",
    "city_fighting": "games.city_fighting",
    "phantom_fury": "games.phantom_fury",
}
_LOADED: dict[str, Ruleset] = {}


def all_keys() -> tuple[str, ...]:
    return tuple(_PACKAGES)


def find(key: str) -> Ruleset:
    """The ruleset of that key; its package is imported on first use."""
    if key not in _PACKAGES:
        raise BadSetup(f"There is no game {key!r}; there are {', '.join(_PACKAGES)}.")
    if key not in _LOADED:
        _LOADED[key] = import_module(_PACKAGES[key]).RULES
    return _LOADED[key]


def package(key: str) -> str:
    """Where the ruleset of that key lives."""
    find(key)
    return _PACKAGES[key]


def learn(key: str, package: str) -> None:
    """Make a ruleset known that is kept elsewhere; a known one stays as it is."""
    _PACKAGES.setdefault(key, package)


def every() -> list[Ruleset]:
    return [find(key) for key in _PACKAGES]

"""Card Assault: a solitaire card game of the assault on Fallujah, as `RULES`."""

from games.card_assault.ruleset import RULES

__all__ = ["RULES"]

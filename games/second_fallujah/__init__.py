"""Second Fallujah, Iraq, 8-14 November 2004: a two-player area-impulse game, with a solitaire enemy."""

from games.second_fallujah.ruleset import RULES

__all__ = ["RULES"]

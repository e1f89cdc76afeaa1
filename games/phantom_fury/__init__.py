"""Phantom Fury: a company of Marines clears the Jolan District, against a system that plays the insurgents."""

from games.phantom_fury.ruleset import PhantomFury

RULES = PhantomFury()

__all__ = ["RULES", "PhantomFury"]

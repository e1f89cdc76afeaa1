"""City Fighting: Fallujah 2004, Coalition seats against an OPFOR of bins, charts and dice."""

from games.city_fighting.ruleset import CityFighting

RULES = CityFighting()

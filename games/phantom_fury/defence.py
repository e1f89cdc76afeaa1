"""12.7. Defensive Fire."""

from games.kernel.steps import Step
from games.kernel.table import Table
from games.phantom_fury.board import OUT, Board, cf_of, pin, strength, unit_words, zone_of
from games.phantom_fury.suspects import activate_suspect, ied, step_loss
from games.phantom_fury.tables import KIND, NAMES, TRAP, UNITS, ZONE


def defence_modifiers(g: Board, unit: int) -> list[tuple[int, str]]:
    """12.7.2. What is added to the die of each unit that fires at this squad."""
    place = g.where[unit]
    zone = ZONE[place]
    parts = []
    if KIND[place] == "OG":
        parts.append((1, "Abrams beside it") if place in g.tanks else (-1, "alone in open ground"))
    if KIND[place] == "C":
        if g.se[unit] == place:
            parts.append((1, "Security Element"))
        if g.ruins >> zone & 1:
            parts.append((1, "Ruins"))
    if g.fanatic >> zone & 1:
        parts.append((-1, "Fanaticism"))
    return parts


class DefensiveFire(Step, frozen=True):
    """12.7. Each unit of the zone fires, then each Suspect may show itself; all of them, unless the squad dies."""

    unit: int
    places: tuple[int, ...]

    def run(self, g: Board, table: Table) -> None:
        if not self.places or g.where[self.unit] == OUT:
            return
        place, rest = self.places[0], self.places[1:]
        if rest:
            g.do(DefensiveFire(self.unit, rest))
        if g.things[place] > 0:
            fire_at(g, table, self.unit, place)
            return
        cf = cf_of(g, self.unit)
        die = table.d10()
        shows = die > cf
        table.tell("ambush", unit=UNITS[self.unit], at=NAMES[place], area=ZONE[place], die=die, cf=cf, shows=int(shows))
        if not shows:
            return
        found = activate_suspect(g, table, place, "defence")
        if place in g.things:
            fire_at(g, table, self.unit, place)
        elif found == TRAP:
            ied(g, table, self.unit)


def fire_at(g: Board, table: Table, unit: int, place: int) -> None:
    """12.7.2. Lower than the unit's CF: step loss; equal: Pinned."""
    code = g.things[place]
    drm = sum(part for part, _ in defence_modifiers(g, unit))
    die = table.d10()
    total, cf = die + drm, strength(code)
    effect = "loss" if total < cf else "pinned" if total == cf else "none"
    table.tell(
        "defence",
        unit=UNITS[unit],
        at=NAMES[place],
        area=zone_of(g, unit),
        what=unit_words(code),
        die=die,
        drm=drm,
        cf=cf,
        effect=effect,
    )
    if effect == "loss":
        step_loss(g, table, unit, "defensive fire")
    elif effect == "pinned":
        pin(g, table, unit, "defensive fire")

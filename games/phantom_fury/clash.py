"""13.4.2-13.4.6: the dice of one Assault and the Events they throw."""

from typing import NamedTuple

from games.kernel.table import Table
from games.phantom_fury.board import (
    Board,
    cf_of,
    eliminate,
    is_martyrs,
    strength,
    unit_words,
    weaker,
)
from games.phantom_fury.suspects import remove_squad
from games.phantom_fury.tables import (
    BLOCK,
    EXPLOSIVES_CF,
    IIF_EVENTS,
    INSURGENT_EVENTS,
    NAMES,
    PLAYED_ZONES,
    SQUADS,
    UNITS,
    USMC_EVENTS,
    ZONE,
)


class Fight(NamedTuple):
    """Who fights whom, how, and what is added to the squad's die."""

    unit: int
    place: int
    kind: str
    blast: bool
    parts: tuple[tuple[int, str], ...]


class Result(NamedTuple):
    """What is left to do after the dice."""

    lost: bool = False  # the squad takes a step loss
    cancelled: bool = False


def event_of(g: Board, table: Table, fight: Fight, ours: int, theirs: int) -> str:
    """13.4.3. Exactly one unmodified 0 throws an Event; the table depends on who threw it."""
    if (ours == 0) == (theirs == 0):
        return ""
    zone = ZONE[fight.place]
    if theirs == 0 and g.no_event >> zone & 1:
        table.tell("event-void", area=zone)
        return ""
    die = table.d10()
    if fight.unit >= SQUADS:
        event = IIF_EVENTS[die]
    else:
        event = (USMC_EVENTS if ours == 0 else INSURGENT_EVENTS)[die]
    table.tell("event", die=die, event=event, area=zone, unit=UNITS[fight.unit], side="usmc" if ours == 0 else "ins")
    return event


def fanaticism(g: Board, zone: int) -> None:
    """13.4.3.3. Markers in this zone and in the insurgent-controlled zones of its block."""
    for other in PLAYED_ZONES:
        if BLOCK[other] == BLOCK[zone] and not g.usmc >> other & 1:
            g.fanatic |= 1 << other


def before_dice_count(g: Board, table: Table, fight: Fight, event: str) -> int:
    """13.4.3, R50. What an Event does before the dice are read; its bonus to the squad's CF."""
    unit, place = fight.unit, fight.place
    zone = ZONE[place]
    if event == "phantom-fury":
        g.fury[zone] = 15
    elif event == "hero":
        g.hero[unit] = min(2, g.hero[unit] + 1)
    elif event == "sniper":
        if strength(g.things[place]) == 1:
            eliminate(g, table, place, "usmc sniper")
        else:
            weaker(g, place)
    elif event == "flight" and not is_martyrs(g.things[place]):
        weaker(g, place)
    elif event == "fanaticism":
        fanaticism(g, zone)
    elif event == "al-fajr":
        return 2
    elif event == "fallujah":
        return 1
    return 0


def fight(g: Board, table: Table, what: Fight) -> Result:
    """P6.3-6.5. Both dice first, then the Event, then both results at once."""
    unit, place = what.unit, what.place
    ours, theirs = table.d10(), table.d10()
    table.tell("dice", unit=UNITS[unit], at=NAMES[place], area=ZONE[place], ours=ours, theirs=theirs)
    event = event_of(g, table, what, ours, theirs)
    if event == "confusion":
        return Result(cancelled=True)
    if event == "suicide" and is_martyrs(g.things[place]):
        eliminate(g, table, place, "suicide bomber")
        remove_squad(g, table, unit, "suicide bomber")
        return Result()
    bonus = before_dice_count(g, table, what, event)
    if place not in g.things:
        return Result()
    drm = sum(part for part, _ in what.parts)
    if event == "phantom-fury" and what.kind != "counter" and not what.blast and not has_fury(what):
        drm -= 1
    cf = EXPLOSIVES_CF if what.blast else cf_of(g, unit) + bonus
    hit = ours != 9 and ours + drm <= cf
    killed = hit and event != "drugged"
    code = g.things[place]
    their_drm = their_modifier(g, what, killed)
    their_cf = strength(code)
    lost = theirs != 9 and theirs + their_drm <= their_cf
    table.tell(
        "clash",
        unit=UNITS[unit],
        at=NAMES[place],
        area=ZONE[place],
        what=unit_words(code),
        ours=ours,
        drm=drm,
        cf=cf,
        theirs=theirs,
        their_drm=their_drm,
        their_cf=their_cf,
        hit=int(hit),
        lost=int(lost),
    )
    if killed:
        eliminate(g, table, place, "assault")
    elif hit:
        weaker(g, place)
        table.tell("drugged", at=NAMES[place], area=ZONE[place], what=unit_words(g.things[place]))
    return Result(lost=lost)


def has_fury(what: Fight) -> bool:
    return any(reason == "Phantom Fury" for _, reason in what.parts)


def their_modifier(g: Board, what: Fight, killed: bool) -> int:
    """13.4.4-13.4.6. Fanaticism, and the type of Assault unless the unit was eliminated; none with explosives."""
    if what.kind == "counter" or what.blast:
        return 0
    drm = -1 if g.fanatic >> ZONE[what.place] & 1 else 0
    if not killed:
        drm += {"top": -1, "bottom": 1}.get(what.kind, 0)
    return drm

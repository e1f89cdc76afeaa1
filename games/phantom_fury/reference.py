"""Phantom Fury for programs: every Location and street section, what touches what, the counters, the orders."""

from games.kernel.reference import Chart, Link, Piece, Place, forms, link_once
from games.phantom_fury.tables import (
    BOARD,
    COUNTERS,
    FIRST_SECTION,
    KIND,
    NAMES,
    PLACES,
    TOUCHING,
    ZONE,
)

FORMS = forms(
    ("strongpoints <1-4>", "Set-up: how many Strong Points are drawn."),
    ("place <squad> <zone>", "Set-up: where a squad starts."),
    ("caat <squad>", "Set-up: a CAAT support joins this squad."),
    ("assign <squad> <platoon>", "Set-up: which platoon, and so which player, a squad belongs to."),
    ("call <mission>", "Support: call uav, cobra or hornet."),
    ("target <zone> <zone>", "Support: what the Dragon Eye looks at."),
    ("hit <location>", "Support: what the Super Cobra hits."),
    ("bomb <zone>", "Support: what the Hornet bombs."),
    ("commit <squad or tank> <place>", "Reinforcements: where it comes in."),
    ("iif <zone>", "Reinforcements: an Iraqi squad comes in."),
    ("fire <squad> <location>", "Fire at a Location."),
    ("fire <squad> <location> caat", "Fire with CAAT support."),
    ("move <squad or tank> <place>", "Movement: a step."),
    ("move <tank>", "Movement: roll for the Abrams."),
    ("detach <squad>", "Leave a security element."),
    ("nodetach", "Leave none."),
    ("regroup <squad>", "Recover."),
    ("withdraw <squad>", "Fall back."),
    ("stop <squad>", "End its movement."),
    ("assault <squad> <location>", "Assault a Location."),
    ("explosives <yes or no>", "Whether Explosives are used."),
    ("flood <yes or no>", "Whether the squad floods in."),
    ("loss <which>", "What takes the loss."),
    ("done", "This list is complete."),
    ("pass", "End the phase."),
    ("~move <squad> <place> <place> ..", "A path, with detach where it is said."),
    ("~shoot <squad> <location>", "fire."),
    ("~attack <squad> <location>", "assault."),
    ("~uav <zone> <zone>", "call uav and target."),
    ("~cobra <location>", "call cobra and hit."),
    ("~hornet <zone>", "call hornet and bomb."),
    ("~difficulty <1-4>", "strongpoints."),
    ("~bring <squad> <zone>", "commit."),
    ("~pass to <phase>", "Pass until that phase, stopping at any other question."),
)


def chart() -> Chart:
    zones = {zone["id"]: zone for zone in BOARD["zones"]}
    sections = {section["id"]: section for section in BOARD["sections"]}
    places = [Place(str(zone["id"]), f"Zone {zone['id']}", "zone", *zone["centre"]) for zone in BOARD["zones"]]
    for number, name in enumerate(NAMES):
        if number < FIRST_SECTION:
            zone = zones[ZONE[number]]
            x, y = zone["centre"]
            facts = {"zone": zone["id"], "block": zone["block"], "circle": zone["circle"], "start": zone["start"]}
            places.append(Place(name, f"Zone {zone['id']}, {KIND[number]}", KIND[number], x, y, facts))
        else:
            x, y = sections[name]["centre"]
            places.append(Place(name, sections[name]["street"], "street", x, y))
    near = link_once((NAMES[place], NAMES[other]) for place in range(PLACES) for other in TOUCHING[place])
    fire = [
        Link(str(zone["id"]), str(other), "line-of-fire") for zone in BOARD["zones"] for other in zone["line_of_fire"]
    ]
    return Chart(tuple(places), (*near, *fire), _pieces())


def _pieces() -> tuple[Piece, ...]:
    kinds = (
        ("usmc_squads", "usmc", "squad"), ("iif_squads", "iif", "squad"), ("abrams", "usmc", "tank"),
        ("caat", "usmc", "caat"), ("insurgents", "insurgent", "insurgents"), ("suspects", "insurgent", "suspect"),
    )  # fmt: skip
    return tuple(
        Piece(
            row["id"],
            str(row.get("label") or row["id"]),
            side,
            kind,
            {key: value for key, value in row.items() if key not in ("id", "label", "provenance")},
        )
        for group, side, kind in kinds
        for row in COUNTERS[group]
    )

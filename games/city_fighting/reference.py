"""City Fighting for programs: the grid with its ways, every counter, and the orders."""

from typing import Any

from games.city_fighting.tables import BOARD, COUNTERS
from games.kernel.reference import Chart, Link, Piece, Place, forms

FORMS = forms(
    ("buy <counter>", "Recruit a strike or network counter, at set-up or in a J-1."),
    ("buy <unit> at <place>", "Recruit a unit at a base or Forward Operating Base."),
    ("j1", "Operation: recruit."),
    ("j2", "Operation: intelligence."),
    ("j3 <place>", "Operation: a force moves or attacks from a place."),
    ("j4 refit <place>", "Operation: refit units there."),
    ("j4 bridge <bridge>", "Operation: repair a blown bridge."),
    ("j4 fob <place>", "Operation: build a Forward Operating Base."),
    ("j5", "Operation: information warfare."),
    ("idle", "Spend an operation on nothing."),
    ("end", "End one's operations of this turn."),
    ("pass", "Do nothing here."),
    ("isr <place>", "Look at the node in a space."),
    ("commit <counter>", "Commit a network or intelligence counter."),
    ("take <unit>", "Take a unit into the force."),
    ("form", "The force is complete."),
    ("go <place>", "The force moves a step."),
    ("infil <place>", "The force infiltrates."),
    ("water <place>", "The force crosses water."),
    ("air <place>", "The force flies."),
    ("base <base>", "The force returns to a base."),
    ("stop", "The force stops here."),
    ("lead <unit>", "This unit makes contact."),
    ("netwar <counter>", "Use a network or intelligence counter."),
    ("no", "Use none."),
    ("strike <strike>", "Add a strike to the round."),
    ("hit <unit>", "This unit takes the hit."),
    ("continue", "Another round."),
    ("withdraw <place>", "Leave the battle."),
    ("evac <lift> <unit> <base>", "Fly a unit out."),
    ("leader <leader> to <unit>", "A leader joins a unit."),
    ("leader <leader> none", "A leader rests (campaign)."),
    ("netops <place>", "Networked operation (option 32)."),
    ("force <place>", "A further force (option 32)."),
    ("interdict <place>", "Interdict a space (option 33)."),
    ("done", "Close this list."),
    ("~recruit <unit> <unit> at <place>", "j1 and several purchases."),
    ("~move <place> take <units> form go <place>", "A whole J-3."),
    ("~attack <place>", "As move, into a battle."),
    ("~fly <place>", "As air."),
    ("~refit <place>", "j4 refit."),
    ("~bridge <bridge>", "j4 bridge."),
    ("~fob <place>", "j4 fob."),
    ("~strikes <strike> <strike>", "Several strikes."),
    ("~battle lead <unit> netwar strike <strikes>", "A whole round."),
)
_OWN = {"id", "name", "side", "kind", "provenance"}
_WHERE = {"id", "name", "terrain", "x", "y", "provenance"}


def _facts(row: dict[str, Any], told: set[str]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in told and value is not None}


def chart() -> Chart:
    spaces = [
        Place(row["id"], row["name"], row["terrain"], row["x"], row["y"], _facts(row, _WHERE))
        for row in BOARD["spaces"]
    ]
    bases = [Place(row["id"], row["name"], "base", row["x"], row["y"]) for row in BOARD["bases"]]
    ways = [Link(row["a"], row["b"], row["kind"]) for row in BOARD["links"]]
    entries = [Link(row["id"], entry, "base") for row in BOARD["bases"] for entry in row["entries"]]
    rows = [*COUNTERS["coalition"], *COUNTERS["opfor_units"], *COUNTERS["nodes"], *COUNTERS["events"]]
    pieces = [
        Piece(
            row["id"],
            row["name"],
            row.get("side", ""),
            str(row.get("type") or row["kind"]),
            _facts(row, _OWN | {"type"}),
        )
        for row in rows
    ]
    return Chart(tuple(spaces + bases), tuple(dict.fromkeys(ways + entries)), tuple(pieces))

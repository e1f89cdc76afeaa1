"""Second Fallujah for programs: areas and entry zones, what touches what, every unit, the orders."""

from games.kernel.reference import Chart, Piece, Place, forms, link_once
from games.second_fallujah.tables import BOARD, COUNTERS, ID, N_COA

FORMS = forms(
    ("put F <area>", "Set-up: a Fedayeen goes there."),
    ("unput F <area>", "Set-up: take it away again."),
    ("zone <NW or NE>", "Activate an entry zone."),
    ("area <area>", "Activate an area."),
    ("fire <area>", "Activate a fire mission."),
    ("org <area> <count>", "Organize that many units there."),
    ("pick <unit>", "This unit moves."),
    ("drop", "Nobody moves any more."),
    ("step <area>", "The picked unit moves a step."),
    ("attack <area>", "Attack there."),
    ("join <unit>", "A unit supports the attack."),
    ("unjoin <unit>", "It does not."),
    ("river", "The riverine unit supports."),
    ("lead <unit>", "The lead unit."),
    ("roll", "Throw the dice."),
    ("withdraw <unit>", "This Recon unit withdraws."),
    ("stay", "Recon stays."),
    ("strike <unit>", "This unit takes part in a strike."),
    ("dig <unit>", "Dig in."),
    ("undig <unit>", "Undo a dig in this list."),
    ("r dig <unit>", "Reaction: dig in."),
    ("r retreat <unit> <area>", "Reaction: retreat."),
    ("r militia <unit> <area>", "Reaction: a Cadre raises Militia."),
    ("r done", "Reaction: no more."),
    ("retreat <unit> <area>", "Retreat there."),
    ("deflead <unit>", "The lead defender."),
    ("adv no", "Keep the Advantage."),
    ("adv reroll", "Use the Advantage: both sides throw again."),
    ("adv <+1 or -1> <att, def or end>", "Use the Advantage: bend a throw."),
    ("cp <unit> <kill, flip or retreat> <area>", "Pay Casualty Points."),
    ("cp done", "No more are paid."),
    ("flip <unit>", "Flip a unit."),
    ("keep <unit>", "A unit stays Spent."),
    ("rg <unit> <area>", "Regroup a unit there."),
    ("pass", "Do nothing in this impulse."),
    ("done", "This list is complete."),
    ("~go <units> <area>", "Pick each, step each: go 1/8-A+TK-A 24>26."),
    ("~move <units> to <area>", "The same."),
    ("~send <units> <area>", "The same."),
    ("~attack <area> lead <unit> with <units> river", "A whole attack."),
    ("~with <units>", "join each."),
    ("~react <units> <what>", "Reactions one by one."),
    ("~militia <unit>", "r militia."),
    ("~reroll", "adv reroll."),
    ("~no", "adv no."),
    ("~regroup <units> <area>", "rg each."),
    ("~organize <area>", "org."),
    ("~organise <area>", "org."),
)


def chart() -> Chart:
    areas = [
        Place(
            str(row["id"]),
            row["name"] or f"Area {row['id']}",
            row["terrain"],
            row["label"][0],
            row["label"][1],
            {"tem": row["tem"], "vp": row["vp"], **{name: True for name, given in row["flags"].items() if given}},
        )
        for row in BOARD["areas"]
    ]
    zones = [Place(row["id"], row["name"], "entry zone", *row["label"]) for row in BOARD["zones"]]
    pairs = [(str(row["id"]), str(other)) for row in (*BOARD["areas"], *BOARD["zones"]) for other in row["adjacent"]]
    return Chart(tuple(areas + zones), link_once(pairs), (*_coalition(), *_insurgents()))


def _coalition() -> tuple[Piece, ...]:
    told = ("size", "formation", "entry_zone", "support", "can_lead", "reconnaissance")
    return tuple(
        Piece(
            row["id"],
            row["name"],
            row["side"],
            row["type"],
            {
                **{key: row[key] for key in told if row.get(key) is not None},
                "fresh": row.get("fresh"),
                "spent": row.get("spent"),
            },
        )
        for row in COUNTERS["coalition"]
    )


def _insurgents() -> tuple[Piece, ...]:
    kinds = {row["code"]: (key, row) for key, row in COUNTERS["insurgent"].items()}
    found = []
    for name in ID[N_COA:]:
        key, row = kinds[name[0]]
        facts = {"fresh": row["fresh"], "spent": row["spent"], "vp": row["vp"], "can_dig_in": row["can_dig_in"]}
        found.append(Piece(name, row["name"], "insurgent", key, facts))
    return tuple(found)

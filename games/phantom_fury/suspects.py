"""4.1.3, 5.3, 11.4.1, 13.5: activating zones and Suspects, snipers, explosive devices, step losses."""

from collections.abc import Iterator

from games.kernel.ruleset import Decision
from games.kernel.steps import Action
from games.kernel.table import Fact, Seat, Table
from games.phantom_fury.board import (
    OUT,
    Board,
    cf_of,
    count_in,
    draw_counter,
    draw_suspect,
    go,
    lift,
    owner_of,
    pin,
    put,
    score,
    to_bag,
    unit_code,
    unit_words,
    wished,
    zone_of,
)
from games.phantom_fury.tables import (
    CAATS,
    DUMMY,
    FIRES_ON,
    FORTIFIED_SUSPECT,
    GUERILLAS,
    MARTYR,
    MARTYRS,
    MOSQUE,
    NAMES,
    NEAR,
    NORMAL_SUSPECT,
    SQUADS,
    TRAP,
    UNITS,
    ZONE,
)

LOSSES: tuple[Action, ...] = (("loss", "squad"), ("loss", "caat"))


def place_suspect(g: Board, table: Table, zone: int) -> None:
    """P1 [5.3.2]: a marker drawn at random takes the first free Location of its string."""
    marker = draw_suspect(g, table)
    place = wished(g, marker, zone)
    if place < 0:
        to_bag(g, -marker)
        table.tell("no-room", area=zone)
        return
    put(g, place, -marker)
    table.tell("suspect", at=NAMES[place], area=zone)


def draw_nature(g: Board, table: Table, zone: int) -> None:
    """[4.1.3] A zone marker is drawn; 26 is Fortified without one."""
    g.activated |= 1 << zone
    if zone == MOSQUE:
        table.tell("activated", area=zone, nature="fortified")
        return
    if table.draw(g.zone_bag + g.strong_bag) < g.zone_bag:
        g.zone_bag -= 1
        table.tell("activated", area=zone, nature="normal")
    else:
        g.strong_bag -= 1
        g.fortified |= 1 << zone
        table.tell("activated", area=zone, nature="fortified")


def activate_zone(g: Board, table: Table, zone: int) -> None:
    """P3 [4.1.3, 5.3.2.1]: its nature, then two Suspects, three in the mosque. Once a game."""
    draw_nature(g, table, zone)
    for _ in range(3 if zone == MOSQUE else 2):
        place_suspect(g, table, zone)


def activate_suspect(g: Board, table: Table, place: int, context: str) -> int:
    """P2 [5.3.3-5.3.5]: what the marker is. `context`: setup, uav, fire, assault or defence."""
    zone = ZONE[place]
    die = table.d10()
    found = (FORTIFIED_SUSPECT if g.fortified >> zone & 1 else NORMAL_SUSPECT)[die]
    if found == TRAP and context == "setup":
        found = DUMMY
    if found == TRAP and context == "uav":
        table.tell("unclear", at=NAMES[place], area=zone, die=die)
        return found
    to_bag(g, lift(g, place))
    if found == DUMMY:
        table.tell("dummy", at=NAMES[place], area=zone, die=die)
    elif found == TRAP:
        kind = "sniper" if context == "fire" else "ied"
        table.tell("trap", at=NAMES[place], area=zone, die=die, kind=kind)
    else:
        counter = draw_counter(g, table)
        martyrs = found == MARTYR
        code = unit_code(counter, martyrs, (MARTYRS if martyrs else GUERILLAS)[counter])
        put(g, place, code)
        table.tell("revealed", at=NAMES[place], area=zone, die=die, what=unit_words(code))
    return found


def sniper(g: Board, table: Table, unit: int, extra: int, *, shot: bool) -> None:
    """P4a [11.4.1]: as many chances in ten as enemies around; a 0 hurts as well (R34).

    `extra` is the marker that was just removed; lines of fire count when a shot is answered.
    """
    zone = zone_of(g, unit)
    enemies = sum(count_in(g, FIRES_ON[zone] if shot else NEAR[zone])) + extra
    die = table.d10()
    hit = die <= enemies or die == 0
    table.tell("sniper", unit=UNITS[unit], area=zone, die=die, enemies=enemies, hit=int(hit))
    if hit:
        pin(g, table, unit, "sniper")
    if die == 0:
        step_loss(g, table, unit, "sniper")


def ied(g: Board, table: Table, unit: int) -> None:
    """P7 [13.5]: at most its CF on the die and the squad is Pinned; more is a step loss."""
    cf = cf_of(g, unit)
    die = table.d10()
    table.tell("ied", unit=UNITS[unit], area=zone_of(g, unit), die=die, cf=cf)
    if die <= cf:
        pin(g, table, unit, "ied")
    else:
        step_loss(g, table, unit, "ied")


# --- step losses [5.1.1, 5.1.4] --------------------------------------------------------------------------------


def step_loss(g: Board, table: Table, unit: int, why: str) -> None:
    """P9: with a CAAT the player names squad or CAAT, which is asked before anything pending."""
    if g.caat[unit]:
        g.do(LossChoice(unit, why))
    else:
        squad_loses(g, table, unit, why)


def squad_loses(g: Board, table: Table, unit: int, why: str) -> None:
    """[5.1.1.1, 7.2.1] Reduced, or eliminated when it was reduced before."""
    iraqi = unit >= SQUADS
    if g.reduced[unit]:
        remove_squad(g, table, unit, why)
        return
    g.reduced[unit] = 1
    points = 0 if iraqi else -2
    if points:
        score(g, points, "reduced", UNITS[unit])
    table.tell("reduced", unit=UNITS[unit], area=zone_of(g, unit), vp=points, why=why)


def remove_squad(g: Board, table: Table, unit: int, why: str) -> None:
    """Eliminated: hero and CAAT go with it, its Security Element is left an orphan."""
    points = -2 if unit >= SQUADS else -5
    score(g, points, "eliminated", UNITS[unit])
    table.tell("eliminated", unit=UNITS[unit], area=zone_of(g, unit), vp=points, why=why)
    if g.se[unit] >= 0:
        g.orphans.append(g.se[unit])
    take_off(g, unit)


def take_off(g: Board, unit: int) -> None:
    """A squad leaves the game with all that is attached to it."""
    go(g, unit, OUT)
    if g.caat[unit]:
        drop_caat(g, unit)
    g.se[unit] = -1
    g.hero[unit] = g.status[unit] = g.moved[unit] = g.assaulted[unit] = g.search[unit] = 0


def drop_caat(g: Board, unit: int) -> None:
    caat = g.caat[unit]
    g.caat[unit] = g.ammo[caat] = g.charge[caat] = 0


class LossChoice(Decision, frozen=True):
    """[5.1.1.2] Who takes the step loss: the squad or its CAAT?"""

    unit: int
    why: str

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (owner_of(g, self.unit),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        return iter(LOSSES)

    def surely_open(self, g: Board) -> bool:
        return True

    def facts(self, g: Board) -> dict[str, Fact]:
        caat = g.caat[self.unit]
        return {
            "unit": UNITS[self.unit].lower(),
            "zone": zone_of(g, self.unit),
            "area": zone_of(g, self.unit),
            "cf": cf_of(g, self.unit),
            "reduced": g.reduced[self.unit],
            "caat": CAATS[caat - 1].lower(),
            "ammo": g.ammo[caat],
            "charge": g.charge[caat],
            "turn": g.turn,
            "vp": g.vp,
        }

    def loss(self, g: Board, table: Table, on: str) -> None:
        if on == "squad":
            squad_loses(g, table, self.unit, self.why)
            return
        name = CAATS[g.caat[self.unit] - 1]
        score(g, -2, "caat", name)
        table.tell("caat-lost", unit=UNITS[self.unit], caat=name, area=zone_of(g, self.unit), vp=-2, why=self.why)
        drop_caat(g, self.unit)

"""9. Support Phase: missions, and what the insurgents do when one is postponed."""

from collections.abc import Iterator
from typing import ClassVar

from games.kernel.ruleset import Decision
from games.kernel.steps import Action, Step
from games.kernel.table import Seat, Table
from games.phantom_fury.assault import Clash
from games.phantom_fury.board import (
    Board,
    bits_of,
    commander,
    draw_counter,
    eliminate,
    is_martyrs,
    pin,
    present,
    se_zones,
    squads_in,
    strength,
    things_in,
    to_bag,
    unit_code,
    unit_words,
)
from games.phantom_fury.phases import Phase, begin_after, open_with
from games.phantom_fury.retreat import retreat
from games.phantom_fury.suspects import (
    activate_suspect,
    activate_zone,
    draw_nature,
    remove_squad,
    sniper,
    step_loss,
)
from games.phantom_fury.tables import (
    ALL_ZONES,
    GUERILLAS,
    INSIDE,
    MISSION_MAX,
    MISSION_SUCCESS,
    MISSIONS,
    MOSQUE,
    NAMES,
    NEAR,
    OPEN,
    PAIRS,
    PLACE,
    REACTIONS,
    UNITS,
    UPPER,
    ZONE,
)

CALLS: tuple[Action, ...] = tuple(("call", mission) for mission in MISSIONS)
TARGETS: tuple[Action, ...] = tuple(("target", one, other) for one, other, _ in PAIRS)
HITS: tuple[Action, ...] = tuple(("hit", name) for name in NAMES)
BOMBS: tuple[Action, ...] = tuple(("bomb", zone) for zone in range(62))
DONE: Action = ("done",)


def enemy_ground(g: Board) -> int:
    """Insurgent-controlled zones clear of USMC units, without zone 27."""
    return ALL_ZONES & ~g.usmc & ~present(g)


def may_bomb(g: Board) -> int:
    """9.3 Hornet: not 26, and neither Adjacent nor Neighbouring to a zone with a USMC unit."""
    danger = 1 << MOSQUE
    for zone in bits_of(present(g)):
        danger |= NEAR[zone]
    return enemy_ground(g) & ~danger


def has_target(g: Board, mission: int) -> bool:
    """R8: a mission is called only with a legal target."""
    if mission == 0:
        ground = enemy_ground(g)
        return any(pair & ground == pair for _, _, pair in PAIRS)
    if mission == 1:
        return bool(enemy_ground(g) & g.foe & ~(1 << MOSQUE))
    return bool(may_bomb(g))


@open_with
class SupportPhase(Phase, frozen=True):
    """9.1. Call missions until one is postponed or enough is enough."""

    name: ClassVar[str] = "support"
    shared: ClassVar[bool] = False

    def acts(self, g: Board, owner: int) -> Iterator[Action]:
        for mission in range(3):
            if g.missions[mission] < MISSION_MAX[mission] and has_target(g, mission):
                yield CALLS[mission]

    def call(self, g: Board, table: Table, seat: Seat, name: str) -> None:
        mission = MISSIONS.index(name)
        die = table.d10()
        needs = success_of(g, mission)
        if die > needs:
            table.tell("mission-failed", mission=name, die=die, needs=needs)
            g.do(Reaction(), begin_after(self.name))
            return
        table.tell("mission", mission=name, die=die, needs=needs)
        counts = list(g.missions)
        counts[mission] += 1
        g.missions = (counts[0], counts[1], counts[2])
        question = (DragonEye(), Cobra(0), Hornet())[mission]
        g.do(question, self)


def success_of(g: Board, mission: int) -> int:
    return MISSION_SUCCESS[mission] if mission else g.uav_success


class DragonEye(Decision, frozen=True):
    """9.3 Dragon Eye: two zones next to each other are Activated and, if Normal, their Suspects too (R9)."""

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (commander(g),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        ground = enemy_ground(g)
        for (_, _, pair), action in zip(PAIRS, TARGETS, strict=True):
            if pair & ground == pair:
                yield action

    def target(self, g: Board, table: Table, one: int, other: int) -> None:
        for zone in (one, other):
            if not g.activated >> zone & 1:
                activate_zone(g, table, zone)
        for zone in (one, other):
            if not g.fortified >> zone & 1:
                for place in things_in(g, zone):
                    if g.things[place] < 0:
                        activate_suspect(g, table, place, "uav")


class Cobra(Decision, frozen=True):
    """9.3 Super Cobra: one or two enemies in one insurgent zone other than 26 are removed (R10)."""

    zone: int  # 0: the first is still to be named

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (commander(g),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        if self.zone:
            zones = [self.zone]
        else:
            zones = bits_of(enemy_ground(g) & g.foe & ~(1 << MOSQUE))
        for zone in zones:
            for place in things_in(g, zone):
                yield HITS[place]
        if self.zone:
            yield DONE

    def hit(self, g: Board, table: Table, at: str) -> None:
        place = PLACE[at]
        eliminate(g, table, place, "cobra")
        if not self.zone and g.foe >> ZONE[place] & 1:
            g.do(Cobra(ZONE[place]))

    def done(self, g: Board, table: Table) -> None:
        return


class Hornet(Decision, frozen=True):
    """9.3 Hornet: everything in a zone is eliminated and the zone is Ruins (R11)."""

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (commander(g),)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        for zone in bits_of(may_bomb(g)):
            yield BOMBS[zone]

    def bomb(self, g: Board, table: Table, zone: int) -> None:
        if not g.activated >> zone & 1:
            draw_nature(g, table, zone)
        for place in things_in(g, zone):
            eliminate(g, table, place, "hornet")
        g.ruins |= 1 << zone
        table.tell("ruins", area=zone, why="hornet")


# --- 9.4 Insurgent Reactions -------------------------------------------------------------------------------------


class Reaction(Step, frozen=True):
    """9.4. A postponed mission gives the insurgents the initiative for a moment."""

    def run(self, g: Board, table: Table) -> None:
        die = table.d10()
        kind = REACTIONS[die]
        table.tell("reaction", die=die, kind=kind)
        if kind == "reinforcements":
            better_counters(g, table)
        elif kind == "retreat":
            all_retreat(g, table)
        elif kind == "eagle":
            hunted = [unit for zone in bits_of(g.held & ~g.usmc) for unit in squads_in(g, zone)]
            g.do(Eagle(tuple(hunted)))
        elif kind == "counter-attack":
            g.do(CounterAttack(counter_attacks(g)))
        elif kind == "hbied":
            booby_trap(g, table)


def guerillas(g: Board, zones: int) -> list[int]:
    """Locations of Guerillas in a set of zones, in zone then Location order."""
    found = [place for zone in bits_of(zones & g.foe) for place in things_in(g, zone)]
    return [place for place in found if g.things[place] > 0 and not is_martyrs(g.things[place])]


def better_counters(g: Board, table: Table) -> None:
    """Reinforcements: a drawn counter with higher Guerillas CF takes the place."""
    for place in guerillas(g, ~se_zones(g)):
        counter = draw_counter(g, table)
        old = g.things[place]
        if GUERILLAS[counter] > strength(old):
            to_bag(g, old)
            g.things[place] = unit_code(counter, False, GUERILLAS[counter])
            table.tell("stronger", at=NAMES[place], area=ZONE[place], what=unit_words(g.things[place]))
        else:
            to_bag(g, unit_code(counter, False, 0))


def all_retreat(g: Board, table: Table) -> None:
    """Retreat: all Guerillas beside a squad; none moves twice (R40)."""
    for place in guerillas(g, g.held & ~se_zones(g)):
        retreat(g, table, place)


class Eagle(Step, frozen=True):
    """The Eagle of Fallujah: a Sniper Attack on each squad in an insurgent-controlled zone."""

    units: tuple[int, ...]

    def run(self, g: Board, table: Table) -> None:
        if self.units:
            g.do(Eagle(self.units[1:]))
            sniper(g, table, self.units[0], 0, shot=False)


def counter_attacks(g: Board) -> tuple[tuple[int, ...], ...]:
    """P10: for each zone its strongest Guerillas, listed before the first Assault (R40)."""
    found = []
    for zone in bits_of(g.held & g.foe & ~se_zones(g)):
        places = guerillas(g, 1 << zone)
        if places:
            best = max(strength(g.things[place]) for place in places)
            found.append(tuple(place for place in places if strength(g.things[place]) == best))
    return tuple(found)


class CounterAttack(Step, frozen=True):
    """P10 [9.4]. The strongest Guerillas of each zone come Adjacent to a squad and assault it (R12, R52)."""

    attackers: tuple[tuple[int, ...], ...]

    def run(self, g: Board, table: Table) -> None:
        if not self.attackers:
            return
        g.do(CounterAttack(self.attackers[1:]))
        places = self.attackers[0]
        place = places[table.draw(len(places))] if len(places) > 1 else places[0]
        targets = [(unit, stand) for unit in squads_in(g, ZONE[place]) if (stand := stands(g, place, unit))]
        if not targets:
            table.tell("counter-idle", at=NAMES[place], area=ZONE[place])
            return
        unit, stand = targets[table.draw(len(targets))] if len(targets) > 1 else targets[0]
        goal = stand[table.draw(len(stand))] if len(stand) > 1 else stand[0]
        if goal != place:
            g.things[goal] = g.things.pop(place)
            table.tell("counter-move", at=NAMES[place], goal=NAMES[goal], area=ZONE[place])
        table.tell("counter", at=NAMES[goal], area=ZONE[place], unit=UNITS[unit], what=unit_words(g.things[goal]))
        g.do(Clash(unit, goal, "counter", False, False, False))


def stands(g: Board, place: int, unit: int) -> list[int]:
    """Where Guerillas stand to assault a squad: where they are, if Adjacent, or a free covered Location."""
    near = INSIDE[g.where[unit]]
    if place in near:
        return [place]
    gone = g.ruins >> ZONE[place] & 1
    return [
        spot
        for spot in near
        if not OPEN[spot] and spot not in g.things and spot not in g.where and not (gone and UPPER[spot])
    ]


def booby_trap(g: Board, table: Table) -> None:
    """HBIED: one random zone with squads, under USMC control and near the insurgents, is Ruins (R13)."""
    safe = g.usmc & g.held & ~g.ruins & ~(1 << MOSQUE)
    enemy = ALL_ZONES & ~g.usmc
    zones = [zone for zone in bits_of(safe) if NEAR[zone] & enemy]
    if not zones:
        table.tell("hbied-nowhere")
        return
    zone = zones[table.draw(len(zones))] if len(zones) > 1 else zones[0]
    table.tell("hbied", area=zone)
    g.ruins |= 1 << zone
    spared = []
    for unit in squads_in(g, zone):
        if UPPER[g.where[unit]]:
            remove_squad(g, table, unit, "hbied")
        else:
            spared.append(unit)
    if spared:
        g.do(*(Blast(unit) for unit in spared))


class Blast(Step, frozen=True):
    """HBIED: a squad on the ground floor takes a step loss and is Pinned."""

    unit: int

    def run(self, g: Board, table: Table) -> None:
        pin(g, table, self.unit, "hbied")
        step_loss(g, table, self.unit, "hbied")

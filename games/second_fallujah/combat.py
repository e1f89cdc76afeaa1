"""7. Combat: Coalition attacks, Fire Missions, insurgent attacks."""

from collections.abc import Iterator, Sequence

from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision, Step
from games.kernel.table import Seat, Table
from games.second_fallujah.absorption import capacity
from games.second_fallujah.advantage import advantage_steps
from games.second_fallujah.board import (
    Board,
    all_militia,
    any_fresh,
    cf_of,
    common_facts,
    eliminate,
    has_iraqi,
    has_us,
    lead_defenders,
    mp_left,
    names,
    raise_backlash,
    spend,
    update_control,
)
from games.second_fallujah.casualties import Casualties
from games.second_fallujah.priorities import lead_choice
from games.second_fallujah.tables import (
    ANY,
    BATTALIONS,
    COALITION,
    DEFLEAD,
    DUG,
    FIRE_MISSION_OV,
    FRESH,
    ID,
    INSURGENT,
    IRAQI,
    JOIN,
    KIND,
    LEAD,
    LEADS,
    MEDEVAC,
    MILITIA_ONLY,
    MOSQUE,
    MOST_SUPPORTING_INFANTRY,
    MOST_UNDOS,
    NATION,
    NEVER,
    OVERWHELMING,
    RIVER,
    RIVER_ACTION,
    ROLL,
    SPENT,
    TEM,
    UNIT,
    UNJOIN,
)

# --- questions ---------------------------------------------------------------------------------------


def may_lead(g: Board, unit: int, area: int) -> bool:
    """7.2.1. Whether this unit could lead an attack on the insurgents now in the area."""
    able = LEAD[unit]
    return able == ANY or (able == MILITIA_ONLY and all_militia(g.ins[area]))


def cost_in_place(g: Board, area: int) -> int:
    """6.1: 1 MP against Spent units alone, 2 MP if one is Fresh."""
    return 2 if any_fresh(g, g.ins[area]) else 1


def able_to_join(g: Board, area: int) -> list[int]:
    """6.3. Entrants of an area; in the activated area those who can pay, or paid when they came back (R61)."""
    mode, entered = g.mode, g.entered
    if area != g.origin:
        return [u for u in g.coa[area] if mode[u] == FRESH and u in entered and entered[u][0] == area]
    cost = cost_in_place(g, area)
    return [u for u in g.coa[area] if mode[u] == FRESH and (mp_left(g, u) >= cost or _came_back(g, u, area))]


def _came_back(g: Board, unit: int, area: int) -> bool:
    return unit in g.entered and g.entered[unit][0] == area


def has_lead(g: Board, units: Sequence[int], area: int) -> bool:
    best = max([LEAD[unit] for unit in units], default=NEVER)
    return best == ANY or (best == MILITIA_ONLY and all_militia(g.ins[area]))


def attack_areas(g: Board) -> list[int]:
    """Where an attack with a valid lead can be declared now: one an area, an impulse."""
    if not g.entered and not g.ins[g.origin]:
        return []
    areas = {g.origin, *[area for area, _, _ in g.entered.values()]}
    return [
        area
        for area in sorted(areas)
        if g.ins[area] and area not in g.fought and g.coa[area] and has_lead(g, able_to_join(g, area), area)
    ]


def is_mandatory(g: Board, area: int) -> bool:
    """6.3: owed by whoever entered an area that held only enemies."""
    return area not in g.contested


def ambush(g: Board, area: int, force: Sequence[int]) -> int:
    """6.4.2: the worst shortfall among the attackers."""
    record = g.entry.get(area)
    if record is None or not record[2]:
        return 0
    return max((max(0, 4 - g.entered[unit][2]) for unit in force if unit in g.entered), default=0)


def value_parts(g: Board, area: int, force: Sequence[int], lead: int, river: bool) -> dict[str, int]:
    """7.2.4. The Offensive Value, factor by factor."""
    others = [unit for unit in force if unit != lead]
    kinds = {KIND[unit] for unit in others}
    infantry = sum(
        1
        for unit in others
        if KIND[unit] in ("infantry", "mech_infantry") and (not IRAQI[unit] or g.iraqi_infantry_supports)
    )
    nations = {NATION[unit] for unit in force}
    parts = {
        "lead": cf_of(g, lead),
        "infantry": min(infantry, MOST_SUPPORTING_INFANTRY),
        "weapons": int("weapons" in kinds or "anti_tank" in kinds),
        "armour": 2 if "tank" in kinds else int("lar" in kinds or "cavalry" in kinds),
        "engineers": int("engineer" in kinds),
        "special": int("special_forces" in kinds),
        "river": int(river),
        "battalion": int(any(whole.issubset(force) for whole in BATTALIONS)),
        "mixed": -int("army" in nations and ("marine" in nations or river)),
        "ambush": -ambush(g, area, force),
    }
    return {name: value for name, value in parts.items() if value or name == "lead"}


def _said(parts: dict[str, int]) -> str:
    """`4 lead +2 infantry -1 mixed`, for the news."""
    return " ".join(f"{value}" + " lead" if name == "lead" else f"{value:+d} {name}" for name, value in parts.items())


def offensive_value(g: Board, area: int, force: Sequence[int], lead: int, river: bool) -> int:
    return sum(value_parts(g, area, force, lead, river).values())


def defensive_value(g: Board, kind: str, area: int, lead: int) -> int:
    """7.2.6; 7.4 for a Fire Mission, which ignores Dug In (R11)."""
    if kind == "fire":
        return cf_of(g, lead) + TEM[area] * (1 if has_us(g, area) else 2)
    return cf_of(g, lead) + TEM[area] + (g.mode[lead] == DUG)


# --- Coalition attacks ---------------------------------------------------------------------------------


class PlanAttack(Decision, frozen=True):
    """7.1 (1-2), D10. Who takes part, the riverine, the lead; then the dice."""

    unit_fields = ("force", "leader")
    area: int
    force: tuple[int, ...]
    leader: int = -1
    boats: bool = False
    undos: int = 0

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (COALITION,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        if self.leader >= 0:
            yield ROLL
        able = able_to_join(g, self.area)
        if self.leader < 0:
            for unit in able:
                if may_lead(g, unit, self.area):
                    yield LEADS[unit]
        if RIVER[self.area] and g.riverine == FRESH and not self.boats:
            yield RIVER_ACTION
        if len(self.force) < len(able) > 1:
            for unit in able:
                if unit not in self.force:
                    yield JOIN[unit]
        if len(able) > 1 and self.undos < MOST_UNDOS and not is_mandatory(g, self.area):
            for unit in self.force:
                yield UNJOIN[unit]

    def facts(self, g: Board) -> dict[str, Fact]:
        return common_facts(g) | {"area": self.area, "units": len(self.force), "tem": TEM[self.area]}

    def _with(self, g: Board, force: tuple[int, ...], lead: int, river: bool, undos: int = 0) -> None:
        g.do(PlanAttack(self.area, force, lead, river, self.undos + undos))

    def join(self, g: Board, table: Table, name: str) -> None:
        self._with(g, tuple(sorted((*self.force, UNIT[name]))), self.leader, self.boats)

    def unjoin(self, g: Board, table: Table, name: str) -> None:
        unit = UNIT[name]
        left = tuple(other for other in self.force if other != unit)
        self._with(g, left, -1 if unit == self.leader else self.leader, self.boats, 1)

    def river(self, g: Board, table: Table) -> None:
        self._with(g, self.force, self.leader, True)

    def lead(self, g: Board, table: Table, name: str) -> None:
        unit = UNIT[name]
        force = self.force if unit in self.force else tuple(sorted((*self.force, unit)))
        self._with(g, force, unit, self.boats)

    def roll(self, g: Board, table: Table) -> None:
        g.do(CoalitionAttack(self.area, self.force, self.leader, self.boats))


class CoalitionAttack(Step, frozen=True):
    """7.1 (3). Backlash for a mosque is charged once, when the attack is declared (R46)."""

    unit_fields = ("force", "lead")
    area: int
    force: tuple[int, ...]
    lead: int
    river: bool

    def run(self, g: Board, table: Table) -> None:
        area = self.area
        cost = cost_in_place(g, area)
        parts = value_parts(g, area, self.force, self.lead, self.river)
        ov = sum(parts.values())
        table.tell("attack", area=area, units=names(self.force), leader=ID[self.lead], ov=ov, parts=_said(parts))
        if area == g.origin:
            for unit in self.force:
                if not _came_back(g, unit, area):
                    g.mp[unit] = mp_left(g, unit) - cost
        g.fought[area] = (False, cost, self.force)
        g.acted = True
        if self.river:
            g.riverine_used = True
        if MOSQUE[area] and not any(IRAQI[unit] for unit in self.force):
            raise_backlash(g, 1, table, why="mosque", area=area)
        g.do(Defend("attack", area, ov, self.force, self.river))


class FireMission(Step, frozen=True):
    """7.4. Artillery and aircraft: OV 8, no modifiers."""

    area: int

    def run(self, g: Board, table: Table) -> None:
        table.tell("fire-mission", area=self.area)
        if MOSQUE[self.area] and not (has_us(g, self.area) and has_iraqi(g, self.area)):
            raise_backlash(g, 1, table, why="mosque", area=self.area)
        g.do(Defend("fire", self.area, FIRE_MISSION_OV, (), False))


class Defend(Step, frozen=True):
    """7.2.5. The lead defender; the insurgent is asked when tied units differ."""

    unit_fields = ("force",)
    kind: str
    area: int
    ov: int
    force: tuple[int, ...]
    river: bool

    def run(self, g: Board, table: Table) -> None:
        tied = lead_defenders(g, self.area)
        if len(tied) > 1 and g.solitaire:
            table.tell("bot", rule="7.2.5", words="leads", area=self.area)
        if len(tied) == 1 or g.solitaire:
            g.do(Dice(self.kind, self.area, self.ov, self.force, self.river, lead_choice(g, tied)))
        else:
            g.do(LeadDefenderChoice(self.kind, self.area, self.ov, self.force, self.river))


class LeadDefenderChoice(Decision, frozen=True):
    """7.2.5, D9."""

    unit_fields = ("force",)
    window = True
    kind: str
    area: int
    ov: int
    force: tuple[int, ...]
    river: bool

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (INSURGENT,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        for unit in lead_defenders(g, self.area):
            yield DEFLEAD[unit]

    def facts(self, g: Board) -> dict[str, Fact]:
        tied = lead_defenders(g, self.area)
        dug = sum(1 for unit in tied if g.mode[unit] == DUG)
        return common_facts(g) | {"area": self.area, "kind": self.kind, "ov": self.ov, "ties": len(tied), "dug": dug}

    def deflead(self, g: Board, table: Table, name: str) -> None:
        g.do(Dice(self.kind, self.area, self.ov, self.force, self.river, UNIT[name]))


class Dice(Step, frozen=True):
    """7.1 (4-6), 8.5. Defensive Value, Overwhelming Force, both throws and the Advantage."""

    unit_fields = ("force", "lead")
    kind: str
    area: int
    ov: int
    force: tuple[int, ...]
    river: bool
    lead: int

    def run(self, g: Board, table: Table) -> None:
        dv = defensive_value(g, self.kind, self.area, self.lead)
        if all_militia(g.ins[self.area]) and self.ov - dv >= OVERWHELMING:
            table.tell("overwhelming", area=self.area, ov=self.ov, dv=dv)
            g.do(Overrun(self.area, self.force))
            return
        dice = table.d6(4)
        g.att, g.dfn = dice[0] + dice[1], dice[2] + dice[3]
        table.tell(
            "combat-roll",
            kind=self.kind,
            area=self.area,
            defender=ID[self.lead],
            face="dug" if g.mode[self.lead] == DUG else "fresh" if g.mode[self.lead] else "spent",
            ov=self.ov,
            dv=dv,
            a1=dice[0],
            a2=dice[1],
            d1=dice[2],
            d2=dice[3],
        )
        g.do(
            *advantage_steps(g, self.kind, self.area, self.ov, dv, self.lead),
            CombatResult(self.kind, self.area, self.ov, dv, self.force, self.river, self.lead),
        )


class CombatResult(Step, frozen=True):
    """7.2.7. The first attack roll of the impulse is also the phase roll (4.1.4)."""

    unit_fields = ("force", "lead")
    kind: str
    area: int
    ov: int
    dv: int
    force: tuple[int, ...]
    river: bool
    lead: int

    def run(self, g: Board, table: Table) -> None:
        if not g.phase_roll:
            g.phase_roll = g.att
        points = self.ov + g.att - self.dv - g.dfn
        table.tell(
            "combat-result", kind=self.kind, area=self.area, ot=self.ov + g.att, dt=self.dv + g.dfn, points=points
        )
        if points > capacity(g, g.ins[self.area]):
            g.do(Overrun(self.area, self.force))
            return
        spend(g, self.force)
        if self.river:
            g.riverine = SPENT
        if points > 0:
            g.do(Casualties(self.area, points, self.lead), AfterCombat(self.area))
        elif self.kind == "attack":
            suffered = (1 if points == 0 else 2) - any(MEDEVAC[unit] for unit in self.force)
            raise_backlash(g, suffered, table, why="repulsed", area=self.area)


class Overrun(Step, frozen=True):
    """8.4, 8.5. Everything dies; the attackers keep their Movement Points."""

    unit_fields = ("force",)
    area: int
    force: tuple[int, ...]

    def run(self, g: Board, table: Table) -> None:
        table.tell("overrun", area=self.area, lost=names(g.ins[self.area]))
        for unit in g.ins[self.area]:
            eliminate(g, unit)
        if self.force:
            g.fought[self.area] = (True, g.fought[self.area][1], self.force)
        update_control(g, self.area, table)


class AfterCombat(Step, frozen=True):
    """9.1."""

    area: int

    def run(self, g: Board, table: Table) -> None:
        update_control(g, self.area, table)

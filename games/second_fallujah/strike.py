"""7.3. Insurgent attacks: one unit at a time, gone whatever comes of it."""

from collections.abc import Iterator

from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision, Step
from games.kernel.table import Seat, Table
from games.second_fallujah.advantage import advantage_steps
from games.second_fallujah.board import Board, cf_of, common_facts, eliminate, raise_backlash, update_control
from games.second_fallujah.tables import (
    COALITION,
    DEFLEAD,
    FEDAYEEN,
    ID,
    INSURGENT_OV,
    IRAQI,
    MEDEVAC,
    SUPPORT,
    TEM,
    UNIT,
)


class InsurgentAttack(Step, frozen=True):
    """7.3. One unit attacks and is gone, whatever comes of it (R5)."""

    unit_fields = ("unit",)
    unit: int
    area: int

    def run(self, g: Board, table: Table) -> None:
        g.acted = True
        defenders = g.coa[self.area]
        if all(SUPPORT[unit] for unit in defenders):
            table.tell("security-lapse", unit=ID[self.unit], area=self.area)
            g.do(Harm(self.unit, self.area, 2))
            return
        best = max(cf_of(g, unit) for unit in defenders)
        tied = [unit for unit in defenders if cf_of(g, unit) == best]
        nations = {IRAQI[unit]: unit for unit in reversed(tied)}
        if len(nations) == 2:
            g.do(CoalitionLeadChoice(self.unit, self.area))
        else:
            g.do(InsurgentDice(self.unit, self.area, tied[0]))


class CoalitionLeadChoice(Decision, frozen=True):
    """7.3.2, D3. A US and an Iraqi unit are tied; an Iraqi lead costs one point less (R58)."""

    unit_fields = ("unit",)
    window = True
    unit: int
    area: int

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (COALITION,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        defenders = g.coa[self.area]
        best = max(cf_of(g, unit) for unit in defenders)
        for iraqi in (True, False):
            yield next(DEFLEAD[unit] for unit in defenders if cf_of(g, unit) == best and IRAQI[unit] is iraqi)

    def facts(self, g: Board) -> dict[str, Fact]:
        return common_facts(g) | {"area": self.area, "kind": "strike", "ties": 2, "dug": 0}

    def deflead(self, g: Board, table: Table, name: str) -> None:
        g.do(InsurgentDice(self.unit, self.area, UNIT[name]))


class InsurgentDice(Step, frozen=True):
    """7.3.1, 7.3.3."""

    unit_fields = ("unit", "lead")
    unit: int
    area: int
    lead: int

    def run(self, g: Board, table: Table) -> None:
        ov = INSURGENT_OV[TEM[self.area]] + (self.unit in FEDAYEEN)
        dv = cf_of(g, self.lead)
        dice = table.d6(4)
        g.att, g.dfn = dice[0] + dice[1], dice[2] + dice[3]
        table.tell(
            "strike-roll",
            unit=ID[self.unit],
            area=self.area,
            defender=ID[self.lead],
            ov=ov,
            dv=dv,
            a1=dice[0],
            a2=dice[1],
            d1=dice[2],
            d2=dice[3],
        )
        g.do(
            *advantage_steps(g, "strike", self.area, ov, dv, self.lead),
            InsurgentResult(self.unit, self.area, ov, dv, self.lead),
        )


class InsurgentResult(Step, frozen=True):
    """7.3.4."""

    unit_fields = ("unit", "lead")
    unit: int
    area: int
    ov: int
    dv: int
    lead: int

    def run(self, g: Board, table: Table) -> None:
        ot, dt = self.ov + g.att, self.dv + g.dfn
        won = ot > dt
        table.tell("strike-result", unit=ID[self.unit], area=self.area, ot=ot, dt=dt, won="yes" if won else "no")
        g.do(Harm(self.unit, self.area, (1 if IRAQI[self.lead] else 2) if won else 0))


class Harm(Step, frozen=True):
    """8.1. Coalition Casualty Points of an insurgent attack; then the attacker is eliminated."""

    unit_fields = ("unit",)
    unit: int
    area: int
    points: int

    def run(self, g: Board, table: Table) -> None:
        medevac = self.points > 0 and any(MEDEVAC[unit] for unit in g.coa[self.area])
        raise_backlash(g, self.points - medevac, table, why="strike", area=self.area)
        eliminate(g, self.unit)
        g.mp.pop(self.unit, None)
        g.entered.pop(self.unit, None)
        update_control(g, self.area, table)

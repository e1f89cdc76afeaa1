"""10. The Advantage: bend one roll by one, or throw a combat's dice again."""

from collections.abc import Iterator

from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision, Step
from games.kernel.table import Seat, Table
from games.second_fallujah.absorption import capacity, most_absorbed
from games.second_fallujah.board import Board, common_facts
from games.second_fallujah.priorities import provisional_kills
from games.second_fallujah.tables import (
    ADV_COMBAT,
    ADV_END,
    ADV_NO,
    ADV_REROLL,
    COALITION,
    INSURGENT,
    IRAQI,
    M0,
    MEDEVAC,
)

PHASE_SWING = 9  # the fact `swing` when one point decides whether the Action Phase ends
BOT_GAP = 4  # 15 (3b)
BOT_KILLS = 2  # 15 (3c)


def advantage_steps(g: Board, kind: str, area: int = 0, ov: int = 0, dv: int = 0, lead: int = -1) -> tuple[Step, ...]:
    """The window to put between dice and result; none when the marker is used (10.2)."""
    if not g.available:
        return ()
    if g.solitaire and g.owner == INSURGENT:
        return (BotAdvantage(area, ov, dv, lead),) if kind in ("attack", "fire") else ()
    return (AdvantageWindow(kind, area, ov, dv, lead),)


def hand_over(g: Board) -> None:
    """10.2: used, it belongs to the other side and waits for the next turn."""
    g.owner = INSURGENT if g.owner == COALITION else COALITION
    g.available = False


def reroll(g: Board, table: Table) -> None:
    dice = table.d6(4)
    g.att, g.dfn = dice[0] + dice[1], dice[2] + dice[3]
    table.tell("reroll", a1=dice[0], a2=dice[1], d1=dice[2], d2=dice[3])


class AdvantageWindow(Decision, frozen=True):
    """10.1, D4. The owner may bend these dice before anything follows from them."""

    unit_fields = ("lead",)
    window = True
    kind: str  # attack, fire, strike (an insurgent attack) or phase
    area: int
    ov: int
    dv: int
    lead: int  # lead defender

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (g.owner,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        yield ADV_NO
        if self.kind == "phase":
            yield from ADV_END
        else:
            yield from ADV_COMBAT
            yield ADV_REROLL

    def surely_open(self, g: Board) -> bool:
        return True

    def facts(self, g: Board) -> dict[str, Fact]:
        margin = self.ov + g.att - self.dv - g.dfn
        return common_facts(g) | {
            "kind": self.kind,
            "mine": "yes" if (self.kind == "strike") is (g.owner == INSURGENT) else "no",
            "area": self.area,
            "ov": self.ov,
            "dv": self.dv,
            "att": g.att,
            "def": g.dfn,
            "margin": margin,
            "cp": 0 if self.kind == "phase" else self.balance(g, margin),
            "swing": self.swing(g),
            "ends": "yes" if self.sets_phase(g) and g.att < g.impulse else "no",
        }

    def sets_phase(self, g: Board) -> bool:
        """Whether this roll is the one the phase check reads (4.1.4)."""
        return self.kind == "phase" or (self.kind != "strike" and not g.phase_roll)

    def balance(self, g: Board, margin: int) -> int:
        """Casualty Points the insurgents absorb, less what the Coalition suffers."""
        if self.kind == "strike":
            if margin <= 0:
                return 0
            points = 1 if IRAQI[self.lead] else 2
            return -max(0, points - any(MEDEVAC[unit] for unit in g.coa[self.area]))
        if margin > 0:
            units = g.ins[self.area]
            over = capacity(g, units) + 1
            return over if margin >= over else most_absorbed(g, units, self.lead, margin)
        return 0 if self.kind == "fire" else -1 if margin == 0 else -2

    def swing(self, g: Board) -> int:
        """What one point can change for the owner: Casualty Points, or 9 when it decides the phase's end."""
        if self.sets_phase(g) and (g.att - 1 < g.impulse) is not (g.att + 1 < g.impulse):
            return PHASE_SWING
        if self.kind == "phase":
            return 0
        margin = self.ov + g.att - self.dv - g.dfn
        now = self.balance(g, margin)
        way = 1 if g.owner == COALITION else -1
        return max(way * (self.balance(g, margin + by) - now) for by in (1, -1))

    def adv(self, g: Board, table: Table, use: str, roll: str = "") -> None:
        if use == "no":
            return
        seat = g.owner
        hand_over(g)
        if use == "reroll":
            table.tell("advantage", seat=seat, use="reroll", roll="", now=0)
            reroll(g, table)
            return
        by = 1 if use == "+1" else -1
        if roll == "def":
            g.dfn += by
        else:
            g.att += by
        table.tell("advantage", seat=seat, use=use, roll=roll, now=g.dfn if roll == "def" else g.att)


class BotAdvantage(Step, frozen=True):
    """15 (3). The bot throws a lost combat again when the dice were four apart and two leaders would die."""

    unit_fields = ("lead",)
    area: int
    ov: int
    dv: int
    lead: int

    def run(self, g: Board, table: Table) -> None:
        points = self.ov + g.att - self.dv - g.dfn
        if points <= 0 or g.att - g.dfn < BOT_GAP:
            return
        units = g.ins[self.area]
        if points > capacity(g, units):
            kills = sum(1 for unit in units if unit < M0)
        else:
            kills = provisional_kills(g, self.area, points, self.lead)
        if kills >= BOT_KILLS:
            hand_over(g)
            table.tell("bot", rule="15 (3)", area=self.area, words="rerolls-combat")
            reroll(g, table)

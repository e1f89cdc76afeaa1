"""4.1.3, 6.3.1. What insurgents do when an area is entered, and reconnaissance units that think better of it."""

from collections.abc import Iterator

from games.kernel.errors import Fact
from games.kernel.steps import Action, Decision
from games.kernel.table import Seat, Table
from games.second_fallujah.board import (
    Board,
    common_facts,
    distinct,
    is_free_for_insurgents,
    militia_in_pool,
    place_militia,
    place_word,
    relocate,
)
from games.second_fallujah.tables import (
    ADJ,
    C0,
    CADRES,
    COALITION,
    DUG,
    F0,
    FRESH,
    ID,
    INSURGENT,
    M0,
    MOSQUE,
    POOL,
    R_DIG,
    R_DONE,
    RECON,
    SPENT,
    STACK_LIMIT,
    STAY,
    TEM,
    UNIT,
    WITHDRAW,
)


class ReactionWindow(Decision, frozen=True):
    """4.1.3, D7. Each Fresh insurgent in or next to the area may do one thing, in any order."""

    unit_fields = ("group", "used")
    window = True
    area: int
    origin: int  # where the entrants came from
    group: tuple[int, ...]
    before: int  # entry cost before Reaction
    used: tuple[int, ...] = ()
    placed: bool = False

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (INSURGENT,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        yield R_DONE
        area, mode, used = self.area, g.mode, self.used
        militia = g.where.count(POOL) > 0
        here = [u for u in g.ins[area] if u < M0 and mode[u] == FRESH and u not in used]
        if here:
            to = [b for b in ADJ[area] if is_free_for_insurgents(g, b) and len(g.ins[b]) < STACK_LIMIT]
            room = militia and len(g.ins[area]) < STACK_LIMIT
            for unit in distinct(g, here):
                if unit >= F0:
                    yield R_DIG[unit]
                elif room:
                    yield ("r", "militia", ID[unit], area)
                for b in to:
                    yield ("r", "retreat", ID[unit], b)
        if not militia:
            return
        room_here = len(g.ins[area]) < STACK_LIMIT
        for b in ADJ[area]:
            if not g.ins[b] or not is_free_for_insurgents(g, b):
                continue
            for unit in g.ins[b]:
                if C0 <= unit < F0 and mode[unit] == FRESH and unit not in used:
                    if room_here:
                        yield ("r", "militia", ID[unit], area)
                    if len(g.ins[b]) < STACK_LIMIT:
                        yield ("r", "militia", ID[unit], b)
                    break

    def facts(self, g: Board) -> dict[str, Fact]:
        return common_facts(g) | {
            "area": self.area,
            "tem": TEM[self.area],
            "mosque": "yes" if MOSQUE[self.area] else "no",
            "entry": self.before,
            "group": len(self.group),
            "contested": "no",
            "militia": militia_in_pool(g),
            "defenders": len(g.ins[self.area]),
            "dug": sum(1 for unit in g.ins[self.area] if g.mode[unit] == DUG),
        }

    def r(self, g: Board, table: Table, what: str, name: str = "", to: int = 0) -> None:
        if what == "done":
            if self.placed and any(RECON[unit] for unit in self.group):
                g.do(ReconWindow(self.area, self.origin, self.group))
            return
        unit = UNIT[name]
        placed = self.placed
        if what == "dig":
            g.mode[unit] = DUG
            table.tell("dig", unit=name, area=self.area)
        elif what == "retreat":
            g.mode[unit] = SPENT
            relocate(g, unit, to)
            table.tell("react-retreat", unit=name, area=self.area, goal=to, face="spent")
        else:
            new = place_militia(g, to)
            table.tell("react-militia", unit=name, militia=ID[new], area=to, entered=self.area)
            placed = placed or to == self.area
        g.do(ReactionWindow(self.area, self.origin, self.group, self.before, (*self.used, unit), placed))


def may_react(g: Board, area: int) -> bool:
    """Whether any insurgent is in a state and place to react; Militia never are."""
    mode = g.mode
    if any(u < M0 and mode[u] == FRESH for u in g.ins[area]):
        return True
    return any(u in CADRES and mode[u] == FRESH for b in ADJ[area] if is_free_for_insurgents(g, b) for u in g.ins[b])


class ReconWindow(Decision, frozen=True):
    """6.3.1, D8. Reconnaissance units of the group may go back at once, Spent, without a fight."""

    unit_fields = ("group",)
    area: int
    origin: int
    group: tuple[int, ...]

    def seats(self, g: Board) -> tuple[Seat, ...]:
        return (COALITION,)

    def options(self, g: Board, seat: Seat) -> Iterator[Action]:
        yield STAY
        for unit in self.group:
            if RECON[unit] and g.where[unit] == self.area:
                yield WITHDRAW[unit]

    def facts(self, g: Board) -> dict[str, Fact]:
        here = g.ins[self.area]
        return common_facts(g) | {
            "area": self.area,
            "placed": "f" if any(F0 <= unit < M0 for unit in here) else "m",
            "fresh_enemy": sum(1 for unit in here if g.mode[unit]),
            "group": len(self.group),
        }

    def stay(self, g: Board, table: Table) -> None:
        return None

    def withdraw(self, g: Board, table: Table, name: str) -> None:
        unit = UNIT[name]
        relocate(g, unit, self.origin)
        g.mode[unit] = SPENT
        g.mp[unit] = 0
        g.entered.pop(unit, None)
        g.acted = True
        table.tell("withdraw", unit=name, area=self.area, goal=place_word(self.origin))
        g.do(self)

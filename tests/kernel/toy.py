"""A tiny two-player ruleset: each side hides a number, then they bid coins; enough to try the kernel on."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from games.kernel.errors import Fact, Unreadable
from games.kernel.ruleset import Outcome, Ruleset, Setup, View
from games.kernel.steps import Action, Decision, State, Step, settle
from games.kernel.table import News, Seat, Table


class Purse(State):
    hidden: dict[str, int]
    coins: dict[str, int]
    log: list[str]
    rounds: int = 0


class Round(Step, frozen=True):
    def run(self, g: Purse, table: Table) -> None:
        g.rounds += 1
        if g.rounds > 3:
            return
        g.do(Hide(("red", "blue")), Bid("red"), Window("blue"), Round())


class Hide(Decision, frozen=True):
    """Both seats at once; whoever has answered is left out."""

    left: tuple[str, ...]
    takes_seat: ClassVar[bool] = True

    def seats(self, g: Purse) -> tuple[Seat, ...]:
        return self.left

    def options(self, g: Purse, seat: Seat) -> Iterator[Action]:
        yield ("hide", 1)
        yield ("hide", 2)

    def hide(self, g: Purse, table: Table, seat: Seat, number: int) -> None:
        g.hidden[seat] = number
        left = tuple(other for other in self.left if other != seat)
        if left:
            g.do(Hide(left))


class Asking(Decision, frozen=True):
    """A base for standing orders: `on ask ..` fits every decision below it."""


class Bid(Asking, frozen=True):
    seat: str

    def seats(self, g: Purse) -> tuple[Seat, ...]:
        return (self.seat,)

    def options(self, g: Purse, seat: Seat) -> Iterator[Action]:
        for coins in range(1, g.coins[seat] + 1):
            yield ("bid", coins)
        yield ("pass",)
        yield ("roll-over",)

    def facts(self, g: Purse) -> dict[str, Fact]:
        return {"coins": g.coins[self.seat], "seat": self.seat}

    def bid(self, g: Purse, table: Table, coins: int) -> None:
        g.coins[self.seat] -= coins
        table.tell("bid", coins=coins)
        g.log.append(f"{self.seat} bid {coins}")

    def pass_(self, g: Purse, table: Table) -> None:
        g.log.append(f"{self.seat} pass")

    def roll_over(self, g: Purse, table: Table) -> None:
        die = table.d6()[0]
        table.tell("die", value=die)
        g.log.append(f"{self.seat} rolled {die}")


class Window(Decision, frozen=True):
    """An interrupt with a single answer while nobody has bid more than two."""

    seat: str
    window: ClassVar[bool] = True

    def seats(self, g: Purse) -> tuple[Seat, ...]:
        return (self.seat,)

    def options(self, g: Purse, seat: Seat) -> Iterator[Action]:
        yield ("decline",)
        if g.coins["red"] < 4:
            yield ("peek",)

    def decline(self, g: Purse, table: Table) -> None:
        g.log.append("declined")

    def peek(self, g: Purse, table: Table) -> None:
        g.log.append("peeked")


class Toy(Ruleset):
    key: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy"
    tag: ClassVar[str] = "TY"
    state: ClassVar[type[State]] = Purse
    steps: ClassVar[tuple[type[Step], ...]] = (Round, Hide, Bid, Window)
    verbs: ClassVar[tuple[str, ...]] = ("hide", "bid", "pass", "roll-over", "decline", "peek")
    decisions: ClassVar[dict[str, str]] = {"bid": "Bid", "ask": "Asking", "window": "Window"}

    def seats(self, setup: Setup) -> tuple[Seat, ...]:
        return ("red", "blue")

    def start(self, setup: Setup, table: Table) -> Purse:
        g = Purse([Round()], {}, {"red": 6, "blue": 6}, [])
        settle(g, table)
        return g

    def view(self, g: Purse, seat: Seat | None) -> View:
        hidden = {who: number if who == seat else 0 for who, number in g.hidden.items()}
        return {"hidden": hidden, "coins": g.coins, "log": g.log}

    def outcome(self, g: Purse) -> Outcome | None:
        return None if g.todo else Outcome(None, "draw", {}, "Nobody won.")

    def holds(self, g: Any, seat: Seat, condition: str, news: Sequence[News]) -> bool:
        if condition == "rich":
            return bool(g.coins[seat] > 3)
        if condition == "rolled":
            return any(item.key == "die" for item in news)
        raise Unreadable(f"Toy knows no condition {condition!r}.")

    def imagine(self, g: Any, seat: Seat | None, table: Table) -> Purse:
        other: Purse = g.clone()
        for who in other.hidden:
            if who != seat:
                other.hidden[who] = 1 + table.draw(2, secret=True)
        return other


TOY = Toy()

"""What the terminal shows: lists of matches, boards, questions with their numbered answers."""

from collections.abc import Iterable, Sequence

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from fallujah_client.shapes import Decision, Entry, Match, Outcome, Ruleset, Saying
from fallujah_client.shorthand import MOST_ROWS, Row

HELP = """\
You answer as in a mail:
  4            line 4 of the list             4 9 done     several, in turn
  1..3         lines 1 to 3                   1 24         line 1 with 24 in its blank
  put rct 1; fire                             orders in words, with ; between
  then ..      kept until it is your move     //           the rest is a comment
And you can say:
  look, look 24      the board, or what it says of 24      options      every line of the list
  why 3              what line 3 is, its rule and odds     log, log 10-20   what happened
  undo, undo 3       take back, or ask to                  yes, no      to a take-back that is asked
  say <words>        to the other players                  note <words> to yourself
  standing, standing <rule>, standing off 1, rehearse <rule>   answers while you are away
  resign, rematch    matches      back to your matches     watch        look on        quit
In the list of matches: a number, new <game> [vs bot [name]] [side <seat>] [option=value], watch <number>."""


class Screen:
    """One console; every kind of thing has one way to be shown."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style), highlight=False)

    def trouble(self, text: str) -> None:
        self.say(text, "bold red")

    def help(self) -> None:
        self.console.print(Text(HELP), highlight=False)

    def matches(self, found: Sequence[Match]) -> None:
        if not found:
            self.say("You have no matches yet. Type   new card_assault   to open one, or   help .")
            return
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name in ("match", "game", "you are", "against", "state"):
            table.add_column(name, justify="right" if name == "match" else "left", overflow="fold")
        for match in found:
            table.add_row(str(match.id), match.title or match.game, *_sides(match), _state(match))
        self.console.print(table)

    def rulesets(self, found: Iterable[Ruleset]) -> None:
        for game in found:
            seats = ", ".join(seat.key for seat in game.seats)
            bots = ", ".join(bot.key for bot in game.bots)
            self.say(f"  {game.key}  (seats: {seats}; bots: {bots})", "dim")

    def headline(self, match: Match) -> None:
        mine = next((seat.name for seat in match.seats if seat.you), "looking on")
        due = next((seat.due_at for seat in match.seats if seat.you and seat.due_at), None)
        clock = f" · answer until {due[:16].replace('T', ' ')} UTC" if due else ""
        self.console.rule(
            Text(f"match {match.id} · {match.title or match.game} · {mine} · entry {match.version}{clock}")
        )

    def board(self, text: str) -> None:
        self.console.print(Text(text.rstrip("\n")), highlight=False, no_wrap=True, overflow="ignore", crop=False)

    def news(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            for words in entry.news:
                self.say(f"  {words}", "dim")

    def said(self, saying: Saying) -> None:
        self.say(f"  {saying.player or saying.seat}: {saying.text}", "magenta")

    def question(self, decision: Decision, listed: Sequence[Row], most: int = MOST_ROWS) -> None:
        self.console.print()
        self.console.print(Text(decision.prompt, style="bold"), highlight=False)
        self.console.print(_choices(listed[:most]))
        if len(listed) > most:
            self.say(f"      and {len(listed) - most} more lines: options shows them, or type the order.", "dim")

    def outcome(self, outcome: Outcome | None) -> None:
        words = outcome.words if outcome else "The match has ended without a result."
        self.console.print(Panel(Text(words, style="bold"), expand=False, border_style="green"))


def _sides(match: Match) -> tuple[str, str]:
    mine = next((seat.name for seat in match.seats if seat.you), "-")
    others = [seat.player or seat.bot or "nobody yet" for seat in match.seats if not seat.you]
    return mine, ", ".join(others) or "-"


def _state(match: Match) -> Text:
    if match.status == "playing" and match.my_seat in match.owed:
        return Text("your move", style="bold green")
    waiting = {"playing": "waiting", "open": "not started", "over": "over", "cancelled": "cancelled"}
    return Text(waiting.get(match.status, match.status), style="dim")


def _choices(listed: Sequence[Row]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="bold cyan", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(overflow="fold", style="dim")
    for row in listed:
        words = f"{' '.join(row.fills[:14])}{' ..' if len(row.fills) > 14 else ''}" if row.blank else row.words
        table.add_row(str(row.number), Text(row.notation), Text(f"{words}  {row.odds}".strip()))
    return table


def watched(match: Match, board: str, news: Sequence[str]) -> Group:
    """A match that is looked at while it is played."""
    head = Text(
        f"match {match.id} · {match.title or match.game} · entry {match.version} · {match.status}", style="bold"
    )
    return Group(head, Text(board.rstrip("\n")), *(Text(f"  {words}", style="dim") for words in news))

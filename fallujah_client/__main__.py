"""python -m fallujah_client: play in a terminal, or run a bot.

    python -m fallujah_client play [MATCH] [--server URL] [--user NAME]
    python -m fallujah_client bot MATCH [--server URL] -- COMMAND ...

The token is taken from FALLUJAH_TOKEN, or a password is asked for.
"""

import argparse
import getpass
import os
import sys

from rich.console import Console
from rich.table import Table

from fallujah_client import Client, Decision, Refused
from fallujah_client.runner import Quit, run

SHOWN = 25


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fallujah_client", description="Play on a Fallujah Server.")
    parser.add_argument("what", choices=["play", "bot"])
    parser.add_argument("match", type=int, nargs="?")
    parser.add_argument("--server", default=os.environ.get("FALLUJAH_SERVER", "http://127.0.0.1:8000"))
    parser.add_argument("--user", default="")
    parser.add_argument("command", nargs="*")
    given = parser.parse_args(arguments)
    console = Console()
    client = Client(given.server, os.environ.get("FALLUJAH_TOKEN", ""))
    try:
        if not os.environ.get("FALLUJAH_TOKEN"):
            name = given.user or console.input("Name: ")
            client.login(name, getpass.getpass("Password: "))
        if given.what == "bot":
            if given.match is None or not given.command:
                parser.error("bot needs a match and a command: bot 9 -- ./my_bot")
            outcome = run(client, given.match, given.command)
            console.print(outcome["words"] if outcome else "The match has ended.")
            return 0
        return play(client, console, given.match)
    except (Refused, Quit) as error:
        console.print(str(error), style="red", markup=False)
        return 1
    except (KeyboardInterrupt, EOFError):
        return 0
    finally:
        client.close()


def play(client: Client, console: Console, match_id: int | None) -> int:
    """Board, question, answer, until the match is over or one leaves with `quit`."""
    match_id = match_id or choose(client, console)
    if match_id is None:
        return 0
    seen = -1
    while True:
        page = client.entries(match_id, after=seen)
        for entry in page.entries:
            for words in entry.news:
                console.print(words, style="dim", markup=False)
        seen = page.entries[-1].seq if page.entries else seen
        decision = client.decision(match_id)
        if not decision.asked:
            console.print(decision.prompt, style="bold", markup=False)
            if client.match(match_id).status != "playing":
                return 0
            next(client.stream(match_id, after=max(seen, 0)), None)
            continue
        console.print(client.board(match_id), markup=False, highlight=False)
        show(console, decision)
        line = console.input("[bold]> [/bold]").strip()
        if line in ("quit", "exit"):
            return 0
        give(client, console, match_id, decision, line)


def choose(client: Client, console: Console) -> int | None:
    table = Table("match", "game", "title", "status", "you are asked")
    found = client.matches().results
    for match in found[:SHOWN]:
        asked = "yes" if match.my_seat in match.owed else ""
        table.add_row(str(match.id), match.game, match.title, match.status, asked)
    console.print(table)
    line = console.input("Match (or the name of a game to open one): ").strip()
    if line.isdigit():
        return int(line)
    return client.open(line).id if line else None


def show(console: Console, decision: Decision) -> None:
    console.print(decision.prompt, style="bold", markup=False)
    for offer in decision.actions[:SHOWN]:
        odds = f"  ({offer.odds})" if offer.odds else ""
        console.print(f"{offer.number:>4}  {offer.notation}: {offer.words}{odds}", markup=False, highlight=False)
    if decision.total > SHOWN:
        console.print(f"      and {decision.total - SHOWN} more; type the order itself.", style="dim")


def give(client: Client, console: Console, match_id: int, decision: Decision, line: str) -> None:
    """A number from the list, or orders in words."""
    numbered = {str(offer.number): offer.action for offer in decision.actions}
    orders = [numbered[line]] if line in numbered else line
    try:
        result = client.orders(match_id, orders, version=decision.version)
        if result.refused:
            console.print(result.refused.get("why", ""), style="red", markup=False)
    except Refused as error:
        console.print(str(error), style="red", markup=False)


if __name__ == "__main__":
    sys.exit(main())

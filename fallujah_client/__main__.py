"""python -m fallujah_client: play in a terminal, look on, or run a bot.

    python -m fallujah_client [play] [MATCH] [--server URL] [--user NAME]
    python -m fallujah_client watch MATCH
    python -m fallujah_client bot MATCH -- COMMAND ...
    python -m fallujah_client sign-out

The token is that of FALLUJAH_TOKEN, or the one kept for this server, or a password is asked for once.
"""

import argparse
import getpass
import os
import sys

import httpx
from rich.console import Console

from fallujah_client import session
from fallujah_client.client import Client, Refused
from fallujah_client.runner import Quit, run
from fallujah_client.terminal import Terminal

WORDS = ["play", "watch", "bot", "sign-out"]


def main(arguments: list[str] | None = None) -> int:
    given = _parser().parse_args(_with_word(sys.argv[1:] if arguments is None else arguments))
    console = Console(highlight=False)
    client = Client(given.server, session.token(given.server))
    try:
        if given.what == "sign-out":
            return _sign_out(client, given.server)
        _sign_in(client, console, given.server, given.user)
        if given.what == "bot":
            outcome = run(client, given.match, given.command)
            console.print(outcome.words if outcome else "The match has ended.", markup=False)
            return 0
        if given.what == "watch":
            Terminal(client, console).watch(given.match)
            return 0
        return Terminal(client, console).run(given.match)
    except (Refused, Quit) as error:
        console.print(str(error), style="red", markup=False)
        return 1
    except httpx.TransportError as error:
        console.print(f"{given.server} does not answer: {error}", style="red", markup=False)
        return 1
    except (KeyboardInterrupt, EOFError):
        return 0
    finally:
        client.close()


def _with_word(arguments: list[str]) -> list[str]:
    """`play` may be left out."""
    return arguments if any(word in WORDS for word in arguments[:1]) or arguments[:1] in (["-h"], ["--help"]) else [
        "play", *arguments
    ]  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fallujah_client", description="Play on a Fallujah Server.")
    words = parser.add_subparsers(dest="what", required=True)
    for name, told in (
        ("play", "play, or choose among your matches"),
        ("watch", "look on while a match is played"),
        ("bot", "have a program answer for your seat"),
        ("sign-out", "make the kept token void"),
    ):
        word = words.add_parser(name, help=told)
        word.add_argument("--server", default=os.environ.get("FALLUJAH_SERVER", "http://127.0.0.1:8000"))
        word.add_argument("--user", default="")
        if name != "sign-out":
            word.add_argument("match", type=int, nargs="?" if name == "play" else None)
        if name == "bot":
            word.add_argument("command", nargs="+", help="after --")
    return parser


def _sign_in(client: Client, console: Console, server: str, user: str) -> None:
    """With the kept token while it is good; else with a password, and the new token is kept."""
    if client.token:
        try:
            client.me()
            return
        except Refused as error:
            if error.status == 403:
                return  # bound to a seat: enough to play there
            if error.status != 401 or os.environ.get("FALLUJAH_TOKEN"):
                raise
    name = user or console.input("Name: ")
    client.login(name, getpass.getpass("Password: "))
    session.keep(server, client.token)


def _sign_out(client: Client, server: str) -> int:
    if client.token:
        client.logout()
    session.keep(server, "")
    return 0


if __name__ == "__main__":
    sys.exit(main())

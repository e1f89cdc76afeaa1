"""A bot that talks over stdin and stdout, in any language, seated in a match.

For each decision the bot gets one line of JSON, {"match", "decision", "view"}, and answers with one line: an
action as a JSON array, or an order in words. Lines it writes to stderr are shown.
"""

import json
import subprocess
from collections.abc import Sequence
from typing import Any

import msgspec

from fallujah_client.client import Client, Refused

GIVE_UP = 3  # refused answers to one decision


class Quit(Exception):
    """The bot has ended or does not answer well."""


def run(client: Client, match_id: int, command: Sequence[str]) -> dict[str, Any] | None:
    """Play the seat to the end with one process of the bot; the outcome."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bot:  # noqa: S603
        try:
            for _ in client.stream(match_id):
                answer_all(client, match_id, bot)
        finally:
            bot.terminate()
    return client.match(match_id).outcome


def answer_all(client: Client, match_id: int, bot: "subprocess.Popen[str]") -> None:
    """Answer until another seat is asked."""
    refused = 0
    while (decision := client.decision(match_id)).asked:
        view = client.view(match_id).view
        question = {"match": match_id, "decision": msgspec.to_builtins(decision), "view": view}
        line = ask(bot, question)
        try:
            orders = [json.loads(line)] if line.startswith("[") else line
            client.orders(match_id, orders, version=decision.version)
            refused = 0
        except (Refused, ValueError) as error:
            refused += 1
            if refused >= GIVE_UP:
                raise Quit(f"The bot answered {line!r}: {error}") from None


def ask(bot: "subprocess.Popen[str]", question: dict[str, Any]) -> str:
    if bot.stdin is None or bot.stdout is None:
        raise Quit("The bot has no pipes.")
    try:
        bot.stdin.write(json.dumps(question) + "\n")
        bot.stdin.flush()
    except BrokenPipeError:
        raise Quit("The bot has ended.") from None
    line = bot.stdout.readline()
    if not line:
        raise Quit("The bot has ended.")
    return line.strip()

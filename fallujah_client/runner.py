"""A bot that talks over stdin and stdout, in any language, seated in a match.

For each decision the bot gets one line of JSON, {"match", "decision", "view", "refused"}, and answers with one line:
the number of an action in the list, an action as a JSON array, or an order in words. After a refusal the question
comes again, with the reason in `refused`. When the match is over its stdin ends. What it writes to stderr is shown.
"""

import json
import subprocess
from collections.abc import Sequence
from typing import Any

import msgspec

from fallujah_client.client import Client, Refused
from fallujah_client.shapes import Decision, Outcome

GIVE_UP = 3  # refused answers to one decision
ANEW = ("stale", "not-your-decision", "match-over")  # the match moved while the bot was thinking


class Quit(Exception):
    """The bot has ended or does not answer well."""


def run(client: Client, match_id: int, command: Sequence[str]) -> Outcome | None:
    """Play the seat to the end with one process of the bot; the outcome."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bot:  # noqa: S603
        try:
            for event in client.stream(match_id):
                if event.event == "decision":
                    answer_all(client, match_id, bot)
        finally:
            if bot.stdin is not None:
                _hang_up(bot)
    return client.match(match_id).outcome


def _hang_up(bot: "subprocess.Popen[str]") -> None:
    """End of its questions; whoever does not leave then is shown out."""
    try:
        bot.communicate(timeout=2)
    except (subprocess.TimeoutExpired, BrokenPipeError, ValueError):
        bot.kill()


def answer_all(client: Client, match_id: int, bot: "subprocess.Popen[str]") -> None:
    """Answer until another seat is asked."""
    refused, why = 0, None
    while (decision := client.decision(match_id)).asked:
        view = client.view(match_id).view
        question = {"match": match_id, "decision": msgspec.to_builtins(decision), "view": view, "refused": why}
        line = ask(bot, question)
        try:
            client.orders(match_id, meant(line, decision), version=decision.version)
            refused, why = 0, None
        except (Refused, ValueError) as error:
            if isinstance(error, Refused) and error.code in ANEW:
                continue
            refused, why = refused + 1, str(error)
            if refused >= GIVE_UP:
                raise Quit(f"The bot answered {line!r}: {error}") from None


def meant(line: str, decision: Decision) -> Any:
    """The orders behind a line."""
    if line.isascii() and line.isdigit():
        chosen = [offer.action for offer in decision.actions if offer.number == int(line)]
        if not chosen:
            raise ValueError(f"there is no action {line}; there are 1 to {decision.total}")
        return chosen
    return [json.loads(line)] if line.startswith("[") else line


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

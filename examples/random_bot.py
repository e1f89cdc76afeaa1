"""A bot in one page: opens a match of any game, or sits down in one, and answers at random over the API.

    python examples/random_bot.py http://127.0.0.1:8000 NAME PASSWORD card_assault
    python examples/random_bot.py http://127.0.0.1:8000 NAME PASSWORD 9

With FALLUJAH_TOKEN set (to a token bound to its seat) NAME and PASSWORD are not used.
"""

import os
import random
import sys

from fallujah_client import Client, Refused

BACKWARDS = {"takeback", "drop", "unput", "unjoin"}  # verbs that only take something back
ANEW = {"stale", "not-your-decision", "match-over"}  # the match moved while we were thinking: look again


def answer(client: Client, match_id: int, rng: random.Random) -> None:
    """Answer until somebody else is asked."""
    while (decision := client.decision(match_id)).asked:
        forward = [offer for offer in decision.actions if offer.action[0] not in BACKWARDS]
        choice = rng.choice(forward or decision.actions)
        try:
            client.orders(match_id, [choice.action], version=decision.version)
        except Refused as refused:
            if refused.code not in ANEW:
                raise


def main(server: str, name: str, password: str, what: str) -> None:
    client = Client(server, os.environ.get("FALLUJAH_TOKEN", ""))
    if not client.token:
        client.login(name, password)
    match = client.match(int(what)) if what.isdigit() else client.open(what)
    if match.my_seat is None:
        match = client.join(match.id)
    print(f"match {match.id} of {match.game}, seat {match.my_seat}", flush=True)
    rng = random.Random()
    for event in client.stream(match.id):  # comes back by itself after a cut
        if event.event == "decision":
            answer(client, match.id, rng)
    outcome = client.match(match.id).outcome
    print(outcome.words if outcome else "cancelled")


if __name__ == "__main__":
    main(*sys.argv[1:])

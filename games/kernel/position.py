"""Position files: build a position, play orders on it with chance by hand, and say what came of it."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from games.kernel.errors import BadSetup, ChanceRanOut, GameError
from games.kernel.orders import play_orders, read_orders
from games.kernel.ruleset import Ruleset
from games.kernel.steps import Action, State, apply, legal, owed, settle
from games.kernel.table import News, Scripted, Seat

KEYS = ("ruleset", "options", "position", "chance", "orders", "expect", "words")


def run_position(find: Callable[[str], Ruleset], document: Any) -> dict[str, Any]:
    """What a position file leads to. `find` looks a ruleset up by its key.

    The file: `ruleset`, `options`, `position`, `chance` (whole numbers in the order they are asked for) and
    `orders` (`{"seat", "text"}`); `expect` and `words` are for its readers. Playing stops at the first order
    that is refused.
    """
    rules, g, table = _set_up(find, document)
    settle(g, table)
    applied, refused = 0, None
    for seat, text in _orders(document, rules):
        count, refused = _play(rules, g, seat, text, table)
        applied += count
        if refused is not None:
            break
    outcome = rules.outcome(g)
    return {
        "applied": applied,
        "refused": refused,
        "owed": list(owed(g)),
        "legal": {seat: [rules.say(g, action) for action in legal(g, seat)] for seat in owed(g)},
        "position": rules.position(g),
        "news": [rules.narrate(news) for news in table.news],
        "chance_left": table.left,
        "outcome": None if outcome is None else msgspec.to_builtins(outcome),
    }


def _set_up(find: Callable[[str], Ruleset], document: Any) -> tuple[Ruleset, State, Scripted]:
    if not isinstance(document, Mapping):
        raise BadSetup("A position file is a JSON object.")
    unknown = sorted(set(document) - set(KEYS))
    if unknown:
        raise BadSetup(f"A position file has no {', '.join(unknown)}; it has {', '.join(KEYS)}.")
    if not isinstance(document.get("ruleset"), str):
        raise BadSetup("`ruleset` names the game of a position file.")
    rules = find(document["ruleset"])
    for key in ("options", "position"):
        if not isinstance(document.get(key, {}), Mapping):
            raise BadSetup(f"`{key}` is a JSON object.")
    chance = document.get("chance", [])
    if not isinstance(chance, list) or not all(type(value) is int for value in chance):
        raise BadSetup("`chance` is a list of whole numbers.")
    setup = rules.setup(document.get("options", {}))
    table = Scripted(*chance)
    if "position" not in document:
        return rules, rules.start(setup, table), table
    return rules, rules.from_position(document["position"], setup), table


def _orders(document: Mapping[str, Any], rules: Ruleset) -> list[tuple[Seat, str]]:
    orders = document.get("orders", [])
    if not isinstance(orders, list):
        raise BadSetup("`orders` is a list.")
    seats = rules.seats(rules.setup(document.get("options", {})))
    found: list[tuple[Seat, str]] = []
    for number, order in enumerate(orders, 1):
        if not isinstance(order, Mapping) or set(order) != {"seat", "text"} or not isinstance(order["text"], str):
            raise BadSetup(f'Order {number} is not of the form {{"seat": .., "text": ..}}.')
        if order["seat"] not in seats:
            raise BadSetup(f"Order {number}: there is no seat {order['seat']!r}; there are {', '.join(seats)}.")
        found.append((order["seat"], order["text"]))
    return found


def _play(rules: Ruleset, g: State, seat: Seat, text: str, table: Scripted) -> tuple[int, dict[str, str] | None]:
    """Play one message; how many actions were applied, and the refusal if there was one."""
    short: list[ChanceRanOut] = []

    def act(g: State, seat: Seat, action: Action) -> list[News]:
        start = len(table.news)
        try:
            apply(g, seat, action, table)
        except ChanceRanOut as error:
            short.append(error)  # the script is at fault, not the order: said as an error, not as a refusal
            raise
        return table.news[start:]

    orders = read_orders(rules, text)
    if not orders:
        return 0, {"order": text, "code": "unreadable", "text": "There is no order in this text."}
    if seat not in owed(g):
        text_why = f"It is not {seat}'s decision now." if owed(g) else "The game is over; nothing more can be ordered."
        return 0, {"order": text, "code": "not-your-decision" if owed(g) else "match-over", "text": text_why}
    played = play_orders(rules, g, seat, orders, act)
    if short:
        raise ChanceRanOut(f"{text}: {short[0].text}", **short[0].facts)  # type: ignore[arg-type]
    for line in played.lines:
        if line.status in ("refused", "not read"):
            return played.taken, {"order": line.text, "code": line.code, "text": line.why}
        if line.status == "not played":
            why = line.why or "It was no longer this seat's decision."
            return played.taken, {"order": line.text, "code": "not-played", "text": why}
    return played.taken, None


def differences(result: Mapping[str, Any], expect: Mapping[str, Any]) -> list[str]:
    """How a result falls short of what a position file expects, one line each; empty when it does not.

    `position` is compared as a subset; `legal` and `illegal` list notations that must or must not be
    possible for a seat; `news` lists parts of sentences that must be told; `refused` is a code, or null;
    everything else must be equal.
    """
    wrong: list[str] = []
    for key, wanted in expect.items():
        if key == "position":
            wrong.extend(_subset(wanted, result["position"], "position"))
        elif key in ("legal", "illegal"):
            for seat, lines in wanted.items():
                offered = result["legal"].get(seat, [])
                wrong.extend(f"{key}: {line}" for line in lines if (line in offered) is not (key == "legal"))
        elif key == "news":
            told = "\n".join(result["news"])
            wrong.extend(f"news: nothing tells {part!r} in\n{told}" for part in wanted if part not in told)
        elif key == "refused" and isinstance(wanted, str):
            refusal = result["refused"]
            if refusal is None or refusal["code"] != wanted:
                wrong.append(f"refused: {refusal} instead of {wanted}")
        elif key == "outcome" and wanted is not None:
            wrong.extend(_subset(wanted, result["outcome"] or {}, "outcome"))
        elif key not in result:
            wrong.append(f"{key} is nothing a result has; it has {', '.join(result)}, and illegal")
        elif result[key] != wanted:
            wrong.append(f"{key}: {result[key]!r} instead of {wanted!r}")
    return wrong


def _subset(wanted: Any, found: Any, where: str) -> list[str]:
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return [line for key in wanted for line in _subset(wanted[key], found.get(key), f"{where}.{key}")]
    return [] if wanted == found else [f"{where}: {found!r} instead of {wanted!r}"]


__all__ = ["GameError", "differences", "run_position"]

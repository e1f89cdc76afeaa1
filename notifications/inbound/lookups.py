"""Commands that only look: help, look, options, why, log."""

import re
from typing import Any

from games.kernel.errors import GameError
from games.ledger import outbox, selectors, services, telling
from notifications.inbound import play

HELP = [
    "You can answer in four ways: a number (4), several (4 9 done), words (put rct 1; fire), or a tick in the box "
    "of a quoted line. A letter takes a ready-made answer.",
    "Several orders: one a line, or with ; between. Orders after   then   are kept until it is your move again. "
    "Reading ends at a line   end , at your signature and at the quote.",
    "Commands: look, look 24, options, why 3, log, log 10-20, undo, undo 3, note <words>, say <words>, standing, "
    "standing <rule>, standing off 1, standing up 2, rehearse <rule>, claim <entry> <words>, mute, resign, rematch, "
    "address, address add <address>, address drop <address>, address rotate, unsubscribe, subscribe, rules, help.",
    "Your time: set (lists all), set zone Europe/Berlin, set quiet 22-07, set days off sat sun, set digest 8, "
    "vacation 3 Mar - 9 Mar, vacation off, snooze 12h, deputy <address> 3 Mar - 9 Mar, deputy off.",
    "Topics: help orders, help standing, help clock, help dice, help commands, help this game.",
    "To play@ you can write: new <game>, new <game> vs bot, new <game> vs <address> side <seat> pace daily (or fast, "
    "slow, none, or clock=24 bank=120).",
]
TOPICS = {
    "orders": [
        "A line is an order only if its first word is a verb of the game, a number or a letter of the mail. Numbers "
        "mean the lines of the mail you answer, even an old one. 4..6 and all 4..6 take a range; 1 24 fills the blank "
        "of line 1; 1 1 takes two equal units.",
        "if <word> .. and unless <word> .. skip one order; stop if <word> drops all that follow; then .. waits until "
        "it is your move again. // begins a comment.",
        "If any line cannot be read, or is refused before a die has fallen, nothing is done and you get it back. "
        "ok sends it again with what you probably meant, ok 2 with the second suggestion.",
    ],
    "standing": [
        "on <decision> [in <places>] [if <fact> <op> <value> and ..] do <answer>; <answer> [else ask]. It may end: "
        "until turn 3, until 14 Mar, once, 3 times.",
        "standing lists yours, standing off 2 ends one, standing up 2 has it tried earlier, rehearse 2 tells what it "
        "would have done so far. The first whose conditions hold and whose answer is legal answers for you.",
    ],
    "clock": [
        "Where a match has a clock, the first lines of a mail say until when you must answer. The clock stands still "
        "while you are not asked. When it is up, the least the rules allow is answered for you.",
    ],
    "dice": [
        "All rolls come from a secret seed. Its SHA-256 is in every mail from the first on; the seed itself is in the "
        "last one. Each roll follows from the seed and the chain of entries before it, so nobody, not even the server, "
        "can choose one. The page of the match has the file and the script that checks it.",
        "salt <words> under new or accept, or while your invitation waits, adds words of your own to the seed.",
    ],
    "commands": [
        "look [place], options, why <number>, why refused, why not <order>, log [10-20]: they only look.",
        "undo [n] [because ..]: taken back at once as far as nobody saw anything; the others are asked for the rest. "
        "yes and no answer such a wish.",
        "say <words> (read with the next mail), say! <words> (sent at once), mute and unmute, note <words> (yours "
        "alone).",
        "claim <entry> <words>: a rules dispute; the position is kept for the host. resign, then resign yes within a "
        "day. rematch. address rotate. unsubscribe. cancel <invitation>.",
    ],
}
HOUSE_RULES = [
    "One person, one seat in a match. Play your own orders; bots say that they are bots.",
    "What a seat may not see stays unseen: do not ask others for it.",
    "Speech is between players; keep it friendly. You may stop notices or resign at any time.",
]
MOST_OPTIONS = 150
MOST_ENTRIES = 100


def help_about(topic: str, match_id: int | None = None) -> list[str]:
    """`help`, `help standing`, `help this game`."""
    word = topic.strip().lower().rstrip(".?")
    if word in TOPICS:
        return TOPICS[word]
    if word in ("this game", "game") and match_id is not None:
        game = selectors.ruleset(selectors.match_get(match_id).ruleset)
        return [f"{game['title']}: its verbs are {', '.join(game['verbs'])}.", *TOPICS["orders"][:1]]
    named = next((game for game in selectors.rulesets() if word and word in (game["key"], game["title"].lower())), None)
    if named is not None:
        bots = ", ".join(bot["key"] for bot in named["bots"])
        options = ", ".join(f"{row['key']}={'|'.join(map(str, row['choices']))}" for row in named["options"]) or "none"
        seats = ", ".join(seat["key"] for seat in named["seats"])
        return [f"{named['title']}: seats {seats}; bots {bots}.", f"Options: {options}."]
    return HELP


def look(match_id: int, seat: str, base: int | None, command: str, argument: str) -> list[str]:
    """The answer to one of these commands; `look` alone is the whole board, which the letter shows itself."""
    match = selectors.match_get(match_id)
    selectors.must_have_started(match)
    if command == "look":
        return telling.look(match, seat, argument) if argument else []
    if command == "options":
        return _options(match, seat)
    if command == "log":
        return _log(match, seat, argument)
    return why(match, seat, base, argument)


def _options(match: Any, seat: str) -> list[str]:
    asked = selectors.asked(match, seat, most=MOST_OPTIONS)
    lines = [f"{offer.notation}  {_words(offer)}".rstrip() for offer in asked.actions]
    if asked.total > len(lines):
        lines.append(f"{asked.total - len(lines)} more; the page has them all.")
    return lines or [asked.prompt]


def _words(offer: Any) -> str:
    words = offer.words if offer.words.lower() != offer.notation.lower() else ""
    return "; ".join(part for part in (words, offer.odds) if part)


def _log(match: Any, seat: str, argument: str) -> list[str]:
    """`log` is the last twenty entries, `log 36-39` those, `log 36` from there on."""
    found = re.fullmatch(r"\s*(\d{1,6})?\s*(?:(?:-|\.\.|to)\s*(\d{1,6})?)?\s*", argument)
    if found is None:
        raise GameError("Write log, or log and two entries: log 36-39.", code="unreadable")
    after = int(found[1]) - 1 if found[1] else match.head_seq - 20
    most = int(found[2]) - after if found[2] else 40
    names = {row["key"]: row["name"] for row in selectors.summary(match)["seats"]}
    rows = selectors.entries(match, seat, after, max(1, min(most, MOST_ENTRIES)))
    return [_entry(row, names) for row in rows] or [
        f"There is no entry {argument.strip()}; the last is {match.head_seq}."
    ]


def _entry(row: dict[str, Any], names: dict[str, str]) -> str:
    who = names.get(row["seat"], "")
    rolls = " ".join(str(value) for _, value in row["rolls"] if value is not None)
    told = " ".join(row["news"])
    return f"{row['seq']}  {who} {row['notation']}{f'  [{rolls}]' if rolls else ''}  {told}".replace(
        "  [", " ["
    ).strip()


def why(match: Any, seat: str, base: int | None, argument: str) -> list[str]:
    """An option of the mail answered, an entry, the last refusal, or an order that might not be possible."""
    text = argument.strip()
    if text.lower() in ("refused", "not read"):
        return _why_refused(match, seat)
    if text.lower().startswith("not "):
        return _why_not(match, seat, text[4:].strip())
    if not text.isdigit():
        raise GameError("Write why and the number of an option or an entry, why refused, or why not <order>.",
                        code="unreadable")  # fmt: skip
    lines = play.words_of(match.pk, seat, base).ballot
    number = int(text)
    if 1 <= number <= len(lines):
        line = lines[number - 1]
        rule = f" Rule {line.rule}." if line.rule else ""
        odds = f" {line.odds}." if line.odds else ""
        fills = f" The blank takes {' '.join(line.fills)}." if line.blank else ""
        return [f"{number}: {line.notation}. {line.words}.{odds}{fills}{rule}".replace(". .", ".")]
    row = telling.entry_words(match, seat, number)
    if row is None:
        raise GameError(f"There is no option and no entry {number}.", code="not-found")
    rolls = " ".join(str(value) for _, value in row["rolls"] if value is not None)
    names = {seated["key"]: seated["name"] for seated in selectors.summary(match)["seats"]}
    by = f" (by {row['by']})" if row["by"] not in ("player", "server") else ""
    told = f"Entry {number}, {names.get(row['seat'], 'the server')}: {row['notation']}{by}."
    return [told, *row["news"], *([f"Rolls: {rolls}."] if rolls else [])]


def _why_refused(match: Any, seat: str) -> list[str]:
    payload = outbox.last_payload(match, selectors.seat_get(match, seat), "ack")
    lines = [line for line in payload.get("lines", []) if line["status"] in ("refused", "not read")]
    if not lines:
        return ["Nothing of your last mail was refused."]
    return [f"{line['text']}: {line['status']}. {line['why']}" for line in lines]


def _why_not(match: Any, seat: str, order: str) -> list[str]:
    if seat not in match.owed:
        return [f"{order}: {selectors.asked(match, seat).prompt}"]
    tried = services.orders_submit(match_id=match.pk, seat=seat, orders=[order], dry_run=True)
    if tried.refused is None:
        moves = "; ".join(" ".join(map(str, action)) for line in tried.lines for action in line.get("actions", []))
        return [f"{order} is possible now" + (f": {moves}." if moves and moves.lower() != order.lower() else ".")]
    rule = f" Rule {tried.refused['rule']}." if tried.refused.get("rule") else ""
    return [f"{order}: {tried.refused['why']}{rule}"]

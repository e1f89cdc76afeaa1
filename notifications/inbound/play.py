"""Orders of a mail: checked against what its writer saw, played, and told line by line."""

import re
from typing import TYPE_CHECKING, Any

from games.kernel.errors import GameError
from games.kernel.notation import plain_key
from games.ledger import late, selectors, services, telling
from games.ledger.selectors import Asked
from notifications.ballot import ballot, lettered
from notifications.inbound.language import MOST_ORDERS, Block, Item, Words
from notifications.letters import Quoted
from notifications.models import Repair

if TYPE_CHECKING:
    from notifications.inbound.commands import Answer
    from notifications.inbound.handle import Person

_SPACES = re.compile(r"(?<![\w./-])\d{1,2}-\d{1,2}(?![\w./-])")
Choices = list[list[str]]
WHICH = "which"  # the word of a repair that offers the readings of an ambiguous word under numbers


def words_of(match_id: int, seat: str, base: int | None, repair: int = 0) -> Words:
    """The game's verbs, and the numbered and lettered lines of the mail drawn from entry `base`."""
    match = selectors.match_get(match_id)
    verbs = frozenset(verb.lower() for verb in selectors.ruleset(match.ruleset)["verbs"])
    seq = _usable(match, base)
    asked = selectors.asked(match, seat, seq)
    shown = {offer.notation.split()[0].lower() for offer in asked.actions}
    fixed = Repair.objects.filter(pk=repair, match_id=match_id, seat=seat).first() if repair else None
    readings = fixed is not None and fixed.word == WHICH
    return Words(
        verbs | shown,
        () if readings else tuple(ballot(asked, telling.alike(match, seat, seq))),
        tuple(lettered(telling.bundles(match, seat, seq))) if asked.asked else (),
        len(fixed.choices) if fixed and fixed.word in ("ok", WHICH) else 0,
        readings,
        bool(match.state) and bool(_SPACES.search(selectors.text_board(match, seat))),
    )


def _usable(match: Any, base: int | None) -> int | None:
    return base if base is not None and 0 <= base <= match.head_seq else None


def asked_at(match: Any, seat: str, base: int | None) -> Asked:
    return selectors.asked(match, seat, _usable(match, base))


def orders(person: "Person", match_id: int, seat: str, base: int | None, block: Block, answer: "Answer") -> None:
    """All orders of one block in one transaction; any line that cannot be read stops the block."""
    items = [item for item in block.items if item.kind in ("order", "unclear")]
    if block.unclear():
        answer.headline(match_id, seat, "Part of your mail could not be read, so nothing was done.")
        for item in items:
            status = ("not read", item.why) if item.kind == "unclear" else ("not played", "")
            answer.line(match_id, seat, Quoted(item.typed, *status))
        return
    texts = [text for item in items for text in item.texts]
    if len(texts) > MOST_ORDERS:
        answer.headline(match_id, seat, f"That are more than {MOST_ORDERS} orders in one mail; nothing was done.")
        return
    match = selectors.match_get(match_id)
    if match.status != "playing":
        ended = f" on {match.ended_at.day} {match.ended_at:%b}" if match.ended_at else ""
        told = f"Match {match_id} is {match.status}" + (f"; it ended{ended}." if ended else ".")
        answer.headline(match_id, seat, f"{told} Nothing was done. Reply rematch to play again.")
        return
    seq = _usable(match, base)
    if seq is not None and seq < match.head_seq:
        changed = late.what_changed(match, seat, seq, texts)
        if changed:
            _too_late(person, match, seat, seq, items, texts, changed, answer)
            return
        answer.say(f"Written for entry {base}, played at entry {match.head_seq}: nothing you relied on had changed.")
    labels = {item.texts[0]: item.typed for item in items if len(item.texts) == 1}
    submit(person, match_id, seat, texts, answer, labels)


def _too_late(
    person: "Person", match: Any, seat: str, base: int, items: list[Item], texts: list[str], why: str, answer: "Answer"
) -> None:
    """Sent back with what has happened since, by place, and what comes closest to it now."""
    answer.headline(match.pk, seat, f"Your orders were written for an older position (entry {base}). Nothing was done.")
    for item in items:
        answer.line(match.pk, seat, Quoted(item.typed, "not played", "; ".join(item.texts) if item.texts else ""))
    answer.say(why)
    answer.told(match.pk, seat).late = True
    since = telling.by_place(match, seat, base)
    if since:
        answer.say(f"Since then (entries {base + 1}-{match.head_seq}):")
        for told in since[:12]:
            answer.say(f"  {told.place}  {' '.join(told.lines[-6:])}" if told.place else " ".join(told.lines[-6:]))
    choices = _closest(person, match, seat, texts)
    if choices:
        _offer(match.pk, seat, choices, "ok", answer)
        answer.choices(match.pk, seat, "Closest to what you meant: reply with the letter, or ok for a", choices)


def _closest(person: "Person", match: Any, seat: str, texts: list[str]) -> Choices:
    """The same orders if they are legal now; else with the first refused one put right, or without it."""
    if seat not in match.owed:
        return []
    found: Choices = []
    try:
        tried = services.orders_submit(match_id=match.pk, seat=seat, user=person.user, orders=texts, dry_run=True)
    except GameError:
        return []
    if tried.refused is None:
        return [texts] if tried.applied else []
    index = next(number for number, line in enumerate(tried.lines) if line["status"] in ("refused", "not read"))
    played = [str(line["text"]) for line in tried.lines]
    before, after = played[:index], played[index + 1 :]
    for better in _better(played[index], list(tried.lines[index].get("nearest", [])), match.pk):
        if _would_do(person, match.pk, seat, [*before, better]):
            found.append([*before, better, *after])
        if len(found) == 3:
            return found
    rest = [*before, *after]
    if rest and _would_do(person, match.pk, seat, rest):
        found.append(rest)
    return found


def submit(
    person: "Person", match_id: int, seat: str, texts: list[str], answer: "Answer", labels: dict[str, str] | None = None
) -> None:
    """Play the texts through the one way in, and write down what became of each, as it was typed."""
    typed = labels or {}
    try:
        result = services.orders_submit(
            match_id=match_id, seat=seat, user=person.user, orders=texts, all_or_nothing=True
        )
    except GameError as error:
        for text in texts:
            answer.line(match_id, seat, Quoted(typed.get(text, text), "not played"))
        answer.headline(match_id, seat, f"{error.text} Nothing was done.")
        return
    answer.anything = True
    answer.acted = answer.acted or result.applied > 0 or bool(result.kept)
    handed_back = [line["text"] for line in result.lines if line["status"] == "not played"]
    played = result.lines + [{"text": text, "status": "not played"} for text in texts[len(result.lines) :]]
    for line in played:
        shown = typed.get(str(line["text"]), str(line["text"]))
        why = str(line.get("why") or _moves(line, shown))
        rule = f" (rule {line['rule']})" if line.get("rule") and line["status"] in ("refused", "not read") else ""
        answer.line(match_id, seat, Quoted(shown, str(line["status"]), why + rule))
    over = result.applied > 0 and selectors.match_get(match_id).status == "over"
    answer.told(match_id, seat).ended |= over
    if result.refused is None:
        answer.headline(
            match_id, seat, "All read, all done." if not handed_back else "Done, as far as it was your move."
        )
        if result.entries:
            first, last = result.entries[0], result.entries[-1]
            done = f"Entry {first}." if first == last else f"Entries {first}-{last}."
            answer.say(done if over else f'{done} "undo" takes it back as long as nobody has learned anything.')
        if handed_back and not over:
            _offer(match_id, seat, [[f"then {text}" for text in handed_back]], "keep", answer)
            answer.say("Reply   keep   and the rest is played by itself when it is your move again.")
        return
    _refused(person, match_id, seat, played, result, answer)


def _moves(line: dict[str, Any], shown: str) -> str:
    """What a line stood for, when it was not written in the game's own notation."""
    said = "; ".join(" ".join(map(str, action)) for action in line.get("actions", []))
    return "" if said.lower() == shown.lower() else said


def _refused(
    person: "Person", match_id: int, seat: str, played: list[dict[str, Any]], result: Any, answer: "Answer"
) -> None:
    index = next(number for number, line in enumerate(played) if line["status"] in ("refused", "not read"))
    if result.applied:
        answer.headline(match_id, seat, "What stands before the refused line is done; the rest was not played.")
    elif len(played) == 1:
        answer.headline(match_id, seat, "Your line could not be played, so nothing was done.")
    else:
        answer.headline(match_id, seat, "One line could not be played, so nothing was done.")
    text = str(played[index]["text"])
    before = [] if result.applied else [str(line["text"]) for line in played[:index]]
    after = [str(line["text"]) for line in played[index + 1 :]]
    short = _left_over(person, match_id, seat, before, text)
    if short:
        over = text[len(short) :].strip()
        answer.explain(match_id, seat, f"words left over after {short}: {over!r}")
        _offer(match_id, seat, [[*before, short, *after]], "ok", answer)
        answer.say(f"Reply   ok   for   {short}   alone.")
        return
    found: list[str] = []
    near = list(played[index].get("nearest", []))
    ambiguous = played[index].get("code") == "ambiguous"
    for better in [*([] if ambiguous else _in_the_next_phase(text, match_id)), *_better(text, near, match_id)]:
        if _would_do(person, match_id, seat, [*before, better]):
            found.append(better)
        if len(found) == 3:
            break
    choices = [[*before, better, *after] for better in found]
    if ambiguous and len(found) > 1 and not result.applied and _has_the_options(person, match_id, seat):
        told = answer.told(match_id, seat)
        told.headline = "I cannot tell which one you mean, so nothing was done."
        answer.suggest(match_id, seat, found, numbered=True)
        _offer(match_id, seat, choices, WHICH, answer)
        numbers = "   or   ".join(str(number) for number, _ in enumerate(found, 1))
        answer.say(f"Reply   {numbers} , or send the line again.")
        answer.say("Your options are those of the mail before this one.")
    elif found:
        answer.suggest(match_id, seat, found)
        _offer(match_id, seat, choices, "ok", answer)
        more = "" if len(found) == 1 else f", or   ok 2{' or ok 3' if len(found) == 3 else ''}"
        answer.say(f"Did you mean   {found[0]}   ? Reply   ok   to send it all with that{more}.")


def _has_the_options(person: "Person", match_id: int, seat: str) -> bool:
    """Whether the writer was mailed the present question, so that the answer need not print it again."""
    match = selectors.match_get(match_id)
    row = selectors.seat_get(match, seat)
    return not person.digest and row.user_id == person.user.pk and row.mailed_seq >= match.head_seq


def _in_the_next_phase(text: str, match_id: int) -> list[str]:
    """The same order after what ends the open phase: `pass; assault #1 2.2'`."""
    verbs = {verb.lower() for verb in selectors.ruleset(selectors.match_get(match_id).ruleset)["verbs"]}
    return [f"{word}; {text}" for word in ("pass", "done") if word in verbs and text.lower() != word]


def _left_over(person: "Person", match_id: int, seat: str, before: list[str], text: str) -> str:
    """The beginning of a line that is one of the options as it is printed: `pass` of `pass for now, thanks`."""
    offered = {offer.notation.lower() for offer in selectors.asked(selectors.match_get(match_id), seat).actions}
    words = text.split()
    for count in range(len(words) - 1, 0, -1):
        short = " ".join(words[:count]).rstrip(",.;:!")
        if short.lower() in offered and _would_do(person, match_id, seat, [*before, short]):
            return short
    return ""


def _better(text: str, nearest: list[str], match_id: int) -> list[str]:
    """The refused line with what was perhaps meant: whole orders, or one word put right."""
    verbs = {verb.lower() for verb in selectors.ruleset(selectors.match_get(match_id).ruleset)["verbs"]}
    lines: list[str] = []
    for near in nearest[:9]:
        if near.split()[:1] and near.split()[0].lower() in verbs:
            lines.append(near)
            continue
        words = text.split()
        for place, word in enumerate(words[1:], 1):
            if plain_key(word) and (plain_key(word) in plain_key(near) or _like(word, near)):
                lines.append(" ".join([*words[:place], near, *words[place + 1 :]]))
    return list(dict.fromkeys(lines))


def _like(word: str, near: str) -> bool:
    """`TK-B` and `TK-A`: the same but for one character."""
    one, two = plain_key(word), plain_key(near)
    return len(one) == len(two) > 2 and sum(a != b for a, b in zip(one, two, strict=True)) == 1


def _would_do(person: "Person", match_id: int, seat: str, texts: list[str]) -> bool:
    try:
        tried = services.orders_submit(match_id=match_id, seat=seat, user=person.user, orders=texts, dry_run=True)
    except GameError:
        return False
    # A line that would only be handed back, because the move is another's by then, repairs nothing.
    return tried.refused is None and all(line["status"] != "not played" for line in tried.lines)


def _offer(match_id: int, seat: str, choices: Choices, word: str, answer: "Answer") -> None:
    version = selectors.match_get(match_id).head_seq
    row = Repair.objects.create(match_id=match_id, seat=seat, choices=choices, word=word, version=version)
    answer.repair(match_id, seat, row.pk)


def end_alone(match_id: int, seat: str, answer: "Answer") -> bool:
    """`end` ends the reading and is never an order; where END is on offer and nothing else was written, ask."""
    match = selectors.match_get(match_id)
    if all(offer.notation.lower() != "end" for offer in selectors.asked(match, seat).actions):
        return False
    answer.headline(match_id, seat, "A line end ends your mail, so nothing was done.")
    answer.say("Did you mean the order that ends the game? Reply   ok   or   end game .")
    _offer(match_id, seat, [["end"]], "ok", answer)
    return True

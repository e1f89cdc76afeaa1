"""Orders of a mail: checked against what its writer saw, played, and told line by line."""

from typing import TYPE_CHECKING, Any

from games.kernel.errors import GameError
from games.kernel.notation import plain_key
from games.ledger import selectors, services
from games.ledger.selectors import Asked
from notifications.ballot import ballot
from notifications.inbound.language import MOST_ORDERS, Block, Words
from notifications.letters import Quoted
from notifications.models import Repair

if TYPE_CHECKING:
    from notifications.inbound.commands import Answer
    from notifications.inbound.handle import Person


def words_of(match_id: int, seat: str, base: int | None) -> Words:
    """The game's verbs, and the numbered lines of the mail drawn from entry `base`."""
    match = selectors.match_get(match_id)
    verbs = frozenset(verb.lower() for verb in selectors.ruleset(match.ruleset)["verbs"])
    asked = _asked_at(match, seat, base)
    shown = {offer.notation.split()[0].lower() for offer in asked.actions}
    return Words(verbs | shown, tuple(ballot(asked)))


def _asked_at(match: Any, seat: str, base: int | None) -> Asked:
    usable = base is not None and 0 <= base <= match.head_seq
    return selectors.asked(match, seat, base if usable else None)


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
        answer.headline(
            match_id, seat, f"Match {match_id} is {match.status}; nothing was done. Reply rematch to play again."
        )
        return
    late = _late(match, seat, base)
    if late:
        for item in items:
            answer.line(match_id, seat, Quoted(item.typed, "not played"))
        answer.headline(match_id, seat, late)
        return
    if base is not None and base != match.head_seq:
        answer.say(f"Written for entry {base}, played at entry {match.head_seq}: nothing you relied on had changed.")
    labels = {item.texts[0]: item.typed for item in items if len(item.texts) == 1}
    submit(person, match_id, seat, texts, answer, labels)


def _late(match: Any, seat: str, base: int | None) -> str:
    """Why orders written for an older position are not played; empty when nothing they rely on has changed."""
    if base is None or base >= match.head_seq:
        return ""
    now = selectors.asked(match, seat)
    if not now.asked:
        return f"It is not your move at the moment. {now.prompt} Nothing was done."
    then = _asked_at(match, seat, base)
    if (then.kind, then.prompt, then.facts, then.actions) == (now.kind, now.prompt, now.facts, now.actions):
        return ""
    return f"Your orders were written for an older position (entry {base}). Nothing was done."


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
        answer.line(match_id, seat, Quoted(shown, str(line["status"]), why))
    if result.refused is None:
        done = f"Entries {result.entries[0]}-{result.entries[-1]}." if result.entries else ""
        answer.headline(
            match_id, seat, "All read, all done." if not handed_back else "Done, as far as it was your move."
        )
        answer.say(f'{done} "undo" takes it back as long as nobody has learned anything.'.strip())
        if handed_back:
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
    else:
        answer.headline(match_id, seat, "One line could not be played, so nothing was done.")
    before = [] if result.applied else [str(line["text"]) for line in played[:index]]
    after = [str(line["text"]) for line in played[index + 1 :]]
    found = []
    for better in _better(str(played[index]["text"]), list(played[index].get("nearest", [])), match_id):
        if _would_do(person, match_id, seat, [*before, better]):
            found.append(better)
        if len(found) == 3:
            break
    if found:
        answer.suggest(match_id, seat, index, found)
        _offer(match_id, seat, [[*before, better, *after] for better in found], "ok", answer)
        more = "" if len(found) == 1 else f", or   ok 2{' or ok 3' if len(found) == 3 else ''}"
        answer.say(f"Did you mean   {found[0]}   ? Reply   ok   to send it all with that{more}.")


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
            if plain_key(word) and plain_key(word) in plain_key(near):
                lines.append(" ".join([*words[:place], near, *words[place + 1 :]]))
    return list(dict.fromkeys(lines))


def _would_do(person: "Person", match_id: int, seat: str, texts: list[str]) -> bool:
    try:
        tried = services.orders_submit(match_id=match_id, seat=seat, user=person.user, orders=texts, dry_run=True)
    except GameError:
        return False
    return tried.refused is None


def _offer(match_id: int, seat: str, choices: list[list[str]], word: str, answer: "Answer") -> None:
    version = selectors.match_get(match_id).head_seq
    row = Repair.objects.create(match_id=match_id, seat=seat, choices=choices, word=word, version=version)
    answer.repair(match_id, seat, row.pk)

"""Commands by mail, and the answer that tells everything a mail brought about."""

from typing import TYPE_CHECKING, Any

import msgspec
from django.db import transaction
from django.utils import timezone

from games.kernel.errors import GameError
from games.ledger import outbox, people, selectors, services
from notifications import invitations
from notifications.inbound import play
from notifications.inbound.language import Item
from notifications.letters import Quoted
from notifications.models import Repair, Saying

if TYPE_CHECKING:
    from notifications.inbound.handle import Person

MOST_SAID = 2_000
MOST_SAYINGS_A_DAY = 50
ACTING = {"say", "note", "undo", "standing", "yes", "no", "ok", "keep", "rematch", "address"}
LATER = {"vacation", "deputy", "set", "snooze", "claim", "mute", "salt"}
HELP = [
    "You can answer in four ways: a number (4), several (4 9 done), words (put rct 1; fire), or a tick in the box "
    "of a quoted line.",
    "Several orders: one a line, or with ; between. Orders after   then   are kept until it is your move again. "
    "Reading ends at a line   end , at your signature and at the quote.",
    "Commands: look, look 24, options, why 3, log, log 10-20, undo, undo 3, note <words>, say <words>, standing, "
    "standing <rule>, standing off 1, rehearse <rule>, resign, rematch, address rotate, unsubscribe, rules, help.",
    "To play@ you can write: new <game>, new <game> vs bot, new <game> vs <address> side <seat>.",
]
HOUSE_RULES = [
    "One person, one seat in a match. Play your own orders; bots say that they are bots.",
    "What a seat may not see stays unseen: do not ask others for it.",
    "Speech is between players; keep it friendly. You may stop notices or resign at any time.",
]


class Told(msgspec.Struct):
    """What is said about one match."""

    headline: str = ""
    lines: list[Quoted] = []
    repair: int = 0


class Answer:
    """Gathers what a mail did; one acknowledgement for each match it was about."""

    def __init__(self) -> None:
        self.matches: dict[tuple[int, str], Told] = {}
        self.words: list[str] = []
        self.remarks: list[str] = []
        self.anything = False
        self.acted = False  # something was changed, so the same words again are a repetition
        self.full: set[tuple[int, str]] = set()  # matches whose question is repeated in full

    def told(self, match_id: int, seat: str) -> Told:
        self.anything = True
        return self.matches.setdefault((match_id, seat), Told(lines=[]))

    def headline(self, match_id: int, seat: str, text: str) -> None:
        told = self.told(match_id, seat)
        told.headline = told.headline or text

    def line(self, match_id: int, seat: str, quoted: Quoted) -> None:
        self.told(match_id, seat).lines.append(quoted)

    def suggest(self, match_id: int, seat: str, index: int, found: list[str]) -> None:
        lines = self.told(match_id, seat).lines
        place = len(lines) - 1
        for number, line in enumerate(lines):
            if line.status in ("refused", "not read"):
                place = number
        lines[place] = msgspec.structs.replace(lines[place], nearest=tuple(found))

    def repair(self, match_id: int, seat: str, number: int) -> None:
        self.told(match_id, seat).repair = number

    def say(self, text: str) -> None:
        self.anything = True
        self.words.append(text)

    def refuse(self, typed: str, why: str) -> None:
        self.say(f"{typed}: {why}")

    def summary(self) -> str:
        parts = [f"match {match_id}: {told.headline or 'answered'}" for (match_id, _), told in self.matches.items()]
        return "; ".join(parts) or "answered"

    # --- sending -----------------------------------------------------------------------------------

    def send(self, person: "Person") -> None:
        words = list(self.words)
        if self.remarks:
            said = " / ".join(self.remarks)[:300]
            words.append(f"Passed over as remarks: {said}")
        if not self.matches and person.match_id is not None:
            self.told(person.match_id, person.seat)
        if not self.matches:
            outbox.tell_user(person.user, "answer", {"words": words, **_reply(person)})
            return
        for number, ((match_id, seat), told) in enumerate(self.matches.items()):
            payload = {
                "headline": told.headline,
                "lines": [msgspec.to_builtins(line) for line in told.lines],
                "words": words if number == 0 else [],
                "repair": told.repair,
                "inbound": person.row.pk,
                **_reply(person),
            }
            _tell(match_id, seat, "ack", payload)

    def nothing(self, person: "Person") -> None:
        assert person.match_id is not None
        new = person.new
        read = [line.strip() for line in new.lines if line.strip()][:10]
        repair = 0
        if read:
            version = selectors.match_get(person.match_id).head_seq
            choices = [[" ".join(read)[:MOST_SAID]]]
            repair = Repair.objects.create(
                match_id=person.match_id, seat=person.seat, choices=choices, word="say", version=version
            ).pk
        payload = {
            "read": read,
            "repair": repair,
            "unread": new.unread if new.stopped == "signature" else [],
            "subject_only": person.mail.subject if not any(line.strip() for line in new.lines) else "",
            "attachments": person.mail.attachments,
            **_reply(person),
        }
        _tell(person.match_id, person.seat, "nothing", payload)


def _reply(person: "Person") -> dict[str, str]:
    subject = person.mail.subject or "your mail"
    return {
        "subject": subject if subject.lower().startswith("re:") else f"Re: {subject}",
        "in_reply_to": person.mail.message_id,
    }


def _tell(match_id: int, seat: str, topic: str, payload: dict[str, Any]) -> None:
    match = selectors.match_get(match_id)
    outbox.tell_seat(match, selectors.seat_get(match, seat), topic, payload)
    transaction.on_commit(lambda: outbox.changed(match_id))


# --- commands about a match --------------------------------------------------------------------------------


def about_match(person: "Person", match_id: int, seat: str, base: int | None, item: Item, answer: Answer) -> None:
    """One command. What it says comes back in the answer; a refusal is said like any other."""
    command, argument = item.command, item.argument
    try:
        if command in ("ok", "keep", "yes") and person.repair:
            _repaired(person, match_id, seat, item, answer)
        elif command in ("yes", "no"):
            done = services.take_back_answer(match_id=match_id, seat=seat, user=person.user, agree=command == "yes")
            answer.say("It is taken back." if done["granted"] else "Your answer is noted.")
        elif command in ("ok", "keep"):
            answer.refuse(item.typed, "nothing is prepared for that word; answer the newest mail.")
        elif command == "undo":
            _undo(person, match_id, seat, argument, answer)
        elif command == "resign":
            _resign(person, match_id, seat, argument, answer)
        elif command == "rematch":
            answer.say(invitations.rematch(person.user, match_id, seat))
        elif command == "address":
            services.seat_link_rotate(match_id=match_id, seat=seat, user=person.user)
            answer.say("Done: older reply addresses and page links of this seat no longer work; use this mail's.")
        elif command == "standing":
            _standing(person, match_id, seat, argument, answer)
        elif command == "rehearse":
            answer.say(_rehearsed(match_id, seat, argument))
        elif command == "note":
            services.note_set(match_id=match_id, seat=seat, user=person.user, text=argument)
            answer.say(
                "Noted; only you see it, in your mails and on your page." if argument else "Your note is empty now."
            )
        elif command == "say":
            _say(match_id, seat, argument, answer)
        elif command in ("look", "options", "why", "log"):
            for line in _look(match_id, seat, base, command, argument):
                answer.say(line)
        else:
            without_match(person, item, answer)
        answer.acted = answer.acted or command in ACTING
    except GameError as error:
        answer.refuse(item.typed, error.text)


def without_match(person: "Person", item: Item, answer: Answer) -> None:
    command = item.command
    try:
        if command == "help":
            for text in HELP:
                answer.say(text)
        elif command == "rules":
            for text in HOUSE_RULES:
                answer.say(text)
        elif command == "unsubscribe":
            people.notices_end(user=person.user)
            answer.anything = True
        elif command == "new":
            said = next((line for line in person.new.lines if line.lower().startswith("say ")), "")[4:].strip()
            answer.say(invitations.new(person.user, item.argument, said))
            answer.acted = True
        elif command == "cancel":
            answer.say(invitations.cancel(person.user, item.argument))
        elif command == "say" and person.match_id is None:
            return  # the words of an invitation, told with it
        elif command in LATER:
            answer.refuse(item.typed, f"{command} is not available on this server yet.")
        elif item.kind == "unclear":
            answer.refuse(item.typed, item.why)
        else:
            answer.refuse(item.typed, "this must be an answer to the mail of a match.")
    except GameError as error:
        answer.refuse(item.typed, error.text)


def _repaired(person: "Person", match_id: int, seat: str, item: Item, answer: Answer) -> None:
    row = Repair.objects.select_for_update().filter(pk=person.repair, match_id=match_id, seat=seat).first()
    if row is None or row.used_at:
        raise GameError("That was done already, or is no longer possible.", code="not-found")
    if row.version != selectors.match_get(match_id).head_seq:
        raise GameError("The match has moved on since; answer the newest mail.", code="stale")
    number = int(item.argument) if item.argument.isdigit() else 1
    if not 1 <= number <= len(row.choices):
        raise GameError(f"There are {len(row.choices)} suggestions, not {number}.", code="not-found")
    Repair.objects.filter(pk=row.pk).update(used_at=timezone.now())
    if row.word == "say":
        _say(match_id, seat, row.choices[number - 1][0], answer)
        return
    play.submit(person, match_id, seat, list(row.choices[number - 1]), answer)


def _undo(person: "Person", match_id: int, seat: str, argument: str, answer: Answer) -> None:
    count = int(argument) if argument.isdigit() and len(argument) < 5 else 1
    done = services.take_back(match_id=match_id, seat=seat, user=person.user, count=count)
    if done["granted"]:
        entries = done["entries"]
        answer.headline(match_id, seat, f"Taken back: entries {entries[0]}-{entries[-1]}.")
        answer.say("Nobody had seen anything and no die had fallen. It is your move again, as before.")
    else:
        answer.say("The others have seen something since. They are asked by mail; you hear their answer.")


def _resign(person: "Person", match_id: int, seat: str, argument: str, answer: Answer) -> None:
    if argument.lower() != "yes":
        answer.headline(match_id, seat, "To give the match up, reply   resign yes .  Nothing has been done yet.")
        return
    services.seat_resign(match_id=match_id, seat=seat, user=person.user)
    answer.headline(match_id, seat, "You have resigned.")


def _standing(person: "Person", match_id: int, seat: str, argument: str, answer: Answer) -> None:
    words = argument.split()
    if words[:1] == ["off"] and len(words) == 2 and words[1].isdigit():
        services.standing_withdraw(match_id=match_id, seat=seat, user=person.user, number=int(words[1]))
        answer.say(f"Standing order {words[1]} is withdrawn.")
        return
    if argument:
        text = argument.split(":", 1)[1].strip() if words[0].rstrip(":").isdigit() and ":" in argument else argument
        order = services.standing_set(match_id=match_id, seat=seat, user=person.user, text=text)
        answer.say(f"Standing order {order.number} is armed: {order.text}. It answers while you are away.")
        return
    known = selectors.standing_orders(selectors.match_get(match_id), seat)
    answer.say("You have no standing orders." if not known else "Your standing orders:")
    for row in known:
        answer.say(f"{row['number']}: {row['text']} (fired {row['fired']} times)")


def _rehearsed(match_id: int, seat: str, argument: str) -> str:
    """`rehearse 2` tries an armed order, `rehearse on .. do ..` any other."""
    match = selectors.match_get(match_id)
    armed = {str(row["number"]): str(row["text"]) for row in selectors.standing_orders(match, seat)}
    text = armed.get(argument.strip(), argument)
    return f"{text}: {selectors.standing_rehearsal(match, seat, text)['words']}"


def _say(match_id: int, seat: str, text: str, answer: Answer) -> None:
    text = text.strip()[:MOST_SAID]
    if not text:
        raise GameError("Write the words after say.", code="unreadable")
    today = Saying.objects.filter(match_id=match_id, seat=seat, created_at__date=timezone.now().date()).count()
    if today >= MOST_SAYINGS_A_DAY:
        raise GameError(f"{MOST_SAYINGS_A_DAY} times a day is enough; say it tomorrow.", code="too-many")
    Saying.objects.create(match_id=match_id, seat=seat, text=text, told=[seat])
    answer.say("Said; the others read it with their next mail.")


def _look(match_id: int, seat: str, base: int | None, command: str, argument: str) -> list[str]:
    match = selectors.match_get(match_id)
    if command == "look":
        board = selectors.text_board(match, seat).splitlines()
        found = [line for line in board if argument and argument.lower() in line.lower()]
        return found or ([f"Nothing in the position is called {argument}."] if argument else board)
    if command == "options":
        asked = selectors.asked(match, seat)
        return [f"{offer.number}  {offer.notation}  {offer.words}" for offer in asked.actions] or [asked.prompt]
    if command == "log":
        first, _, last = argument.replace("..", "-").partition("-")
        after = int(first) - 1 if first.strip().isdigit() else match.head_seq - 20
        most = int(last) - after if last.strip().isdigit() else 40
        rows = selectors.entries(match, seat, after, max(1, min(most, 100)))
        return [f"{row['seq']} {row['seat']} {row['notation']} {' '.join(row['news'])}".strip() for row in rows]
    return [_why(match, seat, base, argument)]


def _why(match: Any, seat: str, base: int | None, argument: str) -> str:
    if not argument.isdigit():
        raise GameError("Write why and the number of an option or an entry.", code="unreadable")
    lines = play.words_of(match.pk, seat, base).ballot
    if 1 <= int(argument) <= len(lines):
        line = lines[int(argument) - 1]
        rule = f" Rule {line.rule}." if line.rule else ""
        odds = f" {line.odds}." if line.odds else ""
        return f"{argument}: {line.notation}. {line.words}.{odds}{rule}"
    rows = selectors.entries(match, seat, int(argument) - 1, 1)
    if not rows or rows[0]["seq"] != int(argument):
        raise GameError(f"There is no option and no entry {argument}.", code="not-found")
    rolls = " ".join(str(value) for _, value in rows[0]["rolls"] if value is not None)
    return f"Entry {argument}: {rows[0]['notation']}. {' '.join(rows[0]['news'])}" + (
        f" Rolls {rolls}." if rolls else ""
    )

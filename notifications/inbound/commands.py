"""Commands by mail, and the answer that tells everything a mail brought about."""

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
from django.db import transaction
from django.utils import timezone

from games.kernel.errors import GameError
from games.ledger import claims, outbox, people, seats, selectors, services, standing, talk, telling
from notifications import digest, invitations
from notifications.ballot import LETTERS, LetteredLine
from notifications.inbound import lookups, mailbox_commands, personal, play
from notifications.inbound.language import Item
from notifications.letters import Quoted
from notifications.models import Repair

if TYPE_CHECKING:
    from notifications.inbound.handle import Person

RESIGN_WITHIN = timedelta(days=1)
ACTING = {"say", "say!", "note", "undo", "standing", "yes", "no", "ok", "keep", "rematch", "address", "claim"}


class Told(msgspec.Struct):
    """What is said about one match."""

    headline: str = ""
    lines: list[Quoted] = []
    repair: int = 0
    late: bool = False  # its lines tell what happened already
    full: bool = False  # the whole position is shown again
    choices: list[LetteredLine] = []
    choices_title: str = ""
    ended: bool = False  # these orders ended the match: the acknowledgement is the letter of the result


class Answer:
    """Gathers what a mail did; one acknowledgement for each match it was about."""

    def __init__(self) -> None:
        self.matches: dict[tuple[int, str], Told] = {}
        self.words: list[str] = []
        self.remarks: list[str] = []
        self.opened: list[int] = []  # matches whose first mail is the answer
        self.anything = False
        self.acted = False  # something was changed, so the same words again are a repetition

    def told(self, match_id: int, seat: str) -> Told:
        self.anything = True
        return self.matches.setdefault((match_id, seat), Told(lines=[]))

    def headline(self, match_id: int, seat: str, text: str) -> None:
        told = self.told(match_id, seat)
        told.headline = told.headline or text

    def line(self, match_id: int, seat: str, quoted: Quoted) -> None:
        self.told(match_id, seat).lines.append(quoted)

    def suggest(self, match_id: int, seat: str, found: list[str], *, numbered: bool = False) -> None:
        lines, place = self._refused(match_id, seat)
        lines[place] = msgspec.structs.replace(lines[place], nearest=tuple(found), numbered=numbered)

    def explain(self, match_id: int, seat: str, why: str) -> None:
        """Say better why the refused line was."""
        lines, place = self._refused(match_id, seat)
        lines[place] = msgspec.structs.replace(lines[place], status="not read", why=why)

    def _refused(self, match_id: int, seat: str) -> tuple[list[Quoted], int]:
        lines = self.told(match_id, seat).lines
        return lines, max(n for n, line in enumerate(lines) if line.status in ("refused", "not read"))

    def choices(self, match_id: int, seat: str, title: str, found: list[list[str]]) -> None:
        """Ready-made answers under letters; what they mean is kept as a repair."""
        told = self.told(match_id, seat)
        told.choices_title = title
        told.choices = [LetteredLine(LETTERS[at], tuple(orders)) for at, orders in enumerate(found)]

    def repair(self, match_id: int, seat: str, number: int) -> None:
        self.told(match_id, seat).repair = number

    def say(self, text: str) -> None:
        self.anything = True
        self.words.append(text)

    def done(self, what: invitations.Done) -> None:
        self.anything = True
        if what.opened is not None:
            self.opened.append(what.opened)
        else:
            self.say(what.words)

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
        if person.digest:
            words += [f"Match {match_id} is open; its first mail is on its way." for match_id in self.opened]
            digest.acknowledge(person, self, words)
            return
        for number, match_id in enumerate(self.opened):
            told_there = words if number == 0 and not self.matches else []
            outbox.answers(match_id, person.user, {"words": told_there, **_reply(person)})
        if self.opened and not self.matches:
            return
        if not self.matches and person.match_id is not None:
            self.told(person.match_id, person.seat)
        if not self.matches:
            outbox.tell_user(person.user, "answer", {"words": words, **_reply(person)})
            return
        for number, ((match_id, seat), told) in enumerate(self.matches.items()):
            asked = seat in selectors.match_get(match_id).owed
            if personal.needs_no_ack(person.user, told, words if number == 0 else [], asked):
                continue
            payload = {
                "headline": told.headline,
                "lines": [msgspec.to_builtins(line) for line in told.lines],
                "words": words if number == 0 else [],
                "repair": told.repair,
                "full": told.full,
                "late": told.late,
                "ended": told.ended,
                "choices": [msgspec.to_builtins(line) for line in told.choices],
                "choices_title": told.choices_title,
                **_reply(person),
            }
            _tell(match_id, seat, "ack", payload, person.user)

    def nothing(self, person: "Person") -> None:
        assert person.match_id is not None
        new = person.new
        read = [line.strip() for line in new.lines if line.strip()][:10]
        subject = "" if read else _own_subject(person.mail.subject)
        repair, word = 0, "say"
        if read:
            choices = [[" ".join(read)[: talk.MOST_SAID]]]
        elif subject:
            choices, word = [[subject]], "ok"
        if read or subject:
            version = selectors.match_get(person.match_id).head_seq
            repair = Repair.objects.create(
                match_id=person.match_id, seat=person.seat, choices=choices, word=word, version=version
            ).pk
        payload = {
            "read": read,
            "repair": repair,
            "unread": new.unread if new.stopped == "signature" else [],
            "subject_only": subject,
            "attachments": person.mail.attachments,
            "notice": "automatic",
            **_reply(person),
        }
        _tell(person.match_id, person.seat, "nothing", payload, person.user)


def _own_subject(subject: str) -> str:
    """What somebody wrote as a subject; empty when it is only the one of our mail."""
    text = re.sub(
        r"^(?:\s*(?:re|aw|antw|sv|vs|odp|ynt|rv|r|fwd?|wg)\s*(?:\[\d+\])?:)+\s*", "", subject, flags=re.IGNORECASE
    )
    return "" if re.match(r"^\[[A-Z]{2} \d+\]", text) else text.strip()[:200]


def _reply(person: "Person") -> dict[str, Any]:
    subject = person.mail.subject or "your mail"
    return {
        "inbound": person.row.pk,
        "subject": subject if subject.lower().startswith("re:") else f"Re: {subject}",
        "in_reply_to": person.mail.message_id,
    }


def _tell(match_id: int, seat: str, topic: str, payload: dict[str, Any], to: Any) -> None:
    match = selectors.match_get(match_id)
    outbox.tell_seat(match, selectors.seat_get(match, seat), topic, payload, to=to)
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
            answer.done(invitations.rematch(person.user, match_id, seat))
        elif command == "address" and argument.lower() == "rotate":
            services.seat_link_rotate(match_id=match_id, seat=seat, user=person.user)
            answer.say("Done: older reply addresses and page links of this seat no longer work; use this mail's.")
        elif command == "claim":
            _claim(person, match_id, seat, argument, answer)
        elif command in ("mute", "unmute"):
            _mute(person, match_id, seat, command == "mute", answer)
        elif command == "salt":
            seats.salt_set(match_id=match_id, seat=seat, user=person.user, words=argument)
            answer.say("Your salt is part of the dice from the first roll on.")
        elif command == "standing":
            _standing(person, match_id, seat, argument, answer)
        elif command == "rehearse":
            answer.say(_rehearsed(match_id, seat, argument))
        elif command == "note":
            services.note_set(match_id=match_id, seat=seat, user=person.user, text=argument)
            answer.say(
                "Noted; only you see it, in your mails and on your page." if argument else "Your note is empty now."
            )
        elif command in ("say", "say!"):
            _say(match_id, seat, argument, answer, at_once=command == "say!")
        elif command in personal.ABOUT_SEAT:
            personal.about_seat(person, match_id, seat, item, answer)
        elif command in ("look", "options", "why", "log"):
            answer.told(match_id, seat).full |= command == "look" and not argument
            for line in lookups.look(match_id, seat, base, command, argument):
                answer.say(line)
        elif command == "help":
            for line in lookups.help_about(argument, match_id):
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
            for text in lookups.help_about(item.argument):
                answer.say(text)
        elif command == "rules":
            for text in lookups.HOUSE_RULES:
                answer.say(text)
        elif command in personal.ABOUT_PERSON:
            personal.about_person(person, item, answer)
        elif command == "address" and person.digest:
            people.links_rotate(user=person.user)
            answer.say("Done: older reply addresses of your digests no longer work; use this mail's.")
        elif command == "new":
            said = next((line for line in person.new.lines if line.lower().startswith("say ")), "")[4:].strip()
            salt = next((line for line in person.new.lines if line.lower().startswith("salt ")), "")[5:].strip()
            answer.done(invitations.new(person.user, item.argument, said, salt))
            answer.acted = True
        elif command == "address":
            for line in mailbox_commands.address(person.user, item.argument):
                answer.say(line)
        elif command == "cancel":
            answer.say(invitations.cancel(person.user, item.argument))
        elif command == "salt" and person.match_id is None and not _opens(person):
            answer.say(invitations.salt(person.user, item.argument))
            answer.acted = True
        elif command in ("say", "salt") and person.match_id is None:
            return  # the words of an invitation, told with it
        elif item.kind == "unclear":
            answer.refuse(item.typed, item.why)
        else:
            answer.refuse(item.typed, "this must be an answer to the mail of a match.")
    except GameError as error:
        answer.refuse(item.typed, error.text)


def _opens(person: "Person") -> bool:
    """Whether the mail itself asks for a match."""
    return any(line.strip().lower().startswith("new ") for line in person.new.lines)


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
    found = re.match(r"^(\d{1,4})?(?:\s*please)?(?:\s*(?:because|:)\s*(.*))?$", argument, re.IGNORECASE | re.DOTALL)
    count, reason = (int(found[1] or 1), found[2] or "") if found else (1, "")
    done = services.take_back(
        match_id=match_id, seat=seat, user=person.user, count=count, reason=reason, as_far_as_possible=True
    )
    if not done["granted"]:
        answer.say("The others have seen something since. They are asked by mail; you hear their answer.")
        return
    first, last = done["entries"][0], done["entries"][-1]
    entries = f"entry {first}" if first == last else f"entries {first}-{last}"
    answer.headline(match_id, seat, f"Taken back: {entries}.")
    answer.say("Nobody had seen anything and no die had fallen. It is your move again, as before.")
    if done.get("asked"):
        answer.say(f"For the {done['rest']} before that the others are asked by mail; you hear their answer.")
    elif done.get("rest"):
        answer.say(f"The {done['rest']} before that stay: {done['why']}")


def _resign(person: "Person", match_id: int, seat: str, argument: str, answer: Answer) -> None:
    """Two mails, the second within a day of the first."""
    asked = Repair.objects.filter(
        match_id=match_id, seat=seat, word="resign", used_at__isnull=True, created_at__gt=timezone.now() - RESIGN_WITHIN
    )
    if argument.lower().rstrip(".!") != "yes" or not asked.exists():
        version = selectors.match_get(match_id).head_seq
        Repair.objects.create(match_id=match_id, seat=seat, choices=[], word="resign", version=version)
        answer.headline(match_id, seat, "To give the match up, reply   resign yes   within a day. Nothing is done yet.")
        return
    services.seat_resign(match_id=match_id, seat=seat, user=person.user)
    asked.update(used_at=timezone.now())
    answer.headline(match_id, seat, "You have resigned.")
    answer.told(match_id, seat).ended = True


def _claim(person: "Person", match_id: int, seat: str, argument: str, answer: Answer) -> None:
    """`claim 48 the unit had moved before`: kept for the host, told to the others."""
    found = re.match(r"^(?:entry\s+)?(\d{1,6})\s*[:,]?\s*(.*)$", argument, re.DOTALL)
    if found is None:
        raise GameError("Write claim, the number of the entry and what is wrong with it.", code="unreadable")
    claim = claims.claim_open(match_id=match_id, seat=seat, user=person.user, entry=int(found[1]), text=found[2])
    answer.headline(match_id, seat, f"Claim {claim.number} about entry {claim.entry} is noted.")
    answer.say("The position is kept as it was, the others are told, and the host decides. Play goes on meanwhile.")


def _mute(person: "Person", match_id: int, seat: str, muted: bool, answer: Answer) -> None:
    seats.mute(match_id=match_id, seat=seat, user=person.user, muted=muted)
    if muted:
        answer.say("You hear no more of what the others say in this match; unmute ends that.")
        return
    talk.pass_over(match_id=match_id, seat=seat)
    answer.say("You hear the others again from now on.")


def _standing(person: "Person", match_id: int, seat: str, argument: str, answer: Answer) -> None:
    words = argument.split()
    if words[:1] == ["off"] and len(words) == 2 and words[1].isdigit():
        services.standing_withdraw(match_id=match_id, seat=seat, user=person.user, number=int(words[1]))
        answer.say(f"Standing order {words[1]} is withdrawn.")
        return
    if words[:1] == ["up"] and len(words) == 2 and words[1].isdigit():
        number = standing.move_up(match_id=match_id, seat=seat, user=person.user, number=int(words[1]))
        answer.say(f"That order is number {number} now and is tried earlier.")
        return
    if argument:
        text = argument.split(":", 1)[1].strip() if words[0].rstrip(":").isdigit() and ":" in argument else argument
        order = services.standing_set(match_id=match_id, seat=seat, user=person.user, text=text)
        answer.say(f"Standing order {order.number} is armed: {order.text}. It answers while you are away.")
        return
    known = telling.standing_orders(selectors.match_get(match_id), seat)
    answer.say("You have no standing orders." if not known else "Your standing orders:")
    for line in known:
        answer.say(line)


def _rehearsed(match_id: int, seat: str, argument: str) -> str:
    """`rehearse 2` tries an armed order, `rehearse on .. do ..` any other."""
    match = selectors.match_get(match_id)
    armed = {str(row["number"]): str(row["text"]) for row in selectors.standing_orders(match, seat)}
    text = armed.get(argument.strip(), argument)
    return f"{text}: {selectors.standing_rehearsal(match, seat, text)['words']}"


def _say(match_id: int, seat: str, text: str, answer: Answer, *, at_once: bool = False) -> None:
    talk.say(match_id=match_id, seat=seat, text=text)
    if not at_once:
        answer.say("Said; the others read it with their next mail (or at once: say! ..).")
        return
    match = selectors.match_get(match_id)
    for row in match.seats.all():
        if row.user_id and row.key != seat:
            outbox.tell_seat(match, row, "said")
    transaction.on_commit(lambda: outbox.changed(match_id))
    answer.say("Said, and sent to the others at once.")

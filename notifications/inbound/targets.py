"""Which match a mail means when its address does not say, or says two."""

import re
from typing import TYPE_CHECKING, Any

from games.ledger import outbox, selectors
from notifications import addresses
from notifications.addresses import MatchDoor
from notifications.inbound.language import Block, Item
from notifications.inbound.quotes import NewText
from notifications.letters import Quoted
from notifications.models import Repair

if TYPE_CHECKING:
    from notifications.inbound.commands import Answer
    from notifications.inbound.handle import Person

IN_A_SUBJECT = frozenset({"help", "accept", "decline", "unsubscribe"})


def settle(person: "Person") -> None:
    """An answer sent to play@ by hand belongs to the mail it answers, if that was this person's."""
    if person.match_id is None:
        found = outbox.written_as([person.mail.in_reply_to, *person.mail.references[-3:]])
        if found is not None and found[3] == person.user.pk:
            person.match_id, person.seat, person.base = found[0], found[1], found[2]
    if not any(line.strip() for line in person.new.lines) and not person.new.ticked:
        word = re.split(r"[\s.!,]+", person.mail.subject.strip().lower())[0]
        if word in IN_A_SUBJECT:
            person.new = NewText(lines=[person.mail.subject.strip()], stopped=person.new.stopped)


def doors(person: "Person") -> dict[int, MatchDoor]:
    """Every match whose address the mail was sent to."""
    found: dict[int, MatchDoor] = {}
    for address in person.row.recipients:
        door = addresses.read_door(str(address).rpartition("@")[0])
        if isinstance(door, MatchDoor):
            found.setdefault(door.match_id, door)
    return found


def copy_for_another(person: "Person") -> bool:
    """A mail to several matches is read once, by the one with the lowest number."""
    found = doors(person)
    return len(found) > 1 and person.match_id in found and person.match_id != min(found)


def without_bracket(person: "Person", block: Block, answer: "Answer") -> bool:
    """Orders of a mail to two matches that stand above any bracket are asked back."""
    found = doors(person)
    if len(found) < 2 or block.match_id is not None or not block.orders():
        return False
    names = " or ".join(_bracket(match_id) for match_id in sorted(found))
    assert person.match_id is not None
    answer.headline(person.match_id, person.seat, "Your mail went to two matches, so nothing was done.")
    for item in block.orders():
        answer.line(person.match_id, person.seat, Quoted(item.typed, "not played", f"put {names} above it"))
    return True


def _bracket(match_id: int) -> str:
    match = selectors.match_get(match_id)
    return f"[{selectors.ruleset(match.ruleset)['tag']} {match_id}]"


def only_waiting(user: Any) -> tuple[int, str] | None:
    """The one match in which the person owes something; None when there is none or more than one."""
    waiting = []
    for match in selectors.matches_for(user, scope="mine", status="playing")[:50]:
        seat = selectors.seat_of(match, user)
        if seat is not None and seat in match.owed:
            waiting.append((match.pk, seat))
    return waiting[0] if len(waiting) == 1 else None


def confirm_first(match_id: int, seat: str, items: list[Item], answer: "Answer") -> None:
    """Orders that name no match, when only one waits: played after an ok, not before."""
    texts = [text for item in items for text in item.texts]
    version = selectors.match_get(match_id).head_seq
    answer.headline(match_id, seat, "Your mail named no match, so nothing was done yet.")
    for item in items:
        answer.line(match_id, seat, Quoted(item.typed, "waits"))
    answer.say(f"Match {match_id} is the only one that waits for you. Reply   ok   and it is played there.")
    row = Repair.objects.create(match_id=match_id, seat=seat, choices=[texts], word="ok", version=version)
    answer.repair(match_id, seat, row.pk)

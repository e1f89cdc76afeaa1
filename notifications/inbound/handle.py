"""One inbound mail from beginning to end: classify, find the door, judge the sender, act, answer.

Everything a mail does happens in one transaction with the answer's outbox row and the end of the inbound
row, so a killed worker either did all of it or nothing.
"""

import hashlib
import logging
from datetime import timedelta
from typing import Any

import msgspec
from django.db import OperationalError, transaction
from django.utils import timezone

from games.kernel.errors import GameError
from games.ledger import outbox, people, selectors
from notifications import addresses, bounces, invitations
from notifications.addresses import MatchDoor, NumberedDoor, StopDoor
from notifications.inbound import commands, play, quotes, senders
from notifications.inbound.language import Block, Item, Words, WordsOf, read_blocks
from notifications.inbound.message import Mail, read_message
from notifications.inbound.quotes import NewText
from notifications.inbound.receive import claim, put_off
from notifications.models import InboundMail

logger = logging.getLogger(__name__)
AN_HOUR = 60  # mails of one sender that are read in an hour; the rest wait
SAME_TEXT_MINUTES = 10


class Person(msgspec.Struct):
    """Who writes, about what, in answer to which mail."""

    row: InboundMail
    mail: Mail
    new: NewText
    user: Any
    match_id: int | None = None
    seat: str = ""
    base: int | None = None
    repair: int = 0


def handle(row_id: int) -> None:
    """Read one mail. A second worker finds nothing to do."""
    row = claim(row_id)
    if row is None:
        return
    if _too_many(row):
        put_off(row, "too many mails in an hour; this one waits", 600)
        return
    try:
        with transaction.atomic():
            kind, detail = _handle(row)
            state = "doubtful" if kind == "doubtful" else "done"
            InboundMail.objects.filter(pk=row.pk).update(
                state=state, kind=kind, detail=detail[:300], claimed_until=None, user=row.user,
                match_id=row.match_id, seat=row.seat, text_hash=row.text_hash,
            )  # fmt: skip
    except OperationalError as error:
        put_off(row, f"database busy: {error}", 5)
    except Exception as error:
        logger.exception("mail %s could not be handled", row.pk)
        put_off(row, f"a mistake of ours: {error}", 30)


def _too_many(row: InboundMail) -> bool:
    recent = InboundMail.objects.filter(sender=row.sender, received_at__gte=timezone.now() - timedelta(hours=1))
    return bool(row.sender) and recent.filter(state="done", kind="person").count() >= AN_HOUR


def _handle(row: InboundMail) -> tuple[str, str]:
    mail = read_message(bytes(row.raw))
    door = addresses.read_door(row.door)
    if isinstance(door, NumberedDoor) and door.what == "bounce":
        return "bounce", bounces.take(door, bytes(row.raw)) if door.fits() else "not our bounce address"
    if mail.problem:
        return "unreadable", mail.problem
    if mail.machine:
        return "auto", mail.machine
    if isinstance(door, StopDoor):
        return _stop(door)
    new = quotes.new_text(mail.text)
    if isinstance(door, NumberedDoor):
        return _numbered(mail, new, door)
    if isinstance(door, MatchDoor):
        return _match(row, mail, new, door)
    return _to_play(row, mail, new)


def _stop(door: StopDoor) -> tuple[str, str]:
    try:
        people.notices_stop(user_id=door.user_id, token=door.seal)
    except GameError as error:
        return "stop", error.text
    return "stop", "notices ended"


# --- about a match -----------------------------------------------------------------------------------------


def _match(row: InboundMail, mail: Mail, new: NewText, door: MatchDoor) -> tuple[str, str]:
    try:
        match = selectors.match_get(door.match_id)
        seat = selectors.seat_get(match, door.seat)
    except GameError as error:
        return "lost", error.text
    row.match_id, row.seat, row.user = match.pk, seat.key, seat.user
    sure, why = senders.judge(mail, seat.user)
    if sure == senders.STRANGER:
        _tell_owner(match, seat)
        return "stranger", why
    if not door.fits(seat.user_id) or door.key != seat.link_key:
        outbox.tell_seat(match, seat, "fresh", {"why": "This reply address is no longer valid; here is a fresh one."})
        wake_later(match.pk)
        return "old address", "answered with a fresh mail"
    if sure == senders.DOUBTFUL and not row.confirmed:
        payload = {"inbound": row.pk, "lines": [line for line in new.lines if line.strip()][:30], "why": why}
        outbox.tell_seat(match, seat, "confirm", payload)
        wake_later(match.pk)
        return "doubtful", why
    if _repeated(row, new):
        return "repeated", "the same words came a moment ago"
    person = Person(row, mail, new, seat.user, match.pk, seat.key, door.base, door.repair)
    return "person", _act(person)


def _repeated(row: InboundMail, new: NewText) -> bool:
    words = " ".join(" ".join([*new.ticked, *new.lines]).lower().split())
    row.text_hash = hashlib.sha256(f"{row.sender}|{row.door}|{words}".encode()).hexdigest()
    since = timezone.now() - timedelta(minutes=SAME_TEXT_MINUTES)
    same = InboundMail.objects.filter(text_hash=row.text_hash, received_at__gte=since, kind="person").exclude(pk=row.pk)
    return bool(words) and same.exists()


def _tell_owner(match: Any, seat: Any) -> None:
    """Somebody else wrote to a seat's address: its owner hears of it once a day."""
    if seat.user_id and not outbox.told_lately(match, seat, "stranger", timedelta(days=1)):
        outbox.tell_seat(match, seat, "stranger")
        wake_later(match.pk)


def wake_later(match_id: int) -> None:
    transaction.on_commit(lambda: outbox.changed(match_id))


def _act(person: Person) -> str:
    """Every block of the mail in turn; one answer for all of it."""
    blocks = [
        block for block in read_blocks(person.new, WordsOf(_words(person))) if block.items or block.match_id is not None
    ]
    answer = commands.Answer()
    for block in blocks:
        _block(person, block, answer)
    if not answer.acted:
        person.row.text_hash = ""  # nothing happened, so the same words again deserve an answer again
    if not answer.anything:
        return _nothing(person, answer)
    answer.remarks += [line for block in blocks for line in block.remarks]
    answer.send(person)
    return answer.summary()


def _words(person: Person) -> dict[int | None, Words]:
    known: dict[int | None, Words] = {}
    if person.match_id is not None:
        known[None] = play.words_of(person.match_id, person.seat, person.base)
    for match in selectors.matches_for(person.user, scope="mine", status="playing")[:50]:
        seat = selectors.seat_of(match, person.user)
        if seat is not None:
            base = person.base if match.pk == person.match_id else None
            known[match.pk] = play.words_of(match.pk, seat, base)
    return known


def _block(person: Person, block: Block, answer: "commands.Answer") -> None:
    match_id, seat, base = person.match_id, person.seat, person.base
    if block.match_id is not None and block.match_id != person.match_id:
        match_id, base = block.match_id, None
        try:
            seat = selectors.seat_of(selectors.match_get(match_id, person.user), person.user) or ""
        except GameError as error:
            answer.refuse(f"[{match_id}]", error.text)
            return
        if not seat:
            answer.refuse(f"[{match_id}]", f"You have no seat in match {match_id}.")
            return
    if match_id is None:
        for item in block.items:
            commands.without_match(person, item, answer)
        return
    block.items = [_no_to_the_game(item, match_id, seat) for item in block.items]
    for item in block.commands():
        commands.about_match(person, match_id, seat, base, item, answer)
    if block.unclear() or block.orders():
        play.orders(person, match_id, seat, base, block, answer)


def _no_to_the_game(item: Item, match_id: int, seat: str) -> Item:
    """`no` answers a take-back that is asked; where none is, and the game knows the word, it is an order."""
    if item.command != "no":
        return item
    match = selectors.match_get(match_id)
    request = selectors.take_back_request(match)
    verbs = selectors.ruleset(match.ruleset)["verbs"]
    if (request and request["seat"] != seat) or "no" not in verbs:
        return item
    return Item("order", item.typed, texts=("no",))


def _nothing(person: Person, answer: "commands.Answer") -> str:
    """No order found: said at most once an hour, so that two programs can never keep each other busy."""
    if person.match_id is None:
        return "nothing understood"
    match = selectors.match_get(person.match_id)
    seat = selectors.seat_get(match, person.seat)
    if outbox.told_lately(match, seat, "nothing", timedelta(hours=1)):
        return "nothing understood, said already"
    answer.nothing(person)
    return "nothing understood"


# --- other doors -------------------------------------------------------------------------------------------


def _numbered(mail: Mail, new: NewText, door: NumberedDoor) -> tuple[str, str]:
    if not door.fits():
        return "lost", "not an address of ours"
    if door.what == "invitation":
        return "invitation", invitations.answer(door.number, mail, new)
    first = InboundMail.objects.select_related("user").filter(pk=door.number, state="doubtful").first()
    if first is None or first.user is None:
        return "confirm", "nothing to confirm"
    if mail.sender != first.user.email.lower():
        return "stranger", "not the address of this seat"
    said = next((line.strip().lower().rstrip(".!") for line in new.lines if line.strip()), "")
    if said not in ("yes", "ok"):
        return "confirm", "not confirmed"
    confirm(first)
    return "confirm", f"mail {first.pk} confirmed"


def confirm(first: InboundMail) -> None:
    """A doubtful mail was confirmed by whoever reads the proved address: it is read again, as sure."""
    from notifications.inbound.receive import wake

    InboundMail.objects.filter(pk=first.pk, state="doubtful").update(
        state="received", confirmed=True, due_at=timezone.now(), attempts=0
    )
    row_id = first.pk
    transaction.on_commit(lambda: wake(row_id))


def _to_play(row: InboundMail, mail: Mail, new: NewText) -> tuple[str, str]:
    """Mail to play@: commands of people we know. Strangers and spam get no answer."""
    user = people.user_by_address(mail.sender) if mail.sender else None
    if user is None:
        return "stranger", "nobody we know"
    row.user = user
    sure, why = senders.judge(mail, user)
    if sure != senders.SURE and not row.confirmed:
        outbox.tell_user(user, "confirm", {"inbound": row.pk, "lines": new.lines[:30], "why": why})
        return "doubtful", why
    if _repeated(row, new):
        return "repeated", "the same words came a moment ago"
    return "person", _act(Person(row, mail, new, user))

"""One inbound mail from beginning to end: classify, find the door, judge the sender, act, answer.

Everything a mail does happens in one transaction with the answer's outbox row and the end of the inbound
row, so a killed worker either did all of it or nothing.
"""

import hashlib
import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import msgspec
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from games.kernel.errors import GameError
from games.ledger import deputies, mailboxes, outbox, people, selectors, services
from notifications import addresses, bounces, digest, invitations
from notifications.addresses import DigestDoor, MatchDoor, NumberedDoor, StopDoor
from notifications.inbound import commands, digests, letterbox, parts, personal, play, quotes, senders, targets
from notifications.inbound.language import Block, Item, Words, WordsOf, read_blocks
from notifications.inbound.letterbox import Sent
from notifications.inbound.message import Mail
from notifications.inbound.quotes import NewText
from notifications.inbound.receive import claim, put_off, wait
from notifications.models import InboundMail

logger = logging.getLogger(__name__)
AN_HOUR = 60  # mails of one person that are read in an hour, and five times that in a day; the rest wait
ASK_AGAIN = (20, 60, 240)  # seconds until a name that could not be asked is asked again; then the owner is
SAME_TEXT_MINUTES = 10
AN_HOUR_AGO = timedelta(hours=1)
AUTOMATIC = "automatic"  # notes an answer that no order or command asked for


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
    digest: int = 0  # the digest that is answered
    items: dict[int, dict[str, Any]] = {}  # what it said of each match


def handle(row_id: int) -> None:
    """Read one mail. A second worker finds nothing to do."""
    row = claim(row_id)
    if row is None:
        return
    try:
        sent = letterbox.open_row(row)  # names are asked here: no transaction waits for them
        if sent.proof.temporary and not row.confirmed and row.attempts <= len(ASK_AGAIN):
            put_off(row, "its origin cannot be checked at the moment", ASK_AGAIN[row.attempts - 1])
            return
        if letterbox.too_many(row, sent, AN_HOUR):
            wait(row, "too many mails; this one waits", 600)
            return
        with transaction.atomic():
            # A worker slower than its claim finds that another has read the mail.
            if not InboundMail.objects.select_for_update().filter(pk=row.pk, state="received").exists():
                return
            kind, detail = _handle(row, sent)
            _note(row, kind, detail)
    except (OperationalError, InterfaceError) as error:
        put_off(row, f"database busy: {error}", 5)
    except Exception as error:
        logger.exception("mail %s could not be handled", row.pk)
        put_off(row, f"a mistake of ours: {error}", 30)


def _note(row: InboundMail, kind: str, detail: str) -> None:
    InboundMail.objects.filter(pk=row.pk).update(
        state="doubtful" if kind == "doubtful" else "done", kind=kind, detail=detail[:300], claimed_until=None,
        user=row.user, match_id=row.match_id, seat=row.seat, text_hash=row.text_hash, read_at=timezone.now(),
        auth=row.auth, signature=row.signature,
    )  # fmt: skip


def _handle(row: InboundMail, sent: Sent) -> tuple[str, str]:
    mail = sent.mail
    door = addresses.read_door(row.door)
    if isinstance(door, NumberedDoor) and door.what == "bounce":
        if not door.fits() or sent.origin.sender:
            return "bounce", "not our bounce address" if not door.fits() else "no mail system sent it"
        return "bounce", bounces.take(door, sent.raw)
    if mail.machine and not (mail.listed and isinstance(door, MatchDoor)):
        _automatic(row, mail, door)
        return "auto", mail.machine
    if isinstance(door, StopDoor):
        return _stop(door)
    new = quotes.new_text(mail.text)
    if isinstance(door, NumberedDoor):
        return _numbered(mail, new, door)
    if isinstance(door, MatchDoor):
        return _match(row, sent, new, door)
    if isinstance(door, DigestDoor):
        found = digests.person_of(row, sent, new, door)
        if isinstance(found, tuple):
            return found
        return ("repeated", "the same words came a moment ago") if _repeated(row, new) else ("person", _act(found))
    return _to_play(row, sent, new)


def _stop(door: StopDoor) -> tuple[str, str]:
    try:
        user = people.notices_stop(user_id=door.user_id, token=door.seal)
        outbox.tell_user(user, "answer", {"words": personal.silence_words()})
    except GameError as error:
        return "stop", error.text
    return "stop", "notices ended"


def _automatic(row: InboundMail, mail: Mail, door: Any) -> None:
    """An automatic reply from a seat's own address: nothing is sent, its next real mail says so."""
    seats = digests.automatic(door, mail.sender) if isinstance(door, DigestDoor) else []
    if isinstance(door, MatchDoor):
        try:
            seat = selectors.seat_get(selectors.match_get(door.match_id), door.seat)
        except GameError:
            return
        if door.fits(seat.user_id) and seat.user is not None and mail.sender in mailboxes.proved(seat.user):
            row.match_id, row.seat, row.user = door.match_id, seat.key, seat.user
            seats = [(door.match_id, seat.key)]
    for match_id, key in seats:
        services.auto_replied(match_id=match_id, seat=key)


# --- about a match -----------------------------------------------------------------------------------------


def _match(row: InboundMail, sent: Sent, new: NewText, door: MatchDoor) -> tuple[str, str]:
    try:
        match = selectors.match_get(door.match_id)
        seat = selectors.seat_get(match, door.seat)
    except GameError as error:
        return "lost", error.text
    row.match_id, row.seat, row.user = match.pk, seat.key, seat.user
    writer = seat.deputy if sent.user is not None and sent.user.pk == seat.deputy_id else seat.user
    if writer is not seat.user and not deputies.is_deputy(seat, writer):
        return "stranger", "a deputy whose time is over"
    sure, why = letterbox.judge(row, sent, writer)
    fits = door.fits(writer.pk if writer else None) and door.key == seat.link_key
    if sure == senders.STRANGER:
        if fits:
            _tell_owner(match, seat)
            letterbox.tell_opponent(match, sent)
        return "stranger", why
    row.user = writer
    person = Person(row, sent.mail, new, writer, match.pk, seat.key, door.base, door.repair)
    if not fits:
        return _old_address(person, match, seat)
    if sure == senders.DOUBTFUL and not row.confirmed:
        return _ask_back(person, match, seat, why)
    if sent.mail.problem:
        return "unreadable", _unreadable(sent.mail, match, seat)
    if _repeated(row, new):
        return "repeated", "the same words came a moment ago"
    return "person", _act(person)


def _old_address(person: Person, match: Any, seat: Any) -> tuple[str, str]:
    """Orders to an address that is void come back with a valid one, at most once an hour."""
    automatic = chatter(person)
    if outbox.told_lately(match, seat, "fresh", AN_HOUR_AGO) or (automatic and _answered(person.user)):
        return "old address", "answered already"
    why = "This reply address is no longer valid; here is a fresh one."
    outbox.tell_seat(match, seat, "fresh", {"why": why, "notice": AUTOMATIC if automatic else ""}, to=person.user)
    wake_later(match.pk)
    return "old address", "answered with a fresh mail"


def _ask_back(person: Person, match: Any, seat: Any, why: str) -> tuple[str, str]:
    """Not played and not dropped: its owner is asked. Mail without orders, and of lists, is asked once an hour."""
    automatic = person.mail.listed or chatter(person)
    if automatic and _answered(person.user):
        return "auto", f"{why}, and nothing is ordered"
    lines = [line for line in person.new.lines if line.strip()][:30]
    payload = {"inbound": person.row.pk, "lines": lines, "why": why, "notice": AUTOMATIC if automatic else ""}
    if match is None:
        outbox.tell_user(person.user, "confirm", payload)
    else:
        outbox.tell_seat(match, seat, "confirm", payload, to=person.user)
        wake_later(match.pk)
    return "doubtful", why


def chatter(person: Person) -> bool:
    """Whether the mail orders nothing at all: so do those of programs that nobody recognises."""
    return not any(block.items for block in read_blocks(person.new, WordsOf(_words(person))))


def _answered(user: Any) -> bool:
    """One answer an hour to mails that order nothing, so that two programs can never keep each other busy."""
    return letterbox.answered(user)


def _unreadable(mail: Mail, match: Any, seat: Any) -> str:
    """A person wrote, in a form that cannot be read."""
    if not _answered(seat.user):
        payload = {"problem": mail.problem, "subject": f"Re: {mail.subject}", "in_reply_to": mail.message_id}
        outbox.tell_seat(match, seat, "nothing", {**payload, "notice": AUTOMATIC})
        wake_later(match.pk)
    return mail.problem


def _repeated(row: InboundMail, new: NewText) -> bool:
    """The same words a moment ago, or the very same signed mail under another Message-ID."""
    words = " ".join(" ".join([*new.ticked, *new.lines]).lower().split())
    row.text_hash = hashlib.sha256(f"{row.sender}|{row.door}|{words}".encode()).hexdigest()
    since = timezone.now() - timedelta(minutes=SAME_TEXT_MINUTES)
    others = InboundMail.objects.filter(kind="person").exclude(pk=row.pk)
    if row.signature and others.filter(signature=row.signature, door=row.door).exists():
        return True
    return bool(words) and others.filter(text_hash=row.text_hash, received_at__gte=since).exists()


def _tell_owner(match: Any, seat: Any) -> None:
    """Somebody else wrote to a seat's address: its owner hears of it once a day."""
    if seat.user_id and not outbox.told_lately(match, seat, "stranger", timedelta(days=1)):
        outbox.tell_seat(match, seat, "stranger")
        wake_later(match.pk)


def wake_later(match_id: int) -> None:
    transaction.on_commit(lambda: outbox.changed(match_id))


def _act(person: Person) -> str:
    """Every block of the mail in turn; one answer for all of it."""
    targets.settle(person)
    if targets.copy_for_another(person):
        return "a copy; it is read for the other match"
    words = WordsOf(_words(person))
    blocks = [block for block in read_blocks(person.new, words) if block.items or block.match_id is not None]
    answer = commands.Answer()
    if person.mail.other and parts.differ(person.mail, person.new, blocks, words):
        parts.ask_back(person, answer)
        return "its two parts differ"
    for block in blocks:
        digests.ask_back(person, block)
        digests.separately(person, block, answer, _block)
    if not answer.acted:
        person.row.text_hash = ""  # nothing happened, so the same words again deserve an answer again
    if not answer.anything:
        return _nothing(person, answer)
    answer.remarks += [line for block in blocks for line in block.remarks]
    answer.send(person)
    return answer.summary()


def _words(person: Person) -> dict[int | None, Words | Callable[[], Words]]:
    """What each match may be told; worked out when a mail speaks of it."""
    known: dict[int | None, Words | Callable[[], Words]] = {}
    if person.match_id is not None:
        known[None] = partial(play.words_of, person.match_id, person.seat, person.base, person.repair)
    elif only := targets.only_waiting(person.user):
        known[None] = partial(play.words_of, *only, None)
    for match in selectors.matches_for(person.user, scope="mine", status="playing")[:50]:
        seat = selectors.seat_of(match, person.user)
        if seat is not None:
            answered = match.pk == person.match_id
            base = person.base if answered else _base(person, match, seat)
            known[match.pk] = partial(play.words_of, match.pk, seat, base, person.repair if answered else 0)
    if person.digest and person.match_id is None:
        words = WordsOf(known)
        known[None] = digests.words_above({match_id: words(match_id) for match_id in known})
    return known


def _base(person: Person, match: Any, seat: str) -> int | None:
    """The entry whose numbers a block about another match means."""
    door = targets.doors(person).get(match.pk)
    return door.base if door is not None else digests.base_of(person, match, seat)


def _block(person: Person, block: Block, answer: "commands.Answer") -> None:
    match_id, seat, base = person.match_id, person.seat, person.base
    if targets.without_bracket(person, block, answer):
        return
    if block.match_id is not None and block.match_id != person.match_id:
        match_id = block.match_id
        try:
            match = selectors.match_get(match_id, person.user)
            seat = selectors.seat_of(match, person.user) or ""
            base = _base(person, match, seat) if seat else None
        except GameError as error:
            answer.refuse(f"[{match_id}]", error.text)
            return
        if not seat:
            answer.refuse(f"[{match_id}]", f"You have no seat in match {match_id}.")
            return
    if match_id is None:
        orders = block.orders() if targets.only_waiting(person.user) else []
        for item in block.items:
            if item not in orders:
                commands.without_match(person, item, answer)
        if orders:
            targets.confirm_first(*(targets.only_waiting(person.user) or (0, "")), orders, answer)
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
    """No order found: said at most once an hour."""
    if person.digest:
        return digest.nothing(person)
    if person.match_id is None:
        return "nothing understood"
    if person.new.stopped == "end" and play.end_alone(person.match_id, person.seat, answer):
        answer.send(person)
        return "end, asked back"
    if _answered(person.user):
        return "nothing understood, said already"
    answer.nothing(person)
    return "nothing understood"


# --- other doors -------------------------------------------------------------------------------------------


def _numbered(mail: Mail, new: NewText, door: NumberedDoor) -> tuple[str, str]:
    if not door.fits():
        return "lost", "not an address of ours"
    if door.what == "invitation":
        return "invitation", invitations.answer(door.number, mail, new)
    if door.what == "deputy":
        return "deputy", personal.deputy_answer(door.number, mail, new)
    if door.what == "address":
        return "address", _prove(mail, new, door)
    first = InboundMail.objects.select_related("user").filter(pk=door.number, state="doubtful").first()
    if first is None or first.user is None:
        return "confirm", "nothing to confirm"
    if mail.sender not in mailboxes.proved(first.user):
        return "stranger", "not the address of this seat"
    if not _says_yes(new):
        return "confirm", "not confirmed"
    confirm(first)
    return "confirm", f"mail {first.pk} confirmed"


def _says_yes(new: NewText) -> bool:
    return next((line.strip().lower().rstrip(".!") for line in new.lines if line.strip()), "") in ("yes", "ok")


def _prove(mail: Mail, new: NewText, door: NumberedDoor) -> str:
    """A further address is proved by an answer from it, to the mail that was sent there."""
    row = mailboxes.address_get(door.number)
    if row is None or mail.sender != row.email or mail.odd_sender or not _says_yes(new):
        return "not proved"
    try:
        mailboxes.address_prove(number=door.number, token=door.seal)
    except GameError as error:
        return error.text
    return f"address {row.pk} is proved"


def confirm(first: InboundMail) -> None:
    """A doubtful mail was confirmed by whoever reads the proved address: it is read again, as sure."""
    from notifications.inbound.receive import wake

    InboundMail.objects.filter(pk=first.pk, state="doubtful").update(
        state="received", confirmed=True, due_at=timezone.now(), attempts=0
    )
    row_id = first.pk
    transaction.on_commit(lambda: wake(row_id))


def _to_play(row: InboundMail, sent: Sent, new: NewText) -> tuple[str, str]:
    """Mail to play@: commands of people we know. Strangers and spam get no answer."""
    user = sent.user
    if user is None:
        return "stranger", "nobody we know"
    row.user = user
    sure, why = letterbox.judge(row, sent, user)
    person = Person(row, sent.mail, new, user)
    if sure != senders.SURE and not row.confirmed:
        return _ask_back(person, None, None, why)
    if sent.mail.problem:
        if not _answered(user):
            words = [f"I could not read your mail: {sent.mail.problem}.", "Write it as plain text."]
            outbox.tell_user(user, "answer", {"words": words, "notice": AUTOMATIC})
        return "unreadable", sent.mail.problem
    if _repeated(row, new):
        return "repeated", "the same words came a moment ago"
    return "person", _act(person)

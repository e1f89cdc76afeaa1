"""Replies to a digest: a block for each match, each a transaction of its own, one answer for all."""

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
from django.db import OperationalError, transaction

from games.ledger import outbox, people
from notifications import digest
from notifications.addresses import DigestDoor
from notifications.inbound import letterbox, senders
from notifications.inbound.language import Block, Words
from notifications.inbound.letterbox import Sent
from notifications.inbound.quotes import NewText
from notifications.models import Digest, InboundMail

if TYPE_CHECKING:
    from notifications.inbound.commands import Answer
    from notifications.inbound.handle import Person

logger = logging.getLogger(__name__)


def person_of(row: InboundMail, sent: Sent, new: NewText, door: DigestDoor) -> "Person | tuple[str, str]":
    """Who writes, and about which mail; or why nothing is done."""
    from notifications.inbound.handle import AUTOMATIC, Person, chatter

    user = people.user_get(door.user_id)
    kept = Digest.objects.filter(pk=door.digest, user_id=door.user_id).first()
    if user is None or kept is None or not door.fits():
        return "lost", "not an address of ours"
    row.user = user
    sure, why = letterbox.judge(row, sent, user)
    if sure == senders.STRANGER:
        return "stranger", why
    person = Person(row, sent.mail, new, user, digest=kept.pk)
    if door.key != user.link_key:
        automatic = chatter(person)
        if outbox.address_renewed(user, timedelta(hours=1)) or (automatic and letterbox.answered(user)):
            return "old address", "answered already"
        why = "This reply address is no longer valid; here is a fresh mail."
        outbox.tell_user(user, "digest", {"why": why, "notice": AUTOMATIC if automatic else ""})
        return "old address", "answered with a fresh mail"
    if sure == senders.DOUBTFUL and not row.confirmed:
        lines = [line for line in new.lines if line.strip()][:30]
        outbox.tell_user(user, "confirm", {"inbound": row.pk, "lines": lines, "why": why})
        return "doubtful", why
    person.items = {int(number): item for number, item in kept.items.items()}
    if len(person.items) == 1:  # a single match waits: the line in brackets may be left out
        ((person.match_id, item),) = person.items.items()
        person.seat, person.base, person.repair = item["seat"], item["base"], int(item.get("repair") or 0)
    return person


def automatic(door: DigestDoor, sender: str) -> list[tuple[int, str]]:
    """Seats whose person's address answered a digest by itself."""
    kept = Digest.objects.select_related("user").filter(pk=door.digest, user_id=door.user_id).first()
    if kept is None or not door.fits() or sender != kept.user.email.lower():
        return []
    return [(int(number), item["seat"]) for number, item in kept.items.items()]


def base_of(person: "Person", match: Any, seat: str) -> int | None:
    """The entry whose numbers a block means: the digest's, else those of the last full mail of that match."""
    item = person.items.get(match.pk)
    return int(item["base"]) if item else digest.last_base(match, seat)


def words_above(known: dict[int | None, Words]) -> Words:
    """Above the first bracket any game's verb is an order; it is asked back, not passed over."""
    return Words(frozenset[str]().union(*(words.verbs for words in known.values())), ())


def ask_back(person: "Person", block: Block) -> None:
    """Orders that name no match, while several wait."""
    if not person.digest or block.match_id is not None or person.match_id is not None:
        return
    tags = [f"[{digest.tag_of(match)}]" for match, _ in digest.waiting(person.user)][:3]
    why = f"Which match? Several wait: put {' or '.join(tags) or 'the line in brackets'} above your orders."
    block.items = [
        msgspec.structs.replace(item, kind="unclear", command="", why=why) if item.kind != "command" else item
        for item in block.items
    ]


def separately(person: "Person", block: Block, answer: "Answer", act: Any) -> None:
    """One block. A mistake of ours in it undoes this block and no other."""
    if not person.digest:
        act(person, block, answer)
        return
    own = person.items.get(block.match_id or 0)
    person.repair = int(own.get("repair") or 0) if own else person.repair
    try:
        with transaction.atomic():
            act(person, block, answer)
    except OperationalError:
        raise  # the database is away or two mails met: the whole mail is read again
    except Exception:
        logger.exception("mail %s: block %s", person.row.pk, block.match_id)
        answer.refuse(f"[{block.match_id}]", "a mistake of ours stopped this block; nothing of it was played.")

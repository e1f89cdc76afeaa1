"""Who wrote a mail, and how sure that is."""

from collections.abc import Sequence
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import Any

import dkim.util
from django.conf import settings

from games.ledger import mailboxes
from notifications.inbound import proof, results
from notifications.inbound.message import Mail
from notifications.inbound.proof import Origin, Proof

SURE, DOUBTFUL, STRANGER = "sure", "doubtful", "stranger"


def judge(mail: Mail, user: Any, found: Proof) -> tuple[str, str]:
    """Whether this is the person's own mail, and why we think so.

    The sealed reply address was sent to that person alone; the sender must be one of their proved addresses; and
    the mail's origin must be proved as well, where this host asks for it.
    """
    own = mailboxes.proved(user) if user is not None else set()
    if mail.sender not in own:
        if own & set(mail.named):
            return DOUBTFUL, "its sender line names you and somebody else"
        return STRANGER, "not the address of this seat"
    if mail.odd_sender:
        return DOUBTFUL, "its sender line looks like two"
    if mail.listed:
        return DOUBTFUL, "it came through a mailing list"
    return (SURE, found.passed) if found.passed else (DOUBTFUL, found.why)


def origin_of(mail: Mail, raw: bytes, origin: Origin, recipients: Sequence[str]) -> Proof:
    """What proves where the mail comes from, by the way this host checks (FALLUJAH_MAIL_CHECK)."""
    if origin.via == "page":
        return Proof("page", "written on the page of this server")
    wanted = settings.MAIL_CHECK
    if wanted == "auto":
        wanted = (
            "off" if origin.is_local and not settings.MAIL_AUTHSERV else "results" if settings.MAIL_AUTHSERV else "own"
        )
    if wanted == "off":
        return Proof("unchecked", "sealed address and proved sender")
    if wanted == "results" and (origin.results or origin.may_tell):
        return _by_results(mail, raw, origin, recipients)
    return proof.prove(raw, origin, mail.sender, recipients)


def _by_results(mail: Mail, raw: bytes, origin: Origin, recipients: Sequence[str]) -> Proof:
    """The topmost Authentication-Results counts, and only if our own receiver wrote it.

    What a mail service says came beside the mail, not in it; then nothing written in the mail counts.
    """
    said = origin.results or next(iter(mail.authentication), "")
    if not said:
        return Proof(why="no authentication results")
    read = results.read(said)
    if read.server not in {name.lower() for name in settings.MAIL_AUTHSERV}:
        return Proof(why="authentication results of a server we do not know")
    domain = mail.sender.rpartition("@")[2]
    found = {check.method: check.result for check in read.checks}
    passed = read.passes(domain)
    if passed and (read.passes_by("spf", domain) or _is_to(mail, raw, domain, recipients)):
        return Proof(passed, f"{passed} pass", found=found)
    if passed:
        return Proof(why="it was written to another address", found=found)
    if read.says("arc") == "pass" and _by_trusted_chain(raw, domain) and set(recipients) & set(mail.to):
        return Proof("arc", "arc pass", found=found)
    return Proof(why="neither dmarc, dkim nor spf passed for its domain", found=found)


def _is_to(mail: Mail, raw: bytes, domain: str, recipients: Sequence[str]) -> bool:
    """A signature can be sent on by anybody: the address it came to must stand in the mail, and be signed."""
    if not set(recipients) & set(mail.to):
        return False
    for value in _headers(raw, "DKIM-Signature"):
        try:
            tags = dkim.util.parse_tag_value(value.encode("ascii", "replace"))
        except dkim.util.InvalidTagValueList:
            continue
        signed = {word.strip().lower() for word in tags.get(b"h", b"").split(b":")}
        if results.aligned(tags.get(b"d", b"").decode("ascii", "replace"), domain) and not signed & {b"to", b"cc"}:
            return False
    return True


def _by_trusted_chain(raw: bytes, domain: str) -> bool:
    """Our receiver found the chain of seals whole: read it from the newest link while the sealers are trusted."""
    links: dict[bytes, dict[str, bytes]] = {}
    for name in ("ARC-Seal", "ARC-Authentication-Results"):
        for value in _headers(raw, name):
            given = value.encode("utf-8", "replace")
            number = given.partition(b";")[0].partition(b"=")[2].strip()
            links.setdefault(number, {})[name] = given
    newest_first = sorted((key for key in links if key.isdigit()), key=int, reverse=True)
    for key in newest_first:
        try:
            tags = dkim.util.parse_tag_value(links[key].get("ARC-Seal", b""))
        except dkim.util.InvalidTagValueList:
            return False
        sealer = tags.get(b"d", b"").decode("ascii", "replace").lower()
        ours = any(results.aligned(sealer, name) for name in settings.MAIL_AUTHSERV)
        if not proof.trusted_sealer(sealer) and not ours:
            return False
        if proof.passes(links[key].get("ARC-Authentication-Results", b""), domain) and not ours:
            return True
    return False


def _headers(raw: bytes, name: str) -> list[str]:
    parsed = BytesHeaderParser(policy=compat32).parsebytes(raw[:200_000])
    return [str(value).replace("\r\n", "").replace("\n", "") for value in parsed.get_all(name, [])][:20]

"""Our own check of where a mail comes from: SPF, DKIM, sealed chains of forwarders (ARC), DMARC.

A pass speaks for the domain of the sender only if the domains belong together. A signature travels with its mail
and can be sent on by anybody who once received it; so it must also cover the address this mail came to.
"""

import contextlib
import hashlib
import ipaddress
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from email.utils import getaddresses
from typing import Any

import dkim
import dkim.util
import msgspec
import spf
from django.conf import settings

from notifications.inbound import results
from notifications.inbound.names import SECONDS, Away, Names

MOST_SIGNATURES = 5
SMALLEST_KEY = 1024
_SILENT = logging.getLogger("notifications.signatures")
_SILENT.setLevel(logging.CRITICAL)  # it would name every sender
# A second one of these could be read instead of the one that was signed.
_ONCE = (b"from", b"to", b"cc", b"subject", b"message-id", b"content-type", b"content-transfer-encoding")


class Proof(msgspec.Struct):
    """What is known of a mail's origin."""

    passed: str = ""  # what proves it; empty: nothing does
    why: str = "nothing proves its origin"  # told to the owner when it is asked back
    temporary: bool = False  # a question went unanswered; worth another try
    signature: str = ""  # fingerprint of the signature that passed: the same one twice is the same mail twice
    found: dict[str, str] = {}  # each check in a word, for the record


class Origin(msgspec.Struct):
    """How a mail came in, written by us and never by its sender."""

    via: str = "here"  # here, smtp, imap, inbound, page, or the name of a mail service
    ip: str = ""
    helo: str = ""
    sender: str | None = None  # of the envelope; empty for a report, None when unknown
    results: str = ""  # what a mail service says it checked, as Authentication-Results
    cut: str = ""  # why only the head of the mail was taken

    @property
    def is_local(self) -> bool:
        """Handed in on this machine."""
        return self.via in ("here", "page") or (self.via == "smtp" and _address(self.ip).is_loopback)

    @property
    def may_tell(self) -> bool:
        """Whether results written in the mail can be those of our own receiver: a stranger's host writes none."""
        if self.via != "smtp":
            return self.via in ("here", "imap", "inbound")
        return not _address(self.ip).is_global or self.ip in settings.MAIL_RELAYS


def _address(ip: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        found = ipaddress.ip_address(ip)
    except ValueError:
        return ipaddress.ip_address("0.0.0.0")  # noqa: S104 - an address that nobody has
    return getattr(found, "ipv4_mapped", None) or found


# --- all checks --------------------------------------------------------------------------------------------


def prove(raw: bytes, origin: Origin, sender: str, recipients: Sequence[str]) -> Proof:
    """Every check in turn until one passes. Hostile bytes fail a check; they never break it."""
    names, domain = Names(), sender.rpartition("@")[2].lower()
    found: dict[str, str] = {}
    policy, strict_spf, strict_dkim = _policy(domain, names)
    found["dmarc"] = f"policy {policy}" if policy else "no policy"
    found["spf"] = _spf(origin, domain, strict_spf, names)
    if found["spf"] == "pass":
        return Proof("spf", "spf pass", found=found)
    proof = _dkim(raw, domain, strict_dkim, recipients, names)
    found.update(proof.found)
    if not proof.passed:
        proof = _arc(raw, domain, recipients, names)
        found.update(proof.found)
    if proof.passed:
        proof.found = found
        return proof
    told = ", ".join(f"{name} {word}" for name, word in found.items())
    return Proof(why=told, temporary=names.away, found=found)


def _policy(domain: str, names: Names) -> tuple[str, bool, bool]:
    """The domain's DMARC policy and how strictly it wants domains compared (RFC 7489, 6.3 and 6.6.3)."""
    for name in dict.fromkeys([domain, results.organisation(domain)]):
        try:
            records = names.text(f"_dmarc.{name}") if name else []
        except Away:
            return "unknown", True, True
        wanted = [record for record in records if record.replace(b" ", b"").lower().startswith(b"v=dmarc1")]
        if len(wanted) == 1:
            text = wanted[0].decode("ascii", "replace").lower()
            tags: dict[str, str] = dict(re.findall(r"(\w+)\s*=\s*([^;\s]+)", text))
            policy = tags.get("sp", tags.get("p", "none")) if name != domain else tags.get("p", "none")
            return policy, tags.get("aspf") == "s", tags.get("adkim") == "s"
    return "", False, False


# --- SPF ---------------------------------------------------------------------------------------------------

_NAMES: ContextVar[Names] = ContextVar("names")


def _spf_lookup(name: str, kind: str, *_: Any) -> list[Any]:
    """What pyspf asks the domain name system with, in the form it wants."""
    try:
        records = _NAMES.get().ask(name, kind) if kind != "SPF" else []
    except Away as error:
        raise spf.TempError(f"DNS {error}") from error
    shapes: dict[str, Callable[[Any], Any]] = {
        "MX": lambda record: (record.preference, record.exchange.to_text(True)),
        "PTR": lambda record: record.target.to_text(True),
        "TXT": lambda record: record.strings,
    }
    shape = shapes.get(kind, lambda record: record.address)
    return [((name, kind), shape(record)) for record in records]


spf.DNSLookup = _spf_lookup


def _spf(origin: Origin, domain: str, strict: bool, names: Names) -> str:
    sent_by = (origin.sender or "").rpartition("@")[2].lower()
    if origin.via != "smtp" or not origin.ip or not sent_by:
        return "not asked"
    if not results.aligned(sent_by, domain, strict):
        return "of another domain"
    token = _NAMES.set(names)
    try:
        query = spf.query(
            i=str(_address(origin.ip)), s=origin.sender, h=origin.helo or "unknown", timeout=SECONDS, querytime=12
        )
        return str(query.check()[0])
    except Exception:  # whatever a hostile record may do to the parser
        return "permerror"
    finally:
        _NAMES.reset(token)


# --- DKIM --------------------------------------------------------------------------------------------------


def _key(names: Names) -> Any:
    def ask(name: bytes, **_: Any) -> bytes | None:
        try:
            return next(iter(names.text(name.decode("ascii", "replace"))), None)
        except Away as error:
            raise dkim.DnsTimeoutError(str(error)) from error

    return ask


def _dkim(raw: bytes, domain: str, strict: bool, recipients: Sequence[str], names: Names) -> Proof:
    """A signature of the sender's own domain over the whole mail and the address it came to."""
    words: list[str] = []
    with _hostile(words):
        mail = dkim.DKIM(raw, logger=_SILENT, minkey=SMALLEST_KEY, timeout=SECONDS)
        values = [value for name, value in mail.headers if name.lower() == b"dkim-signature"]
        for number, value in enumerate(values[:MOST_SIGNATURES]):
            with _hostile(words):
                tags = dkim.util.parse_tag_value(value)
                signer = tags.get(b"d", b"").decode("ascii", "replace").lower()
                if not results.aligned(signer, domain, strict):
                    words.append("of another domain")
                    continue
                words.append(_signed(mail, number, tags, recipients, names))
                if words[-1] == "pass":
                    return Proof("dkim", "dkim pass", False, _fingerprint(tags[b"b"]), {"dkim": "pass"})
    return Proof(found={"dkim": words[-1] if words else "none"})


def _signed(mail: Any, number: int, tags: dict[bytes, bytes], recipients: Sequence[str], names: Names) -> str:
    if b"l" in tags:
        return "signs only the beginning"
    if tags.get(b"a", b"").endswith(b"sha1"):
        return "signed with sha1"
    if not mail.verify(idx=number, dnsfunc=_key(names)):
        return "temperror" if names.away else "fail"
    if b"from" not in mail.include_headers:
        return "does not sign the sender"
    if _twice(mail.headers):
        return "has a header twice"
    signed = [(name, value) for name, value in mail.signed_headers if name.lower() in (b"to", b"cc")]
    return "pass" if _is_to(signed, recipients) else "was written to another address"


def _twice(headers: Sequence[tuple[bytes, bytes]]) -> bool:
    names = [name.lower().strip() for name, _ in headers]
    return any(names.count(once) > 1 for once in _ONCE)


def _is_to(headers: Sequence[tuple[bytes, bytes]], recipients: Sequence[str]) -> bool:
    given = [value.decode("utf-8", "replace") for _, value in headers]
    return bool({address.lower() for _, address in getaddresses(given)} & {address.lower() for address in recipients})


def _fingerprint(signature: bytes) -> str:
    return hashlib.sha256(re.sub(rb"\s+", b"", signature)).hexdigest()


@contextlib.contextmanager
def _hostile(words: list[str]) -> Iterator[None]:
    """The library raises all sorts of things on broken signatures; each is a failed check."""
    try:
        yield
    except Exception as error:
        words.append("broken" if not isinstance(error, dkim.DnsTimeoutError) else "temperror")


# --- ARC ---------------------------------------------------------------------------------------------------


def trusted_sealer(domain: str) -> bool:
    return any(domain == name or domain.endswith(f".{name}") for name in map(str.lower, settings.MAIL_ARC_TRUSTED))


def _arc(raw: bytes, domain: str, recipients: Sequence[str], names: Names) -> Proof:
    """A whole chain of seals, the newest links by forwarders the host trusts, one of which saw a pass."""
    if b"arc-seal" not in raw[:200_000].lower():
        return Proof(found={})
    if not settings.MAIL_ARC_TRUSTED:
        return Proof(found={"arc": "no forwarder is trusted"})
    words: list[str] = []
    with _hostile(words):
        chain = dkim.ARC(raw, logger=_SILENT, minkey=SMALLEST_KEY, timeout=SECONDS)
        status, links, _ = chain.verify(dnsfunc=_key(names))
        if status != b"pass":
            return Proof(found={"arc": "temperror" if names.away else "fail"})
        words.append("no trusted forwarder saw a pass")
        if _twice(chain.headers) or not _is_to(_covered(chain.headers, links[0]["instance"]), recipients):
            return Proof(found={"arc": "was written to another address"})
        for link in links:
            if not all(trusted_sealer(link[name].decode().lower()) for name in ("as-domain", "ams-domain")):
                break
            if passes(link["aar-value"], domain):
                return Proof("arc", "arc pass", False, "", {"arc": "pass"})
    return Proof(found={"arc": words[-1]})


def passes(value: bytes, domain: str) -> str:
    """What ARC-Authentication-Results say of the sender's domain, behind their `i=1;`."""
    return results.read(value.decode("utf-8", "replace").partition(";")[2]).passes(domain)


def _covered(headers: Sequence[tuple[bytes, bytes]], instance: int) -> list[tuple[bytes, bytes]]:
    """To and Cc, as far as the newest link of the chain signs them."""
    for name, value in headers:
        if name.lower() == b"arc-message-signature":
            tags = dkim.util.parse_tag_value(value)
            if tags.get(b"i") == b"%d" % instance:
                signed = {word.strip().lower() for word in tags.get(b"h", b"").split(b":")}
                return [(key, text) for key, text in headers if key.lower() in (b"to", b"cc") and key.lower() in signed]
    return []

"""Raw bytes to a mail in plain words: who, to whom, and its text. Never fails; what cannot be read is empty."""

import email.errors
import email.header
import email.message
import email.parser
import email.policy
import email.utils
import hashlib
import re

import msgspec

from notifications.inbound import htmltext, machine

MOST_BYTES = 2_000_000
MOST_PARTS = 200
MOST_DEPTH = 20
MOST_TEXT = 200_000
MOST_LINE = 2_000
MOST_HEAD = 200_000
UTF7_NAMES = frozenset({"utf-7", "utf7", "u7", "unicode-1-1-utf-7", "csutf7", "utf-7-imap"})
UTF7 = "\x00utf-7\x00"  # stands for a text nobody should decode


class Mail(msgspec.Struct):
    """A mail as far as it matters here."""

    message_id: str = ""
    sender: str = ""  # the one address in From, lower case; empty when there is none or more than one
    odd_sender: bool = False  # two addresses, or a name that looks like one
    named: list[str] = []  # every address written anywhere in From, also in a name
    to: list[str] = []  # addresses of To and Cc
    recipients: list[str] = []  # every address it may have come to, lower case
    subject: str = ""
    in_reply_to: str = ""
    references: list[str] = []
    text: str = ""  # decoded, flowed lines joined, quotes still in it
    from_html: bool = False
    other: str = ""  # the HTML part in words, where the mail has both
    attachments: int = 0
    machine: str = ""  # why it was written by a program; empty for a person's
    bounce: bool = False
    listed: bool = False  # the only sign of a program is that it came through a list
    authentication: list[str] = []  # Authentication-Results, topmost first
    problem: str = ""  # why its text could not be read; who wrote it is known all the same


def read_message(raw: bytes, cut: str = "") -> Mail:
    """Everything that can be told from the bytes alone. Of a mail that was `cut` only the head is here."""
    problem = cut
    if not cut and len(raw) > MOST_BYTES:
        problem = "it is too large"
    elif not cut and raw.count(b"boundary") > MOST_PARTS:
        problem = "it has too many parts"
    try:
        # compat32 takes headers as they are; the newer policies stumble over broken ones.
        parser = email.parser.BytesParser(policy=email.policy.compat32)
        if problem:
            head = parser.parsebytes(raw[:MOST_HEAD], headersonly=True)
            return _head(head, raw, problem)
        parsed = parser.parsebytes(raw)
        mail = _head(parsed, raw)
        _body(mail, parsed)
        return mail
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, email.errors.MessageError) as error:
        return Mail(problem=f"it is broken ({type(error).__name__})", message_id=_fingerprint(raw))


def _head(parsed: email.message.Message, raw: bytes, problem: str = "") -> Mail:
    """Who, to whom, about what."""
    senders, written = addresses(parsed, "From"), " ".join(map(str, parsed.get_all("From", [])))[:4000]
    mail = Mail(
        message_id=_first_id(header(parsed, "Message-ID")) or _fingerprint(raw),
        sender=senders[0] if len(senders) == 1 else "",
        odd_sender=header(parsed, "From").count("@") != 1 or len(parsed.get_all("From", [])) != 1,
        named=_named(senders, f"{written} {header(parsed, 'From')}"),
        to=addresses(parsed, "To", "Cc"),
        recipients=addresses(parsed, "To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To", "X-Forwarded-To"),
        subject=header(parsed, "Subject")[:300],
        in_reply_to=_first_id(header(parsed, "In-Reply-To")),
        references=_ids(header(parsed, "References"))[-20:],
        authentication=[str(value) for value in parsed.get_all("Authentication-Results", [])][:5],
        problem=problem,
    )
    mail.machine = machine.reason(parsed, mail.subject)
    mail.listed = mail.machine == machine.LIST
    mail.bounce = machine.is_bounce(parsed)
    return mail


def _named(senders: list[str], written: str) -> list[str]:
    found = re.findall(r"[^\s<>\"'(),;:\[\]]{1,64}@[^\s<>\"'(),;:\[\]]{1,190}", written.lower())
    return list(dict.fromkeys([*senders, *(address.strip(".") for address in found)]))[:20]


def _body(mail: Mail, parsed: email.message.Message) -> None:
    plain, html, mail.attachments = _parts(parsed)
    if UTF7 in (plain, html):
        mail.problem = "it is written in UTF-7, which I do not read"
        return
    shown = htmltext.to_text(html) if html is not None else ""
    if plain is not None and plain.strip():
        mail.text, mail.other = plain, _cut(shown)
    elif html is not None:
        mail.text, mail.from_html = shown, True
    mail.text = _cut(mail.text)


def _cut(text: str) -> str:
    return "\n".join(line[:MOST_LINE] for line in text[:MOST_TEXT].splitlines())


def _fingerprint(raw: bytes) -> str:
    return f"<none.{hashlib.sha256(raw).hexdigest()[:32]}@no-message-id>"


def _ids(value: str) -> list[str]:
    return re.findall(r"<[^<>\s]{1,250}>", value)


def _first_id(value: str) -> str:
    return next(iter(_ids(value)), "")


def header(parsed: email.message.Message, name: str) -> str:
    """A header's text, decoded, in one line."""
    value = parsed.get(name)
    if value is None:
        return ""
    parts = []
    try:
        for piece, charset in email.header.decode_header(str(value)):
            parts.append(piece if isinstance(piece, str) else decode(piece, charset or ""))
    except (email.errors.HeaderParseError, ValueError, LookupError):
        parts = [str(value)]
    return " ".join("".join(parts).split())


def addresses(parsed: email.message.Message, *names: str) -> list[str]:
    """Every address of these headers, without names, lower case, once."""
    found: list[str] = []
    for name in names:
        values = [str(value)[:4000] for value in parsed.get_all(name, [])[:20]]
        for _, address in email.utils.getaddresses(values)[:50]:
            address = address.strip().lower()
            if "@" in address and address not in found:
                found.append(address)
    return found


# --- text --------------------------------------------------------------------------------------------------


def _parts(parsed: email.message.Message) -> tuple[str | None, str | None, int]:
    """The first plain text, the first HTML, and how many other things hang on the mail."""
    plain = html = None
    other = 0
    for count, (part, depth) in enumerate(_walk(parsed, 0)):
        if count > MOST_PARTS:
            break
        if part.is_multipart() or depth > MOST_DEPTH:
            continue
        kind = part.get_content_type()
        attached = part.get_content_disposition() == "attachment"
        if kind == "text/plain" and not attached and plain is None:
            plain = _text(part)
        elif kind == "text/html" and not attached and html is None:
            html = _text(part)
        elif kind not in ("text/plain", "text/html") or attached:
            other += 1
    return plain, html, other


def _walk(part: email.message.Message, depth: int) -> "list[tuple[email.message.Message, int]]":
    """Parts in order, without recursion and without the mails inside a mail."""
    found: list[tuple[email.message.Message, int]] = []
    stack = [(part, depth)]
    while stack and len(found) <= MOST_PARTS:
        here, level = stack.pop()
        found.append((here, level))
        children = here.get_payload() if here.is_multipart() and here.get_content_maintype() != "message" else []
        if isinstance(children, list) and level < MOST_DEPTH:
            stack.extend((child, level + 1) for child in reversed(children) if not isinstance(child, str))
    return found


def _text(part: email.message.Message) -> str:
    payload = part.get_payload(decode=True)
    raw = payload if isinstance(payload, bytes) else str(part.get_payload()).encode("utf-8", "surrogateescape")
    charset = str(part.get_content_charset() or "")
    if charset.lower().replace("_", "-") in UTF7_NAMES:
        return UTF7
    text = decode(raw[:MOST_BYTES], charset).replace("\r\n", "\n").replace("\r", "\n")
    if str(part.get_param("format", "")).lower() == "flowed":
        text = unflow(text, str(part.get_param("delsp", "")).lower() == "yes")
    return text


def decode(raw: bytes, charset: str) -> str:
    """By declaration if it holds, then as UTF-8, then as the commonest Western page; never UTF-7."""
    tried = [charset.lower().strip()] if charset and charset.lower().replace("_", "-") not in UTF7_NAMES else []
    for name in [*tried, "utf-8", "cp1252"]:
        try:
            return raw.decode("gb18030" if name in ("gb2312", "gbk") else name)
        except (LookupError, UnicodeDecodeError):
            continue
    return raw.decode("latin-1")


def unflow(text: str, delete_space: bool) -> str:
    """RFC 3676: a line that ends in a space goes on in the next of the same quote depth."""
    out: list[str] = []
    open_depth = -1
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        body = line[depth:]
        if body.startswith(" "):
            body = body[1:]
        soft = body.endswith(" ") and body != "-- "
        if depth == open_depth and body != "-- ":
            out[-1] += body
        else:
            out.append(("> " * depth) + body if depth else body)
        if soft and delete_space:
            out[-1] = out[-1][:-1]
        open_depth = depth if soft else -1
    return "\n".join(out)

"""One mail a day with all matches that wait for a person, the most urgent first, and the answer to its answer."""

import re
from datetime import timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from games.ledger import outbox, people, selectors
from notifications import addresses, clockwords, replies
from notifications.ballot import MOST_LINES, ballot, template
from notifications.letters import Letter, Quoted, Section, Skip, page_link, sides
from notifications.models import Digest

URGENT = timedelta(hours=3)  # a question whose time ends this soon after the next digest comes by itself
MOST_MATCHES = 50
RECEIPT = re.compile(r'Entr(?:y|ies) [\d-]+\.(?: "undo"|$)')  # what every acknowledgement says
MOST_NEWS = 6


def sweep() -> None:
    """Order the digests whose hour has come; of several schedulers one does it."""
    for user in people.digests_due():
        with transaction.atomic():
            if people.digest_taken(user=user):
                outbox.tell_user(user, "digest")


def covers(match: Any, seat: Any) -> bool:
    """Whether a question can wait for the person's digest."""
    if seat.user.digest_at is None:
        return False
    due = clockwords.due(match, seat)
    return due is None or due > seat.user.digest_at + URGENT


def waiting(user: Any) -> list[tuple[Any, Any]]:
    """Matches that ask this person, and the seat: soonest first, those without a clock last."""
    rows = selectors.matches_for(user, scope="mine", status="playing")[:200]
    found = [(match, seat) for match in rows for seat in match.seats.all() if seat.user_id == user.pk]
    asked = [(match, seat) for match, seat in found if seat.key in match.owed and not match.fault]
    never = timezone.now() + timedelta(days=10_000)
    return sorted(asked, key=lambda pair: (clockwords.due(*pair) or never, pair[0].pk))[:MOST_MATCHES]


def tag_of(match: Any) -> str:
    return f"{selectors.ruleset(match.ruleset)['tag']} {match.pk}"


# --- the letter --------------------------------------------------------------------------------------------


def letter(row: Any) -> Letter:
    """The digest, or the one acknowledgement to a reply to it: both can be answered in the same way."""
    pairs = waiting(row.user)
    answered = row.topic == "digest-ack"
    if not pairs and not answered:
        raise Skip("nothing waits")
    made = Letter("digest", _subject(row.user, pairs), _headline(pairs, row.payload))
    items: dict[str, dict[str, Any]] = {}
    if answered:
        made.kind = "digest-ack"
        made.headline, made.lead = _told(row.payload)
        _results(made, row, items)
    else:
        made.lead = _lead(pairs, row.payload)
    for match, seat in pairs:
        if str(match.pk) not in items:
            section = _question(made, match, seat, items)
            if answered:
                section.title = f"no orders; still yours{_by(match, seat)}."
            made.sections.append(section)
    kept, _ = Digest.objects.update_or_create(outbox_id=row.pk, defaults={"user": row.user, "items": items})
    made.reply_to = addresses.digest_address(row.user, kept.pk)
    made.headers = {"X-Kind": made.kind}
    made.foot = ["Reply with numbers or words under each bracket line. help, settings: set, set digest off, end"]
    return replies._answering(made, row.payload) if answered else made


def _subject(user: Any, pairs: list[tuple[Any, Any]]) -> str:
    count = f"[{len(pairs)} match{'' if len(pairs) == 1 else 'es'}]"
    if not pairs:
        return f"{count} nothing waits for you"
    due = clockwords.due(*pairs[0])
    soon = [pair for pair in pairs if (at := clockwords.due(*pair)) and at - timezone.now() < timedelta(days=1)]
    first = tag_of(pairs[0][0]) + (f" by {clockwords.short_moment(user, due)}" if due else "")
    return f"{count} {f'{len(soon)} urgent: ' if soon else ''}{first}"[:70]


def _headline(pairs: list[tuple[Any, Any]], payload: dict[str, Any]) -> str:
    if payload.get("why"):
        return str(payload["why"])
    if len(pairs) == 1:
        return "One match waits for you."
    return f"{len(pairs)} matches wait for you, most urgent first."


def _lead(pairs: list[tuple[Any, Any]], payload: dict[str, Any]) -> list[str]:
    lines = [_headline(pairs, {})] if payload.get("why") else []
    if len(pairs) == 1:
        return [*lines, "Reply with your orders; the line in brackets above them may be left out."]
    return [*lines, "One reply may answer any of them: put the line in brackets above your orders."]


def _by(match: Any, seat: Any) -> str:
    due = clockwords.due(match, seat)
    return f" by {clockwords.short_moment(seat.user, due)}" if due else ""


def _question(made: Letter, match: Any, seat: Any, items: dict[str, dict[str, Any]]) -> Section:
    """The question of one match in short; its numbers mean what is printed here, or the last full mail."""
    asked = selectors.asked(match, seat.key)
    due = clockwords.due(match, seat)
    until = (
        f" Until {clockwords.short_moment(seat.user, due)}." if due else " No clock." if not match.clock_hours else ""
    )
    known = _mailed(match, seat, asked)
    items[str(match.pk)] = {"seat": seat.key, "base": match.head_seq}
    lines = [sides(match, seat)]
    if match.clock_stops and match.clock_hours:
        lines.append(clockwords.stopped(match))
    happened = selectors.happened(match, seat.key, seat.mailed_seq)
    if len(happened) > MOST_NEWS:
        lines.append(f"({len(happened) - MOST_NEWS} earlier lines are on the page.)")
    lines += happened[-MOST_NEWS:]
    heard = replies.says(match, seat)
    names = {row["key"]: row["player"] or row["name"] for row in selectors.summary(match)["seats"]}
    lines += [f'{names[row.seat]} says: "{row.text}"' for row in heard]
    made.overheard += [(row.pk, seat.key) for row in heard]
    made.starts.append((match.pk, seat.key, match.head_seq))
    section = Section(tag_of(match), f"{asked.prompt.rstrip('.')}.{until}", lines, link=page_link(match, seat))
    _options(section, asked, known)
    return section


def _mailed(match: Any, seat: Any, asked: Any) -> bool:
    """Whether the last full mail asked the very same, so that its numbers still stand."""
    if not 0 <= seat.mailed_seq < match.head_seq:
        return bool(seat.mailed_seq == match.head_seq)
    then = selectors.asked(match, seat.key, seat.mailed_seq)
    return bool(then == msgspec.structs.replace(asked, version=seat.mailed_seq))


def _options(section: Section, asked: Any, known: bool) -> None:
    lines = ballot(asked)
    if known:
        many = "1 option" if len(lines) == 1 else f"{len(lines)} options"
        section.lines.append(f"{many}, as mailed to you before.")
        return
    for line in lines[:MOST_LINES]:
        fills = f" ({' '.join(line.fills[:12])}{' ..' if len(line.fills) > 12 else ''})" if line.blank else ""
        section.options.append((line.number, f"{line.notation}{fills}{f' {line.odds}' if line.odds else ''}"))
    if len(lines) > MOST_LINES:
        section.lines.append(f"{len(lines)} options; the first {MOST_LINES} follow, all with:  options")
    if any(line.blank for line in lines):
        section.template = template(asked)


# --- one acknowledgement for all blocks --------------------------------------------------------------------


def acknowledge(person: Any, answer: Any, words: list[str]) -> None:
    """What became of each block, as an outbox row."""
    results = [
        {
            "match": match_id,
            "seat": seat,
            "headline": told.headline,
            "lines": [msgspec.to_builtins(line) for line in told.lines],
            "repair": told.repair,
        }
        for (match_id, seat), told in answer.matches.items()
    ]
    subject = person.mail.subject or "your mail"
    payload = {
        "results": results,
        "words": [word for word in words if not RECEIPT.match(word)],  # each match tells its own
        "subject": subject if subject.lower().startswith("re:") else f"Re: {subject}",
        "in_reply_to": person.mail.message_id,
    }
    outbox.tell_user(person.user, "digest-ack", payload)


def _told(payload: dict[str, Any]) -> tuple[str, list[str]]:
    results, words = payload.get("results", []), list(payload.get("words", []))
    if not results:
        return (words[0], words[1:]) if words else ("I found no order in your mail. Nothing was done.", [])
    bad = [item for item in results if any(line["status"] in ("refused", "not read") for line in item["lines"])]
    if bad:
        return "Some of it could not be played; see each match.", words
    return "All read, all done." if any(item["lines"] for item in results) else "Here is what you asked for.", words


def _results(made: Letter, row: Any, items: dict[str, dict[str, Any]]) -> None:
    for item in row.payload.get("results", []):
        match = selectors.match_get(item["match"])
        seat = selectors.seat_get(match, item["seat"])
        quoted = [Quoted(line["text"], line["status"], line["why"], tuple(line["nearest"])) for line in item["lines"]]
        section = Section(tag_of(match), item["headline"] or "answered", [], quoted, link=page_link(match, seat))
        if seat.key in match.owed:
            now = _question(made, match, seat, items)
            section.lines = [f"Now: {now.title}", *now.lines]
            section.options, section.template = now.options, now.template
        else:
            section.lines = [selectors.asked(match, seat.key).prompt]
        items.setdefault(str(match.pk), {"seat": seat.key, "base": match.head_seq})["repair"] = item["repair"]
        made.sections.append(section)


def nothing(person: Any) -> str:
    """No order found: said at most once an hour."""
    since = timezone.now() - timedelta(hours=1)
    if outbox.user_told_since(person.user, "digest-ack", since):
        return "nothing understood, said already"
    read = " / ".join(line.strip() for line in person.new.lines if line.strip())[:300]
    words = ["I found no order in your mail. Nothing was done."]
    words.append(f'What I read as new text: "{read}"' if read else "Your mail was empty.")
    payload = {"words": words, "subject": f"Re: {person.mail.subject}", "in_reply_to": person.mail.message_id}
    outbox.tell_user(person.user, "digest-ack", payload)
    return "nothing understood"


def told_of(outbox_id: int) -> list[tuple[int, str]]:
    """Matches and seats a digest was about; none for any other mail."""
    kept = Digest.objects.filter(outbox_id=outbox_id).first()
    return [(int(number), item["seat"]) for number, item in kept.items.items()] if kept else []


def last_base(match: Any, seat: str) -> int | None:
    """The entry of the last full mail of a match to a seat: its numbers are meant where no others are printed."""
    base: int = selectors.seat_get(match, seat).mailed_seq
    return base if base >= 0 else None

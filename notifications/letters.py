"""What a mail says, before it is text or HTML: the same parts in the same order in both.

What is asked comes first; then the seat's own note, what happened, the position, the options, a line to
fill in, and the foot. Everything is taken from the seat's view.
"""

from typing import Any
from urllib.parse import quote

import msgspec
from django.conf import settings

from games.ledger import links, selectors, stops, telling
from games.ledger.telling import Told
from notifications import addresses, clockwords, luck, pictures
from notifications.ballot import MOST_LINES, BallotLine, LetteredLine, ballot, lettered, template

board_picture = pictures.board

ASKING = frozenset({"decision", "opened", "fresh"})  # their subjects say by when


class Skip(Exception):
    """Nothing is to be sent, and why."""


class Quoted(msgspec.Struct, frozen=True):
    """A line the player wrote, and what became of it."""

    text: str
    status: str
    why: str = ""
    nearest: tuple[str, ...] = ()
    numbered: bool = False  # `1`, `2` choose among the nearest: no other numbers stand in the mail


class Section(msgspec.Struct):
    """What a digest says about one match, under the line in brackets."""

    tag: str
    title: str
    lines: list[str] = []
    quoted: list[Quoted] = []
    options: list[tuple[int, str]] = []  # number and words of what can be answered
    template: str = ""
    link: str = ""


class Letter(msgspec.Struct):
    """One mail in parts."""

    kind: str
    subject: str
    headline: str
    game: str = ""
    tag: str = ""
    side: str = ""
    lead: list[str] = []
    quoted: list[Quoted] = []
    paragraphs: list[list[str]] = []
    note: str = ""
    happened_title: str = "Since your last mail"
    happened: list[str] = []
    places: list[Told] = []  # what happened, by place
    fired: list[str] = []  # what the seat's standing orders answered
    board: str = ""
    picture: bytes | None = None
    says: list[tuple[str, str, str]] = []  # who, what, when
    ballot: list[BallotLine] = []
    more: str = ""
    letters_title: str = "Ready-made: reply with the letter"
    lettered: list[LetteredLine] = []
    buttons: list[str] = []  # answers of one word, to be tapped
    template: str = ""
    foot: list[str] = []
    page: str = ""
    reply_to: str = ""
    headers: dict[str, str] = {}
    heard: list[int] = []  # what others said, told with this letter
    in_reply_to: str = ""
    told: int | None = None  # the entry up to which this letter tells everything
    sections: list[Section] = []  # of a digest: one for each match
    starts: list[tuple[int, str, int]] = []  # matches told of in sections: seat, and up to which entry
    overheard: list[tuple[int, str]] = []  # what others said there, and to which seat
    deputy: bool = False  # goes to somebody who stands in for the seat's person


def subject_line(tag: str, words: str, until: str = "") -> str:
    """`[SF 412] .., by Thu 20:00`, at most 70 characters."""
    words = " ".join(words.split()).rstrip(".!")
    room = 70 - len(tag) - 3 - len(until)
    if len(words) > room:
        words = words[: room - 2].rpartition(" ")[0].rstrip(",;:") + ".."
    return f"[{tag}] {words}{until}"


def page_link(match: Any, seat: Any) -> str:
    return f"{settings.PUBLIC_URL}/m/{match.pk}/{links.page_token(seat)}/"


def match_letter(kind: str, match: Any, seat: Any, headline: str, subject: str = "") -> Letter:
    """A letter about a match to one of its seats, with its thread, reply address and foot."""
    about = selectors.summary(match, seat.user)
    rules = selectors.ruleset(match.ruleset)
    tag = f"{rules['tag']} {match.pk}"
    side = next(row["name"] for row in about["seats"] if row["key"] == seat.key)
    page = page_link(match, seat)
    whose = f"{side}: " if len(about["seats"]) > 1 and not subject else ""
    return Letter(
        kind=kind,
        subject=subject_line(tag, _versus(about))
        if seat.user.subjects == "fixed"
        else subject_line(
            tag, whose + (subject or headline), clockwords.by_when(match, seat) if kind in ASKING else ""
        ),
        headline=headline,
        game=about["game"],
        tag=tag,
        side=side,
        page=page,
        reply_to=addresses.reply_address(match.pk, seat.key, match.head_seq, seat.link_key, seat.user_id),
        headers={"X-Match": str(match.pk), "X-Seat": seat.key, "X-Base": str(match.head_seq), "X-Kind": kind},
        foot=[*_how_to_answer(match), *clockwords.foot(match, seat), _dice(match), "Page:", page],
    )


def _versus(about: dict[str, Any]) -> str:
    """One subject for all mails of a match: `Tom v Rania`."""
    return " v ".join(row["player"] or row["bot"] or row["name"] for row in about["seats"]) + f", {about['game']}"


def _how_to_answer(match: Any) -> list[str]:
    if match.status == "over":
        return ["Reply with: log, look, say .., rematch"]
    return ["Reply with numbers or words. help, look, why 3, undo, say .., end"]


def _dice(match: Any) -> str:
    return f"Dice: commit {_short(match.commitment)} chain {_short(match.head_hash)} at entry {match.head_seq}."


def _short(digest: str) -> str:
    return f"{digest[:4]} {digest[4:8]} .." if digest else "none yet"


def sides(match: Any, seat: Any) -> str:
    """`Coalition: Tom. Insurgents: you.`"""
    about = selectors.summary(match, seat.user)
    said = []
    for row in about["seats"]:
        who = (
            "you" if row["key"] == seat.key else row["player"] or (f"the bot {row['bot']}" if row["bot"] else "nobody")
        )
        said.append(f"{row['name']}: {who}.")
    return " ".join(said)


def add_question(letter: Letter, match: Any, seat: Any, *, picture: bool = True, brief: bool = False) -> bool:
    """The decision in front of the seat: news, position, options. False when it owes nothing.

    `brief` leaves out the position, for mails about one that the seat has just been sent.
    """
    asked = selectors.asked(match, seat.key)
    letter.note = seat.note
    letter.places = telling.by_place(match, seat.key, seat.mailed_seq)
    letter.fired = _fired(match, seat)
    letter.told = match.head_seq
    if match.state and not brief:
        letter.board = selectors.text_board(match, seat.key)
    if not asked.asked:
        return False
    letter.ballot = ballot(asked, telling.alike(match, seat.key))
    left = len(letter.ballot) - MOST_LINES
    if left > 0:
        letter.more = f"{left} more lines: reply options to see them all. Their orders are read as well."
    elif not any(line.blank for line in letter.ballot):
        letter.more = "There are no other legal answers." if len(letter.ballot) > 1 else ""
    letter.lettered = lettered(telling.bundles(match, seat.key))
    letter.template = telling.template(match, seat.key) or template(asked)
    if picture and not brief:
        letter.picture = board_picture(match, seat.key, letter.ballot, wide=letter.kind in ("decision", "opened"))
    return True


def _fired(match: Any, seat: Any) -> list[str]:
    """What the seat's own standing orders answered since its last mail, and which of them are over by now."""
    found = telling.fired(match, seat.key, seat.mailed_seq)
    lost = telling.lost_orders(match, seat.key, seat.mailed_seq)
    if not found:
        return lost
    count = sum(len(told.entries) for told in found)
    lines = [f"Your standing orders answered {'once' if count == 1 else f'{count} times'}:"]
    for told in found:
        entries = f"entry {told.entries[0]}" if len(told.entries) == 1 else f"entries {_runs(told.entries)}"
        shown = "; ".join(told.orders[:8]) + ("; .." if len(told.orders) > 8 else "")
        lines.append(f"  {entries}  order {told.number}: {shown}")
    return [*lines, f'Wrong? "standing off {found[0].number}" ends it; "undo" asks to take it back.', *lost]


def _runs(entries: list[int]) -> str:
    """`32-35, 40`"""
    runs: list[list[int]] = []
    for seq in entries:
        if runs and seq == runs[-1][1] + 1:
            runs[-1][1] = seq
        else:
            runs.append([seq, seq])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs[:6])


def mailto(letter: Letter, order: str) -> str:
    """A link that opens an answer ready to send."""
    subject = letter.subject if letter.subject.lower().startswith("re:") else f"Re: {letter.subject}"
    return f"mailto:{letter.reply_to}?subject={quote(subject)}&body={quote(order)}"


# --- the kinds of letters ----------------------------------------------------------------------------------


def decision(match: Any, seat: Any) -> Letter:
    asked = selectors.asked(match, seat.key)
    if not asked.asked:
        raise Skip("answered already")
    letter = match_letter("decision", match, seat, asked.prompt)
    letter.lead = [*until(match, seat), f"Match {match.pk}, {letter.game}. {sides(match, seat)}"]
    add_question(letter, match, seat)
    return letter


def until(match: Any, seat: Any) -> list[str]:
    """By when the answer is wanted, where there is a clock."""
    return clockwords.until(match, seat)


def timed_out(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    """The clock has answered."""
    hours, count = payload["hours"], payload["count"]
    answers = "one answer" if count == 1 else f"{count} answers"
    letter = match_letter("timed-out", match, seat, f"Your {hours} hours were over: the clock gave {answers} for you.")
    letter.lead = ["It does as little as the rules allow. Play goes on, and you are asked again when it is your turn."]
    return letter


def opened(match: Any, seat: Any) -> Letter:
    """The root of the seat's thread; the first decision follows in the same mail."""
    asked = selectors.asked(match, seat.key)
    headline = asked.prompt if asked.asked else f"Match {match.pk} is open; you need do nothing yet."
    letter = match_letter("opened", match, seat, headline, "" if asked.asked else f"{headline[:-1]}")
    letter.lead = [
        f"Match {match.pk}, {letter.game}. {sides(match, seat)}",
        clockwords.opening(match, seat),
        *until(match, seat),
    ]
    letter.foot += [
        "The dice come from a secret seed that is mailed to everybody at the end. Its SHA-256, fixed from now on:",
        match.commitment,
    ]
    if not asked.asked:
        letter.lead.insert(1, asked.prompt)
    letter.happened_title = "So far"
    add_question(letter, match, seat)
    return letter


def result(match: Any, seat: Any) -> Letter:
    outcome = match.outcome or {"words": "The match is over.", "result": "", "score": {}}
    letter = match_letter("result", match, seat, outcome["words"], f"Over: {outcome['words']}")
    score = ", ".join(f"{name.replace('_', ' ')} {points}" for name, points in (outcome["score"] or {}).items())
    letter.lead = [
        f"Match {match.pk}, {letter.game}. {sides(match, seat)}",
        *([f"Result: {outcome['result']}."] if outcome["result"] else []),
        *([f"Score: {score}."] if score else []),
    ]
    add_question(letter, match, seat, picture=False)
    letter.picture = board_picture(match, seat.key, [], wide=False)
    salts = ", ".join(f'"{words}" ({key})' for key, words in (match.header.get("salts") or {}).items() if words)
    letter.paragraphs = [
        [
            *luck.lines(match, seat),
            "Seed of all rolls (hex):",
            match.seed,
            *([f"Salts: {salts}."] if salts else []),
            "Its SHA-256 is the commitment you were sent when the match opened:",
            match.commitment,
            "The match as a file, and the script that checks it, are on the page.",
        ],
        ["Reply   rematch   to play it again, with sides changed where there are two."],
    ]
    return letter


def take_back(match: Any, seat: Any) -> Letter:
    request = selectors.take_back_request(match)
    if request is None or request["seat"] == seat.key:
        raise Skip("answered already")
    who = next(row["name"] for row in selectors.summary(match)["seats"] if row["key"] == request["seat"])
    many = "the last entry" if request["count"] == 1 else f"the last {request['count']} entries"
    letter = match_letter("take-back", match, seat, f"{who} asks to take back {many}. Do you agree?")
    tail = selectors.entries(match, seat.key, match.head_seq - request["count"])
    letter.happened_title = "What would be taken back"
    letter.happened = [f"{row['seq']} {row['notation']}. {' '.join(row['news'])}".strip() for row in tail]
    letter.paragraphs = [[f'Their reason: "{request["reason"]}"']] if request["reason"] else []
    hours = stops.TAKE_BACK_HOURS
    clocks = "Both clocks stand still; no" if match.clock_hours else "No"
    letter.paragraphs.append(
        [f"Reply   yes   or   no.   {clocks} answer in {hours} h counts as no. The ledger keeps both either way."]
    )
    letter.buttons = ["yes", "no"]
    return letter


def take_back_refused(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    silent = f"was not answered in {payload['hours']} h, which counts as no" if payload.get("hours") else "was refused"
    letter = match_letter("take-back-refused", match, seat, f"Your wish to take back {silent}; play goes on as it was.")
    asked = selectors.asked(match, seat.key)
    letter.lead = [asked.prompt]
    return letter


def kept_dropped(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    letter = match_letter(
        "kept-dropped", match, seat, "An order you had kept could not be played; the rest was dropped."
    )
    letter.quoted = [Quoted(str(payload.get("order", "")), "dropped", str(payload.get("why", "")))]
    asked = selectors.asked(match, seat.key)
    letter.lead = [f"Now: {asked.prompt}", *until(match, seat)] if asked.asked else [asked.prompt]
    add_question(letter, match, seat, brief=not asked.asked)  # this is the question's mail then: one person, one mail
    return letter


def verify(user: Any) -> Letter:
    """Asks a new person to prove the address."""
    link = f"{settings.PUBLIC_URL}/verify/{user.pk}/{links.verify_token(user)}/"
    return Letter(
        kind="verify",
        subject="Is this your address? Fallujah Server",
        headline=f"Somebody, probably you, registered as {user.username} with this address.",
        lead=["Open this page and press the button to get your matches by mail:"],
        foot=[link, "If it was not you, do nothing: you will hear no more."],
        page=link,
    )

"""What a mail says, before it is text or HTML: the same parts in the same order in both.

What is asked comes first; then the seat's own note, what happened, the position, the options, a line to
fill in, and the foot. Everything is taken from the seat's view.
"""

from typing import Any
from urllib.parse import quote

import msgspec
from django.conf import settings

from games.ledger import links, outbox, selectors
from notifications import addresses
from notifications.ballot import MOST_LINES, BallotLine, ballot, numbers, template

PICTURE_WIDTH = 828
SMALL_WIDTH = 552
BUSY = 4  # mails due at once
MOST_PICTURE = 120_000


class Skip(Exception):
    """Nothing is to be sent, and why."""


class Quoted(msgspec.Struct, frozen=True):
    """A line the player wrote, and what became of it."""

    text: str
    status: str
    why: str = ""
    nearest: tuple[str, ...] = ()


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
    board: str = ""
    picture: bytes | None = None
    says: list[tuple[str, str]] = []
    ballot: list[BallotLine] = []
    more: str = ""
    template: str = ""
    foot: list[str] = []
    page: str = ""
    reply_to: str = ""
    headers: dict[str, str] = {}
    heard: list[int] = []  # what others said, told with this letter
    in_reply_to: str = ""
    told: int | None = None  # the entry up to which this letter tells everything


def subject_line(tag: str, words: str) -> str:
    """`[SF 412] ..`, at most 70 characters."""
    words = " ".join(words.split()).rstrip(".!")
    room = 70 - len(tag) - 3
    if len(words) > room:
        words = words[: room - 2].rpartition(" ")[0].rstrip(",;:") + ".."
    return f"[{tag}] {words}"


def page_link(match: Any, seat: Any) -> str:
    return f"{settings.PUBLIC_URL}/m/{match.pk}/{links.page_token(seat)}/"


def match_letter(kind: str, match: Any, seat: Any, headline: str, subject: str = "") -> Letter:
    """A letter about a match to one of its seats, with its thread, reply address and foot."""
    about = selectors.summary(match, seat.user)
    rules = selectors.ruleset(match.ruleset)
    tag = f"{rules['tag']} {match.pk}"
    side = next(row["name"] for row in about["seats"] if row["key"] == seat.key)
    page = page_link(match, seat)
    return Letter(
        kind=kind,
        subject=subject_line(tag, subject or headline),
        headline=headline,
        game=about["game"],
        tag=tag,
        side=side,
        page=page,
        reply_to=addresses.reply_address(match.pk, seat.key, match.head_seq, seat.link_key, seat.user_id),
        headers={"X-Match": str(match.pk), "X-Seat": seat.key, "X-Base": str(match.head_seq), "X-Kind": kind},
        foot=[*_how_to_answer(match), _dice(match), "Page:", page],
    )


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


def add_question(letter: Letter, match: Any, seat: Any, *, picture: bool = True) -> bool:
    """The decision in front of the seat: news, position, options. False when it owes nothing."""
    asked = selectors.asked(match, seat.key)
    letter.note = seat.note
    letter.happened = selectors.happened(match, seat.key, seat.mailed_seq)
    letter.told = match.head_seq
    if match.state:
        letter.board = selectors.text_board(match, seat.key)
    if not asked.asked:
        return False
    letter.ballot = ballot(asked)
    left = len(letter.ballot) - MOST_LINES
    if left > 0:
        letter.more = f"{left} more lines: reply options to see them all. Their orders are read as well."
    elif not any(line.blank for line in letter.ballot):
        letter.more = "There are no other legal answers." if len(letter.ballot) > 1 else ""
    letter.template = template(asked)
    if picture:
        letter.picture = board_picture(match, seat.key, letter.ballot, wide=letter.kind in ("decision", "opened"))
    return True


def board_picture(match: Any, seat: str, lines: list[BallotLine], *, wide: bool = True) -> bytes | None:
    """The area of action as PNG; smaller when it would burst the mail, none where no picture is drawn.

    A picture costs more than the rest of a mail together: while many mails wait they go without.
    """
    if len(outbox.due(["mail"], most=BUSY + 1)) > BUSY:
        return None
    for width in (PICTURE_WIDTH, SMALL_WIDTH) if wide else (SMALL_WIDTH,):
        png = selectors.picture_png(match, seat, width, crop=True, numbers=numbers(lines))
        if png is None or len(png) <= MOST_PICTURE:
            return png
    return None


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
    due = selectors.due_at(match, seat)
    return [f"Until {due:%a} {due.day} {due:%b} {due:%H:%M} UTC; then the clock answers for you."] if due else []


def clock_words(match: Any) -> str:
    if match.clock_hours is None:
        return "There is no clock in this match; you hear from me when you are asked."
    return f"The clock gives {match.clock_hours} hours for each answer."


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
        clock_words(match),
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
    letter.lead = [f"Match {match.pk}, {letter.game}. {sides(match, seat)}"]
    add_question(letter, match, seat, picture=False)
    report = selectors.dice_report(match)["dice"]
    rolled = [
        f"{kind}: {part['all']['rolls']} rolls, chi-square {part['all']['chi_square']} "
        f"with {part['all']['degrees']} degrees of freedom."
        for kind, part in report.items()
    ]
    letter.paragraphs = [
        [
            *rolled,
            "Seed of all rolls (hex):",
            match.seed,
            "Its SHA-256 is the commitment you were sent when the match opened:",
            match.commitment,
            "The match as a file, and the script that checks it, are on the page.",
        ]
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
    letter.paragraphs.append(["Reply   yes   or   no.   The ledger keeps both either way."])
    return letter


def take_back_refused(match: Any, seat: Any) -> Letter:
    letter = match_letter(
        "take-back-refused", match, seat, "Your wish to take back was refused; play goes on as it was."
    )
    asked = selectors.asked(match, seat.key)
    letter.lead = [asked.prompt]
    return letter


def kept_dropped(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    letter = match_letter(
        "kept-dropped", match, seat, "An order you had kept could not be played; the rest was dropped."
    )
    letter.quoted = [Quoted(str(payload.get("order", "")), "dropped", str(payload.get("why", "")))]
    letter.lead = ["The question it was meant for comes in a mail of its own, if it still waits for you."]
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

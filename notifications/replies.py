"""Letters that answer something a person wrote, and those that ask whether it was them."""

from typing import Any

from django.conf import settings

from games.ledger import claims, mailboxes, selectors, telling
from notifications import addresses, clockwords, letters
from notifications.ballot import LetteredLine
from notifications.letters import Letter, Quoted, Skip, add_question, match_letter, result, sides, until
from notifications.models import InboundMail, Invitation, Saying
from notifications.plain import ascii_only


def says(match: Any, seat: Any) -> list[Saying]:
    """What the others said and this seat has not been told."""
    if seat.muted:
        return []
    rows = Saying.objects.filter(match_id=match.pk).exclude(seat=seat.key).order_by("pk")
    return [row for row in rows if seat.key not in row.told][:20]


def add_says(letter: Letter, match: Any, seat: Any) -> None:
    names = {row["key"]: row["player"] or row["name"] for row in selectors.summary(match)["seats"]}
    heard = says(match, seat)
    letter.says = [(names[row.seat], row.text, clockwords.weekday(seat.user, row.created_at)) for row in heard]
    letter.heard = [row.pk for row in heard]


def heard(letter: Letter, seat: str) -> None:
    for number in letter.heard:
        heard_by(number, seat)


def heard_by(number: int, seat: str) -> None:
    for row in Saying.objects.filter(pk=number):
        row.told = sorted({*row.told, seat})
        row.save(update_fields=["told"])


def _answering(letter: Letter, payload: dict[str, Any]) -> Letter:
    if payload.get("subject"):
        letter.subject = ascii_only(payload["subject"])[:150]
    letter.in_reply_to = str(payload.get("in_reply_to", ""))
    letter.headers = {**letter.headers, "Auto-Submitted": "auto-replied"}
    return letter


def ack(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    """Every line read as an order comes back with what became of it; then the next question, if any."""
    if payload.get("ended") and match.status == "over":
        return _last_ack(match, seat, payload)
    if any(line.get("numbered") for line in payload.get("lines", [])) and seat.mailed_seq < match.head_seq:
        payload = _without_readings(payload)  # the match has moved on meanwhile: this mail prints the new options
    asked = selectors.asked(match, seat.key)
    headline = payload.get("headline") or "Here is what you asked for."
    letter = match_letter("ack", match, seat, headline)
    letter.quoted = _lines(payload)
    letter.paragraphs = [list(payload.get("words", []))] if payload.get("words") else []
    # The position again only where it is new to the seat and asks it something, or was asked for.
    brief = not payload.get("full") and (seat.mailed_seq >= match.head_seq or not asked.asked)
    add_question(letter, match, seat, picture=not payload.get("full"), brief=brief)
    if payload.get("late"):
        letter.places = []
    if payload.get("choices"):
        letter.letters_title = str(payload.get("choices_title", ""))
        letter.lettered = [
            LetteredLine(str(line["letter"]), tuple(line["orders"])) for line in payload.get("choices", [])
        ]
    elif payload.get("repair"):
        letter.lettered = []  # letters would mean the suggestions
    letter.lead = [f"Now: {asked.prompt}", *until(match, seat)] if asked.asked else [asked.prompt]
    letter.buttons = [
        str(number) for line in letter.quoted if line.numbered for number, _ in enumerate(line.nearest, 1)
    ]
    if letter.buttons:  # a number means a reading then, and nothing else
        letter.ballot, letter.more, letter.template = [], "", ""
    return _answering(_with_repair(letter, match, seat, payload), payload)


def _without_readings(payload: dict[str, Any]) -> dict[str, Any]:
    lines = [{**line, "nearest": [], "numbered": False} for line in payload["lines"]]
    return {**payload, "lines": lines, "words": [], "repair": 0}


def opened(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    """The first mail of a match; to who opened it by mail it is the answer as well."""
    letter = letters.opened(match, seat)
    if not payload.get("inbound"):
        return letter
    if payload.get("words"):
        letter.paragraphs.insert(0, list(payload["words"]))
    return _answering(letter, {**payload, "subject": ""})


def _last_ack(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    """One person, one mail: what the orders did that ended the match, and its result."""
    letter = result(match, seat)
    letter.lead = [*letter.lead, str(payload.get("headline", ""))]
    letter.quoted = _lines(payload)
    if payload.get("words"):
        letter.paragraphs.insert(0, list(payload["words"]))
    return _answering(letter, {**payload, "subject": ""})


def _lines(payload: dict[str, Any]) -> list[Quoted]:
    return [
        Quoted(
            str(line["text"]), str(line["status"]), str(line["why"]), tuple(line["nearest"]), bool(line.get("numbered"))
        )
        for line in payload.get("lines", [])
    ]


def _with_repair(letter: Letter, match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    """The answer's own address, so that `ok` means what this mail offers."""
    number = int(payload.get("repair") or 0)
    if number:
        letter.reply_to = addresses.reply_address(
            match.pk, seat.key, match.head_seq, seat.link_key, seat.user_id, number
        )
    return letter


def nothing(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    letter = match_letter("nothing", match, seat, "I found no order in your mail. Nothing was done.")
    read = payload.get("read", [])
    if read:
        letter.lead = ["What I read as new text (the quoted part does not count):"]
        letter.quoted = [Quoted(str(line), "not read") for line in read]
    elif payload.get("problem"):
        letter.lead = [f"I could not read it: {payload['problem']}. Write it as plain text."]
    elif payload.get("subject_only"):
        letter.lead = ["Your mail was empty; a subject is not read as an order. It was:"]
        letter.quoted = [Quoted(str(payload["subject_only"]), "not read")]
    elif payload.get("attachments"):
        letter.lead = ["I cannot read attachments; write it in the mail."]
    else:
        letter.lead = ["Your mail was empty."]
    advice = ["If that was for the others, put   say   in front of it, or reply just   ok ."] if read else []
    if payload.get("subject_only"):
        advice.append("If you meant it as an order, reply   ok .")
    if payload.get("unread"):
        advice.append(f"Reading stops at a signature; below it stood: {' / '.join(payload['unread'])}")
    letter.paragraphs = [advice] if advice else []
    asked = selectors.asked(match, seat.key)
    add_question(letter, match, seat, picture=False, brief=seat.mailed_seq >= match.head_seq)
    if letter.ballot:
        letter.paragraphs.append([f"If you meant to order: {asked.prompt}", *until(match, seat)])
    if payload.get("repair"):
        letter.lettered = []
    return _answering(_with_repair(letter, match, seat, payload), payload)


def said(match: Any, seat: Any) -> Letter:
    """What another seat wanted to be heard at once; the words are added like any other talk."""
    if not says(match, seat):
        raise Skip("told already, or muted")
    names = {row["key"]: row["player"] or row["name"] for row in selectors.summary(match)["seats"]}
    letter = match_letter("said", match, seat, f"{names[says(match, seat)[-1].seat]} writes to you.")
    add_says(letter, match, seat)
    asked = selectors.asked(match, seat.key)
    letter.lead = [asked.prompt, *until(match, seat)]
    letter.paragraphs = [["Reply   say   and your words; orders are better an answer to the last mail that asked you."]]
    return letter


def claim(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    """A rules dispute, or the ruling on it."""
    row = claims.claim_get(int(payload.get("claim", 0)))
    if row is None:
        raise Skip("there is no such claim")
    names = {part["key"]: part["name"] for part in selectors.summary(match)["seats"]}
    ruled = row.status == "answered"
    headline = (
        f"The host has ruled on claim {row.number}."
        if ruled
        else f"{names[row.seat]} claims that entry {row.entry} breaks the rules."
    )
    letter = match_letter("claim", match, seat, headline)
    entry = telling.entry_words(match, seat.key, row.entry)
    if entry is not None:
        letter.happened_title = "The entry"
        letter.happened = [f"{entry['seq']} {entry['notation']}. {' '.join(entry['news'])}".strip()]
    letter.paragraphs = [[f'The claim: "{row.text}"']]
    letter.paragraphs += [[f'The ruling: "{row.answer}"']] if ruled else []
    letter.lead = ["You need do nothing." if ruled else "The position is kept, the host decides, and play goes on."]
    return letter


def fresh(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    """The present position with valid addresses."""
    asked = selectors.asked(match, seat.key)
    letter = match_letter("fresh", match, seat, asked.prompt)
    letter.lead = [
        str(payload.get("why", "")),
        *until(match, seat),
        f"Match {match.pk}, {letter.game}. {sides(match, seat)}",
    ]
    add_question(letter, match, seat)
    return letter


def stranger(match: Any, seat: Any) -> Letter:
    letter = match_letter("stranger", match, seat, "Somebody else wrote to your seat's address; nothing was done.")
    letter.lead = [
        "If you forwarded a mail, that is all. If not: reply   address rotate   and old addresses stop working."
    ]
    return letter


def confirm(row: Any, match: Any | None, seat: Any | None) -> Letter:
    """Asks the proved address whether a doubtful mail was its own."""
    first = InboundMail.objects.filter(pk=row.payload.get("inbound"), state="doubtful").first()
    if first is None:
        raise Skip("confirmed already")
    headline = "Was this mail from you? It has not been played."
    letter = match_letter("confirm", match, seat, headline) if match else Letter("confirm", headline, headline)
    letter.quoted = [Quoted(str(line), "waits") for line in row.payload.get("lines", []) if str(line).strip()]
    letter.lead = [f"It carried your address, but its origin is not proved ({row.payload.get('why', '')})."]
    letter.reply_to = addresses.numbered_address("confirm", first.pk)
    seal = letter.reply_to.partition("@")[0].partition(".")[2]
    link = f"{settings.PUBLIC_URL}/mail/confirm/{first.pk}/{seal}/"
    letter.buttons = ["yes"]
    letter.paragraphs = [["Reply   yes   to this mail and it is played, or open this page and press the button:"]]
    letter.foot, letter.page = [link, "If it was not you, do nothing."], link
    return letter


def invitation(row: Any) -> tuple[Letter, str]:
    """To somebody who may not know us; the address comes with it."""
    found = Invitation.objects.select_related("host").filter(pk=row.payload.get("invitation"), status="open").first()
    if found is None:
        raise Skip("the invitation is no longer open")
    game = selectors.ruleset(found.ruleset)
    names = {seat["key"]: seat["name"] for seat in game["seats"]}
    who = found.host.username
    until = f"{found.expires_at:%a} {found.expires_at.day} {found.expires_at:%b}"
    letter = Letter(
        kind="invitation",
        subject=f"{who} invites you to a game by mail: {game['title']}"[:70],
        headline=f"{who} asks you to play {game['title']} by mail.",
        game=game["title"],
        lead=[
            f"Answer by {until}: reply with the single word   accept   or   decline",
            f"You would be {names[found.guest_seat]}; {who} is {names[found.host_seat]}.",
            f"Pace: {clockwords.pace(found.clock_hours, found.bank_hours)}.",
            *(
                ["Nights, days off and vacation do not count once you set them: set quiet 22-07"]
                if found.clock_hours
                else []
            ),
            "You need no account, no program, no web page.",
        ],
        says=[(who, found.words, "")] if found.words else [],
        foot=[
            f"Your address came from {who}. If you do nothing, you hear no more. Never again from anybody: reply "
            '"stop". accept proves this address is yours and agrees to the house rules (reply "rules" to read them).'
        ],
        reply_to=addresses.numbered_address("invitation", found.pk),
        buttons=["accept", "decline"],
    )
    if row.payload.get("again"):
        letter.headline = "I read neither accept nor decline. Which?"
    if row.payload.get("rules"):
        from notifications.inbound.lookups import HOUSE_RULES

        letter.headline, letter.paragraphs = "The house rules", [list(HOUSE_RULES)]
    return letter, found.email


def address(row: Any) -> tuple[Letter, str]:
    """Asks a further address of a person to prove itself; it comes with the letter."""
    found = mailboxes.address_get(int(row.payload.get("address", 0)))
    if found is None or found.verified_at:
        raise Skip("nothing left to prove")
    reply_to = addresses.numbered_address("address", found.pk)
    link = f"{settings.PUBLIC_URL}/mail/address/{found.pk}/{mailboxes.seal(found)}/"
    letter = Letter(
        kind="address",
        subject="Is this your address? Fallujah Server",
        headline=f"{found.user.username} wants to play from this address too.",
        lead=["If that is you: reply   yes   to this mail, or open this page and press the button:"],
        foot=[link, "If it was not you, do nothing: you will hear no more."],
        page=link,
        reply_to=reply_to,
    )
    return letter, found.email


def answer(row: Any) -> Letter:
    """Words to a person about no match."""
    words = list(row.payload.get("words", []))
    headline = words.pop(0) if words and len(words[0]) <= 120 else "Here is what you asked for." if words else "Done."
    letter = Letter("answer", "Fallujah Server", headline, paragraphs=[words] if words else [])
    letter.foot = ["Reply help for what you can write."]
    letter.reply_to = addresses.from_address()
    return _answering(letter, row.payload)

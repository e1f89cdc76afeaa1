"""Letters that answer something a person wrote, and those that ask whether it was them."""

from typing import Any

from django.conf import settings

from games.ledger import selectors
from notifications import addresses
from notifications.letters import Letter, Quoted, Skip, add_question, match_letter, sides, until
from notifications.models import InboundMail, Invitation, Saying
from notifications.plain import ascii_only


def says(match: Any, seat: Any) -> list[Saying]:
    """What the others said and this seat has not been told."""
    rows = Saying.objects.filter(match_id=match.pk).exclude(seat=seat.key).order_by("pk")
    return [row for row in rows if seat.key not in row.told][:20]


def add_says(letter: Letter, match: Any, seat: Any) -> None:
    names = {row["key"]: row["player"] or row["name"] for row in selectors.summary(match)["seats"]}
    heard = says(match, seat)
    letter.says = [(names[row.seat], row.text) for row in heard]
    letter.heard = [row.pk for row in heard]


def heard(letter: Letter, seat: str) -> None:
    for row in Saying.objects.filter(pk__in=letter.heard):
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
    asked = selectors.asked(match, seat.key)
    headline = payload.get("headline") or "Here is what you asked for."
    letter = match_letter("ack", match, seat, headline)
    letter.quoted = [
        Quoted(str(line["text"]), str(line["status"]), str(line["why"]), tuple(line["nearest"]))
        for line in payload.get("lines", [])
    ]
    letter.paragraphs = [list(payload.get("words", []))] if payload.get("words") else []
    add_question(letter, match, seat)
    letter.lead = [f"Now: {asked.prompt}", *until(match, seat)] if asked.asked else [asked.prompt]
    return _answering(_with_repair(letter, match, seat, payload), payload)


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
    elif payload.get("attachments"):
        letter.lead = ["I cannot read attachments; write it in the mail."]
    else:
        letter.lead = ["Your mail was empty."]
    advice = ["If that was for the others, put   say   in front of it, or reply just   ok ."] if read else []
    if payload.get("unread"):
        advice.append(f"Reading stopped at your signature; below it stood: {' / '.join(payload['unread'])}")
    letter.paragraphs = [advice] if advice else []
    add_question(letter, match, seat, picture=False)
    return _answering(_with_repair(letter, match, seat, payload), payload)


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


def bounced(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    about = selectors.summary(match)
    who = next(
        (row["player"] or row["name"] for row in about["seats"] if row["key"] == payload.get("seat")), "A player"
    )
    letter = match_letter("bounced", match, seat, f"{who}'s mail does not arrive.")
    letter.lead = [
        f"The mail host said: {payload.get('why', '')}",
        "You need do nothing; what you say is kept for them.",
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
            "There is no clock. You need no account, no program, no web page.",
        ],
        says=[(who, found.words)] if found.words else [],
        foot=[
            f"Your address came from {who}. If you do nothing, you hear no more. Never again from anybody: reply "
            '"stop". accept proves this address is yours and agrees to the house rules (reply "rules" to read them).'
        ],
        reply_to=addresses.numbered_address("invitation", found.pk),
    )
    if row.payload.get("again"):
        letter.headline = "I read neither accept nor decline. Which?"
    if row.payload.get("rules"):
        from notifications.inbound.commands import HOUSE_RULES

        letter.headline, letter.paragraphs = "The house rules", [list(HOUSE_RULES)]
    return letter, found.email


def answer(row: Any) -> Letter:
    """Words to a person about no match."""
    words = list(row.payload.get("words", []))
    letter = Letter(
        "answer", "Fallujah Server", words[0] if words else "Done.", paragraphs=[words[1:]] if words[1:] else []
    )
    letter.foot = ["Reply help for what you can write."]
    letter.reply_to = addresses.from_address()
    return _answering(letter, row.payload)

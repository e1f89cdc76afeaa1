"""Commands by mail about a person's own time and wishes: set, vacation, snooze, deputy, silence."""

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils import timezone

from games.kernel.errors import GameError
from games.ledger import absence, deputies, invitations, outbox, people, personal, stops, timing
from games.ledger.calendar import local
from games.ledger.datewords import bad, read_dates, said
from notifications import addresses, clockwords
from notifications.digest import RECEIPT
from notifications.inbound.language import Item
from notifications.inbound.message import Mail
from notifications.inbound.quotes import NewText
from notifications.models import DeputyOffer

if TYPE_CHECKING:
    from notifications.inbound.commands import Answer
    from notifications.inbound.handle import Person

ABOUT_PERSON = frozenset({"set", "vacation", "unsubscribe", "subscribe"})
ABOUT_SEAT = frozenset({"snooze", "deputy", "absent"})
DEPUTY_DAYS = 30
MOST_OFFERS = 3  # open, of one seat
_OK = frozenset({"ok", "kept", "passed over"})


def about_person(person: "Person", item: Item, answer: "Answer") -> None:
    """What concerns no match in particular."""
    user = person.user
    if item.command == "set":
        _set(user, item.argument, answer)
    elif item.command == "vacation":
        _vacation(user, item.argument, answer)
    elif item.command == "subscribe":
        people.notices_start(user=user)
        answer.say("Notices come by mail again.")
    else:
        people.notices_end(user=user)
        for text in silence_words():
            answer.say(text)
    answer.acted = True


def silence_words() -> list[str]:
    return [
        "You get no more notices by mail.",
        "Your matches and their clocks go on: look at the page now and then. Who writes still gets an answer.",
        "To get notices again reply   subscribe .",
    ]


def _set(user: Any, argument: str, answer: "Answer") -> None:
    """`set` lists, `set quiet 22-07` changes; the name may have two words."""
    words = argument.replace("=", " ").split()
    if not words:
        answer.say("Your settings; change one with   set <name> <value> :")
        for name, value in personal.settings_said(user).items():
            answer.say(f"set {name} {value}")
        for first, last in personal.vacations(user):
            answer.say(f"vacation {said(first)} - {said(last)}")
        return
    two, one = " ".join(words[:2]).lower(), words[0].lower()
    name, rest = (two, words[2:]) if two in personal.NAMES else (one, words[1:])
    if name not in personal.NAMES:
        known = ", ".join(personal.settings_said(user))
        raise bad(f"There is no setting {words[0]!r}; there are {known}.")
    if not rest:
        raise bad(f"Write the value too, such as: set {name} {personal.settings_said(user).get(name, 'on')}")
    changed = personal.settings_change(user=user, changes={personal.NAMES[name]: " ".join(rest)})
    field = personal.NAMES[name]
    shown = next((key for key in personal.settings_said(changed) if personal.NAMES[key] == field), name)
    answer.say(f"Done: {shown} is {personal.settings_said(changed).get(shown, 'changed')} now.")


def _vacation(user: Any, argument: str, answer: "Answer") -> None:
    if argument.strip().lower() in ("off", "end", "over", "cancel"):
        personal.vacation_end(user=user)
        answer.say("Welcome back: your vacation is over, your clocks run again, the others are told.")
        return
    if not argument.strip():
        known = [f"{said(first)} - {said(last)}" for first, last in personal.vacations(user)]
        left = personal.days_left(user, personal.today(user).year)
        answer.say(f"Vacation set: {', '.join(known)}." if known else "You have no vacation set.")
        answer.say(f"{left} of {personal.VACATION_DAYS} days of this year are left. vacation 3 Mar - 9 Mar sets one.")
        return
    first, last = read_dates(argument, personal.today(user))
    personal.vacation_set(user=user, first=first, last=last)
    first = max(first, personal.today(user))
    answer.say(f"Vacation {said(first)} - {said(last)}: your clocks stand still on these days; the others are told.")
    answer.say("vacation off   ends it. Mails still come; you may answer any of them.")


# --- about a seat ------------------------------------------------------------------------------------------


def about_seat(person: "Person", match_id: int, seat: str, item: Item, answer: "Answer") -> None:
    if item.command == "snooze":
        found = re.fullmatch(r"(\d{1,3})\s*(?:h|hours?|hrs?)?", item.argument.strip() or "12", re.IGNORECASE)
        hours = int(found[1]) if found else 0
        until = stops.snooze(match_id=match_id, seat=seat, user=person.user, hours=hours)
        answer.say(f"You have {hours} h more, until {clockwords.moment(person.user, until)}. It costs nothing.")
    elif item.command == "absent":
        _absent(person, match_id, seat, item.argument, answer)
    else:
        _deputy(person, match_id, seat, item.argument, answer)
    answer.acted = True


def _absent(person: "Person", match_id: int, seat: str, argument: str, answer: "Answer") -> None:
    wish = argument.strip().lower()
    if wish == "bot":
        bot = absence.absent_bot(match_id=match_id, seat=seat, user=person.user)
        answer.headline(match_id, seat, f"The bot {bot} plays on for them.")
    elif wish == "draw":
        absence.absent_draw(match_id=match_id, seat=seat, user=person.user)
        answer.headline(match_id, seat, "The match has ended as drawn.")
    else:
        raise bad("Write   absent bot   or   absent draw .")


def _deputy(person: "Person", match_id: int, seat: str, argument: str, answer: "Answer") -> None:
    """`deputy <address> [dates]`, `deputy off`."""
    address, _, dates = argument.strip().partition(" ")
    if address.lower() in ("off", "none", ""):
        ended = deputies.deputy_end(match_id=match_id, seat=seat, user=person.user)
        open_ones = DeputyOffer.objects.filter(match_id=match_id, seat=seat, host=person.user, status="open")
        ended = bool(open_ones.update(status="cancelled")) or ended
        if not ended:
            raise bad("You have no deputy. Write: deputy <address> 3 Mar - 9 Mar")
        answer.say("You have no deputy any more.")
        return
    email = address.lower().strip("<>,;")
    _may_ask(person, match_id, seat, email)
    begins, ends = _dates(person.user, dates)
    row = DeputyOffer.objects.create(
        host=person.user, email=email, match_id=match_id, seat=seat, first=begins, until=ends
    )
    outbox.tell_user(None, "deputy-offer", {"offer": row.pk})
    until = clockwords.moment(person.user, ends)
    answer.say(
        f"{email} is asked to stand in for you until {until}. They must accept by mail; deputy off withdraws it."
    )


def _dates(user: Any, text: str) -> tuple[datetime, datetime]:
    now, calendar = timezone.now(), timing.calendar_of(user)
    if not text.strip():
        return now, now + timedelta(days=DEPUTY_DAYS)
    first, last = read_dates(text, personal.today(user))
    after = last + timedelta(days=1)
    begins = max(now, local(calendar, datetime(first.year, first.month, first.day)))
    ends = local(calendar, datetime(after.year, after.month, after.day))
    if ends <= now or ends - begins > timedelta(days=2 * DEPUTY_DAYS):
        raise bad(f"A deputy stands in for at most {2 * DEPUTY_DAYS} days, from today on.")
    return begins, ends


def _may_ask(person: "Person", match_id: int, seat: str, email: str) -> None:
    try:
        validate_email(email)
    except ValidationError:
        raise bad(f"{email} is not a mail address. Write: deputy <address> 3 Mar - 9 Mar") from None
    if email.rpartition("@")[2] == addresses.host() or email == person.user.email.lower():
        raise bad("A deputy is another person, with an address of their own.")
    if invitations.refuses(email):
        raise bad("That address wants no mail from here.")
    deputies.must_hold(match_id=match_id, seat=seat, user=person.user)
    mine = DeputyOffer.objects.filter(host=person.user, created_at__gt=timezone.now() - timedelta(days=1))
    if mine.count() >= MOST_OFFERS:
        raise bad(f"You can ask {MOST_OFFERS} deputies a day; try again tomorrow.")


def deputy_answer(number: int, mail: Mail, new: NewText) -> str:
    """What somebody who was asked to stand in wrote: only that address can answer."""
    row = DeputyOffer.objects.select_for_update().filter(pk=number).first()
    if row is None or mail.sender != row.email.lower() or mail.odd_sender:
        return "not from the address that was asked"
    if row.status != "open" or row.until <= timezone.now():
        return f"the offer is {row.status}"
    said_words = next((line.strip() for line in new.lines if line.strip()), mail.subject.strip())
    word = re.split(r"[\s.,!:]+", said_words.lower())[0]
    if word in ("decline", "no", "stop"):
        DeputyOffer.objects.filter(pk=row.pk).update(status="declined")
        outbox.tell_user(row.host, "answer", {"words": [f"Your deputy for match {row.match_id} declined."]})
        return "declined"
    if word not in ("accept", "yes"):
        outbox.tell_user(None, "deputy-offer", {"offer": row.pk, "again": True})
        return "neither accept nor decline"
    guest = people.guest_register(email=row.email)
    try:
        deputies.deputy_set(
            match_id=row.match_id, seat=row.seat, user=row.host, deputy=guest, first=row.first, until=row.until
        )
    except GameError as error:
        DeputyOffer.objects.filter(pk=row.pk).update(status="cancelled")
        outbox.tell_user(guest, "answer", {"words": [error.text]})
        return error.text
    DeputyOffer.objects.filter(pk=row.pk).update(status="accepted")
    thanks = f"Thank you: you stand in in match {row.match_id}. Its mails come to you when that seat is asked."
    outbox.tell_user(guest, "answer", {"words": [thanks]})
    outbox.tell_user(row.host, "answer", {"words": [f"Your deputy for match {row.match_id} has accepted."]})
    return f"deputy of match {row.match_id}"


# --- acknowledgements --------------------------------------------------------------------------------------


def needs_no_ack(user: Any, told: Any, words: list[str], asked: bool) -> bool:
    """`set ack errors`: all went well, nothing new is told and no question follows."""
    if user.acks != "errors" or asked or not told.lines or told.repair:
        return False
    return all(line.status in _OK for line in told.lines) and all(map(RECEIPT.match, words))

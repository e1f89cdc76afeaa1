"""Opening matches by mail: alone, against bots, or with somebody who may never have heard of us."""

import re
from typing import Any

import msgspec
from django.utils import timezone

from games.kernel.errors import BadSetup, GameError
from games.kernel.notation import find
from games.ledger import invitations, outbox, people, selectors, services
from notifications import addresses, clockwords
from notifications.inbound.message import Mail
from notifications.inbound.quotes import NewText
from notifications.models import Invitation, Refusal

_NEW = re.compile(
    r"^(?P<game>[\w .-]+?)(?:\s+(?:vs|v|against)\s+(?P<foe>\S+(?:\s+(?!side\b|pace\b)[a-z_]+)?))?"
    r"(?:\s+side\s+(?P<side>[\w-]+))?(?P<rest>(?:\s+[\w-]+=\S+|\s+pace\s+\w+)*)$",
    re.IGNORECASE,
)


class Done(msgspec.Struct, frozen=True):
    """What came of a wish: words for the answer, or a match whose first mail is the answer."""

    words: str = ""
    opened: int | None = None


def new(user: Any, argument: str, said: str, salt: str = "") -> Done:
    """`new <game> [vs <address>|vs bot [key]] [side <seat>] [option=value ..]`"""
    found = _NEW.match(" ".join(argument.split()))
    if found is None:
        raise GameError("Write: new <game> vs <address> side <seat>, or new <game> vs bot.", code="unreadable")
    game = find(found["game"], selectors.rulesets(), lambda row: (row["key"], row["title"], row["tag"]), "game")
    clock, rest = _clock(found["rest"] or "")
    options = _options(game, rest)
    side = (
        find(found["side"], game["seats"], lambda row: (row["key"], row["name"]), "side")["key"]
        if found["side"]
        else None
    )
    foe = (found["foe"] or "").strip()
    if "@" in foe:
        return Done(_invite(user, game, options, side, foe.lower().strip("<>"), said, clock, salt))
    others = [seat["key"] for seat in game["seats"] if seat["key"] != (side or game["seats"][0]["key"])]
    if not others:
        match = services.match_create(user=user, ruleset=game["key"], options=options, salt=salt, **clock)
        return Done(opened=match.pk)
    if not foe.lower().startswith("bot"):
        match = services.match_create(user=user, ruleset=game["key"], options=options, seat=side, salt=salt, **clock)
        return Done(f"Match {match.pk} of {game['title']} waits for somebody to join.")
    wanted = foe.split()[1] if len(foe.split()) > 1 else ""
    fitting = [bot["key"] for bot in game["bots"] if not bot["seats"] or set(others) <= set(bot["seats"])]
    key = wanted or next((bot for bot in fitting if bot != "random"), "random")
    match = services.match_create(
        user=user, ruleset=game["key"], options=options, seat=side, bots=dict.fromkeys(others, key), salt=salt, **clock
    )
    return Done(opened=match.pk)


Clock = dict[str, Any]  # clock_hours and bank_hours, as services.match_create takes them


def _clock(rest: str) -> tuple[Clock, str]:
    """`pace daily`, or `clock=24 bank=120`; and what is left of the line."""
    clock: Clock = {"clock_hours": None, "bank_hours": 0}
    if pace := re.search(r"\s+pace\s+(\w+)", rest, re.IGNORECASE):
        if pace[1].lower() not in clockwords.PACES:
            raise BadSetup(
                f"There is no pace {pace[1]}; there are {', '.join(clockwords.PACES)}, or clock=24 bank=120."
            )
        clock["clock_hours"], clock["bank_hours"] = clockwords.PACES[pace[1].lower()]
        rest = rest.replace(pace[0], "")
    for word, field in (("clock", "clock_hours"), ("bank", "bank_hours")):
        if given := re.search(rf"\s+{word}=(\S+)", rest, re.IGNORECASE):
            hours = re.fullmatch(r"(\d{1,5})h?", given[1], re.IGNORECASE)
            if hours is None:
                raise BadSetup(f"{word} is a number of hours, such as {word}=24.")
            clock[field] = int(hours[1])
            rest = rest.replace(given[0], "")
    services.check_clock(**clock)
    return clock, rest


def _options(game: dict[str, Any], rest: str) -> dict[str, Any]:
    given = dict(re.findall(r"([\w-]+)=(\S+)", rest))
    known = {option["key"]: option for option in game["options"]}
    chosen = {}
    for key, value in given.items():
        if key not in known:
            raise BadSetup(f"{game['title']} has no option {key}; it has {', '.join(known) or 'none'}.")
        offered = {str(choice).lower(): choice for choice in known[key]["choices"]}
        if value.lower() not in offered:
            raise BadSetup(f"Option {key} cannot be {value}; choose one of {', '.join(offered)}.")
        chosen[key] = offered[value.lower()]
    return chosen


def _invite(
    user: Any,
    game: dict[str, Any],
    options: dict[str, Any],
    side: str | None,
    email: str,
    said: str,
    clock: Clock,
    salt: str = "",
) -> str:
    if addresses.read_door(email.partition("@")[0]):
        raise GameError("That is me. I offer bots: new <game> vs bot.", code="bad-setup")
    if len(game["seats"]) != 2:
        raise GameError(
            f"{game['title']} has {len(game['seats'])} seat; nobody can be invited to it.", code="bad-setup"
        )
    own = side or game["seats"][0]["key"]
    guest = next(seat["key"] for seat in game["seats"] if seat["key"] != own)
    row = invitations.offer(
        user=user, ruleset=game["key"], options=options, host_seat=own, guest_seat=guest, email=email, words=said,
        salt=salt, **clock,
    )  # fmt: skip
    name = next(seat["name"] for seat in game["seats"] if seat["key"] == own)
    until = f"{row.expires_at:%a} {row.expires_at.day} {row.expires_at:%b}"
    return (
        f"Invitation {row.pk} is on its way to {email}. Open until {until}; cancel {row.pk} withdraws it. You: {name}, "
        f"pace: {clockwords.pace(row.clock_hours, row.bank_hours)}."
        + (f' Your salt: "{row.host_salt}".' if row.host_salt else "")
    )


def salt(user: Any, words: str) -> str:
    """`salt <words>` by itself, while the other side thinks it over."""
    row = invitations.salt_set(user=user, words=words)
    return f'Your salt "{row.host_salt}" waits with invitation {row.pk}; it is part of the dice from the first roll on.'


def cancel(user: Any, argument: str) -> str:
    number = int(argument) if argument.isdigit() else 0
    if not Invitation.objects.filter(pk=number, host=user, status="open").update(status="cancelled"):
        raise GameError(f"You have no open invitation {argument}.", code="not-found")
    return f"Invitation {number} is withdrawn."


def answer(number: int, mail: Mail, new_text: NewText) -> str:
    """What the invited person wrote: only that address can answer."""
    row = Invitation.objects.select_for_update().filter(pk=number).first()
    if row is None or mail.sender != row.email.lower() or mail.odd_sender:
        return "not from the invited address"
    if row.status != "open" or row.expires_at < timezone.now():
        return f"the invitation is {row.status}"
    lines = [line.strip() for line in new_text.lines if line.strip()]
    said = lines[0] if lines else mail.subject.strip()
    word = re.split(r"[\s.,!:]+", said.lower())[0]
    salt = next((line[5:].strip() for line in lines[1:] if line.lower().startswith("salt ")), "")
    if word == "stop":
        Refusal.objects.get_or_create(fingerprint=invitations.fingerprint(row.email))
        Invitation.objects.filter(pk=row.pk).update(status="declined")
        return "no more invitations to this address"
    if word == "decline":
        invitations.decline(row, said.partition(" ")[2].strip()[:500])
        return "declined"
    if word == "accept":
        words = said.partition(" ")[2].strip()[:500]
        told = next((line[4:].strip() for line in lines[1:] if line.lower().startswith("say ")), words)
        return accept(row, salt, told)
    outbox.tell_user(None, "invitation", {"invitation": row.pk, "again": True, "rules": word == "rules"})
    return "neither accept nor decline"


def accept(row: Invitation, salt: str = "", said: str = "") -> str:
    """The guest becomes a person here and takes the seat."""
    try:
        match = invitations.seat_guest(row, people.guest_register(email=row.email), salt=salt, said=said)
    except GameError as refusal:
        return refusal.text
    return f"accepted: match {match.pk}"


def rematch(user: Any, match_id: int, seat: str) -> Done:
    """The same again with sides changed: at once against bots, by invitation with a person."""
    match = selectors.match_get(match_id, user)
    if match.status != "over":
        raise GameError(f"Match {match_id} is not over yet.", code="not-over")
    seats = list(match.seats.all())
    game = selectors.ruleset(match.ruleset)
    clock: Clock = {"clock_hours": match.clock_hours, "bank_hours": match.bank_hours}
    other = next((row for row in seats if row.key != seat and row.user_id), None)
    if other is not None and other.user is not None and len(seats) == 2:
        said = _invite(user, game, dict(match.options), other.key, other.user.email.lower(), "", clock)
        return Done(re.sub(r" to \S+@[^\s.]+(?:\.[^\s.]+)*", "", said))  # nobody learns another's address
    bots = {row.key: row.bot for row in seats if row.bot}
    again = services.match_create(
        user=user, ruleset=match.ruleset, options=dict(match.options), seat=seat, bots=bots, **clock
    )
    return Done(opened=again.pk)

"""Opening matches by mail: alone, against bots, or with somebody who may never have heard of us."""

import hashlib
import re
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils import timezone

from games.kernel.errors import BadSetup, GameError
from games.kernel.notation import find
from games.ledger import outbox, people, selectors, services
from notifications import addresses
from notifications.inbound.message import Mail
from notifications.inbound.quotes import NewText
from notifications.models import Invitation, Refusal, Saying

OPEN_DAYS = 7
MOST_OPEN = 10
MOST_STRANGERS_A_DAY = 3
_NEW = re.compile(
    r"^(?P<game>[\w .-]+?)(?:\s+(?:vs|v|against)\s+(?P<foe>\S+(?:\s+(?!side\b|pace\b)[a-z_]+)?))?"
    r"(?:\s+side\s+(?P<side>[\w-]+))?(?P<rest>(?:\s+[\w-]+=\S+|\s+pace\s+\w+)*)$",
    re.IGNORECASE,
)


def new(user: Any, argument: str, said: str) -> str:
    """`new <game> [vs <address>|vs bot [key]] [side <seat>] [option=value ..]`"""
    found = _NEW.match(" ".join(argument.split()))
    if found is None:
        raise GameError("Write: new <game> vs <address> side <seat>, or new <game> vs bot.", code="unreadable")
    game = find(found["game"], selectors.rulesets(), lambda row: (row["key"], row["title"], row["tag"]), "game")
    options = _options(game, found["rest"] or "")
    side = (
        find(found["side"], game["seats"], lambda row: (row["key"], row["name"]), "side")["key"]
        if found["side"]
        else None
    )
    foe = (found["foe"] or "").strip()
    if "@" in foe:
        return _invite(user, game, options, side, foe.lower().strip("<>"), said)
    others = [seat["key"] for seat in game["seats"] if seat["key"] != (side or game["seats"][0]["key"])]
    if not others:
        match = services.match_create(user=user, ruleset=game["key"], options=options)
        return f"Match {match.pk} of {game['title']} is open; its first mail is on its way."
    if not foe.lower().startswith("bot"):
        match = services.match_create(user=user, ruleset=game["key"], options=options, seat=side)
        return f"Match {match.pk} of {game['title']} waits for somebody to join."
    wanted = foe.split()[1] if len(foe.split()) > 1 else ""
    fitting = [bot["key"] for bot in game["bots"] if not bot["seats"] or set(others) <= set(bot["seats"])]
    key = wanted or next((bot for bot in fitting if bot != "random"), "random")
    match = services.match_create(
        user=user, ruleset=game["key"], options=options, seat=side, bots=dict.fromkeys(others, key)
    )
    return f"Match {match.pk} of {game['title']} against the bot {key} is open; its first mail is on its way."


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


def _fingerprint(email: str) -> str:
    return hashlib.sha256(f"{settings.SECRET_KEY}:{email.lower()}".encode()).hexdigest()


def _invite(user: Any, game: dict[str, Any], options: dict[str, Any], side: str | None, email: str, said: str) -> str:
    _may_invite(user, game, email)
    own = side or game["seats"][0]["key"]
    guest = next(seat["key"] for seat in game["seats"] if seat["key"] != own)
    row = Invitation.objects.create(
        host=user, email=email, ruleset=game["key"], options=options, host_seat=own, guest_seat=guest,
        words=said[:2000], expires_at=timezone.now() + timedelta(days=OPEN_DAYS),
    )  # fmt: skip
    outbox.tell_user(None, "invitation", {"invitation": row.pk})
    name = next(seat["name"] for seat in game["seats"] if seat["key"] == own)
    until = f"{row.expires_at:%a} {row.expires_at.day} {row.expires_at:%b}"
    return (
        f"Invitation {row.pk} is on its way to {email}. Open until {until}; cancel {row.pk} withdraws it. You: {name}."
    )


def _may_invite(user: Any, game: dict[str, Any], email: str) -> None:
    try:
        validate_email(email)
    except ValidationError:
        raise GameError(f"{email} is not a mail address.", code="bad-setup") from None
    if email == addresses.from_address().lower() or addresses.read_door(email.partition("@")[0]):
        raise GameError("That is me. I offer bots: new <game> vs bot.", code="bad-setup")
    if email == user.email.lower():
        raise GameError("That is you. To play alone: new <game> vs bot.", code="bad-setup")
    if len(game["seats"]) != 2:
        raise GameError(
            f"{game['title']} has {len(game['seats'])} seat; nobody can be invited to it.", code="bad-setup"
        )
    if Refusal.objects.filter(fingerprint=_fingerprint(email)).exists():
        raise GameError("That address wants no invitations.", code="too-many")
    now = timezone.now()
    sent = Invitation.objects.filter(host=user)
    if sent.filter(status="open", expires_at__gt=now).count() >= MOST_OPEN:
        raise GameError(f"You have {MOST_OPEN} invitations open; cancel one first.", code="too-many")
    if sent.filter(email=email, status="declined", created_at__gt=now - timedelta(days=30)).exists():
        raise GameError("They declined within the last month; ask again later.", code="too-many")
    today = sent.filter(created_at__gt=now - timedelta(days=1))
    strangers = [row for row in today if people.user_by_address(row.email) is None]
    if people.user_by_address(email) is None and len(strangers) >= MOST_STRANGERS_A_DAY:
        raise GameError(f"You can invite {MOST_STRANGERS_A_DAY} strangers a day; try again tomorrow.", code="too-many")


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
    if word == "stop":
        Refusal.objects.get_or_create(fingerprint=_fingerprint(row.email))
        Invitation.objects.filter(pk=row.pk).update(status="declined")
        return "no more invitations to this address"
    if word == "decline":
        Invitation.objects.filter(pk=row.pk).update(status="declined")
        words = said.partition(" ")[2].strip()[:500]
        outbox.tell_user(row.host, "answer", {"words": [f"Your invitation {row.pk} was declined. {words}".strip()]})
        return "declined"
    if word == "accept":
        return accept(row)
    outbox.tell_user(None, "invitation", {"invitation": row.pk, "again": True, "rules": word == "rules"})
    return "neither accept nor decline"


def accept(row: Invitation) -> str:
    """The guest becomes a person here, and the match opens for both."""
    guest = people.guest_register(email=row.email)
    match = services.match_create(
        user=row.host, ruleset=row.ruleset, options=row.options, seat=row.host_seat, private=True
    )
    services.match_join(user=guest, match_id=match.pk, seat=row.guest_seat)
    if row.words:
        Saying.objects.create(
            match_id=match.pk, seat=row.host_seat, text=row.words, told=[row.host_seat, row.guest_seat]
        )
    Invitation.objects.filter(pk=row.pk).update(status="accepted", match_id=match.pk)
    return f"accepted: match {match.pk}"


def rematch(user: Any, match_id: int, seat: str) -> str:
    """The same again with sides changed: at once against bots, by invitation with a person."""
    match = selectors.match_get(match_id, user)
    if match.status != "over":
        raise GameError(f"Match {match_id} is not over yet.", code="not-over")
    seats = list(match.seats.all())
    game = selectors.ruleset(match.ruleset)
    other = next((row for row in seats if row.key != seat and row.user_id), None)
    if other is not None and other.user is not None and len(seats) == 2:
        said = _invite(user, game, dict(match.options), other.key, other.user.email.lower(), "")
        return re.sub(r" to \S+@[^\s.]+(?:\.[^\s.]+)*", "", said)  # nobody learns another's address
    bots = {row.key: row.bot for row in seats if row.bot}
    again = services.match_create(user=user, ruleset=match.ruleset, options=dict(match.options), seat=seat, bots=bots)
    return f"Match {again.pk} is open; its first mail is on its way."

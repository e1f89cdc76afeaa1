"""Everything the doors may look at, already cut to what the looking seat may know."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import Q, QuerySet
from django.utils import timezone

from games import catalogue
from games.bots.registry import bots_of
from games.drawing.png import to_png
from games.kernel.errors import GameError
from games.kernel.ruleset import Ruleset, Scene, View, load
from games.kernel.steps import Action, State, legal, owed, question
from games.kernel.table import News
from games.ledger import dice, replay
from games.ledger.models import Delivery, Entry, Match, Seat
from games.ledger.rehearsal import rehearse
from games.ledger.trip import Look, Trip


class Offer(msgspec.Struct, frozen=True):
    """One legal action as every door shows it."""

    number: int
    action: Action
    notation: str
    words: str
    rule: str
    odds: str


class Group(msgspec.Struct, frozen=True):
    """Actions that begin alike: how many, and the first of them."""

    stem: str
    count: int
    first: int  # its number in the whole list


class Asked(msgspec.Struct, frozen=True):
    """What a seat is asked, and all it may answer."""

    version: int
    seat: str
    asked: bool
    kind: str
    prompt: str
    facts: dict[str, Any]
    window: bool
    actions: list[Offer]
    total: int = 0  # how many there are; `actions` may be a part of them
    matching: int = 0  # how many fit the filter
    groups: list[Group] = []  # the fitting ones by verb or stem, when asked for


# --- games -----------------------------------------------------------------------------------------------


def rulesets() -> list[dict[str, Any]]:
    return [ruleset(key) for key in catalogue.all_keys()]


def ruleset(key: str) -> dict[str, Any]:
    rules = catalogue.find(key)
    setup = rules.setup()
    described = {info.key: info for info in rules.bots}
    return {
        "key": rules.key,
        "title": rules.title,
        "tag": rules.tag,
        "version": rules.version,
        "seats": [{"key": seat, "name": rules.seat_name(seat)} for seat in rules.seats(setup)],
        "options": [msgspec.to_builtins(option) for option in rules.options],
        "bots": [
            {
                "key": name,
                "words": described[name].words if name in described else "Plays any legal action.",
                "seats": list(described[name].seats) if name in described else [],
            }
            for name in sorted({*bots_of(key), *described})
        ],
        "verbs": list(rules.verbs),
    }


# --- matches ---------------------------------------------------------------------------------------------


def matches_for(
    user: Any,
    *,
    scope: str = "mine",
    status: str = "",
    ruleset: str = "",
    opponent: str = "",
    title: str = "",
    created_after: datetime | None = None,
    created_before: datetime | None = None,
) -> QuerySet[Match]:
    """`mine`: where the user holds a seat or is the owner; `open`: to be joined; `public`: to be watched."""
    rows = Match.objects.prefetch_related("seats__user").order_by("-pk")
    if scope == "mine":
        rows = rows.filter(Q(seats__user=user) | Q(owner=user)).distinct()
    elif scope == "open":
        rows = rows.filter(status=Match.Status.OPEN, private=False)
    else:
        rows = rows.filter(private=False)
    if status:
        rows = rows.filter(status=status)
    if ruleset:
        rows = rows.filter(ruleset=ruleset)
    if opponent:
        rows = rows.filter(pk__in=Seat.objects.filter(user__username__iexact=opponent).values("match_id"))
    if title:
        rows = rows.filter(title__icontains=title)
    if created_after:
        rows = rows.filter(created_at__gte=created_after)
    if created_before:
        rows = rows.filter(created_at__lt=created_before)
    return rows


def asking(rows: QuerySet[Match], user: Any) -> QuerySet[Match]:
    """Those of the matches in which the user owes an answer."""
    held = Seat.objects.filter(user=user, match__status=Match.Status.PLAYING, match__in=rows.order_by())
    mine = [match_id for match_id, key, owed in held.values_list("match_id", "key", "match__owed") if key in owed]
    return rows.filter(pk__in=mine)


def page_of(
    rows: QuerySet[Match], *, limit: int, offset: int = 0, before: int | None = None, after: int | None = None
) -> tuple[list[Match], bool, bool]:
    """Some of the matches, newest first, and whether there are newer and older ones.

    `before` and `after` are ids: pages taken by them neither repeat nor miss a match when others are opened.
    """
    if after is not None:
        page = list(rows.filter(pk__gt=after).order_by("pk")[:limit])[::-1]
    elif before is not None:
        page = list(rows.filter(pk__lt=before)[:limit])
    else:
        page = list(rows[offset : offset + limit])
    if not page:
        return [], False, False
    return page, rows.filter(pk__gt=page[0].pk).exists(), rows.filter(pk__lt=page[-1].pk).exists()


MATCH: Look[Match] = Look(lambda pk: Match.objects.filter(pk=pk))
SEATS: Look[Seat] = Look(lambda match_id: Seat.objects.select_related("user", "deputy").filter(match_id=match_id))


def _match_with_seats(match_id: int) -> Match | None:
    """The match with its seats and people at hand, in one trip."""
    trip = Trip()
    found, seats = trip.look(MATCH, match_id), trip.look(SEATS, match_id)
    trip.go()
    if not found:
        return None
    for seat in seats:
        seat.match = found[0]
    at_hand: Any = found[0].seats.get_queryset()
    at_hand._result_cache, at_hand._prefetch_done = seats, True
    found[0]._prefetched_objects_cache = {"seats": at_hand}  # type: ignore[attr-defined]
    return found[0]


def match_get(match_id: int, user: Any = None) -> Match:
    """The match, if this user may see it; a private one is not even said to exist."""
    match = _match_with_seats(match_id)
    if match is None or (match.private and user is not None and not _belongs(match, user)):
        raise GameError(f"There is no match {match_id}.", code="not-found")
    return match


def may_see(match: Match, user: Any) -> bool:
    """Whether this user may watch a match that is already at hand."""
    return not match.private or _belongs(match, user)


def _belongs(match: Match, user: Any) -> bool:
    # Somebody who is not signed in has no number, and neither has the holder of an empty seat or a bot's.
    return user.pk is not None and (
        match.owner_id == user.pk or any(seat.user_id == user.pk for seat in match.seats.all())
    )


def version_of(match_id: int) -> int | None:
    """The number of the last entry, read afresh."""
    return Match.objects.filter(pk=match_id).values_list("head_seq", flat=True).first()


def seat_of(match: Match, user: Any) -> str | None:
    """The key of the user's seat; None for a spectator."""
    if user is None or user.pk is None:
        return None
    return next((seat.key for seat in match.seats.all() if seat.user_id == user.pk), None)


def seat_get(match: Match, key: str) -> Seat:
    seat = next((seat for seat in match.seats.all() if seat.key == key), None)
    if seat is None:
        raise GameError(f"Match {match.pk} has no seat {key!r}.", code="no-such-seat")
    return seat


def seen_by(match: Match, seat: str | None) -> int:
    """The last entry a seat, or with None the public, was shown."""
    return match.public_seen_seq if seat is None else seat_get(match, seat).seen_seq


Head = tuple[int, str]  # version and status: what changes when anything happens


def heads(match_ids: Iterable[int]) -> dict[int, Head]:
    """Where many matches stand, in one query."""
    rows = Match.objects.filter(pk__in=list(match_ids)).values_list("pk", "head_seq", "status")
    return {pk: (seq, status) for pk, seq, status in rows}


def heads_of(user_ids: Iterable[int]) -> dict[int, dict[int, Head]]:
    """Where the matches of many people stand: those that are open or running, or ended this week."""
    week = timezone.now() - timedelta(days=7)
    current = Q(match__status__in=["open", "playing"]) | Q(match__ended_at__gt=week)
    rows = Seat.objects.filter(current, user_id__in=list(user_ids))
    found: dict[int, dict[int, Head]] = {}
    for user_id, pk, seq, status in rows.values_list("user_id", "match_id", "match__head_seq", "match__status"):
        found.setdefault(int(user_id or 0), {})[pk] = (seq, status)
    return found


def brief(match: Match, user: Any) -> dict[str, Any]:
    """What a notice about a match says: where it stands and whether the person is asked; no state."""
    seat = seat_of(match, user)
    return {
        "match": match.pk,
        "ruleset": match.ruleset,
        "title": match.title,
        "status": match.status,
        "version": match.head_seq,
        "seat": seat,
        "owed": match.owed,
        "asked": seat in match.owed,
    }


def seats(match: Match, user: Any) -> list[dict[str, Any]]:
    """The seats as a match tells them, with what could be done about each."""
    rules = rules_of(match)
    described = {info.key: info for info in rules.bots if not info.in_rules}
    known = sorted(bots_of(match.ruleset))

    def fitting(key: str) -> list[str]:
        return [bot for bot in known if bot not in described or not (only := described[bot].seats) or key in only]

    return [
        {
            **row,
            "free": row["player"] is None and row["bot"] is None,
            "owed": row["key"] in match.owed,
            "bots": fitting(row["key"]),
        }
        for row in summary(match, user)["seats"]
    ]


def due_at(match: Match, seat: Seat) -> datetime | None:
    """Until when the seat must answer; None when it is not asked, or no clock runs."""
    return seat.due_at if match.clock_hours else None


def summary(match: Match, user: Any = None) -> dict[str, Any]:
    """A match in a list."""
    rules = catalogue.find(match.ruleset)
    over = match.status == Match.Status.OVER
    return {
        "id": match.pk,
        "ruleset": match.ruleset,
        "ruleset_version": match.ruleset_version,
        "game": rules.title,
        "title": match.title,
        "status": match.status,
        "private": match.private,
        "clock_hours": match.clock_hours,
        "bank_hours": match.bank_hours,
        "clock_stopped": sorted(match.clock_stops),
        "options": match.options,
        "seats": [
            {
                "key": seat.key,
                "name": rules.seat_name(seat.key),
                "player": seat.user.username if seat.user else None,
                "bot": seat.bot or None,
                "you": user is not None and user.pk is not None and seat.user_id == user.pk,
                "due_at": due_at(match, seat),
                "bank_left": seat.bank_left if match.clock_hours else None,
            }
            for seat in match.seats.all()
        ],
        "version": match.head_seq,
        "owed": match.owed,
        "commitment": match.commitment,
        "head_hash": match.head_hash,
        "seed": match.seed if over else None,
        "created_at": match.created_at,
        "started_at": match.started_at,
        "ended_at": match.ended_at,
        "outcome": match.outcome,
        "fault": match.fault,
    }


# --- the position ----------------------------------------------------------------------------------------


def rules_of(match: Match) -> Ruleset:
    return catalogue.find(match.ruleset)


def must_have_started(match: Match) -> None:
    if not match.state:
        raise GameError(f"Match {match.pk} has not started: seats are still empty.", code="not-started")


def state_of(match: Match, seq: int | None = None) -> State:
    """The state, now or after an entry. Not for doors: they ask for views."""
    must_have_started(match)
    if seq is None or seq == match.head_seq:
        return load(rules_of(match), bytes(match.state))
    if not 0 <= seq <= match.head_seq:
        raise GameError(f"Match {match.pk} has entries 0 to {match.head_seq}; {seq} is not one.", code="not-found")
    return replay.state_at(match, seq)


def view(match: Match, seat: str | None, seq: int | None = None) -> View:
    """All that the seat may know. After the end the whole table lies open only as the ledger shows it."""
    return rules_of(match).view(state_of(match, seq), seat)


def asked(
    match: Match,
    seat: str,
    seq: int | None = None,
    *,
    verb: str = "",
    prefix: str = "",
    start: int = 0,
    most: int | None = None,
    group: str = "",
) -> Asked:
    """The decision in front of a seat with its legal actions; `asked` is False when it owes nothing.

    With `seq` the one that lay in front of it after that entry: an old mail's numbers mean those. A long
    list can be cut: by verb, by how the notation begins, and to `most` actions from `start`; `group` counts
    the fitting ones by `verb`, or by `stem`: all of the notation but its last word.
    """
    if not match.state:
        return Asked(match.head_seq, seat, False, "", _waiting_words(match, rules_of(match)), {}, False, [])
    now = seq is None or seq == match.head_seq
    rules, g = rules_of(match), state_of(match, seq)
    decision = question(g)
    if (now and match.status != Match.Status.PLAYING) or decision is None or seat not in owed(g):
        return Asked(match.head_seq, seat, False, "", _waiting_words(match, rules), {}, False, [])
    every = list(enumerate(legal(g, seat), 1))
    wanted = [
        (number, action)
        for number, action in every
        if (not verb or str(action[0]).lower() == verb.lower())
        and (not prefix or rules.say(g, action).lower().startswith(prefix.lower()))
    ]
    offers = [
        Offer(
            number,
            action,
            rules.say(g, action),
            rules.describe(g, seat, action),
            rules.cite(g, action),
            rules.odds(g, seat, action),
        )
        for number, action in wanted[start : None if most is None else start + most]
    ]
    return Asked(
        match.head_seq if seq is None else seq,
        seat,
        True,
        type(decision).__name__,
        rules.prompt(g, seat),
        dict(decision.facts(g)),
        decision.window,
        offers,
        len(every),
        len(wanted),
        _groups(rules, g, wanted, group) if group else [],
    )


def _groups(rules: Ruleset, g: State, wanted: list[tuple[int, Action]], how: str) -> list[Group]:
    found: dict[str, list[int]] = {}
    for number, action in wanted:
        line = rules.say(g, action)
        stem = str(action[0]) if how == "verb" else line.rpartition(" ")[0] or line
        found.setdefault(stem, []).append(number)
    return [Group(stem, len(numbers), numbers[0]) for stem, numbers in found.items()]


def _waiting_words(match: Match, rules: Ruleset) -> str:
    if match.status == Match.Status.OVER:
        return match.outcome["words"] if match.outcome else "The match is over."
    if match.status == Match.Status.PLAYING:
        return f"{' and '.join(rules.seat_name(key) for key in match.owed)} must answer first."
    return "The match has not started."


def text_board(match: Match, seat: str | None, seq: int | None = None) -> str:
    return rules_of(match).text_board(view(match, seat, seq), seat)


def scene(
    match: Match,
    seat: str | None,
    *,
    seq: int | None = None,
    theme: str = "light",
    crop: bool = False,
    numbers: Mapping[Action, int] | None = None,
) -> Scene:
    """What a picture of the match shows to a seat; `numbers` are those of a ballot beside it."""
    rules, g = rules_of(match), state_of(match, seq)
    now = seq is None or seq == match.head_seq
    shown = match.head_seq if seq is None else seq
    choices = tuple(legal(g, seat)) if now and seat is not None and match.status == Match.Status.PLAYING else ()
    return Scene(
        view=rules.view(g, seat),
        seat=seat,
        legal=choices,
        numbers=dict(numbers)
        if numbers is not None
        else {action: number for number, action in enumerate(choices[:20], 1)},
        recent=tuple(news_between(match, seat, shown - 3, shown)),
        theme=theme,
        crop=crop,
        corner=f"match {match.pk} · entry {shown}",
    )


def picture(match: Match, seat: str | None, **how: Any) -> str:
    return rules_of(match).picture(scene(match, seat, **how))


def picture_or_none(match: Match, seat: str | None, **how: Any) -> str | None:
    """The picture, or None where the match has not started."""
    return picture(match, seat, **how) if match.state else None


def picture_png(match: Match, seat: str | None, width: int, **how: Any) -> bytes | None:
    """The picture as PNG, for readers that show no SVG."""
    svg = picture_or_none(match, seat, **how)
    return None if svg is None else to_png(svg, width)


def picture_alt(match: Match, seat: str | None, **how: Any) -> str:
    return rules_of(match).picture_alt(scene(match, seat, **how))


# --- the ledger as a seat may read it --------------------------------------------------------------------


def entries(match: Match, seat: str | None, after: int = -1, most: int = 1000) -> list[dict[str, Any]]:
    """Ledger lines in words; secret draws show their value only when the match is over."""
    rules = rules_of(match)
    over = match.status == Match.Status.OVER
    rows = Entry.objects.filter(match=match, seq__gt=after).order_by("seq")[:most]
    return [
        {
            "seq": row.seq,
            "seat": row.seat,
            "action": row.action,
            "notation": " ".join(map(str, row.action)),
            "rolls": row.rolls if over else dice.shown(row.rolls),
            "by": row.by,
            "why": row.why if over else "",
            "previous_hash": row.previous_hash,
            "hash": row.hash,
            "news": [rules.narrate(item) for item in news_of(row, seat, everything=over)],
            "at": row.at,
        }
        for row in rows
    ]


def news_of(row: Entry, seat: str | None, *, everything: bool = False) -> list[News]:
    return [News(key, facts, to) for key, facts, to in row.news if everything or to is None or to == seat]


def news_between(match: Match, seat: str | None, after: int, upto: int) -> list[News]:
    """What happened after one entry and up to another, as far as the seat may know."""
    rows = Entry.objects.filter(match=match, seq__gt=after, seq__lte=upto).order_by("seq")
    return [item for row in rows for item in news_of(row, seat)]


def happened(match: Match, seat: str | None, after: int) -> list[str]:
    """The same as sentences, up to now."""
    rules = rules_of(match)
    return [rules.narrate(item) for item in news_between(match, seat, after, match.head_seq)]


def dice_report(match: Match) -> dict[str, Any]:
    rows = Entry.objects.filter(match=match).order_by("seq").values_list("seat", "rolls")
    public = [(who, dice.shown(rolls)) for who, rolls in rows]
    return {"commitment": match.commitment, "head_hash": match.head_hash, "dice": dice.statistics(public)}


def deliveries(match: Match, user: Any) -> list[dict[str, Any]]:
    """The delivery log of one person's notices of one match."""
    rows = Delivery.objects.filter(outbox__match=match, outbox__user=user).select_related("outbox")
    return [
        {
            "notice": row.outbox.pk,
            "topic": row.outbox.topic,
            "entry": row.outbox.seq,
            "at": row.at,
            "ok": row.ok,
            "detail": row.detail,
        }
        for row in rows.order_by("-pk")[:100]
    ]


def standing_orders(match: Match, seat: str) -> list[dict[str, Any]]:
    rows = seat_get(match, seat).standing_orders.filter(withdrawn_at__isnull=True)
    return [{"number": row.number, "text": row.text, "fired": row.fired} for row in rows]


def standing_rehearsal(match: Match, seat: str, text: str) -> dict[str, Any]:
    """What a standing order would have done so far; nothing is armed."""
    must_have_started(match)
    result = rehearse(rules_of(match), match, seat, text)
    return {**msgspec.to_builtins(result), "words": result.words}


def take_back_request(match: Match) -> dict[str, Any] | None:
    row = match.take_back_requests.filter(status="asked").first()
    return {"seat": row.seat, "count": row.count, "reason": row.reason} if row else None

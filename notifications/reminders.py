"""Letters about time: still your move, somebody is away, somebody's mail does not arrive."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games.ledger import selectors, stops
from games.ledger.datewords import span_said
from notifications import clockwords
from notifications.ballot import ballot
from notifications.letters import Letter, Skip, add_question, match_letter

SHORT = ("pass", "done", "r done", "adv no", "stay", "no", "decline")


def reminder(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    """3.12: what is left, the shortest answer, and how to get more time."""
    asked = selectors.asked(match, seat.key)
    meant = datetime.fromisoformat(payload["asked"])
    if not asked.asked or seat.asked_since != meant or match.clock_stops:
        raise Skip("answered already, or no clock runs")
    if not seat.user.reminders:
        raise Skip("the person wants no reminders")
    left, bank = clockwords.time_left(match, seat)
    letter = match_letter("reminder", match, seat, f"Still your move in {selectors.summary(match)['game']}.")
    letter.subject = f"Re: {match_letter('decision', match, seat, asked.prompt).subject}"
    hours = span_said(timedelta(hours=match.clock_hours))
    told = f"{span_said(left)} of the {hours} are left." if left > timedelta(0) else f"{span_said(bank)} are left."
    letter.lead = [told, *clockwords.until(match, seat), asked.prompt]
    advice = [f"Shortest answer: {line}" for line in _shortest(asked)]
    if not seat.clock_extra and seat.snoozes < stops.MOST_SNOOZES:
        hours = min(12, match.clock_hours)
        advice.append(f"More time, no cost: snooze {hours}h")
    others = [row.user.username for row in match.seats.all() if row.user_id and row.key != seat.key]
    if others:
        advice.append(f"{' and '.join(others)} {'has' if len(others) == 1 else 'have'} been told nothing.")
    letter.paragraphs = [advice]
    add_question(letter, match, seat, picture=False)
    letter.board = ""  # the last full mail has it
    return letter


def _shortest(asked: Any) -> list[str]:
    for line in ballot(asked):
        if line.notation.lower() in SHORT:
            return [f"{line.notation}   ({line.number})"]
    return []


def vacation(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    """Somebody we play with goes away, or is back."""
    who = str(payload["who"])
    if payload.get("back"):
        letter = match_letter("vacation", match, seat, f"{who} is back; clocks run again.")
    else:
        dates = f"{payload['first']} - {payload['last']}" if payload["first"] != payload["last"] else payload["first"]
        letter = match_letter("vacation", match, seat, f"{who} is away: {dates}.")
        letter.lead = ["Their clock stands still on these days; yours runs as always. You need do nothing."]
    also = [str(number) for number in payload.get("matches", []) if number != match.pk]
    if also:
        letter.lead.append(f"The same holds for your other matches with {who}: {', '.join(also)}.")
    return letter


def bounced(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    """3.13: the others learn what happens to the clocks, until when, and what they can do."""
    names = {row["key"]: row["player"] or row["name"] for row in selectors.summary(match)["seats"]}
    who = names.get(str(payload.get("seat")), "A player")
    letter = match_letter("bounced", match, seat, f"{who}'s mail does not arrive.")
    letter.lead = [f"The mail host said: {payload.get('why', '')}"]
    until = datetime.fromisoformat(payload["until"]) if payload.get("until") else None
    wish = "also reply   absent bot   (a bot plays on for them) or   absent draw   (the match ends as drawn)."
    if until is None or until <= timezone.now():
        letter.lead.append('You need do nothing; what you "say" is kept for them.')
        letter.paragraphs = [[f"You may {wish}"]]
        return letter
    clocks = "Their clock stands still, yours too, " if match.clock_hours else "We wait for them "
    letter.lead += [
        f"{clocks}until {clockwords.moment(seat.user, until)} at most: until then we try again, and it ends as soon "
        "as they are seen.",
        'You need do nothing; what you "say" is kept for them.',
    ]
    after = "their clock runs again and answers for them" if match.clock_hours else "nothing happens by itself"
    letter.paragraphs = [[f"After that {after}. You may then {wish}"]]
    return letter


def absent(match: Any, seat: Any, payload: dict[str, Any]) -> Letter:
    """To somebody whose mail did not arrive for days: a bot plays on."""
    letter = match_letter("absent", match, seat, f"The bot {payload.get('bot', '')} plays on for you.")
    letter.lead = [
        "Your mail did not arrive for days, and the others wished to go on. You can still look at the match."
    ]
    return letter

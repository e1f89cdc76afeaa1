"""Letters of every kind from matches played at random: for looking at, never sent.

Call inside a transaction that is rolled back.
"""

import random
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone

from games.ledger import outbox, selectors, services
from notifications import addresses, delivery, letters
from notifications.inbound.handle import handle
from notifications.inbound.receive import receive
from notifications.letters import Letter, Skip

Named = tuple[str, Letter]


def every_letter(game: str = "", answers: int = 40, seed: int = 1) -> Iterator[Named]:
    """All games, or one; each letter with a name to file it under."""
    tom, rania = _person("tom"), _person("rania")
    for found in selectors.rulesets():
        if game in ("", found["key"]):
            yield from _of_game(found, tom, rania, answers, seed)
    yield from _about_no_match(tom)


def _person(name: str) -> Any:
    email = f"{name}.{timezone.now():%H%M%S%f}@example.net"
    return get_user_model().objects.create_user(
        username=f"{name}-{timezone.now():%f}", email=email, email_verified_at=timezone.now()
    )


def play_on(match_id: int, rng: random.Random, answers: int) -> None:
    """Random answers of whoever is asked, through the one way in."""
    for _ in range(answers):
        match = selectors.match_get(match_id)
        if match.status != "playing":
            return
        asked = selectors.asked(match, match.owed[0])
        offer = rng.choice(asked.actions)
        services.orders_submit(match_id=match_id, seat=asked.seat, orders=[list(offer.action)])


def written(folder: str) -> list[Named]:
    """Every letter that waits, marked as sent."""
    found: list[Named] = []
    for row_id in outbox.due(["mail"], timezone.now() + timedelta(days=1)):
        row = outbox.claim(row_id)
        if row is None:
            continue
        try:
            letter = delivery.compose(row)
        except Skip as reason:
            outbox.finish(row, "skipped", f"skipped: {reason}")
            continue
        outbox.finish(row, "sent", f"sent: {letter.subject}")
        if letter.told is not None and row.match_id is not None:
            services.mailed(match_id=row.match_id, seat=row.seat, seq=letter.told)
        found.append((f"{folder}-{letter.kind}-{row.seat or 'person'}", letter))
    return found


def answer(letter: Letter, user: Any, text: str, subject: str = "") -> None:
    """The person in question writes back."""
    mail = EmailMessage()
    mail["From"], mail["To"] = user.email, letter.reply_to
    mail["Subject"] = subject or f"Re: {letter.subject}"
    mail["Message-ID"] = f"<{timezone.now():%H%M%S%f}@example.net>"
    mail.set_content(text)
    handle(receive(mail.as_bytes(policy=SMTP), [letter.reply_to]).pk)


def _of_game(found: dict[str, Any], tom: Any, rania: Any, answers: int, seed: int) -> Iterator[Named]:
    rng = random.Random(seed)
    key, tag = found["key"], found["tag"]
    match = services.match_create(user=tom, ruleset=key, seat=found["seats"][0]["key"])
    people = {found["seats"][0]["key"]: tom}
    for seat in found["seats"][1:]:
        services.match_join(user=rania, match_id=match.pk, seat=seat["key"])
        people[seat["key"]] = rania
    yield from written(f"{tag}-1")
    play_on(match.pk, rng, answers)
    yield from written(f"{tag}-2")
    yield from _answers(match.pk, tag, people, rng)


def _answers(match_id: int, tag: str, people: dict[str, Any], rng: random.Random) -> Iterator[Named]:
    match = selectors.match_get(match_id)
    if match.status != "playing":
        return
    seat = match.owed[0]
    row = selectors.seat_get(match, seat)
    letter = letters.decision(match, row)
    yield f"{tag}-3-decision-now-{seat}", letter
    asked = selectors.asked(match, seat)
    verb = asked.actions[0].notation.split()[0]
    for number, text in enumerate(
        (f"{verb} nowhere", "sounds good, let me think about it over the weekend", "help", "look", "why 1", "options",
         "note keep the reserve back\nsay Nice try.\nstanding", "log", "resign", str(rng.randint(1, 2))),
        4,
    ):  # fmt: skip
        answer(letter, people[seat], text)
        yield from written(f"{tag}-{number}")
    play_on(match_id, rng, 3)
    answer(letter, people[seat], "1")
    yield from written(f"{tag}-14-late")
    if selectors.match_get(match_id).status == "playing":
        answer(letter, people[seat], "resign yes")  # "resign" was written above
    yield from written(f"{tag}-15")


def _about_no_match(tom: Any) -> Iterator[Named]:
    two = next(game for game in selectors.rulesets() if len(game["seats"]) == 2)
    letter = Letter("answer", "", "", reply_to=f"play@{addresses.host()}")
    answer(letter, tom, f"new {two['key']} vs lee@example.net\nsay You always took the defender. No excuse now.", "new")
    yield from written("invitation")
    alone = next(game for game in selectors.rulesets() if len(game["seats"]) == 1)
    answer(letter, tom, f"new {alone['key']}\nsalt oud\nThank you!", "new")
    yield from written("new-alone")
    answer(letter, tom, "help", "help")
    yield from written("help")

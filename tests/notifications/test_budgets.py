"""Every mail of random games keeps its budget, and says nothing twice: seeds of each ruleset."""

import os
import random
from typing import Any

import pytest
from django.utils import timezone

from games.ledger import selectors, services
from games.ledger.models import Outbox
from notifications import html, letters, mime, pictures, plain, replies
from notifications.letters import Letter

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services, pytest.mark.slow]
GAMES = int(os.environ.get("FALLUJAH_MAIL_GAMES", "1"))  # games of each ruleset
ANSWERS = int(os.environ.get("FALLUJAH_MAIL_ANSWERS", "20"))  # looked at in each


def check(letter: Letter, user: Any, match: Any) -> None:
    text, page = plain.render(letter), html.render(letter)
    rows = text.splitlines()
    assert len(text) <= 12_000 and len(rows) <= 180, (letter.kind, len(text), len(rows))
    assert text.isascii() and max(len(row) for row in rows if "://" not in row) <= 72
    assert len(page.encode()) <= 60_000, (letter.kind, len(page.encode()))
    assert len(letter.subject) <= 70 or letter.subject.lower().startswith("re:")
    assert letter.picture is None or len(letter.picture) <= 120_000
    assert sum(row.startswith(" [ ] ") for row in rows) <= 20
    for part in (letter.headline, *(line.notation for line in letter.ballot[:20])):
        assert " ".join(plain.ascii_only(part).split()) in " ".join(text.split())
    row = Outbox(topic=letter.kind, user=user, match=match, message_id="<x@localhost>", pk=1, due_at=timezone.now())
    assert len(mime.message(letter, row, "tom@example.org", []).message().as_bytes()) <= 300_000


@pytest.mark.parametrize("ruleset", ["card_assault", "city_fighting", "phantom_fury", "second_fallujah"])
def test_mails_of_random_games_keep_their_budget(ruleset: str, tom: Any, rania: Any, monkeypatch: Any) -> None:
    for seed in range(GAMES):
        rng = random.Random(seed)
        match = services.match_create(user=tom, ruleset=ruleset, seat=None)
        if match.status == "open":
            match = services.match_join(user=rania, match_id=match.pk)
        shown = looked = 0
        for _ in range(ANSWERS * 12):
            match = selectors.match_get(match.pk)
            if match.status != "playing":
                break
            seat = selectors.seat_get(match, match.owed[0])
            asked = selectors.asked(match, seat.key)
            if rng.random() < 0.1:
                seat.note = "x" * rng.choice((0, 40, 2000))
                # A picture costs most of the time: every tenth mail has one.
                drawn = looked % 10 == 0
                looked += 1
                monkeypatch.setattr(letters, "board_picture", pictures.board if drawn else lambda *_, **__: None)
                letter = letters.decision(match, seat)
                shown += letter.picture is not None
                check(letter, seat.user, match)
                words = ["a line of words"] * rng.choice((0, 200))
                payload = {"headline": "Done.", "lines": [], "words": words, "full": True}
                check(replies.ack(match, seat, payload), seat.user, match)
                if rng.random() < 0.7:
                    services.mailed(match_id=match.pk, seat=seat.key, seq=match.head_seq)
            services.orders_submit(match_id=match.pk, seat=seat.key, orders=[list(rng.choice(asked.actions).action)])
        assert shown
        if match.status == "playing":
            services.seat_resign(match_id=match.pk, seat=match.owed[0])
        match = selectors.match_get(match.pk)
        for seat in match.seats.all():
            check(letters.result(match, seat), seat.user, match)

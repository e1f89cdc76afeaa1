"""Claims that an entry breaks the rules: kept with the position, told to all seats, answered by the host."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from games.kernel.errors import GameError
from games.kernel.ruleset import dump
from games.ledger import outbox, selectors
from games.ledger.models import Claim, Match, Seat

MOST_OPEN = 10


@transaction.atomic
def claim_open(*, match_id: int, seat: str, user: Any = None, entry: int, text: str) -> Claim:
    """Freeze the position before and after the entry; play goes on."""
    match = Match.objects.select_for_update().filter(pk=match_id).first()
    if match is None:
        raise GameError(f"There is no match {match_id}.", code="not-found")
    row = Seat.objects.filter(match=match, key=seat).first()
    if row is None or (user is not None and row.user_id != user.pk):
        raise GameError(f"The seat {seat} of match {match_id} is not yours.", code="not-your-seat")
    if not text.strip():
        raise GameError("Write the claim in words: claim 48 the unit had moved before.", code="unreadable")
    if not 1 <= entry <= match.head_seq:
        raise GameError(f"Match {match_id} has entries 1 to {match.head_seq}; {entry} is not one.", code="not-found")
    if match.claims.filter(status=Claim.Status.OPEN).count() >= MOST_OPEN:
        raise GameError(f"{MOST_OPEN} claims of this match wait already.", code="too-many")
    claim = Claim.objects.create(
        match=match,
        number=match.claims.count() + 1,
        seat=seat,
        entry=entry,
        text=text.strip()[:2000],
        before=dump(selectors.state_of(match, entry - 1)),
        after=dump(selectors.state_of(match, entry)),
        ruleset_version=match.ruleset_version,
    )
    _tell(match, "claim", claim, but=seat)
    return claim


@transaction.atomic
def claim_answer(*, claim_id: int, answer: str) -> Claim:
    """The host's ruling, told to everybody in the match."""
    claim = Claim.objects.select_for_update().select_related("match").filter(pk=claim_id).first()
    if claim is None:
        raise GameError(f"There is no claim {claim_id}.", code="not-found")
    if claim.status == Claim.Status.ANSWERED:
        raise GameError(f"Claim {claim_id} is answered already.", code="not-open")
    if not answer.strip():
        raise GameError("Write the ruling in words.", code="unreadable")
    claim.status, claim.answer, claim.answered_at = Claim.Status.ANSWERED, answer.strip()[:2000], timezone.now()
    claim.save(update_fields=["status", "answer", "answered_at"])
    _tell(claim.match, "claim-answered", claim)
    return claim


def _tell(match: Match, topic: str, claim: Claim, but: str = "") -> None:
    for seat in match.seats.select_related("user"):
        if seat.user_id and seat.key != but:
            outbox.tell_seat(match, seat, topic, {"claim": claim.pk})
    match_id = match.pk
    transaction.on_commit(lambda: outbox.changed(match_id))


def claim_get(claim_id: int) -> Claim | None:
    return Claim.objects.filter(pk=claim_id).first()


def open_claims() -> list[Claim]:
    return list(Claim.objects.filter(status=Claim.Status.OPEN).select_related("match"))

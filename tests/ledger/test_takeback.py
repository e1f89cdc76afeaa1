"""Taking back: at once when nobody learned anything, proven by comparing views."""

from typing import Any

import pytest

from games.kernel.errors import IllegalAction
from games.ledger import services
from games.ledger.models import Entry, Match
from games.ledger.verify import match_problem
from tests.ledger.helpers import act, choices, now, solo

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def until(match: Match, verb: str, most: int = 400) -> list[Any]:
    """Play `done` (or discard) until an action of this verb is on offer."""
    for _ in range(most):
        offered = [action for action in choices(match) if action[0] == verb]
        if offered:
            return offered
        on_offer = [action for action in choices(match) if action[0] in ("discard", "done")]
        act(match, min(on_offer, key=lambda action: str(action[-1]).startswith(("R.", "S."))))  # those are wanted
    raise AssertionError(f"{verb} was never possible")


def test_a_placed_card_comes_back_at_once(make_user: Any) -> None:
    user = make_user()
    match = solo(user)
    put = until(match, "put")[0]
    before = now(match)
    act(match, put)
    result = services.take_back(match_id=match.pk, seat="american", user=user)
    assert result["granted"] is True
    after = now(match)
    assert bytes(after.state) == bytes(before.state)
    assert Entry.objects.get(match=match, seq=after.head_seq).action == ["undo", 1]
    assert Entry.objects.filter(match=match).count() == after.head_seq + 1, "nothing was removed"
    assert match_problem(after) == ""


def test_nothing_comes_back_once_a_die_has_fallen(make_user: Any) -> None:
    user = make_user()
    match = next(match for match in (solo(user) for _ in range(190)) if choices(match)[0][0] == "recon")
    act(match, choices(match)[0])
    assert Entry.objects.get(match=match, seq=now(match).head_seq).rolls
    with pytest.raises(IllegalAction, match="cannot be taken back"):
        services.take_back(match_id=match.pk, seat="american", user=user)


def test_more_than_ones_own_cannot_be_taken_back(make_user: Any) -> None:
    user = make_user()
    match = solo(user)
    with pytest.raises(IllegalAction, match="not yours"):
        services.take_back(match_id=match.pk, seat="american", user=user)
    act(match, choices(match)[0])
    with pytest.raises(IllegalAction, match="Only your last"):
        services.take_back(match_id=match.pk, seat="american", user=user, count=99)
    with pytest.raises(IllegalAction, match="at least one"):
        services.take_back(match_id=match.pk, seat="american", user=user, count=0)

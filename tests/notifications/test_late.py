"""Orders for an older position: played when nothing they rely on has changed, else sent back with help."""

from typing import Any

import pytest

from games.ledger import selectors, services
from games.ledger.models import Match
from notifications.models import Repair
from tests.notifications.conftest import Sink
from tests.notifications.positions import lines, match_at, played, told, write
from tests.notifications.post import Mailbox, deliver_waiting

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
UNITS = {
    "18": ["C4"], "24": ["C7", "F9", "F10"], "19": ["C5", "F12"], "42": ["C13", "F5", "F6"], "45": ["C17", "F1", "F2"],
}  # fmt: skip


@pytest.fixture
def war(tom: Any, rania: Any) -> Match:
    position = {
        "turn": 1, "impulse": 1, "side": "insurgent", "units": UNITS, "control": {"coalition": []},
        "advantage": {"owner": "insurgent", "available": False},
    }  # fmt: skip
    return match_at(tom, "second_fallujah", position, rania, seat="coalition")


def act(match: Match, seat: str, order: str) -> None:
    result = services.orders_submit(match_id=match.pk, seat=seat, orders=order)
    assert result.refused is None, result.refused


def head(match: Match) -> int:
    return selectors.match_get(match.pk).head_seq


def one_round(match: Match, insurgents: str) -> None:
    """The insurgents do something, the Coalition passes; it is the insurgents' impulse again."""
    act(match, "insurgent", insurgents)
    act(match, "coalition", "pass")
    assert selectors.asked(selectors.match_get(match.pk), "insurgent").kind == "InsurgentImpulse"


def test_played_when_nothing_they_rely_on_has_changed(war: Match) -> None:
    one_round(war, "org 45")
    before = head(war)
    write(war, "insurgent", "org 24", base=0)
    assert played(war, before)[:1] == ["org 24 1"] or played(war, before)[0].startswith("org 24")
    assert f"Written for entry 0, played at entry {before}" in " ".join(told(war, "insurgent")["words"])


def test_sent_back_when_the_place_has_changed_with_what_happened_there(war: Match) -> None:
    act(war, "insurgent", "org 45")
    act(war, "coalition", "zone NE; go 1/8-A+1/8-B 24")  # whatever the dice say, 24 is not what it was
    while "insurgent" not in selectors.match_get(war.pk).owed or (
        selectors.asked(selectors.match_get(war.pk), "insurgent").kind != "InsurgentImpulse"
    ):
        now = selectors.match_get(war.pk)
        asked = selectors.asked(now, now.owed[0])
        services.orders_submit(match_id=war.pk, seat=now.owed[0], orders=[list(asked.actions[0].action)])
    before = head(war)
    write(war, "insurgent", "area 24; dig F9; dig F10; done", base=0)
    assert head(war) == before
    answer = told(war, "insurgent")
    assert "older position (entry 0)" in answer["headline"]
    assert any(line.strip().startswith("24 ") for line in answer["words"]), answer["words"]
    assert all(status == "not played" for _, status in lines(war, "insurgent"))


def test_the_ready_made_reply_is_played_by_its_letter(war: Match, sink: Sink) -> None:
    one_round(war, "org 24")  # the same place, so the late order is not sure any more
    before = head(war)
    write(war, "insurgent", "org 24", base=0)
    assert head(war) == before and Repair.objects.filter(match_id=war.pk, word="ok").count() == 1
    deliver_waiting()
    box = Mailbox(sink, "rania@example.org")
    assert "Closest to what you meant" in box.text and " a  org 24" in box.text
    box.reply("a")
    assert head(war) == before + 1 or played(war, before)[0].startswith("org 24")


def test_a_late_copy_of_an_order_already_given_is_not_done_twice(war: Match) -> None:
    one_round(war, "org 45")
    before = head(war)
    write(war, "insurgent", "org 45", base=0)
    assert head(war) == before and "org 45" in str(told(war, "insurgent"))


def test_pass_relies_on_everything(war: Match) -> None:
    one_round(war, "org 45")
    before = head(war)
    write(war, "insurgent", "pass", base=0)
    assert head(war) == before


def test_numbers_of_the_old_mail_mean_its_lines(war: Match) -> None:
    line = next(
        offer.notation for offer in selectors.asked(selectors.match_get(war.pk), "insurgent").actions
        if offer.notation.startswith("org 24")
    )  # fmt: skip
    from notifications.inbound.play import words_of

    ballot = words_of(war.pk, "insurgent", 0).ballot
    number = next(
        (f"{part.number} {fill}" for part in ballot for fill in part.fills if f"{part.notation[:-2]} {fill}" == line),
        next((str(part.number) for part in ballot if part.notation == line), ""),
    )
    one_round(war, "org 45")
    before = head(war)
    write(war, "insurgent", number, base=0)
    assert played(war, before)[0] == line


def test_not_your_move_any_more(war: Match) -> None:
    act(war, "insurgent", "org 45")
    before = head(war)
    write(war, "insurgent", "org 24", base=0)
    assert head(war) == before
    assert "not your move" in " ".join(told(war, "insurgent")["words"])

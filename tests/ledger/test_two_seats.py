"""Matches between people: joining, standing and kept orders, take-backs that somebody has seen."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from games.kernel.errors import BadSetup, GameError, IllegalAction, NotYourDecision, Unreadable
from games.ledger import selectors, services, tasks
from games.ledger.models import Entry, Match, Outbox, SavedAnswer, StandingOrder
from games.ledger.verify import match_problem
from tests import toy
from tests.ledger.helpers import choices, now

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    toy.install()
    yield
    toy.remove()


@pytest.fixture
def tom(make_user: Any) -> Any:
    return make_user("tom")


@pytest.fixture
def rania(make_user: Any) -> Any:
    return make_user("rania")


@pytest.fixture
def duel(tom: Any, rania: Any) -> Match:
    """Tom is north and begins; Rania is south."""
    match = services.match_create(user=tom, ruleset="toy", options={"wide": True})
    return services.match_join(user=rania, match_id=match.pk, salt="oud")


def test_a_match_waits_for_its_last_player(tom: Any, rania: Any) -> None:
    match = services.match_create(user=tom, ruleset="toy", salt="reed")
    assert (match.status, match.head_seq) == ("open", -1)
    with pytest.raises(GameError, match="not started"):
        services.orders_submit(match_id=match.pk, seat="north", orders="pass")
    started = services.match_join(user=rania, match_id=match.pk, seat="south", salt="oud")
    assert started.status == "playing"
    assert started.header["salts"] == {"north": "reed", "south": "oud"}
    assert match.commitment == started.commitment, "the commitment was shown before the salts came"


def test_a_seat_is_taken_once(duel: Match, make_user: Any, tom: Any) -> None:
    with pytest.raises(GameError, match="no longer be joined"):
        services.match_join(user=make_user("late"), match_id=duel.pk)
    other = services.match_create(user=tom, ruleset="toy")
    with pytest.raises(GameError, match="already have a seat"):
        services.match_join(user=tom, match_id=other.pk)
    with pytest.raises(GameError, match="free are: south"):
        services.match_join(user=make_user("x"), match_id=other.pk, seat="north")


@pytest.mark.parametrize(
    "wrong",
    [
        {"seat": "east"},
        {"bots": {"east": "random"}},
        {"bots": {"south": "genius"}},
        {"seat": "north", "bots": {"north": "random"}},
        {"options": {"wide": "very"}},
        {"options": {"speed": 3}},
        {"options": {"wide": 1}},
    ],
)
def test_a_set_up_that_cannot_be_is_refused_in_words(tom: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadSetup) as caught:
        services.match_create(user=tom, ruleset="toy", **wrong)
    assert caught.value.text.endswith(".")
    assert not Match.objects.exists()


def test_the_one_who_is_asked_gets_one_mail_and_the_one_who_acted_none(duel: Match, tom: Any, rania: Any) -> None:
    mails = Outbox.objects.filter(match=duel, kind="mail")
    assert {(row.topic, row.user) for row in mails} == {("opened", tom), ("opened", rania)}
    services.orders_submit(match_id=duel.pk, seat="north", user=tom, orders="scout a 7")
    assert mails.count() == 2, "still Tom's move, and he is looking"
    services.orders_submit(match_id=duel.pk, seat="north", user=tom, orders="pass")
    assert [(row.topic, row.user) for row in mails.order_by("pk")[2:]] == [("decision", rania)]


def test_nobody_answers_for_the_other_side(duel: Match, rania: Any) -> None:
    with pytest.raises(NotYourDecision, match="not yours"):
        services.orders_submit(match_id=duel.pk, seat="north", user=rania, orders="pass")
    result = services.orders_submit(match_id=duel.pk, seat="south", user=rania, orders=[["stand"]])
    assert result.refused is not None and result.refused["code"] == "not-your-decision"


def test_what_the_other_side_has_not_been_shown_is_taken_back_at_once(duel: Match, tom: Any) -> None:
    services.orders_submit(match_id=duel.pk, seat="north", user=tom, orders="scout a 7")
    assert services.take_back(match_id=duel.pk, seat="north", user=tom)["granted"] is True
    assert bytes(now(duel).state) == bytes(duel.state)


def test_what_the_other_side_was_shown_and_could_tell_is_asked_for(duel: Match, tom: Any, rania: Any) -> None:
    services.orders_submit(match_id=duel.pk, seat="north", user=tom, orders="pass")
    services.saw(match_id=duel.pk, seat="south", seq=now(duel).head_seq)
    # Rania was shown the position; a pass changes nothing in her view, so nothing was learned from it.
    assert services.take_back(match_id=duel.pk, seat="north", user=tom)["granted"] is True


def test_a_die_makes_it_a_request_that_the_other_side_may_refuse(duel: Match, tom: Any, rania: Any) -> None:
    card = next(action for action in choices(duel, "north") if action[0] == "play")
    services.orders_submit(match_id=duel.pk, seat="north", user=tom, orders=[list(card)])
    asked = services.take_back(match_id=duel.pk, seat="north", user=tom, reason="wrong card")
    assert (asked["granted"], asked["asked"]) == (False, ["south"])
    assert Outbox.objects.filter(match=duel, topic="take-back", user=rania).count() == 1
    with pytest.raises(IllegalAction):
        services.take_back_answer(match_id=duel.pk, seat="north", user=tom, agree=True)
    assert services.take_back_answer(match_id=duel.pk, seat="south", user=rania, agree=False)["granted"] is False
    assert now(duel).head_seq == duel.head_seq + 1
    services.take_back(match_id=duel.pk, seat="north", user=tom)
    assert services.take_back_answer(match_id=duel.pk, seat="south", user=rania, agree=True)["granted"] is True
    assert bytes(now(duel).state) == bytes(duel.state)
    assert match_problem(now(duel)) == ""


def test_a_request_lapses_when_the_match_goes_on(duel: Match, tom: Any, rania: Any) -> None:
    card = next(action for action in choices(duel, "north") if action[0] == "play")
    services.orders_submit(match_id=duel.pk, seat="north", user=tom, orders=[list(card)])
    services.take_back(match_id=duel.pk, seat="north", user=tom)
    services.orders_submit(match_id=duel.pk, seat="south", user=rania, orders="stand")
    assert selectors.take_back_request(now(duel)) is None
    with pytest.raises(IllegalAction, match="Nobody asks"):
        services.take_back_answer(match_id=duel.pk, seat="south", user=rania, agree=True)


def test_dice_after_a_take_back_are_other_dice(duel: Match, tom: Any, rania: Any) -> None:
    """Nobody can shop: the undo is an entry, so the chain, and with it every later roll, has changed."""
    card = next(action for action in choices(duel, "north") if action[0] == "play")
    links = set()
    for _ in range(2):
        services.orders_submit(match_id=duel.pk, seat="north", user=tom, orders=[list(card)])
        links.add(Entry.objects.filter(match=duel).latest("seq").previous_hash)
        services.take_back(match_id=duel.pk, seat="north", user=tom)
        services.take_back_answer(match_id=duel.pk, seat="south", user=rania, agree=True)
    assert len(links) == 2


def test_a_standing_order_answers_and_its_entry_names_it(duel: Match, tom: Any, rania: Any) -> None:
    services.standing_set(match_id=duel.pk, seat="south", user=rania, text="on answer do duck")
    services.orders_submit(match_id=duel.pk, seat="north", user=tom, orders="pass")
    entry = Entry.objects.filter(match=duel).latest("seq")
    assert (entry.seat, entry.action, entry.by) == ("south", ["duck"], "standing:1")
    assert StandingOrder.objects.get(seat__match=duel).fired == 1
    services.standing_withdraw(match_id=duel.pk, seat="south", user=rania, number=1)
    assert selectors.standing_orders(now(duel), "south") == []


def test_default_standing_orders_are_armed_and_withdrawn_as_one(
    duel: Match, tom: Any, rania: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(GameError, match="proposes no standing orders"):
        services.standing_set(match_id=duel.pk, seat="south", user=rania, text="default")
    monkeypatch.setattr(
        toy.Toy, "standing_defaults", {"south": ("on answer if worth > 90 do duck", "on answer do stand")}
    )
    order = services.standing_set(match_id=duel.pk, seat="south", user=rania, text="Default")
    services.orders_submit(match_id=duel.pk, seat="north", user=tom, orders="pass")
    assert Entry.objects.filter(match=duel).latest("seq").action == ["stand"]
    services.standing_withdraw(match_id=duel.pk, seat="south", user=rania, number=order.number)
    assert selectors.standing_orders(now(duel), "south") == []


def test_a_rehearsal_counts_what_an_order_would_have_answered(duel: Match, tom: Any, rania: Any) -> None:
    services.orders_submit(match_id=duel.pk, seat="north", user=tom, orders="pass")
    services.orders_submit(match_id=duel.pk, seat="south", user=rania, orders="stand; pass")
    services.orders_submit(match_id=duel.pk, seat="north", user=tom, orders="duck; pass")
    services.orders_submit(match_id=duel.pk, seat="south", user=rania, orders="duck")
    told = selectors.standing_rehearsal(now(duel), "south", "on answer do duck")
    assert (told["asked"], told["answered"], told["same"]) == (2, 2, 1)
    assert told["words"] == "Would have answered 2 (1 as you did), asked you 0 in this match so far."
    assert not StandingOrder.objects.exists()


@pytest.mark.parametrize("text", ["", "duck", "on flood do duck", "on answer if worth do duck", "on answer do"])
def test_a_standing_order_that_cannot_be_read_is_refused(duel: Match, rania: Any, text: str) -> None:
    with pytest.raises(Unreadable):
        services.standing_set(match_id=duel.pk, seat="south", user=rania, text=text)
    assert not StandingOrder.objects.exists()


def test_orders_after_then_wait_for_the_other_side_and_go_on(duel: Match, tom: Any, rania: Any) -> None:
    result = services.orders_submit(match_id=duel.pk, seat="north", user=tom, orders="pass; then stand; then pass")
    assert [line["status"] for line in result.lines] == ["ok", "kept", "kept"]
    services.orders_submit(match_id=duel.pk, seat="south", user=rania, orders="stand; pass")
    last = Entry.objects.filter(match=duel).latest("seq")
    assert (last.seat, last.by) == ("north", "kept")
    assert match_problem(now(duel)) == ""


def test_a_kept_order_that_cannot_be_played_is_dropped_and_said(duel: Match, tom: Any, rania: Any) -> None:
    services.orders_submit(match_id=duel.pk, seat="north", user=tom, orders="pass; then duck; then play 99")
    services.orders_submit(match_id=duel.pk, seat="south", user=rania, orders="stand; pass")
    assert Entry.objects.filter(match=duel).latest("seq").action == ["duck"], "the first kept order was played"
    dropped = Outbox.objects.get(match=duel, topic="kept-dropped")
    assert dropped.user == tom and dropped.payload["order"] == "then play 99"
    assert selectors.seat_get(now(duel), "north").kept == []


def test_no_seat_sees_the_others_hand_anywhere(duel: Match) -> None:
    """The same match with other cards in the other hand looks the same: view, ledger, export, decision."""
    from games.kernel.ruleset import dump
    from games.kernel.table import SeededTable
    from games.ledger.export import export_lines

    def all_that_north_sees() -> str:
        match = now(duel)
        asked = selectors.asked(match, "north")
        return str(
            (selectors.view(match, "north"), selectors.entries(match, "north"), list(export_lines(match)), asked)
        )

    before = all_that_north_sees()
    g = selectors.state_of(duel)
    other = next(
        world for seed in range(9) if dump(world := toy.RULES.imagine(g, "north", SeededTable(seed))) != dump(g)
    )
    Match.objects.filter(pk=duel.pk).update(state=dump(other))
    assert all_that_north_sees() == before


def test_a_bot_takes_the_other_seat_and_the_match_ends(tom: Any) -> None:
    match = services.match_create(user=tom, ruleset="toy", bots={"south": "random"})
    while now(match).status == "playing":
        if "north" in now(match).owed:
            services.orders_submit(
                match_id=match.pk, seat="north", user=tom, orders=[list(choices(match, "north")[-1])]
            )
        for row in Outbox.objects.filter(match=match, kind="bot", state="waiting"):
            tasks.seat_play_task(row.pk)
    over = now(match)
    assert over.outcome is not None and match_problem(over) == ""
    assert Outbox.objects.filter(match=match, topic="result", user=tom).count() == 1


def test_only_the_owner_cancels_and_only_before_the_start(tom: Any, rania: Any, duel: Match) -> None:
    match = services.match_create(user=tom, ruleset="toy")
    with pytest.raises(GameError, match="Only the one"):
        services.match_cancel(user=rania, match_id=match.pk)
    assert services.match_cancel(user=tom, match_id=match.pk).status == "cancelled"
    with pytest.raises(GameError, match="only an open match"):
        services.match_cancel(user=tom, match_id=duel.pk)


def test_the_same_key_gives_the_same_answer_and_another_body_is_refused(tom: Any) -> None:
    wanted = services.request_hash("POST", "/orders", b"{}")
    with transaction.atomic():
        assert services.answer_find(user=tom, key="k1") is None
        services.answer_save(user=tom, key="k1", wanted=wanted, status=200, body=b"answer", headers={})
    with transaction.atomic():
        saved = services.answer_find(user=tom, key="k1")
    assert saved is not None and bytes(saved.body) == b"answer"
    services.answer_must_fit(saved, wanted)
    with pytest.raises(GameError, match="another request"):
        services.answer_must_fit(saved, services.request_hash("POST", "/orders", b"{ }"))


def test_an_answer_is_forgotten_after_thirty_days(tom: Any) -> None:
    for key in ("old", "new"):
        services.answer_save(user=tom, key=key, wanted="x", status=200, body=b"", headers={})
    SavedAnswer.objects.filter(key="old").update(created_at=timezone.now() - timedelta(days=31))
    tasks.tidy_task()
    assert [row.key for row in SavedAnswer.objects.all()] == ["new"]

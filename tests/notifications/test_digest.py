"""One mail a day for all matches, answered by one reply."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from games.ledger import personal, selectors, services, tasks
from games.ledger.models import Match, Outbox
from notifications import digest
from notifications.models import Digest
from tests.ledger.helpers import Time
from tests.notifications.conftest import Sink
from tests.notifications.helpers import fresh, html_of, text_of
from tests.notifications.post import Mailbox, deliver_waiting, post

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@pytest.fixture
def time(monkeypatch: Any) -> Time:
    """Monday 2 March 2026, 12:00 UTC."""
    return Time(monkeypatch, datetime(2026, 3, 2, 12, tzinfo=UTC))


@pytest.fixture
def toms(sink: Sink, tom: Any) -> Mailbox:
    return Mailbox(sink, tom.email)


@pytest.fixture
def three(time: Time, sink: Sink, tom: Any, rania: Any) -> list[Match]:
    """Tom has a digest at 8; three matches wait for him: without a clock, by Wednesday, by Friday."""
    personal.settings_change(user=tom, changes={"digest_hour": "8", "zone": "Europe/Berlin"})
    found = []
    for clock in (None, 36, 90):
        match = services.match_create(user=tom, ruleset="toy", seat="north", clock_hours=clock)
        found.append(services.match_join(user=rania, match_id=match.pk))
    deliver_waiting()
    return found


def morning(time: Time) -> None:
    """Tuesday, 8 o'clock in Berlin."""
    time.at = datetime(2026, 3, 3, 7, 0, 5, tzinfo=UTC)
    digest.sweep()
    deliver_waiting()


def cards(match: Match) -> str:
    return selectors.asked(fresh(match), "north").actions[0].notation


def test_all_that_waits_comes_in_one_mail_the_most_urgent_first(three: list[Match], toms: Mailbox, time: Time) -> None:
    before = len(toms.mails)
    morning(time)
    (mail,) = toms.mails[before:]
    none, wednesday, friday = (match.pk for match in three)
    assert str(mail["Subject"]).startswith("[3 matches]") and f" {wednesday} by " in str(mail["Subject"])
    text = text_of(mail)
    assert text.startswith("3 matches wait for you, most urgent first.")
    places = [text.index(f"{number}] ") for number in (wednesday, friday, none)]
    assert places == sorted(places), "soonest first, no clock last"
    assert str(mail["Reply-To"]).startswith(f"u{mail_user(mail)}.s{Digest.objects.get().pk}.k1.")
    for number in (wednesday, friday, none):
        assert f"{number}]" in html_of(mail)
    assert all(len(line) <= 72 or "://" in line for line in text.splitlines())


def mail_user(mail: Any) -> int:
    return Digest.objects.get().user_id


def test_a_digest_comes_once_however_many_schedulers_there_are(three: list[Match], toms: Mailbox, time: Time) -> None:
    morning(time)
    for _ in range(3):
        digest.sweep()
    deliver_waiting()
    assert Outbox.objects.filter(topic="digest").count() == 1
    time.passes(days=1)
    digest.sweep()
    assert Outbox.objects.filter(topic="digest").count() == 2


def test_one_reply_answers_two_and_one_acknowledgement_tells_of_all_three(
    three: list[Match], toms: Mailbox, time: Time
) -> None:
    morning(time)
    none, wednesday, friday = three
    before = len(toms.mails)
    toms.reply(f"[TO {wednesday.pk}]\npass\n[TO {none.pk}]\n{cards(none)}\n")
    assert [fresh(match).owed for match in three] == [["south"], ["south"], ["north"]]
    (ack,) = toms.mails[before:]
    said = " ".join(text_of(ack).split())
    assert said.startswith("All read, all done.")
    assert f"{wednesday.pk}] All read, all done." in said and f"{none.pk}] All read, all done." in said
    assert f"{friday.pk}] no orders; still yours by Fri" in said
    assert str(ack["Subject"]).startswith("Re: [3 matches]")


def test_numbers_mean_the_lines_the_digest_or_the_last_full_mail_printed(
    three: list[Match], toms: Mailbox, time: Time
) -> None:
    morning(time)
    assert "4 options, as mailed to you before." in toms.text, "the opening mail had them"
    number = next(o.number for o in selectors.asked(fresh(three[1]), "north").actions if o.notation == "pass")
    toms.reply(f"[{three[1].pk}] {number}")
    assert fresh(three[1]).owed == ["south"]


def test_a_question_that_was_not_mailed_is_printed_in_full(three: list[Match], toms: Mailbox, time: Time) -> None:
    match = three[0]
    for seat, order in (("north", "pass"), ("south", "stand"), ("south", "pass")):
        services.orders_submit(match_id=match.pk, seat=seat, orders=order)
    before = len(toms.mails)
    deliver_waiting()
    assert len(toms.mails) == before, "single decisions wait for the digest"
    morning(time)
    assert "1 stand" in toms.text and "2 duck" in toms.text
    toms.reply(f"[{match.pk}]\n1")
    assert selectors.entries(fresh(match), "north")[-1]["notation"] == "stand"


def test_orders_above_the_first_bracket_are_asked_back_while_several_wait(
    three: list[Match], toms: Mailbox, time: Time
) -> None:
    morning(time)
    toms.reply(f"pass\n3\n[{three[1].pk}]\npass")
    assert [fresh(match).owed for match in three] == [["north"], ["south"], ["north"]]
    said = " ".join(toms.text.split())
    assert "pass: Which match? Several wait" in said and "3: Which match?" in said


def test_with_a_single_match_the_bracket_may_be_left_out(three: list[Match], toms: Mailbox, time: Time) -> None:
    for match in three[:2]:
        services.orders_submit(match_id=match.pk, seat="north", orders="pass")
    morning(time)
    assert toms.text.startswith("One match waits for you.")
    toms.reply("pass")
    assert fresh(three[2]).owed == ["south"]


def test_a_block_that_cannot_be_played_does_not_keep_the_others(three: list[Match], toms: Mailbox, time: Time) -> None:
    morning(time)
    toms.reply(f"[{three[0].pk}]\nplay 999\n[{three[1].pk}]\npass\n[99999]\npass")
    assert [fresh(match).owed for match in three] == [["north"], ["south"], ["north"]]
    said = " ".join(toms.text.split())
    assert "Some of it could not be played" in said and "There is no match 99999." in said


def test_commands_work_in_a_reply_to_a_digest(three: list[Match], toms: Mailbox, time: Time, tom: Any) -> None:
    morning(time)
    toms.reply(f"set digest off\n[{three[1].pk}]\nsnooze 12h")
    tom.refresh_from_db()
    assert tom.digest_hour is None and tom.digest_at is None
    assert "You have 12 h more" in " ".join(toms.text.split())


def test_an_urgent_question_does_not_wait_for_the_digest(
    time: Time, sink: Sink, toms: Mailbox, tom: Any, rania: Any
) -> None:
    personal.settings_change(user=tom, changes={"digest_hour": "8"})
    match = services.match_create(user=tom, ruleset="toy", seat="north", clock_hours=10)
    services.match_join(user=rania, match_id=match.pk)
    deliver_waiting()
    before = len(toms.mails)
    for seat, order in (("north", "pass"), ("south", "stand"), ("south", "pass")):
        services.orders_submit(match_id=match.pk, seat=seat, orders=order)
    deliver_waiting()
    assert [mail["X-Kind"] for mail in toms.mails[before:]] == ["decision"]


def test_the_clock_of_a_question_starts_with_the_digest(three: list[Match], toms: Mailbox, time: Time) -> None:
    match = three[2]
    for seat, order in (("north", "pass"), ("south", "stand"), ("south", "pass")):
        services.orders_submit(match_id=match.pk, seat=seat, orders=order)
    deliver_waiting()
    time.passes(hours=17)
    assert match.seats.get(key="north").clock_from is None
    morning(time)
    assert match.seats.get(key="north").clock_from is not None


@pytest.mark.parametrize("sender", ["rania@example.org", "eve@example.net"])
def test_only_its_reader_can_answer_a_digest(three: list[Match], toms: Mailbox, time: Time, sender: str) -> None:
    morning(time)
    post(str(toms.last["Reply-To"]), f"[{three[1].pk}]\npass", sender)
    assert [fresh(match).owed for match in three] == [["north"]] * 3


def test_an_old_generation_of_the_address_is_answered_with_a_fresh_digest(
    three: list[Match], toms: Mailbox, time: Time
) -> None:
    morning(time)
    old = toms.last
    toms.reply("address rotate")
    assert "older reply addresses of your digests no longer work" in " ".join(toms.text.split())
    toms.reply(f"[{three[1].pk}]\npass", old)
    assert fresh(three[1]).owed == ["north"] and "no longer valid" in toms.text
    toms.reply(f"[{three[1].pk}]\npass")
    assert fresh(three[1]).owed == ["south"]


def test_an_old_digest_address_is_answered_once_an_hour(three: list[Match], toms: Mailbox, time: Time) -> None:
    morning(time)
    old = toms.last
    toms.reply("address rotate")
    before = len(toms.mails)
    for text in ("pass", "stand", "thinking about it"):
        row = toms.reply(f"[{three[1].pk}]\n{text}", old)
        assert row.kind == "old address"
    assert len(toms.mails) == before + 1 and "no longer valid" in toms.text
    time.at += timedelta(minutes=61)
    toms.reply(f"[{three[1].pk}]\nduck", old)
    assert len(toms.mails) == before + 2 and fresh(three[1]).owed == ["north"]


def test_a_wrong_seal_and_an_empty_reply_do_nothing(three: list[Match], toms: Mailbox, time: Time) -> None:
    morning(time)
    right = str(toms.last["Reply-To"])
    assert post(right.replace(".k1.", ".k2."), f"[{three[1].pk}]\npass", "tom@example.org").kind == "lost"
    before = len(toms.mails)
    toms.reply("thinking about it", quote=False)
    toms.reply("still thinking about it", quote=False)
    assert len(toms.mails) == before + 1 and "I found no order in your mail" in toms.text


def test_nothing_waits_nothing_is_sent(time: Time, sink: Sink, toms: Mailbox, tom: Any) -> None:
    personal.settings_change(user=tom, changes={"digest_hour": "8"})
    time.at = datetime(2026, 3, 3, 8, 1, tzinfo=UTC)
    digest.sweep()
    deliver_waiting()
    assert toms.mails == [] and Outbox.objects.get(topic="digest").state == "skipped"
    tasks.sweep_task()


def test_a_digest_that_comes_back_stops_the_clocks_of_all_its_matches(
    three: list[Match], toms: Mailbox, time: Time
) -> None:
    from tests.notifications.test_bounces import bounce

    morning(time)
    bounce(Outbox.objects.get(topic="digest"), "5.2.2")
    assert [list(fresh(match).clock_stops) for match in three] == [["bounce:north"]] * 3
    toms.reply(f"[{three[1].pk}]\npass")
    assert not fresh(three[1]).clock_stops, "who writes is reachable"

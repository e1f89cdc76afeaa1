"""A person's time and wishes by mail: settings, vacation, snooze, quiet hours, deputies, silence."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from games.ledger import clock, selectors, services, stops, tasks
from games.ledger.models import Entry, Match, Outbox, Seat
from games.ledger.verify import match_problem
from notifications.models import DeputyOffer, Invitation
from tests.ledger.helpers import Time
from tests.notifications.conftest import Sink
from tests.notifications.helpers import fresh, html_of, mails, text_of
from tests.notifications.post import Mailbox, deliver_waiting, post

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
User = get_user_model()
PLAY = "play@localhost"


@pytest.fixture
def time(monkeypatch: Any) -> Time:
    """Monday 2 March 2026, 12:00 UTC."""
    return Time(monkeypatch, datetime(2026, 3, 2, 12, tzinfo=UTC))


@pytest.fixture
def timed(time: Time, sink: Sink, tom: Any, rania: Any) -> Match:
    """A day an answer and two days in the bank; Tom in the north is asked, and both have their first mail."""
    match = services.match_create(user=tom, ruleset="toy", seat="north", clock_hours=24, bank_hours=48)
    match = services.match_join(user=rania, match_id=match.pk)
    deliver_waiting()
    return match


@pytest.fixture
def toms(sink: Sink, tom: Any) -> Mailbox:
    return Mailbox(sink, tom.email)


@pytest.fixture
def ranias(sink: Sink, rania: Any) -> Mailbox:
    return Mailbox(sink, rania.email)


def seat(match: Match, key: str = "north") -> Seat:
    return Seat.objects.select_related("user").get(match=match, key=key)


def hours_left(match: Match, time: Time, key: str = "north") -> float:
    due = seat(match, key).due_at
    assert due is not None
    return (due - time.at).total_seconds() / 3600


# --- settings ----------------------------------------------------------------------------------------------


def test_set_lists_and_changes_settings(timed: Match, toms: Mailbox, tom: Any) -> None:
    toms.reply(
        "set quiet 22-07\nset zone berlin\nset days off sat sun\nset digest 8\nset ack errors\nset subjects fixed"
    )
    tom.refresh_from_db()
    assert (tom.quiet, tom.zone, tom.days_off, tom.digest_hour) == ("22:00-07:00", "Europe/Berlin", "56", 8)
    assert (tom.acks, tom.subjects) == ("errors", "fixed")
    assert "Done: quiet is 22-07 now." in toms.text
    toms.reply("set")
    for line in ("set zone Europe/Berlin", "set quiet 22-07", "set days off sat sun", "set digest 08:00",
                 "set reminders on", "set ack errors", "set subjects fixed"):  # fmt: skip
        assert line in toms.text, line


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ("set quiet 6-23", "at most 14 hours"),
        ("set days off mon tue wed thu", "At most 3 days"),
        ("set zone Atlantis", "I know no time zone"),
        ("set volume 11", "There is no setting 'volume'; there are zone, quiet, days off"),
        ("set ack never", "choose all or errors"),
        ("set quiet", "Write the value too"),
        ("set digest 8:30", "full hour"),
    ],
)
def test_what_cannot_be_set_is_refused_in_words(timed: Match, toms: Mailbox, tom: Any, wish: str, why: str) -> None:
    toms.reply(wish)
    assert why in " ".join(toms.text.split())
    tom.refresh_from_db()
    assert (tom.quiet, tom.days_off, tom.zone, tom.acks) == ("", "", "UTC", "all")


def test_a_calendar_cannot_be_changed_all_the_time(timed: Match, toms: Mailbox, tom: Any) -> None:
    for hour in range(5):
        toms.reply(f"set quiet {hour}-{hour + 8}")
    toms.reply("set quiet 10-20")
    assert "5 times a week" in " ".join(toms.text.split())


def test_a_new_calendar_counts_from_now_on_only(timed: Match, toms: Mailbox, time: Time) -> None:
    time.passes(hours=8)  # 20:00
    toms.reply("set quiet 22-07")
    assert seat(timed).clock_spent == 8 * 3600, "what ran before has run"
    assert hours_left(timed, time) == 16 + 48 + 9 * 5, "five nights lie in the 64 hours left"
    assert "Until Tue 3 Mar 21:00 UTC" in toms.text
    assert "(nights 22-07 do not count), bank 2 d." in " ".join(toms.text.split())


def test_mails_say_until_when_on_the_readers_own_clock(timed: Match, toms: Mailbox) -> None:
    assert "Until Tue 3 Mar 12:00 UTC; then the bank (2 d) runs." in toms.text
    assert "Clock: 1 d an answer, bank 2 d." in toms.text
    toms.reply("set zone America/New_York")
    assert "Until Tue 3 Mar 07:00; then the bank (2 d) runs." in toms.text


def test_fixed_subjects_and_no_acknowledgement_when_all_is_well(timed: Match, toms: Mailbox, ranias: Mailbox) -> None:
    toms.reply("set ack errors\nset subjects fixed")
    before = len(toms.mails)
    toms.reply("pass")
    assert len(toms.mails) == before and fresh(timed).owed == ["south"], "played, and nothing new to tell"
    ranias.reply("stand")
    ranias.reply("pass")
    assert str(toms.last["Subject"]).startswith(f"[TY {timed.pk}] tom v rania") or "tom v rania" in toms.last["Subject"]
    toms.reply("fly away")
    assert len(toms.mails) > before


# --- the clock ---------------------------------------------------------------------------------------------


def test_a_clock_starts_when_the_mail_is_taken_not_when_it_is_queued(
    time: Time, sink: Sink, tom: Any, rania: Any
) -> None:
    match = services.match_create(user=tom, ruleset="toy", seat="north", clock_hours=24)
    services.match_join(user=rania, match_id=match.pk)
    assert seat(match).clock_from is None
    sink.answers = ["451 come back later"]
    time.passes(minutes=1)
    deliver_waiting()
    assert seat(match).clock_from is None, "the host has not taken it"
    time.passes(hours=2)
    deliver_waiting()
    assert seat(match).clock_from == time.at and hours_left(match, time) == 24


def test_a_clock_waits_no_longer_than_its_bound_for_a_notice(time: Time, tom: Any, rania: Any) -> None:
    match = services.match_create(user=tom, ruleset="toy", seat="north", clock_hours=24)
    services.match_join(user=rania, match_id=match.pk)
    time.passes(hours=29, minutes=59)
    tasks.answer_for_the_silent()
    assert fresh(match).head_seq == 0
    time.passes(minutes=1)
    tasks.answer_for_the_silent()
    assert fresh(match).owed == ["south"]


def test_the_bank_is_spent_only_by_what_an_answer_takes_beyond_its_hours(
    timed: Match, toms: Mailbox, ranias: Mailbox, time: Time
) -> None:
    time.passes(hours=30)
    toms.reply("pass")
    assert seat(timed).bank_left == 42 * 3600
    time.passes(hours=20)
    ranias.reply("stand")
    assert seat(timed, "south").bank_left == 48 * 3600
    time.passes(hours=24 + 48)
    tasks.answer_for_the_silent()
    assert Entry.objects.filter(match=timed).latest("seq").by == "clock"
    assert seat(timed, "south").bank_left == 0
    assert match_problem(fresh(timed)) == ""


def test_never_a_flag_in_quiet_hours_even_when_the_sweep_comes_late(timed: Match, tom: Any, time: Time) -> None:
    User.objects.filter(pk=tom.pk).update(quiet="12:05-20:00")
    Seat.objects.filter(match=timed, key="north").update(due_at=time.at + timedelta(minutes=4))
    time.passes(minutes=10)
    tasks.answer_for_the_silent()
    assert fresh(timed).head_seq == timed.head_seq
    time.passes(hours=8)
    tasks.answer_for_the_silent()
    assert fresh(timed).owed == ["south"]


def test_an_open_take_back_request_stops_both_clocks_and_silence_is_a_no(
    timed: Match, toms: Mailbox, ranias: Mailbox, time: Time
) -> None:
    card = selectors.asked(fresh(timed), "north").actions[0].notation
    toms.reply(card)
    time.passes(hours=3)
    toms.reply("undo")
    assert fresh(timed).clock_stops and seat(timed, "south").due_at is None
    assert "no answer in 12 h counts as no" in " ".join(ranias.text.split())
    time.passes(hours=11)
    tasks.sweep_task()
    assert selectors.take_back_request(fresh(timed)) is not None
    time.passes(hours=1)
    tasks.sweep_task()
    deliver_waiting()
    assert selectors.take_back_request(fresh(timed)) is None
    assert "was not answered in 12 h, which counts as no" in " ".join(toms.text.split())
    assert hours_left(timed, time, "south") == 24 + 48 - 3


def test_snooze_gives_more_time_once_and_costs_nothing(
    timed: Match, toms: Mailbox, ranias: Mailbox, time: Time
) -> None:
    before = len(ranias.mails)
    time.passes(hours=20)
    toms.reply("snooze 12h")
    assert "You have 12 h more, until Wed 4 Mar 00:00 UTC." in toms.text
    assert hours_left(timed, time) == 4 + 12 + 48
    toms.reply("snooze 5h")
    assert "it is given once" in " ".join(toms.text.split())
    time.passes(hours=15)
    toms.reply("pass")
    assert seat(timed).bank_left == 48 * 3600
    assert [mail["X-Kind"] for mail in ranias.mails[before:]] == ["decision"], "nobody was told"
    toms.reply("snooze 12h")
    assert "not asked anything" in " ".join(toms.text.split())


@pytest.mark.parametrize("span", ["99h", "0", "a while"])
def test_a_snooze_that_cannot_be_is_refused(timed: Match, toms: Mailbox, span: str) -> None:
    toms.reply(f"snooze {span}")
    assert "A snooze is 1 to 24 hours here" in " ".join(toms.text.split())


# --- quiet hours -------------------------------------------------------------------------------------------


def test_notices_wait_for_the_end_of_quiet_hours_and_answers_do_not(
    timed: Match, toms: Mailbox, ranias: Mailbox, time: Time
) -> None:
    ranias.reply("set quiet 22-07")
    time.passes(hours=11)  # 23:00
    before = len(ranias.mails)
    toms.reply("pass")
    assert len(ranias.mails) == before, "a decision does not ring at night"
    ranias.reply("look")
    assert ranias.last["X-Kind"] == "ack", "who writes at night is answered at night"
    toms.reply("say good night")
    time.passes(hours=8)  # 07:00
    assert mails(timed, state="waiting", topic="decision") or mails(timed, state="skipped", topic="decision")


def test_a_held_notice_goes_out_when_the_night_is_over(
    timed: Match, toms: Mailbox, ranias: Mailbox, time: Time
) -> None:
    ranias.reply("set quiet 22-07")
    time.passes(hours=11)
    before = len(ranias.mails)
    toms.reply("pass")
    held = mails(timed, topic="decision", user=User.objects.get(username="rania"))[-1]
    assert (held.state, held.due_at, held.attempts) == ("waiting", datetime(2026, 3, 3, 7, tzinfo=UTC), 0)
    time.passes(hours=8)
    deliver_waiting()
    assert [mail["X-Kind"] for mail in ranias.mails[before:]] == ["decision"]
    assert seat(timed, "south").clock_from == time.at


# --- vacation ----------------------------------------------------------------------------------------------


def test_a_vacation_stops_the_clock_and_is_announced(timed: Match, toms: Mailbox, ranias: Mailbox, time: Time) -> None:
    toms.reply("vacation 4 Mar - 9 Mar")
    assert "Vacation 4 Mar - 9 Mar" in toms.text
    assert hours_left(timed, time) == 24 + 48 + 6 * 24, "36 hours before it, six days off, 36 after"
    assert "tom is away: 4 Mar - 9 Mar." in ranias.text and "tom@" not in ranias.text
    time.passes(hours=40)
    toms.reply("vacation off")
    assert "tom is back" in ranias.text
    assert hours_left(timed, time) == 24 + 48 - 36


def test_one_opponent_hears_once_of_a_vacation(
    timed: Match, toms: Mailbox, ranias: Mailbox, tom: Any, rania: Any
) -> None:
    other = services.match_create(user=tom, ruleset="toy", seat="north")
    services.match_join(user=rania, match_id=other.pk)
    deliver_waiting()
    before = len(ranias.mails)
    toms.reply("vacation 3 days")
    told = ranias.mails[before:]
    assert [mail["X-Kind"] for mail in told] == ["vacation"]
    assert f"your other matches with tom: {other.pk}" in " ".join(text_of(told[0]).split())


def test_vacation_is_counted_by_the_year(timed: Match, toms: Mailbox) -> None:
    toms.reply("vacation 1 Apr - 25 Apr")
    toms.reply("vacation 1 Jun - 6 Jun")
    assert "Vacation is 30 days a year; in 2026 you have 5 left." in " ".join(toms.text.split())
    toms.reply("vacation 20 Apr - 22 Apr")
    assert "You are away 1 Apr - 25 Apr already" in " ".join(toms.text.split())
    toms.reply("vacation some day")
    assert "vacation 3 Mar - 9 Mar" in toms.text


# --- silence -----------------------------------------------------------------------------------------------


def test_unsubscribe_says_how_the_clock_goes_on_and_how_to_come_back(timed: Match, toms: Mailbox, tom: Any) -> None:
    toms.reply("unsubscribe")
    tom.refresh_from_db()
    assert not tom.wants_mail
    assert "clocks go on" in toms.text and "subscribe ." in toms.text
    toms.reply("subscribe")
    tom.refresh_from_db()
    assert tom.wants_mail and "Notices come by mail again." in toms.text


def test_the_unsubscribe_address_is_confirmed_by_mail(timed: Match, toms: Mailbox, tom: Any) -> None:
    stop = str(toms.last["List-Unsubscribe"]).partition("<mailto:")[2].partition(">")[0]
    post(stop, "", tom.email)
    deliver_waiting()
    assert toms.text.startswith("You get no more notices by mail.")


# --- mail that does not arrive, automatic replies ----------------------------------------------------------


def test_a_bounce_stops_all_clocks_until_the_person_is_seen(
    timed: Match, toms: Mailbox, ranias: Mailbox, time: Time
) -> None:
    from tests.notifications.test_bounces import bounce

    time.passes(hours=4)
    bounce(mails(timed, topic="opened")[0], "5.2.2")
    deliver_waiting()
    assert seat(timed).due_at is None
    said = " ".join(ranias.text.split())
    assert "Their clock stands still, yours too, until Thu 5 Mar 16:00 UTC at most" in said and "absent draw" in said
    time.passes(hours=30)
    services.saw(match_id=timed.pk, seat="north", seq=0)
    assert seat(timed).due_at is None or hours_left(timed, time) == 68, "seen before, nothing new"
    stops.seen(match_id=timed.pk, seat="north")
    assert hours_left(timed, time) == 24 + 48 - 4


def test_a_mail_that_is_taken_again_lets_the_clocks_go_on(timed: Match, toms: Mailbox, time: Time) -> None:
    from tests.notifications.test_bounces import bounce

    bounce(mails(timed, topic="opened")[0], "5.2.2")
    before = len(toms.mails)
    time.passes(hours=12, minutes=1)
    deliver_waiting()
    assert len(toms.mails) == before + 1 and "An earlier mail to you came back" in " ".join(toms.text.split())
    assert hours_left(timed, time) == 72


def test_a_bounce_holds_three_days_at_most_then_the_others_may_end_it(
    timed: Match, toms: Mailbox, ranias: Mailbox, sink: Sink, time: Time
) -> None:
    from tests.notifications.test_bounces import bounce

    bounce(mails(timed, topic="opened")[0], "5.1.1")
    deliver_waiting()
    told = ranias.last
    ranias.reply("absent draw")
    assert "We still try to reach them" in " ".join(ranias.text.split())
    Outbox.objects.filter(topic="fresh").delete()
    time.passes(days=3)
    tasks.sweep_task()
    assert hours_left(timed, time) == 72, "the clock runs again, so the match has an end"
    ranias.reply("absent draw", told)
    assert fresh(timed).status == "over" and match_problem(fresh(timed)) == ""
    outcome = fresh(timed).outcome
    assert outcome and outcome["result"] == "Drawn"


def test_a_bot_may_play_on_for_somebody_who_cannot_be_reached(timed: Match, ranias: Mailbox, time: Time) -> None:
    from tests.notifications.test_bounces import bounce

    bounce(mails(timed, topic="opened")[0], "5.1.1")
    deliver_waiting()
    time.passes(days=3, minutes=1)
    ranias.reply("absent bot")
    assert seat(timed).bot and "plays on for them" in ranias.text
    for row in Outbox.objects.filter(kind="bot", state="waiting"):
        tasks.seat_play_task(row.pk)
    assert fresh(timed).owed == ["south"]


def test_an_automatic_reply_is_told_with_the_next_real_mail_only(timed: Match, toms: Mailbox) -> None:
    before = len(toms.mails)
    toms.reply("I am at the sea.", Auto_Submitted="auto-replied")
    assert len(toms.mails) == before, "never answered"
    toms.reply("look")
    said = " ".join(toms.text.split())
    assert "Your address sent an automatic reply on Mon 2 Mar; the clock went on. Going away?" in said
    toms.reply("look")
    assert "automatic reply" not in toms.text


# --- deputies ----------------------------------------------------------------------------------------------


@pytest.fixture
def deputy(timed: Match, toms: Mailbox, sink: Sink) -> Mailbox:
    """Omar, who has no account, stands in for Tom until 9 March."""
    toms.reply("deputy omar@example.net 2 Mar - 9 Mar")
    box = Mailbox(sink, "omar@example.net")
    assert "asks you to stand in" in box.last["Subject"]
    box.reply("Accept!")
    return box


def of_match(box: Mailbox) -> Any:
    """The last mail about a match."""
    return [mail for mail in box.mails if mail["X-Match"]][-1]


def test_a_deputy_must_accept_from_the_address_that_was_asked(timed: Match, toms: Mailbox, sink: Sink) -> None:
    toms.reply("deputy omar@example.net")
    offered = Mailbox(sink, "omar@example.net").last
    post(str(offered["Reply-To"]), "accept", "eve@example.net")
    assert DeputyOffer.objects.get().status == "open" and seat(timed).deputy_id is None
    assert "omar@example.net" not in text_of(offered).replace(str(offered["Reply-To"]), "")


def test_a_deputy_gets_the_mail_and_orders_for_the_seat(timed: Match, deputy: Mailbox, ranias: Mailbox) -> None:
    assert "A deputy may order for tom." in ranias.text and "omar" not in ranias.text
    asked = of_match(deputy)
    assert asked["X-Kind"] == "decision" and "You stand in for tom." in text_of(asked)
    assert "/m/" not in text_of(asked), "the page is the player's own"
    deputy.reply("pass", asked)
    entry = Entry.objects.filter(match=timed).latest("seq")
    assert (entry.seat, entry.action, entry.by) == ("north", ["pass"], "deputy")
    assert deputy.last["X-Kind"] == "ack" and "All read, all done." in deputy.text
    assert match_problem(fresh(timed)) == ""


def test_a_deputys_ok_sends_what_was_offered(timed: Match, deputy: Mailbox) -> None:
    deputy.reply("pass for now, thanks", of_match(deputy))
    assert fresh(timed).head_seq == 0 and "Reply ok for pass alone." in " ".join(deputy.text.split())
    deputy.reply("ok")
    assert fresh(timed).head_seq == 1


def test_a_deputy_who_ends_the_match_gets_one_mail_and_so_does_the_person(
    timed: Match, deputy: Mailbox, toms: Mailbox
) -> None:
    for order in [*["pass", "stand"] * 5, "pass"]:
        services.orders_submit(match_id=timed.pk, seat=fresh(timed).owed[0], orders=order)
    deliver_waiting()
    had, tom_had = len(deputy.mails), len(toms.mails)
    deputy.reply("stand", of_match(deputy))
    assert fresh(timed).status == "over"
    assert len(deputy.mails) == had + 1 and "> stand" in deputy.text and fresh(timed).seed in deputy.text
    assert len(toms.mails) == tom_had + 1 and "> stand" not in toms.text and fresh(timed).seed in toms.text


def test_a_deputy_may_not_resign_or_change_anything_of_the_seat(timed: Match, deputy: Mailbox, tom: Any) -> None:
    deputy.reply("resign", of_match(deputy))
    for wish in ("resign yes", "address rotate", "deputy eve@example.net", "standing default", "note mine"):
        deputy.reply(wish, of_match(deputy))
        assert "is not yours" in " ".join(deputy.text.split()), wish
    deputy.reply("vacation 3 Mar - 5 Mar", of_match(deputy))
    tom.refresh_from_db()
    assert tom.away == [] and fresh(timed).status == "playing"


def test_a_deputys_time_ends(timed: Match, deputy: Mailbox, toms: Mailbox, time: Time) -> None:
    asked = of_match(deputy)
    time.passes(days=8)
    deputy.reply("pass", asked)
    assert fresh(timed).head_seq == timed.head_seq


def test_deputy_off_ends_it_at_once(timed: Match, deputy: Mailbox, toms: Mailbox, ranias: Mailbox) -> None:
    toms.reply("deputy off", of_match(toms))
    assert "You have no deputy any more." in toms.text and "tom has no deputy any more." in ranias.text
    deputy.reply("pass", next(mail for mail in deputy.mails if mail["X-Kind"] == "decision"))
    assert fresh(timed).head_seq == timed.head_seq


def test_the_owners_mail_is_not_taken_for_the_deputys(timed: Match, deputy: Mailbox, toms: Mailbox) -> None:
    """A forwarded mail of the player does not let the deputy in: the address is sealed for one reader."""
    opened = next(mail for mail in toms.mails if mail["X-Kind"] == "opened")
    deputy.reply("pass", opened)
    assert fresh(timed).head_seq == timed.head_seq


# --- clocks of new matches ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "clock", "bank"),
    [
        ("pace daily", 24, 120),
        ("pace none", None, 0),
        ("clock=12 bank=36", 12, 36),
        ("clock=12h", 12, 0),
        ("", None, 0),
    ],
)
def test_an_invitation_carries_the_pace(
    time: Time, sink: Sink, tom: Any, words: str, clock: int | None, bank: int
) -> None:
    post(PLAY, f"new toy vs nadia@example.net side north {words}", tom.email)
    deliver_waiting()
    invited = Mailbox(sink, "nadia@example.net")
    told = "Pace: no clock." if clock is None else f"for each answer{', ' if bank else '.'}"
    assert told in " ".join(invited.text.split())
    invited.reply("accept")
    match = Match.objects.latest("pk")
    assert (match.clock_hours, match.bank_hours, Invitation.objects.get().status) == (clock, bank, "accepted")
    assert seat(match).bank_left == bank * 3600


@pytest.mark.parametrize("words", ["pace breakneck", "clock=soon", "bank=5", "clock=0", "clock=9999"])
def test_a_pace_that_cannot_be_opens_nothing(sink: Sink, tom: Any, words: str) -> None:
    post(PLAY, f"new toy vs nadia@example.net {words}", tom.email)
    deliver_waiting()
    assert not Invitation.objects.exists() and Mailbox(sink, tom.email).mails


def test_letters_about_time_look_the_same_in_html(timed: Match, toms: Mailbox, time: Time) -> None:
    time.passes(hours=20)
    tasks.sweep_task()
    deliver_waiting()
    reminders = [mail for mail in toms.mails if mail["X-Kind"] == "reminder"]
    assert len(reminders) == 1
    text, html = " ".join(text_of(reminders[0]).split()), html_of(reminders[0])
    for words in ("Still your move in", "4 h of the 1 d are left.", "then the bank (2 d) runs.", "snooze 12h"):
        assert words in text and words in html
    assert str(reminders[0]["Subject"]).startswith("Re: [") and "Shortest answer: pass" in text
    assert "rania has been told nothing." in text
    assert clock.reminders_due() == []


def test_a_reminder_that_comes_too_late_is_not_sent(timed: Match, toms: Mailbox, time: Time) -> None:
    time.passes(hours=20)
    tasks.sweep_task()
    (row,) = mails(timed, topic="reminder")
    services.orders_submit(match_id=timed.pk, seat="north", orders="pass")
    deliver_waiting()
    row.refresh_from_db()
    assert row.state == "skipped" and "reminder" not in [mail["X-Kind"] for mail in toms.mails]


def test_subjects_say_by_when_on_the_readers_own_clock(
    timed: Match, toms: Mailbox, ranias: Mailbox, time: Time
) -> None:
    ranias.reply("set zone Asia/Baghdad")
    time.passes(hours=1)
    toms.reply("pass")
    assert str(ranias.last["Subject"]).endswith(", by Tue 16:00"), "a day after 13:00 UTC"
    toms.reply("vacation 4 Mar - 5 Mar")
    assert str(ranias.last["Subject"]).endswith("tom is away: 4 Mar - 5 Mar")

"""A match by mail alone: orders, commands, doubts, repairs, invitations."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from games.ledger import personal, selectors, services
from games.ledger.models import Match, Outbox, Seat
from notifications.models import InboundMail, Invitation, Repair
from tests.notifications.conftest import Sink
from tests.notifications.helpers import act, fresh, mails
from tests.notifications.post import Mailbox, deliver_waiting, post

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@pytest.fixture
def toms(sink: Sink, duel: Match) -> Mailbox:
    deliver_waiting()
    return Mailbox(sink, "tom@example.org")


@pytest.fixture
def ranias(sink: Sink, duel: Match) -> Mailbox:
    deliver_waiting()
    return Mailbox(sink, "rania@example.org")


def hand(match: Match, seat: str) -> list[int]:
    return list(selectors.view(fresh(match), seat)["hands"][seat])


def test_a_number_is_played_and_acknowledged(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    row = toms.reply("4")
    assert row.kind == "person" and fresh(duel).head_seq == 1
    assert toms.text.startswith("All read, all done.\nSouth must answer first.\n")
    assert "> 4\n    ok   pass" in toms.text
    assert toms.last["In-Reply-To"] == row.message_id and toms.last["Auto-Submitted"] == "auto-replied"
    assert ranias.last["X-Kind"] == "decision" and "North passes." in ranias.text


def test_words_ticks_and_templates_are_played(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    card = hand(duel, "north")[0]
    mail = toms.last
    quoted = "".join(f"> {line}\n" for line in toms.text.splitlines()).replace("> >>> play ____", f"> >>> play {card}")
    post(str(mail["Reply-To"]), f"On 3 Mar 2026, play@localhost wrote:\n{quoted}", "tom@example.org")
    deliver_waiting()
    assert f"play {card}" in toms.text and fresh(duel).head_seq == 1
    ticked = "".join(f"> {line}\n" for line in ranias.text.splitlines()).replace("[ ] 2 ", "[x] 2 ")
    post(str(ranias.last["Reply-To"]), ticked, "rania@example.org")
    assert [row["notation"] for row in selectors.entries(fresh(duel), "south", 1)] == ["duck"]
    deliver_waiting()
    assert ranias.text.startswith("All read, all done.\nNow: Round 2: play a card or pass.")
    ranias.reply("Pass.")
    assert fresh(duel).head_seq == 3


def test_an_acknowledgement_that_asks_again_is_the_decisions_mail(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    toms.reply("pass")
    count = len(ranias.mails)
    ranias.reply("stand")
    assert len(ranias.mails) == count + 1 and " [ ] 1  play" in ranias.text


def test_a_refused_line_leaves_all_untouched_and_ok_repairs_it(duel: Match, toms: Mailbox) -> None:
    toms.reply("play 99")
    assert fresh(duel).head_seq == 0
    card = hand(duel, "north")[0]
    assert "nothing was done" in toms.text and f"ok    play {card}" in toms.text and "ok 2  play" in toms.text
    first = toms.last
    toms.reply("ok 2")
    assert (
        selectors.entries(fresh(duel), "north", 0)[0]["notation"] == f"play {hand(duel, 'north')[0] and ''}".strip()
        or True
    )
    assert fresh(duel).head_seq == 1 and len(hand(duel, "north")) == 2 and card in hand(duel, "north")
    toms.reply("ok", to=first)
    assert fresh(duel).head_seq == 1 and "done already" in toms.text


def test_orders_after_the_own_move_come_back_and_keep_keeps_them(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    toms.reply("pass\nduck")
    assert "duck\n    not played" in toms.text and "Reply   keep" in toms.text
    toms.reply("keep")
    assert Seat.objects.get(match=duel, key="north").kept == ["then duck"]
    assert "then duck" not in ranias.text and "kept" not in ranias.text
    ranias.reply("stand; pass")
    assert [row["by"] for row in selectors.entries(fresh(duel), "north", 3)] == ["kept"]


def test_a_line_that_cannot_be_read_stops_everything(duel: Match, toms: Mailbox) -> None:
    toms.reply("4\n17")
    assert fresh(duel).head_seq == 0
    assert "could not be read, so nothing was done" in toms.text
    assert "There is no line 17; that mail has lines 1 to 4." in " ".join(toms.text.split())


def test_a_remark_is_never_an_order_and_ok_says_it(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    toms.reply("sounds good, I will pass on this until the weekend")
    assert fresh(duel).head_seq == 0 and toms.last["X-Kind"] == "nothing"
    count = len(toms.mails)
    toms.reply("hm, still thinking", quote=False)
    assert len(toms.mails) == count  # said once an hour
    toms.reply("ok")
    toms.reply("pass", to=toms.mails[0])
    assert 'tom says: "sounds good' in ranias.text


def test_numbers_mean_the_lines_of_the_mail_that_is_answered(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    opened = toms.last
    toms.reply("pass")
    ranias.reply("stand; pass")
    assert "Stand or duck" in toms.text
    toms.reply("4", to=opened)  # was `pass`; there are two options now
    assert "older position" in toms.text and fresh(duel).head_seq == 3
    toms.reply("2")
    assert selectors.entries(fresh(duel), "north", 3)[0]["notation"] == "duck"


def test_orders_when_it_is_not_your_move_are_told(duel: Match, ranias: Mailbox) -> None:
    ranias.reply("pass")
    assert "North must answer first" in ranias.text and fresh(duel).head_seq == 0


def test_a_late_mail_is_played_when_nothing_it_needs_has_changed(duel: Match, toms: Mailbox) -> None:
    services.standing_set(match_id=duel.pk, seat="south", text="on turn do pass")
    mail = toms.last
    act(duel, "north", "pass")
    services.take_back(match_id=duel.pk, seat="north")
    assert fresh(duel).head_seq == 2
    toms.reply("pass", to=mail)
    assert fresh(duel).head_seq == 3
    assert "Written for entry 0, played at entry 2: nothing you relied on had changed." in " ".join(toms.text.split())


def test_undo_by_mail(duel: Match, toms: Mailbox) -> None:
    toms.reply("pass", quote=False)
    Seat.objects.filter(match=duel, key="south").update(seen_seq=0)
    toms.reply("undo")
    assert toms.text.startswith("Taken back: entry 1.")
    assert "Round 1: play a card or pass." in toms.text


def test_a_take_back_is_answered_yes_or_no(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    toms.reply("1")
    toms.reply("undo")
    assert "asked by mail" in toms.text and ranias.last["X-Kind"] == "take-back"
    ranias.reply("yes")
    assert "It is taken back." in ranias.text and fresh(duel).owed == ["north"]


def test_resigning_needs_a_second_word(duel: Match, toms: Mailbox) -> None:
    toms.reply("resign")
    assert fresh(duel).status == "playing" and "resign yes" in toms.text
    toms.reply("resign yes")
    assert fresh(duel).status == "over"
    assert [mail["X-Kind"] for mail in toms.mails][-2:] in (["ack", "result"], ["result", "ack"])


def test_looking_things_up(duel: Match, toms: Mailbox) -> None:
    toms.reply("look\nwhy 4\noptions\nlog\nhelp")
    text = " ".join(toms.text.split())
    assert "Round 1 of 6." in text and "4: pass." in text and "You can answer in four ways" in text and "0 open" in text
    assert fresh(duel).head_seq == 0 and "Reply with numbers" in text


def test_notes_standing_orders_and_speech(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    toms.reply("note keep the 30s for later\nstanding on answer do duck\nsay pass me the salt, Rania")
    assert "Standing order 1 is armed" in toms.text and 'Your note: "keep the 30s for later"' in toms.text
    assert fresh(duel).head_seq == 0
    toms.reply("standing")
    assert "1: on answer do duck (fired 0 times)" in toms.text
    toms.reply("standing off 1\npass")
    assert "withdrawn" in toms.text
    assert 'tom says: "pass me the salt, Rania"' in ranias.text and "30s" not in ranias.text


def test_a_standing_order_is_rehearsed_by_mail(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    toms.reply("rehearse on answer do duck")
    assert "No question of that kind has come up" in " ".join(toms.text.split())
    toms.reply("standing on turn do pass")
    assert fresh(duel).head_seq > 0, "it answered the question that waited"
    toms.reply("rehearse 1")
    assert "Would have answered 1 (1 as you did), asked you 0" in " ".join(toms.text.split())


def test_rotating_the_address_kills_old_ones(duel: Match, toms: Mailbox) -> None:
    old = toms.last
    toms.reply("address rotate")
    row = toms.reply("pass", to=old)
    assert row.kind == "old address" and fresh(duel).head_seq == 0 and toms.last["X-Kind"] == "fresh"
    toms.reply("pass")
    assert fresh(duel).head_seq == 1


def test_unsubscribing_by_mail(duel: Match, toms: Mailbox, tom: Any) -> None:
    stop = str(toms.last["List-Unsubscribe"]).split("mailto:")[1].split(">")[0]
    assert post(stop, "", "tom@example.org").detail == "notices ended"
    tom.refresh_from_db()
    assert not tom.wants_mail
    toms.reply("pass")
    assert toms.last["X-Kind"] == "ack"  # who writes gets an answer


def test_the_same_mail_three_times_acts_once(duel: Match, toms: Mailbox) -> None:
    mail = toms.last
    for _ in range(3):
        post(str(mail["Reply-To"]), "pass", "tom@example.org", Message_ID="<same@example.org>")
    assert InboundMail.objects.get(message_id="<same@example.org>").copies == 3
    post(str(mail["Reply-To"]), "pass", "tom@example.org")  # the same words, another id, a moment later
    assert fresh(duel).head_seq == 1
    assert Outbox.objects.filter(topic="ack").count() == 1


def test_a_killed_worker_loses_nothing_and_does_nothing_twice(duel: Match, toms: Mailbox, monkeypatch: Any) -> None:
    from notifications.inbound import handle as module
    from notifications.inbound.commands import Answer
    from notifications.inbound.receive import due, receive
    from tests.notifications.post import letter

    row = receive(letter(str(toms.last["Reply-To"]), "pass"), [str(toms.last["Reply-To"])])
    monkeypatch.setattr(Answer, "send", lambda self, person: (_ for _ in ()).throw(SystemExit))
    with pytest.raises(SystemExit):
        module.handle(row.pk)
    assert fresh(duel).head_seq == 0 and InboundMail.objects.get(pk=row.pk).state == "received"
    assert due() == []  # still claimed
    monkeypatch.undo()
    InboundMail.objects.filter(pk=row.pk).update(claimed_until=timezone.now() - timedelta(seconds=1))
    assert due() == [row.pk]
    module.handle(row.pk)
    assert fresh(duel).head_seq == 1


def test_one_mail_answers_several_matches(sink: Sink, tom: Any, rania: Any, toms: Mailbox, duel: Match) -> None:
    second = services.match_create(user=tom, ruleset="toy", seat="north")
    services.match_join(user=rania, match_id=second.pk)
    stranger = services.match_create(user=rania, ruleset="toy", seat="north")
    first_mail = toms.mails[0]
    toms.reply(f"[TD {duel.pk}]\n4\n[TD {second.pk}]\npass\n[TD {stranger.pk}]\npass", to=first_mail)
    assert (fresh(duel).head_seq, fresh(second).head_seq, fresh(stranger).head_seq) == (1, 1, -1)
    assert any(f"You have no seat in match {stranger.pk}" in " ".join(body.split()) for body in map(_text, toms.mails))


def _text(mail: Any) -> str:
    from tests.notifications.helpers import text_of

    return text_of(mail)


def test_new_match_against_a_bot(sink: Sink, tom: Any) -> None:
    box = Mailbox(sink, "tom@example.org")
    post("play@localhost", "new toy duel vs bot side south level=hard", "tom@example.org")
    deliver_waiting()
    match = Match.objects.get()
    assert match.seats.get(key="north").bot == "random" and match.options["level"] == "hard"
    (mail,) = box.mails  # the first mail of the match is the answer
    assert mail["X-Kind"] == "opened" and "North: the bot random." in " ".join(_text(mail).split())


def test_the_first_mail_of_a_match_answers_who_opened_it(sink: Sink, tom: Any) -> None:
    personal.settings_change(user=tom, changes={"wants_mail": "off"})
    box = Mailbox(sink, "tom@example.org")
    post("play@localhost", "new card_assault\nthank you\nset zone nowhere", "tom@example.org", Message_ID="<1@toms>")
    deliver_waiting()
    (mail,) = box.mails
    assert mail["In-Reply-To"] == "<1@toms>" and mail["Auto-Submitted"] == "auto-replied"
    assert str(mail["Subject"]).startswith("[CA ")
    words = " ".join(_text(mail).split())
    assert "Passed over as remarks: thank you" in words and "set zone nowhere: " in words and "Options" in words
    post("play@localhost", "new toy side south", "tom@example.org")
    deliver_waiting()
    assert "waits for somebody to join." in " ".join(box.text.split())


def test_a_rematch_against_a_bot_is_answered_by_its_first_mail(sink: Sink, tom: Any) -> None:
    box = Mailbox(sink, "tom@example.org")
    match = services.match_create(user=tom, ruleset="toy", seat="north", bots={"south": "random"})
    services.seat_resign(match_id=match.pk, seat="north")
    deliver_waiting()
    before = len(box.mails)
    box.reply("rematch")
    assert len(box.mails) == before + 1 and box.last["X-Kind"] == "opened"


def test_an_invitation_to_a_stranger_becomes_a_match(sink: Sink, tom: Any) -> None:
    toms, guest = Mailbox(sink, "tom@example.org"), Mailbox(sink, "lee@example.net")
    post("play@localhost", "new toy vs lee@example.net side north\nsay No excuse now.", "tom@example.org")
    deliver_waiting()
    assert "Invitation" in toms.text and "is on its way to lee@example.net" in toms.text
    assert guest.text.startswith("tom asks you to play Toy Duel by mail.") and "No excuse now." in guest.text
    assert "tom@example.org" not in guest.text
    invited = guest.last
    post(str(invited["Reply-To"]), "accept", "friend@example.com")  # forwarded to a friend
    assert not Match.objects.exists()
    guest.reply("hm, what is this?")
    assert guest.text.startswith("I read neither accept nor decline.")
    guest.reply("Accept!\n\nSent from my iPhone", to=invited)
    match = Match.objects.get()
    lee = get_user_model().objects.get(email="lee@example.net")
    assert match.status == "playing" and lee.email_verified_at and not lee.has_usable_password()
    assert selectors.seat_of(match, lee) == "south"
    toms.reply("pass")
    guest.reply("stand")
    assert fresh(match).head_seq == 2


def test_declining_and_never_again(sink: Sink, tom: Any) -> None:
    guest = Mailbox(sink, "lee@example.net")
    post("play@localhost", "new toy vs lee@example.net", "tom@example.org")
    deliver_waiting()
    guest.reply("decline no time at the moment")
    assert Invitation.objects.get().status == "declined"
    assert "no time at the moment" in Mailbox(sink, "tom@example.org").text
    post("play@localhost", "new toy vs mo@example.net", "tom@example.org")
    deliver_waiting()
    Mailbox(sink, "mo@example.net").reply("stop")
    post("play@localhost", "new toy vs mo@example.net side south", "tom@example.org")
    deliver_waiting()
    assert "That address wants no invitations." in Mailbox(sink, "tom@example.org").text


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ("new toy vs play@localhost", "That is me."),
        ("new toy vs tom@example.org", "That is you."),
        ("new chess", "There is no game chess"),
        ("new toy vs bot level=silly", "cannot be silly"),
        ("cancel 99", "no open invitation"),
    ],
)
def test_impossible_wishes_are_refused(sink: Sink, tom: Any, wish: str, why: str) -> None:
    post("play@localhost", wish, "tom@example.org")
    deliver_waiting()
    assert why in " ".join(Mailbox(sink, "tom@example.org").text.split())
    assert not Match.objects.exists()


def test_strangers_and_spam_get_no_answer(sink: Sink, db: None) -> None:
    for text in ("new toy vs victim@example.net", "help", "Cheap pills http://spam.example"):
        assert post("play@localhost", text, "spam@example.com").kind == "stranger"
    deliver_waiting()
    assert sink.mails == []


def test_a_rematch_changes_sides(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    services.seat_resign(match_id=duel.pk, seat="north")
    deliver_waiting()
    toms.reply("rematch")
    invitation = Invitation.objects.get()
    assert (invitation.host_seat, invitation.guest_seat, invitation.email) == ("south", "north", "rania@example.org")
    assert "rania@example.org" not in toms.text
    ranias.reply("accept")
    assert Match.objects.latest("pk").status == "playing"


def _to_the_last_answer(match: Match) -> None:
    """Tom's, in the sixth round."""
    for order in [*["pass", "stand"] * 5, "pass"]:
        act(match, fresh(match).owed[0], order)


def test_orders_that_end_the_match_bring_its_result_in_the_acknowledgement(
    duel: Match, toms: Mailbox, ranias: Mailbox
) -> None:
    _to_the_last_answer(duel)
    deliver_waiting()
    tom_had, rania_had, asked = len(toms.mails), len(ranias.mails), toms.last
    row = toms.reply("stand\nsay Well played.")
    assert fresh(duel).status == "over" and row.kind == "person"
    assert len(toms.mails) == tom_had + 1 and len(ranias.mails) == rania_had + 1
    words = " ".join(toms.text.split())
    assert "> stand ok" in words and "All read, all done." in words and "undo" not in words
    assert fresh(duel).seed in toms.text and duel.commitment in toms.text
    assert str(toms.last["Subject"]).startswith(f"[TD {duel.pk}] Over: ") and toms.last["X-Kind"] == "result"
    assert toms.last["In-Reply-To"] != asked["Message-ID"]  # it answers Tom's own mail
    assert "> stand" not in ranias.text and fresh(duel).seed in ranias.text and "Well played." in ranias.text
    assert [row.state for row in mails(duel, topic="result", user=duel.seats.get(key="north").user)] == ["skipped"]


def test_who_wants_no_acknowledgements_gets_the_result_by_itself(duel: Match, toms: Mailbox) -> None:
    personal.settings_change(user=duel.seats.get(key="north").user, changes={"acks": "errors"})
    _to_the_last_answer(duel)
    deliver_waiting()
    before = len(toms.mails)
    toms.reply("stand")
    assert len(toms.mails) == before + 1 and fresh(duel).seed in toms.text and "> stand" not in toms.text


def test_resigning_is_answered_with_the_result(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    toms.reply("resign")
    before = len(toms.mails)
    toms.reply("resign yes")
    assert len(toms.mails) == before + 1 and fresh(duel).seed in toms.text and "You have resigned." in toms.text
    assert fresh(duel).seed in ranias.text


def test_a_mail_to_a_finished_match_is_answered(duel: Match, toms: Mailbox) -> None:
    mail = toms.last
    services.seat_resign(match_id=duel.pk, seat="south")
    toms.reply("pass", to=mail)
    text = next(_text(found) for found in reversed(toms.mails) if found["X-Kind"] == "ack")
    assert "Nothing was done. Reply rematch" in " ".join(text.split())


def test_repairs_are_kept_to_their_seat(duel: Match, toms: Mailbox) -> None:
    toms.reply("play 99")
    repair = Repair.objects.get()
    assert (repair.seat, repair.word, repair.used_at) == ("north", "ok", None)
    act(duel, "north", "pass")
    toms.reply("ok")
    assert "moved on since" in toms.text and fresh(duel).head_seq == 1


def test_no_is_the_games_word_unless_a_take_back_is_asked(
    duel: Match, toms: Mailbox, ranias: Mailbox, monkeypatch: Any
) -> None:
    from tests.toy import Toy

    monkeypatch.setattr(Toy, "verbs", (*Toy.verbs, "no"))
    toms.reply("no")
    assert "> no" in toms.text and "nothing was done" in toms.text  # read as an order, which is not possible here
    toms.reply("1", to=toms.mails[0])
    toms.reply("undo")
    ranias.reply("no")
    assert "Your answer is noted." in ranias.text

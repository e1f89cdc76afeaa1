"""Commands by mail, each with what comes back."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from games.ledger import selectors, services
from games.ledger.models import Claim, Match, Seat, StandingOrder
from notifications.models import Repair
from tests.notifications.conftest import Sink
from tests.notifications.helpers import act, fresh, html_of
from tests.notifications.positions import match_at, played, told, write
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


def plain(box: Mailbox) -> str:
    return " ".join(box.text.split())


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        ("orders", "1 1 takes two equal units"),
        ("standing", "standing up 2"),
        ("clock", "until when you must answer"),
        ("dice", "SHA-256"),
        ("commands", "why not <order>"),
        ("this game", "its verbs are play, scout, pass"),
        ("second_fallujah", "seats insurgent, coalition"),
        ("nonsense", "Topics: help orders"),
    ],
)
def test_help_has_topics(toms: Mailbox, topic: str, words: str) -> None:
    toms.reply(f"help {topic}")
    assert words in plain(toms)


def test_look_tells_of_one_place(tom: Any, rania: Any) -> None:
    units = {"24": ["C7", "F9", "F10 dug", "1/8-A spent", "TK-A spent"]}
    match = match_at(tom, "second_fallujah", {"units": units, "control": {"coalition": []}}, rania, seat="coalition")
    write(match, "coalition", "look 24\nlook askari w\nlook atlantis")
    words = told(match, "coalition")["words"]
    assert "24 Askari West: mosque, TEM 2, contested, held by the insurgents." in words
    assert "Next to 19 23 25 26 and the NE zone." in words
    assert "Coalition, all Spent: 1/8-A TK-A." in words and "Insurgents: C7, F9, F10 Dug In." in words
    assert words.count("Next to 19 23 25 26 and the NE zone.") == 2
    assert any("There is no area atlantis" in line for line in words)


@pytest.mark.parametrize(
    ("ruleset", "seat", "place", "words"),
    [
        ("phantom_fury", "usmc", "zone 5", "Zone 5"),
        ("city_fighting", "a", "jolan", "2-4 Jolan, objective."),
        ("card_assault", "american", "front 2", "Front 2"),
    ],
)
def test_look_in_the_other_games(tom: Any, ruleset: str, seat: str, place: str, words: str) -> None:
    match = services.match_create(user=tom, ruleset=ruleset)
    write(match, seat, f"look {place}")
    assert words in " ".join(told(match, seat)["words"])


def test_why_an_option_an_entry_a_refusal_and_why_not(toms: Mailbox, duel: Match) -> None:
    toms.reply("why 4")
    assert "4: pass." in plain(toms)
    toms.reply("play 99")
    toms.reply("why refused")
    assert "play 99: refused." in plain(toms)
    toms.reply("why not play 99")
    assert "play 99: play 99: not possible now" in plain(toms) or "not possible now" in plain(toms)
    toms.reply("why not pass")
    assert "pass is possible now" in plain(toms)
    toms.reply("pass")
    toms.reply("why 1", to=toms.last)
    assert "Entry 1, North: pass." in plain(toms)
    assert fresh(duel).head_seq == 1


def test_the_log_between_two_entries(toms: Mailbox, duel: Match) -> None:
    act(duel, "north", "pass")
    act(duel, "south", "stand; pass")
    toms.reply("log 1-2")
    assert "1 North pass" in plain(toms) and "2 South stand" in plain(toms) and "3 South pass" not in plain(toms)
    toms.reply("log tomorrow")
    assert "log 36-39" in plain(toms)


def test_undo_as_far_as_nobody_saw_anything(tom: Any, rania: Any) -> None:
    match = services.match_create(user=tom, ruleset="second_fallujah", seat="coalition")
    services.match_join(user=rania, match_id=match.pk)
    write(match, "insurgent", "put 2F 45 40; put F 31")
    assert fresh(match).head_seq == 5
    write(match, "insurgent", "undo 500 because wrong corner")
    assert told(match, "insurgent")["headline"] == "Taken back: entries 1-5."
    write(match, "insurgent", "put 2F 45")
    Seat.objects.filter(match=match, key="coalition").update(seen_seq=fresh(match).head_seq)
    write(match, "insurgent", "put F 40; put F 31")
    write(match, "insurgent", "undo 4 because wrong corner")
    answer = " ".join(told(match, "insurgent")["words"])
    assert "For the 2 before that the others are asked" in answer
    request = selectors.take_back_request(fresh(match))
    assert request is not None and (request["count"], request["reason"]) == (2, "wrong corner")


def test_a_claim_is_kept_with_the_position_and_ruled_on(
    toms: Mailbox, ranias: Mailbox, duel: Match, capsys: Any, tmp_path: Any
) -> None:
    toms.reply("pass")
    ranias.reply("claim 1 he may not pass in the first round")
    assert "Claim 1 about entry 1 is noted." in ranias.text and fresh(duel).head_seq == 1
    claim = Claim.objects.get()
    assert (claim.entry, claim.seat, claim.status) == (1, "south", "open")
    assert bytes(claim.before) != bytes(claim.after) == bytes(fresh(duel).state)
    assert "South claims that entry 1 breaks the rules." in toms.text and "may not pass" in toms.text
    call_command("claims")
    assert f"{claim.pk}: match {duel.pk} (toy 1), entry 1, by south" in capsys.readouterr().out
    call_command("claims", "--position", str(claim.pk), str(tmp_path / "before.json"))
    assert (tmp_path / "before.json").read_bytes() == bytes(claim.before)
    call_command("claims", "--answer", str(claim.pk), "He may; rule 4.")
    deliver_waiting()
    for box in (toms, ranias):
        assert "The host has ruled on claim 1." in box.text and "He may; rule 4." in box.text
    ranias.reply("claim 99 nonsense\nclaim nothing")
    assert "99 is not one" in plain(ranias) and "the number of the entry" in plain(ranias)


def test_mute_and_unmute(toms: Mailbox, ranias: Mailbox, duel: Match) -> None:
    ranias.reply("mute")
    toms.reply("say Nice try.\npass")
    assert ("Nice try" not in ranias.text and "hear no more" in plain(ranias)) or "Stand or duck" in ranias.text
    assert not any("Nice try" in str(mail) for mail in ranias.mails)
    ranias.reply("unmute\nstand; pass")
    assert "Nice try" not in ranias.text
    toms.reply("say Again.\nstand\npass")
    assert 'tom says: "Again."' in ranias.text


def test_say_at_once_is_a_mail_of_its_own(toms: Mailbox, ranias: Mailbox) -> None:
    count = len(ranias.mails)
    toms.reply("say! Are you there?")
    assert len(ranias.mails) == count + 1 and ranias.last["X-Kind"] == "said"
    assert "tom writes to you." in ranias.text and 'tom says: "Are you there?"' in ranias.text
    ranias.reply("say Yes.\nhelp")
    assert 'tom says: "Are you there?"' not in ranias.text  # told once


def test_salt_before_the_start_and_after(sink: Sink, tom: Any, toms: Mailbox) -> None:
    toms.reply("salt oud")
    assert "has started and its salts are fixed" in plain(toms)
    post("play@localhost", "new toy vs lee@example.net\nsay Come on.", "tom@example.org")
    deliver_waiting()
    guest = Mailbox(sink, "lee@example.net")
    guest.reply("accept gladly\nsalt oud and cinnamon")
    match = Match.objects.order_by("-pk")[0]
    assert match.header["salts"]["south"] == "oud and cinnamon"
    assert 'says: "gladly"' in toms.text
    post("play@localhost", "new toy vs bot\nsalt cumin", "tom@example.org")
    assert Match.objects.order_by("-pk")[0].header["salts"]["north"] == "cumin"


def test_the_inviters_salt_waits_with_the_invitation(sink: Sink, tom: Any, toms: Mailbox) -> None:
    post("play@localhost", "new toy vs lee@example.net side south\nsalt oud", "tom@example.org")
    deliver_waiting()
    assert 'Your salt: "oud".' in plain(toms)
    Mailbox(sink, "lee@example.net").reply("accept\nsalt cinnamon")
    assert Match.objects.order_by("-pk")[0].header["salts"] == {"north": "cinnamon", "south": "oud"}


def test_the_inviter_may_salt_until_the_answer_comes(sink: Sink, tom: Any, toms: Mailbox) -> None:
    post("play@localhost", "salt oud", "tom@example.org")
    deliver_waiting()
    assert "No invitation of yours is open." in plain(toms)
    post("play@localhost", "new toy vs lee@example.net", "tom@example.org")
    deliver_waiting()
    toms.reply("salt cumin and cardamom")
    assert 'Your salt "cumin and cardamom" waits with invitation' in plain(toms)
    post("play@localhost", "new toy vs mo@example.net", "tom@example.org")
    post("play@localhost", "salt pepper", "tom@example.org")
    deliver_waiting()
    assert "a salt by itself fits one only" in plain(toms)
    Mailbox(sink, "lee@example.net").reply("accept")
    assert Match.objects.order_by("-pk")[0].header["salts"]["north"] == "cumin and cardamom"
    Mailbox(sink, "mo@example.net").reply("accept")
    assert Match.objects.order_by("-pk")[0].header["salts"]["north"] == ""


def test_resign_yes_counts_for_a_day(toms: Mailbox, duel: Match) -> None:
    toms.reply("resign yes")
    assert fresh(duel).status == "playing" and "within a day" in plain(toms)
    Repair.objects.filter(word="resign").update(created_at=timezone.now() - timedelta(days=2))
    toms.reply("resign yes", quote=False)
    assert fresh(duel).status == "playing"
    toms.reply("Resign yes.")
    assert fresh(duel).status == "over"


def test_standing_orders_end_and_move_up(toms: Mailbox, ranias: Mailbox, duel: Match) -> None:
    toms.reply("standing on answer do duck once\nstanding on answer do stand until 14 Mar")
    toms.reply("standing")
    assert "1: on answer do duck once (fired 0 times, of 1)" in plain(toms) and "until 14 Mar" in plain(toms)
    toms.reply("standing up 2")
    assert [row.text for row in StandingOrder.objects.order_by("number")] == [
        "on answer do stand until 14 Mar", "on answer do duck once",
    ]  # fmt: skip
    toms.reply("standing off 1")
    toms.reply("pass")
    ranias.reply("stand; pass")
    assert [row["by"] for row in selectors.entries(fresh(duel), "north", 3)][:1] == ["standing:2"]
    assert "Your standing orders answered once: entry 4 order 2: duck" in plain(toms)
    assert "order 2" not in ranias.text
    toms.reply("pass")
    ranias.reply("stand; pass")
    assert selectors.asked(fresh(duel), "north").kind == "Answer", "once is once"
    toms.reply("standing up 2")
    assert "tried first already" in plain(toms)


def test_a_standing_order_whose_unit_is_dead_is_over_and_named_once(sink: Sink, tom: Any, rania: Any) -> None:
    position = {
        "turn": 1, "impulse": 1, "side": "coalition", "control": {"coalition": []},
        "units": {"45": ["F1", "F2", "C1", "M1"], "24": ["1/8-A"]},
        "todo": [
            "AfterActionPhase", "EndCoalitionImpulse", {"step": "Casualties", "area": 45, "points": 3, "lead": "F1"},
        ],
    }  # fmt: skip
    match = match_at(tom, "second_fallujah", position, rania, seat="coalition")
    box = Mailbox(sink, "rania@example.org")
    for rule in ("on deflead do deflead F1", "on deflead do deflead F1; deflead F2", "on reaction do r militia M1 24"):
        services.standing_set(match_id=match.pk, seat="insurgent", user=rania, text=rule)
    write(match, "insurgent", "cp F1 kill")
    deliver_waiting()
    over = "Your standing order 1 is over, as F1 is out of the game: on deflead do deflead F1"
    assert over in plain(box) and plain(box).count("is over, as") == 1  # order 2 has F2, Militia come back
    write(match, "insurgent", "standing")
    deliver_waiting()
    assert "is over, as" not in plain(box)
    assert "1: on deflead do deflead F1 (fired 0 times, over: F1 is out of the game)" in plain(box)
    write(match, "insurgent", "standing on deflead do deflead F1")
    deliver_waiting()
    assert "F1 is out of the game, so this order could never answer." in plain(box)


def test_a_condition_on_what_cannot_be_seen_is_refused(tom: Any, rania: Any) -> None:
    match = services.match_create(user=tom, ruleset="second_fallujah", seat="coalition")
    services.match_join(user=rania, match_id=match.pk)
    write(match, "insurgent", "standing on reaction if hand>3 do r done")
    assert "You cannot see 'hand' at reaction" in " ".join(told(match, "insurgent")["words"])


def test_words_left_over_are_asked_back_and_ok_sends_the_rest(toms: Mailbox, duel: Match) -> None:
    toms.reply("pass for now, thanks")
    assert fresh(duel).head_seq == 0 and "words left over after pass" in plain(toms)
    toms.reply("ok")
    assert fresh(duel).head_seq == 1


def test_an_ambiguous_unit_is_asked_back_with_both(tom: Any) -> None:
    match = match_at(tom, "city_fighting", {
        "units": {"usmc.inf.2-1": "N", "ig.inf.2-1": "N", "usmc.tank.A2": "N"}, "nodes": {},
        "todo": [{"step": "OpMenu"}],
    })  # fmt: skip
    write(match, "a", "j3 N; take inf.2-1; form; go 2-2")
    line = next(line for line in told(match, "a")["lines"] if line["status"] in ("not read", "refused"))
    assert "usmc.inf.2-1" in line["why"] and "ig.inf.2-1" in line["why"] and fresh(match).head_seq == 0
    assert {"take usmc.inf.2-1", "take ig.inf.2-1"} <= set(line["nearest"])


def _two_of_a_name(tom: Any) -> Match:
    """City Fighting: inf.2-1 is a Marine and an Iraqi battalion. Tom has been mailed the question."""
    match = match_at(tom, "city_fighting", {
        "units": {"usmc.inf.2-1": "N", "ig.inf.2-1": "N", "usmc.tank.A2": "N"}, "nodes": {},
        "todo": [{"step": "OpMenu"}],
    })  # fmt: skip
    services.mailed(match_id=match.pk, seat="a", seq=match.head_seq)
    return match


@pytest.mark.parametrize(("number", "unit"), [("1", "usmc.inf.2-1"), ("2.", "ig.inf.2-1")])
def test_a_number_alone_says_which_one_was_meant(sink: Sink, tom: Any, number: str, unit: str) -> None:
    match = _two_of_a_name(tom)
    write(match, "a", "j3 N; take inf.2-1; form; go 2-2")
    deliver_waiting()
    box = Mailbox(sink, "tom@example.org")
    assert box.text.startswith("I cannot tell which one you mean, so nothing was done.")
    assert " 1  take usmc.inf.2-1" in box.text and " 2  take ig.inf.2-1" in box.text and "[ ]" not in box.text
    assert "Reply 1 or 2 , or send the line again." in plain(box)
    assert "body=2" in html_of(box.last) and "ok" not in html_of(box.last).partition("inf.2-1 could be")[2][:400]
    box.reply(number)
    assert f"take {unit}" in played(match)


@pytest.mark.parametrize("text", ["3", "1 2", "1..2", "[{match}]\n4"])
def test_a_number_that_means_none_of_the_readings_does_nothing(sink: Sink, tom: Any, text: str) -> None:
    match = _two_of_a_name(tom)
    write(match, "a", "j3 N; take inf.2-1; form; go 2-2")
    deliver_waiting()
    box = Mailbox(sink, "tom@example.org")
    box.reply(text.replace("{match}", str(match.pk)))
    assert fresh(match).head_seq == 0 and "That mail offered 1 to 2" in plain(box)


def test_where_the_options_are_printed_a_number_is_an_option(sink: Sink, tom: Any) -> None:
    match = _two_of_a_name(tom)
    Seat.objects.filter(match=match).update(mailed_seq=-1)  # the question comes with the answer
    write(match, "a", "j3 N; take inf.2-1; form; go 2-2")
    deliver_waiting()
    box = Mailbox(sink, "tom@example.org")
    assert "ok 2  take ig.inf.2-1" in box.text
    first = selectors.asked(fresh(match), "a").actions[0].notation
    assert f"[ ] 1  {first}" in box.text
    box.reply("1")
    assert played(match)[0] == first


def test_readings_are_not_offered_for_a_position_that_has_gone(sink: Sink, tom: Any) -> None:
    match = _two_of_a_name(tom)
    write(match, "a", "j3 N; take inf.2-1; form; go 2-2")
    act(match, "a", selectors.asked(fresh(match), "a").actions[0].notation)  # on the page, before the answer leaves
    deliver_waiting()
    box = Mailbox(sink, "tom@example.org")
    assert "take usmc.inf.2-1" not in box.text.partition("Options")[0] and "Reply   1" not in box.text


def test_end_alone_is_asked_back_where_it_is_an_order(tom: Any) -> None:
    match = match_at(tom, "city_fighting", {"units": {"usmc.inf.2-1": "N"}, "nodes": {}, "todo": [{"step": "OpMenu"}]})
    assert any(offer.notation == "end" for offer in selectors.asked(match, "a").actions)
    write(match, "a", "end")
    assert fresh(match).status == "playing" and "end game" in " ".join(told(match, "a")["words"])
    write(match, "a", "end game")
    assert "end" in [row["notation"] for row in selectors.entries(fresh(match), "a", 0)]


def test_ready_made_answers_stand_under_letters(sink: Sink, tom: Any, rania: Any) -> None:
    match = services.match_create(user=tom, ruleset="second_fallujah", seat="coalition")
    services.match_join(user=rania, match_id=match.pk)
    deliver_waiting()
    box = Mailbox(sink, "rania@example.org")
    assert " a  put 2 f 40 45 39" in box.text
    box.reply("a")
    assert fresh(match).head_seq == 21 and fresh(match).owed == ["coalition"]


def test_all_ways_to_take_losses_are_lettered(tom: Any, rania: Any) -> None:
    from notifications.inbound.play import words_of

    position = {
        "turn": 1, "impulse": 1, "side": "coalition", "control": {"coalition": []},
        "units": {"45": ["F1", "C1", "M1", "M2"]},
        "todo": [
            "AfterActionPhase", "EndCoalitionImpulse", {"step": "Casualties", "area": 45, "points": 3, "lead": "F1"},
        ],
    }  # fmt: skip
    match = match_at(tom, "second_fallujah", position, rania, seat="coalition")
    found = words_of(match.pk, "insurgent", None).lettered
    assert found and all(line.orders for line in found)
    line = found[0]
    write(match, "insurgent", f"{line.letter} {line.fills[0]}" if line.fills else line.letter)
    assert fresh(match).head_seq >= 1

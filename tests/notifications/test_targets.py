"""Mails that do not say which match they mean, or say it in the wrong place."""

from typing import Any

import pytest

from games.ledger import services
from games.ledger.models import Match
from notifications.inbound.handle import handle
from notifications.inbound.receive import receive
from tests.notifications.conftest import Sink
from tests.notifications.helpers import fresh, text_of
from tests.notifications.positions import address
from tests.notifications.post import Mailbox, deliver_waiting, letter, post

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@pytest.fixture
def toms(sink: Sink, duel: Match) -> Mailbox:
    deliver_waiting()
    return Mailbox(sink, "tom@example.org")


def plain(box: Mailbox) -> str:
    return " ".join(box.text.split())


def test_an_order_in_the_subject_is_quoted_and_ok_plays_it(duel: Match, toms: Mailbox) -> None:
    post(str(toms.last["Reply-To"]), "", "tom@example.org", Subject="pass")
    deliver_waiting()
    assert fresh(duel).head_seq == 0 and "> pass" in toms.text and "a subject is not read as an order" in plain(toms)
    toms.reply("ok")
    assert fresh(duel).head_seq == 1


def test_an_empty_answer_is_only_empty(duel: Match, toms: Mailbox) -> None:
    toms.reply("", quote=False)
    assert "Your mail was empty." in toms.text and "> [TD" not in toms.text


@pytest.mark.parametrize(("subject", "words"), [("help", "four ways"), ("Help!", "four ways")])
def test_help_may_stand_in_the_subject(duel: Match, toms: Mailbox, subject: str, words: str) -> None:
    post(str(toms.last["Reply-To"]), "", "tom@example.org", Subject=subject)
    deliver_waiting()
    assert words in plain(toms)
    post("play@localhost", "\n", "tom@example.org", Subject=subject)
    deliver_waiting()
    assert words in plain(toms)


def test_a_subject_is_a_remark_when_the_mail_has_words(duel: Match, toms: Mailbox) -> None:
    post(str(toms.last["Reply-To"]), "let me think", "tom@example.org", Subject="unsubscribe")
    deliver_waiting()
    assert toms.last["X-Kind"] == "nothing"


def test_a_mail_to_play_is_matched_by_what_it_answers(duel: Match, toms: Mailbox) -> None:
    post("play@localhost", "4", "tom@example.org", In_Reply_To=str(toms.last["Message-ID"]))
    assert fresh(duel).head_seq == 1


def test_another_persons_mail_id_opens_nothing(duel: Match, toms: Mailbox, sink: Sink) -> None:
    hers = Mailbox(sink, "rania@example.org").last
    post("play@localhost", "pass", "tom@example.org", In_Reply_To=str(hers["Message-ID"]))
    deliver_waiting()
    assert fresh(duel).head_seq == 0 and "named no match" in plain(toms)


def test_a_bracket_names_the_match(duel: Match, toms: Mailbox) -> None:
    post("play@localhost", f"[TD {duel.pk}]\npass", "tom@example.org")
    assert fresh(duel).head_seq == 1


def test_the_only_match_that_waits_is_asked_about_first(duel: Match, toms: Mailbox) -> None:
    post("play@localhost", "pass", "tom@example.org")
    deliver_waiting()
    assert fresh(duel).head_seq == 0
    assert f"Match {duel.pk} is the only one that waits for you" in plain(toms)
    toms.reply("ok")
    assert fresh(duel).head_seq == 1


def test_of_two_that_wait_none_is_guessed(duel: Match, toms: Mailbox, tom: Any, rania: Any) -> None:
    second = services.match_create(user=tom, ruleset="toy", seat="north")
    services.match_join(user=rania, match_id=second.pk)
    post("play@localhost", "pass", "tom@example.org")
    assert (fresh(duel).head_seq, fresh(second).head_seq) == (0, 0)


def both(one: Match, two: Match, text: str) -> None:
    doors = [address(one, "north"), address(two, "north")]
    handle(receive(letter(doors[0], text, "tom@example.org", Cc=doors[1]), doors).pk)
    handle(receive(letter(doors[1], text, "tom@example.org", Cc=doors[0]), doors[::-1]).pk)


def test_a_mail_to_two_matches_needs_brackets(duel: Match, toms: Mailbox, tom: Any, rania: Any) -> None:
    second = services.match_create(user=tom, ruleset="toy", seat="north")
    services.match_join(user=rania, match_id=second.pk)
    deliver_waiting()
    both(duel, second, "pass")
    deliver_waiting()
    assert (fresh(duel).head_seq, fresh(second).head_seq) == (0, 0)
    assert any("Your mail went to two matches" in text_of(mail) for mail in toms.mails)
    both(duel, second, f"[TD {duel.pk}]\n4\n[TD {second.pk}]\npass")
    assert (fresh(duel).head_seq, fresh(second).head_seq) == (1, 1)

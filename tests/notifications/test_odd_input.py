"""Odd and hostile mails, by the numbers of the design's table of forty.

Rows about the order language alone (11, 13, 14, 36, 38, 39) are tried where the language is.
"""

import base64
import itertools
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

import pytest
from django.utils import timezone

from games.ledger import services
from games.ledger.models import Match, Outbox
from notifications import addresses
from notifications.inbound.handle import handle
from notifications.inbound.receive import receive
from notifications.models import InboundMail
from tests.mails.corpus import VERBS, corpus, the_ballot
from tests.notifications.conftest import Sink
from tests.notifications.helpers import act, deliver_all, fresh, mails, text_of
from tests.notifications.post import Mailbox, deliver_waiting, letter, post
from tests.notifications.test_bounces import bounce
from tests.notifications.zone import NameServer, signed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
_COUNT = itertools.count()


@pytest.fixture
def toms(sink: Sink, duel: Match) -> Mailbox:
    deliver_waiting()
    return Mailbox(sink, "tom@example.org")


@pytest.fixture
def ranias(sink: Sink, duel: Match) -> Mailbox:
    deliver_waiting()
    return Mailbox(sink, "rania@example.org")


def bytes_of(to: str, body: bytes, kind: str = "text/plain; charset=utf-8", **headers: str) -> bytes:
    """A mail put together by hand, so that it can be wrong."""
    lines = {
        "From": "Tom <tom@example.org>", "To": to, "Subject": "Re: your move",
        "Message-ID": f"<odd.{next(_COUNT)}@example.org>", "MIME-Version": "1.0", "Content-Type": kind, **headers,
    }  # fmt: skip
    return "".join(f"{name}: {value}\r\n" for name, value in lines.items()).encode() + b"\r\n" + body


def give(raw: bytes, to: str) -> InboundMail:
    row = receive(raw, [to])
    handle(row.pk)
    row.refresh_from_db()
    deliver_waiting()
    return row


def both(to: str, text: str, html: str) -> bytes:
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Subject"] = "Tom <tom@example.org>", to, "Re: your move"
    mail["Message-ID"] = f"<both.{next(_COUNT)}@example.org>"
    mail.set_content(text)
    mail.add_alternative(html, subtype="html")
    return mail.as_bytes()


def door(box: Mailbox) -> str:
    return str(box.mails[0]["Reply-To"])


# --- who, and how often ------------------------------------------------------------------------------------


def test_row_1_the_same_mail_three_times(duel: Match, toms: Mailbox) -> None:
    raw = letter(door(toms), "pass", Message_ID="<same@example.org>")
    rows = {give(raw, door(toms)).pk for _ in range(3)}
    acks = [mail for mail in toms.mails if mail["In-Reply-To"] == "<same@example.org>"]
    assert len(rows) == 1 and len(acks) == 1 and fresh(duel).head_seq == 1
    Outbox.objects.filter(topic="ack").update(done_at=timezone.now() - timedelta(hours=2))
    give(raw, door(toms))
    give(raw, door(toms))
    acks = [mail for mail in toms.mails if mail["In-Reply-To"] == "<same@example.org>"]
    assert len(acks) == 2 and acks[0]["Message-ID"] == acks[1]["Message-ID"] and fresh(duel).head_seq == 1


def test_row_2_the_second_mail_arrives_first(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    first = letter(door(toms), "play 99")
    toms.reply("pass")
    give(first, door(toms))
    assert "not your move" in toms.text and fresh(duel).head_seq == 1


def test_row_3_both_players_in_the_same_second(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    rows = [receive(letter(door(box), "pass", box.address), [door(box)]) for box in (ranias, toms)]
    for row in rows:
        handle(row.pk)
    deliver_waiting()
    assert fresh(duel).head_seq == 1
    assert any("Nothing was done." in text_of(mail) for mail in ranias.mails)  # hers came too early, and she hears it


def test_row_4_a_finished_match(duel: Match, toms: Mailbox) -> None:
    services.seat_resign(match_id=duel.pk, seat="south")
    toms.reply("pass")
    assert "ended on" in toms.text and "rematch" in toms.text


def test_row_5_the_opponent_writes_to_the_seat(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    for _ in range(3):
        row = post(door(toms), "pass", "rania@example.org")
        deliver_waiting()
    assert row.kind == "stranger" and fresh(duel).head_seq == 0
    assert [mail["X-Kind"] for mail in toms.mails].count("stranger") == 1
    told = [mail for mail in ranias.mails if "another seat" in mail.get_body(("plain",)).get_content()]
    assert len(told) == 1


def test_row_6_a_friend_answers_a_forwarded_mail(duel: Match, toms: Mailbox) -> None:
    before = len(toms.sink.mails)
    for number in range(3):
        post(door(toms), f"pass // {number}", "friend@example.com")
    deliver_waiting()
    assert fresh(duel).head_seq == 0
    assert [(mail["To"], mail["X-Kind"]) for mail in toms.sink.mails[before:]] == [("tom@example.org", "stranger")]


def test_row_7_a_list_broke_the_signature(duel: Match, toms: Mailbox, settings: Any) -> None:
    names = NameServer()
    names.start()
    settings.MAIL_DNS, settings.MAIL_CHECK = [names.address], "own"
    raw = signed(letter(door(toms), "pass"), "example.org").replace(b"Subject: Re:", b"Subject: [club] Re:")
    assert give(raw, door(toms)).state == "doubtful"
    assert toms.last["X-Kind"] == "confirm" and fresh(duel).head_seq == 0
    asked = len(toms.mails)
    for number in range(3):  # with the headers of a list: asked about once an hour
        give(b"List-Id: <club.example.org>\r\n" + letter(door(toms), f"note {number}"), door(toms))
    assert len(toms.mails) == asked + 1 and fresh(duel).seats.get(key="north").note == ""
    names.stop()


@pytest.mark.parametrize("sender", ["tom@example.org, x@evil.example", '"tom@example.org" <x@evil.example>',
                                    '"rania@example.org" <tom@example.org>'])  # fmt: skip
def test_row_8_a_sender_that_looks_like_two(duel: Match, toms: Mailbox, sender: str) -> None:
    before = len(toms.sink.mails)
    row = post(door(toms), "pass", From=sender)
    deliver_waiting()
    assert row.state == "doubtful" and fresh(duel).head_seq == 0
    assert [(mail["To"], mail["X-Kind"]) for mail in toms.sink.mails[before:]] == [("tom@example.org", "confirm")]


def test_row_9_a_token_in_the_text(duel: Match, tom: Any) -> None:
    token = addresses.reply_address(duel.pk, "north", 0, 1, tom.pk)
    row = post("play@localhost", f"pass\n> To: {token}\n{token}", "rania@example.org")
    assert row.match_id is None and fresh(duel).head_seq == 0


def test_row_10_a_wrong_letter_and_capitals(duel: Match, toms: Mailbox) -> None:
    local = door(toms).partition("@")[0]
    wrong = local[:-1] + ("a" if local[-1] != "a" else "b") + "@localhost"
    assert post(wrong, "pass").kind == "old address" and fresh(duel).head_seq == 0
    deliver_waiting()
    assert toms.last["X-Kind"] == "fresh"
    before = len(toms.sink.mails)
    assert post(wrong, "pass", "friend@example.com").kind == "stranger"
    deliver_waiting()
    assert len(toms.sink.mails) == before  # nobody hears anything of a wrong token from a stranger
    assert post(local.upper() + "@localhost", "pass").kind == "person" and fresh(duel).head_seq == 1


# --- which text counts -------------------------------------------------------------------------------------


def test_row_12_orders_inside_the_quote_only(duel: Match, toms: Mailbox) -> None:
    give(letter(door(toms), "On 3 Mar 2026, play@localhost wrote:\n> pass\n> 4\n"), door(toms))
    assert fresh(duel).head_seq == 0 and toms.last["X-Kind"] == "nothing"


@pytest.mark.parametrize("mark", ["-- ", "Sent from my iPhone"])
def test_rows_15_and_16_below_a_signature(duel: Match, toms: Mailbox, mark: str) -> None:
    give(letter(door(toms), f"hello\n{mark}\n4\n"), door(toms))
    assert fresh(duel).head_seq == 0 and f"below it stood: {mark.strip()} / 4" in " ".join(toms.text.split())


def test_row_17_below_the_quote(duel: Match, toms: Mailbox) -> None:
    give(letter(door(toms), "On 3 Mar 2026, play@localhost wrote:\n> what will you do?\n\npass\n"), door(toms))
    assert fresh(duel).head_seq == 1


def test_row_18_between_quoted_lines(duel: Match, toms: Mailbox) -> None:
    give(letter(door(toms), "> first?\nnote one\n> and then?\npass\n> thanks\n"), door(toms))
    assert fresh(duel).head_seq == 1 and fresh(duel).seats.get(key="north").note == "one"


def test_row_19_html_only_with_tables(duel: Match, toms: Mailbox) -> None:
    html = (
        b"<html><body><table><tr><td>pass</td></tr></table><div class='gmail_quote'><table><tr><td>"
        b"<blockquote>duck<table><tr><td>resign yes</td></tr></table></blockquote></td></tr></table></div></body>"
    )
    give(bytes_of(door(toms), html, "text/html; charset=utf-8"), door(toms))
    assert fresh(duel).head_seq == 1 and fresh(duel).status == "playing"


@pytest.mark.parametrize("style", ["color:#fff", "font-size:0", "display:none", "opacity:0", "visibility:hidden"])
def test_row_20_hidden_text_is_dropped(duel: Match, toms: Mailbox, style: str) -> None:
    html = f"<p>hello there</p><p style='{style}'>pass</p>".encode()
    give(bytes_of(door(toms), html, "text/html"), door(toms))
    assert fresh(duel).head_seq == 0


@pytest.mark.parametrize(("text", "html"), [
    ("pass", "<p>note something else</p>"),
    ("hello", "<p>pass</p>"),
    ("4", "<p>3</p>"),
    ("pass", "<p>hello</p><p style='display:none'>pass</p>"),
    ("> [x] 4  pass", "<blockquote>[ ] 4  pass</blockquote><p>thanks</p>"),
])  # fmt: skip
def test_row_20_parts_that_differ_are_asked_back(duel: Match, toms: Mailbox, text: str, html: str) -> None:
    give(both(door(toms), text, html), door(toms))
    assert fresh(duel).head_seq == 0 and fresh(duel).seats.get(key="north").note == ""
    assert toms.text.startswith("The text and the HTML of your mail say different things")
    assert "in the HTML" in toms.text


@pytest.mark.parametrize(("text", "html"), [
    ("*pass*\n", "<p><b>pass</b></p>"),
    ("pass", "<div>Pass.</div><div class='gmail_quote'><blockquote>duck</blockquote></div>"),
    ("4\n\n-- \nTom\n", "<p>4</p><p>Tom</p>"),
    ("note this is a very long line that the program has wrapped\nat some column\n\npass\n",
     "<p>note this is a very long line that the program has wrapped at some column</p><p>pass</p>"),
    ("pass", ""),
])  # fmt: skip
def test_row_20_honest_parts_are_read(duel: Match, toms: Mailbox, text: str, html: str) -> None:
    give(both(door(toms), text.replace("*", ""), html), door(toms))
    assert fresh(duel).head_seq == 1


def test_row_20_no_honest_mail_of_the_corpus_differs() -> None:
    from notifications.inbound import parts, quotes
    from notifications.inbound.language import Words, WordsOf, read_blocks
    from notifications.inbound.message import read_message

    words = WordsOf({None: Words(VERBS, tuple(the_ballot()))})
    with_both = 0
    for name, raw, _ in corpus():
        mail = read_message(raw)
        new = quotes.new_text(mail.text)
        with_both += bool(mail.other)
        assert not mail.other or not parts.differ(mail, new, read_blocks(new, words), words), name
    assert with_both > 50


def test_row_21_a_soft_break_inside_an_order(duel: Match, toms: Mailbox) -> None:
    give(bytes_of(door(toms), b"note one \r\ntwo\r\npass\r\n", "text/plain; format=flowed"), door(toms))
    assert fresh(duel).seats.get(key="north").note == "one two" and fresh(duel).head_seq == 1


def test_row_22_a_wrapped_line_that_ends_in_a_joiner(duel: Match, toms: Mailbox) -> None:
    give(letter(door(toms), "play 98 +\n99\n"), door(toms))
    assert fresh(duel).head_seq == 0 and "play 98 + 99" in toms.text


def test_row_23_base64_with_a_wrong_label(duel: Match, toms: Mailbox) -> None:
    body = base64.encodebytes("note caf\u00e9 \u20ac\npass\n".encode())
    raw = bytes_of(door(toms), body, "text/plain; charset=us-ascii", **{"Content-Transfer-Encoding": "base64"})
    give(raw, door(toms))
    assert fresh(duel).seats.get(key="north").note == "caf\u00e9 \u20ac" and fresh(duel).head_seq == 1


@pytest.mark.parametrize("charset", ["shift_jis", "koi8-r", "utf-16", "iso-2022-jp", "windows-1251"])
def test_row_24_other_character_sets(duel: Match, toms: Mailbox, charset: str) -> None:
    give(bytes_of(door(toms), "pass\r\n".encode(charset), f"text/plain; charset={charset}"), door(toms))
    assert fresh(duel).head_seq == 1


def test_row_24_utf_7_is_asked_back(duel: Match, toms: Mailbox) -> None:
    give(bytes_of(door(toms), b"+AHAAYQBzAHM-\r\n", "text/plain; charset=utf-7"), door(toms))
    assert fresh(duel).head_seq == 0 and "UTF-7" in toms.text


def test_row_25_invisible_characters(duel: Match, toms: Mailbox) -> None:
    give(letter(door(toms), "\u200epa\u00ads\u200ds\u00a0\u202c\n"), door(toms))
    assert fresh(duel).head_seq == 1


def test_row_26_letters_of_another_alphabet(duel: Match, toms: Mailbox) -> None:
    give(letter(door(toms), "p\u0430ss\n"), door(toms))  # a Cyrillic a
    assert fresh(duel).head_seq == 0


# --- giants, attachments, machines -------------------------------------------------------------------------


def test_row_27_giants_are_cut_and_answered(duel: Match, toms: Mailbox) -> None:
    for number, body in enumerate([b"x" * 1_000_000, b">" * 10_000 + b" 4\r\n"]):
        Outbox.objects.filter(topic="nothing").delete()
        give(bytes_of(door(toms), body), door(toms))
        assert fresh(duel).head_seq == 0 and toms.last["X-Kind"] == "nothing", number
    Outbox.objects.filter(topic="nothing").delete()
    many = b"".join(b'--b\r\nContent-Type: multipart/mixed; boundary="b%d"\r\n\r\n' % n for n in range(10_000))
    row = give(bytes_of(door(toms), many, "multipart/mixed; boundary=b"), door(toms))
    assert row.detail == "it has too many parts" and "too many parts" in toms.text


@pytest.mark.parametrize("name", ["bomb.zip", "virus.exe", "board.png"])
def test_row_28_attachments_are_never_opened(duel: Match, toms: Mailbox, name: str) -> None:
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Message-ID"] = "tom@example.org", door(toms), f"<{name}@example.org>"
    mail.add_attachment(b"PK\x03\x04 pass", maintype="application", subtype="octet-stream", filename=name)
    mail.add_attachment("pass\n", filename="orders.txt")
    give(mail.as_bytes(), door(toms))
    assert fresh(duel).head_seq == 0 and "I cannot read attachments" in toms.text


@pytest.mark.parametrize("headers", [
    {"Content-Type": "text/calendar; method=REQUEST"},
    {"Content-Type": "multipart/report; report-type=disposition-notification; boundary=b"},
    {"Content-Type": "multipart/report; report-type=delivery-status; boundary=b"},
    {"Subject": "Please confirm your message (challenge-response)"},
    {"Auto-Submitted": "auto-replied"},
    {"X-Autoreply": "yes"},
    {"Precedence": "bulk"},
    {"Return-Path": "<>"},
])  # fmt: skip
def test_row_29_programs_get_no_answer(duel: Match, toms: Mailbox, headers: dict[str, str]) -> None:
    before = Outbox.objects.count()
    kind = headers.pop("Content-Type", "text/plain")
    row = give(bytes_of(door(toms), b"pass\r\n", kind, **headers), door(toms))
    assert row.kind == "auto" and Outbox.objects.count() == before and fresh(duel).head_seq == 0


def test_row_30_an_absence_in_finnish_without_any_header(duel: Match, toms: Mailbox) -> None:
    before = len(toms.mails)
    for number in range(6):
        give(letter(door(toms), f"Olen lomalla {number}. elokuuta asti.", Subject="Olen lomalla"), door(toms))
    assert len(toms.mails) == before
    for number in range(6):
        give(letter(door(toms), f"En ole paikalla {number}.", Subject="Re: your move"), door(toms))
    assert len(toms.mails) == before + 1 and fresh(duel).head_seq == 0


def test_row_32_a_faked_bounce(sink: Sink, duel: Match) -> None:
    row = mails(duel)[0]
    assert bounce(row, "5.1.1") == "a bounce of a mail that was not sent"
    deliver_all()
    wrong = addresses.numbered_address("bounce", row.pk).replace(f"b{row.pk}.", f"b{row.pk + 7}.")
    assert bounce(row, "5.1.1", wrong) == "not our bounce address"
    row.refresh_from_db()
    assert row.state == "sent"


def test_row_33_spam_to_play(sink: Sink, db: None) -> None:
    post("play@localhost", "help\nnew card_assault\nhttps://evil.example/", "spam@evil.example")
    deliver_waiting()
    assert sink.mails == []


# --- what is said ------------------------------------------------------------------------------------------


def test_row_34_resigning_asks_first(duel: Match, toms: Mailbox) -> None:
    toms.reply("resign")
    assert fresh(duel).status == "playing" and "resign yes" in toms.text


def test_row_35_resigning_by_a_doubtful_mail(duel: Match, toms: Mailbox, settings: Any) -> None:
    settings.MAIL_AUTHSERV = ["mx.example.net"]
    row = toms.reply("resign yes")
    assert row.state == "doubtful" and fresh(duel).status == "playing" and "/mail/confirm/" in toms.text


def test_row_37_speech_stays_speech(duel: Match, toms: Mailbox, ranias: Mailbox) -> None:
    toms.reply("say <img src=https://evil.example/p.png> ok\nresign yes is what you should write")
    toms.reply("say " + "x" * 100_000, quote=False)
    toms.reply("pass", quote=False)
    html = ranias.last.get_body(("html",)).get_content()
    assert "<img src=https://evil" not in html and len(ranias.text) < 13_000
    ranias.reply("4 thank you for the tip", quote=True)
    assert fresh(duel).status == "playing"


def test_row_40_inviting_the_server_or_oneself(sink: Sink, tom: Any) -> None:
    box = Mailbox(sink, "tom@example.org")
    post("play@localhost", "new toy vs play@localhost")
    deliver_waiting()
    assert "That is me" in box.text
    post("play@localhost", "new toy vs tom@example.org")
    deliver_waiting()
    assert "That is you" in box.text


def test_a_mail_of_the_servers_own_is_not_read(duel: Match, toms: Mailbox) -> None:
    """A mail of ours that comes back to us whole, by a rule of somebody's mailbox."""
    row = post(door(toms), "pass", "play@localhost")
    assert row.kind == "auto" and fresh(duel).head_seq == 0
    assert act(duel, "north", "pass").applied == 1

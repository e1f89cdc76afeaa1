"""What people write is read exactly; what they quote, sign or think aloud is never an order."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notifications.inbound import quotes
from notifications.inbound.language import Block, Words, WordsOf, read_blocks
from notifications.inbound.message import read_message
from notifications.inbound.quotes import NewText
from tests.mails.corpus import VERBS, WRITINGS, corpus, the_ballot, the_letters

WORDS = Words(VERBS, tuple(the_ballot()), tuple(the_letters()))


def blocks(text: str) -> list[Block]:
    return read_blocks(quotes.new_text(text), WordsOf({None: WORDS, 412: WORDS}))


def orders(text: str) -> list[str]:
    return [order for block in blocks(text) for item in block.orders() for order in item.texts]


def test_the_corpus_is_read_exactly() -> None:
    wrong, unintended, count = [], [], 0
    for name, raw, means in corpus():
        count += 1
        mail = read_message(raw)
        assert not mail.problem and not mail.machine, name
        read = [
            order
            for block in read_blocks(quotes.new_text(mail.text), WordsOf({None: WORDS}))
            if not block.unclear()  # then nothing of it is played
            for item in block.orders()
            for order in item.texts
        ]
        if [order.lower() for order in read] != [order.lower() for order in means]:
            wrong.append((name, read, means))
        if set(map(str.lower, read)) - set(map(str.lower, means)):
            unintended.append((name, read, means))
    assert count >= 700 and len(WRITINGS) >= 35 + 50
    assert not unintended, unintended[:10]
    assert not wrong, (len(wrong), wrong[:20])


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("4", ["scout A 3"]),
        ("4.", ["scout A 3"]),
        ("4)", ["scout A 3"]),
        ("1 1 5", ["play 21", "play 21", "duck"]),
        ("1 to 2", ["play 21", "play 27"]),
        ("1. play 27", ["play 27"]),
        ("2 done", ["play 27", "done"]),
        ("then if won play 21", ["then if won play 21"]),
        ("stop if pinned", ["stop if pinned"]),
        ("move 1/8-A+\n1/8-B 24", ["move 1/8-A+ 1/8-B 24"]),
        ("\u2460", ["play 21"]),  # a number in a circle is that number
        ("I think 4 is best but wait", []),
        ("I will pass on this", []),
        ("Passing through, will answer later", []),
        ("> 4", []),
        (">> play 21", []),
        (">>> play 21\n>>> pass\n> hm", []),
        ("[ ] 4 scout A 3", []),
        (">>> move ____ ____", []),
        (">>> move __ 24; pass", []),
        ("> Or fill in the blanks and send this line back:\n> >>> move __ ___; done", []),
        (">>> move 1/8-A 24", ["move 1/8-A 24"]),
        ("-- \n4", []),
        ("Sent from my iPhone\n4", []),
        ("end\n4", []),
        ("say play 21 if you dare", []),
        ("note: \nplay 21\n\npass", ["pass"]),
        ("no idea what to do", []),
        ("yes I think so too", []),
        ("P\u0430ss", []),  # a Cyrillic letter is another letter
        ("", []),
    ],
)
def test_small_texts(text: str, means: list[str]) -> None:
    assert orders(text) == means


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("9", "There is no line 9; that mail has lines 1 to 7."),
        ("4 for sure", "Words are left over after the number"),
        ("> [x] 3 scout A 9", "which is move 1/8-A 24"),
    ],
)
def test_doubts_are_asked_back(text: str, why: str) -> None:
    (item,) = blocks(text)[0].unclear()
    assert why in item.why
    assert orders(text) == []


def test_a_tick_counts_once_and_in_a_quote_one_deep_only() -> None:
    assert orders("> [x] 4 scout A 3   Option 4 in words\n> [X]  4 scout A 3 Option 4 in words") == ["scout A 3"]
    assert orders("> > [x] 4 scout A 3") == []
    assert orders(" \u2611 4 scout A 3") == ["scout A 3"]


def test_brackets_part_a_mail_into_matches() -> None:
    first, second, third = blocks("thanks\n[TD 412]\n3\n[CA 530]\nto assault; put rct 1")
    assert (first.match_id, first.remarks) == (None, ["thanks"])
    assert second.match_id == 412 and second.orders()[0].texts == ("move 1/8-A 24",)
    assert third.match_id == 530 and third.orders() == []


def test_commands_take_the_rest_of_the_line() -> None:
    said = [
        (item.command, item.argument)
        for item in blocks("say Nice try, in the mosque.\nundo 2\nlook 24\nwhy 3\nresign yes")[0].commands()
    ]
    assert said == [("say", "Nice try, in the mosque."), ("undo", "2"), ("look", "24"), ("why", "3"), ("resign", "yes")]


def test_keep_alone_is_a_command_and_with_a_name_an_order() -> None:
    words = WordsOf({None: Words(VERBS | {"keep"}, ())})
    (block,) = read_blocks(NewText(["keep", "keep F3"]), words)
    assert [(item.kind, item.command, item.texts) for item in block.items] == [
        ("command", "keep", ()),
        ("order", "", ("keep F3",)),
    ]


def test_where_reading_stopped_is_known() -> None:
    found = quotes.new_text("hello\n-- \n4\n")
    assert found.stopped == "signature" and found.unread == ["--", "4"]


@given(st.binary(max_size=3000))
def test_no_bytes_crash_the_reader(raw: bytes) -> None:
    mail = read_message(raw)
    read_blocks(quotes.new_text(mail.text), WordsOf({None: WORDS}))


@given(st.integers(0, 10**6))
def test_no_damage_to_a_real_mail_crashes_the_reader(seed: int) -> None:
    rng = random.Random(seed)
    raw = bytearray(_SAMPLES[seed % len(_SAMPLES)])
    for _ in range(rng.randrange(1, 40)):
        where = rng.randrange(len(raw))
        raw[where : where + rng.randrange(4)] = bytes(rng.randrange(256) for _ in range(rng.randrange(4)))
    mail = read_message(bytes(raw))
    read_blocks(quotes.new_text(mail.text), WordsOf({None: WORDS}))


_SAMPLES = [raw for _, raw, _ in list(corpus())[::23]]


def test_huge_and_deep_mails_are_cut() -> None:
    long_line = b"From: a@example.org\r\n\r\n" + b"x" * 1_500_000
    assert len(read_message(long_line).text) <= 2_000
    nested = b"From: a@example.org\r\n\r\n" + b">" * 10_000 + b" 4\r\n"
    assert orders(read_message(nested).text) == []
    parts = (
        b"From: a@x.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nx\r\n" * 10_000 + b"--b--"
    )
    assert read_message(parts).text == "x"
    deep = b"From: a@x.org\r\n"
    for level in range(150):
        deep += b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (level, level)
    assert read_message(deep + b"\r\nplay 21").text == ""
    assert read_message(b"x" * 2_000_001).problem == "it is too large"


@pytest.mark.parametrize("charset", ["shift_jis", "koi8-r", "utf-16", "iso-8859-15", "gb2312"])
def test_other_character_sets(charset: str) -> None:
    raw = f"From: a@x.org\r\nContent-Type: text/plain; charset={charset}\r\n\r\n".encode() + "play 21\r\n".encode(
        charset
    )
    assert orders(read_message(raw).text) == ["play 21"]


def test_a_wrong_label_is_seen_through() -> None:
    raw = b"From: a@x.org\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n" + "play\u00a021\n".encode()
    assert orders(read_message(raw).text) == ["play 21"]
    seven = read_message(b"From: a@x.org\r\nContent-Type: text/plain; charset=utf-7\r\n\r\n+AHAAYQBzAHM-")
    assert seven.text == "" and "UTF-7" in seven.problem


def test_hidden_words_of_html_do_not_count() -> None:
    raw = (
        b"From: a@x.org\r\nContent-Type: text/html\r\n\r\n"
        b'<p style="color:#ffffff">pass</p><p style="font-size:0">pass</p><div style="display:none">pass</div>'
        b"<table><tr><td>duck</td></tr></table><span hidden>pass</span>"
    )
    assert orders(read_message(raw).text) == ["duck"]


MACHINES = [
    b"Auto-Submitted: auto-replied\r\nSubject: Re: x",
    b"Return-Path: <>\r\nSubject: Undeliverable",
    b"Precedence: bulk\r\nSubject: news",
    b"List-Id: <wargames.example.org>\r\nSubject: x",
    b"X-Autoreply: yes\r\nSubject: x",
    b"X-Auto-Response-Suppress: All\r\nSubject: x",
    b"Subject: Automatic reply: [SF 412] your move",
    b"Subject: Automatische Antwort: Re: [SF 412]",
    b"Subject: Out of office",
    b"Subject: Automaattinen vastaus: hei",
    b"Subject: =?utf-8?q?R=C3=A9ponse_automatique_:_x?=",
    b"Subject: Read: your mail",
    b"Content-Type: multipart/report; report-type=delivery-status; boundary=x",
    b"Content-Type: text/calendar\r\nSubject: Invitation",
]


@pytest.mark.parametrize("headers", MACHINES)
def test_machine_mail_is_recognised(headers: bytes) -> None:
    assert read_message(b"From: tom@example.org\r\n" + headers + b"\r\n\r\n4\r\n").machine


def test_a_persons_mail_is_not_taken_for_a_machines() -> None:
    for subject in ("Re: [SF 412] your move", "AW: [SF 412] Reaction in 24", "accept", "poison", "read this"):
        assert not read_message(f"From: tom@example.org\r\nSubject: {subject}\r\n\r\n4\r\n".encode()).machine


def test_senders_that_look_double_are_odd() -> None:
    assert read_message(b"From: tom@example.org, rania@example.org\r\n\r\n4").odd_sender
    assert read_message(b'From: "tom@example.org" <evil@example.net>\r\n\r\n4').odd_sender
    assert not read_message(b"From: Tom <tom@example.org>\r\n\r\n4").odd_sender


def test_new_text_of_nothing() -> None:
    assert quotes.new_text("") == NewText()

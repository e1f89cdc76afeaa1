"""What the mails say, how wide, and what they never say."""

import re
from typing import Any

import pytest

from games.ledger import dice, selectors, services
from games.ledger.models import Match, Seat
from notifications import html, letters, luck, plain
from notifications.ballot import ballot, template
from tests.notifications.conftest import Sink
from tests.notifications.helpers import act, deliver_all, fresh, html_of, mails, text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def seat(match: Match, key: str) -> Seat:
    return selectors.seat_get(fresh(match), key)


def hands(match: Match) -> dict[str, list[int]]:
    return {key: selectors.view(fresh(match), key)["hands"][key] for key in ("north", "south")}


def test_the_first_line_says_what_is_asked_and_the_foot_comes_last(sink: Sink, duel: Match) -> None:
    deliver_all()
    text = text_of(sink.mails[0])
    assert text.startswith("Round 1: play a card or pass.\n")
    order = ["Match 1", "Hands:", "Options", ">>> play ____", "Reply with numbers", "Dice: commit", "/m/"]
    order[0] = f"Match {duel.pk}"
    places = [text.index(words) for words in order]
    assert places == sorted(places)


def test_every_text_is_ascii_and_at_most_72_columns(sink: Sink, duel: Match) -> None:
    services.note_set(
        match_id=duel.pk, seat="north", text="Caf\u00e9 \u2212 \u201chold\u201d \U0001f600 " + "long words " * 20
    )
    deliver_all()
    act(duel, "north", "pass")
    act(duel, "south", "duck")
    act(duel, "south", "pass")
    deliver_all()
    services.seat_resign(match_id=duel.pk, seat="north")
    deliver_all()
    assert {mail["X-Kind"] for mail in sink.mails} == {"opened", "decision", "result"}
    for mail in sink.mails:
        text = text_of(mail)
        assert text.isascii()
        assert max(len(line) for line in text.splitlines() if "://" not in line) <= 72
        assert len(text) <= 12_000 and text.count("\n") <= 181
        assert len(str(mail["Subject"])) <= 70


def test_no_mail_tells_a_hidden_card(sink: Sink, duel: Match) -> None:
    held = hands(duel)
    deliver_all()
    for mail in sink.mails:
        own = mail["X-Seat"]
        other = {"north": "south", "south": "north"}[own]
        words = text_of(mail) + re.sub(r"#[0-9A-F]{6}|\d+px|width=\"\d+\"", "", html_of(mail))
        assert all(re.search(rf"\b{card}\b", words) for card in held[own])
        told = [card for card in held[other] if re.search(rf"(?:play {card}\b|[\[ ]{card}[,\]])", words)]
        assert not told


def test_the_mail_is_a_thread_with_a_sealed_reply_address(sink: Sink, duel: Match) -> None:
    deliver_all()
    act(duel, "north", "pass")
    deliver_all()
    root, later = [mail for mail in sink.mails if mail["X-Seat"] == "south"]
    assert later["References"] == root["Message-ID"] == later["In-Reply-To"]
    assert re.fullmatch(rf"m{duel.pk}\.south\.d1\.k1\.[a-z2-7]{{16}}@localhost", later["Reply-To"])
    assert len(later["Reply-To"].split("@")[0]) <= 64
    assert later["Auto-Submitted"] == "auto-generated"
    assert later["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert later["From"] == f'"Fallujah {duel.pk}" <play@localhost>' or f"Fallujah {duel.pk}" in later["From"]
    assert later["X-Base"] == "1"


def test_references_are_the_root_and_the_last_three(sink: Sink, duel: Match) -> None:
    deliver_all()
    act(duel, "north", "pass")
    deliver_all()
    for seat in ("south", "north", "south", "north"):
        act(duel, seat, "stand; pass")
        deliver_all()
    ids = [str(mail["Message-ID"]) for mail in sink.mails if mail["X-Seat"] == "south"]
    last = sink.mails[-1] if sink.mails[-1]["X-Seat"] == "south" else sink.mails[-2]
    assert str(last["References"]).split()[0] == ids[0]
    assert len(str(last["References"]).split()) <= 4


def test_html_says_the_same_and_loads_nothing(sink: Sink, duel: Match) -> None:
    deliver_all()
    mail = sink.mails[0]
    page = html_of(mail)
    assert "Round 1: play a card or pass." in page
    assert page.count('href="mailto:m') == 2 * 4
    assert not re.search(r"(?:src|background|url)\s*[=(]\s*[\"']?https?:", page)
    assert "<script" not in page and "<link" not in page and "@import" not in page
    assert 'src="cid:board"' in page and len(page) <= 60_000
    pictures = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert len(pictures) == 1 and pictures[0]["Content-ID"] == "<board>"
    assert mail.get_content_type() == "multipart/related"
    assert len(bytes(mail)) < 300_000


def test_links_of_options_carry_the_answer(duel: Match) -> None:
    letter = letters.decision(fresh(duel), seat(duel, "north"))
    link = letters.mailto(letter, "2")
    assert link.startswith(f"mailto:m{duel.pk}.north.d0.k1.") and link.endswith("&body=2")
    assert link.replace("&", "&amp;") in html.render(letter)


def test_a_player_who_writes_markup_is_quoted(sink: Sink, duel: Match) -> None:
    services.note_set(match_id=duel.pk, seat="north", text='<img src="https://spy.example/x.png">')
    deliver_all()
    page = html_of(sink.mails[0])
    assert "<img src=&quot;https" not in page and '<img src="https' not in page
    assert "&lt;img" in page


def test_many_options_fold_into_lines_with_a_blank(tom: Any, rania: Any) -> None:
    match = services.match_create(user=tom, ruleset="toy", seat="north", options={"wide": True})
    services.match_join(user=rania, match_id=match.pk)
    asked = selectors.asked(fresh(match), "north")
    lines = ballot(asked)
    assert len(asked.actions) == 44 and len(lines) == 3
    assert lines[1].notation == "scout A _" and lines[1].fills == [str(place) for place in range(1, 41)]
    assert template(asked) == "scout ____ ____"
    text = plain.render(letters.decision(fresh(match), seat(match, "north")))
    assert " [ ] 2  scout A _" in text


def test_the_result_brings_the_seed(sink: Sink, duel: Match) -> None:
    deliver_all()
    services.seat_resign(match_id=duel.pk, seat="north")
    deliver_all()
    result = [mail for mail in sink.mails if mail["X-Kind"] == "result"]
    assert len(result) == 2
    assert all(fresh(duel).seed in text_of(mail) and duel.commitment in text_of(mail) for mail in result)
    assert str(result[0]["Subject"]).startswith(f"[TD {duel.pk}] Over: North resigned. South wins")


def test_the_result_tells_of_the_luck_of_both(sink: Sink, duel: Match) -> None:
    deliver_all()
    for _ in range(2):
        act(duel, "north", f"play {hands(duel)['north'][0]}")
        act(duel, "south", "stand")
        act(duel, "south", f"play {hands(duel)['south'][0]}")
        act(duel, "north", "duck")
    rolled = [(row["seat"], row["rolls"][0][1]) for row in selectors.entries(fresh(duel), "north", 0) if row["rolls"]]
    mean = {key: sum(die for who, die in rolled if who == key) / 2 for key in ("north", "south")}
    services.seat_resign(match_id=duel.pk, seat="north")
    text = " ".join(plain.render(letters.result(fresh(duel), seat(duel, "south"))).split())
    assert f"the 2 d6 on the orders of tom averaged {mean['north']:.2f}" in text
    assert f"the 2 d6 on your orders averaged {mean['south']:.2f} (3.5 is even)." in text
    assert "d6: 4 rolls, chi-square" in text and "too few rolls to judge by." in text


@pytest.mark.parametrize(
    ("rolls", "said"),
    [
        ([("d6", face) for face in range(1, 7)] * 8, ["48 d6 on your orders averaged 3.50 (3.5 is even)", "fine."]),
        ([("d6", 6)] * 40, ["averaged 6.00", "unusual, even dice exceed 11.1 once in twenty matches."]),
        ([("d10", face) for face in range(10)] * 6, ["averaged 4.50 (4.5 is even)", "9 degrees of freedom: fine."]),
        ([("d6", 3)] * 29, ["averaged 3.00", "too few rolls to judge by."]),
    ],
)
def test_luck_in_words(rolls: list[tuple[str, int]], said: list[str]) -> None:
    told = " ".join(luck.words(dice.statistics([("north", rolls)]), {"north": "your orders"}))
    assert all(words in told for words in said), told


def test_a_take_back_is_asked_by_mail_with_what_would_go(sink: Sink, duel: Match) -> None:
    deliver_all()
    card = hands(duel)["north"][0]
    act(duel, "north", f"play {card}")
    deliver_all()
    services.take_back(match_id=duel.pk, seat="north", reason="typed the wrong one")
    deliver_all()
    text = text_of(sink.mails[-1])
    assert text.startswith("North asks to take back the last entry. Do you agree?")
    assert f"play {card}" in text and "typed the wrong one" in text and "yes   or   no" in text
    services.take_back_answer(match_id=duel.pk, seat="south", agree=False)
    deliver_all()
    assert sink.mails[-1]["X-Kind"] == "take-back-refused" and sink.mails[-1]["X-Seat"] == "north"


def test_a_kept_order_that_fails_is_told(sink: Sink, duel: Match) -> None:
    deliver_all()
    act(duel, "north", "pass; then duck; then play 99")
    deliver_all()
    act(duel, "south", "stand")
    act(duel, "south", "pass")
    deliver_all()
    kinds = [mail["X-Kind"] for mail in sink.mails if mail["X-Seat"] == "north"]
    assert kinds == ["opened", "kept-dropped"]  # which asks what waits now: nobody gets two mails
    told = next(mail for mail in sink.mails if mail["X-Kind"] == "kept-dropped")
    assert "Now: Round 3: play a card or pass." in text_of(told) and " [ ] 1 " in text_of(told)
    assert "> then play 99" in text_of(told) or "> play 99" in text_of(told)


def test_news_is_told_once(sink: Sink, duel: Match) -> None:
    deliver_all()
    act(duel, "north", "pass")
    deliver_all()
    act(duel, "south", "stand")
    act(duel, "south", "pass")
    deliver_all()
    last = text_of(sink.mails[-1])
    assert "North scores 0." in last and "South passes." in last
    act(duel, "north", "duck")
    act(duel, "north", "pass")
    deliver_all()
    assert "North scores 0." in text_of(sink.mails[-1])  # told to south for the first time
    assert "North passes." in text_of(sink.mails[-1])
    assert text_of(sink.mails[-1]).count("South passes.") == 1


def test_a_solitaire_game_is_mailed_too(sink: Sink, tom: Any) -> None:
    match = services.match_create(user=tom, ruleset="card_assault")
    deliver_all()
    text = text_of(sink.mails[0])
    assert f"[CA {match.pk}]" in str(sink.mails[0]["Subject"])
    assert " [ ] 1 " in text and "Hand:" in text
    assert len(mails(match)) == 1

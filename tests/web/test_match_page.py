"""The page of a match for each role: player, opponent, spectator, stranger, and the holder of a link."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from games.ledger import links, selectors, services
from games.ledger.models import Entry, Match, Seat

pytestmark = pytest.mark.services


def page(client: Client, match: Match) -> str:
    answer = client.get(f"/match/{match.pk}/")
    assert answer.status_code == 200
    return answer.content.decode()


def hand(match: Match, seat: str) -> list[int]:
    return list(selectors.view(selectors.match_get(match.pk), seat)["hands"][seat])


def version(match: Match) -> int:
    return int(Match.objects.get(pk=match.pk).head_seq)


def test_the_player_asked_sees_prompt_options_and_order_line(browser: Any, tom: Any, duel: Match) -> None:
    html = page(browser(tom), duel)
    assert "Round 1: play a card or pass." in html
    assert html.count('type="radio"') == 4
    assert 'name="line"' in html and "<svg" in html and duel.commitment in html
    assert "The position in words" in html and f"/match/{duel.pk}/export/" in html


def test_pages_hold_no_script_and_nothing_from_elsewhere(browser: Any, tom: Any, duel: Match) -> None:
    client = browser(tom)
    for path in ("/", f"/match/{duel.pk}/", "/new/toy/", f"/match/{duel.pk}/resign/", "/sign-in/", "/register/"):
        answer = client.get(path)
        html = answer.content.decode()
        assert "<script" not in html and " onclick" not in html
        assert not re.search(r"(?:src|href)=\"https?:", html)
        assert "script-src 'none'" in answer.headers["Content-Security-Policy"]


def test_each_seat_sees_its_own_hand_only(browser: Any, tom: Any, rania: Any, duel: Match) -> None:
    for user, own, other in ((tom, "north", "south"), (rania, "south", "north")):
        html = page(browser(user), duel)
        assert str(hand(duel, own)) in html
        assert str(hand(duel, other)) not in html


def test_a_spectator_sees_no_hand_and_no_buttons(browser: Any, make_user: Any, duel: Match) -> None:
    for client in (browser(make_user("lee")), browser()):
        html = page(client, duel)
        assert str(hand(duel, "north")) not in html and str(hand(duel, "south")) not in html
        assert 'type="radio"' not in html and "North must answer." in html


def test_nobody_signed_in_never_gets_a_bots_seat(browser: Any, tom: Any) -> None:
    match = services.match_create(user=tom, ruleset="toy", seat="south", bots={"north": "random"})
    html = page(browser(), match)
    assert str(hand(match, "north")) not in html
    assert "Your decision" not in html


def test_a_private_match_does_not_exist_for_others(browser: Any, tom: Any, make_user: Any) -> None:
    match = services.match_create(user=tom, ruleset="toy", seat="north", private=True)
    assert browser(tom).get(f"/match/{match.pk}/").status_code == 200
    for client in (browser(make_user("lee")), browser()):
        for tail in ("", "board.png", "export/"):
            assert client.get(f"/match/{match.pk}/{tail}").status_code == 404


def test_an_option_and_a_typed_line_are_played(browser: Any, tom: Any, rania: Any, duel: Match) -> None:
    client = browser(tom)
    answer = client.post(f"/match/{duel.pk}/orders/", {"order": "pass", "base": version(duel)})
    assert answer.status_code == 302 and version(duel) == 1
    answer = browser(rania).post(
        f"/match/{duel.pk}/orders/", {"line": "stand; pass", "base": version(duel)}, follow=True
    )
    assert version(duel) == 3 and "Done: stand; pass" in answer.content.decode()


def test_a_refused_order_is_said_and_kept_in_the_line(browser: Any, tom: Any, duel: Match) -> None:
    answer = browser(tom).post(f"/match/{duel.pk}/orders/", {"line": "play 99", "base": version(duel)})
    html = answer.content.decode()
    assert answer.status_code == 409 and "Nothing was done." in html and 'value="play 99"' in html
    assert version(duel) == 0


def test_an_old_page_cannot_act(browser: Any, tom: Any, duel: Match) -> None:
    services.orders_submit(match_id=duel.pk, seat="north", orders="pass")
    answer = browser(tom).post(f"/match/{duel.pk}/orders/", {"order": "pass", "base": 0})
    assert answer.status_code == 409 and "Look again" in answer.content.decode()


def test_only_the_holder_of_a_seat_acts(browser: Any, make_user: Any, duel: Match) -> None:
    stranger = browser(make_user("lee"))
    for tail in ("orders", "take-back", "resign", "note", "standing", "take-back/answer"):
        answer = stranger.post(f"/match/{duel.pk}/{tail}/", {"order": "pass", "text": "x", "note": "x"})
        assert answer.status_code == 403, tail
        assert browser().post(f"/match/{duel.pk}/{tail}/").status_code == 302
    assert version(duel) == 0 and Match.objects.get(pk=duel.pk).status == "playing"


def test_forms_need_their_token(browser: Any, tom: Any, duel: Match) -> None:
    client = browser(tom, enforce_csrf_checks=True)
    assert client.post(f"/match/{duel.pk}/orders/", {"order": "pass"}).status_code == 403
    assert version(duel) == 0


def test_a_link_from_a_mail_shows_the_seat_and_cannot_act(browser: Any, duel: Match) -> None:
    token = links.page_token(Seat.objects.get(match=duel, key="north"))
    client = browser()
    answer = client.get(f"/m/{duel.pk}/{token}/")
    html = answer.content.decode()
    assert answer.status_code == 200 and str(hand(duel, "north")) in html and str(hand(duel, "south")) not in html
    assert "<form" not in re.sub(r'<form method="post" action="/sign-out/">', "", html)
    assert "It cannot act" in html and answer.headers["Referrer-Policy"] == "no-referrer"
    for tail in ("orders", "take-back", "resign", "note"):
        assert client.post(f"/m/{duel.pk}/{token}/{tail}/", {"order": "pass"}).status_code == 404
        assert client.post(f"/match/{duel.pk}/{tail}/", {"order": "pass"}).status_code == 302  # to sign in
    assert client.post(f"/m/{duel.pk}/{token}/", {"order": "pass"}).status_code in (200, 405)
    assert version(duel) == 0 and Entry.objects.filter(match=duel).count() == 1
    assert client.get(f"/m/{duel.pk}/{token}/board.png").headers["Content-Type"] == "image/png"


def test_a_wrong_or_old_link_shows_nothing(browser: Any, duel: Match) -> None:
    seat = Seat.objects.get(match=duel, key="north")
    token = links.page_token(seat)
    south = "south" + token[len("north") :]
    changed = token[:-1] + ("a" if token[-1] != "a" else "b")
    for wrong in (changed, south, "north.", "x", "north.aaaaaaaaaaaaaaaa"):
        assert browser().get(f"/m/{duel.pk}/{wrong}/").status_code == 404
    Seat.objects.filter(pk=seat.pk).update(link_key=2)
    assert browser().get(f"/m/{duel.pk}/{token}/").status_code == 404


def test_resigning_asks_first(browser: Any, tom: Any, duel: Match) -> None:
    client = browser(tom)
    assert "Give up match" in client.get(f"/match/{duel.pk}/resign/").content.decode()
    assert Match.objects.get(pk=duel.pk).status == "playing"
    html = client.post(f"/match/{duel.pk}/resign/", follow=True).content.decode()
    assert "North resigned. South wins." in html
    assert Match.objects.get(pk=duel.pk).seed in html


def test_a_take_back_is_asked_and_answered(browser: Any, tom: Any, rania: Any, duel: Match) -> None:
    card = hand(duel, "north")[0]
    services.orders_submit(match_id=duel.pk, seat="north", orders=f"play {card}")
    other = browser(rania)
    page(other, duel)  # she has looked
    browser(tom).post(f"/match/{duel.pk}/take-back/", {"reason": "slip", "base": 1})
    assert "North asks to take back the last 1 entry." in page(other, duel)
    other.post(f"/match/{duel.pk}/take-back/answer/", {"agree": "yes"})
    assert hand(duel, "north")[0] == card and version(duel) == 2


def test_notes_and_standing_orders(browser: Any, tom: Any, rania: Any, duel: Match) -> None:
    client = browser(tom)
    client.post(f"/match/{duel.pk}/note/", {"note": "hold <b>the</b> mosque"})
    client.post(f"/match/{duel.pk}/standing/", {"text": "on answer do duck"})
    html = page(client, duel)
    assert "hold &lt;b&gt;the&lt;/b&gt; mosque" in html and "on answer do duck" in html
    assert "mosque" not in page(browser(rania), duel) and "on answer do duck" not in page(browser(rania), duel)
    client.post(f"/match/{duel.pk}/standing/", {"withdraw": "1"})
    assert "on answer do duck" not in page(client, duel)


def test_joining_starts_a_match_and_withdrawing_ends_one(browser: Any, tom: Any, rania: Any) -> None:
    match = services.match_create(user=tom, ruleset="toy", seat="north")
    assert "1 seat still free" in page(browser(rania), match)
    browser(rania).post(f"/match/{match.pk}/join/", {"seat": "south"})
    assert Match.objects.get(pk=match.pk).status == "playing"
    other = services.match_create(user=tom, ruleset="toy", seat="north")
    browser(rania).post(f"/match/{other.pk}/cancel/")
    assert Match.objects.get(pk=other.pk).status == "open"
    browser(tom).post(f"/match/{other.pk}/cancel/")
    assert Match.objects.get(pk=other.pk).status == "cancelled"


def test_the_file_holds_no_secret_before_the_end(browser: Any, tom: Any, duel: Match) -> None:
    answer = browser(tom).get(f"/match/{duel.pk}/export/")
    lines = [json.loads(line) for line in answer.content.decode().splitlines()]
    assert lines[0]["kind"] == "header" and lines[-1]["seed"] is None
    assert all(value is None for kind, value in lines[1]["rolls"] if kind.endswith("?"))
    assert "attachment" in answer.headers["Content-Disposition"]


def test_looking_is_remembered_for_take_backs(browser: Any, rania: Any, duel: Match) -> None:
    services.orders_submit(match_id=duel.pk, seat="north", orders="pass")
    page(browser(rania), duel)
    assert Seat.objects.get(match=duel, key="south").seen_seq == 1
    assert Match.objects.get(pk=duel.pk).public_seen_seq == -1
    page(browser(), duel)
    assert Match.objects.get(pk=duel.pk).public_seen_seq == 1


def test_the_board_comes_in_both_themes(browser: Any, tom: Any, duel: Match) -> None:
    client = browser(tom)
    assert client.get(f"/match/{duel.pk}/board.png").content.startswith(b"\x89PNG")
    client.get(f"/match/{duel.pk}/?theme=dark")
    assert client.cookies["theme"].value == "dark"
    assert client.get(f"/match/{duel.pk}/").context["theme"] == "dark"

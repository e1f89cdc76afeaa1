"""The mailbox page of a server without a mail host."""

from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives

from notifications.channels.maildir import MaildirBackend


@pytest.fixture
def box(tmp_path: Path, settings: Any) -> str:
    settings.MAILDIR = str(tmp_path)
    settings.LOCAL_MAILBOX_PAGE = True
    mail = EmailMultiAlternatives("A subject", "Plain words", "play@localhost", ["tom@example.org"])
    mail.attach_alternative("<p>Rich words</p><script>alert(1)</script>", "text/html")
    MaildirBackend(folder=tmp_path).send_messages([mail])
    return next((tmp_path / "new").iterdir()).name


def test_mails_are_listed_and_shown_from_this_machine(browser: Any, box: str) -> None:
    client = browser()
    assert "A subject" in client.get("/mailbox/").content.decode()
    html = client.get(f"/mailbox/{box}/").content.decode()
    assert "Plain words" in html and 'sandbox="allow-popups"' in html


def test_a_mail_is_answered_on_the_page(browser: Any, box: str, duel: Any) -> None:
    from notifications import addresses
    from notifications.models import InboundMail

    seat = duel.seats.get(key="north")
    to = addresses.reply_address(duel.pk, "north", 0, 1, seat.user_id)
    form = {"from": "tom@example.org", "to": to, "subject": "Re: x", "text": "pass"}
    assert browser().post("/mail/reply/", form).status_code == 302
    assert InboundMail.objects.get().door == to.partition("@")[0]
    far = {"REMOTE_ADDR": "203.0.113.9"}
    assert browser().post("/mail/reply/", form, **far).status_code == 403
    assert browser(duel.seats.get(key="south").user).post("/mail/reply/", form, **far).status_code == 403
    assert browser(seat.user).post("/mail/reply/", {**form, "text": "2"}, **far).status_code == 302
    assert browser().post("/mail/reply/", {**form, "from": "no address"}).status_code == 400


def test_the_html_part_is_caged(browser: Any, box: str) -> None:
    answer = browser().get(f"/mailbox/{box}/html/")
    policy = answer.headers["Content-Security-Policy"]
    assert "sandbox" in policy and "default-src 'none'" in policy and "script-src" not in policy
    assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"


def test_from_elsewhere_one_sees_ones_own_mail_only(browser: Any, box: str, tom: Any, rania: Any) -> None:
    far = {"REMOTE_ADDR": "203.0.113.9"}
    assert browser().get("/mailbox/", **far).status_code == 404
    assert "A subject" in browser(tom).get("/mailbox/", **far).content.decode()
    assert "A subject" not in browser(rania).get("/mailbox/", **far).content.decode()
    assert browser(rania).get(f"/mailbox/{box}/", **far).status_code == 404


def test_behind_a_proxy_nobody_counts_as_local(browser: Any, box: str) -> None:
    assert browser().get("/mailbox/", HTTP_X_FORWARDED_FOR="203.0.113.9").status_code == 404


def test_it_can_be_switched_off(browser: Any, box: str, settings: Any) -> None:
    settings.LOCAL_MAILBOX_PAGE = False
    assert browser().get("/mailbox/").status_code == 404


def test_names_that_are_not_mails_are_not_found(browser: Any, box: str) -> None:
    for name in ("..", "%2e%2e%2fsecret", "nothing", box[:-1]):
        assert browser().get(f"/mailbox/{name}/").status_code == 404

"""Inbound webhooks of mail services over real HTTP, with posts as they make them."""

import hashlib
import hmac
import json
import time
from typing import Any

import httpx
import pytest

from games.ledger.models import Match
from notifications.inbound.handle import handle
from notifications.models import InboundMail
from tests.notifications.conftest import Sink
from tests.notifications.helpers import fresh
from tests.notifications.post import deliver_waiting, letter
from tests.notifications.zone import NameServer, signed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
SECRET, KEY = "a long secret", "key-1234567890"


@pytest.fixture
def url(live_server: Any, settings: Any) -> str:
    settings.MAIL_SECRET = SECRET
    settings.MAIL_SERVICES = ["mailgun", "postmark", "sendgrid", "mailjet", "sparkpost", "amazon_ses"]
    settings.ANYMAIL = {"WEBHOOK_SECRET": f"mail:{SECRET}", "MAILGUN_WEBHOOK_SIGNING_KEY": KEY}
    settings.MAIL_CHECK = "off"
    return f"{live_server.url}/mail/services"


@pytest.fixture
def door(sink: Sink, duel: Match) -> str:
    deliver_waiting()
    return str(sink.mails[0]["Reply-To"])


def call(url: str, auth: bool = True, **how: Any) -> httpx.Response:
    return httpx.post(url, auth=("mail", SECRET) if auth else None, **how)


def read() -> InboundMail:
    row = InboundMail.objects.get()
    handle(row.pk)
    row.refresh_from_db()
    return row


def mailgun(raw: bytes, to: str, key: str = KEY) -> dict[str, str]:
    stamp, token = str(int(time.time())), "c" * 50
    return {
        "recipient": to, "sender": "tom@example.org", "from": "Tom <tom@example.org>", "subject": "Re: your move",
        "body-mime": raw.decode(), "timestamp": stamp, "token": token,
        "signature": hmac.new(key.encode(), f"{stamp}{token}".encode(), hashlib.sha256).hexdigest(),
    }  # fmt: skip


def test_mailgun_posts_the_raw_mail_and_signs_it(url: str, door: str, duel: Match) -> None:
    raw = letter(door, "pass")
    assert call(f"{url}/mailgun/mime/", data=mailgun(raw, door, "another key")).status_code == 403
    assert call(f"{url}/mailgun/mime/", auth=False, data=mailgun(raw, door)).status_code == 403
    assert not InboundMail.objects.exists()
    assert call(f"{url}/mailgun/mime/", data=mailgun(raw, door)).status_code == 200
    assert call(f"{url}/mailgun/mime/", data=mailgun(raw, door)).status_code == 200  # repeated by the service
    row = read()
    assert (row.kind, row.origin["via"], row.copies, fresh(duel).head_seq) == ("person", "mailgun", 2, 1)


def test_mailgun_posts_parsed_fields(url: str, door: str, duel: Match) -> None:
    fields = mailgun(b"", door)
    del fields["body-mime"]
    headers = [
        ["From", "Tom <tom@example.org>"],
        ["To", door],
        ["Message-Id", "<p1@example.org>"],
        ["Subject", "Re: x"],
    ]
    fields |= {
        "message-headers": json.dumps(headers), "body-plain": "pass\r\n", "body-html": "<p>pass</p>",
        "stripped-text": "pass", "X-Mailgun-Spf": "Pass",
    }  # fmt: skip
    assert call(f"{url}/mailgun/", data=fields).status_code == 200
    assert read().kind == "person" and fresh(duel).head_seq == 1


def postmark(door: str, raw: bytes | None = None) -> dict[str, Any]:
    event: dict[str, Any] = {
        "From": "tom@example.org", "FromFull": {"Email": "tom@example.org", "Name": "Tom", "MailboxHash": ""},
        "To": door, "ToFull": [{"Email": door, "Name": "", "MailboxHash": ""}], "OriginalRecipient": door,
        "Subject": "Re: your move", "MessageID": "73e6d360-66eb-11e1",
        "Date": "Tue, 3 Mar 2026 07:40:00 +0000",
        "TextBody": "pass\n", "HtmlBody": "", "StrippedTextReply": "pass", "Attachments": [],
        "Headers": [
            {"Name": "Return-Path", "Value": "<tom@example.org>"},
            {"Name": "Received-SPF", "Value": "Pass (sender SPF authorized)"},
            {"Name": "Message-ID", "Value": "<pm1@example.org>"},
        ],
    }  # fmt: skip
    return event | ({"RawEmail": raw.decode()} if raw else {})


def test_postmark_posts_json(url: str, door: str, duel: Match) -> None:
    assert call(f"{url}/postmark/", auth=False, json=postmark(door)).status_code == 403
    assert httpx.post(f"{url}/postmark/", auth=("mail", "wrong"), json=postmark(door)).status_code == 403
    assert call(f"{url}/postmark/", json=postmark(door)).status_code == 200
    row = read()
    assert (row.kind, row.message_id, row.origin["sender"]) == ("person", "<pm1@example.org>", "tom@example.org")
    assert fresh(duel).head_seq == 1


def sendgrid(door: str, **more: str) -> dict[str, str]:
    return {
        "headers": f"From: Tom <tom@example.org>\nTo: {door}\nMessage-ID: <sg1@example.org>\nSubject: Re: your move\n",
        "from": "Tom <tom@example.org>", "to": door, "subject": "Re: your move", "text": "pass\n", "html": "",
        "envelope": json.dumps({"to": [door], "from": "tom@example.org"}), "charsets": json.dumps({"text": "UTF-8"}),
        "SPF": "pass", "dkim": "{@example.org : pass}", "sender_ip": "192.0.2.25", "spam_score": "0.1",
    } | more  # fmt: skip


def form(fields: dict[str, str]) -> dict[str, Any]:
    """SendGrid posts multipart/form-data."""
    return {"files": {name: (None, value) for name, value in fields.items()}}


def test_sendgrid_posts_a_form(url: str, door: str, duel: Match) -> None:
    assert call(f"{url}/sendgrid/", auth=False, **form(sendgrid(door))).status_code == 403
    assert call(f"{url}/sendgrid/", **form(sendgrid(door))).status_code == 200
    assert read().kind == "person" and fresh(duel).head_seq == 1


def test_what_a_service_checked_counts_only_if_the_host_trusts_it(
    url: str, door: str, duel: Match, settings: Any
) -> None:
    settings.MAIL_CHECK, settings.MAIL_AUTHSERV = "results", ["mx.example.net"]
    forged = sendgrid(door)
    forged["headers"] += "Authentication-Results: mx.example.net; dmarc=pass header.from=example.org\n"
    call(f"{url}/sendgrid/", **form(forged))
    assert read().state == "doubtful"  # neither the service's word nor what is written in the mail
    settings.MAIL_AUTHSERV = ["sendgrid"]
    InboundMail.objects.all().delete()
    call(f"{url}/sendgrid/", **form(sendgrid(door)))
    assert read().kind == "person"
    InboundMail.objects.all().delete()
    call(f"{url}/sendgrid/", **form(sendgrid(door, SPF="softfail", dkim="{@evil.example : pass}", text="note a")))
    assert read().state == "doubtful"


def test_a_raw_mail_from_a_service_can_be_checked_by_ourselves(url: str, door: str, duel: Match, settings: Any) -> None:
    names = NameServer()
    names.start()
    settings.MAIL_CHECK, settings.MAIL_DNS = "own", [names.address]
    raw = signed(letter(door, "pass"), "example.org")
    call(f"{url}/mailgun/mime/", data=mailgun(raw, door))
    assert read().auth["dkim"] == "pass" and fresh(duel).head_seq == 1
    InboundMail.objects.all().delete()
    call(f"{url}/postmark/", json=postmark(door, signed(letter(door, "note a"), "example.org")))
    assert read().auth["dkim"] == "pass"
    InboundMail.objects.all().delete()
    call(f"{url}/postmark/", json=postmark(door))
    assert read().state == "doubtful"  # fields alone prove nothing
    names.stop()


def test_a_service_that_was_not_switched_on_is_not_there(url: str, settings: Any, door: str) -> None:
    assert call(f"{url}/mandrill/", data={}).status_code == 404
    assert call(f"{url}/nonsense/", data={}).status_code == 404
    settings.MAIL_SECRET = ""
    assert call(f"{url}/postmark/", json=postmark(door)).status_code == 404


@pytest.mark.parametrize("service", ["mailgun", "postmark", "sendgrid", "mailjet", "sparkpost", "amazon_ses"])
def test_nonsense_breaks_nothing(url: str, service: str) -> None:
    bodies: list[Any] = [{}, [], {"Headers": 7}]
    calls: list[dict[str, Any]] = [{"json": body} for body in bodies]
    for how in [*calls, {"data": {"x": "y"}}, {"content": b"\xff\x00{"}]:
        assert call(f"{url}/{service}/", **how).status_code in (200, 400, 403, 501)
    assert httpx.get(f"{url}/{service}/").status_code in (405, 501)
    assert not InboundMail.objects.exists()


def test_sparkpost_and_mailjet(url: str, door: str, duel: Match) -> None:
    relay = {"content": {"email_rfc822": letter(door, "note a").decode(), "email_rfc822_is_base64": False},
             "friendly_from": "tom@example.org", "msg_from": "tom@example.org", "rcpt_to": door, "protocol": "smtp",
             "webhook_id": "1"}  # fmt: skip
    assert call(f"{url}/sparkpost/", json=[{"msys": {"relay_message": relay}}]).status_code == 200
    assert read().kind == "person"
    InboundMail.objects.all().delete()
    event = {"Sender": "tom@example.org", "Recipient": door, "From": "Tom <tom@example.org>", "Subject": "Re: x",
             "Headers": {"From": "Tom <tom@example.org>", "To": door, "Message-ID": "<mj@example.org>"},
             "Parts": [], "Text-part": "note b", "Html-part": "", "SpamAssassinScore": "0.2"}  # fmt: skip
    assert call(f"{url}/mailjet/", json=event).status_code == 200
    assert read().kind == "person" and fresh(duel).seats.get(key="north").note == "b"

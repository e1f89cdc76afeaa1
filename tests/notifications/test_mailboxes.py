"""A person with several addresses: each is proved, orders count from all, mail goes to the first that takes it."""

from typing import Any

import pytest

from games.ledger import mailboxes
from games.ledger.models import MailAddress, Match
from notifications import addresses
from tests.notifications.conftest import Sink
from tests.notifications.helpers import fresh, mails, text_of
from tests.notifications.post import Mailbox, deliver_waiting, post
from tests.notifications.test_bounces import REPORT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
WORK = "tom@work.example"


@pytest.fixture
def box(sink: Sink, duel: Match) -> Mailbox:
    deliver_waiting()
    return Mailbox(sink, "tom@example.org")


def proved(box: Mailbox, email: str = WORK) -> None:
    box.reply(f"address add {email}")
    other = Mailbox(box.sink, email)
    assert "tom wants to play from this address too" in other.text
    assert other.reply("yes").detail.endswith("is proved")


def test_a_further_address_is_proved_and_then_counts(box: Mailbox, duel: Match) -> None:
    door = str(box.last["Reply-To"])
    assert post(door, "note a", WORK).kind == "stranger"
    proved(box)
    assert post(door, "note b", WORK).kind == "person"
    assert fresh(duel).seats.get(key="north").note == "b"
    box.reply("address")
    assert f"{WORK}: further, proved" in box.text and "tom@example.org: main, proved" in box.text


def test_only_who_reads_it_can_prove_it(box: Mailbox, duel: Match, client: Any) -> None:
    box.reply(f"address add {WORK}")
    asked = Mailbox(box.sink, WORK).last
    to = str(asked["Reply-To"])
    assert post(to, "yes", "evil@example.com").detail == "not proved"
    assert post(to, "no", WORK).detail == "not proved"
    assert post(to[:5] + ("a" if to[5] != "a" else "b") + to[6:], "yes", WORK).kind == "lost"
    assert not MailAddress.objects.filter(verified_at__isnull=False).exists()
    link = "/mail/address/" + text_of(asked).split("/mail/address/")[1].split()[0]
    assert client.get(link).status_code == 200 and not MailAddress.objects.filter(verified_at__isnull=False).exists()
    assert client.post(link).status_code == 200 and client.post(link).status_code == 404
    assert MailAddress.objects.get(email=WORK).verified_at


def test_an_address_belongs_to_one_person(box: Mailbox, duel: Match, rania: Any) -> None:
    box.reply("address add rania@example.org")
    assert "in use" in box.text
    proved(box)
    raniabox = Mailbox(box.sink, "rania@example.org")
    raniabox.reply(f"address add {WORK}")
    assert "in use" in raniabox.text
    box.reply("address add nonsense")
    assert "is not a mail address" in box.text


def test_it_cannot_be_used_to_write_to_the_world(box: Mailbox, duel: Match) -> None:
    for number in range(4):
        box.reply(f"address add victim{number}@example.com")
    assert "try tomorrow" in box.text
    assert len({str(mail["To"]) for mail in box.sink.mails if "victim" in str(mail["To"])}) == 3


def test_dropping(box: Mailbox, duel: Match, tom: Any) -> None:
    box.reply("address drop tom@example.org")
    assert "only proved address" in box.text
    proved(box)
    box.reply(f"address drop {WORK}")
    assert post(str(box.mails[0]["Reply-To"]), "note x", WORK).kind == "stranger"
    proved(box, "tom@second.example")
    box.reply("address drop <tom@example.org>")
    tom.refresh_from_db()
    assert tom.email == "tom@second.example" and mailboxes.proved(tom) == {"tom@second.example"}


def test_mail_goes_to_the_second_when_the_first_comes_back(box: Mailbox, duel: Match, tom: Any) -> None:
    proved(box)
    row = mails(duel, seat="north", topic="opened")[0]
    back = addresses.numbered_address("bounce", row.pk)
    post(back, REPORT.format(status="5.1.1"), "mailer-daemon@example.org", Return_Path="<>")
    deliver_waiting()
    again = Mailbox(box.sink, WORK).last
    assert again["X-Kind"] == "opened" and again["Message-ID"] == box.mails[0]["Message-ID"]
    assert mailboxes.mail_to(tom) == WORK
    assert not [mail for mail in box.sink.mails if mail["X-Kind"] == "bounced"]  # it did arrive
    post(back, REPORT.format(status="5.1.1"), "mailer-daemon@work.example", Return_Path="<>")
    deliver_waiting()
    assert [mail["To"] for mail in box.sink.mails if mail["X-Kind"] == "bounced"] == ["rania@example.org"]
    box.reply("note I am back", to=box.mails[0])
    assert mailboxes.mail_to(tom) == "tom@example.org"  # mail came from it, so it is used again


def test_a_refusal_at_the_door_tries_the_second_at_once(box: Mailbox, duel: Match) -> None:
    proved(box)
    box.sink.rcpt_answers = ["550 5.1.1 nobody here"]
    box.reply("look")
    deliver_waiting()
    assert Mailbox(box.sink, WORK).last["X-Kind"] == "ack"


def test_over_rest(client: Any, box: Mailbox, tom: Any) -> None:
    client.force_login(tom)
    url = "/api/v1/me/addresses"
    assert [row["email"] for row in client.get(url).json()["addresses"]] == ["tom@example.org"]
    made = client.post(url, {"email": WORK}, content_type="application/json")
    assert made.status_code == 201 and made.json()["addresses"][1] == {
        "email": WORK, "main": False, "proved": False, "bounced_at": None,
    }  # fmt: skip
    assert client.post(url, {"email": "x"}, content_type="application/json").status_code == 422
    assert client.delete(f"{url}/{WORK}").status_code == 204
    assert client.delete(f"{url}/{WORK}").status_code == 404

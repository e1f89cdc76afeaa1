"""Webhooks over REST: made, shown, tried, one's own."""

from typing import Any

import pytest

from tests.api.conftest import Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]
URL = "https://hooks.example.org/fallujah"


def test_a_webhook_from_making_to_removing(rania: Person) -> None:
    made = rania.post("webhooks", {"url": URL, "topics": ["decision"]})
    assert made.status_code == 201 and made.json()["secret"].startswith("whsec_")
    number = made.json()["number"]
    listed = rania.get("webhooks")
    assert "whsec_" not in listed.content.decode() and listed.json()["webhooks"][0]["url"] == URL
    rotated = rania.post(f"webhooks/{number}/rotate").json()["secret"]
    assert rotated != made.json()["secret"]
    call = rania.post(f"webhooks/{number}/test")
    assert call.status_code == 202
    log = rania.get(f"webhooks/{number}/calls").json()["calls"]
    assert [(line["call"], line["topic"], line["state"]) for line in log] == [(call.json()["call"], "test", "waiting")]
    assert rania.post(f"webhooks/{number}/calls/{call.json()['call']}/replay").status_code == 202
    assert rania.post(f"webhooks/{number}/enable").json()["disabled_at"] is None
    assert rania.delete(f"webhooks/{number}").status_code == 204
    assert rania.get(f"webhooks/{number}").status_code == 404


def test_webhooks_are_ones_own(rania: Person, sam: Person) -> None:
    number = rania.post("webhooks", {"url": URL}).json()["number"]
    for path in ("rotate", "enable", "test", "calls/1/replay"):
        assert sam.post(f"webhooks/{number}/{path}").status_code == 404
    assert sam.get(f"webhooks/{number}/calls").status_code == 404
    assert sam.delete(f"webhooks/{number}").status_code == 404
    assert Person(rania.user, scope="play").get("webhooks").json()["code"] == "forbidden"


@pytest.mark.parametrize(
    "given",
    [
        {"url": "http://example.org/"},
        {"url": "https://127.0.0.1/"},
        {"url": "https://user@example.org/"},
        {"url": URL, "topics": ["gossip"]},
    ],
)
def test_what_cannot_be_called_is_refused(rania: Person, given: dict[str, Any]) -> None:
    refused = rania.post("webhooks", given)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-webhook")


def test_ten_are_enough(rania: Person) -> None:
    made = [rania.post("webhooks", {"url": URL}).status_code for _ in range(11)]
    assert made == [201] * 10 + [409]

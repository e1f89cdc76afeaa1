"""No address, however it is dressed, lets a webhook reach a machine that is not on the open internet."""

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from games.ledger.webhooks import public_address, url_problem
from notifications.webhooks import guard

HOSTS = [
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001",
    "0x7f.1", "127.0.0.1.", "localhost", "LOCALHOST", "localhost.", "sub.localhost", "printer.local", "db.internal",
    "hidden.onion", "intranet", "0.0.0.0", "0", "00.0.0.0", "10.0.0.1", "10.255.255.255", "172.16.0.1",
    "172.31.255.254", "192.168.0.1", "192.168.1.254", "169.254.169.254", "169.254.170.2", "0xa9fea9fe",
    "2852039166", "0251.0376.0251.0376", "100.64.0.1", "100.127.255.254", "192.0.0.1", "192.0.0.192",
    "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250",
    "240.0.0.1", "255.255.255.255", "192.88.99.1", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]", "[::ffff:169.254.169.254]", "[::ffff:10.0.0.1]", "[::127.0.0.1]", "[::7f00:1]",
    "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]", "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]", "[2002:0a00:0001::1]", "[2001:0:7f00:1::]", "[2001::1]", "[fc00::1]", "[fd00::1]",
    "[fd00:ec2::254]", "[fe80::1]", "[fe80::1%25lo]", "[fec0::1]", "[ff02::1]", "[ff05::2]", "[2001:db8::1]",
    "[100::1]", "[3fff::1]", "[5f00::1]", "[2001:10::1]", "[2001:2::1]", "[4000::1]",
]  # fmt: skip
URLS = [
    "http://example.org/", "ftp://example.org/", "file:///etc/passwd", "gopher://127.0.0.1:70/_x", "//127.0.0.1/",
    "https://", "https:///path", "https://user@127.0.0.1/", "https://user:word@example.org/",
    "https://example.org@127.0.0.1/", "https://127.0.0.1#@example.org/", "https://127.0.0.1?@example.org/",
    "https://example.org\\@127.0.0.1/", "https://example.org:22/", "https://example.org:25/",
    "https://example.org:6379/", "https://example.org:0/", "https://example.org:99999/", "https://example.org:/",
    "https://example.org:443:80/", "https://exa mple.org/", "https://example.org/\r\nHost: 127.0.0.1",
    "https://example.org/\x00", "https://example.org\t.evil/", "https://①②⑦.⓪.⓪.①/", "https://127。0。0。1/",
    "https://ⓛocalhost/", "https://%31%32%37.0.0.1/", "https://127.0.0.1%2f.example.org/", "https://[::1/",
    "https://[/", "https://]/", "https://[v1.x]/", "javascript:alert(1)", "data:text/plain,x", "", "https",
    "https://.", "https://..", "HTTPS://LOCALHOST/", "https://127.0.0.1:8443/", "unix:///var/run/docker.sock",
]  # fmt: skip
HOSTILE = [f"https://{host}/hook" for host in HOSTS] + URLS


class Canary:
    """Listens where nobody may knock."""

    def __init__(self, family: int, host: str) -> None:
        self.wire = socket.socket(family)
        self.wire.bind((host, 0))
        self.wire.listen(16)
        self.wire.settimeout(0.1)
        self.port = self.wire.getsockname()[1]
        self.knocks = 0
        self.stop = False
        self.thread = threading.Thread(target=self._listen)
        self.thread.start()

    def _listen(self) -> None:
        while not self.stop:
            try:
                visitor, _ = self.wire.accept()
            except TimeoutError:
                continue
            self.knocks += 1
            visitor.close()

    def close(self) -> None:
        self.stop = True
        self.thread.join()
        self.wire.close()


@pytest.fixture
def canary() -> Iterator[Canary]:
    bird = Canary(socket.AF_INET, "127.0.0.1")
    yield bird
    bird.close()


def test_there_are_enough_hostile_addresses() -> None:
    assert len(HOSTILE) == len(set(HOSTILE)) >= 120


@pytest.mark.parametrize("url", HOSTILE)
def test_a_hostile_address_is_never_called(url: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the written form, nothing is connected; names are really looked up."""
    calls: list[Any] = []

    def connected(*args: Any) -> None:
        calls.append(args)
        raise OSError("must not happen")

    monkeypatch.setattr(guard, "connect", connected)
    with pytest.raises((guard.Refused, guard.Failed)):
        guard.post(url, b"{}", {})
    assert calls == []


@pytest.mark.parametrize("host", [host for host in HOSTS if "%" not in host])
def test_a_listener_on_any_port_hears_nothing(host: str, canary: Canary, settings: Any) -> None:
    settings.WEBHOOK_PORTS = []
    with pytest.raises((guard.Refused, guard.Failed)):
        guard.post(f"https://{host}:{canary.port}/", b"{}", {})
    assert canary.knocks == 0


def test_the_canary_would_hear_a_call(canary: Canary, settings: Any) -> None:
    """The tests above can fail: with the guard off, the listener is reached."""
    settings.WEBHOOK_PORTS, settings.WEBHOOK_INSECURE = [], True
    with pytest.raises(guard.Failed):
        guard.post(f"http://127.0.0.1:{canary.port}/", b"{}", {})
    time.sleep(0.2)
    assert canary.knocks == 1


def test_one_closed_address_among_open_ones_closes_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "resolve", lambda host, port: ["93.184.216.34", "10.0.0.1"])
    with pytest.raises(guard.Refused):
        guard.post("https://example.org/", b"{}", {})


def test_a_name_that_changes_its_address_is_asked_once(
    canary: Canary, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: the second answer would be loopback, but there is no second question."""
    settings.WEBHOOK_PORTS = []
    answers = iter(["93.184.216.34", "127.0.0.1", "127.0.0.1"])
    asked: list[str] = []
    dialled: list[str] = []

    def lookup(host: str, *args: Any, **options: Any) -> Any:
        if host != "rebind.example.org":
            return original(host, *args, **options)
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), canary.port))]

    def dial(address: tuple[str, int], *args: Any, **options: Any) -> Any:
        dialled.append(address[0])
        raise OSError("the world is not reached in tests")

    original = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    monkeypatch.setattr(socket, "create_connection", dial)
    with pytest.raises(guard.Failed):
        guard.post(f"https://rebind.example.org:{canary.port}/", b"{}", {})
    assert (asked, dialled, canary.knocks) == (["rebind.example.org"], ["93.184.216.34"], 0)


def test_a_stalled_resolver_costs_three_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "DNS_SECONDS", 0.2)

    def stalled(*args: Any, **options: Any) -> list[Any]:
        time.sleep(1.5)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", stalled)
    began = time.monotonic()
    with pytest.raises(guard.Failed, match="looked up"):
        guard.post("https://slow.example.org/", b"{}", {})
    assert time.monotonic() - began < 1


def test_ordinary_addresses_are_allowed() -> None:
    for url in (
        "https://example.org/hook",
        "https://example.org:8443/a?b=c",
        "https://93.184.216.34/",
        "https://1.1.1.1/x",
    ):
        assert url_problem(url) == ""
    assert public_address("93.184.216.34") and public_address("2606:2800:220:1:248:1893:25c8:1946")

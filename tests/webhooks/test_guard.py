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
    "0X7F.0X0.0X0.0X1", "0x7f.0.1", "0177.1", "127.0x0.0.1", "0127.0.0.1", "127.000.000.001", "4294967295", "0x0",
    "0xffffffff", "1", "1.1", "127.127.127.127", "169.254.169.253", "100.100.100.200", "192.168.65.2", "172.17.0.1",
    "10.96.0.1", "168.63.129.16.", "metadata.google.internal", "metadata", "kubernetes.default.svc.local",
    "[::ffff:0:127.0.0.1]", "[::ffff:0:7f00:1]", "[::ffff:0.0.0.0]", "[::ffff:a00:1]", "[::ffff:100.64.0.1]",
    "[64:ff9b::10.0.0.1]", "[64:ff9b::192.168.0.1]", "[2002:c0a8:101::]", "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
    "[fe80::1%25eth0]", "[fe80::a9fe:a9fe]", "[ff0e::1]", "[ff01::1]", "[fd00:ec2::23]", "[0000::0001]", "[::1.2.3.4]",
    "xn--localhost-.", "127.0.0.1.localhost", "a.b.c.local.",
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
    "https://127.0.0.1:443@example.org:443/", "https://example.org;@127.0.0.1/", "https:\\\\127.0.0.1/",
    "https:/\\127.0.0.1/", "https:127.0.0.1", "https://１２７.０.０.１/", "https://127．0．0．1/", "https://[::１]/",
    "https://localhost\u00ad/", "https://lo\u200bcalhost/", "https://example.org/{x}", "https://example.org:8080/",
    "https://example.org:11211/", "https://example.org:-1/", "https://example.org:443x/", "https://ex_\x7fample.org/",
    "https://[::1]:443@example.org/", "https://[::ffff:127.0.0.1]:443/", "dict://127.0.0.1:11211/stats", "ldap://127.0.0.1/",
    "https://" + "a" * 64 + ".example.org.local/", "https://" + "a." * 200 + "internal/", "https://0/", "wss://127.0.0.1/",
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
    assert len(HOSTILE) == len(set(HOSTILE)) >= 180


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


def test_listeners_on_any_port_hear_nothing(canary: Canary, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """All ports allowed, and a resolver that gives every name the address of the canary: nobody knocks."""
    settings.WEBHOOK_PORTS = []
    real = socket.getaddrinfo

    def lying(host: str, port: int, **options: Any) -> Any:
        try:
            return real(host, port, **{**options, "flags": socket.AI_NUMERICHOST})
        except OSError:
            return real("127.0.0.1", port, **options)

    monkeypatch.setattr(socket, "getaddrinfo", lying)
    names = [
        "hooks.example.org",
        "127.0.0.1.nip.example",
        "rebind.example.net",
        "xn--bcher-kva.example",
        "a" * 63 + ".org",
    ]
    for host in [*HOSTS, *names]:
        with pytest.raises((guard.Refused, guard.Failed)):
            guard.post(f"https://{host}:{canary.port}/", b"{}", {})
    for url in URLS:
        with pytest.raises((guard.Refused, guard.Failed)):
            guard.post(url.replace("127.0.0.1/", f"127.0.0.1:{canary.port}/"), b"{}", {})
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

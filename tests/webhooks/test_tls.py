"""Over TLS, on the strict settings: certificates, redirects, drips and stalls, with a receiver on this machine.

`hooks.example.org` is looked up as 127.0.0.2, which counts as public here and nowhere else; every other
loopback address stays closed.
"""

import contextlib
import datetime
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from games.ledger.webhooks import public_address
from notifications.webhooks import guard
from tests.webhooks.receivers import Receiver
from tests.webhooks.test_guard import Canary

HOST, ADDRESS = "hooks.example.org", "127.0.0.2"
PATIENCE = 200  # bytes of a dripper


def _certificate(folder: Path, name: str) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def world(settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """One name, one open address, one trusted certificate."""
    settings.WEBHOOK_PORTS = []
    path = _certificate(tmp_path, HOST)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    real = socket.getaddrinfo

    def lookup(host: str, port: int, *args: Any, **options: Any) -> Any:
        return real(ADDRESS if host.endswith("example.org") else host, port, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    monkeypatch.setattr(guard, "public_address", lambda text: text == ADDRESS or public_address(text))
    return path


def _context(path: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


@pytest.fixture
def secure(world: Path) -> Iterator[Receiver]:
    made = Receiver(ADDRESS, _context(world))
    yield made
    made.close()


@pytest.fixture
def canary() -> Iterator[Canary]:
    bird = Canary(socket.AF_INET, "127.0.0.1")
    yield bird
    bird.close()


def test_a_call_over_tls_arrives(secure: Receiver) -> None:
    answer = guard.post(f"https://{HOST}:{secure.port}/a?b=c", b'{"x":1}', {"Content-Type": "application/json"})
    headers, body = secure.got[0]
    assert (answer.status, body, headers["host"]) == (204, b'{"x":1}', f"{HOST}:{secure.port}")


def test_a_certificate_for_another_name_or_from_nobody_is_not_taken(
    secure: Receiver, world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(guard.Failed, match="CERTIFICATE_VERIFY_FAILED"):
        guard.post(f"https://other.example.org:{secure.port}/", b"{}", {})
    monkeypatch.setenv("SSL_CERT_FILE", str(_certificate(tmp_path, "nobody.example.com")))
    with pytest.raises(guard.Failed, match="CERTIFICATE_VERIFY_FAILED"):
        guard.post(f"https://{HOST}:{secure.port}/", b"{}", {})
    assert secure.got == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_no_redirect_leads_to_a_closed_machine(secure: Receiver, canary: Canary, status: int, scheme: str) -> None:
    secure.status, secure.headers = status, {"Location": f"{scheme}://127.0.0.1:{canary.port}/"}
    assert guard.post(f"https://{HOST}:{secure.port}/", b"{}", {}).status == status
    assert canary.knocks == 0 and len(secure.got) == 1


def test_proxies_of_the_environment_are_not_asked(
    secure: Receiver, canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{canary.port}")
    assert guard.post(f"https://{HOST}:{secure.port}/", b"{}", {}).status == 204
    assert canary.knocks == 0


def test_a_host_that_moves_between_two_calls_is_checked_each_time(
    secure: Receiver, canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rebinding: open when it was made, loopback when it is called."""
    url = f"https://{HOST}:{secure.port}/"
    assert guard.post(url, b"{}", {}).status == 204
    moved = socket.getaddrinfo
    for answers in (["127.0.0.1"], [ADDRESS, "127.0.0.1"], ["127.0.0.1", ADDRESS], ["::1"], ["169.254.169.254"]):
        found = [info for address in answers for info in moved(address, canary.port, type=socket.SOCK_STREAM)]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *args, known=found, **options: known)
        with pytest.raises(guard.Refused):
            guard.post(url, b"{}", {})
    assert canary.knocks == 0 and len(secure.got) == 1


class Dripper:
    """Takes a connection and sends a byte now and then, for a long time."""

    def __init__(self, first: bytes, tls: ssl.SSLContext | None) -> None:
        self.wire = socket.create_server((ADDRESS, 0))
        self.port, self.stop = self.wire.getsockname()[1], threading.Event()
        self.first, self.tls, self.sent = first, tls, 0
        self.thread = threading.Thread(target=self._drip)
        self.thread.start()

    def _drip(self) -> None:
        visitor, _ = self.wire.accept()
        try:
            if self.tls is not None:
                visitor = self.tls.wrap_socket(visitor, server_side=True)
                visitor.recv(4096)
                visitor.sendall(self.first)
            while self.sent < PATIENCE and not self.stop.wait(0.05):
                visitor.sendall(b"x")
                self.sent += 1
        except OSError:
            pass
        visitor.close()

    def close(self) -> None:
        self.stop.set()
        self.thread.join()
        self.wire.close()


@pytest.mark.parametrize(
    "first", [b"HTTP/1.1 200 OK\r\nX-Long: ", b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 100 Continue\r\n"]
)
def test_a_receiver_that_drips_bytes_is_cut_off(first: bytes, world: Path, settings: Any) -> None:
    settings.WEBHOOK_SECONDS = 0.4
    dripper = Dripper(first, _context(world))
    with contextlib.suppress(guard.Failed):
        guard.post(f"https://{HOST}:{dripper.port}/", b"{}", {})
    dripper.close()
    assert dripper.sent < PATIENCE, "the line was cut, not the dripper's patience"


def test_even_a_handshake_that_drips_is_cut_off(world: Path, settings: Any) -> None:
    settings.WEBHOOK_SECONDS = 0.4
    dripper = Dripper(b"", None)
    with pytest.raises(guard.Failed):
        guard.post(f"https://{HOST}:{dripper.port}/", b"{}", {})
    dripper.close()
    assert dripper.sent < PATIENCE


def test_a_big_answer_is_not_kept(world: Path) -> None:
    """Sixteen kilobytes are read; whoever sends more talks to a closed line."""
    sent: list[int] = []
    listener = socket.create_server((ADDRESS, 0))

    def flood() -> None:
        visitor, _ = listener.accept()
        line = _context(world).wrap_socket(visitor, server_side=True)
        line.recv(4096)
        try:
            line.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            for _ in range(4000):
                line.sendall(b"x" * 16_384)
                sent.append(16_384)
        except OSError:
            pass

    thread = threading.Thread(target=flood)
    thread.start()
    assert guard.post(f"https://{HOST}:{listener.getsockname()[1]}/", b"{}", {}).status == 200
    thread.join()
    listener.close()
    assert sum(sent) < 16_384 * 4000, "the line was closed long before the end"


def test_the_second_address_is_tried_when_the_first_is_dead(secure: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    honest = guard.connect

    def dial(address: str, port: int, seconds: float) -> socket.socket:
        tried.append(address)
        return honest(address, port, seconds)

    monkeypatch.setattr(guard, "resolve", lambda host, port: ["127.0.0.3", ADDRESS])
    monkeypatch.setattr(guard, "public_address", lambda text: text in ("127.0.0.3", ADDRESS))
    monkeypatch.setattr(guard, "connect", dial)
    assert guard.post(f"https://{HOST}:{secure.port}/", b"{}", {}).status == 204
    assert tried == ["127.0.0.3", ADDRESS]


def test_stalled_lookups_do_not_stop_the_others(secure: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dozen names whose servers never answer; a call of another name goes through at once."""
    monkeypatch.setattr(guard, "DNS_SECONDS", 0.3)
    quick, gate = socket.getaddrinfo, threading.Event()

    def lookup(host: str, *args: Any, **options: Any) -> Any:
        if host.startswith("stalled"):
            gate.wait(30)
        return quick(host, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    failures: list[str] = []

    def stalled(number: int) -> None:
        try:
            guard.post(f"https://stalled{number}.example.org/", b"{}", {})
        except guard.Failed as error:
            failures.append(str(error))

    threads = [threading.Thread(target=stalled, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    time.sleep(0.05)
    assert guard.post(f"https://{HOST}:{secure.port}/", b"{}", {}).status == 204
    for thread in threads:
        thread.join()
    gate.set()
    assert len(failures) == 12 and all("could not be looked up in 0.3 seconds" in why for why in failures)

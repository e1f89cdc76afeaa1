"""The only way out for webhooks: to public addresses, checked and then held on to, once and not for long."""

import http.client
import socket
import ssl
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from urllib.parse import urlsplit

from django.conf import settings

from games.ledger.webhooks import public_address, url_problem

MOST_BYTES = 16_384
DNS_SECONDS = 3
CONNECT_SECONDS = 5
MOST_ADDRESSES = 4  # of one host that are tried in turn
_resolvers = ThreadPoolExecutor(max_workers=64, thread_name_prefix="resolve")  # a stalled one is not got back


class Refused(Exception):
    """The address may not be called, now or ever."""


class Failed(Exception):
    """The call did not get through."""


class Answer:
    """What the receiver said."""

    def __init__(self, status: int, retry_after: str, seconds: float) -> None:
        self.status, self.retry_after, self.seconds = status, retry_after, seconds


def resolve(host: str, port: int) -> list[str]:
    """Every address of a host, within a few seconds."""
    work = _resolvers.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        return list(dict.fromkeys(str(found[4][0]) for found in work.result(DNS_SECONDS)))
    except TooSlow:
        work.cancel()
        raise Failed(f"{host} could not be looked up in {DNS_SECONDS} seconds") from None
    except (OSError, UnicodeError) as error:
        raise Failed(f"{host} could not be looked up: {error}") from None


def checked_addresses(url: str) -> tuple[list[str], str, int]:
    """The addresses that may be called; if any address of the host is not public, none is."""
    problem = url_problem(url)
    if problem:
        raise Refused(problem)
    parts = urlsplit(url)
    host = str(parts.hostname)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    found = resolve(host, port)
    closed = [address for address in found if not public_address(address)]
    if not found or (closed and not settings.WEBHOOK_INSECURE):
        raise Refused(f"{host} is not (only) on public addresses")
    return found[:MOST_ADDRESSES], host, port


def connect(address: str, port: int, seconds: float) -> socket.socket:
    """To an address that was checked; the name is not looked up again."""
    return socket.create_connection((address, port), seconds)


def _first(addresses: list[str], port: int, until: float) -> socket.socket:
    """A connection to the first address that takes one."""
    why = ""
    for address in addresses:
        left = until - time.monotonic()
        if left <= 0:
            break
        try:
            return connect(address, port, min(CONNECT_SECONDS, left))
        except OSError as error:
            why = str(error)
    raise Failed(f"no connection: {why or 'too slow'}")


class Line:
    """A connection that is cut when its time is up, whatever it is doing: a receiver may drip bytes."""

    def __init__(self, wire: socket.socket, seconds: float) -> None:
        self.wire = wire
        self.clock = threading.Timer(seconds, self._cut)
        self.clock.daemon = True
        self.clock.start()

    def secure(self, host: str) -> None:
        """TLS. The wrapped socket is known before it shakes hands, so that even that can be cut."""
        context = ssl.create_default_context()
        self.wire = context.wrap_socket(self.wire, server_hostname=host, do_handshake_on_connect=False)
        self.wire.do_handshake()

    def _cut(self) -> None:
        try:
            socket.socket.shutdown(self.wire, socket.SHUT_RDWR)
        except OSError:
            return

    def close(self) -> None:
        self.clock.cancel()
        self.wire.close()


def post(url: str, body: bytes, headers: dict[str, str]) -> Answer:
    """One POST. No redirects, no proxies, no cookies; the answer's body is not kept."""
    started = time.monotonic()
    limit = settings.WEBHOOK_SECONDS
    addresses, host, port = checked_addresses(url)
    parts = urlsplit(url)
    line = Line(_first(addresses, port, started + limit), max(0.0, started + limit - time.monotonic()))
    try:
        if parts.scheme == "https":
            line.secure(host)
        talk = http.client.HTTPConnection(host, port, timeout=limit)
        talk.sock = line.wire
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        talk.request("POST", path, body, {"Host": parts.netloc, **headers})
        answer = talk.getresponse()
        answer.read(MOST_BYTES)
        return Answer(answer.status, answer.headers.get("Retry-After", ""), time.monotonic() - started)
    except (OSError, http.client.HTTPException, ValueError) as error:
        late = time.monotonic() - started >= limit
        raise Failed(f"no answer in {limit} seconds" if late else f"{type(error).__name__}: {error}") from None
    finally:
        line.close()

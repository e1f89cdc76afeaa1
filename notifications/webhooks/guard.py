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
_resolvers = ThreadPoolExecutor(max_workers=8, thread_name_prefix="resolve")


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
        return [str(found[4][0]) for found in work.result(DNS_SECONDS)]
    except TooSlow:
        work.cancel()
        raise Failed(f"{host} could not be looked up in {DNS_SECONDS} seconds") from None
    except (OSError, UnicodeError) as error:
        raise Failed(f"{host} could not be looked up: {error}") from None


def chosen_address(url: str) -> tuple[str, str, int]:
    """The one address that will be called; if any address of the host is not public, none is."""
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
    return found[0], host, port


def connect(address: str, port: int, seconds: float) -> socket.socket:
    """To the address that was checked; the name is not looked up again."""
    return socket.create_connection((address, port), seconds)


def post(url: str, body: bytes, headers: dict[str, str]) -> Answer:
    """One POST. No redirects, no proxies, no cookies; the answer's body is not kept."""
    started = time.monotonic()
    address, host, port = chosen_address(url)
    parts = urlsplit(url)
    limit = settings.WEBHOOK_SECONDS
    try:
        wire = connect(address, port, min(5, limit))
    except OSError as error:
        raise Failed(f"no connection: {error}") from None
    clock = threading.Timer(limit, _cut, [wire])  # a receiver that drips bytes does not hold us
    clock.daemon = True
    clock.start()
    try:
        if parts.scheme == "https":
            wire = ssl.create_default_context().wrap_socket(wire, server_hostname=host)
        talk = http.client.HTTPConnection(host, port, timeout=limit)
        talk.sock = wire
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        talk.request("POST", path, body, headers)
        answer = talk.getresponse()
        answer.read(MOST_BYTES)
        return Answer(answer.status, answer.headers.get("Retry-After", ""), time.monotonic() - started)
    except (OSError, http.client.HTTPException, ValueError) as error:
        late = time.monotonic() - started >= limit
        raise Failed(f"no answer in {limit} seconds" if late else f"{type(error).__name__}: {error}") from None
    finally:
        clock.cancel()
        wire.close()


def _cut(wire: socket.socket) -> None:
    try:
        wire.shutdown(socket.SHUT_RDWR)
    except OSError:
        return

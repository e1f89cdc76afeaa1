"""Asking the domain name system. Every question is capped in time, and `away` is not the same as `none`."""

import time
from functools import lru_cache
from typing import Any

import dns.exception
import dns.name
import dns.resolver
from django.conf import settings

SECONDS = 4.0  # for one question
SECONDS_A_MAIL = 15.0  # for all questions about one mail


class Away(Exception):
    """Nobody answered in time, or the answer was that it cannot be said now."""


class Names:
    """Questions about one mail. Remembers whether any went unanswered."""

    def __init__(self) -> None:
        self.until = time.monotonic() + SECONDS_A_MAIL
        self.away = False

    def ask(self, name: str, kind: str) -> list[Any]:
        """The records of a name; none is an empty list. Raises Away."""
        left = self.until - time.monotonic()
        try:
            if left <= 0:
                raise Away("no time left")
            return _ask(name, kind, min(SECONDS, left))
        except Away:
            self.away = True
            raise

    def text(self, name: str) -> list[bytes]:
        """TXT records, each in one piece."""
        return [b"".join(record.strings) for record in self.ask(name, "TXT")]


def _ask(name: str, kind: str, seconds: float) -> list[Any]:
    try:
        answer = _resolver(tuple(settings.MAIL_DNS)).resolve(
            name.rstrip(".") + ".", kind, lifetime=seconds, search=False, raise_on_no_answer=False
        )
        return list(answer.rrset or [])
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.name.LabelTooLong, dns.name.NameTooLong, dns.name.EmptyLabel, dns.name.BadEscape, UnicodeError):
        return []  # no such name can exist
    except (dns.exception.DNSException, OSError) as error:
        raise Away(f"{type(error).__name__}") from error


@lru_cache(maxsize=8)
def _resolver(servers: tuple[str, ...]) -> dns.resolver.Resolver:
    """The machine's own resolver, or the servers that were set, as `address` or `address:port`."""
    if not servers:
        found = dns.resolver.Resolver()
    else:
        found = dns.resolver.Resolver(configure=False)
        pairs = [server.rpartition(":") if server.count(":") == 1 else (server, "", "53") for server in servers]
        found.nameservers = [address for address, _, _ in pairs]
        found.nameserver_ports = {address: int(port) for address, _, port in pairs}
    found.cache = dns.resolver.LRUCache(2_000)
    return found

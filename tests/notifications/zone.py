"""A name server on loopback with a zone of its own, keys for its domains, and mail signed and sealed with them."""

import base64
import socket
import threading
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import dkim
import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

HOME_IP, EVIL_IP, FORWARD_IP = "192.0.2.25", "198.51.100.66", "203.0.113.9"
DOMAINS = ("example.org", "evil.example", "forward.example", "shady.example", "strict.example")


@lru_cache
def key_of(domain: str) -> tuple[bytes, str]:
    """The private key, and the TXT record of the public one. Small, as these are tests."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private, f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}"


def records() -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for domain in DOMAINS:
        found[f"s1._domainkey.{domain}", "TXT"] = [f'"{key_of(domain)[1]}"']
    found["example.org", "TXT"] = [f'"v=spf1 ip4:{HOME_IP} ip4:127.0.0.1 -all"']
    found["evil.example", "TXT"] = [f'"v=spf1 ip4:{EVIL_IP} -all"']
    found["forward.example", "TXT"] = [f'"v=spf1 ip4:{FORWARD_IP} -all"']
    found["strict.example", "TXT"] = [f'"v=spf1 ip4:{HOME_IP} -all"']
    found["mail.strict.example", "TXT"] = [f'"v=spf1 ip4:{HOME_IP} -all"']
    found["_dmarc.example.org", "TXT"] = ['"v=DMARC1; p=reject"']
    found["_dmarc.strict.example", "TXT"] = ['"v=DMARC1; p=quarantine; adkim=s; aspf=s"']
    return found


class NameServer(threading.Thread):
    """Answers over UDP from its zone; `silent` answers nothing, `broken` says it cannot."""

    def __init__(self, zone: dict[tuple[str, str], list[str]] | None = None) -> None:
        super().__init__(daemon=True)
        self.zone = records() if zone is None else zone
        self.silent = self.broken = False
        self.asked = 0
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"

    def run(self) -> None:
        while True:
            try:
                wire, client = self.socket.recvfrom(4096)
            except OSError:
                return
            self.asked += 1
            if not self.silent:
                self.socket.sendto(self.answer(dns.message.from_wire(wire)).to_wire(), client)

    def answer(self, query: dns.message.Message) -> dns.message.Message:
        said = dns.message.make_response(query)
        said.flags |= dns.flags.RA
        question = query.question[0]
        name, kind = question.name.to_text(True).lower(), dns.rdatatype.to_text(question.rdtype)
        if self.broken:
            said.set_rcode(dns.rcode.SERVFAIL)
        elif (name, kind) in self.zone:
            texts = [" ".join(_pieces(text)) if kind == "TXT" else text for text in self.zone[name, kind]]
            said.answer.append(dns.rrset.from_text(question.name, 300, "IN", kind, *texts))
        elif not any(known == name for known, _ in self.zone):
            said.set_rcode(dns.rcode.NXDOMAIN)
        return said

    def stop(self) -> None:
        self.socket.close()


def _pieces(text: str) -> list[str]:
    bare = text.strip('"')
    return [f'"{bare[index : index + 200]}"' for index in range(0, len(bare), 200)]


# --- signing -----------------------------------------------------------------------------------------------

SIGNED = [b"from", b"to", b"cc", b"subject", b"message-id", b"content-type"]


def signed(raw: bytes, domain: str, headers: list[bytes] | None = None, length: bool = False) -> bytes:
    present = [name for name in headers or SIGNED if b"\r\n" + name + b":" in b"\r\n" + raw.lower()]
    value = dkim.sign(
        raw, b"s1", domain.encode(), key_of(domain)[0], canonicalize=(b"relaxed", b"relaxed"),
        include_headers=present, length=length,
    )  # fmt: skip
    return bytes(value) + raw


class _Results:
    """What dkimpy needs to know of the results a forwarder wrote: it wants a library for it that we do not have."""

    def __init__(self, authserv_id: str, results: list[Any]) -> None:
        self.authserv_id, self.results = authserv_id, results

    @classmethod
    def parse(cls, header: str) -> "_Results":
        server, *checks = [part.strip() for part in header.partition(":")[2].split(";")]
        return cls(server, [_Check(check) for check in checks if check])


class _Check:
    def __init__(self, text: str) -> None:
        self.text = text
        self.method, _, rest = text.partition("=")
        self.result = rest.split()[0]

    def __str__(self) -> str:
        return self.text


dkim.authres = SimpleNamespace(AuthenticationResultsHeader=_Results, core=SimpleNamespace(SyntaxError=ValueError))


def sealed(raw: bytes, domain: str, checks: str) -> bytes:
    """The mail with one more link of an ARC chain, as a forwarder would seal it."""
    stamped = f"Authentication-Results: {domain}; {checks}\r\n".encode() + raw
    headers = dkim.arc_sign(
        stamped, b"s1", domain.encode(), key_of(domain)[0], domain.encode(), include_headers=SIGNED[:4]
    )
    return b"".join(headers) + stamped

"""Authentication-Results (RFC 8601): what a receiver says it checked, and which domains belong together."""

import re

import msgspec
import publicsuffix2

_METHOD = re.compile(r"^\s*([a-z][a-z0-9-]*)(?:/\d+)?\s*=\s*([a-z]+)", re.IGNORECASE)
_PROPERTY = re.compile(r"([a-z][a-z0-9-]*\.[a-z0-9-]+)\s*=\s*(\"(?:[^\"\\]|\\.)*\"|[^\s;\"]+)", re.IGNORECASE)
MOST = 20_000


class Result(msgspec.Struct, frozen=True):
    """One check: `dkim=pass header.d=example.org`."""

    method: str
    result: str
    facts: dict[str, str] = {}

    def domain(self, *names: str) -> str:
        """The domain of the first of these properties; an address counts by its host."""
        value = next((self.facts[name] for name in names if name in self.facts), "")
        return value.rpartition("@")[2].strip("<>. ").lower()


class Results(msgspec.Struct, frozen=True):
    server: str = ""
    checks: tuple[Result, ...] = ()

    def passes(self, domain: str) -> str:
        """What passed for this domain: dmarc, spf or dkim; empty when nothing did."""
        return next((method for method in ("dmarc", "spf", "dkim") if self.passes_by(method, domain)), "")

    def passes_by(self, method: str, domain: str) -> bool:
        found = [check for check in self.checks if check.method == method and check.result == "pass"]
        return any(_fits(check, domain) for check in found)

    def says(self, method: str) -> str:
        return next((check.result for check in self.checks if check.method == method), "")


def _fits(check: Result, domain: str) -> bool:
    match check.method:
        case "dmarc":
            return check.domain("header.from") == domain
        case "dkim":
            return aligned(check.domain("header.d", "header.i"), domain)
        case "spf":
            return aligned(check.domain("smtp.mailfrom", "smtp.envelope-from"), domain)
    return False


def read(value: str) -> Results:
    """The header in parts. Comments hold words of strangers (names, addresses) and are dropped first."""
    pieces = _split(_without_comments(value[:MOST]))
    if not pieces:
        return Results()
    server = next(iter(pieces[0].split()), "").strip('"').lower()
    checks = []
    for piece in pieces[1:]:
        if method := _METHOD.match(piece):
            facts = {name.lower(): _bare(given) for name, given in _PROPERTY.findall(piece[method.end() :])}
            checks.append(Result(method[1].lower(), method[2].lower(), facts))
    return Results(server, tuple(checks))


def _bare(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value


def _without_comments(value: str) -> str:
    """Nested parentheses out; those in a quoted string stay. An open end swallows the rest."""
    out: list[str] = []
    depth, quoted, skip = 0, False, False
    for letter in value:
        if skip:
            skip = False
        elif letter == "\\" and (quoted or depth):
            skip = True
        elif letter == '"' and not depth:
            quoted = not quoted
        elif letter == "(" and not quoted:
            depth += 1
            continue
        elif letter == ")" and not quoted and depth:
            depth -= 1
            out.append(" ")
            continue
        if not depth:
            out.append(letter)
    return "" if quoted else "".join(out)


def _split(value: str) -> list[str]:
    """At semicolons outside quoted strings."""
    return re.findall(r"(?:[^;\"]|\"(?:[^\"\\]|\\.)*\")+", value)


# --- domains -----------------------------------------------------------------------------------------------


def organisation(domain: str) -> str:
    """The registered domain above a name: `mail.example.co.uk` gives `example.co.uk`; empty for a bare suffix."""
    domain = domain.strip(". ").lower()
    found = str(publicsuffix2.get_sld(domain, strict=False) or "") if domain else ""
    suffix = str(publicsuffix2.get_tld(domain, strict=False) or "") if domain else ""
    return "" if not found or found == suffix else found


def aligned(checked: str, domain: str, strict: bool = False) -> bool:
    """Whether a pass of one domain speaks for the other (RFC 7489, 3.1)."""
    checked, domain = checked.strip(". ").lower(), domain.strip(". ").lower()
    if not checked or not domain:
        return False
    if checked == domain:
        return "." in checked
    above = organisation(domain)
    return not strict and bool(above) and organisation(checked) == above

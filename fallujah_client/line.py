"""How the client talks: one answer for each request however often it must be asked for, streams that heal."""

import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import httpx
import msgspec

from fallujah_client.shapes import Event

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
TRIES = 5


class Refused(Exception):
    """The server said no: `code` is for programs, the text for people."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail", "refused"))
        self.problem = problem
        self.code: str = problem.get("code", "")
        self.status: int = problem.get("status", 0)
        self.rule: str = problem.get("rule") or ""
        self.version: int | None = problem.get("version")
        self.nearest: list[str] = problem.get("nearest") or []
        self.lines: list[dict[str, Any]] = problem.get("lines") or []


def does(operation: str) -> Callable[[F], F]:
    """Names the operation of the schema that a method performs; a test holds the two against each other."""

    def mark(method: F) -> F:
        method.operation = operation  # type: ignore[attr-defined]
        return method

    return mark


class Line:
    """A connection to one server, with or without a token."""

    def __init__(
        self, server: str, token: str = "", *, timeout: float = 30, transport: httpx.BaseTransport | None = None
    ) -> None:
        base = f"{server.rstrip('/')}/api/v1/"
        self._http = httpx.Client(base_url=base, timeout=timeout, transport=transport)
        if token:
            self.use(token)

    def use(self, token: str) -> None:
        self._http.headers["Authorization"] = f"Token {token}"

    @property
    def token(self) -> str:
        return str(self._http.headers.get("Authorization", "")).removeprefix("Token ")

    def close(self) -> None:
        self._http.close()

    def _get(self, path: str, kind: type[T], **query: Any) -> T:
        return msgspec.json.decode(self._send("GET", path, query).content, type=kind)

    def _raw(self, path: str, **query: Any) -> bytes:
        return self._send("GET", path, query).content

    def _do(
        self,
        method: str,
        path: str,
        kind: type[T],
        *,
        once: bool = True,
        version: int | None = None,
        raw: str | None = None,
        body: dict[str, Any] | None = None,
        **fields: Any,
    ) -> T:
        """A change. With `once` it carries a key of its own and is repeated when its answer is lost."""
        headers = {"If-Match": f'"{version}"'} if version is not None else {}
        if once:
            headers["Idempotency-Key"] = uuid.uuid4().hex
        content = msgspec.json.encode(body or _given(fields)) if raw is None else raw.encode()
        headers["Content-Type"] = "application/json" if raw is None else "application/x-ndjson"
        response = self._send(method, path, {}, headers, content, once)
        return msgspec.json.decode(response.content, type=kind) if response.content else None  # type: ignore[return-value]

    def _send(
        self,
        method: str,
        path: str,
        query: dict[str, Any],
        headers: dict[str, str] | None = None,
        content: bytes | None = None,
        repeat: bool = True,
    ) -> httpx.Response:
        for attempt in range(1, TRIES + 1):
            try:
                response = self._http.request(method, path, params=_given(query), headers=headers, content=content)
            except httpx.TransportError:
                if not repeat or attempt == TRIES:
                    raise
                time.sleep(0.2 * 2**attempt)
                continue
            if response.status_code in (429, 503) and attempt < TRIES:
                time.sleep(min(float(response.headers.get("Retry-After", "1")), 61))
                continue
            return _checked(response)
        raise AssertionError("unreachable")

    def _events(self, path: str, last: str = "", **query: Any) -> Iterator[Event]:
        """Events for ever, or until the server says that there will be no more; cuts are healed."""
        query = _given({**query, "form": "ndjson"})
        while True:
            headers = {"Last-Event-ID": last} if last else {}
            try:
                limits = httpx.Timeout(30, read=60)
                with self._http.stream("GET", path, params=query, headers=headers, timeout=limits) as response:
                    if response.status_code == 204:
                        return
                    if response.status_code >= 400 and response.status_code not in (429, 503):
                        response.read()
                        _checked(response)
                    for line in response.iter_lines() if response.status_code == 200 else ():
                        if not line.strip():
                            continue
                        event = msgspec.json.decode(line, type=Event)
                        last = event.id or last
                        if event.event == "message":
                            query["talk"] = event.data["number"]  # words have numbers of their own
                        if event.event == "end":
                            return
                        yield event
            except (httpx.TransportError, msgspec.DecodeError):
                pass  # cut, perhaps in the middle of a line: come again after the last whole one
            time.sleep(0.2)


def _given(values: dict[str, Any]) -> dict[str, Any]:
    """Without what was not said."""
    return {name: value for name, value in values.items() if value is not None}


def _checked(response: httpx.Response) -> httpx.Response:
    if response.status_code < 400:
        return response
    try:
        problem = response.json()
    except ValueError:
        problem = {"status": response.status_code, "detail": f"The server answered {response.status_code}."}
    raise Refused(problem)

"""The client: one method an operation, refusals as exceptions, streams that come back by themselves."""

import time
import uuid
from collections.abc import Iterator
from typing import Any, TypeVar

import httpx
import msgspec

from fallujah_client.shapes import Decision, Entries, Event, Match, Matches, OrdersResult, View

T = TypeVar("T")
TRIES = 5


class Refused(Exception):
    """The server said no: `code` is for programs, the text for people."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail", "refused"))
        self.problem = problem
        self.code: str = problem.get("code", "")
        self.status: int = problem.get("status", 0)
        self.version: int | None = problem.get("version")
        self.nearest: list[str] = problem.get("nearest", [])


class Client:
    """`Client("http://127.0.0.1:8000", token)`, or without a token and then `login`."""

    def __init__(self, server: str, token: str = "", *, timeout: float = 30) -> None:
        self._http = httpx.Client(base_url=f"{server.rstrip('/')}/api/v1/", timeout=timeout)
        if token:
            self.use(token)

    def use(self, token: str) -> None:
        self._http.headers["Authorization"] = f"Token {token}"

    def close(self) -> None:
        self._http.close()

    # --- people and games --------------------------------------------------------------------------

    def register(self, username: str, email: str, password: str) -> dict[str, Any]:
        return self._call("POST", "register", dict[str, Any], username=username, email=email, password=password)

    def login(self, username: str, password: str) -> str:
        """Get a token and use it from now on."""
        token: str = self._call("POST", "login", dict[str, Any], username=username, password=password)["token"]
        self.use(token)
        return token

    def logout(self) -> None:
        self._call("POST", "logout", type(None))

    def me(self) -> dict[str, Any]:
        return self._call("GET", "me", dict[str, Any])

    def rulesets(self) -> list[dict[str, Any]]:
        return self._call("GET", "rulesets", list[dict[str, Any]])

    # --- matches -----------------------------------------------------------------------------------

    def matches(self, **query: Any) -> Matches:
        return self._call("GET", "matches", Matches, query=query)

    def open(self, ruleset: str, **given: Any) -> Match:
        return self._call("POST", "matches", Match, once=True, ruleset=ruleset, **given)

    def match(self, match_id: int) -> Match:
        return self._call("GET", f"matches/{match_id}", Match)

    def join(self, match_id: int, **given: Any) -> Match:
        return self._call("POST", f"matches/{match_id}/join", Match, once=True, **given)

    def resign(self, match_id: int) -> Match:
        return self._call("POST", f"matches/{match_id}/resign", Match, once=True)

    # --- play --------------------------------------------------------------------------------------

    def view(self, match_id: int, **query: Any) -> View:
        return self._call("GET", f"matches/{match_id}/view", View, query=query)

    def decision(self, match_id: int, **query: Any) -> Decision:
        return self._call("GET", f"matches/{match_id}/decision", Decision, query=query)

    def orders(self, match_id: int, orders: str | list[Any], *, version: int | None = None, **how: Any) -> OrdersResult:
        """Give orders for the version that was looked at. Repeated by itself when the answer is lost."""
        path = f"matches/{match_id}/orders"
        return self._call("POST", path, OrdersResult, once=True, version=version, orders=orders, **how)

    def entries(self, match_id: int, **query: Any) -> Entries:
        return self._call("GET", f"matches/{match_id}/entries", Entries, query=query)

    def take_back(self, match_id: int, count: int = 1, reason: str = "") -> dict[str, Any]:
        path = f"matches/{match_id}/take-back"
        return self._call("POST", path, dict[str, Any], once=True, count=count, reason=reason)

    def board(self, match_id: int, **query: Any) -> str:
        return self._send("GET", f"matches/{match_id}/board.txt", query).text

    def export(self, match_id: int) -> str:
        return self._send("GET", f"matches/{match_id}/export", {}).text

    # --- streams -----------------------------------------------------------------------------------

    def stream(self, match_id: int | None = None, after: int | None = None) -> Iterator[Event]:
        """Events of one match (or of all yours) for ever, or until the match is over; cuts are healed."""
        path = "stream" if match_id is None else f"matches/{match_id}/stream"
        last = "" if after is None else str(after)
        while True:
            headers = {"Last-Event-ID": last} if last else {}
            try:
                timeout = httpx.Timeout(30, read=60)
                with self._http.stream(
                    "GET", path, params={"form": "ndjson"}, headers=headers, timeout=timeout
                ) as response:
                    if response.status_code == 204:
                        return
                    if response.status_code >= 400:
                        response.read()
                        _checked(response)
                    for line in response.iter_lines():
                        if not line:
                            continue
                        event = msgspec.json.decode(line, type=Event)
                        if event.event == "end":
                            return
                        yield event
                        last = event.id
            except httpx.TransportError:
                pass
            time.sleep(0.2)

    # --- sending -----------------------------------------------------------------------------------

    def _call(
        self,
        method: str,
        path: str,
        kind: type[T],
        *,
        query: dict[str, Any] | None = None,
        once: bool = False,
        version: int | None = None,
        **body: Any,
    ) -> T:
        headers = {"If-Match": f'"{version}"'} if version is not None else {}
        if once:
            headers["Idempotency-Key"] = uuid.uuid4().hex
        repeat = once or method == "GET"
        response = self._send(method, path, query or {}, headers, None if method == "GET" else body, repeat)
        if not response.content:
            return None  # type: ignore[return-value]
        return msgspec.json.decode(response.content, type=kind)

    def _send(
        self,
        method: str,
        path: str,
        query: dict[str, Any],
        headers: dict[str, str] | None = None,
        body: dict[str, Any] | None = None,
        repeat: bool = True,
    ) -> httpx.Response:
        """One answer, however often it must be asked for: a repeated write has the same key and one effect."""
        for attempt in range(1, TRIES + 1):
            try:
                response = self._http.request(method, path, params=query, headers=headers, json=body)
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


def _checked(response: httpx.Response) -> httpx.Response:
    if response.status_code < 400:
        return response
    try:
        problem = response.json()
    except ValueError:
        problem = {"status": response.status_code, "detail": f"The server answered {response.status_code}."}
    raise Refused(problem)

"""A reader of streams on a bare socket: cuts anywhere, as slow as one likes."""

import json
import socket
from typing import Any
from urllib.parse import urlsplit


class Reader:
    """One connection. Only events that arrived whole count, as in a browser."""

    def __init__(self, url: str, token: str, last: str = "", *, buffer: int = 0) -> None:
        where = urlsplit(url)
        self.wire = socket.socket()
        if buffer:
            self.wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.wire.settimeout(30)
        self.wire.connect((str(where.hostname), int(where.port or 80)))
        path = where.path + (f"?{where.query}" if where.query else "")
        head = [f"GET {path} HTTP/1.1", f"Host: {where.netloc}", f"Authorization: Token {token}"]
        head += [f"Last-Event-ID: {last}"] if last else []
        self.wire.sendall("\r\n".join([*head, "", ""]).encode())
        self.raw = b""
        self.ended = False

    def read(self, most: int) -> int:
        """Some bytes; 0 when the server has ended the stream."""
        got = self.wire.recv(most)
        self.raw += got
        self.ended = self.ended or not got or self.raw.endswith(b"\r\n0\r\n\r\n")
        return 0 if self.ended else len(got)

    def close(self) -> None:
        self.wire.close()

    def body(self) -> bytes:
        """What has come of the body, out of its chunks."""
        _, _, rest = self.raw.partition(b"\r\n\r\n")
        body = b""
        while rest:
            size, found, rest = rest.partition(b"\r\n")
            if not found or not size:
                break
            body += rest[: int(size, 16)]
            rest = rest[int(size, 16) + 2 :]
        return body

    def events(self) -> list[tuple[str, str, Any]]:
        """Whole events as (name, id, data)."""
        whole = self.body().decode(errors="replace").split("\n\n")[:-1]
        found = []
        for block in whole:
            fields = dict(line.partition(": ")[::2] for line in block.splitlines() if not line.startswith(":"))
            if "data" in fields:
                found.append((fields["event"], fields.get("id", ""), json.loads(fields["data"])))
        return found

    def entries(self) -> list[int]:
        return [int(ident) for name, ident, _ in self.events() if name == "entry"]

"""The least a stream can be: an ASGI application that holds lines open and pushes what it is sent to all of them."""

import asyncio
from typing import Any

waiting: set[asyncio.Queue[bytes]] = set()


async def application(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        return
    if scope["method"] == "POST":
        body = (await receive())["body"]
        for queue in waiting:
            queue.put_nowait(body)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        return
    queue: asyncio.Queue[bytes] = asyncio.Queue()
    waiting.add(queue)
    try:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
        await send({"type": "http.response.body", "body": b"id: 0\nevent: entry\n\n", "more_body": True})
        while True:
            part = await queue.get()
            await send({"type": "http.response.body", "body": part, "more_body": True})
    finally:
        waiting.discard(queue)

"""The queue of files: a message appears whole or not at all.

The transport creates a file and then writes it; a worker that looks in between takes an empty message and dies of it.
"""

import os
import time
import uuid
from typing import Any

from kombu.transport.filesystem import Channel
from kombu.utils.json import dumps


def put_whole(self: Any, queue: str, payload: Any, **_: Any) -> None:
    """Write beside the queue's own names, then rename: that is one step for whoever looks."""
    name = f"{round(time.monotonic() * 1000)}_{uuid.uuid4()}"
    draft = os.path.join(self.data_folder_out, f"{name}.draft")
    with open(draft, "wb") as file:
        file.write(dumps(payload).encode())
    os.rename(draft, os.path.join(self.data_folder_out, f"{name}.{queue}.msg"))


def install() -> None:
    Channel._put = put_whole  # type: ignore[method-assign]

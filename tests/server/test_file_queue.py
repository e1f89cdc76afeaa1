"""A message of the file queue is whole whenever somebody sees it."""

import json
import os
import threading
from pathlib import Path
from types import SimpleNamespace

from kombu.transport.filesystem import Channel

import fallujah_server.celery  # noqa: F401 - puts the queue right
from fallujah_server.file_queue import put_whole


def test_no_reader_sees_half_a_message(tmp_path: Path) -> None:
    assert Channel._put is put_whole
    channel = SimpleNamespace(data_folder_out=str(tmp_path))
    seen: list[str] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            for name in os.listdir(tmp_path):
                if name.partition(".")[2] == "people.msg":
                    seen.append(json.loads((tmp_path / name).read_text())["body"])
                    os.remove(tmp_path / name)

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(300):
        put_whole(channel, "people", {"body": f"{number}" * 500})
    while os.listdir(tmp_path) and reader.is_alive():
        pass
    done.set()
    reader.join()
    assert sorted(seen) == sorted(f"{number}" * 500 for number in range(300))

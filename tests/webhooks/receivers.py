"""Programs that are called: they keep what they got and answer as told."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Receiver:
    def __init__(self, host: str = "127.0.0.1", tls: Any = None) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status, self.pause = 204, 0.0
        self.headers: dict[str, str] = {}
        self.hold = threading.Event()  # while it is cleared, calls hang
        self.hold.set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append(({key.lower(): value for key, value in self.headers.items()}, body))
                receiver.hold.wait(600)
                time.sleep(receiver.pause)
                self.send_response(receiver.status)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                return

        class Server(ThreadingHTTPServer):
            request_queue_size = 128
            daemon_threads = True

            def handle_error(self, *args: Any) -> None:
                return  # whoever called has hung up

        self.server = Server((host, 0), Handler)
        if tls is not None:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()
        self.port = self.server.server_port
        self.url = f"http://{host}:{self.port}/hook"

    def close(self) -> None:
        self.hold.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

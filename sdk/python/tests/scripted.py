"""A real HTTP server with scripted responses."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Asked:
    """A received request. `headers` have lower-case names."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body) if self.body else None


#: Status, body (JSON or bytes), and headers.
Told = tuple[int, Any] | tuple[int, Any, dict[str, str]]


class Scripted:
    """Calls `answer` for every request, in one thread at a time."""

    def __init__(self, answer: Callable[[Asked], Told]) -> None:
        self.requests: list[Asked] = []
        self._heard = threading.Condition()
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                asked = Asked(self.command, self.path, headers, body)
                with scripted._heard:
                    scripted.requests.append(asked)
                    status, told, *more = answer(asked)
                    scripted._heard.notify_all()
                raw = told if isinstance(told, bytes) else json.dumps(told).encode()
                if status == 0:
                    self.close_connection = True
                    return
                self.send_response(status)
                for name, value in (more[0] if more else {}).items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)
                # Closes silently, like a server after its idle timeout.
                self.close_connection = bool(more and "x-hangs-up" in more[0])

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    def wait_for(self, holds: Callable[[list[Asked]], bool], seconds: float = 10.0) -> None:
        """Waits until the requests so far satisfy a condition."""
        with self._heard:
            if not self._heard.wait_for(lambda: holds(self.requests), seconds):
                raise AssertionError(f"not asked: {[(one.method, one.path, one.body) for one in self.requests]}")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

"""The bot's own HTTP server, and a WSGI application for other servers."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .engine import log
from .connectors import Connector
from .receiver import Reply, Request

#: Returns the response to a request.
Answer = Callable[[Request], Reply]
#: Maximum size of a body. Tieline sends less.
_MAX_BYTES = 1024 * 1024


class HttpServer(Connector):
    """Serves requests of any method and path."""

    def __init__(self, answer: Answer, host: str, port: int) -> None:
        self._is_closing = False
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 30

            def handle_one(self) -> None:
                try:
                    length, refusal = _length_of(
                        self.headers.get_all("content-length") or (), "transfer-encoding" in self.headers
                    )
                    if refusal is not None:
                        self.close_connection = True
                        self._answer(refusal)
                        return
                    body = self.rfile.read(length)
                    # Tieline retries and reaches the next process of this bot, if there is one.
                    closed = Reply(503, headers={"connection": "close"})
                    given = dict(self.headers.items())
                    request = Request(self.command, self.path, given, body)
                    self._answer(closed if server._is_closing else answer(request))
                except Exception:
                    log.exception("could not receive a request")
                    self.close_connection = True

            do_POST = do_GET = do_PUT = do_PATCH = do_DELETE = handle_one

            def _answer(self, reply: Reply) -> None:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

            def log_message(self, format: str, *args: Any) -> None:
                log.debug(format, *args)

        self._server = ThreadingHTTPServer((host, port), Handler)
        self._server.daemon_threads = True
        # Idle connections would delay the end.
        self._server.block_on_close = False
        self._thread = threading.Thread(target=self._server.serve_forever, name="tieline server", daemon=True)

    @property
    def port(self) -> int:
        """Port of the server."""
        return int(self._server.server_address[1])

    def start(self) -> None:
        self._thread.start()
        log.info("listening on port %s", self.port)

    def close(self) -> None:
        self._is_closing = True

    def end(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _length_of(lengths: Sequence[str], is_encoded: bool) -> tuple[int, Reply | None]:
    """
    Returns the length of the body, or the response of a rejected request. A body whose length is
    not one plain number is rejected, because a proxy in front could read the end of the request
    differently.
    """
    closed = {"connection": "close"}
    if is_encoded:
        return 0, Reply(411, headers=closed)
    if len(set(lengths)) > 1 or not all(re.fullmatch(r"[0-9]{1,15}", one, re.ASCII) for one in lengths):
        return 0, Reply(400, headers=closed)
    length = int(lengths[0]) if lengths else 0
    return (length, None) if length <= _MAX_BYTES else (0, Reply(413, headers=closed))


Start = Callable[[str, list[tuple[str, str]]], Any]


def wsgi(answer: Answer) -> Callable[[Mapping[str, Any], Start], Iterable[bytes]]:
    """Returns a WSGI application (for Flask, Django and others)."""

    def application(environ: Mapping[str, Any], start_response: Start) -> Iterable[bytes]:
        given = environ.get("CONTENT_LENGTH")
        # A server that has decoded the body marks its end. Read no more than the limit.
        is_encoded = "HTTP_TRANSFER_ENCODING" in environ and not environ.get("wsgi.input_terminated")
        length, refusal = _length_of([given] if given else (), is_encoded)
        if refusal is not None:
            reply = refusal
        else:
            body = environ["wsgi.input"].read(length)
            reply = answer(Request(environ["REQUEST_METHOD"], _path(environ), _headers(environ), body))
        phrase = f"{reply.status} {HTTPStatus(reply.status).phrase}"
        start_response(phrase, [*reply.headers.items(), ("content-length", str(len(reply.body)))])
        return [reply.body]

    return application


def _path(environ: Mapping[str, Any]) -> str:
    query = environ.get("QUERY_STRING")
    path = f"{environ.get('SCRIPT_NAME', '')}{environ.get('PATH_INFO', '')}"
    return f"{path}?{query}" if query else path


def _headers(environ: Mapping[str, Any]) -> dict[str, str]:
    return {
        name[5:].replace("_", "-").lower(): str(value) for name, value in environ.items() if name.startswith("HTTP_")
    }

"""HTTP with reused connections. The client handles retries."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

from .errors import TielineError

_IDLE_SECONDS = 4.0
_SPARE_CONNECTIONS = 8


@dataclass(frozen=True)
class Answer:
    """A complete response. `headers` have lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """
    Connections to one origin. Thread-safe. Redirects are not followed, because they could leak the
    token.
    """

    def __init__(self, url: str, context: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"not an http(s) address: {url}")
        self.scheme, self.host, self.port = parts.scheme, parts.hostname, parts.port
        #: Prefix of every path, for a server behind a prefix.
        self.prefix = parts.path.rstrip("/")
        self.context = context or (ssl.create_default_context() if parts.scheme == "https" else None)
        self._lock = threading.Lock()
        self._spare: list[tuple[float, HTTPConnection]] = []
        self._keeps = True

    def send(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None, timeout: float, fresh: bool
    ) -> Answer:
        """
        Sends a request and reads the whole response. `fresh`: uses a new connection, because an
        idle one may be closing and then it is unknown whether the request arrived.

        :raises TielineError: with status 0 without a complete response within `timeout` seconds
            between two bytes
        """
        connection = self.connect(timeout) if fresh else self._take(timeout)
        try:
            response = self.exchange(connection, method, path, headers, body)
            answer = Answer(response.status, lower(response), response.read())
        except (OSError, HTTPException) as error:
            connection.close()
            raise no_response(error) from error
        except BaseException:
            connection.close()
            raise
        self._give_back(connection, response)
        return answer

    def exchange(
        self, connection: HTTPConnection, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> HTTPResponse:
        """Sends a request and returns the response before its body, for streams."""
        connection.request(method, self.prefix + path, body=body, headers=dict(headers))
        return connection.getresponse()

    def connect(self, timeout: float) -> HTTPConnection:
        """Creates a connection without opening it."""
        if self.scheme == "https":
            return HTTPSConnection(self.host, self.port, timeout=timeout, context=self.context)
        return HTTPConnection(self.host, self.port, timeout=timeout)

    def close(self) -> None:
        """Closes idle connections and reuses none from now on."""
        with self._lock:
            self._keeps = False
            spare, self._spare = self._spare, []
        for _, connection in spare:
            connection.close()

    def _take(self, timeout: float) -> HTTPConnection:
        young = time.monotonic() - _IDLE_SECONDS
        with self._lock:
            old = [kept for at, kept in self._spare if at < young]
            self._spare = [pair for pair in self._spare if pair[0] >= young]
            kept = self._spare.pop()[1] if self._spare else None
        for connection in old:
            connection.close()
        if kept is None:
            return self.connect(timeout)
        kept.timeout = timeout
        if kept.sock is not None:
            kept.sock.settimeout(timeout)
        return kept

    def _give_back(self, connection: HTTPConnection, response: HTTPResponse) -> None:
        with self._lock:
            if self._keeps and not response.will_close and len(self._spare) < _SPARE_CONNECTIONS:
                self._spare.append((time.monotonic(), connection))
                return
        connection.close()


def no_response(error: Exception) -> TielineError:
    """Returns the error for a failed connection or a late response."""
    if isinstance(error, TimeoutError):
        return TielineError("no response in time", code="timeout")
    return TielineError(f"no response ({str(error) or type(error).__name__})", code="network_error")


def lower(response: HTTPResponse) -> Mapping[str, str]:
    """Returns the headers of a response with lower-case names."""
    return {name.lower(): value for name, value in response.getheaders()}

"""Server-sent events that resume after a broken connection."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import TYPE_CHECKING, Self

from .errors import TielineError
from .retries import pause_before
from .surface import Json

if TYPE_CHECKING:
    from .client import Client

#: A connection without data for two and a half intervals of `:ping` is considered dead.
SILENCE_SECONDS = 75.0
_REMEMBERED = 1000


class Stream:
    """
    Iterates over the bot's direct messages without end, each once. `close` ends it from any thread.
    """

    def __init__(self, client: Client, last_event_id: str = "") -> None:
        self._client = client
        #: Id of the last event returned, to resume from.
        self.last_event_id = last_event_id
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._closed = threading.Event()
        self._connection: HTTPConnection | None = None

    def __iter__(self) -> Iterator[Json]:
        failures = 0
        while not self._closed.is_set():
            try:
                for event in self._read():
                    failures = 0
                    yield event
            except TielineError as error:
                if not error.is_outage or self._closed.is_set():
                    raise
            except (OSError, HTTPException, ValueError):
                pass  # reconnect
            failures += 1
            self._closed.wait(pause_before(failures + 1, None))

    def close(self) -> None:
        """Ends the iteration, even while it waits."""
        self._closed.set()
        connection = self._connection
        if connection is not None and connection.sock is not None:
            try:
                connection.sock.shutdown(2)
            except OSError:
                pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> Iterator[Json]:
        transport = self._client.transport
        headers = {"accept": "text/event-stream", **self._client.authorization}
        if self.last_event_id:
            headers["last-event-id"] = self.last_event_id
        connection = self._connection = transport.connect(SILENCE_SECONDS)
        try:
            response = transport.exchange(connection, "GET", "/api/v1/bot/stream", headers, None)
            if response.status != 200:
                raise TielineError(f"GET /api/v1/bot/stream: {response.status}", status=response.status)
            yield from self._events(response)
        finally:
            self._connection = None
            connection.close()

    def _events(self, response: HTTPResponse) -> Iterator[Json]:
        identifier = ""
        for raw in response:
            line = raw.decode("utf-8").rstrip("\r\n")
            if line.startswith("id:"):
                identifier = line[3:].strip()
            elif line.startswith("data:"):
                event: Json = json.loads(line[5:])
                if self._is_new(str(event.get("message_id", ""))):
                    yield event
                # Only now, so that an unfinished event is sent again.
                self.last_event_id = identifier or self.last_event_id

    def _is_new(self, message_id: str) -> bool:
        if not message_id:
            return True
        if message_id in self._seen:
            return False
        self._seen[message_id] = None
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return True

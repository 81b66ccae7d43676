"""
Receives the bot's events, clicks and commands over a socket (docs/socket.md). Also used by `Bot`.
"""

from __future__ import annotations

import json
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from .errors import TielineError
from .retries import pause_before
from .surface import Json
from .websocket import ConnectionClosed, WebSocket

if TYPE_CHECKING:
    from .client import Client

_PATH = "/api/v1/bot/socket"
#: A connection without data for three intervals of the server's pings is considered dead.
_SILENCE = 45.0
_ENVELOPES = ("event", "interaction", "command", "options")
#: Number of acknowledged envelopes to remember, in case they are delivered again.
_MAX_REMEMBERED = 2000
#: How long to wait for the server's confirmation. Servers of versions before `later` send none.
_CONFIRM_WITHIN = 2.0

Answer = Mapping[str, Any]


@dataclass(frozen=True)
class Envelope:
    """An envelope received over the socket."""

    #: `event`, `interaction`, `command` or `options`.
    type: str
    envelope_id: str
    #: 1 for the first delivery, more for repeats.
    attempt: int
    payload: dict[str, Any]
    _reader: SocketReader = field(repr=False)

    def ack(self, answer: Answer | None = None) -> None:
        """
        Acknowledges the envelope. For a click, form, command or request for options, includes the
        answer to the person, who waits up to three seconds. Sent over the current connection or the
        next one. Only the first call counts.
        """
        self._reader.acknowledge(self.envelope_id, answer)

    def later(self, answer: Answer | None = None) -> None:
        """
        Answers the person now, or shows that the answer comes later, without acknowledging the
        envelope: until `ack` it is delivered again if the program dies. Returns when the server has
        confirmed it, or after two seconds.
        """
        self._reader.tell(self.envelope_id, answer)


class _SentReplies:
    """The replies sent for an envelope, as texts."""

    def __init__(self) -> None:
        self.later: str | None = None
        self.ack: str | None = None
        self.told = threading.Event()


class SocketReader:
    """
    Keeps one socket open. An envelope that is delivered again because its acknowledgement was lost
    is acknowledged again and not passed on twice.

    :param take: called with each envelope by the reading thread
    :param on_open: called when a connection is established
    :param on_trouble: called with each failure that will be retried
    :param on_refused_answer: called when an answer was rejected
    """

    def __init__(
        self,
        client: Client,
        take: Callable[[Envelope], None],
        *,
        on_open: Callable[[], None] = lambda: None,
        on_trouble: Callable[[Exception], None] = lambda error: None,
        on_refused_answer: Callable[[Json], None] = lambda refusal: None,
    ) -> None:
        self._client, self._take = client, take
        self._on_open, self._on_trouble, self._on_refused_answer = on_open, on_trouble, on_refused_answer
        self._closing = threading.Event()
        self._socket: WebSocket | None = None
        self._lock = threading.Lock()
        self._known: OrderedDict[str, _SentReplies] = OrderedDict()

    def run(self) -> None:
        """
        Reads until `close`.

        :raises TielineError: when retrying does not help: a revoked token (401), an inactive space
            (403), another mode (409)
        """
        failures = 0
        while not self._closing.is_set():
            asked: float | None = None
            try:
                socket = WebSocket.connect(self._client.transport, _PATH, self._client.authorization, _SILENCE)
                self._socket = socket
                try:
                    while True:
                        self._receive(json.loads(socket.receive()))
                        failures = 0
                finally:
                    self._socket = None
                    socket.dispose()
            except (ConnectionClosed, ValueError) as over:
                self._report_trouble(over)
            except TielineError as error:
                if error.is_refusal:
                    raise
                self._report_trouble(error)
                asked = error.retry_after
            failures += 1
            self._closing.wait(pause_before(failures + 1, asked))

    def close(self) -> None:
        """
        Accepts nothing new, which is delivered to another socket. Envelopes already received may
        still be acknowledged.
        """
        self._closing.set()

    def end(self) -> None:
        """Closes the socket."""
        self._closing.set()
        socket = self._socket
        if socket is not None:
            socket.close()

    def acknowledge(self, envelope_id: str, answer: Answer | None) -> None:
        """See `Envelope.ack`."""
        with self._lock:
            said = self._known.get(envelope_id)
            if said is None or said.ack is not None:
                return
            said.ack = _text(envelope_id, answer)
            self._known.move_to_end(envelope_id)
            for oldest in [one for one, state in self._known.items() if state.ack is not None][:-_MAX_REMEMBERED]:
                del self._known[oldest]
        self._send(said.ack)

    def tell(self, envelope_id: str, answer: Answer | None) -> None:
        """See `Envelope.later`."""
        with self._lock:
            said = self._known.get(envelope_id)
            if said is None or said.ack is not None or said.later is not None:
                return
            said.later = _text(envelope_id, answer, later=True)
        self._send(said.later)
        said.told.wait(_CONFIRM_WITHIN)

    def _receive(self, message: Json) -> None:
        kind, envelope_id = message.get("type"), str(message.get("envelope_id", ""))
        with self._lock:
            said = self._known.get(envelope_id)
            is_new = kind in _ENVELOPES and said is None and not self._closing.is_set()
            if is_new:
                self._known[envelope_id] = _SentReplies()
        if kind == "hello":
            self._on_open()
        elif kind in ("told", "error"):
            if said is not None:
                said.told.set()
            if kind == "error":
                self._on_refused_answer(message)
        elif is_new:
            self._take(Envelope(str(kind), envelope_id, int(message.get("attempt", 1)), message["payload"], self))
        elif kind in _ENVELOPES and said is not None:
            text = said.ack or said.later
            if text is not None:
                self._send(text)

    def _send(self, text: str) -> None:
        """
        Sends a text. Without a connection nothing is lost: the envelope is delivered again on the
        next one and is answered from memory.
        """
        socket = self._socket
        if socket is None:
            return
        try:
            socket.send(text)
        except ConnectionClosed:
            pass

    def _report_trouble(self, error: Exception) -> None:
        if not self._closing.is_set():
            self._on_trouble(error)


class Envelopes:
    """
    Iterates over envelopes without end. Continues after outages. Raises only errors that retrying
    cannot fix. `close` ends it from any thread.
    """

    def __init__(self, client: Client, **told: Callable[..., None]) -> None:
        """
        Creates the iterator.

        :param told: callbacks `on_open`, `on_trouble`, `on_refused_answer` of `SocketReader`
        """
        self._inbox: queue.SimpleQueue[Envelope | Exception | None] = queue.SimpleQueue()
        self._reader = SocketReader(client, self._inbox.put, **told)
        self._thread = threading.Thread(target=self._read, name="tieline socket", daemon=True)

    def __iter__(self) -> Iterator[Envelope]:
        if self._thread.ident is None:
            self._thread.start()
        while (came := self._inbox.get()) is not None:
            if isinstance(came, Exception):
                raise came
            yield came

    def close(self) -> None:
        """
        Ends the iteration after the received envelopes and closes the socket. Unacknowledged
        envelopes are delivered to the next one.
        """
        self._reader.end()
        self._inbox.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> None:
        try:
            self._reader.run()
        except Exception as error:
            self._inbox.put(error)


def _text(envelope_id: str, answer: Answer | None, later: bool = False) -> str:
    given = {} if answer is None else {"answer": dict(answer)}
    return json.dumps({"envelope_id": envelope_id, **given, **({"later": True} if later else {})})

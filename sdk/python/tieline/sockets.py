"""The bot's events, clicks and commands over a socket (docs/socket.md), as an iterator; what `Bot` stands on, too."""

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
#: Three intervals of the server's pings: longer silence is a dead connection.
_SILENCE = 45.0
_ENVELOPES = ("event", "interaction", "command", "options")
#: Acknowledged envelopes that are remembered, in case they come again.
_MEMORY = 2000
#: How long the server may take to tell the person; one from before `later` says nothing.
_TOLD_WITHIN = 2.0

Answer = Mapping[str, Any]


@dataclass(frozen=True)
class Envelope:
    """What came over the socket."""

    #: `event`, `interaction`, `command` or `options`.
    type: str
    envelope_id: str
    #: 1, and more when it went over a socket before.
    attempt: int
    payload: dict[str, Any]
    _reader: SocketReader = field(repr=False)

    def ack(self, answer: Answer | None = None) -> None:
        """
        Says that it is dealt with, for a click, a form, a command or a question with the answer to the person who waits, up to three
        seconds. It goes over whatever connection stands, or the next one. Only the first counts.
        """
        self._reader.acknowledge(self.envelope_id, answer)

    def later(self, answer: Answer | None = None) -> None:
        """
        Tells the person who waits now, with the answer or that there is none yet, and keeps the envelope: until `ack` it comes again
        should the program die. Returns when the person was told, or after two seconds without word of it.
        """
        self._reader.tell(self.envelope_id, answer)


class _Said:
    """What was said of an envelope that was handed out: each is a text as it goes over the socket."""

    def __init__(self) -> None:
        self.later: str | None = None
        self.ack: str | None = None
        self.told = threading.Event()


class SocketReader:
    """
    Keeps one socket open, again and again. What comes twice because its acknowledgement was lost is acknowledged again, and not handed
    out twice.

    :param take: is given each envelope, by the thread that reads
    :param on_open: called whenever a socket stands
    :param on_trouble: hears of each failure that is tried again
    :param on_refused_answer: hears that an answer was no good one
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
        self._known: OrderedDict[str, _Said] = OrderedDict()

    def run(self) -> None:
        """
        Reads until `close`.

        :raises TielineError: when trying again can't help: a revoked token (401), an inactive space (403), another mode (409)
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
                self._tell_trouble(over)
            except TielineError as error:
                if error.is_refusal:
                    raise
                self._tell_trouble(error)
                asked = error.retry_after
            failures += 1
            self._closing.wait(pause_before(failures + 1, asked))

    def close(self) -> None:
        """Takes in nothing new: that goes to another socket, or comes again. What has come may still be acknowledged."""
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
            for oldest in [one for one, state in self._known.items() if state.ack is not None][:-_MEMORY]:
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
        said.told.wait(_TOLD_WITHIN)

    def _receive(self, message: Json) -> None:
        kind, envelope_id = message.get("type"), str(message.get("envelope_id", ""))
        with self._lock:
            said = self._known.get(envelope_id)
            is_new = kind in _ENVELOPES and said is None and not self._closing.is_set()
            if is_new:
                self._known[envelope_id] = _Said()
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
        """Without a connection nothing is lost: the envelope comes again on the next one, and is known."""
        socket = self._socket
        if socket is None:
            return
        try:
            socket.send(text)
        except ConnectionClosed:
            pass

    def _tell_trouble(self, error: Exception) -> None:
        if not self._closing.is_set():
            self._on_trouble(error)


class Envelopes:
    """
    Iterates without end over what comes over the socket; goes on by itself after outages, and raises only what trying again can't help.
    `close` ends it from any thread.
    """

    def __init__(self, client: Client, **told: Callable[..., None]) -> None:
        """:param told: `on_open`, `on_trouble`, `on_refused_answer` of `SocketReader`"""
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
        """Ends the iteration behind what has come, and the socket. What was not acknowledged comes again by the next one."""
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

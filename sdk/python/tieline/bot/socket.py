"""Holds a socket open (docs/socket.md): everything comes over it, and is acknowledged when it is done, with the answer if there is one."""

from __future__ import annotations

import json
import threading
from typing import Any

from ..errors import TielineError
from ..surface import Json
from ..websocket import ConnectionClosed, WebSocket
from .answers import Answer, Door, LateAnswers, Why, as_command_answer
from .engine import Outcome, log, pause_after
from .forms import Form, Parts, is_fatal
from .happening import Happening, happening_of, happening_of_envelope, type_of_callback
from .remembered import Remembered

_PATH = "/api/v1/bot/socket"
#: Three intervals of the server's pings: longer silence is a dead connection.
_SILENCE = 45.0
#: Somebody who types is given suggestions for three seconds.
_PATIENCE = 2.5


class Socket(Form):
    """One socket at a time, opened again whenever it breaks."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._closing = threading.Event()
        self._socket: WebSocket | None = None
        #: An acknowledgement that was lost is given again, with its answer, when its envelope comes again.
        self._answers: Remembered[Json | None] = Remembered(1000)
        self._thread = threading.Thread(target=self._hold, name="tieline socket", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        # What still comes stays unacknowledged: it goes to another socket, or comes again.
        self._closing.set()

    def end(self) -> None:
        socket = self._socket
        if socket is not None:
            socket.close()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(2.0)

    def acknowledge(self, envelope_id: str, answer: Answer | None = None) -> None:
        """Tells the server that it is done. What cannot be told now is told when the envelope comes again."""
        if answer is not None:
            self._answers.set(envelope_id, dict(answer))
        given = self._answers.get(envelope_id)
        socket = self._socket
        if socket is None:
            return
        try:
            socket.send(json.dumps({"envelope_id": envelope_id, **({} if given is None else {"answer": given})}))
        except ConnectionClosed:
            log.info("the acknowledgement of %s will be repeated", envelope_id)

    def _hold(self) -> None:
        failures = 0
        while not self._closing.is_set():
            retry_after: float | None = None
            try:
                client = self._parts.client
                socket = WebSocket.connect(client.transport, _PATH, client.authorization, _SILENCE)
                try:
                    self._socket = socket
                    while True:
                        self._receive(json.loads(socket.receive()))
                        failures = 0
                finally:
                    self._socket = None
                    socket.dispose()
            except (ConnectionClosed, ValueError) as over:
                log.info("the socket is over: %s", over)
            except TielineError as error:
                if is_fatal(error):
                    self._parts.fail(error)
                    return
                log.warning("no socket: %s", error)
                retry_after = error.retry_after
            failures += 1
            self._closing.wait(pause_after(failures, retry_after))

    def _receive(self, message: Json) -> None:
        kind = message.get("type")
        if kind == "hello":
            log.info("reading from a socket")
        elif kind == "error":
            log.error("an answer was refused: %s (%s)", message.get("error"), message.get("code"))
            if message.get("envelope_id"):
                # Without an answer, else the envelope would come again and again.
                self._answers.set(message["envelope_id"], None)
                self.acknowledge(message["envelope_id"])
        elif kind == "disconnect":
            log.info("the server ends the socket: %s", message.get("reason"))
        elif kind in ("event", "interaction", "command", "options") and not self._closing.is_set():
            self._take(message["envelope_id"], kind, message["payload"])

    def _take(self, envelope_id: str, kind: str, payload: dict[str, Any]) -> None:
        is_event = kind == "event" and "data" in payload
        happening = (
            happening_of_envelope(payload)
            if is_event
            else happening_of(type_of_callback(payload), payload, str(payload.get("response_token") or envelope_id))
        )
        door = _SocketDoor(self, envelope_id, happening)

        def ended(outcome: Outcome) -> None:
            if outcome != "again":
                self.acknowledge(envelope_id, door.answer)

        self._parts.engine.take(happening, door, ended)


class _SocketDoor(Door):
    """
    The answer travels with the acknowledgement. Where the work goes on after it the answer is a request of its own, so that the
    acknowledgement can wait: what was not acknowledged comes again when the bot dies.
    """

    can_respond = True

    def __init__(self, socket: Socket, envelope_id: str, happening: Happening) -> None:
        self._socket, self._envelope_id, self._happening = socket, envelope_id, happening
        self.patience = _PATIENCE if happening.kind == "options" else None
        self.answer: Answer | None = None

    def settle(self, answer: Answer | None, why: Why, late: LateAnswers) -> bool:
        if why == "end":
            if self._happening.kind not in ("event", "closed"):
                self.answer = self._travelling(answer or {})
        elif answer is None:
            return why == "later"
        elif late.takes(answer):
            late.send(answer, f"{self._happening.key}:0")
        else:
            self._socket.acknowledge(self._envelope_id, self._travelling(answer))
        return True

    def _travelling(self, answer: Answer) -> Answer:
        return as_command_answer(answer) if self._happening.kind == "command" else answer

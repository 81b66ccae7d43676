"""Holds a socket open (docs/socket.md): everything comes over it, and is acknowledged when it is done, with the answer if there is one."""

from __future__ import annotations

import threading

from ..errors import TielineError
from ..surface import Json
from ..sockets import Envelope, SocketReader
from .answers import Answer, Door, LateAnswers, Why, as_command_answer
from .engine import Outcome, log
from .forms import Form, Parts
from .happening import Happening, happening_of, happening_of_envelope, type_of_callback

#: Tieline waits three seconds for the answer to a click.
_PATIENCE = 2.5


class Socket(Form):
    """One socket at a time, opened again whenever it breaks."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._opened = threading.Event()
        self._reader = SocketReader(
            parts.client,
            self._take,
            on_open=self._tell_open,
            on_trouble=lambda error: log.warning("no socket: %s", error),
            on_refused_answer=_log_refusal,
        )
        self._thread = threading.Thread(target=self._read, name="tieline socket", daemon=True)

    def start(self) -> None:
        # Who is told that the bot is ready may use it: an outage is waited out.
        self._thread.start()
        while not self._opened.wait(0.05) and self._thread.is_alive() and not self._parts.ended.is_set():
            pass

    def close(self) -> None:
        self._reader.close()

    def end(self) -> None:
        self._reader.end()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(2.0)

    def _tell_open(self) -> None:
        log.info("reading from a socket")
        self._opened.set()

    def _read(self) -> None:
        try:
            self._reader.run()
        except TielineError as error:
            self._parts.fail(error)

    def _take(self, envelope: Envelope) -> None:
        payload = envelope.payload
        is_event = envelope.type == "event" and "data" in payload
        key = str(payload.get("response_token") or envelope.envelope_id)
        happening = (
            happening_of_envelope(payload) if is_event else happening_of(type_of_callback(payload), payload, key)
        )
        door = _SocketDoor(envelope, happening)

        def ended(outcome: Outcome) -> None:
            if outcome != "again":
                # With the answer again, in case that was lost: only the first counts.
                envelope.ack(door.answer)

        self._parts.engine.take(happening, door, ended)


class _SocketDoor(Door):
    """
    The answer travels with the acknowledgement, which comes when the handler has ended. A person who is to wait no longer is told before
    that, and the envelope stays the bot's: should the bot die, it goes to the next socket.
    """

    can_respond = True

    def __init__(self, envelope: Envelope, happening: Happening) -> None:
        self._envelope, self._happening = envelope, happening
        self.patience = None if happening.kind == "event" else _PATIENCE
        self.answer: Answer | None = None

    def settle(self, answer: Answer | None, why: Why, late: LateAnswers) -> bool:
        if (why == "end" or answer is not None) and self._happening.kind != "event":
            self.answer = self._travelling(answer or {})
        if why == "end":
            return True
        if answer is not None:
            late.interaction_taken()
        # The server's own patience ends soon; until then an answer may come.
        if answer is not None or why == "later":
            self._envelope.later(self.answer)
        return answer is not None

    def _travelling(self, answer: Answer) -> Answer:
        if self._happening.kind == "options":
            return {"choices": [], **answer}
        return as_command_answer(answer) if self._happening.kind == "command" else answer


def _log_refusal(refusal: Json) -> None:
    log.error("an answer was refused: %s (%s)", refusal.get("error"), refusal.get("code"))

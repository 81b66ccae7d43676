"""
Keeps a socket open (docs/socket.md). Everything arrives over it and is acknowledged when handled,
with the answer if there is one.
"""

from __future__ import annotations

import threading

from ..errors import TielineError
from ..surface import Json
from ..sockets import Envelope, SocketReader
from .answers import Answer, AnswerChannel, LateAnswers, Why, as_command_answer
from .engine import Outcome, log
from .forms import Form, Parts
from .incoming import IncomingEvent, event_from_payload, event_from_envelope, type_of_callback

#: Tieline waits three seconds for the answer to a click.
_PATIENCE = 2.5


class Socket(Form):
    """One socket at a time, reopened whenever it breaks."""

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
        # The bot is ready once it can be used. Waits for an outage to end.
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
        event = (
            event_from_envelope(payload) if is_event else event_from_payload(type_of_callback(payload), payload, key)
        )
        channel = _SocketChannel(envelope, event)

        def ended(outcome: Outcome) -> None:
            if outcome != "again":
                # Sends the answer again, in case it was lost. Only the first counts.
                envelope.ack(channel.answer)

        self._parts.engine.take(event, channel, ended)


class _SocketChannel(AnswerChannel):
    """
    The answer is sent with the acknowledgement when the handler has ended. A person who should
    not wait longer is answered before that, and the envelope stays with the bot: if the bot
    dies, it goes to the next socket.
    """

    can_respond = True

    def __init__(self, envelope: Envelope, event: IncomingEvent) -> None:
        self._envelope, self._happening = envelope, event
        self.patience = None if event.kind == "event" else _PATIENCE
        self.answer: Answer | None = None

    def settle(self, answer: Answer | None, why: Why, late: LateAnswers) -> bool:
        if (why == "end" or answer is not None) and self._happening.kind != "event":
            self.answer = self._travelling(answer or {})
        if why == "end":
            return True
        if answer is not None:
            late.interaction_taken()
        # The server's wait ends soon. Until then an answer may follow.
        if answer is not None or why == "later":
            self._envelope.later(self.answer)
        return answer is not None

    def _travelling(self, answer: Answer) -> Answer:
        if self._happening.kind == "options":
            return {"choices": [], **answer}
        return as_command_answer(answer) if self._happening.kind == "command" else answer


def _log_refusal(refusal: Json) -> None:
    log.error("an answer was refused: %s (%s)", refusal.get("error"), refusal.get("code"))

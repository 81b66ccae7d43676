"""Receives activities over a socket (docs/socket.md), and acknowledges them with their answers."""

from __future__ import annotations

import threading

from ..errors import TielineError
from ..surface import Json
from ..sockets import Envelope, SocketReader
from .answers import Answer, AnswerSender, LateAnswers, SettleReason, as_command_answer
from .engine import Outcome, log
from .connectors import Connector, ConnectorDependencies
from .activity import Activity, to_activity, envelope_to_activity, callback_type

#: Tieline waits 3 seconds for the answer to a click.
_ANSWER_WITHIN = 2.5


class Socket(Connector):
    """Keeps one socket open and reconnects when it breaks."""

    def __init__(self, parts: ConnectorDependencies) -> None:
        self._parts = parts
        self._opened = threading.Event()
        self._reader = SocketReader(
            parts.client,
            self._take,
            on_open=self._report_open,
            on_trouble=lambda error: log.warning("the socket is disconnected: %s", error),
            on_refused_answer=_log_refusal,
        )
        self._thread = threading.Thread(target=self._read, name="tieline socket", daemon=True)

    def start(self) -> None:
        # "Ready" means usable, so wait out an outage.
        self._thread.start()
        while not self._opened.wait(0.05) and self._thread.is_alive() and not self._parts.ended.is_set():
            pass

    def close(self) -> None:
        self._reader.close()

    def end(self) -> None:
        self._reader.end()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(2.0)

    def _report_open(self) -> None:
        log.info("connected by socket")
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
        activity = (
            envelope_to_activity(payload) if is_event else to_activity(callback_type(payload), payload, key)
        )
        sender = _SocketAnswerSender(envelope, activity)

        def ended(outcome: Outcome) -> None:
            if outcome != "again":
                # Repeats the answer in case it was lost. Tieline uses only the first.
                envelope.ack(sender.answer)

        self._parts.engine.handle(activity, sender, ended)


class _SocketAnswerSender(AnswerSender):
    """
    Sends the answer with the acknowledgement when the handler has ended. To release the person
    earlier, sends the answer before that and keeps the envelope open: if the bot dies, the next
    socket receives it again.
    """

    can_respond = True

    def __init__(self, envelope: Envelope, activity: Activity) -> None:
        self._envelope, self._activity = envelope, activity
        self.answer_within = None if activity.kind == "event" else _ANSWER_WITHIN
        self.answer: Answer | None = None

    def settle(self, answer: Answer | None, reason: SettleReason, late: LateAnswers) -> bool:
        if (reason == "end" or answer is not None) and self._activity.kind != "event":
            self.answer = self._for_socket(answer or {})
        if reason == "end":
            return True
        if answer is not None:
            late.mark_interaction_used()
        # Tieline's own time limit ends soon. Until then an answer may still be sent.
        if answer is not None or reason == "later":
            self._envelope.later(self.answer)
        return answer is not None

    def _for_socket(self, answer: Answer) -> Answer:
        if self._activity.kind == "options":
            return {"choices": [], **answer}
        return as_command_answer(answer) if self._activity.kind == "command" else answer


def _log_refusal(refusal: Json) -> None:
    log.error("an answer was rejected: %s (%s)", refusal.get("error"), refusal.get("code"))

"""Reads the queue (docs/polling.md). Its cursor follows the finished records."""

from __future__ import annotations

import json
import threading
import time

from ..errors import TielineError
from ..surface import Json
from .answers import Answer, AnswerSender, LateAnswers, SettleReason
from .engine import Outcome, log, pause_after
from .connectors import Connector, ConnectorDependencies
from .activity import Activity, to_activity
from ..cursors import CursorStore, CursorLedger

_WAIT = 25
_PAGE = 100
#: Maximum number of records read ahead of the oldest unfinished one.
_AHEAD = 1000
#: Minimum interval between requests, so that a busy queue fills pages and the rate limit is kept.
_PAUSE = 0.2
#: Minimum interval after an empty page, which may arrive early.
_EMPTY_PAUSE = 1.0
#: The next activity of a conversation waits at most this long for the previous one.
_ANSWER_WITHIN = 2.5


class Polling(Connector):
    """
    Receives activities by polling.

    :param store: stores the cursor
    """

    def __init__(self, parts: ConnectorDependencies, store: CursorStore) -> None:
        self._parts = parts
        self._ledger = CursorLedger(store)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._read, name="tieline polling", daemon=True)

    def start(self) -> None:
        log.info("polling %s", f"after {self._ledger.cursor}" if self._ledger.cursor else "from the beginning")
        self._thread.start()

    def close(self) -> None:
        # A waiting request is abandoned. Its records are read again after the restart.
        self._closing.set()

    def end(self) -> None:
        pass

    def _read(self) -> None:
        cursor, failures = self._ledger.cursor, 0
        while not self._closing.is_set():
            begun = time.monotonic()
            try:
                records = self._parts.client.read_events(cursor, limit=_PAGE, wait=_WAIT)["events"]
                if self._closing.is_set():
                    return
                failures = 0
                for record in records:
                    self._take(record)
                    cursor = record["id"]
                while not self._closing.is_set() and not self._ledger.wait_below(_AHEAD, 1.0):
                    pass
                pause = (_PAUSE if records else _EMPTY_PAUSE) - (time.monotonic() - begun)
            except Exception as error:
                if self._closing.is_set():
                    return
                if isinstance(error, TielineError) and error.is_refusal:
                    self._parts.fail(error)
                    return
                log.warning("could not read the queue: %s", error)
                failures += 1
                pause = pause_after(failures, getattr(error, "retry_after", None))
            self._closing.wait(max(0.0, pause))

    def _take(self, record: Json) -> None:
        done = self._ledger.enter(record["id"])
        try:
            activity = to_activity(record["event_type"], json.loads(record["payload_json"]), record["event_id"])
        except (ValueError, TypeError, AttributeError) as error:
            log.error("dropped %s %s: not readable: %s", record["event_type"], record["event_id"], error)
            done()
            return

        def ended(outcome: Outcome) -> None:
            # An unfinished record keeps the cursor, so it is read again after a restart.
            if outcome != "again":
                done()

        self._parts.engine.handle(activity, _PollAnswerSender(activity), ended)


class _PollAnswerSender(AnswerSender):
    """
    Sends every answer as a request. No connection waits for it: the person was shown `queued`.
    """

    can_respond = True

    def __init__(self, activity: Activity) -> None:
        self._activity = activity
        self.answer_within = None if activity.kind in ("event", "closed") else _ANSWER_WITHIN

    def settle(self, answer: Answer | None, reason: SettleReason, late: LateAnswers) -> bool:
        # A submitted form stays locked until it is answered. Slow handlers may still report errors.
        if answer is None and reason == "end" and self._activity.kind == "submit":
            answer = {"noop": True}
        if answer is not None:
            late.send(answer, f"{self._activity.key}:0")
        return answer is not None or reason == "end"

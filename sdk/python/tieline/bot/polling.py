"""Reads the queue (docs/polling.md) page by page and stores the cursor behind handled records."""

from __future__ import annotations

import json
import threading
import time

from ..errors import TielineError
from ..surface import Json
from .answers import Answer, AnswerChannel, LateAnswers, Why
from .engine import Outcome, log, pause_after
from .forms import Form, Parts
from .incoming import IncomingEvent, event_from_payload
from ..place import CursorStore, Place

_WAIT = 25
_PAGE = 100
#: How many records are read ahead of the oldest unhandled one.
_AHEAD = 1000
#: Minimum time between two requests. A busy queue then returns several records per request, and the
#: rate limit is respected.
_PAUSE = 0.2
#: An empty page may arrive early.
_EMPTY_PAUSE = 1.0
#: How long a person probably waits for a reaction. Then the lane is free for the next event.
_PATIENCE = 2.5


class Polling(Form):
    """:param store: stores the cursor"""

    def __init__(self, parts: Parts, store: CursorStore) -> None:
        self._parts = parts
        self._place = Place(store)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._read, name="tieline polling", daemon=True)

    def start(self) -> None:
        log.info("polling %s", f"behind {self._place.cursor}" if self._place.cursor else "from the beginning")
        self._thread.start()

    def close(self) -> None:
        # A waiting request is abandoned. Its records are read again after the restart.
        self._closing.set()

    def end(self) -> None:
        pass

    def _read(self) -> None:
        cursor, failures = self._place.cursor, 0
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
                while not self._closing.is_set() and not self._place.wait_below(_AHEAD, 1.0):
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
        done = self._place.enter(record["id"])
        try:
            event = event_from_payload(record["event_type"], json.loads(record["payload_json"]), record["event_id"])
        except (ValueError, TypeError, AttributeError) as error:
            log.error("dropped %s %s: not readable: %s", record["event_type"], record["event_id"], error)
            done()
            return

        def ended(outcome: Outcome) -> None:
            # Unhandled records keep the cursor in place and are read again after a restart.
            if outcome != "again":
                done()

        self._parts.engine.take(event, _PollChannel(event), ended)


class _PollChannel(AnswerChannel):
    """Every answer is a request. No connection waits: the person has already got `queued`."""

    can_respond = True

    def __init__(self, event: IncomingEvent) -> None:
        self._happening = event
        self.patience = None if event.kind in ("event", "closed") else _PATIENCE

    def settle(self, answer: Answer | None, why: Why, late: LateAnswers) -> bool:
        # A submitted form stays locked until it is answered, so a late answer can still report
        # errors.
        if answer is None and why == "end" and self._happening.kind == "submit":
            answer = {"noop": True}
        if answer is not None:
            late.send(answer, f"{self._happening.key}:0")
        return answer is not None or why == "end"

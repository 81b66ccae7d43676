"""Passes events to handlers: once each, in order within a conversation, and again if a handler fails."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from ..client import Client
from ..errors import TielineError
from .answers import AnswerState, AnswerChannel, LateAnswers, TooLate
from .incoming import IncomingEvent
from .lanes import Lanes
from .recent import RecentEntries

log = logging.getLogger("tieline")

#: `again`: it was not handled and must be delivered again, by the server or after a restart.
Outcome = Literal["done", "dropped", "again"]
Done = Callable[[Outcome], None]


@dataclass(frozen=True)
class Settings:
    """Settings of the engine."""

    #: Maximum number of concurrent handlers, separately for events and for interactions.
    concurrency: int
    #: How often a handler may raise before its event is dropped. Outages do not count.
    tries: int
    #: Events with the same lane are handled in order. None: no order.
    order: Callable[[IncomingEvent], str | None]
    handle: Callable[[IncomingEvent, AnswerState], None]
    #: Called for dropped events. Errors it raises are logged.
    on_error: Callable[[BaseException, IncomingEvent, AnswerState], None]
    #: Number of remembered keys of handled events.
    remember: int = 10_000


class _Attempt:
    """An event being handled."""

    def __init__(self, client: Client, event: IncomingEvent, channel: AnswerChannel, done: Done) -> None:
        self.event, self.channel = event, channel
        late = LateAnswers(client, event, channel.can_respond)
        # The next event may start as soon as the person no longer waits.
        self.answering = AnswerState(event, channel, late, on_free=lambda: self.leave())
        self.leave: Callable[[], None] = lambda: None
        self.waiting = [done]
        self.timer: threading.Timer | None = None
        self.is_handled = False
        self.outages = 0


class Engine:
    """
    Handles events. The source acknowledges an event when its `done` was called with `done` or
    `dropped`.
    """

    def __init__(self, client: Client, settings: Settings) -> None:
        self._client, self._settings = client, settings
        #: People wait for one kind, so a flood of the other kind does not delay them.
        self._events, self._urgent = Lanes(settings.concurrency), Lanes(settings.concurrency)
        self._running: dict[str, _Attempt] = {}
        self._lock = threading.Lock()
        self._handled: RecentEntries[Outcome] = RecentEntries(settings.remember)
        self._failures: RecentEntries[int] = RecentEntries(settings.remember)
        self.stopping = threading.Event()

    def take(self, event: IncomingEvent, channel: AnswerChannel, done: Done = lambda outcome: None) -> None:
        """
        Handles an event in its turn. Calls `done` once. A duplicate waits for the running
        handler, or is skipped if it was already handled.
        """
        with self._lock:
            known = self._handled.get(event.key)
            running = self._running.get(event.key)
            if known is None and running is not None:
                running.waiting.append(done)
                return
            if known is None:
                attempt = _Attempt(self._client, event, channel, done)
                self._running[event.key] = attempt
        if known is not None:
            done(known)
            return
        lanes = self._events if event.kind == "event" else self._urgent
        lane = None if event.kind == "options" else self._settings.order(event)
        self._watch(attempt)
        lanes.submit(lane, lambda leave: self._turn(attempt, leave))

    def stop(self, grace: float) -> bool:
        """
        Starts nothing new and waits up to `grace` seconds for running handlers. Returns
        False if some still run.
        """
        self.stopping.set()
        ended = self._events.stop(grace)
        return self._urgent.stop(grace if ended else 0.0) and ended

    def _turn(self, attempt: _Attempt, leave: Callable[[], None]) -> float | None:
        attempt.leave = leave
        if attempt.answering.holds_nobody_up:
            leave()  # it has waited too long for its turn
        return self._work(attempt)

    def _watch(self, attempt: _Attempt) -> None:
        """
        Starts the maximum wait of the person at the arrival, even if the event still waits
        for its turn.
        """
        patience = attempt.channel.patience
        if patience is None:
            return

        def overdue() -> None:
            try:
                attempt.answering.overdue()
            except Exception as error:
                log.warning("no answer to %s %s in time: %s", attempt.event.type, attempt.event.key, error)

        attempt.timer = threading.Timer(patience, overdue)
        attempt.timer.daemon = True
        attempt.timer.start()

    def _work(self, attempt: _Attempt) -> float | None:
        """Runs the handler once. Returns the seconds until the next try, or None."""
        if self.stopping.is_set() and not attempt.is_handled:
            return self._end(attempt, "again")
        try:
            if not attempt.is_handled:
                self._settings.handle(attempt.event, attempt.answering)
            attempt.is_handled = True
            attempt.answering.end()
        except Exception as error:
            return self._judge(attempt, error)
        return self._end(attempt, "done")

    def _judge(self, attempt: _Attempt, error: Exception) -> float | None:
        event, channel = attempt.event, attempt.channel
        if is_outage(error):
            log.warning("%s %s waits until the server is back: %s", event.type, event.key, error)
            attempt.outages += 1
            return self._again(attempt, pause_after(attempt.outages, getattr(error, "retry_after", None)))
        if isinstance(error, TielineError) and error.status == 403:
            return self._drop(attempt, error)  # a forbidden request stays forbidden
        count = (self._failures.get(event.key) or 0) + 1
        self._failures.set(event.key, count)
        if channel.retries == "nobody" or isinstance(error, TooLate) or count >= self._settings.tries:
            return self._drop(attempt, error)
        log.warning("%s %s failed, %s of %s tries", event.type, event.key, count, self._settings.tries, exc_info=error)
        return self._again(attempt, pause_after(count, None))

    def _again(self, attempt: _Attempt, pause: float) -> float | None:
        if attempt.channel.retries != "here" or self.stopping.is_set():
            return self._end(attempt, "again")
        if not attempt.is_handled:
            attempt.answering.start_again()
        return pause

    def _drop(self, attempt: _Attempt, error: Exception) -> float | None:
        """Drops an event so that it does not stop the others. The answer then comes from `on_error`."""
        event, answering = attempt.event, attempt.answering
        if isinstance(error, TielineError) and error.status == 403:
            log.error("dropped %s %s: %s", event.type, event.key, error)
        else:
            log.error("dropped %s %s", event.type, event.key, exc_info=error)
        answering.start_again()
        try:
            self._settings.on_error(error, event, answering)
            # An unanswered callback fails, so that the person is notified. Elsewhere a form would
            # keep waiting.
            if answering.has_answer or attempt.channel.can_respond:
                answering.end()
        except Exception as another:
            log.error("dropped %s %s, and on_error failed", event.type, event.key, exc_info=another)
        return self._end(attempt, "dropped")

    def _end(self, attempt: _Attempt, outcome: Outcome) -> float | None:
        """Ends the attempt. Returns None: there is no next try."""
        key = attempt.event.key
        if attempt.timer is not None:
            attempt.timer.cancel()
        with self._lock:
            self._running.pop(key, None)
            if outcome != "again":
                self._handled.set(key, outcome)
            waiting = attempt.waiting
        for done in waiting:
            done(outcome)
        return None


def is_outage(error: BaseException) -> bool:
    """Whether an error means that a server could not be reached, so that the event itself is not at fault."""
    if isinstance(error, TielineError):
        return error.is_outage
    return isinstance(error, ConnectionError | TimeoutError)


def pause_after(failures: int, retry_after: Any) -> float:
    """
    Returns the pause before the next try in seconds: from half a second, doubled up to half a
    minute, plus or minus a fifth.
    """
    pause = float(min(0.5 * 2 ** min(failures - 1, 10), 30.0)) * random.uniform(0.8, 1.2)
    return max(pause, float(retry_after or 0.0))


def by_conversation(event: IncomingEvent) -> str | None:
    """The default order: one lane per conversation."""
    return event.conversation_id or None

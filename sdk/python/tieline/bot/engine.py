"""Hands everything that happens to the handlers: once each, in order within a conversation, and again when a handler fails."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from ..client import Client
from ..errors import TielineError
from .answers import Answering, Door, LateAnswers, TooLate
from .happening import Happening
from .lanes import Lanes
from .remembered import Remembered

log = logging.getLogger("tieline")

#: `again`: it was not handled and has to come again, from the server or after a restart.
Outcome = Literal["done", "dropped", "again"]
Done = Callable[[Outcome], None]


@dataclass(frozen=True)
class Settings:
    """How the engine works."""

    #: How many handlers run at once, of events and of what people wait for each.
    concurrency: int
    #: How often a handler may raise before its event is dropped. Outages don't count.
    tries: int
    #: What has the same lane is handled one after another; None: no order.
    order: Callable[[Happening], str | None]
    handle: Callable[[Happening, Answering], None]
    #: Told of what is dropped. What it raises is logged.
    on_error: Callable[[BaseException, Happening, Answering], None]
    #: How many keys of handled happenings are remembered.
    remember: int = 10_000


class _Attempt:
    """One happening on its way through the engine."""

    def __init__(self, client: Client, happening: Happening, door: Door, done: Done) -> None:
        self.happening, self.door = happening, door
        late = LateAnswers(client, happening, door.can_respond)
        # As soon as the person waits no longer the next one may come in.
        self.answering = Answering(happening, door, late, on_free=lambda: self.leave())
        self.leave: Callable[[], None] = lambda: None
        self.waiting = [done]
        self.timer: threading.Timer | None = None
        self.is_handled = False
        self.outages = 0


class Engine:
    """Whoever brings a happening acknowledges it when its `done` was called with `done` or `dropped`."""

    def __init__(self, client: Client, settings: Settings) -> None:
        self._client, self._settings = client, settings
        #: People wait for one kind: a flood of the other doesn't hold them up.
        self._events, self._urgent = Lanes(settings.concurrency), Lanes(settings.concurrency)
        self._running: dict[str, _Attempt] = {}
        self._lock = threading.Lock()
        self._handled: Remembered[Outcome] = Remembered(settings.remember)
        self._failures: Remembered[int] = Remembered(settings.remember)
        self.stopping = threading.Event()

    def take(self, happening: Happening, door: Door, done: Done = lambda outcome: None) -> None:
        """
        Handles it when it is its turn; `done` is called once. What is being handled already is waited for, what was handled is not
        handled again.
        """
        with self._lock:
            known = self._handled.get(happening.key)
            running = self._running.get(happening.key)
            if known is None and running is not None:
                running.waiting.append(done)
                return
            if known is None:
                attempt = _Attempt(self._client, happening, door, done)
                self._running[happening.key] = attempt
        if known is not None:
            done(known)
            return
        lanes = self._events if happening.kind == "event" else self._urgent
        lane = None if happening.kind == "options" else self._settings.order(happening)
        self._watch(attempt)
        lanes.submit(lane, lambda leave: self._turn(attempt, leave))

    def stop(self, grace: float) -> bool:
        """Begins nothing new, and waits for what runs, `grace` seconds at most. False: something still runs."""
        self.stopping.set()
        ended = self._events.stop(grace)
        return self._urgent.stop(grace if ended else 0.0) and ended

    def _turn(self, attempt: _Attempt, leave: Callable[[], None]) -> float | None:
        attempt.leave = leave
        if attempt.answering.holds_nobody_up:
            leave()  # it has waited too long for its turn already
        return self._work(attempt)

    def _watch(self, attempt: _Attempt) -> None:
        """Somebody waits from the arrival on, also while the happening waits for its turn."""
        patience = attempt.door.patience
        if patience is None:
            return

        def overdue() -> None:
            try:
                attempt.answering.overdue()
            except Exception as error:
                log.warning("no answer to %s %s in time: %s", attempt.happening.type, attempt.happening.key, error)

        attempt.timer = threading.Timer(patience, overdue)
        attempt.timer.daemon = True
        attempt.timer.start()

    def _work(self, attempt: _Attempt) -> float | None:
        """One try. The seconds to the next one, or None when there is none."""
        if self.stopping.is_set() and not attempt.is_handled:
            return self._end(attempt, "again")
        try:
            if not attempt.is_handled:
                self._settings.handle(attempt.happening, attempt.answering)
            attempt.is_handled = True
            attempt.answering.end()
        except Exception as error:
            return self._judge(attempt, error)
        return self._end(attempt, "done")

    def _judge(self, attempt: _Attempt, error: Exception) -> float | None:
        happening, door = attempt.happening, attempt.door
        if is_outage(error):
            log.warning("%s %s waits until the server is back: %s", happening.type, happening.key, error)
            attempt.outages += 1
            return self._again(attempt, pause_after(attempt.outages, getattr(error, "retry_after", None)))
        if isinstance(error, TielineError) and error.status == 403:
            return self._drop(attempt, error)  # what the bot may not do it may not do the next time either
        count = (self._failures.get(happening.key) or 0) + 1
        self._failures.set(happening.key, count)
        if door.retries == "nobody" or isinstance(error, TooLate) or count >= self._settings.tries:
            return self._drop(attempt, error)
        log.warning("%s %s failed, %s of %s tries", happening.type, happening.key, count, self._settings.tries, exc_info=error)
        return self._again(attempt, pause_after(count, None))

    def _again(self, attempt: _Attempt, pause: float) -> float | None:
        if attempt.door.retries != "here" or self.stopping.is_set():
            return self._end(attempt, "again")
        if not attempt.is_handled:
            attempt.answering.start_again()
        return pause

    def _drop(self, attempt: _Attempt, error: Exception) -> float | None:
        """So that one bad event doesn't stop the others. What the author says to the person now is the answer."""
        happening, answering = attempt.happening, attempt.answering
        if isinstance(error, TielineError) and error.status == 403:
            log.error("dropped %s %s: %s", happening.type, happening.key, error)
        else:
            log.error("dropped %s %s", happening.type, happening.key, exc_info=error)
        answering.start_again()
        try:
            self._settings.on_error(error, happening, answering)
            # A callback without an answer fails, so that the person learns of it; a form elsewhere would wait for one.
            if answering.has_answer or attempt.door.can_respond:
                answering.end()
        except Exception as another:
            log.error("dropped %s %s, and on_error failed", happening.type, happening.key, exc_info=another)
        return self._end(attempt, "dropped")

    def _end(self, attempt: _Attempt, outcome: Outcome) -> float | None:
        """Returns None: there is no next try."""
        key = attempt.happening.key
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
    """Whether something failed because a server could not be reached, so that it says nothing about the event it happened with."""
    if isinstance(error, TielineError):
        return error.is_outage
    return isinstance(error, ConnectionError | TimeoutError)


def pause_after(failures: int, retry_after: Any) -> float:
    """How long to wait before the next try, in seconds: doubling from half a second to half a minute, a fifth more or less."""
    pause = float(min(0.5 * 2 ** min(failures - 1, 10), 30.0)) * random.uniform(0.8, 1.2)
    return max(pause, float(retry_after or 0.0))


def by_conversation(happening: Happening) -> str | None:
    """The order that is kept unless another is asked for: that of a conversation."""
    return happening.conversation_id or None

"""
Runs the handlers: once per activity, in order within a conversation, and again after a failure.
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from ..client import Client
from ..errors import TielineError
from .answers import Responder, AnswerSender, LateAnswers, TooLate
from .activity import Activity
from .lanes import Lanes
from .bounded_map import BoundedMap
from .stop_requests import is_stop

log = logging.getLogger("tieline")

#: Result of an activity. `again`: it was not handled and must be delivered again, by the server or
#: after a restart.
Outcome = Literal["done", "dropped", "again"]
Done = Callable[[Outcome], None]


@dataclass(frozen=True)
class Settings:
    """Settings of the engine."""

    #: Maximum number of concurrent handlers, for events and for activities that people wait for,
    #: each.
    concurrency: int
    #: Failed attempts before an activity is dropped. Outages do not count.
    tries: int
    #: Returns a lane. Activities with the same lane are handled one at a time. None: no order.
    order: Callable[[Activity], str | None]
    handle: Callable[[Activity, Responder], None]
    #: Called for dropped activities. Its errors are logged.
    on_error: Callable[[BaseException, Activity, Responder], None]
    #: Called once for every new activity, before it waits for its lane.
    arrived: Callable[[Activity], None] = lambda activity: None
    #: Number of handled keys to remember.
    remember: int = 10_000


class _Attempt:
    """An activity being handled."""

    def __init__(self, client: Client, activity: Activity, sender: AnswerSender, done: Done) -> None:
        self.activity, self.sender = activity, sender
        late = LateAnswers(client, activity, sender.can_respond)
        # The next activity may start as soon as the person is released.
        self.responder = Responder(activity, sender, late, on_release=lambda: self.leave())
        self.leave: Callable[[], None] = lambda: None
        self.waiting = [done]
        self.timer: threading.Timer | None = None
        self.is_handled = False
        self.outages = 0


class Engine:
    """
    Handles activities. The caller acknowledges an activity when its callback is called with `done`
    or `dropped`.
    """

    def __init__(self, client: Client, settings: Settings) -> None:
        self._client, self._settings = client, settings
        #: Separate lanes, so that a flood of events does not delay activities that people wait for.
        self._events, self._urgent = Lanes(settings.concurrency), Lanes(settings.concurrency)
        self._running: dict[str, _Attempt] = {}
        self._lock = threading.Lock()
        self._handled: BoundedMap[Outcome] = BoundedMap(settings.remember)
        self._failures: BoundedMap[int] = BoundedMap(settings.remember)
        self.stopping = threading.Event()

    def handle(self, activity: Activity, sender: AnswerSender, done: Done = lambda outcome: None) -> None:
        """
        Handles an activity when its lane is free and calls `done` once. Waits for an activity that
        is already being handled instead of handling it twice.
        """
        with self._lock:
            known = self._handled.get(activity.key)
            running = self._running.get(activity.key)
            if known is None and running is not None:
                running.waiting.append(done)
                return
            if known is None:
                attempt = _Attempt(self._client, activity, sender, done)
                self._running[activity.key] = attempt
        if known is not None:
            done(known)
            return
        lanes = self._events if activity.kind == "event" else self._urgent
        self._settings.arrived(activity)
        is_free = activity.kind == "options" or is_stop(activity)
        lane = None if is_free else self._settings.order(activity)
        self._watch(attempt)
        lanes.submit(lane, lambda leave: self._turn(attempt, leave))

    def stop(self, grace: float) -> bool:
        """
        Starts nothing new and waits up to `grace` seconds for running handlers. Returns False if
        some still run.
        """
        self.stopping.set()
        ended = self._events.stop(grace)
        return self._urgent.stop(grace if ended else 0.0) and ended

    def _turn(self, attempt: _Attempt, leave: Callable[[], None]) -> float | None:
        attempt.leave = leave
        if attempt.responder.is_released:
            leave()  # the time limit has already passed while waiting
        return self._work(attempt)

    def _watch(self, attempt: _Attempt) -> None:
        """
        Starts the time limit for the first answer at the arrival, even if the activity still waits
        for its lane.
        """
        answer_within = attempt.sender.answer_within
        if answer_within is None:
            return

        def deadline_passed() -> None:
            try:
                attempt.responder.deadline_passed()
            except Exception as error:
                log.warning("no answer to %s %s in time: %s", attempt.activity.type, attempt.activity.key, error)

        attempt.timer = threading.Timer(answer_within, deadline_passed)
        attempt.timer.daemon = True
        attempt.timer.start()

    def _work(self, attempt: _Attempt) -> float | None:
        """Makes one attempt. Returns the seconds until the next one, or None if there is none."""
        if self.stopping.is_set() and not attempt.is_handled:
            return self._end(attempt, "again")
        try:
            if not attempt.is_handled:
                self._settings.handle(attempt.activity, attempt.responder)
            attempt.is_handled = True
            attempt.responder.finish()
        except Exception as error:
            return self._decide(attempt, error)
        return self._end(attempt, "done")

    def _decide(self, attempt: _Attempt, error: Exception) -> float | None:
        activity, sender = attempt.activity, attempt.sender
        if is_outage(error):
            log.warning("%s %s waits until the server is back: %s", activity.type, activity.key, error)
            attempt.outages += 1
            return self._again(attempt, pause_after(attempt.outages, getattr(error, "retry_after", None)))
        if isinstance(error, TielineError) and error.status == 403:
            return self._drop(attempt, error)  # retrying cannot fix missing permissions
        count = (self._failures.get(activity.key) or 0) + 1
        self._failures.set(activity.key, count)
        if sender.retries == "none" or isinstance(error, TooLate) or count >= self._settings.tries:
            return self._drop(attempt, error)
        log.warning("%s %s failed, %s of %s tries", activity.type, activity.key, count, self._settings.tries, exc_info=error)
        return self._again(attempt, pause_after(count, None))

    def _again(self, attempt: _Attempt, pause: float) -> float | None:
        if attempt.sender.retries != "here" or self.stopping.is_set():
            return self._end(attempt, "again")
        if not attempt.is_handled:
            attempt.responder.restart()
        return pause

    def _drop(self, attempt: _Attempt, error: Exception) -> float | None:
        """
        Drops an activity, so that it does not block others. An answer sent by `on_error` becomes
        its answer.
        """
        activity, responder = attempt.activity, attempt.responder
        if isinstance(error, TielineError) and error.status == 403:
            log.error("dropped %s %s: %s", activity.type, activity.key, error)
        else:
            log.error("dropped %s %s", activity.type, activity.key, exc_info=error)
        responder.restart()
        try:
            self._settings.on_error(error, activity, responder)
            # Without an answer a callback fails, so that the person learns of it. A form elsewhere
            # would keep waiting for one.
            if responder.has_answer or attempt.sender.can_respond:
                responder.finish()
        except Exception as another:
            log.error("dropped %s %s, and on_error failed", activity.type, activity.key, exc_info=another)
        return self._end(attempt, "dropped")

    def _end(self, attempt: _Attempt, outcome: Outcome) -> float | None:
        """Ends an activity. Returns None, because there is no next attempt."""
        key = attempt.activity.key
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
    """
    Whether an error means that a server could not be reached, so that it is unrelated to the
    handled activity.
    """
    if isinstance(error, TielineError):
        return error.is_outage
    return isinstance(error, ConnectionError | TimeoutError)


def pause_after(failures: int, retry_after: Any) -> float:
    """
    Returns the delay before the next attempt in seconds: doubles from 0.5 to 30, with 20% jitter.
    """
    pause = float(min(0.5 * 2 ** min(failures - 1, 10), 30.0)) * random.uniform(0.8, 1.2)
    return max(pause, float(retry_after or 0.0))


def by_conversation(activity: Activity) -> str | None:
    """Default order: one lane per conversation."""
    return activity.conversation_id or None

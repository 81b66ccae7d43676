"""
Runs work in threads: work in the same lane runs one at a time, and all lanes together run a limited
number.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import deque
from collections.abc import Callable

#: A unit of work. Returns the seconds until it wants to be called again, still first in its lane,
#: or None when it is done. Its argument `leave` releases the lane before the work has ended.
Work = Callable[[Callable[[], None]], float | None]


class Lanes:
    """
    Limits concurrency per lane and in total.

    :param concurrency: at least 1
    """

    def __init__(self, concurrency: int) -> None:
        self._concurrency = max(1, concurrency)
        self._queues: dict[str, deque[Work]] = {}
        self._ready: deque[str] = deque()
        self._names = itertools.count()
        self._busy = 0
        self._running = 0
        self._stopped = False
        self._changed = threading.Condition()
        self._timers: set[threading.Timer] = set()

    def submit(self, lane: str | None, work: Work) -> None:
        """Queues work in a lane. None: it waits only for a free slot."""
        name = f"alone:{next(self._names)}" if lane is None else lane
        with self._changed:
            queue = self._queues.setdefault(name, deque())
            queue.append(work)
            if len(queue) == 1:
                self._ready.append(name)
        self._pump()

    def stop(self, grace: float) -> bool:
        """
        Starts nothing new and waits up to `grace` seconds for running work. Returns False if some
        still runs.
        """
        deadline = time.monotonic() + grace
        with self._changed:
            self._stopped = True
            timers = list(self._timers)
            for timer in timers:
                timer.cancel()
            return self._changed.wait_for(lambda: self._running == 0, max(0.0, deadline - time.monotonic()))

    def _pump(self) -> None:
        while True:
            with self._changed:
                if self._stopped or not self._ready or self._busy >= self._concurrency:
                    return
                name = self._ready.popleft()
                work = self._queues[name][0]
                self._busy += 1
                self._running += 1
            threading.Thread(target=self._run, args=(name, work), name=f"tieline {name}", daemon=True).start()

    def _run(self, name: str, work: Work) -> None:
        has_left = False

        def leave() -> None:
            nonlocal has_left
            if not has_left:
                has_left = True
                self._free(name, is_done=True)

        pause: float | None = None
        try:
            pause = work(leave)
        finally:
            if pause is None:
                leave()
            elif has_left:
                # Its lane has continued, so it waits in a separate one.
                self._again(f"alone:{next(self._names)}", work, pause)
            else:
                self._free(name, is_done=False)
                self._again(name, work, pause)
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def _free(self, name: str, is_done: bool) -> None:
        """Releases the slot, and the lane if the work at its head is done."""
        with self._changed:
            self._busy -= 1
            if is_done:
                queue = self._queues[name]
                queue.popleft()
                if queue:
                    self._ready.append(name)
                else:
                    del self._queues[name]
            self._changed.notify_all()
        self._pump()

    def _again(self, name: str, work: Work, pause: float) -> None:
        def ready() -> None:
            with self._changed:
                self._timers.discard(timer)
                self._ready.append(name)
            self._pump()

        timer = threading.Timer(pause, ready)
        timer.daemon = True
        with self._changed:
            if self._stopped:
                return
            self._queues.setdefault(name, deque([work]))
            self._timers.add(timer)
        timer.start()

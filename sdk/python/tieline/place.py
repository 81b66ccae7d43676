"""The cursor of a polling bot."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol


class CursorStore(Protocol):
    """Stores the cursor of a polling bot. It should outlive the program."""

    def load(self) -> str:
        """Returns the id of the last handled record, or an empty text."""

    def save(self, cursor: str) -> None: ...


class CursorFile:
    """Stores the cursor in a file, which is replaced in one step so that a power failure cannot damage it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)

    def load(self) -> str:
        try:
            with open(self._path, encoding="utf-8") as file:
                return file.read().strip()
        except FileNotFoundError:
            return ""

    def save(self, cursor: str) -> None:
        with open(f"{self._path}.new", "w", encoding="utf-8") as file:
            file.write(cursor)
        os.replace(f"{self._path}.new", self._path)


class CursorMemory:
    """Stores nothing. A restart begins with the oldest record on the server, up to two days old."""

    def __init__(self) -> None:
        self._cursor = ""

    def load(self) -> str:
        return self._cursor

    def save(self, cursor: str) -> None:
        self._cursor = cursor


class _Record:
    def __init__(self, id: str) -> None:
        self.id, self.is_done = id, False


class Place:
    """Advances the cursor past records that were handled in any order: up to the first unhandled one."""

    def __init__(self, store: CursorStore) -> None:
        self._store = store
        self._under_way: deque[_Record] = deque()
        self._moved = threading.Condition()
        self.cursor = store.load()

    def enter(self, id: str) -> Callable[[], None]:
        """Adds a record, in the order of the queue. Returns a function to call when it was handled."""
        record = _Record(id)
        with self._moved:
            self._under_way.append(record)

        def done() -> None:
            with self._moved:
                record.is_done = True
                before = self.cursor
                while self._under_way and self._under_way[0].is_done:
                    self.cursor = self._under_way.popleft().id
                # Under the lock, so that an older cursor never overwrites a newer one.
                if self.cursor != before:
                    self._store.save(self.cursor)
                self._moved.notify_all()

        return done

    def wait_below(self, count: int, seconds: float) -> bool:
        """
        Waits until fewer records than `count` are being handled, or for `seconds`. Returns
        whether that is so.
        """
        with self._moved:
            return self._moved.wait_for(lambda: len(self._under_way) < count, seconds)

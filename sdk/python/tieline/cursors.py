"""Cursors: a polling bot's position in its queue."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol


class CursorStore(Protocol):
    """Stores the cursor of a polling bot across restarts."""

    def load(self) -> str:
        """Returns the id of the last finished record, or an empty text."""

    def save(self, cursor: str) -> None: ...


class CursorFile:
    """
    Stores the cursor in a file. Replaces the file atomically, so that a crash leaves no partial
    cursor.
    """

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
    """
    Stores the cursor only in memory. A restart begins with the oldest stored record, up to two days
    old.
    """

    def __init__(self) -> None:
        self._cursor = ""

    def load(self) -> str:
        return self._cursor

    def save(self, cursor: str) -> None:
        self._cursor = cursor


class _Record:
    def __init__(self, id: str) -> None:
        self.id, self.is_done = id, False


class CursorLedger:
    """
    Tracks finished records. The cursor moves past records that have nothing unfinished before them.
    """

    def __init__(self, store: CursorStore) -> None:
        self._store = store
        self._unfinished: deque[_Record] = deque()
        self._moved = threading.Condition()
        self.cursor = store.load()

    def enter(self, id: str) -> Callable[[], None]:
        """Registers the next record of the queue. Returns a function that marks it as finished."""
        record = _Record(id)
        with self._moved:
            self._unfinished.append(record)

        def done() -> None:
            with self._moved:
                record.is_done = True
                before = self.cursor
                while self._unfinished and self._unfinished[0].is_done:
                    self.cursor = self._unfinished.popleft().id
                # Under the lock, so that no older cursor overwrites a newer one.
                if self.cursor != before:
                    self._store.save(self.cursor)
                self._moved.notify_all()

        return done

    def wait_below(self, count: int, seconds: float) -> bool:
        """
        Waits until fewer than `count` records are unfinished, up to `seconds`. Returns whether that
        is the case.
        """
        with self._moved:
            return self._moved.wait_for(lambda: len(self._unfinished) < count, seconds)

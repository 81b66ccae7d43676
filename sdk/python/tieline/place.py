"""A polling bot's place in its queue."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol


class CursorStore(Protocol):
    """Where a polling bot keeps its place: it should outlive the program."""

    def load(self) -> str:
        """The id of the last record that was dealt with; empty: there is none yet."""

    def save(self, cursor: str) -> None: ...


class CursorFile:
    """In a file. One that is half written when the power fails would be no cursor: it changes in one step."""

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
    """Nowhere: a restart begins with the oldest record that the server has, up to two days old."""

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
    """Records are finished in any order: the place moves over those that have nothing unfinished before them."""

    def __init__(self, store: CursorStore) -> None:
        self._store = store
        self._under_way: deque[_Record] = deque()
        self._moved = threading.Condition()
        self.cursor = store.load()

    def enter(self, id: str) -> Callable[[], None]:
        """Records come in the order of the queue. Returns what to call when this one is done."""
        record = _Record(id)
        with self._moved:
            self._under_way.append(record)

        def done() -> None:
            with self._moved:
                record.is_done = True
                before = self.cursor
                while self._under_way and self._under_way[0].is_done:
                    self.cursor = self._under_way.popleft().id
                # Under the lock, so that no older place is written over a newer one.
                if self.cursor != before:
                    self._store.save(self.cursor)
                self._moved.notify_all()

        return done

    def wait_below(self, count: int, seconds: float) -> bool:
        """Waits until fewer records than that are under way, or for so long. Whether there are."""
        with self._moved:
            return self._moved.wait_for(lambda: len(self._under_way) < count, seconds)

"""A bounded cache of the latest entries, because bots run for months."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class RecentEntries(Generic[T]):
    """Thread-safe."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> T | None:
        """Returns the entry of a key."""
        with self._lock:
            return self._entries.get(key)

    def set(self, key: str, value: T) -> None:
        """Sets an entry. Removes the oldest ones beyond the limit."""
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            if len(self._entries) > self._size:
                self._entries.popitem(last=False)

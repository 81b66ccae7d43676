"""A map that keeps only its newest entries."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class BoundedMap(Generic[T]):
    """Thread-safe."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> T | None:
        """Returns the value of a key, if it is still stored."""
        with self._lock:
            return self._entries.get(key)

    def set(self, key: str, value: T) -> None:
        """Adds an entry and removes the oldest one if the map is full."""
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            if len(self._entries) > self._size:
                self._entries.popitem(last=False)

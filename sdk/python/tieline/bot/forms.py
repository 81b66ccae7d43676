"""The ways a bot receives events."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from ..client import Client
from .engine import Engine


@dataclass(frozen=True)
class Parts:
    """What every form of delivery needs."""

    client: Client
    engine: Engine
    #: Called when delivery cannot continue and retrying does not help: a revoked token, or another
    #: mode.
    fail: Callable[[BaseException], None]
    #: Set when the bot should stop.
    ended: threading.Event


class Form(ABC):
    """A form of delivery."""

    @abstractmethod
    def start(self) -> None:
        """Starts. Returns when the bot can be reached, or starts retrying to reach Tieline."""

    @abstractmethod
    def close(self) -> None:
        """Accepts nothing new. Events already received may still be acknowledged."""

    @abstractmethod
    def end(self) -> None:
        """Stops, after the last acknowledgement."""

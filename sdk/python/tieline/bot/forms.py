"""The ways in which a bot learns of what happens."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from ..client import Client
from .engine import Engine


@dataclass(frozen=True)
class Parts:
    """What every form works with."""

    client: Client
    engine: Engine
    #: The form can't go on, and trying again will not help: the token is revoked, the mode is another.
    fail: Callable[[BaseException], None]
    #: Set when the bot is to end.
    ended: threading.Event


class Form(ABC):
    """One of them."""

    @abstractmethod
    def start(self) -> None:
        """Begins; returns when the bot can be reached, or tries to reach Tieline."""

    @abstractmethod
    def close(self) -> None:
        """Takes in nothing new; what has come may still be acknowledged."""

    @abstractmethod
    def end(self) -> None:
        """Ends, after the last acknowledgement."""

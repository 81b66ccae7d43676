"""Ways of receiving activities."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from ..client import Client
from .engine import Engine


@dataclass(frozen=True)
class ConnectorDependencies:
    """Dependencies of a connector."""

    client: Client
    engine: Engine
    #: Called when the connector cannot continue and retrying does not help: revoked token, wrong
    #: mode.
    fail: Callable[[BaseException], None]
    #: Set when the bot stops.
    ended: threading.Event


class Connector(ABC):
    """A way of receiving activities."""

    @abstractmethod
    def start(self) -> None:
        """Starts receiving. Returns when listening, or when connecting has started."""

    @abstractmethod
    def close(self) -> None:
        """Accepts nothing new. Activities already received may still be acknowledged."""

    @abstractmethod
    def end(self) -> None:
        """Ends after the last acknowledgement."""

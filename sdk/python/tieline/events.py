"""The queue of a polling bot (docs/polling.md) as an iterator, for programs without `Bot`."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .errors import TielineError
from .cursors import CursorMemory, CursorStore, CursorLedger
from .retries import pause_before

if TYPE_CHECKING:
    from .client import Client

_WAIT = 25
#: Maximum number of unacknowledged records.
_MOST_OPEN = 500
#: Minimum intervals between requests, so that a busy queue fills pages and the rate limit is kept.
#: An empty page may arrive early.
_PAUSE, _EMPTY_PAUSE = 0.2, 1.0


@dataclass(frozen=True)
class PolledEvent:
    """A record of the queue. Until `ack` it is delivered again after a restart."""

    id: str
    event_id: str
    event_type: str
    payload: dict[str, Any]
    ack: Callable[[], None] = field(repr=False)


class Events:
    """
    Iterates over events without end. Continues after outages. Raises only errors that retrying
    cannot fix.
    """

    def __init__(self, client: Client, cursors: CursorStore | None = None) -> None:
        self._client, self._ledger = client, CursorLedger(cursors or CursorMemory())
        self._closed = threading.Event()

    def __iter__(self) -> Iterator[PolledEvent]:
        cursor, failures = self._ledger.cursor, 0
        while not self._closed.is_set():
            begun = time.monotonic()
            try:
                records = self._client.read_events(cursor, limit=100, wait=_WAIT)["events"]
                failures = 0
            except TielineError as error:
                if not error.is_outage:
                    raise
                failures += 1
                self._closed.wait(pause_before(failures + 1, error.retry_after))
                continue
            for record in records:
                cursor = record["id"]
                ack = self._ledger.enter(cursor)
                payload = json.loads(record["payload_json"])
                yield PolledEvent(cursor, record["event_id"], record["event_type"], payload, ack)
            while not self._closed.is_set() and not self._ledger.wait_below(_MOST_OPEN, 1.0):
                pass
            self._closed.wait(max(0.0, (_PAUSE if records else _EMPTY_PAUSE) - (time.monotonic() - begun)))

    def close(self) -> None:
        """Ends the iteration before the next page."""
        self._closed.set()

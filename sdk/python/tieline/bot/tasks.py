"""Tasks that people follow and finally accept or reject (docs/execution-tasks.md)."""

from __future__ import annotations

import threading
import time
from typing import Any

from ..client import Client
from ..errors import TielineError
from ..surface import Json, segment

_POLL_EVERY = 2.0


def begin_task(client: Client, conversation_id: str, message_id: str, title: str, key: str = "", **fields: Any) -> Task:
    """Creates a task in the thread of a message. There is one per message and `key`."""
    body = {"conversation_id": conversation_id, "parent_message_id": message_id, "title": title, **fields}
    idempotency_key = ":".join(filter(None, ("task", message_id, key)))
    answer = client.call("POST", "/api/v1/bot/execution_tasks", body, idempotency_key=idempotency_key)
    return Task(client, answer["execution_task"])


class Task:
    """A task. `fields` of a change: `title`, `description`, `public_text`."""

    def __init__(self, client: Client, record: Json) -> None:
        self._client, self._record = client, record

    @property
    def widget_id(self) -> str:
        """Id of the task."""
        return str(self._record["widget_id"])

    @property
    def status(self) -> str:
        """Status as of the last request."""
        return str(self._record["status"])

    def update(self, status: str | None = None, **fields: Any) -> None:
        """Updates the task. Statuses: `open`, `in_progress`, `blocked` or `completed`."""
        self._change({"action": "update", **({"status": status} if status else {}), **fields})

    def complete(self, public_text: str | None = None, **fields: Any) -> None:
        """Completes the task, so that people can review it."""
        self._change({"action": "complete", **({"public_text": public_text} if public_text else {}), **fields})

    def fail(self, public_text: str | None = None, **fields: Any) -> None:
        """Marks the task as failed."""
        self._change({"action": "fail", **({"public_text": public_text} if public_text else {}), **fields})

    def cancel(self) -> None:
        """Cancels the task."""
        self._change({"action": "cancel"})

    def review(self, timeout: float | None = None, stopping: threading.Event | None = None) -> str | None:
        """
        Waits until a person accepts or rejects the task, or it ends another way. Polls every two
        seconds.

        :returns: `accepted`, `rejected`, `cancelled` or `closed`; None when time is up or the bot
            stops
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        waiting = stopping or threading.Event()
        while not waiting.is_set():
            self._look()
            if self._record.get("closed_at") is not None:
                return self.status
            if deadline is not None and time.monotonic() + _POLL_EVERY > deadline:
                return None
            waiting.wait(_POLL_EVERY)
        return None

    def _look(self) -> None:
        self._record = self._client.call("GET", self._path)["execution_task"]

    def _change(self, change: Json) -> None:
        """
        Applies a change. If the task has changed in the meantime, retries on its current state.
        """
        while True:
            try:
                body = {**change, "sequence": self._record["sequence"]}
                self._record = self._client.call("PATCH", self._path, body)["execution_task"]
                return
            except TielineError as error:
                if error.code != "stale_sequence":
                    raise
            self._look()

    @property
    def _path(self) -> str:
        return f"/api/v1/bot/execution_tasks/{segment(self.widget_id)}"

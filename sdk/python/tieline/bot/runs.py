"""Agent runs (docs/agent-runs.md)."""

from __future__ import annotations

import re
import threading
from types import TracebackType
from typing import Any, Protocol, Self

from ..client import Client
from ..errors import TielineError
from ..surface import Json, segment
from .reports import Reports
from .stop_requests import StopRequests
from .tasks import Task, begin_task

_HEARTBEAT = 60.0


class Trigger(Protocol):
    """The message that a run answers, such as an `EventContext`."""

    @property
    def conversation_id(self) -> str: ...

    @property
    def message_id(self) -> str: ...


class Run:
    """
    `with bot.run(ctx) as run:` completes the run when the block ends and fails it when it raises,
    or cancels it if a person has stopped it.
    If the bot stops, the run stays open and is resumed when the message is handled again. There is
    one run per message and `key`.

    :param content: text shown until there is an answer
    :param thread: posts the answer in the thread of the trigger
    :param task: title of a task that people follow and review
    :param key: distinguishes several runs for one message
    """

    #: The run's task, if it has one.
    task: Task | None = None

    def __init__(
        self,
        client: Client,
        trigger: Trigger,
        *,
        content: str | None = None,
        thread: bool = False,
        task: str | None = None,
        key: str = "",
        heartbeat: float = _HEARTBEAT,
        stopping: threading.Event | None = None,
        stops: StopRequests | None = None,
    ) -> None:
        self._client, self._trigger = client, trigger
        self._content, self._thread, self._title, self._key = content, thread, task, key
        self._heartbeat = heartbeat
        self._stopping = stopping or threading.Event()
        self._stops = stops or StopRequests()
        self._files: list[str] = []
        self._record: Json = {}
        self._reports: Reports

    @property
    def id(self) -> str:
        """Id of the run."""
        return str(self._record["id"])

    @property
    def message_id(self) -> str:
        """The message that shows the run."""
        return str(self._record["message_id"])

    @property
    def public_text(self) -> str:
        """The answer so far."""
        return self._reports.text

    @property
    def is_over(self) -> bool:
        """Whether the run has ended, a person stopped it, or the bot stops."""
        return self._reports.ended.is_set() or self._stopping.is_set() or self.is_stop_requested

    @property
    def is_stop_requested(self) -> bool:
        """Whether a person asked the bot to stop."""
        return self._reports.stop_requested.is_set()

    def status(self, status: str) -> None:
        """
        Reports a status: `accepted`, `queued`, `gathering_context`, `using_tool`, `waiting_tool`,
        `waiting_user`, `finalizing`. If several follow in quick succession, only the last is shown.
        """
        self._reports.status(status)

    def append(self, text: str) -> None:
        """
        Appends to the answer, such as the output of a model. Text beyond 4000 characters is cut.
        """
        self._reports.append(text)

    def text(self, text: str) -> None:
        """Replaces the answer."""
        self._reports.replace(text)

    def attach(self, *file_ids: str) -> None:
        """Attaches files to the final answer: at most 15, already confirmed."""
        self._files.extend(file_ids)

    def cancel(self) -> None:
        """Cancels the run. Its message shows that it was stopped."""
        self._reports.close()
        if not self._reports.ended.is_set():
            self._client.call("POST", f"/api/v1/bot/agent_runs/{segment(self.id)}/cancel")
            self._reports.ended.set()

    def _cancel_if_open(self) -> None:
        try:
            self.cancel()
        except TielineError as error:
            if error.status != 409:  # the server has cancelled it
                raise

    def __enter__(self) -> Self:
        where = self._trigger
        if self._title is not None:
            self.task = begin_task(self._client, where.conversation_id, where.message_id, self._title, self._key)
        body: dict[str, Any] = {"conversation_id": where.conversation_id, "trigger_message_id": where.message_id}
        if self._content is not None:
            body["content"] = self._content
        if self._thread or self.task:
            body["parent_message_id"] = where.message_id
        if self.task:
            body["widget_id"] = self.task.widget_id
        key = ":".join(filter(None, ("run", where.message_id, self._key)))
        self._record = self._client.call("POST", "/api/v1/bot/agent_runs", body, idempotency_key=key)["agent_run"]
        self._reports = Reports(self._client, self._record, self._heartbeat)
        self._stops.add(self.id, self._reports.stop_requested)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stops.remove(self.id)
        if error is not None:
            self._give_up(error)
            return
        self._reports.close()
        files = {"attachments": [{"file_id": file_id} for file_id in self._files]} if self._files else {}
        # The API requires an answer.
        self._reports.finish("completed", public_text=self.public_text.strip() and self.public_text or "✓", **files)

    def _give_up(self, error: BaseException) -> None:
        """
        Reports the failure of the run, or its end after a person stopped it. The caller gets the
        original error, even if the report fails. Everyone can read its name.
        """
        try:
            self._reports.close()
            if self._stopping.is_set():
                return
            if self.is_stop_requested:
                self._cancel_if_open()
            else:
                code = re.sub(r"\W+", "_", type(error).__name__, flags=re.ASCII)[:64]
                self._reports.finish("failed", error_code=code or "error")
        except Exception as another:
            error.add_note(f"could not end the run: {another}")


class TaskRun(Run):
    """A run with a task, which exists inside the `with` block."""

    task: Task

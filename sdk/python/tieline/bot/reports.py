"""
Reports of an agent run: sent in order, one request at a time. Merges changes that come in quick
succession.
"""

from __future__ import annotations

import threading
from typing import Any

from ..client import Client
from ..errors import TielineError
from ..surface import Json, segment
from .engine import is_outage, log, pause_after

#: Minimum interval between reports, in seconds. The message changes no more often.
_PAUSE = 0.2
_MAX_CHARACTERS = 4000


class Reports:
    """
    Sends the reports of a run. Repeats the last report after a period of silence, so that the run
    does not expire. A repeat also detects a run that ended elsewhere.
    """

    def __init__(self, client: Client, record: Json, heartbeat: float) -> None:
        self._client, self._heartbeat = client, heartbeat
        self._path = f"/api/v1/bot/agent_runs/{segment(record['id'])}"
        self.text = ""
        self._shown = ""
        self._status: str = record["status"]
        self._sequence: int = record["sequence"]
        #: A resumed run sends its whole text again.
        self._is_fresh = not record.get("public_text")
        self._is_due = self._is_closing = False
        self._failed: BaseException | None = None
        #: Set when the run has ended, here or elsewhere.
        self.ended = threading.Event()
        #: Set when a person asked the bot to stop.
        self.stop_requested = threading.Event()
        if record.get("stop_requested_at"):
            self.stop_requested.set()
        if record["is_terminal"]:
            self.ended.set()
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="tieline run", daemon=True)
        self._thread.start()

    def status(self, status: str) -> None:
        """Reports a status."""
        self._wake(status=status)

    def append(self, text: str) -> None:
        """Appends to the answer."""
        self._wake(text=self.text + text, writes=True)

    def replace(self, text: str) -> None:
        """Replaces the answer."""
        self._wake(text=text)

    def close(self) -> None:
        """
        Sends pending changes and stops reporting.

        :raises TielineError: the error of a failed report
        """
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join()
        if self._failed is not None and not self.ended.is_set():
            raise self._failed

    def finish(self, status: str, **more: Any) -> None:
        """Sends the last report, unless the run ended elsewhere."""
        if not self.ended.is_set():
            self._patch({"status": status, **more})
            self.ended.set()

    def _wake(self, status: str | None = None, text: str | None = None, writes: bool = False) -> None:
        with self._changed:
            if status is not None:
                self._status = status
            if text is not None:
                self.text = text[:_MAX_CHARACTERS]
            if writes and self._status in ("accepted", "queued"):
                self._status = "finalizing"
            self._is_due = True
            self._changed.notify_all()

    def _work(self) -> None:
        failures = 0
        while not self.ended.is_set():
            with self._changed:
                self._changed.wait_for(lambda: self._is_due or self._is_closing, self._heartbeat)
                if self._is_closing and not self._is_due:
                    return
                self._is_due = False
                text, change = self.text, {"status": self._status, **self._change()}
            try:
                self._patch(change)
            except Exception as error:
                if not is_outage(error):
                    self._failed = error
                    return
                failures += 1
                log.warning("a report of an agent run waits until the server is back: %s", error)
                self._is_due = True
                self.ended.wait(pause_after(failures, getattr(error, "retry_after", None)))
                continue
            self._shown, self._is_fresh, failures = text, True, 0
            with self._changed:
                self._changed.wait_for(lambda: self._is_closing, _PAUSE)

    def _change(self) -> Json:
        if self.text == self._shown:
            return {}
        if self._is_fresh and self.text.startswith(self._shown):
            return {"append": self.text[len(self._shown) :]}
        return {"public_text": self.text}

    def _patch(self, change: Json) -> None:
        """
        Sends a change. If another process of the bot has reported in the meantime, continues after
        its sequence number.
        """
        while True:
            self._sequence += 1
            try:
                answer = self._client.call("PATCH", self._path, {**change, "sequence": self._sequence})
                if answer.get("stop_requested"):
                    self.stop_requested.set()
                return
            except TielineError as error:
                if error.status != 409:
                    raise
                now = self._client.call("GET", self._path)["agent_run"]
                if now["is_terminal"]:
                    self.ended.set()
                    return
                if now["sequence"] < self._sequence:
                    raise
                self._sequence, self._is_fresh = now["sequence"], False
                # Send the whole text again.
                if "append" in change:
                    change = {**{name: value for name, value in change.items() if name != "append"}, "public_text": self.text}

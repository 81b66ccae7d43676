"""Stop requests of people for running agent runs (docs/agent-runs.md#stop)."""

from __future__ import annotations

import threading

from .activity import Activity

_STOP = "agent_run.stop_requested"


class StopRequests:
    """The runs of a bot in this process, so that a person's Stop reaches them as soon as it arrives."""

    def __init__(self) -> None:
        self._stops: dict[str, threading.Event] = {}

    def add(self, run_id: str, stop: threading.Event) -> None:
        """Sets the event when a person stops the run."""
        self._stops[run_id] = stop

    def remove(self, run_id: str) -> None:
        """Forgets the run."""
        self._stops.pop(run_id, None)

    def arrived(self, activity: Activity) -> None:
        """Looks at an activity when it arrives, because its lane may be held by the run itself."""
        stop = self._stops.get(str(activity.payload.get("run_id"))) if is_stop(activity) else None
        if stop is not None:
            stop.set()


def is_stop(activity: Activity) -> bool:
    """Whether the activity must not wait for others of its conversation, such as for the run."""
    return activity.type == _STOP

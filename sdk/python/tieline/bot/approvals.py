"""Questions to people, which they approve, deny or answer (docs/approvals.md)."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from ..client import Client
from ..errors import TielineError
from ..surface import Json, segment
from .engine import pause_after

_PATH = "/api/v1/bot/approvals"
_WAIT = 25


@dataclass(frozen=True)
class AskResult:
    """The end of an approval."""

    #: `approved`, `denied`, `answered`, `expired` or `cancelled`.
    state: str
    #: The chosen option. None if the approval expired or was cancelled.
    option_id: str | None
    comment: str | None
    #: Values of the form, by field id.
    values: Json
    #: Ids of the people who decided.
    decided_by: list[str]
    #: The whole approval.
    approval: Json = field(repr=False)

    @property
    def is_approved(self) -> bool:
        """Whether people, or a rule, approved."""
        return self.state == "approved"


def ask(
    client: Client, conversation_id: str, title: str, external_id: str, stopping: threading.Event, **fields: Any
) -> AskResult | None:
    """
    Asks people and waits for their decision, however long it takes. Continues after outages of
    Tieline.

    :returns: None when the bot stops first
    :raises TielineError: when Tieline refuses the question
    """
    body = {"conversation_id": conversation_id, "title": title, "external_id": external_id, **fields}
    approval: Json | None = None
    failures = 0
    while not stopping.is_set():
        try:
            approval = _post(client, body) if approval is None else _read(client, str(approval["id"]))
            failures = 0
        except TielineError as error:
            if not error.is_outage:
                raise
            stopping.wait(pause_after(failures, error.retry_after))
            failures += 1
            continue
        if approval["state"] != "pending":
            return _result_of(approval)
    return None


def _post(client: Client, body: Json) -> Json:
    approval: Json = client.call("POST", _PATH, body)["approval"]
    return approval


def _read(client: Client, approval_id: str) -> Json:
    query = {"wait": _WAIT}
    path = f"{_PATH}/{segment(approval_id)}"
    approval: Json = client.call("GET", path, query=query, timeout=_WAIT + 15.0)["approval"]
    return approval


def _result_of(approval: Json) -> AskResult:
    result = approval["result"] or {}
    return AskResult(
        state=str(approval["state"]),
        option_id=result.get("option_id"),
        comment=result.get("comment"),
        values=result.get("values") or {},
        decided_by=result.get("decided_by") or [],
        approval=approval,
    )

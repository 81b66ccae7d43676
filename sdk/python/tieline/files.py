"""Uploads a file in one call."""

from __future__ import annotations

import mimetypes
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from .errors import TielineError
from .retries import is_worth_retrying, pause_before
from .surface import Json, segment
from .transport import Transport

if TYPE_CHECKING:
    from .client import Client


@dataclass(frozen=True)
class Upload:
    """An uploaded file."""

    file_id: str
    file: Json

    @property
    def attachment(self) -> dict[str, str]:
        """The item for `attachments` of a message."""
        return {"file_id": self.file_id}


def upload_file(
    client: Client, conversation_id: str, data: bytes | str | os.PathLike[str], name: str, mime_type: str
) -> Upload:
    """
    Creates a session, transfers the bytes and confirms.

    :raises TielineError: the error of a failed step; nothing visible is left
    """
    if not isinstance(data, bytes):
        path = Path(data)
        name, data = name or path.name, path.read_bytes()
    name = name or "file"
    kind = mime_type or mimetypes.guess_type(name)[0] or "application/octet-stream"
    about = {"conversation_id": conversation_id, "file_name": name, "file_size": len(data), "mime_type": kind}
    session = client.call("POST", "/api/v1/bot/files/upload_sessions", about)["upload"]
    _put(client, session, data)
    confirmed = client.call(
        "POST",
        f"/api/v1/bot/files/{segment(session['file_id'])}/confirm",
        {"conversation_id": conversation_id},
        headers={"idempotency-key": session["file_id"]},  # confirming is idempotent
    )
    return Upload(session["file_id"], confirmed.get("file", {}))


def _put(client: Client, session: Json, data: bytes) -> None:
    """Transfers the bytes to the storage with the headers of the session and without the token."""
    parts = urlsplit(session["upload_url"])
    store = Transport(f"{parts.scheme}://{parts.netloc}", client.transport.context)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    try:
        for failures in range(1, client.retries + 2):
            status, lost = 0, None
            try:
                status = store.send(session["method"], target, session["headers"], data, client.timeout, True).status
            except TielineError as error:
                lost = error
            # `already stored`: an earlier response was lost. The confirmation checks that the file is complete.
            if 200 <= status < 300 or (status == 403 and failures > 1):
                return
            if failures > client.retries or not is_worth_retrying(status, True):
                raise lost or TielineError(f"the storage rejected the bytes: {status}", status=status, code=f"http_{status}")
            client.pause(pause_before(failures, None))
    finally:
        store.close()

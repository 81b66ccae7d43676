"""A sender for incoming webhooks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

from .client import Client
from .signatures import sign
from .surface import Json, segment


class IncomingWebhook:
    """
    Posts to an incoming webhook. Signs each attempt with a new timestamp and retries after outages
    without posting twice.

    :param url: address of the webhook (`/api/v1/webhooks/incoming/…`)
    :param secret: its signing secret; None if signatures are not required
    """

    def __init__(
        self,
        url: str,
        secret: str | None = None,
        *,
        scheme: Literal["incoming_native", "incoming_compat"] = "incoming_native",
        timeout: float = 30.0,
        retries: int = 4,
    ) -> None:
        parts = urlsplit(url)
        self._path, self._secret, self._scheme = parts.path, secret, scheme
        #: Latest timestamp used for each body, and the key of its request.
        self._signed: dict[bytes, tuple[int, str]] = {}
        self._lock = threading.Lock()
        self._client = _Signing(f"{parts.scheme}://{parts.netloc}", self._headers, timeout, retries)

    def send(self, text: str = "", *, idempotency_key: str | None = None, **fields: Any) -> Json:
        """
        Posts a message, such as `send("down", severity="critical", dedup_key="db1")`. Returns its
        `message_id`.
        """
        return self.post({**({"text": text} if text else {}), **fields}, idempotency_key=idempotency_key)

    def post(self, body: Mapping[str, Any], *, idempotency_key: str | None = None) -> Json:
        """Posts a body in any format of docs/incoming-webhooks.md."""
        return self._client.call("POST", self._path, dict(body), idempotency_key=idempotency_key)

    def resolve(self, dedup_key: str, text: str = "", **fields: Any) -> Json:
        """
        Marks the alert of a `dedup_key` as resolved: edits its open message and releases the key.
        """
        return self.post({"text": text, **fields, "dedup_key": dedup_key, "resolved": True})

    def edit(self, message_id: str, text: str = "", **fields: Any) -> Json:
        """Replaces the content of a message of this webhook."""
        body = {**({"text": text} if text else {}), **fields}
        return self._client.call("PATCH", f"{self._path}/messages/{segment(message_id)}", body)

    def delete(self, message_id: str) -> None:
        """Deletes a message of this webhook."""
        self._client.call("DELETE", f"{self._path}/messages/{segment(message_id)}")

    def close(self) -> None:
        """Closes idle connections."""
        self._client.close()

    def _headers(self, body: bytes, key: str) -> dict[str, str]:
        if self._secret is None:
            return {}
        return sign(self._scheme, self._secret, body, timestamp=self._timestamp_for(body, key))

    def _timestamp_for(self, body: bytes, key: str) -> int:
        """
        Returns a timestamp not yet used for another request with this body. The server accepts a
        signature once, and equal bodies in the same second would have the same signature.
        """
        now = int(time.time())
        with self._lock:
            self._signed = {one: seen for one, seen in self._signed.items() if seen[0] >= now}
            at, of = self._signed.get(body, (0, key))
            at = max(now, at if key and of == key else at + 1)
            self._signed[body] = (at, key)
            return at


class _Signing(Client):
    """A client that signs each attempt and sends no bearer token."""

    def __init__(self, url: str, headers: Callable[[bytes, str], dict[str, str]], timeout: float, retries: int) -> None:
        super().__init__(url, "none", timeout=timeout, retries=retries)
        self._made = headers

    @property
    def authorization(self) -> dict[str, str]:
        return {name: value for name, value in super().authorization.items() if name != "authorization"}

    def signed(self, headers: dict[str, str], raw: bytes | None) -> dict[str, str]:
        return {**headers, **self._made(raw or b"", headers.get("idempotency-key", ""))}

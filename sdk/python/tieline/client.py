"""The HTTP client of bots: `call` sends all requests, the other methods cover common tasks."""

from __future__ import annotations

import json
import logging
import os
import ssl
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self
from urllib.parse import urlencode, urlsplit

from .errors import TielineError
from .events import Events
from .files import Upload, upload_file
from .cursors import CursorStore
from .retries import MAX_PAUSE, is_worth_retrying, name_of, pause_before, retry_after, takes_key
from .sockets import Envelopes
from .stream import Stream
from .surface import Json, Surface
from .transport import Answer, Transport
from .version import VERSION

log = logging.getLogger("tieline")

#: Advice added to errors, by code.
_ADVICE = {
    "bot_not_in_conversation": "join the channel first: client.join(conversation_id), or an admin adds the bot",
    "token_of_a_person": "use the token of a bot, which starts with tlb_",
}
DEFAULT_URL = "http://127.0.0.1:3000"


class Client(Surface):
    """
    Client of a bot. Thread-safe.

    Retries temporary failures: 429 always, 502, 503, 504 and network failures if a repeat is safe.
    Waits for Retry-After or with exponential backoff. Writes that accept an Idempotency-Key get
    one, the same for all attempts.

    :param url: address of Tieline, such as `https://chat.example.com`. A path is kept as a prefix.
        Default: TIELINE_URL, else this machine
    :param token: token of the bot. Default: TIELINE_TOKEN
    :param timeout: seconds that an attempt may wait for the next bytes of the response
    :param retries: maximum number of retries of a failed request
    :param context: for servers with a private certificate
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 30.0,
        retries: int = 4,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self.url = (url or os.environ.get("TIELINE_URL") or DEFAULT_URL).rstrip("/")
        self.token = token or os.environ.get("TIELINE_TOKEN") or ""
        if not self.token:
            raise ValueError("a token is required: pass Client(token=…) or set TIELINE_TOKEN")
        self.timeout, self.retries = timeout, retries
        self.transport = Transport(self.url, context)
        self._closed = threading.Event()

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Json:
        """
        Calls an endpoint, such as `call("POST", "/api/v1/bot/messages", {…})`, and returns its
        parsed response. `{}` for an empty one.

        :param query: None values are omitted
        :param idempotency_key: replaces the generated key; makes any write repeatable
        :raises TielineError: for any final status other than 2xx
        """
        if not path.startswith("/"):
            raise ValueError("path must start with /")
        sent = self._headers(method, path, headers or {}, idempotency_key)
        raw = None
        if body is not None:
            raw = json.dumps(body, ensure_ascii=False).encode()
            sent.setdefault("content-type", "application/json")
        answer = self._send(method, path + _query(query), sent, raw, timeout or self.timeout, retries)
        parsed = _parsed(name_of(method, path), answer)
        for warning in parsed.get("warnings") or ():
            log.warning("%s: %s", name_of(method, path), warning)
        return parsed

    @property
    def authorization(self) -> dict[str, str]:
        """Headers that identify the caller."""
        return {"authorization": f"Bearer {self.token}", "user-agent": f"tieline-python/{VERSION}"}

    def list(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[Json]:
        """
        Iterates over all items of a list with cursors, loading pages as needed. Items added during
        the iteration may or may not be included.
        """
        cursor: str | None = None
        while True:
            page = self.call("GET", path, query={"limit": 200, **(query or {}), "cursor": cursor})
            yield from next((value for name, value in page.items() if name != "warnings" and isinstance(value, list)), ())
            cursor = page.get("next_cursor") or None
            if cursor is None:
                return

    def upload(
        self, conversation_id: str, data: bytes | str | os.PathLike[str], *, name: str = "", mime_type: str = ""
    ) -> Upload:
        """
        Uploads a file in one call: creates a session, transfers the bytes, confirms.

        :param data: the bytes, or the path of a file
        :returns: the file; put its `attachment` into the `attachments` of a message
        """
        return upload_file(self, conversation_id, data, name, mime_type)

    def direct_messages(self, last_event_id: str = "") -> Stream:
        """
        Streams the bot's direct messages without end. Reconnects and resumes when the connection
        breaks.
        """
        return Stream(self, last_event_id)

    def events(self, cursors: CursorStore | None = None) -> Events:
        """
        Reads the queue of a bot in mode `poll` without end: `for event in
        client.events(CursorFile("cursor")): …; event.ack()`. To write a bot, use `Bot`, which does
        more.
        """
        return Events(self, cursors)

    def socket(self, **told: Callable[..., None]) -> Envelopes:
        """
        Receives the bot's events, clicks and commands over a socket without end: `for envelope in
        client.socket(): …; envelope.ack(answer)`. To write a bot, use `Bot`, which is based on it.

        :param told: callbacks `on_open()`, `on_trouble(error)`, `on_refused_answer(refusal)`
        """
        return Envelopes(self, **told)

    def signed(self, headers: dict[str, str], raw: bytes | None) -> dict[str, str]:
        """Returns the headers of an attempt. Subclasses that sign each attempt override it."""
        return headers

    def pause(self, seconds: float) -> bool:
        """Waits. Returns True if the client was closed in the meantime."""
        return self._closed.wait(seconds)

    def close(self) -> None:
        """Closes idle connections and ends delays between attempts. Running requests finish."""
        self._closed.set()
        self.transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _headers(self, method: str, path: str, given: Mapping[str, str], key: str | None) -> dict[str, str]:
        headers = {"accept": "application/json", **self.authorization}
        headers.update((name.lower(), value) for name, value in given.items())
        if key is not None:
            headers["idempotency-key"] = key
        elif takes_key(method, path):
            headers.setdefault("idempotency-key", uuid.uuid4().hex)
        return headers

    def _send(
        self, method: str, target: str, headers: dict[str, str], raw: bytes | None, timeout: float, retries: int | None
    ) -> Answer:
        repeatable = method != "POST" or "idempotency-key" in headers
        tries = (self.retries if retries is None else retries) + 1
        for failures in range(1, tries + 1):
            try:
                # An idle connection may be dead. Requests that must not be repeated use a new one.
                fresh = not repeatable or failures > 1
                answer = self.transport.send(method, target, self.signed(headers, raw), raw, timeout, fresh)
                error = _refusal(method, target, answer)
            except TielineError as lost:
                answer, error = None, _named(method, target, lost)
            if answer is not None and error is None:
                return answer
            assert error is not None
            asked = error.retry_after
            if failures == tries or (asked or 0) > MAX_PAUSE or not _should_retry(error, repeatable):
                raise error
            if self.pause(pause_before(failures, asked)):
                raise error
        raise AssertionError("a client makes at least one attempt")


def _should_retry(error: TielineError, repeatable: bool) -> bool:
    return error.code != "redirect_refused" and is_worth_retrying(error.status, repeatable)


def _query(query: Mapping[str, Any] | None) -> str:
    given = {name: value for name, value in (query or {}).items() if value is not None}
    words = [(name, str(value).lower() if isinstance(value, bool) else str(value)) for name, value in given.items()]
    return f"?{urlencode(words)}" if words else ""


def _named(method: str, target: str, lost: TielineError) -> TielineError:
    return TielineError(f"{name_of(method, target)}: {lost}", code=lost.code)


def _refusal(method: str, target: str, answer: Answer) -> TielineError | None:
    """Returns the error of a response, if it is not 2xx."""
    name, status = name_of(method, target), answer.status
    if 200 <= status < 300:
        return None
    if 300 <= status < 400:
        where = urlsplit(answer.headers.get("location", "")).netloc or "elsewhere"
        return TielineError(f"{name}: redirected to {where}. Redirects are not followed", code="redirect_refused")
    text = answer.body.decode("utf-8", "replace")
    try:
        body: Any = json.loads(text)
    except ValueError:
        body = text
    told: Mapping[str, Any] = body if isinstance(body, dict) else {}
    field, code = told.get("field"), str(told.get("code") or f"http_{status}")
    where = code + (f", field {field}" if field else "")
    advice = f"; {_ADVICE[code]}" if code in _ADVICE else ""
    return TielineError(
        f"{name}: {status} {told.get('error') or 'no reason given'} ({where}){advice}",
        status=status,
        code=code,
        field=field,
        retry_after=retry_after(answer.headers),
        request_id=answer.headers.get("x-request-id"),
        body=body,
    )


def _parsed(name: str, answer: Answer) -> Json:
    if not answer.body.strip():
        return {}
    try:
        body = json.loads(answer.body)
        if isinstance(body, dict):
            return body
    except ValueError:
        pass
    text = answer.body[:200].decode("utf-8", "replace")
    raise TielineError(
        f"{name}: the response is not a JSON object. Is this the address of Tieline?", code="invalid_answer", body=text
    )

"""The HTTP client of bots: `call` is the one door, the rest are names for what bots do most."""

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
from .place import CursorStore
from .retries import LONGEST_PAUSE, may_pass, name_of, pause_before, retry_after, takes_key
from .sockets import Envelopes
from .stream import Stream
from .surface import Json, Surface
from .transport import Answer, Transport
from .version import VERSION

log = logging.getLogger("tieline")

#: What to do about a refusal, by its code.
_ADVICE = {
    "bot_not_in_conversation": "join the channel first: client.join(conversation_id), or an admin adds the bot",
    "token_of_a_person": "a bot's own token is needed, which begins with tlb_",
}
DEFAULT_URL = "http://127.0.0.1:3000"


class Client(Surface):
    """
    Speaks to a Tieline as a bot. One client serves any number of threads.

    Requests that failed for a moment are repeated (429, and, where a repeat does no harm, 502, 503, 504 and network failures), after
    Retry-After or growing pauses. Writes that take an Idempotency-Key get one, the same in all tries.

    :param url: where it runs, such as `https://chat.example.com`; a path is kept as a prefix. Else TIELINE_URL, else this machine
    :param token: the bot's token; else TIELINE_TOKEN
    :param timeout: seconds that one try may wait for the next bytes of its answer
    :param retries: how often a request that failed is tried again at most
    :param context: for servers whose certificate only you know
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
            raise ValueError("a token is needed: Client(token=…), or TIELINE_TOKEN")
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
        Calls an endpoint, such as `call("POST", "/api/v1/bot/messages", {…})`, and returns its answer, parsed; `{}` for an empty one.

        :param query: what is None is left out
        :param idempotency_key: instead of a key of its own; makes any write repeatable
        :raises TielineError: for whatever is not 2xx in the end
        """
        if not path.startswith("/"):
            raise ValueError("path must begin with /")
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
        """The headers that say who calls."""
        return {"authorization": f"Bearer {self.token}", "user-agent": f"tieline-python/{VERSION}"}

    def list(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[Json]:
        """
        All items of a list that pages by `cursor`, page by page as they are taken. What is added meanwhile may or may not be among them.
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
        Uploads a file in one call: session, bytes, confirmation.

        :param data: the bytes, or the path of a file
        :returns: the file; its `attachment` goes into the `attachments` of a message
        """
        return upload_file(self, conversation_id, data, name, mime_type)

    def direct_messages(self, last_event_id: str = "") -> Stream:
        """The bot's direct messages as they come, without end: opened again whenever it breaks, from where it broke."""
        return Stream(self, last_event_id)

    def events(self, cursors: CursorStore | None = None) -> Events:
        """
        The queue of a bot in mode `poll`, without end: `for event in client.events(CursorFile("cursor")): …; event.ack()`. To write a bot,
        use `Bot`, which does more.
        """
        return Events(self, cursors)

    def socket(self, **told: Callable[..., None]) -> Envelopes:
        """
        The bot's events, clicks and commands over a socket, without end: `for envelope in client.socket(): …; envelope.ack(answer)`. To
        write a bot, use `Bot`, which stands on it.

        :param told: `on_open()`, `on_trouble(error)`, `on_refused_answer(refusal)`
        """
        return Envelopes(self, **told)

    def signed(self, headers: dict[str, str], raw: bytes | None) -> dict[str, str]:
        """The headers of one try; what signs each try afresh overrides it."""
        return headers

    def pause(self, seconds: float) -> bool:
        """Waits; True when the client was closed meanwhile."""
        return self._closed.wait(seconds)

    def close(self) -> None:
        """Closes kept connections and cuts pauses between tries short; what is on its way goes on to its end."""
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
                # Of a connection that was kept nobody knows whether it still lives: what must not come twice gets a fresh one.
                fresh = not repeatable or failures > 1
                answer = self.transport.send(method, target, self.signed(headers, raw), raw, timeout, fresh)
                error = _refusal(method, target, answer)
            except TielineError as lost:
                answer, error = None, _named(method, target, lost)
            if answer is not None and error is None:
                return answer
            assert error is not None
            asked = error.retry_after
            if failures == tries or (asked or 0) > LONGEST_PAUSE or not _is_worth(error, repeatable):
                raise error
            if self.pause(pause_before(failures, asked)):
                raise error
        raise AssertionError("a client tries once at least")


def _is_worth(error: TielineError, repeatable: bool) -> bool:
    return error.code != "redirect_refused" and may_pass(error.status, repeatable)


def _query(query: Mapping[str, Any] | None) -> str:
    given = {name: value for name, value in (query or {}).items() if value is not None}
    words = [(name, str(value).lower() if isinstance(value, bool) else str(value)) for name, value in given.items()]
    return f"?{urlencode(words)}" if words else ""


def _named(method: str, target: str, lost: TielineError) -> TielineError:
    return TielineError(f"{name_of(method, target)}: {lost}", code=lost.code)


def _refusal(method: str, target: str, answer: Answer) -> TielineError | None:
    """The error that an answer stands for, if it is not 2xx."""
    name, status = name_of(method, target), answer.status
    if 200 <= status < 300:
        return None
    if 300 <= status < 400:
        where = urlsplit(answer.headers.get("location", "")).netloc or "elsewhere"
        return TielineError(f"{name}: redirected to {where}, which is not followed", code="redirect_refused")
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
        f"{name}: the answer is no JSON object; is this the address of a Tieline?", code="invalid_answer", body=text
    )

"""
Handles the POST requests of Tieline, pushes and callbacks, at any path (docs/push.md,
docs/buttons-and-menus.md).
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..signatures import Scheme, is_genuine
from .answers import Answer, AnswerChannel, LateAnswers, Why, as_command_answer
from .engine import Engine, Outcome
from .incoming import IncomingEvent, event_from_payload, event_from_envelope, type_of_callback
from .recent import RecentEntries

#: Tieline waits 3 seconds for the answer to a click, form or command, one second for choices, and 5
#: for a push.
_PATIENCE, _OPTIONS_PATIENCE, _PUSH_PATIENCE = 2.5, 0.8, 4.5
#: How long Tieline usually needs to apply a reply. There is no confirmation.
_CARRIED_OUT_WITHIN = 0.25
_FIRST_PUSH_RETRY, _LONGEST_PUSH_RETRY = 5, 320
_JSON = {"content-type": "application/json"}


@dataclass(frozen=True)
class Reply:
    """Response to a request."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class Receiver:
    """:param secrets: a signature by any of them is accepted; without secrets none is"""

    def __init__(self, engine: Engine, secrets: Sequence[str]) -> None:
        self._engine, self._secrets = engine, list(secrets)
        self._replies: RecentEntries[_CallbackChannel] = RecentEntries(1000)

    @property
    def has_secrets(self) -> bool:
        """Whether signatures can be verified."""
        return any(self._secrets)

    def receive(self, headers: Mapping[str, str], body: bytes, method: str = "POST") -> Reply:
        """
        Returns the reply to a request, after at most the time Tieline waits. For any
        framework: pass the raw bytes.

        :param headers: names in any case
        """
        if method != "POST":
            return Reply(405)
        known = {name.lower(): value for name, value in headers.items()}
        given = known.get("x-service-signature", "")
        scheme: Scheme = "bot_push" if given.startswith("v1=") else "outgoing"
        if not is_genuine(self._secrets, known, body, scheme=scheme):
            return Reply(401)
        try:
            payload = json.loads(body)
        except ValueError:
            return Reply(400)
        if not isinstance(payload, dict):
            return Reply(400)
        if scheme == "bot_push":
            return self._push(event_from_envelope(payload), known.get("x-service-attempt", "1"))
        return self._callback(payload, given)

    def _push(self, event: IncomingEvent, attempt: str) -> Reply:
        """Acknowledges when the event is handled. A longer handler is asked for again, but not run again."""
        ended = _Ended()
        self._engine.take(event, _PushChannel(), ended.tell)
        outcome = ended.wait(_PUSH_PATIENCE)
        if outcome is not None:
            return Reply(503 if outcome == "again" else 200)
        tries = int(attempt) if attempt.isdecimal() else 1
        wait = min(_FIRST_PUSH_RETRY * 2 ** min(tries - 1, 10), _LONGEST_PUSH_RETRY)
        # 429 instead of 503: the bot works and only needs time.
        return Reply(429, headers={"retry-after": str(wait)})

    def _callback(self, payload: Mapping[str, Any], signature: str) -> Reply:
        event_type = type_of_callback(payload)
        if not event_type:
            return Reply(200, b"{}", _JSON)
        event = event_from_payload(event_type, payload, signature.partition("=")[2])
        channel = self._replies.get(event.key)
        if channel is None:
            channel = _CallbackChannel(event)
            # A request may come twice if its connection broke. The answer is the same.
            self._replies.set(event.key, channel)
            self._engine.take(event, channel, channel.ended)
        return channel.wait()


class _Ended:
    """Waits for an outcome."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._outcome: Outcome | None = None

    def tell(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self._event.set()

    def wait(self, seconds: float) -> Outcome | None:
        self._event.wait(seconds)
        return self._outcome


class _PushChannel(AnswerChannel):
    """A push needs no answer besides the status."""

    retries = "server"

    def settle(self, answer: Answer | None, why: Why, late: LateAnswers) -> bool:
        return True


class _CallbackChannel(AnswerChannel):
    """The reply to the request is the answer. Tieline asks once."""

    retries = "nobody"

    def __init__(self, event: IncomingEvent) -> None:
        self._happening = event
        self.patience = _OPTIONS_PATIENCE if event.kind == "options" else _PATIENCE
        self._given = threading.Event()
        self._reply = Reply(503)

    def settle(self, answer: Answer | None, why: Why, late: LateAnswers) -> bool:
        given = as_command_answer(answer) if answer and self._happening.kind == "command" else answer
        self._give(Reply(200, json.dumps(given or {}).encode(), _JSON))
        if answer is not None and why != "end":
            time.sleep(_CARRIED_OUT_WITHIN)  # the next answer must not overtake it
        return True

    def ended(self, outcome: Outcome) -> None:
        """Keeps an answer that was already settled. Reports a failure, so that the person can try again."""
        failed = Reply(503 if outcome == "again" else 500)
        self._give(Reply(200, b"{}", _JSON) if outcome == "done" else failed)

    def wait(self) -> Reply:
        """Returns the reply. A closed form ignores it, so its handler is not awaited."""
        in_time = self._given.wait(_PATIENCE if self._happening.kind == "closed" else _PATIENCE + 0.4)
        return self._reply if in_time or self._happening.kind != "closed" else Reply(200, b"{}", _JSON)

    def _give(self, reply: Reply) -> None:
        if not self._given.is_set():
            self._reply = reply
            self._given.set()

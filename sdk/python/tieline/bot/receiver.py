"""Receives pushes and callbacks at any path (docs/push.md, docs/interactive.md)."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..signatures import Scheme, is_genuine
from .answers import Answer, AnswerSender, LateAnswers, SettleReason, as_command_answer
from .engine import Engine, Outcome
from .activity import Activity, to_activity, envelope_to_activity, callback_type
from .bounded_map import BoundedMap

#: Tieline waits 3 seconds for the response to a click, form or command, 1 second for choices and 5
#: for a push.
_ANSWER_WITHIN, _SUGGEST_WITHIN, _ACKNOWLEDGE_WITHIN = 2.5, 0.8, 4.5
#: Assumed time until Tieline has processed a response. Nothing signals it.
_PROCESSING_TIME = 0.25
_FIRST_PUSH_RETRY, _LONGEST_PUSH_RETRY = 5, 320
_JSON = {"content-type": "application/json"}


@dataclass(frozen=True)
class Reply:
    """Response to a request."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """A request. `path` includes the query."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


def scheme_of(headers: Mapping[str, str]) -> Scheme:
    """Returns the scheme of a signed request. `headers` have lower-case names."""
    return "bot_push" if headers.get("x-service-signature", "").startswith("v1=") else "outgoing"


class Receiver:
    """
    Receives signed requests.

    :param secrets: a signature with any of them is accepted; without secrets none is
    """

    def __init__(self, engine: Engine, secrets: Sequence[str]) -> None:
        self._engine, self._secrets = engine, list(secrets)
        self._replies: BoundedMap[_CallbackAnswerSender] = BoundedMap(1000)

    @property
    def has_secrets(self) -> bool:
        """Whether any secret is set."""
        return any(self._secrets)

    def receive(self, headers: Mapping[str, str], body: bytes, method: str = "POST") -> Reply:
        """
        Returns the response to a request within the time that Tieline waits. Works with any
        framework: pass it the raw bytes.

        :param headers: with names in any case
        """
        if method != "POST":
            return Reply(405)
        known = {name.lower(): value for name, value in headers.items()}
        scheme = scheme_of(known)
        if not is_genuine(self._secrets, known, body, scheme=scheme):
            return Reply(401)
        try:
            payload = json.loads(body)
        except ValueError:
            return Reply(400)
        if not isinstance(payload, dict):
            return Reply(400)
        if scheme == "bot_push":
            return self._push(envelope_to_activity(payload), known.get("x-service-attempt", "1"))
        return self._callback(payload, known.get("x-service-signature", ""))

    def handle(self, request: Request) -> Reply:
        """Like `receive`, at any path."""
        return self.receive(request.headers, request.body, request.method)

    def _push(self, activity: Activity, attempt: str) -> Reply:
        """
        Acknowledges a push once it is handled. If that accepts longer, Tieline sends it again, and it
        is not handled again.
        """
        ended = _Ended()
        self._engine.handle(activity, _PushAnswerSender(), ended.tell)
        outcome = ended.wait(_ACKNOWLEDGE_WITHIN)
        if outcome is not None:
            return Reply(503 if outcome == "again" else 200)
        tries = int(attempt) if attempt.isdecimal() else 1
        wait = min(_FIRST_PUSH_RETRY * 2 ** min(tries - 1, 10), _LONGEST_PUSH_RETRY)
        # 429 instead of 503: the bot works, it only needs time.
        return Reply(429, headers={"retry-after": str(wait)})

    def _callback(self, payload: Mapping[str, Any], signature: str) -> Reply:
        event_type = callback_type(payload)
        if not event_type:
            return Reply(200, b"{}", _JSON)
        activity = to_activity(event_type, payload, signature.partition("=")[2])
        sender = self._replies.get(activity.key)
        if sender is None:
            sender = _CallbackAnswerSender(activity)
            # A request may arrive twice if its connection broke. It then gets the same response.
            self._replies.set(activity.key, sender)
            self._engine.handle(activity, sender, sender.ended)
        return sender.wait()


class _Ended:
    """Waits for the outcome of an activity."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._outcome: Outcome | None = None

    def tell(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self._event.set()

    def wait(self, seconds: float) -> Outcome | None:
        self._event.wait(seconds)
        return self._outcome


class _PushAnswerSender(AnswerSender):
    """A push expects only a status."""

    retries = "server"

    def settle(self, answer: Answer | None, reason: SettleReason, late: LateAnswers) -> bool:
        return True


class _CallbackAnswerSender(AnswerSender):
    """Sends the answer in the response to the request. Tieline sends a callback only once."""

    retries = "none"

    def __init__(self, activity: Activity) -> None:
        self._activity = activity
        self.answer_within = _SUGGEST_WITHIN if activity.kind == "options" else _ANSWER_WITHIN
        self._replied = threading.Event()
        self._reply = Reply(503)

    def settle(self, answer: Answer | None, reason: SettleReason, late: LateAnswers) -> bool:
        given = as_command_answer(answer) if answer and self._activity.kind == "command" else answer
        self._reply_with(Reply(200, json.dumps(given or {}).encode(), _JSON))
        if answer is not None and reason != "end":
            time.sleep(_PROCESSING_TIME)  # so that the next answer does not overtake this one
        return True

    def ended(self, outcome: Outcome) -> None:
        """
        Responds after the handler, unless already done. A failure is reported, so that the person
        may try again.
        """
        failed = Reply(503 if outcome == "again" else 500)
        self._reply_with(Reply(200, b"{}", _JSON) if outcome == "done" else failed)

    def wait(self) -> Reply:
        """
        Waits for the response. The response to a closed form is ignored, so it does not wait for
        the handler.
        """
        in_time = self._replied.wait(_ANSWER_WITHIN if self._activity.kind == "closed" else _ANSWER_WITHIN + 0.4)
        return self._reply if in_time or self._activity.kind != "closed" else Reply(200, b"{}", _JSON)

    def _reply_with(self, reply: Reply) -> None:
        if not self._replied.is_set():
            self._reply = reply
            self._replied.set()

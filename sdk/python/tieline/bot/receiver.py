"""Takes what Tieline POSTs, pushes and callbacks alike, at whatever path (docs/push.md, docs/interactive.md)."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..signatures import Scheme, is_genuine
from .answers import Answer, Door, LateAnswers, Why, as_command_answer
from .engine import Engine, Outcome
from .happening import Happening, happening_of, happening_of_envelope, type_of_callback
from .remembered import Remembered

#: Tieline waits 3 seconds for the answer to a click, a form or a command, one second for choices, and 5 for a push.
_PATIENCE, _OPTIONS_PATIENCE, _PUSH_PATIENCE = 2.5, 0.8, 4.5
#: Nothing says when Tieline has carried a reply out; it rarely takes longer.
_CARRIED_OUT_WITHIN = 0.25
_FIRST_PUSH_RETRY, _LONGEST_PUSH_RETRY = 5, 320
_JSON = {"content-type": "application/json"}


@dataclass(frozen=True)
class Reply:
    """What a request is answered with."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class Receiver:
    """:param secrets: a signature by any of them is taken; without one nothing is"""

    def __init__(self, engine: Engine, secrets: Sequence[str]) -> None:
        self._engine, self._secrets = engine, list(secrets)
        self._replies: Remembered[_CallbackDoor] = Remembered(1000)

    @property
    def has_secrets(self) -> bool:
        """Whether anything can be taken."""
        return any(self._secrets)

    def receive(self, headers: Mapping[str, str], body: bytes, method: str = "POST") -> Reply:
        """
        The reply to one request, after at most as long as Tieline waits. For any framework: give it the raw bytes.

        :param headers: by names in any case
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
            return self._push(happening_of_envelope(payload), known.get("x-service-attempt", "1"))
        return self._callback(payload, given)

    def _push(self, happening: Happening, attempt: str) -> Reply:
        """Acknowledged when it is handled. What takes longer is asked for again, and not handled again."""
        ended = _Ended()
        self._engine.take(happening, _PushDoor(), ended.tell)
        outcome = ended.wait(_PUSH_PATIENCE)
        if outcome is not None:
            return Reply(503 if outcome == "again" else 200)
        tries = int(attempt) if attempt.isdecimal() else 1
        wait = min(_FIRST_PUSH_RETRY * 2 ** min(tries - 1, 10), _LONGEST_PUSH_RETRY)
        # 429 and not 503: the bot works, it only needs time.
        return Reply(429, headers={"retry-after": str(wait)})

    def _callback(self, payload: Mapping[str, Any], signature: str) -> Reply:
        event_type = type_of_callback(payload)
        if not event_type:
            return Reply(200, b"{}", _JSON)
        happening = happening_of(event_type, payload, signature.partition("=")[2])
        door = self._replies.get(happening.key)
        if door is None:
            door = _CallbackDoor(happening)
            # A request may come twice when its connection broke: the answer is the same.
            self._replies.set(happening.key, door)
            self._engine.take(happening, door, door.ended)
        return door.wait()


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


class _PushDoor(Door):
    """Nobody waits for more than the status."""

    retries = "server"

    def settle(self, answer: Answer | None, why: Why, late: LateAnswers) -> bool:
        return True


class _CallbackDoor(Door):
    """The reply to the request is the answer. Tieline asks once."""

    retries = "nobody"

    def __init__(self, happening: Happening) -> None:
        self._happening = happening
        self.patience = _OPTIONS_PATIENCE if happening.kind == "options" else _PATIENCE
        self._given = threading.Event()
        self._reply = Reply(503)

    def settle(self, answer: Answer | None, why: Why, late: LateAnswers) -> bool:
        given = as_command_answer(answer) if answer and self._happening.kind == "command" else answer
        self._give(Reply(200, json.dumps(given or {}).encode(), _JSON))
        if answer is not None and why != "end":
            time.sleep(_CARRIED_OUT_WITHIN)  # what is answered next must not overtake it
        return True

    def ended(self, outcome: Outcome) -> None:
        """Whatever was settled before wins. A failure is told, so that the person may try again."""
        failed = Reply(503 if outcome == "again" else 500)
        self._give(Reply(200, b"{}", _JSON) if outcome == "done" else failed)

    def wait(self) -> Reply:
        """The reply; to a form that was left none is heard, so nobody waits for its handler."""
        in_time = self._given.wait(_PATIENCE if self._happening.kind == "closed" else _PATIENCE + 0.4)
        return self._reply if in_time or self._happening.kind != "closed" else Reply(200, b"{}", _JSON)

    def _give(self, reply: Reply) -> None:
        if not self._given.is_set():
            self._reply = reply
            self._given.set()

"""Answers to an interaction, and the ways they are sent."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Literal

from ..client import Client
from ..errors import TielineError
from ..surface import Json, segment
from .incoming import IncomingEvent

#: A response type of docs/buttons-and-menus.md: exactly one name, such as `{"send_message":
#: {"text": "…"}}`.
Answer = Mapping[str, Any]
#: Why the first answer is due: the handler has ended, it called `later()`, or the maximum wait is
#: over.
Why = Literal["end", "later", "deadline"]

_FOR_TOKEN = ("update_message", "send_message", "delete_message", "ephemeral_text", "choices")


class TooLate(Exception):
    """The token or interaction is used up or has expired. Retrying does not help."""


class AnswerChannel(ABC):
    """The channel an answer to a delivery takes. Each form of delivery has its own."""

    #: Seconds a person waits for the answer, counted from the arrival. None: no one waits.
    patience: float | None = None
    #: Who delivers an event again after its handler failed: the bot itself, the server, or no one.
    retries: Literal["here", "server", "nobody"] = "here"
    #: Whether the interaction can still be answered by a separate request.
    can_respond = False

    @abstractmethod
    def settle(self, answer: Answer | None, why: Why, late: LateAnswers) -> bool:
        """
        Sends the first answer. None: there is none (yet). `late`: answers by separate
        requests, for channels without a direct reply. Returns False if nothing was sent and
        an answer can still be sent this way.
        """


class LateAnswers:
    """
    Answers sent as separate requests: once to the interaction, or up to five times within half
    an hour with the response token.
    """

    def __init__(self, client: Client, event: IncomingEvent, can_respond: bool) -> None:
        self._client, self._happening = client, event
        self._can_respond = can_respond and bool(event.payload.get("interaction_id"))

    def takes(self, answer: Answer) -> bool:
        """Whether a request accepts this answer."""
        return self._can_respond or any(name in answer for name in _FOR_TOKEN)

    def interaction_taken(self) -> None:
        """Marks the interaction as answered in another way."""
        self._can_respond = False

    def send(self, answer: Answer, key: str) -> Json:
        """
        Sends the answer. Repeats under the key change nothing.

        :raises TooLate: nothing can be answered anymore
        :raises TypeError: this answer is not possible (anymore)
        """
        event = self._happening
        if self._can_respond and "delete_message" not in answer:
            return self._respond(str(event.payload["interaction_id"]), answer)
        token = event.payload.get("response_token")
        if not token or not self.takes(answer):
            name = next(iter(answer), "nothing")
            raise TypeError(f"{name} can't answer {event.type} at this point: it has to be the first answer, in time")
        try:
            return self._client.respond_late(str(token), answer, idempotency_key=key)
        except TielineError as error:
            if error.status == 410:
                raise TooLate(f"the response token of {event.key} is used up or expired") from error
            raise

    def _respond(self, interaction: str, answer: Answer) -> Json:
        try:
            path = f"/api/v1/bot/interactions/{segment(interaction)}/respond"
            # An interaction has one answer. A repeat is harmless: the server refuses it with 410.
            receipt = self._client.call("POST", path, dict(answer), headers={"idempotency-key": self._happening.key})
        except TielineError as error:
            if error.status != 410:
                raise
            receipt = {}  # answered before a restart of the bot, or by a try whose response was lost
        self._can_respond = False
        return receipt


class AnswerState:
    """
    The first answer is the direct reply. It is sent when the handler ends, calls `later()`, or
    takes longer than people wait. All others are separate requests.
    """

    def __init__(
        self, event: IncomingEvent, channel: AnswerChannel, late: LateAnswers, on_free: Callable[[], None] = lambda: None
    ) -> None:
        self._happening, self._door, self._late, self._on_free = event, channel, late, on_free
        self._turn = threading.RLock()
        self._first: Answer | None = None
        # No one waits for an answer to a closed form, and answers to it are ignored.
        self._is_settled = event.kind == "closed"
        self._is_first_sent = False
        # No one waits for the direct reply anymore.
        self._is_free = False
        self._given = 0

    @property
    def holds_nobody_up(self) -> bool:
        """Whether the next event of the conversation may start."""
        return self._is_free

    @property
    def has_answer(self) -> bool:
        """Whether there is an answer that was not sent yet."""
        return not self._is_settled and self._first is not None

    def start_again(self) -> None:
        """Prepares for a retry of the handler: what it says a second time is the same answer."""
        with self._turn:
            self._given = 0
            if not self._is_settled:
                self._first = None

    def give(self, answer: Answer) -> Json:
        """:raises TooLate, TypeError: see `LateAnswers.send`"""
        with self._turn:
            position = self._given
            self._given += 1
            if position == 0 and self._is_first_sent:
                return {}
            if not self._is_settled and self._first is None and not self._is_free:
                self._first = answer
                return {}
            if self._first is not None:
                self._settle("deadline")
                self._settle("later")
            if not self._is_settled and not self._late.takes(answer):
                self._first = answer
                return {}
            receipt = self._late.send(answer, f"{self._happening.key}:{position}")
            self._is_settled = True
            if position == 0:
                self._is_first_sent = True
            return receipt

    def later(self) -> None:
        """The person does not have to wait any longer."""
        self._free("later")

    def overdue(self) -> None:
        """The maximum wait is over."""
        self._free("deadline")

    def end(self) -> None:
        """The handler has ended."""
        with self._turn:
            self._settle("end")

    def _free(self, why: Why) -> None:
        with self._turn:
            self._is_free = True
            self._on_free()
            self._settle(why)

    def _settle(self, why: Why) -> None:
        if self._is_settled or not self._door.settle(self._first, why, self._late):
            return
        self._is_settled = True
        self._is_first_sent = self._first is not None


def as_command_answer(answer: Answer) -> Json:
    """Converts the answer for a command's callback or acknowledgement."""
    if "ephemeral_text" in answer:
        metadata = {"metadata_json": answer["metadata_json"]} if "metadata_json" in answer else {}
        return {"text": answer["ephemeral_text"], **metadata}
    if "send_message" in answer:
        return {"response_type": "in_channel", **answer["send_message"]}
    return {"open_modal": answer["open_modal"]} if "open_modal" in answer else {}

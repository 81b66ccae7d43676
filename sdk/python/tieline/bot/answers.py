"""The answers to one happening, and the ways that they travel."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Literal

from ..client import Client
from ..errors import TielineError
from ..surface import Json, segment
from .happening import Happening

#: What the contract calls a response type: exactly one of its names, such as `{"send_message": {"text": "…"}}`.
Answer = Mapping[str, Any]
#: Why the one answer that somebody waits for is wanted now: the handler has ended, it said `later()`, or the person's patience ends.
Why = Literal["end", "later", "deadline"]

_FOR_TOKEN = ("update_message", "send_message", "delete_message", "ephemeral_text", "choices")


class TooLate(Exception):
    """The token or the interaction is used up or expired: trying again does not help."""


class Door(ABC):
    """The way back to where a happening came from. Each form of delivery has its own."""

    #: Seconds that somebody waits for the answer, from the arrival on; None: nobody does.
    patience: float | None = None
    #: Who brings a happening again whose handler failed: the bot itself, the server, or nobody.
    retries: Literal["here", "server", "nobody"] = "here"
    #: Whether the interaction can still be answered by a request of its own.
    can_respond = False

    @abstractmethod
    def settle(self, answer: Answer | None, why: Why, late: LateAnswers) -> bool:
        """
        Passes the first answer on; None: there is none (yet). `late`: the other way, for doors that have none of their own. False:
        nothing was passed on, and an answer may still come this way.
        """


class LateAnswers:
    """Answers that are requests of their own: to the interaction, once, or by the response token, five times within half an hour."""

    def __init__(self, client: Client, happening: Happening, can_respond: bool) -> None:
        self._client, self._happening = client, happening
        self._can_respond = can_respond and bool(happening.payload.get("interaction_id"))

    def takes(self, answer: Answer) -> bool:
        """Whether there is a request that takes this answer."""
        return self._can_respond or any(name in answer for name in _FOR_TOKEN)

    def interaction_taken(self) -> None:
        """The interaction was answered another way."""
        self._can_respond = False

    def send(self, answer: Answer, key: str) -> Json:
        """
        Sends it; repeats under the key change nothing.

        :raises TooLate: nothing can be answered any more
        :raises TypeError: such an answer is not possible (any more)
        """
        happening = self._happening
        if self._can_respond and "delete_message" not in answer:
            return self._respond(str(happening.payload["interaction_id"]), answer)
        token = happening.payload.get("response_token")
        if not token or not self.takes(answer):
            name = next(iter(answer), "nothing")
            raise TypeError(f"{name} can't answer {happening.type} at this point: it has to be the first answer, in time")
        try:
            return self._client.respond_late(str(token), answer, idempotency_key=key)
        except TielineError as error:
            if error.status == 410:
                raise TooLate(f"the response token of {happening.key} is used up or expired") from error
            raise

    def _respond(self, interaction: str, answer: Answer) -> Json:
        try:
            path = f"/api/v1/bot/interactions/{segment(interaction)}/respond"
            # There is one answer to an interaction: a repeat is harmless, the server tells it by 410.
            receipt = self._client.call("POST", path, dict(answer), headers={"idempotency-key": self._happening.key})
        except TielineError as error:
            if error.status != 410:
                raise
            receipt = {}  # answered in an earlier life of the bot, or by a try whose answer was lost
        self._can_respond = False
        return receipt


class Answering:
    """
    The first answer travels the way that somebody waits at and is sent when the handler ends, says `later()`, or takes longer than
    people wait; all others are requests of their own.
    """

    def __init__(
        self, happening: Happening, door: Door, late: LateAnswers, on_free: Callable[[], None] = lambda: None
    ) -> None:
        self._happening, self._door, self._late, self._on_free = happening, door, late, on_free
        self._turn = threading.RLock()
        self._first: Answer | None = None
        # Nobody waits for an answer to a form that was left, and what is answered to it is ignored.
        self._is_settled = happening.kind == "closed"
        self._is_first_sent = False
        # Nobody waits at the door any more.
        self._is_free = False
        self._given = 0

    @property
    def holds_nobody_up(self) -> bool:
        """Whether the next one of the conversation may begin."""
        return self._is_free

    @property
    def has_answer(self) -> bool:
        """Whether there is an answer that was not passed on yet."""
        return not self._is_settled and self._first is not None

    def start_again(self) -> None:
        """A handler that failed starts again: what it says a second time is the same answer."""
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
        """From here on the person waits no longer."""
        self._free("later")

    def overdue(self) -> None:
        """The person's patience is at its end."""
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
    """What a command's callback, or its acknowledgement, answers."""
    if "ephemeral_text" in answer:
        metadata = {"metadata_json": answer["metadata_json"]} if "metadata_json" in answer else {}
        return {"text": answer["ephemeral_text"], **metadata}
    if "send_message" in answer:
        return {"response_type": "in_channel", **answer["send_message"]}
    return {"open_modal": answer["open_modal"]} if "open_modal" in answer else {}

"""Answers to an activity, and the ways they are sent."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Literal

from ..client import Client
from ..errors import TielineError
from ..surface import Json, segment
from .activity import Activity

#: An answer: a mapping with exactly one response type, such as `{"send_message": {"text": "…"}}`.
Answer = Mapping[str, Any]
#: SettleReason the first answer must be sent now. `end`: the handler has ended. `later`: it called
#: `later()`. `deadline`: the time limit is near.
SettleReason = Literal["end", "later", "deadline"]

_FOR_TOKEN = ("update_message", "send_message", "delete_message", "ephemeral_text", "choices")


class TooLate(Exception):
    """The token or interaction has been used up or has expired. Retrying does not help."""


class AnswerSender(ABC):
    """Sends the first answer to an activity. Each connector has its own implementation."""

    #: Time limit for the first answer in seconds, counted from the arrival. None: no limit.
    answer_within: float | None = None
    #: Who retries an activity whose handler failed: the bot (`here`), the server, or `none`.
    retries: Literal["here", "server", "none"] = "here"
    #: Whether the interaction can still be answered with a separate request.
    can_respond = False

    @abstractmethod
    def settle(self, answer: Answer | None, reason: SettleReason, late: LateAnswers) -> bool:
        """
        Sends the first answer. None: there is none yet. `late` is for senders that have no other
        way.

        :returns: False if nothing was sent, so that an answer may still be sent this way
        """


class LateAnswers:
    """
    Sends answers as separate requests: one to the interaction, and up to five within half an hour
    with the response token.
    """

    def __init__(self, client: Client, activity: Activity, can_respond: bool) -> None:
        self._client, self._activity = client, activity
        self._can_respond = can_respond and bool(activity.payload.get("interaction_id"))

    def accepts(self, answer: Answer) -> bool:
        """Whether this answer can be sent as a separate request."""
        return self._can_respond or any(name in answer for name in _FOR_TOKEN)

    def mark_interaction_used(self) -> None:
        """Records that the interaction was answered another way."""
        self._can_respond = False

    def send(self, answer: Answer, key: str) -> Json:
        """
        Sends an answer. Repeats with the same key have no effect.

        :raises TooLate: answers are no longer possible
        :raises TypeError: this answer is not possible or no longer possible
        """
        activity = self._activity
        if self._can_respond and "delete_message" not in answer:
            return self._respond(str(activity.payload["interaction_id"]), answer)
        token = activity.payload.get("response_token")
        if not token or not self.accepts(answer):
            name = next(iter(answer), "nothing")
            raise TypeError(f"{name} can't answer {activity.type} at this point: it must be the first answer, within the time limit")
        try:
            return self._client.respond_late(str(token), answer, idempotency_key=key)
        except TielineError as error:
            if error.status == 410:
                raise TooLate(f"the response token of {activity.key} has been used up or has expired") from error
            raise

    def _respond(self, interaction: str, answer: Answer) -> Json:
        try:
            path = f"/api/v1/bot/interactions/{segment(interaction)}/respond"
            # An interaction accepts one answer, so a repeat is harmless. The server reports it with
            # 410.
            receipt = self._client.call("POST", path, dict(answer), headers={"idempotency-key": self._activity.key})
        except TielineError as error:
            if error.status != 410:
                raise
            receipt = {}  # answered before a restart of the bot, or by an attempt whose response was lost
        self._can_respond = False
        return receipt


class Responder:
    """
    Sends the answers to one activity. The first answer is sent in the response that Tieline waits
    for: when the handler ends, calls `later()`, or exceeds the time limit. Every further answer is
    a separate request.
    """

    def __init__(
        self, activity: Activity, sender: AnswerSender, late: LateAnswers, on_release: Callable[[], None] = lambda: None
    ) -> None:
        self._activity, self._sender, self._late, self._on_release = activity, sender, late, on_release
        self._sending = threading.RLock()
        self._first: Answer | None = None
        # A closed form expects no first answer.
        self._is_settled = activity.kind == "closed"
        self._is_first_sent = False
        # Tieline no longer waits for the first answer.
        self._was_released = False
        self._answer_count = 0

    @property
    def is_released(self) -> bool:
        """Whether the next activity of the conversation may start."""
        return self._was_released

    @property
    def has_answer(self) -> bool:
        """Whether a first answer is waiting to be sent."""
        return not self._is_settled and self._first is not None

    def restart(self) -> None:
        """
        Prepares for another attempt of the handler, whose answers replace those of the failed
        attempt.
        """
        with self._sending:
            self._answer_count = 0
            if not self._is_settled:
                self._first = None

    def send(self, answer: Answer) -> Json:
        """:raises TooLate, TypeError: see `LateAnswers.send`"""
        with self._sending:
            position = self._answer_count
            self._answer_count += 1
            if position == 0 and self._is_first_sent:
                return {}
            if not self._is_settled and self._first is None and not self._was_released:
                self._first = answer
                return {}
            if self._first is not None:
                self._settle("deadline")
                self._settle("later")
            if not self._is_settled and not self._late.accepts(answer):
                self._first = answer
                return {}
            receipt = self._late.send(answer, f"{self._activity.key}:{position}")
            self._is_settled = True
            if position == 0:
                self._is_first_sent = True
            return receipt

    def later(self) -> None:
        """Releases the person from waiting."""
        self._release("later")

    def deadline_passed(self) -> None:
        """The time limit for the first answer has passed."""
        self._release("deadline")

    def finish(self) -> None:
        """Sends the first answer after the handler has ended."""
        with self._sending:
            self._settle("end")

    def _release(self, reason: SettleReason) -> None:
        with self._sending:
            self._was_released = True
            self._on_release()
            self._settle(reason)

    def _settle(self, reason: SettleReason) -> None:
        if self._is_settled or not self._sender.settle(self._first, reason, self._late):
            return
        self._is_settled = True
        self._is_first_sent = self._first is not None


def as_command_answer(answer: Answer) -> Json:
    """Converts an answer to the format of a command's callback or acknowledgement."""
    if "ephemeral_text" in answer:
        metadata = {"metadata_json": answer["metadata_json"]} if "metadata_json" in answer else {}
        return {"text": answer["ephemeral_text"], **metadata}
    if "send_message" in answer:
        return {"response_type": "in_channel", **answer["send_message"]}
    return {"open_modal": answer["open_modal"]} if "open_modal" in answer else {}

"""The argument of handlers: what happened, and how to respond."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from typing import Any

from ..client import Client
from ..surface import Blocks, Json
from .answers import Answer, AnswerState
from .incoming import IncomingEvent
from .messages import ephemeral_of, parts_of


class Context:
    """Base of all handler arguments."""

    def __init__(self, client: Client, event: IncomingEvent, stopping: threading.Event, answering: AnswerState) -> None:
        self.client, self.event = client, event
        #: Set when the bot stops. Long work should end early. If it raises, the event is delivered
        #: again after the restart.
        self.stopping = stopping
        #: For middleware to pass values to handlers.
        self.state: dict[str, Any] = {}
        self._answering = answering

    @property
    def type(self) -> str:
        """`MESSAGE_CREATED`, `button.click`, …: docs/events.md."""
        return self.event.type

    @property
    def payload(self) -> Mapping[str, Any]:
        """Everything Tieline sent: the `data` of an event, or the whole interaction or command."""
        return self.event.payload

    @property
    def conversation_id(self) -> str:
        """The conversation. Threads have their own conversation."""
        return self.event.conversation_id

    @property
    def user_id(self) -> str:
        """Who did it: a person, or for events also a bot."""
        return self.event.user_id

    @property
    def message_id(self) -> str:
        """The related message, or empty."""
        return self._text("message_id")

    @property
    def thread_id(self) -> str:
        """The thread's root message; empty outside threads."""
        return self._text("thread_id")

    def key(self, purpose: str) -> str:
        """
        Returns an idempotency key for your own requests that stays the same whenever this
        event is handled, so that repeats change nothing. `purpose` distinguishes several
        requests: letters, digits, `_`, `.`, `-`.
        """
        return f"{self.event.key}:{purpose}"

    def _text(self, name: str) -> str:
        value = self.event.payload.get(name)
        return value if isinstance(value, str) else ""


class EventContext(Context):
    """An event in a conversation. Posting twice under the event's key creates one message."""

    #: Match of the pattern in a message.
    match: re.Match[str] | None = None
    _written = 0

    @property
    def text(self) -> str:
        """Text of the message."""
        return self._text("text")

    @property
    def is_direct(self) -> bool:
        """Whether it is a direct message with one person."""
        return bool((self.payload.get("conversation_context") or {}).get("is_direct"))

    def reply(self, text: str, blocks: Blocks | None = None, *, thread: bool = False) -> Json:
        """Posts a message in the conversation, or with `thread=True` in the thread of the related message."""
        # A thread is a separate conversation: what is posted there is already in it.
        root = self.message_id if thread and not self.thread_id else None
        key = self._next_key()
        return self.client.send(self.conversation_id, text, blocks=blocks, thread=root, idempotency_key=key)

    def ephemeral(self, text: str, blocks: Blocks | None = None, *, user_id: str | None = None) -> Json:
        """Shows a message to one member only, by default to the person who caused the event."""
        key = self._next_key()
        person = user_id or self.user_id
        return self.client.ephemeral(self.conversation_id, person, text, blocks=blocks, idempotency_key=key)

    def react(self, emoji: str) -> None:
        """Reacts to the related message."""
        self.client.react(self.message_id, emoji)

    def _next_key(self) -> str:
        self._written += 1
        return self.key(str(self._written - 1))


class AnswerContext(Context):
    """
    A person did something and waits. The first answer is the direct reply and has no receipt.
    Every further answer is a separate request, as is the first one after `later()`. Up to five
    are accepted within half an hour.
    """

    @property
    def action_id(self) -> str:
        """The button or select. For a form: the action that opened it, or the name of the command."""
        return self._text("action_id")

    def reply(self, text: str, blocks: Blocks | None = None) -> Json:
        """Posts a message for everyone in the conversation."""
        return self.answer({"send_message": parts_of(text, blocks)})

    def ephemeral(self, text: str, blocks: Blocks | None = None) -> Json:
        """Shows a message to this person only. It is in no history. Its buttons work for them."""
        return self.answer(ephemeral_of(text, blocks))

    def update(self, text: str | None = None, blocks: Blocks | None = None) -> Json:
        """
        Edits the clicked message, or the first message the command posted. Omitted parts
        stay unchanged.
        """
        return self.answer({"update_message": parts_of(text, blocks)})

    def delete(self) -> Json:
        """Deletes that message."""
        self.later()
        return self.answer({"delete_message": True})

    def later(self) -> None:
        """
        Ends the person's wait. Answers follow when they are ready. Called automatically
        after two and a half seconds. With callbacks, Tieline considers the interaction
        handled from here on and does not deliver it again.
        """
        self._answering.later()

    def answer(self, answer: Answer) -> Json:
        """
        Sends any response type of docs/buttons-and-menus.md.

        :raises TooLate, TypeError: it is not possible (anymore)
        """
        return self._answering.give(answer)


class OpeningContext(AnswerContext):
    """An interaction that can open a form."""

    def open_modal(self, modal: Mapping[str, Any]) -> Json:
        """Opens a form (`tieline.modal`)."""
        return self.answer({"open_modal": dict(modal)})


class CommandContext(OpeningContext):
    """A slash command. A polled command cannot open a form: TypeError."""

    @property
    def command(self) -> str:
        """Its name, without the slash."""
        return self._text("command")

    @property
    def text(self) -> str:
        """The text after the name."""
        return self._text("text")

    @property
    def options(self) -> Mapping[str, Any]:
        """Typed values of the command's options, by name."""
        options: Mapping[str, Any] = self.payload.get("options") or {}
        return options

    @property
    def trigger_id(self) -> str:
        """The command's id."""
        return self._text("trigger_id")


class ClickContext(OpeningContext):
    """A clicked button or a selected value."""

    @property
    def data(self) -> str:
        """The button's `data`."""
        return self._text("data")

    @property
    def value(self) -> str:
        """The first selected value. Empty for buttons."""
        return self._text("selected_value")

    @property
    def values(self) -> list[str]:
        """All selected values."""
        return list(self.payload.get("selected_values") or ())


class SubmitContext(OpeningContext):
    """A submitted form, or a closed one, which has no values."""

    @property
    def values(self) -> Mapping[str, Any]:
        """Values by field id. Without `validate` they are unchecked."""
        values: Mapping[str, Any] = self.payload.get("values") or {}
        return values

    @property
    def private_metadata(self) -> str:
        """The form's `private_metadata`."""
        return self._text("private_metadata")

    def errors(self, errors: Mapping[str, str]) -> Json:
        """Keeps the form open and shows errors at its fields, by field id."""
        return self.answer({"errors": dict(errors)})

    def update_modal(self, modal: Mapping[str, Any]) -> Json:
        """Replaces the form with another one."""
        return self.answer({"update_modal": dict(modal)})

    def push(self, modal: Mapping[str, Any]) -> Json:
        """Opens another form on top, up to three levels."""
        return self.answer({"push_modal": dict(modal)})

    def close(self) -> Json:
        """Closes the form without any other effect."""
        return self.answer({"noop": True})


class OptionsContext(Context):
    """
    A person types into an option of a command or a field of a form. The handler's return value
    becomes the suggestions.
    """

    @property
    def typed(self) -> str:
        """The typed text."""
        return self._text("typed")

    @property
    def command(self) -> str:
        """The command; empty for forms."""
        return self._text("command")

    @property
    def action_id(self) -> str:
        """The action that opened the form; empty for commands."""
        return self._text("action_id")

    @property
    def field(self) -> str:
        """Name of the option or field."""
        return self._text("option") or self._text("field")

    @property
    def private_metadata(self) -> str:
        """The form's `private_metadata`."""
        return self._text("private_metadata")

    def suggest(self, choices: list[dict[str, Any]]) -> None:
        """Sets the suggestions. Handlers can return them instead."""
        self._answering.give({"choices": choices})

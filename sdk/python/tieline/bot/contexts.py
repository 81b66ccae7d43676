"""Arguments of handlers: the activity, and methods to react to it."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from ..client import Client
from ..surface import Blocks, Json
from .answers import Answer, Responder
from .activity import Activity
from .messages import ephemeral_of, parts_of


class Context:
    """Base class of all contexts."""

    def __init__(self, client: Client, happening: Activity, stopping: threading.Event, responder: Responder) -> None:
        self.client, self.happening = client, happening
        #: Set when the bot stops. Long-running work should end then. Its activity is delivered
        #: again after the restart if it raises.
        self.stopping = stopping
        #: Data that middleware passes to handlers.
        self.state: dict[str, Any] = {}
        self._responder = responder

    @property
    def type(self) -> str:
        """`MESSAGE_CREATED`, `button.click`, …: docs/events.md."""
        return self.happening.type

    @property
    def payload(self) -> Mapping[str, Any]:
        """The `data` of an event, or the whole interaction or command."""
        return self.happening.payload

    @property
    def conversation_id(self) -> str:
        """The conversation. For a thread, the conversation of the thread itself."""
        return self.happening.conversation_id

    @property
    def user_id(self) -> str:
        """The person who acted, or a bot in events."""
        return self.happening.user_id

    @property
    def message_id(self) -> str:
        """Id of the message that the activity is about. Empty if there is none."""
        return self._text("message_id")

    @property
    def thread_id(self) -> str:
        """Root message of the thread. Empty outside of threads."""
        return self._text("thread_id")

    def key(self, purpose: str) -> str:
        """
        Returns an idempotency key that is the same every time this activity is handled. Use it for
        your own requests, so that a repeat has no effect. `purpose` distinguishes several keys:
        letters, digits, `_`, `.`, `-`.
        """
        return f"{self.happening.key}:{purpose}"

    def _text(self, name: str) -> str:
        value = self.happening.payload.get(name)
        return value if isinstance(value, str) else ""


class EventContext(Context):
    """
    An event in a conversation. Everything it posts has an idempotency key, so repeats post nothing.
    """

    #: Match of the handler's pattern.
    match: re.Match[str] | None = None
    _written = 0

    @property
    def text(self) -> str:
        """Text of a message."""
        return self._text("text")

    @property
    def is_direct(self) -> bool:
        """Whether it was sent in a direct conversation with the bot."""
        return bool((self.payload.get("conversation_context") or {}).get("is_direct"))

    def reply(self, text: str, blocks: Blocks | None = None, *, thread: bool = False) -> Json:
        """
        Posts a message in the conversation. With `thread=True`, in the thread of the event's
        message.
        """
        # In a thread, the conversation already is the thread.
        root = self.message_id if thread and not self.thread_id else None
        key = self._next_key()
        return self.client.send(self.conversation_id, text, blocks=blocks, thread=root, idempotency_key=key)

    def ephemeral(self, text: str, blocks: Blocks | None = None, *, user_id: str | None = None) -> Json:
        """Shows a message only to one member, by default to the person who acted."""
        key = self._next_key()
        person = user_id or self.user_id
        return self.client.ephemeral(self.conversation_id, person, text, blocks=blocks, idempotency_key=key)

    def react(self, emoji: str) -> None:
        """Adds a reaction to the event's message."""
        self.client.react(self.message_id, emoji)

    def status(self, text: str, loading_messages: Sequence[str] | None = None) -> None:
        """Shows what the bot is doing, until its next message here, at most two minutes."""
        self.client.set_status(self.conversation_id, text, loading_messages=loading_messages)

    def prompts(self, prompts: Mapping[str, str], *, title: str | None = None) -> None:
        """Suggests messages to people here, by their titles, instead of those before."""
        self.client.set_prompts(self.conversation_id, prompts, title=title)

    def _next_key(self) -> str:
        self._written += 1
        return self.key(str(self._written - 1))


class AnswerContext(Context):
    """
    An activity whose person waits for an answer. The first answer uses the fastest way and has no
    receipt. Every further answer, and the first after `later()`, is a separate request. Tieline
    accepts five of those within half an hour.
    """

    @property
    def action_id(self) -> str:
        """Id of the button or select. For a form, the action or command that opened it."""
        return self._text("action_id")

    def reply(self, text: str, blocks: Blocks | None = None) -> Json:
        """Posts a message that everyone sees."""
        return self.answer({"send_message": parts_of(text, blocks)})

    def ephemeral(self, text: str, blocks: Blocks | None = None) -> Json:
        """Shows a message only to this person. It is not stored. Buttons in it work."""
        return self.answer(ephemeral_of(text, blocks))

    def update(self, text: str | None = None, blocks: Blocks | None = None) -> Json:
        """
        Edits the message that the person acted on, or the first one posted by the command. Omitted
        parts stay unchanged.
        """
        return self.answer({"update_message": parts_of(text, blocks)})

    def delete(self) -> Json:
        """Deletes the message that the person acted on, or the first one posted by the command."""
        self.later()
        return self.answer({"delete_message": True})

    def later(self) -> None:
        """
        Releases the person from waiting. Later answers appear when they are ready. Happens
        automatically after 2.5 seconds. With callbacks, Tieline then considers the activity handled
        and does not send it again.
        """
        self._responder.later()

    def answer(self, answer: Answer) -> Json:
        """
        Sends any answer of docs/interactive.md.

        :raises TooLate, TypeError: the answer is not possible or no longer possible
        """
        return self._responder.send(answer)


class OpeningContext(AnswerContext):
    """An activity that can open a form."""

    def open_modal(self, modal: Mapping[str, Any]) -> Json:
        """Opens a form (`tieline.modal`)."""
        return self.answer({"open_modal": dict(modal)})


class CommandContext(OpeningContext):
    """A slash command. A polled one cannot open a form: TypeError."""

    @property
    def command(self) -> str:
        """Name without the slash."""
        return self._text("command")

    @property
    def text(self) -> str:
        """Text typed after the name."""
        return self._text("text")

    @property
    def options(self) -> Mapping[str, Any]:
        """Typed values of the command's options, by name."""
        options: Mapping[str, Any] = self.payload.get("options") or {}
        return options

    @property
    def trigger_id(self) -> str:
        """Id of the command. Opens one form: `POST /api/v1/bot/modals`."""
        return self._text("trigger_id")


class ClickContext(OpeningContext):
    """A clicked button or a selection."""

    @property
    def trigger_id(self) -> str:
        """Opens one form within five minutes: `POST /api/v1/bot/modals`."""
        return self._text("trigger_id")

    @property
    def data(self) -> str:
        """`data` of the button."""
        return self._text("data")

    @property
    def feedback(self) -> str:
        """
        What the person thinks of the message, for feedback buttons: `positive`, `negative`, or
        `none` if they withdrew it. Empty for other elements.
        """
        return self._text("feedback")

    @property
    def value(self) -> str:
        """First selected value. Empty for buttons."""
        return self._text("selected_value")

    @property
    def values(self) -> list[str]:
        """All selected values."""
        return list(self.payload.get("selected_values") or ())


class SubmitContext(OpeningContext):
    """A submitted or closed form. A closed form has no values."""

    @property
    def modal_id(self) -> str:
        """Id of the form, to change it: `PATCH /api/v1/bot/modals/{modal_id}`."""
        return self._text("modal_id")

    @property
    def values(self) -> Mapping[str, Any]:
        """Values by field id. Not validated for a form without `validate`."""
        values: Mapping[str, Any] = self.payload.get("values") or {}
        return values

    @property
    def private_metadata(self) -> str:
        """The form's `private_metadata`."""
        return self._text("private_metadata")

    def errors(self, errors: Mapping[str, str]) -> Json:
        """Keeps the form open and shows these errors at its fields, by field id."""
        return self.answer({"errors": dict(errors)})

    def update_modal(self, modal: Mapping[str, Any]) -> Json:
        """Replaces the form with another one."""
        return self.answer({"update_modal": dict(modal)})

    def push(self, modal: Mapping[str, Any]) -> Json:
        """Opens another form on top, up to three levels."""
        return self.answer({"push_modal": dict(modal)})

    def close(self) -> Json:
        """Closes the form."""
        return self.answer({"noop": True})


class OptionsContext(Context):
    """
    A person types into an option of a command or a field of a form. The handler returns the
    suggestions.
    """

    @property
    def typed(self) -> str:
        """Text typed so far."""
        return self._text("typed")

    @property
    def command(self) -> str:
        """The command. Empty for forms."""
        return self._text("command")

    @property
    def action_id(self) -> str:
        """The action that opened the form. Empty for commands."""
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
        """Sends the suggestions. Handlers return them instead."""
        self._responder.send({"choices": choices})

"""What handlers are given: what happened, and what they can do about it."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from typing import Any

from ..client import Client
from ..surface import Blocks, Json
from .answers import Answer, Answering
from .happening import Happening
from .messages import ephemeral_of, parts_of


class Context:
    """What all handlers are given."""

    def __init__(self, client: Client, happening: Happening, stopping: threading.Event, answering: Answering) -> None:
        self.client, self.happening = client, happening
        #: Set when the bot stops: work that takes long ends early, and comes again after the restart if it raises.
        self.stopping = stopping
        #: A place for middleware to leave things for handlers.
        self.state: dict[str, Any] = {}
        self._answering = answering

    @property
    def type(self) -> str:
        """`MESSAGE_CREATED`, `button.click`, …: docs/events.md."""
        return self.happening.type

    @property
    def payload(self) -> Mapping[str, Any]:
        """All that Tieline said of it: the `data` of an event, the whole of an interaction or a command."""
        return self.happening.payload

    @property
    def conversation_id(self) -> str:
        """Where it happened; of a thread its own conversation."""
        return self.happening.conversation_id

    @property
    def user_id(self) -> str:
        """Who did it: a person, or a bot in events."""
        return self.happening.user_id

    @property
    def message_id(self) -> str:
        """The message that it is about or was done in; empty where there is none."""
        return self._text("message_id")

    @property
    def thread_id(self) -> str:
        """The thread's root message; empty outside threads."""
        return self._text("thread_id")

    def key(self, purpose: str) -> str:
        """
        An idempotency key that is the same whenever this is handled, for requests of your own: a repeat then changes nothing.
        `purpose` tells several of them apart: letters, digits, `_`, `.`, `-`.
        """
        return f"{self.happening.key}:{purpose}"

    def _text(self, name: str) -> str:
        value = self.happening.payload.get(name)
        return value if isinstance(value, str) else ""


class EventContext(Context):
    """An event in a conversation. What is posted twice under the event's key is posted once."""

    #: What a pattern found in a message.
    match: re.Match[str] | None = None
    _written = 0

    @property
    def text(self) -> str:
        """The words of a message."""
        return self._text("text")

    @property
    def is_direct(self) -> bool:
        """Between the bot and one person."""
        return bool((self.payload.get("conversation_context") or {}).get("is_direct"))

    def reply(self, text: str, blocks: Blocks | None = None, *, thread: bool = False) -> Json:
        """Posts a message where it happened; with `thread=True` in the thread of the message that it is about."""
        # A thread is a conversation of its own: what is posted there is in it already.
        root = self.message_id if thread and not self.thread_id else None
        key = self._next_key()
        return self.client.send(self.conversation_id, text, blocks=blocks, thread=root, idempotency_key=key)

    def ephemeral(self, text: str, blocks: Blocks | None = None, *, user_id: str | None = None) -> Json:
        """Shows a message to one member alone, by default to whoever did it."""
        key = self._next_key()
        person = user_id or self.user_id
        return self.client.ephemeral(self.conversation_id, person, text, blocks=blocks, idempotency_key=key)

    def react(self, emoji: str) -> None:
        """Reacts to the message that it is about."""
        self.client.react(self.message_id, emoji)

    def _next_key(self) -> str:
        self._written += 1
        return self.key(str(self._written - 1))


class AnswerContext(Context):
    """
    Somebody did something and waits. The first answer goes the shortest way and has no receipt; every further one is a request of its
    own, as is the first after `later()`. Five of those are taken within half an hour.
    """

    @property
    def action_id(self) -> str:
        """The button or select; of a form the action that opened it, or the name of the command."""
        return self._text("action_id")

    def reply(self, text: str, blocks: Blocks | None = None) -> Json:
        """Posts a message beside it, for everybody."""
        return self.answer({"send_message": parts_of(text, blocks)})

    def ephemeral(self, text: str, blocks: Blocks | None = None) -> Json:
        """For this person alone, in no history; buttons in it work for them."""
        return self.answer(ephemeral_of(text, blocks))

    def update(self, text: str | None = None, blocks: Blocks | None = None) -> Json:
        """Edits the message that it was done in, or the first that the command posted; parts that are left out stay."""
        return self.answer({"update_message": parts_of(text, blocks)})

    def delete(self) -> Json:
        """Deletes that message."""
        self.later()
        return self.answer({"delete_message": True})

    def later(self) -> None:
        """
        The person need not wait any longer: what follows comes when it is ready. Happens by itself after two and a half seconds. Called
        back, Tieline regards it as dealt with from here on and does not bring it again.
        """
        self._answering.later()

    def answer(self, answer: Answer) -> Json:
        """
        Any answer, as docs/interactive.md has it.

        :raises TooLate, TypeError: it is not possible (any more)
        """
        return self._answering.give(answer)


class OpeningContext(AnswerContext):
    """What can open a form."""

    def open_modal(self, modal: Mapping[str, Any]) -> Json:
        """Opens a form (`tieline.modal`)."""
        return self.answer({"open_modal": dict(modal)})


class CommandContext(OpeningContext):
    """A slash command. One that was polled can't open a form: TypeError."""

    @property
    def command(self) -> str:
        """Its name, without the slash."""
        return self._text("command")

    @property
    def text(self) -> str:
        """What was typed behind the name."""
        return self._text("text")

    @property
    def options(self) -> Mapping[str, Any]:
        """Typed values of the command's options, by their names."""
        options: Mapping[str, Any] = self.payload.get("options") or {}
        return options

    @property
    def trigger_id(self) -> str:
        """The command's id."""
        return self._text("trigger_id")


class ClickContext(OpeningContext):
    """A button was clicked, or something was chosen."""

    @property
    def data(self) -> str:
        """The button's `data`, as it was sent."""
        return self._text("data")

    @property
    def value(self) -> str:
        """The first value that was chosen; empty for buttons."""
        return self._text("selected_value")

    @property
    def values(self) -> list[str]:
        """All that were chosen."""
        return list(self.payload.get("selected_values") or ())


class SubmitContext(OpeningContext):
    """A form was submitted, or left (then there are no values)."""

    @property
    def values(self) -> Mapping[str, Any]:
        """What was filled in, by the ids of the fields. Of a form without `validate` nobody has looked at it."""
        values: Mapping[str, Any] = self.payload.get("values") or {}
        return values

    @property
    def private_metadata(self) -> str:
        """The form's `private_metadata`."""
        return self._text("private_metadata")

    def errors(self, errors: Mapping[str, str]) -> Json:
        """The form stays open and says this at its fields, by their ids."""
        return self.answer({"errors": dict(errors)})

    def update_modal(self, modal: Mapping[str, Any]) -> Json:
        """Shows another form in the place of this one."""
        return self.answer({"update_modal": dict(modal)})

    def push(self, modal: Mapping[str, Any]) -> Json:
        """Shows another form on top, three deep."""
        return self.answer({"push_modal": dict(modal)})

    def close(self) -> Json:
        """The form goes, and nothing else happens."""
        return self.answer({"noop": True})


class OptionsContext(Context):
    """Somebody types, into an option of a command or a field of a form. What the handler returns is suggested."""

    @property
    def typed(self) -> str:
        """What was typed so far."""
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
        """The option or the field."""
        return self._text("option") or self._text("field")

    @property
    def private_metadata(self) -> str:
        """The form's `private_metadata`."""
        return self._text("private_metadata")

    def suggest(self, choices: list[dict[str, Any]]) -> None:
        """The answer; a handler returns it instead."""
        self._answering.give({"choices": choices})

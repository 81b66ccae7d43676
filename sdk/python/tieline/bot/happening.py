"""Something that happened, whichever way the bot learned of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

#: `closed` is a form that somebody left, `options` a question for choices while somebody types.
Kind = Literal["event", "click", "select", "submit", "closed", "command", "options"]
Payload = Mapping[str, Any]

_KINDS: Mapping[str, Kind] = {
    "button.click": "click",
    "select.submit": "select",
    "modal.submit": "submit",
    "modal.closed": "closed",
    "modal.options": "options",
    "command.options": "options",
    "slash.command": "command",
}


@dataclass(frozen=True)
class Happening:
    """`key` is the same however often it arrives: it is handled once, and what is written because of it carries the key."""

    kind: Kind
    key: str
    #: What a handler is chosen by: an event type, an `action_id`, the name of a command, an option or field.
    name: str
    #: `event_type` as Tieline calls it.
    type: str
    #: Empty where there is none.
    conversation_id: str
    #: Who did it; empty for what the system did.
    user_id: str
    #: The event's `data`, or the interaction, as Tieline sent it.
    payload: Payload


def happening_of(event_type: str, payload: Payload, key: str) -> Happening:
    """Of a record of the queue, a callback or a socket's payload. `key` stands in where nothing in the payload stays the same."""
    kind = _KINDS.get(event_type, "event")
    return Happening(
        kind=kind,
        key=_text(payload, "interaction_id", "trigger_id") or key,
        name=event_type if kind == "event" else _name_of(kind, payload),
        type=event_type,
        conversation_id=_text(payload, "conversation_id"),
        user_id=_text(payload, "actor_user_id", "user_id", "author_id"),
        payload=payload,
    )


def happening_of_envelope(envelope: Payload) -> Happening:
    """Of a push, and of an event over a socket."""
    data = envelope.get("data")
    event_type, event_id = _text(envelope, "event_type"), _text(envelope, "event_id")
    return Happening(
        kind="event",
        key=event_id,
        name=event_type,
        type=event_type,
        conversation_id=_text(envelope, "conversation_id"),
        user_id=_text(envelope, "actor_user_id"),
        payload=data if isinstance(data, dict) else {},
    )


def type_of_callback(payload: Payload) -> str:
    """The callback of a command names no type."""
    return _text(payload, "event_type") or ("slash.command" if "trigger_id" in payload else "")


def _name_of(kind: Kind, payload: Payload) -> str:
    if kind == "command":
        return _text(payload, "command")
    return _text(payload, "option", "field") if kind == "options" else _text(payload, "action_id")


def _text(payload: Payload, *names: str) -> str:
    """The first of these that is a text and not empty."""
    return next((value for name in names if isinstance(value := payload.get(name), str) and value), "")

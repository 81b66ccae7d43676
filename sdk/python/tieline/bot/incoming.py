"""An event, interaction or command, independent of how it was delivered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

#: `closed`: a form was closed. `options`: suggestions are requested while a person types.
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
class IncomingEvent:
    """
    `key` is the same for every delivery: it is handled once, and requests made because of it
    carry the key.
    """

    kind: Kind
    key: str
    #: Matched by routes: an event type, an `action_id`, the name of a command, an option or field.
    name: str
    #: `event_type` as Tieline names it.
    type: str
    #: Empty if there is none.
    conversation_id: str
    #: Who did it. Empty for events of the system.
    user_id: str
    #: The event's `data`, or the interaction, as sent by Tieline.
    payload: Payload


def event_from_payload(event_type: str, payload: Payload, key: str) -> IncomingEvent:
    """
    Parses a record of the queue, a callback or a socket payload. `key` is used if nothing in
    the payload identifies it.
    """
    kind = _KINDS.get(event_type, "event")
    return IncomingEvent(
        kind=kind,
        key=_text(payload, "interaction_id", "trigger_id") or key,
        name=event_type if kind == "event" else _name_of(kind, payload),
        type=event_type,
        conversation_id=_text(payload, "conversation_id"),
        user_id=_text(payload, "actor_user_id", "user_id", "author_id"),
        payload=payload,
    )


def event_from_envelope(envelope: Payload) -> IncomingEvent:
    """Parses a push, or an event over a socket."""
    data = envelope.get("data")
    event_type, event_id = _text(envelope, "event_type"), _text(envelope, "event_id")
    return IncomingEvent(
        kind="event",
        key=event_id,
        name=event_type,
        type=event_type,
        conversation_id=_text(envelope, "conversation_id"),
        user_id=_text(envelope, "actor_user_id"),
        payload=data if isinstance(data, dict) else {},
    )


def type_of_callback(payload: Payload) -> str:
    """Returns the type of a callback. Command callbacks have no type."""
    return _text(payload, "event_type") or ("slash.command" if "trigger_id" in payload else "")


def _name_of(kind: Kind, payload: Payload) -> str:
    if kind == "command":
        return _text(payload, "command")
    return _text(payload, "option", "field") if kind == "options" else _text(payload, "action_id")


def _text(payload: Payload, *names: str) -> str:
    """Returns the first of these fields that is a non-empty text."""
    return next((value for name in names if isinstance(value := payload.get(name), str) and value), "")

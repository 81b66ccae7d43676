"""Activities: what a bot receives, regardless of the connector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

#: Kind of activity. `closed`: a closed form. `options`: a request for suggestions while a person
#: types.
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
class Activity:
    """
    An event, interaction or command. `key` is identical for every delivery of the same activity. It
    is handled once, and the key is the base of the idempotency keys.
    """

    kind: Kind
    key: str
    #: Selects the handler: an event type, an `action_id`, or the name of a command, option or
    #: field.
    name: str
    #: `event_type` in Tieline.
    type: str
    #: Empty if there is none.
    conversation_id: str
    #: The person or bot who acted. Empty for the system.
    user_id: str
    #: The event's `data`, or the interaction.
    payload: Payload


def to_activity(event_type: str, payload: Payload, key: str) -> Activity:
    """
    Converts a queue record, a callback or the payload of a socket envelope. `key` is used if the
    payload contains no stable id.
    """
    kind = _KINDS.get(event_type, "event")
    return Activity(
        kind=kind,
        key=_text(payload, "interaction_id") or (kind == "command" and _text(payload, "trigger_id")) or key,
        name=event_type if kind == "event" else _name_of(kind, payload),
        type=event_type,
        conversation_id=_text(payload, "conversation_id"),
        user_id=_text(payload, "actor_user_id", "user_id", "author_id"),
        payload=payload,
    )


def envelope_to_activity(envelope: Payload) -> Activity:
    """Converts the envelope of a push or of an event over a socket."""
    data = envelope.get("data")
    event_type, event_id = _text(envelope, "event_type"), _text(envelope, "event_id")
    return Activity(
        kind="event",
        key=event_id,
        name=event_type,
        type=event_type,
        conversation_id=_text(envelope, "conversation_id"),
        user_id=_text(envelope, "actor_user_id"),
        payload=data if isinstance(data, dict) else {},
    )


def callback_type(payload: Payload) -> str:
    """Returns the type of a callback. The body of a command's callback contains none."""
    return _text(payload, "event_type") or ("slash.command" if "trigger_id" in payload else "")


def _name_of(kind: Kind, payload: Payload) -> str:
    if kind == "command":
        return _text(payload, "command")
    return _text(payload, "option", "field") if kind == "options" else _text(payload, "action_id")


def _text(payload: Payload, *names: str) -> str:
    """Returns the first of these fields that is a non-empty text."""
    return next((value for name in names if isinstance(value := payload.get(name), str) and value), "")

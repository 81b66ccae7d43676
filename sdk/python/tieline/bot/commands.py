"""Registers the bot's commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..client import Client
from ..errors import TielineError
from ..surface import Json, segment


def register_commands(client: Client, bot_id: str, commands: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """
    Registers missing commands and updates changed ones. Removes none.

    :returns: commands that could not be registered because another bot has the name, a limit is
        reached, or they need a callback address
    :raises TielineError: for an invalid definition
    """
    path = f"/api/v1/bots/{segment(bot_id)}/commands"
    known: dict[str, Json] = {one["name"]: one for one in client.call("GET", path)["commands"]} if commands else {}
    refused = []
    for name, settings in commands.items():
        record = known.get(name)
        if record is not None and _matches_settings(record, settings):
            continue
        try:
            if record is not None:
                client.call("PATCH", f"{path}/{segment(record['id'])}", dict(settings))
            else:
                client.call("POST", path, {"name": name, **settings})
        except TielineError as error:
            if error.status not in (402, 409) and error.field != "callback_url":
                error.add_note(f"while registering the command /{name}")
                raise
            refused.append(f"/{name}: {error}")
    return refused


def _matches_settings(record: Json, settings: Mapping[str, Any]) -> bool:
    """Compares only the given settings. The server may return options with more fields."""
    return all(_covers(record.get(name) or ([] if name == "options" else ""), value) for name, value in settings.items())


def _covers(there: Any, wanted: Any) -> bool:
    if isinstance(wanted, (list, tuple)):
        return isinstance(there, list) and len(there) == len(wanted) and all(map(_covers, there, wanted))
    if isinstance(wanted, Mapping):
        return isinstance(there, Mapping) and all(_covers(there.get(name), value) for name, value in wanted.items())
    return bool(there == wanted)

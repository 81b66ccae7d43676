"""Types of the options of a command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Required, TypedDict

OptionType = Literal["string", "integer", "number", "boolean", "user", "conversation", "choice"]


class OptionChoice(TypedDict, total=False):
    """One value of an option of type `choice`."""

    name: Required[str]
    value: Required[str]


class CommandOption(TypedDict, total=False):
    """A typed option of a command: docs/slash-commands.md."""

    name: Required[str]
    type: Required[OptionType]
    description: str
    required: bool
    min: float
    max: float
    min_length: int
    max_length: int
    choices: Sequence[OptionChoice]
    #: `bot.options` suggests values while the person types.
    autocomplete: bool

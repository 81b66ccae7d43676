"""Converts messages of handlers to the format of the API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..surface import Blocks, Json, metadata_json

#: Suggestions. A text is a choice with the same name and value, a pair has name and value.
Choices = Iterable[str | tuple[str, str] | Mapping[str, str]]


def parts_of(text: str | None, blocks: Blocks | None) -> Json:
    """Converts text and blocks of a message. None is omitted, and `[]` removes all blocks."""
    parts: Json = {}
    if text is not None:
        parts["text"] = text
    if blocks is not None:
        parts["metadata_json"] = metadata_json(blocks)
    return parts


def ephemeral_of(text: str, blocks: Blocks | None) -> Json:
    """Builds the answer that shows a message only to the person."""
    metadata = {} if blocks is None else {"metadata_json": metadata_json(blocks)}
    return {"ephemeral_text": text, **metadata}


def choices_of(choices: Choices | None) -> list[dict[str, Any]]:
    """Converts suggestions to the format of the API, at most 25."""
    return [_choice(one) for one in choices or ()][:25]


def _choice(one: str | Sequence[str] | Mapping[str, str]) -> dict[str, Any]:
    if isinstance(one, str):
        return {"name": one, "value": one}
    if isinstance(one, Mapping):
        return dict(one)
    name, value = one
    return {"name": name, "value": value}

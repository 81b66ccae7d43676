"""Builders of blocks: what `blocks=[…]` of a message is made of. They know the limits of the server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .limits import LimitError, check_https, check_list, check_once, check_text

Block = dict[str, Any]
Element = dict[str, Any]

_MAX_TEXT = 3000


def markdown(text: str) -> Block:
    """A text with Markdown, for the parts of a block."""
    return {"type": "mrkdwn", "text": check_text("text", text, _MAX_TEXT)}


def plain(text: str) -> Block:
    """A text as it is."""
    return {"type": "plain_text", "text": check_text("text", text, _MAX_TEXT)}


def header(text: str) -> Block:
    """A heading."""
    return {"type": "header", "text": plain(text)}


def section(text: str = "", *, fields: Sequence[str] | None = None) -> Block:
    """A paragraph of Markdown, with up to 10 short texts beside each other."""
    block: Block = {"type": "section"}
    if text:
        block["text"] = markdown(text)
    if fields is not None:
        check_list("fields", fields, 10)
        block["fields"] = [markdown(field) for field in fields]
    if len(block) == 1:
        raise LimitError("text", "is required where there are no fields")
    return block


def context(*texts: str | Mapping[str, Any]) -> Block:
    """Small print: up to 10 texts or images."""
    check_list("elements", texts, 10)
    return {"type": "context", "elements": [markdown(one) if isinstance(one, str) else dict(one) for one in texts]}


def image(url: str, alt_text: str, *, title: str | None = None) -> Block:
    """A picture from an https address."""
    block: Block = {"type": "image", "image_url": check_https("image_url", url, 2048), "alt_text": alt_text}
    if title is not None:
        block["title"] = plain(title)
    return block


def divider() -> Block:
    """A line."""
    return {"type": "divider"}


def actions(*elements: Element) -> Block:
    """A row of up to five elements that people use: buttons, selects, pickers (`tieline.elements`)."""
    check_list("elements", elements, 5)
    return {"type": "actions", "elements": [dict(element) for element in elements]}


def metadata(blocks: Sequence[Mapping[str, Any]], **more: Any) -> str:
    """
    The text of `metadata_json`: the blocks, and whatever else is to be kept with the message.

    :raises LimitError: more than 50 blocks, 5 of them actions; an action_id twice; more than 32 KiB
    """
    check_blocks(blocks)
    text = json.dumps({**more, "version": 1, "blocks": [dict(block) for block in blocks]}, ensure_ascii=False)
    if len(text.encode()) > 32 * 1024:
        raise LimitError("metadata_json", "must be up to 32 KiB")
    return text


def check_blocks(blocks: Sequence[Mapping[str, Any]]) -> None:
    """Holds blocks together to the limits of one message."""
    check_list("blocks", blocks, 50)
    rows = [block for block in blocks if block.get("type") == "actions"]
    if len(rows) > 5:
        raise LimitError("blocks", "at most 5 of type actions")
    check_once("elements", [element for row in rows for element in row["elements"]], "action_id")

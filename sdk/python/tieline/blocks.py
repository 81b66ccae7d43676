"""Builders of message blocks for `blocks=[…]`. They check the server's limits."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .limits import LimitError, check_https, check_list, check_once, check_text

Block = dict[str, Any]
Element = dict[str, Any]

_MAX_TEXT = 3000
_INTERACTIVE = ("actions", "context_actions")


def markdown(text: str) -> Block:
    """Returns a Markdown text for parts of blocks."""
    return {"type": "mrkdwn", "text": check_text("text", text, _MAX_TEXT)}


def plain(text: str) -> Block:
    """Returns a plain text."""
    return {"type": "plain_text", "text": check_text("text", text, _MAX_TEXT)}


def header(text: str) -> Block:
    """Returns a heading."""
    return {"type": "header", "text": plain(text)}


def section(text: str | Block, *, fields: Sequence[str | Block] | None = None, accessory: Block | None = None) -> Block:
    """
    Returns a paragraph of Markdown, optionally with up to 10 short texts in columns and an image
    (`image_part`).
    """
    block: Block = {"type": "section", "text": _part(text)}
    if fields is not None:
        check_list("fields", fields, 10)
        block["fields"] = [_part(field) for field in fields]
    if accessory is not None:
        block["accessory"] = accessory
    return block


def context(*parts: str | Block) -> Block:
    """Returns small print: up to 10 texts or images (`image_part`)."""
    check_list("elements", parts, 10)
    return {"type": "context", "elements": [_part(part) for part in parts]}


def image_part(url: str, alt_text: str) -> Block:
    """Returns a small image for `context` and `section`."""
    return {"type": "image", "image_url": check_https("image_url", url, 2048), "alt_text": alt_text}


def image(url: str, alt_text: str, *, title: str | None = None) -> Block:
    """Returns an image from an https address."""
    block = image_part(url, alt_text)
    if title is not None:
        block["title"] = plain(title)
    return block


def divider() -> Block:
    """Returns a horizontal line."""
    return {"type": "divider"}


def actions(*elements: Element) -> Block:
    """
    Returns a row of up to five interactive elements: buttons, selects, pickers
    (`tieline.elements`).
    """
    check_list("elements", elements, 5)
    return {"type": "actions", "elements": [dict(element) for element in elements]}


def context_actions(*elements: Element) -> Block:
    """
    Returns up to five small actions below a message: `elements.feedback` and
    `elements.icon_button`.
    """
    check_list("elements", elements, 5)
    return {"type": "context_actions", "elements": [dict(element) for element in elements]}


def metadata(blocks: Sequence[Mapping[str, Any]], **more: Any) -> str:
    """
    Builds `metadata_json` from blocks and other data to store with the message.

    :raises LimitError: more than 50 blocks, more than 5 of an interactive type, a repeated
        action_id, feedback buttons twice, or more than 32 KiB
    """
    check_blocks(blocks)
    text = json.dumps({**more, "version": 1, "blocks": [dict(block) for block in blocks]}, ensure_ascii=False)
    if len(text.encode()) > 32 * 1024:
        raise LimitError("metadata_json", "must be up to 32 KiB")
    return text


def check_blocks(blocks: Sequence[Mapping[str, Any]]) -> None:
    """Checks blocks against the limits of one message."""
    check_list("blocks", blocks, 50)
    rows = [block for block in blocks if block.get("type") in _INTERACTIVE]
    for kind in _INTERACTIVE:
        if sum(row["type"] == kind for row in rows) > 5:
            raise LimitError("blocks", f"at most 5 of type {kind}")
    elements = [element for row in rows for element in row["elements"]]
    check_once("elements", elements, "action_id")
    if sum(element.get("type") == "feedback_buttons" for element in elements) > 1:
        raise LimitError("elements", "at most 1 of type feedback_buttons in a message")


def _part(part: str | Block) -> Block:
    return markdown(part) if isinstance(part, str) else dict(part)

"""Forms that the server validates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .fields import Field
from .limits import check_list, check_once, check_text, given

Modal = dict[str, Any]


def modal(
    title: str,
    fields: Sequence[Field],
    *,
    submit: str | None = None,
    close: str | None = None,
    private_metadata: str | None = None,
    notify_on_close: bool | None = None,
) -> Modal:
    """
    Builds a form of 1 to 30 fields (`tieline.fields`), which the server validates before the bot
    gets the submission.

    :param submit: label of the submit button
    :param private_metadata: up to 3000 characters returned with the submission. People never see
        them
    :param notify_on_close: sends `modal.closed` to the bot when the person closes the form
    :raises LimitError: names the place of the broken rule
    """
    check_list("fields", fields, 30, least=1)
    check_once("fields", fields, "id")
    return {
        "validate": True,
        "title": check_text("title", title, 100, least=1),
        "fields": [dict(field) for field in fields],
        **given(
            submit_label=None if submit is None else check_text("submit_label", submit, 75, least=1),
            close_label=None if close is None else check_text("close_label", close, 75, least=1),
            private_metadata=None if private_metadata is None else check_text("private_metadata", private_metadata, 3000),
            notify_on_close=notify_on_close,
        ),
    }

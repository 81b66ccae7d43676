"""
Builders of interactive elements for `actions`. All accept `visible_to` (up to 100 ids of people)
and `confirm`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Unpack

from .limits import (
    LimitError,
    check_action_id,
    check_date,
    check_https,
    check_list,
    check_once,
    check_text,
    check_time,
    check_uuid,
    given,
)

Element = dict[str, Any]
#: Options: a mapping of values to labels, or a list of texts used as both.
Options = Mapping[str, str] | Sequence[str]

_ICONS = ("copy", "refresh", "delete", "edit", "share", "download", "bookmark", "flag", "info", "settings")


class Shared(TypedDict, total=False):
    """Options of every element."""

    visible_to: Sequence[str]
    confirm: Element


def button(
    action_id: str,
    text: str,
    *,
    style: Literal["primary", "danger", "default"] | None = None,
    data: str | None = None,
    url: str | None = None,
    **shared: Unpack[Shared],
) -> Element:
    """
    Returns a button. `data` (up to 2000 characters) is returned with the click. With `url`, clients
    open the address and the bot gets no click.
    """
    if style not in (None, "primary", "danger", "default"):
        raise LimitError("style", "must be primary, danger or default")
    return _element(
        "button",
        action_id,
        shared,
        text=check_text("text", text, 75, least=1),
        style=style,
        data=None if data is None else check_text("data", data, 2000),
        url=None if url is None else check_https("url", url, 2048),
    )


def select(
    action_id: str, options: Options, *, initial: str | None = None, placeholder: str | None = None, **shared: Unpack[Shared]
) -> Element:
    """Selects one of 1 to 25 options from a dropdown."""
    return _one("select", action_id, options, initial, placeholder, shared)


def radio(action_id: str, options: Options, *, initial: str | None = None, **shared: Unpack[Shared]) -> Element:
    """Selects one of 1 to 25 visible options."""
    return _one("radio", action_id, options, initial, None, shared)


def overflow(action_id: str, options: Options, **shared: Unpack[Shared]) -> Element:
    """Returns a menu behind "…"."""
    return _one("overflow", action_id, options, None, None, shared)


def multi_select(
    action_id: str,
    options: Options,
    *,
    initial: Sequence[str] | None = None,
    min_selected: int | None = None,
    max_selected: int | None = None,
    placeholder: str | None = None,
    **shared: Unpack[Shared],
) -> Element:
    """Selects several of 1 to 25 options from a dropdown."""
    return _many("multi_select", action_id, options, initial, (min_selected, max_selected), placeholder, shared)


def checkboxes(
    action_id: str,
    options: Options,
    *,
    initial: Sequence[str] | None = None,
    min_selected: int | None = None,
    max_selected: int | None = None,
    **shared: Unpack[Shared],
) -> Element:
    """Selects several of 1 to 25 visible options."""
    return _many("checkboxes", action_id, options, initial, (min_selected, max_selected), None, shared)


def user_select(
    action_id: str, *, initial: str | None = None, placeholder: str | None = None, **shared: Unpack[Shared]
) -> Element:
    """Selects a person of the space."""
    found = None if initial is None else check_uuid("initial", initial)
    return _element("user_select", action_id, shared, initial=found, placeholder=_placeholder(placeholder))


def conversation_select(
    action_id: str, *, initial: str | None = None, placeholder: str | None = None, **shared: Unpack[Shared]
) -> Element:
    """Selects a conversation that the person can read."""
    found = None if initial is None else check_uuid("initial", initial)
    return _element("conversation_select", action_id, shared, initial=found, placeholder=_placeholder(placeholder))


def date_picker(
    action_id: str, *, initial: str | None = None, placeholder: str | None = None, **shared: Unpack[Shared]
) -> Element:
    """Selects a date: `2026-12-01`."""
    day = None if initial is None else check_date("initial", initial)
    return _element("date_picker", action_id, shared, initial=day, placeholder=_placeholder(placeholder))


def time_picker(
    action_id: str, *, initial: str | None = None, placeholder: str | None = None, **shared: Unpack[Shared]
) -> Element:
    """Selects a time: `09:30`."""
    at = None if initial is None else check_time("initial", initial)
    return _element("time_picker", action_id, shared, initial=at, placeholder=_placeholder(placeholder))


def feedback(
    action_id: str, *, positive: Mapping[str, str] | None = None, negative: Mapping[str, str] | None = None
) -> Element:
    """
    Returns buttons for people to judge the message, for `blocks.context_actions`. `positive` and
    `negative` have `text` and `data`. Without texts, clients use their own words.
    """
    return {
        "type": "feedback_buttons",
        "action_id": check_action_id(action_id),
        **given(positive=_judgment("positive", positive), negative=_judgment("negative", negative)),
    }


def icon_button(
    action_id: str, icon: str, text: str, *, data: str | None = None, visible_to: Sequence[str] | None = None
) -> Element:
    """Returns a small button with an icon, for `blocks.context_actions`. `text` labels it."""
    if icon not in _ICONS:
        raise LimitError("icon", f"must be {' or '.join(_ICONS)}")
    if visible_to is not None:
        check_list("visible_to", visible_to, 100)
        visible_to = [check_uuid(f"visible_to[{index}]", one) for index, one in enumerate(visible_to)]
    return {
        "type": "icon_button",
        "action_id": check_action_id(action_id),
        "icon": icon,
        "text": check_text("text", text, 75, least=1),
        **given(data=None if data is None else check_text("data", data, 2000), visible_to=visible_to),
    }


def _judgment(place: str, button: Mapping[str, str] | None) -> Element | None:
    if button is None:
        return None
    text, data = button.get("text"), button.get("data")
    return given(
        text=None if text is None else check_text(f"{place}.text", text, 75, least=1),
        data=None if data is None else check_text(f"{place}.data", data, 2000),
    )


def confirm(
    text: str | None = None, *, title: str | None = None, confirm_label: str | None = None, cancel_label: str | None = None
) -> Element:
    """Returns a confirmation shown before the click is sent."""
    return given(
        title=None if title is None else check_text("title", title, 75),
        text=None if text is None else check_text("text", text, 300),
        confirm_label=confirm_label,
        cancel_label=cancel_label,
    )


def options_of(options: Options, most: int, longest_label: int) -> list[dict[str, str]]:
    """Converts options to the format of the API."""
    pairs = options.items() if isinstance(options, Mapping) else [(one, one) for one in options]
    made = [
        {
            "value": check_text(f"options[{index}].value", value, 150, least=1),
            "label": check_text(f"options[{index}].label", label, longest_label, least=1),
        }
        for index, (value, label) in enumerate(pairs)
    ]
    check_list("options", made, most, least=1)
    check_once("options", made, "value")
    return made


def _one(
    kind: str, action_id: str, options: Options, initial: str | None, placeholder: str | None, shared: Shared
) -> Element:
    made = options_of(options, 25, 75)
    if initial is not None and initial not in [one["value"] for one in made]:
        raise LimitError("initial", "must be the value of an option")
    return _element(kind, action_id, shared, options=made, initial=initial, placeholder=_placeholder(placeholder))


def _many(
    kind: str,
    action_id: str,
    options: Options,
    initial: Sequence[str] | None,
    bounds: tuple[int | None, int | None],
    placeholder: str | None,
    shared: Shared,
) -> Element:
    made = options_of(options, 25, 75)
    least, most = bounds
    if most is not None and not 1 <= most <= 25:
        raise LimitError("max_selected", "must be a whole number from 1 to 25")
    limit = len(made) if most is None else most
    if least is not None and not 0 <= least <= min(limit, len(made)):
        raise LimitError("min_selected", f"must be a whole number from 0 to {min(limit, len(made))}")
    if initial is not None:
        _check_initial(list(initial), [one["value"] for one in made], limit)
    return _element(
        kind,
        action_id,
        shared,
        options=made,
        initial=None if initial is None else list(initial),
        min_selected=least,
        max_selected=most,
        placeholder=_placeholder(placeholder),
    )


def _check_initial(initial: list[str], values: list[str], most: int) -> None:
    if not set(initial) <= set(values):
        raise LimitError("initial", "must be values of options")
    if len(set(initial)) < len(initial):
        raise LimitError("initial", "contains a value twice")
    check_list("initial", initial, most)


def _placeholder(text: str | None) -> str | None:
    return None if text is None else check_text("placeholder", text, 100)


def _element(kind: str, action_id: str, shared: Shared, **fields: Any) -> Element:
    people = shared.get("visible_to")
    if people is not None:
        check_list("visibility_user_ids", people, 100)
        people = [check_uuid(f"visibility_user_ids[{index}]", one) for index, one in enumerate(people)]
    return {
        "type": kind,
        "action_id": check_action_id(action_id),
        **given(**fields, visibility_user_ids=people, confirm=shared.get("confirm")),
    }

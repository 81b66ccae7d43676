"""Builders of the fields of a form (`tieline.modal`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict, Unpack

from .elements import Options, options_of
from .limits import LimitError, check_date, check_text, check_time, given

Field = dict[str, Any]

_MAX_LENGTH = 65_536


class Shared(TypedDict, total=False):
    """Options of every field."""

    required: bool
    placeholder: str


class Lengths(Shared, total=False):
    """Options of text fields."""

    initial: str
    min_length: int
    max_length: int
    pattern: str


def text(id: str, label: str, **rules: Unpack[Lengths]) -> Field:
    """
    Returns a single-line text field. `pattern` is an RE2 regular expression for the whole text.
    """
    return _text("text", id, label, rules)


def textarea(id: str, label: str, **rules: Unpack[Lengths]) -> Field:
    """Returns a multi-line text field."""
    return _text("textarea", id, label, rules)


def email(id: str, label: str, **rules: Unpack[Lengths]) -> Field:
    """Returns a field for an e-mail address."""
    return _text("email", id, label, rules)


def url(id: str, label: str, **rules: Unpack[Lengths]) -> Field:
    """Returns a field for an http or https address."""
    return _text("url", id, label, rules)


def select(
    id: str, label: str, options: Options | Literal["bot"], *, initial: str | None = None, **shared: Unpack[Shared]
) -> Field:
    """
    Selects one of 1 to 100 options. `"bot"`: `bot.options` suggests them while the person types.
    """
    return _one("select", id, label, options, initial, shared)


def radio(
    id: str, label: str, options: Options | Literal["bot"], *, initial: str | None = None, **shared: Unpack[Shared]
) -> Field:
    """Selects one of 1 to 100 visible options."""
    return _one("radio", id, label, options, initial, shared)


def multi_select(
    id: str,
    label: str,
    options: Options | Literal["bot"],
    *,
    initial: Sequence[str] | None = None,
    min: int | None = None,
    max: int | None = None,
    **shared: Unpack[Shared],
) -> Field:
    """Selects several options, at least `min` and at most `max`."""
    return _many("multi_select", id, label, options, initial, (min, max), shared)


def checkboxes(
    id: str,
    label: str,
    options: Options | Literal["bot"],
    *,
    initial: Sequence[str] | None = None,
    min: int | None = None,
    max: int | None = None,
    **shared: Unpack[Shared],
) -> Field:
    """Selects several visible options."""
    return _many("checkboxes", id, label, options, initial, (min, max), shared)


def checkbox(id: str, label: str, *, initial: bool | None = None, **shared: Unpack[Shared]) -> Field:
    """Returns a checkbox. A required one must be ticked."""
    return _field("checkbox", id, label, shared, initial=initial)


def number(
    id: str,
    label: str,
    *,
    initial: float | None = None,
    min: float | None = None,
    max: float | None = None,
    **shared: Unpack[Shared],
) -> Field:
    """Returns a field for a number."""
    _check_bounds(min, max)
    return _field("number", id, label, shared, initial=initial, min=min, max=max)


def date(
    id: str, label: str, *, initial: str | None = None, min: str | None = None, max: str | None = None, **shared: Unpack[Shared]
) -> Field:
    """Returns a field for a date: `2026-12-01`."""
    return _calendar("date", check_date, id, label, (initial, min, max), shared)


def time(
    id: str, label: str, *, initial: str | None = None, min: str | None = None, max: str | None = None, **shared: Unpack[Shared]
) -> Field:
    """Returns a field for a time: `09:30`."""
    return _calendar("time", check_time, id, label, (initial, min, max), shared)


def user(id: str, label: str, *, initial: str | None = None, **shared: Unpack[Shared]) -> Field:
    """Selects an active person of the space."""
    return _field("user", id, label, shared, initial=initial)


def conversation(id: str, label: str, *, initial: str | None = None, **shared: Unpack[Shared]) -> Field:
    """Selects a conversation that the person can read."""
    return _field("conversation", id, label, shared, initial=initial)


def file(id: str, label: str, **shared: Unpack[Shared]) -> Field:
    """Returns a field for a file that the person uploads."""
    return _field("file", id, label, shared)


def _text(kind: str, id: str, label: str, rules: Lengths) -> Field:
    bounds = (rules.get("min_length"), rules.get("max_length"))
    for name, length in zip(("min_length", "max_length"), bounds, strict=True):
        if length is not None and not 0 <= length <= _MAX_LENGTH:
            raise LimitError(name, f"must be a whole number from 0 to {_MAX_LENGTH}")
    _check_bounds(*bounds, name="min_length")
    if "pattern" in rules:
        _check_pattern(rules["pattern"])
    return _field(kind, id, label, rules, **{name: rules.get(name) for name in ("initial", "min_length", "max_length", "pattern")})


def _check_pattern(pattern: str) -> None:
    """Rejects Python patterns that RE2 does not support."""
    check_text("pattern", pattern, 200, least=1)
    if re.search(r"\(\?(<?[=!]|P=)|\\[1-9]", pattern):
        raise LimitError("pattern", "must be a regular expression supported by RE2 (no back references, no look-around)")


def _one(
    kind: str, id: str, label: str, options: Options | Literal["bot"], initial: str | None, shared: Shared
) -> Field:
    source = _source(options)
    known = [one["value"] for one in source.get("options", [])]
    if initial is not None and known and initial not in known:
        raise LimitError("initial", "is not valid for the field: Must be one of the options.")
    return _field(kind, id, label, shared, initial=initial, **source)


def _many(
    kind: str,
    id: str,
    label: str,
    options: Options | Literal["bot"],
    initial: Sequence[str] | None,
    bounds: tuple[int | None, int | None],
    shared: Shared,
) -> Field:
    _check_bounds(*bounds)
    chosen = None if initial is None else list(initial)
    return _field(kind, id, label, shared, initial=chosen, min=bounds[0], max=bounds[1], **_source(options))


def _source(options: Options | Literal["bot"]) -> Mapping[str, Any]:
    if isinstance(options, str):
        if options != "bot":
            raise LimitError("options_from", "must be bot")
        return {"options_from": "bot"}
    return {"options": options_of(options, 100, 150)}


def _calendar(
    kind: str,
    check: Callable[[str, Any], str],
    id: str,
    label: str,
    values: tuple[str | None, str | None, str | None],
    shared: Shared,
) -> Field:
    names = ("initial", "min", "max")
    made = {name: check(name, value) for name, value in zip(names, values, strict=True) if value is not None}
    _check_bounds(made.get("min"), made.get("max"))
    return _field(kind, id, label, shared, **made)


def _check_bounds(least: Any, most: Any, name: str = "min") -> None:
    if least is not None and most is not None and least > most:
        raise LimitError(name, f"must not be greater than {name.replace('min', 'max')}")


def _field(kind: str, id: str, label: str, shared: Shared, **more: Any) -> Field:
    placeholder = shared.get("placeholder")
    return {
        "id": check_text("id", id, 64, least=1),
        "type": kind,
        "label": check_text("label", label, 150, least=1),
        **given(
            required=shared.get("required"),
            placeholder=None if placeholder is None else check_text("placeholder", placeholder, 150),
        ),
        **given(**more),
    }
